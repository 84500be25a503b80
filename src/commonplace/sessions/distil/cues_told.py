"""Words that speak for keeping a sentence, by language: what is told, and of whom, when and why."""

from commonplace.sessions.distil.signs import Cues, Sign

CUES_TOLD: Cues = {
    Sign.DATE: {
        "en": """january, february, march, april, june, july, august, september, october, november, december, jan, feb, aug,
            sept, oct, nov, dec, monday, tuesday, wednesday, thursday, friday, saturday, sunday, mondays, tuesdays,
            wednesdays, thursdays, fridays, saturdays, sundays, deadline, due, tomorrow, next month, next year, last
            year, spring, summer, autumn, winter, easter, christmas, weekend, utc, o'clock""",
        "de": """januar, februar, märz, mai, juni, juli, oktober, dezember, montag, dienstag, mittwoch, donnerstag, freitag,
            samstag, sonntag, montags, dienstags, mittwochs, donnerstags, freitags, samstags, sonntags, uhr, termin,
            frist, nächsten monat, nächstes jahr, letztes jahr, sommer, frühling, herbst, übermorgen, ostern,
            weihnachten""",
        "es": """enero, febrero, marzo, abril, mayo, junio, julio, agosto, septiembre, octubre, noviembre, diciembre, lunes,
            martes, miércoles, jueves, viernes, sábado, sábados, domingo, domingos, mañana, plazo, el año que viene, el
            mes que viene, verano, otoño, invierno, primavera, navidad""",
        "fr": """janvier, février, mars, avril, juin, juillet, août, septembre, octobre, novembre, décembre, lundi, mardi,
            mercredi, jeudi, vendredi, samedi, dimanche, lundis, mardis, jeudis, vendredis, samedis, dimanches, demain,
            échéance, l'an prochain, le mois prochain, été prochain, printemps, automne, hiver, pâques, noël""",
        "pt": """janeiro, fevereiro, março, maio, junho, julho, agosto, setembro, outubro, novembro, dezembro, segunda-feira,
            terça-feira, quarta-feira, quinta-feira, sexta-feira, terça, quarta, quinta, sexta, amanhã, prazo, ano que
            vem, mês que vem, verão, inverno, natal""",
        "it": """gennaio, febbraio, aprile, maggio, giugno, luglio, settembre, ottobre, dicembre, lunedì, martedì, mercoledì,
            giovedì, venerdì, sabato, domenica, domani, scadenza, l'anno prossimo, il mese prossimo, autunno, natale,
            pasqua""",
        "zh": """月, 星期, 周一, 周二, 周三, 周四, 周五, 周六, 周日, 明天, 后天, 号, 日期, 截止, 明年, 去年,
            春节, 国庆, 点半, 礼拜""",
        "ja": """月, 曜日, 日に, 日まで, 明日, 来年, 来月, 去年, 年末, 締切, 時から, 時に, 年から, 月曜, 火曜,
            水曜, 木曜, 金曜, 土曜, 日曜, 期限""",
    },
    Sign.REASON: {
        "en": "because, so that, since, otherwise, due to, that's why, therefore, as the, on account of, the reason",
        "de": "weil, damit, sonst, denn, wegen, deswegen, deshalb, daher, andernfalls, da der, da die, da das",
        "es": "porque, para que, ya que, así que, por eso, si no, puesto que, debido a, o si no, que luego",
        "fr": """parce que, parce qu'il, parce qu'on, car, pour que, sinon, puisque, c'est pourquoi, à cause, du coup, vu que""",
        "pt": "porque, por causa, pois, já que, senão, por isso, pra que, para que, devido",
        "it": "perché, per via, poiché, dato che, altrimenti, quindi, per questo, visto che, così, a causa",
        "zh": "因为, 所以, 由于, 不然, 否则, 因此, 原因",
        "ja": "ので, から, ため, せいで, なので, 理由, おかげ",
    },
    Sign.CAUSE: {
        "en": """came from, come from, comes from, caused by, was caused, were caused, the cause, root cause, turned out, the
            culprit, which made, which took, brought the, reduced, fixed it, instead of being, explained by, results
            from, stems from, stemmed from, led to, due to, boiled down to, the reason was, the problem was, the issue
            was, was failing because, the reason is, it was because, was because, were because, is because, because of
            the, fixed all, fixes it, solved it, that fixed, found the bug, found it, found the issue, the fix was, the
            trick was, only fails when, works if, happens when, only happens""",
        "de": """entsteht, entstand, entstanden, lag an, liegt daran, lag daran, kam von, kommt von, kamen von, die ursache,
            ursache, verursacht, ausgelöst, schuld war, grund war, stellte sich heraus, rührt, fehler gefunden, problem
            war, hab den fehler, lag's an, liegt an, die lösung war, hat geholfen, jetzt passt, jetzt geht, jetzt läuft""",
        "es": """venía de, venían de, venía del, venían del, viene de, se debía, se debían, se debe a, la causa, causado por,
            causaba, culpa de, resultó, el motivo, provocaba, provocado por, el problema era, era que, el fallo era, era
            porque, ya no se, se arregla, se arregló, se soluciona, lo arreglé, resulta que, descubrí que, el culpable""",
        "fr": """venait de, venait du, venaient de, viennent de, viennent du, vient de la, vient du, la cause, causé par,
            causée par, provoqué, provoquait, dû à, due à, à l'origine, s'explique, empêchait, le problème était, j'ai
            compris, le souci, le bug venait, ça venait, j'ai trouvé, il suffisait, résolu""",
        "pt": """descobri que, descobri, o problema era, era o, por causa do, por causa da, a causa, resolveu, achei o erro,
            era que, o culpado, culpa do, consertou, funcionou""",
        "it": """ho scoperto, il problema era, era colpa, la causa, causato da, dovuto a, ho trovato, colpa di, colpa del, il
            motivo era, risolto, si è scoperto, leggeva male, dipendeva da""",
        "zh": "原因, 是因为, 导致, 查到, 找到了, 发现, 原来是, 改成, 解决了, 就好了, 问题出在, 引起",
        "ja": "原因, のせい, が原因, 判明, 分かりました, わかりました, 直りました, 直った, 解決, 結果, 発覚, 由来",
    },
    Sign.PERSONAL: {
        "en": """my, our, i'm, i am, i've, i have, we have, we've, i work, i live, we live, i get, i read, i do, i study,
            husband, wife, daughter, son, mother, father, brother, sister, dog, cat, kids, children, boss, supervisor,
            editor, team, colleague, neighbour, partner, customer, customers, client, we're, i'm in, us, mine, ours,
            girlfriend, boyfriend, fiancé, fiancée, grandmother, grandfather, grandma, parents, roommate, flatmate,
            baby, twins, uncle, aunt, cousin, friend, manager, landlord, teacher, students, colleagues, i use, i run, we
            run, i own, we own, i speak, i play, i teach, i'm a, we rent, i drive, i was diagnosed, i take, i wear, i
            grew up, i was born, my name, we're a, i sleep, i train, i'm the, we're on, we use, we make, we ship, i
            moved, dad, mum, mom, my dad, nephew, niece, in law, coworker, we host, i manage, i lead""",
        "de": """mein, meine, meinem, meinen, meiner, unser, unsere, unserem, unseren, unserer, ich bin, wir sind, ich habe,
            wir haben, ich hatte, ich arbeite, ich wohne, ich baue, uns, frau, mann, tochter, sohn, mutter, vater,
            bruder, schwester, hund, katze, kinder, chef, chefin, kollege, kollegin, team, kunde, kunden, verein, ich
            schlafe, ich darf, wir wohnen, freundin, freund, verlobte, oma, opa, eltern, mitbewohner, mitbewohnerin,
            zwillinge, onkel, tante, cousin, vermieter, nachbar, nachbarin, lehrer, lehrerin, schüler, kollegen, firma,
            ich nutze, wir nutzen, ich fahre, ich spreche, ich spiele, ich trage, ich nehme, ich heiße, wir mieten, ich
            leite, ich unterrichte, ich lerne, ich studiere, ich esse, wir essen, sohnes, bei mir, hab einen, hab eine,
            habe einen, habe eine""",
        "es": """mi, mis, nuestro, nuestra, nuestros, nuestras, tengo, tenemos, trabajo, trabajamos, vivo, vivimos, soy,
            somos, estoy, mujer, marido, hija, hijo, madre, padre, hermano, hermana, perro, gato, niños, jefe, jefa,
            equipo, compañero, compañera, cliente, clientes, empleada, empleado, llevo, puedo, podemos, novia, novio,
            abuela, abuelo, padres, compañeros, bebé, gemelos, tío, tía, primo, amiga, amigo, casero, vecina, vecino,
            profesora, profesor, alumnos, empresa, uso, usamos, hablo, juego, estudio, me llamo, alquilamos, conduzco,
            duermo, tomo, doy clase, soy de, llevamos, pareja, familia, suegra""",
        "fr": """mon, ma, mes, notre, nos, j'ai, nous avons, on a, je suis, nous sommes, on est, on sera, je travaille,
            j'habite, femme, mari, fille, fils, mère, père, frère, sœur, chien, chat, enfants, chef, équipe, collègue,
            client, clients, je vis, famille, chez nous, copine, copain, fiancé, fiancée, grand-mère, grand-père,
            parents, coloc, bébé, jumeaux, oncle, tante, cousin, amie, ami, propriétaire, voisine, voisin, prof, élèves,
            collègues, entreprise, boîte, j'utilise, on utilise, je parle, je joue, je fais, je prends, je m'appelle, on
            loue, je conduis, je dors, j'étudie, je dirige, conjoint, belle-mère, compagne, compagnon""",
        "pt": """meu, minha, meus, minhas, nosso, nossos, nossas, eu sou, sou, moro, trabalho, tenho, temos, a gente, estou,
            minha mãe, meu pai, esposa, filha, filho, irmã, irmão, cachorro, chefe, equipe, colega, cliente, namorada,
            namorado, vizinho, sogra, faço, uso, moramos, trabalhamos, somos""",
        "it": """mio, mia, miei, mie, nostro, nostra, nostri, nostre, sono, siamo, lavoro, lavoriamo, abito, abitiamo, vivo,
            viviamo, ho, abbiamo, moglie, marito, figlia, figlio, madre, padre, fratello, sorella, cane, gatto, capo,
            collega, cliente, squadra, nonna, nonno, ragazza, ragazzo, faccio, insegno, gestisco, uso, suocera""",
        "zh": """我是, 我在, 我们, 我的, 我家, 我爸, 我妈, 女儿, 儿子, 老婆, 老公, 妻子, 丈夫, 同事, 老板, 客户,
            公司, 团队, 我有, 我住, 住在, 我叫, 孩子, 朋友, 姐姐, 哥哥, 弟弟, 妹妹, 表姐, 我们组, 奶奶,
            爷爷, 狗, 猫""",
        "ja": """私, わたし, 僕, 俺, うち, 弊社, 当社, 我が家, 母, 父, 妻, 夫, 娘, 息子, 姉, 兄, 弟, 妹, 上司,
            同僚, 会社, チーム, 住んで, 働いて, 勤め, です, 名前は, 犬, 猫, 自分""",
    },
    Sign.BOUND: {
        "en": """at most, at least, up to, under, maximum, minimum, max, limit, cap, caps, capped, only, budget, until,
            frozen, reserved, not compatible, no access, except, all in, per, between, restricted, without, mandatory,
            compliance, comply, not more than, no more than, less than, more than, within, exactly, hard limit,
            deadline, each, every day, every week, per week, twice a week, once a week, usually, normally, the only,
            fixed, cannot, can't, out of scope, read-only""",
        "de": """höchstens, mindestens, maximal, nur, budget, bis zum, ohne, begrenzt, gesperrt, zwischen, pflicht,
            vorgeschrieben, reserviert, limit, nicht mehr als, außer, eingefroren, pro, weniger als, mehr als,
            innerhalb, genau, jeden tag, jede woche, pro woche, zweimal, einmal pro, meistens, normalerweise, der
            einzige, die einzige, das einzige, fest, kann nicht, können nicht, geht nicht über, spätestens, frühestens""",
        "es": """como máximo, máximo, mínimo, al menos, hasta, solo, sólo, presupuesto, sin, limitado, obligatorio,
            reservado, entre, no podemos, no más de, salvo, límite, cuesta, menos de, más de, dentro de, exactamente,
            cada día, cada semana, por semana, dos veces, una vez, normalmente, el único, la única, fijo, no puedo, a
            más tardar, como mucho, todos los""",
        "fr": """au maximum, maximum, minimum, au moins, jusqu'à, seulement, budget, sans, limité, obligatoire, réservé,
            entre, pas plus de, ne peut pas, sauf, dépasser, limite, uniquement, moins de, plus que, au plus,
            exactement, chaque jour, chaque semaine, par semaine, deux fois, une fois, normalement, le seul, la seule,
            fixe, je ne peux pas, au plus tard, tous les, toutes les, d'habitude""",
        "pt": """no máximo, no mínimo, pelo menos, até, só, orçamento, sem, limite, entre, exceto, menos de, mais de, por
            semana, toda semana, todo dia, depois das, antes das""",
        "it": """al massimo, massimo, almeno, fino a, solo, budget, senza, limite, tra, tranne, meno di, più di, a settimana,
            ogni giorno, ogni settimana, dopo le, prima delle""",
        "zh": "最多, 至少, 不超过, 预算, 以内, 上限, 只有, 之前, 以上, 以下, 每周, 每天",
        "ja": "以内, 以上, 以下, まで, 最大, 最低, 予算, 上限, だけ, しか, 毎週, 毎日",
    },
    Sign.SETTING: {
        "en": """project, repo, repository, stack, setting, context, service, pipeline, codebase, monorepo, topic, theme,
            subject, background, thesis, the app""",
        "de": "projekt, repo, repository, dienst, anwendung, website, webseite, thema, hintergrund, kontext, aufbau",
        "es": "proyecto, repositorio, servicio, aplicación, tema, contexto",
        "fr": "projet, dépôt, service, application, sujet, contexte, pipeline",
        "pt": "projeto, repositório, serviço",
        "it": "progetto, repository, servizio",
        "zh": "项目, 仓库, 我在做, 我正在",
        "ja": "プロジェクト, リポジトリ, 作って, 開発して, 準備して",
    },
    Sign.STATE: {
        "en": """belongs to, belong to, owns, leads, name is, is called, are called, named, is named, stands for, means, is
            set to, are set to, runs on, runs in, run on, is based, uses, supports, requires, connects to, connects via,
            is at, is in, lives in, is located, responsible for, in charge of, managed by, maintained by, owned by,
            reports to, works at, works for, works as, consists of, is stored, are stored, is kept, are kept, comes
            with, depends on, expects, handles, reviews, is written in, are written, has a, have a, has the, costs,
            takes care, is hosted, are hosted, is written, is run, is done by, deploys, is the one, are the ones, is
            deployed, goes through, is responsible, takes place, is built, has two, has three, have two, have three,
            there are, there is, comes from, ships, sends, reads from, writes to, listens, is due, are on, is on, runs,
            lives at, go out, goes out, starts, does the, spelled, is spelled, takes over, moved to, expires, runs out,
            closes, opens, are due, i mean the, stays, does our, due to the""",
        "de": """gehört, gehören, heißt, heißen, zuständig, verantwortlich, leitet, betreut, läuft auf, läuft unter, laufen
            auf, laufen unter, liegt bei, liegen bei, liegt auf, liegt in, liegt im, liegen in, bedeutet, steht für,
            basiert, nutzt, nutzen, verwendet, verwenden, braucht, brauchen, wohnt, wohnen, arbeitet, kostet, besteht
            aus, kommt aus, kommen aus, unterstützt, ist bei, hat einen, hat eine, hat nur, haben einen, haben eine,
            erwartet, kümmert sich, gehostet, ist geschrieben, wird gemacht, findet statt, besitzt, geht über, kommt
            von, liefert, schickt, es gibt, gibt es, befindet, ist der, ist die, ist das, sind die, steht in, steht im,
            steht auf, wird von, werden von, hat zwei, hat drei, macht immer, sitzt, steht, startet, endet, schreibt
            sich, läuft über, kommt, wohnt in, arbeitet bei, ist zuständig""",
        "es": """pertenece, pertenecen, se llama, se llaman, significa, responsable de, encargada, encargado, se encarga,
            lleva el, lleva la, usa, usan, usamos, funciona con, corre en, corre sobre, está en, están en, vive en,
            trabaja en, trabaja como, depende de, cuesta, consta de, necesita, soporta, tiene un, tiene una, tienen, la
            lleva, lo lleva, se guarda, se guardan, está escrito, alojado, alojada, se hace, se celebra, hay dos, hay
            tres, va por, pasa por, viene de, manda, envía, se ocupa, es la que, es el que, es quien, son los, son las,
            se despliega, guarda, es de, va de, empieza, termina, se escribe, es un, es una, vence""",
        "fr": """appartient, appartiennent, s'appelle, s'appellent, signifie, veut dire, responsable de, s'occupe, gère,
            gèrent, tourne sur, tourne sous, tournent sur, tournent sous, est chez, sont chez, est dans, sont dans,
            utilise, utilisent, habite, travaille, dépend de, coûte, comprend, nécessite, est hébergé, sont stockés, est
            stocké, a un, a une, ont un, se trouve, est écrit, est écrite, hébergée, se fait, a lieu, il y a, passe par,
            provient, envoie, livre, c'est elle qui, c'est lui qui, est le, est la, sont les, se déploie, dirige,
            possède, est géré, est gérée, se trouve à, commence, finit, s'écrit, passe sur, est en, est un, est une,
            expire""",
        "pt": """fica em, fica na, fica no, mora, trabalha, chama-se, se chama, usa, usam, roda em, roda no, custa, começa,
            termina, vence, é responsável, cuida, pertence, está em, é o, é a, tem um, tem uma, está usando, tá usando""",
        "it": """si trova, si chiama, si chiamano, usa, usano, gira su, costa, comincia, inizia, finisce, scade, è
            responsabile, si occupa, lavora, abita, vuole, è il, è la, ha un, ha una, sta a, sta in, appartiene""",
        "zh": "叫, 在, 是, 负责, 位于, 用的是, 使用, 部署, 版本, 域名, 端口, 名字, 开始, 运行, 属于",
        "ja": """は, という, にあり, 担当, 使って, 使用, 名前, バージョン, 開始, 動いて, サーバー, 所属,
            あります, います""",
    },
}
