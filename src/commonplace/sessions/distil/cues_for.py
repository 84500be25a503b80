"""Words that speak for keeping a sentence, by language: what is wished, ruled, decided or liked."""

from commonplace.sessions.distil.signs import Cues, Sign

CUES_FOR: Cues = {
    Sign.STANDING: {
        "en": """always, never, from now on, ever again, don't ever, every time, each time, whenever you, whenever
            i, any time you, in future, in the future, permanently, going forward, as a rule, by default, no
            exceptions, for all future, every session, in every, going forwards, from here on, henceforth, standing rule, when you write, when you answer,
            when you give, when you, whenever, stop using, stop adding, stop calling, stop putting, stop writing, stop doing,
            stop saying, stop suggesting, stop giving, stop asking, stop changing, stop making, stop with, stop apologising,
            stop apologizing, quit using, quit adding,
            no more, don't use, don't suggest, do not use, don't put, don't write, don't touch, don't start, at all
            times, until further notice, for good, without exception, use only, only use, only ever, for the rest""",
        "de": """wenn du, sobald du, bevor du, hör bitte auf, von heute an, immer, nie, niemals, nie wieder, ab jetzt, ab sofort, ab heute, künftig, in zukunft, zukünftig, von nun an,
            von jetzt an, jedes mal, grundsätzlich, nur noch, bis auf weiteres, hör auf, lass das, dauerhaft, ein für
            alle mal, bitte nicht, bitte keine, bitte nur, bitte immer, ausnahmslos, auf keinen fall, keine mehr""",
        "es": """a partir de hoy, cuando me, cuando escribas, cada vez, desde hoy, siempre, nunca, jamás, nunca más, a partir de ahora, de ahora en adelante, desde ahora, en adelante, cada vez
            que, por defecto, deja de, no vuelvas, para siempre, de aquí en adelante, no uses, no me pongas, no
            pongas, hasta nuevo aviso, bajo ningún concepto""",
        "fr": """à partir d'aujourd'hui, quand tu, arrête avec, avant de, toujours, jamais, plus jamais, désormais, dorénavant, à partir de maintenant, à l'avenir, chaque fois, par
            défaut, arrête de, arrêtez de, une fois pour toutes, systématiquement, n'utilise, ne mets, jusqu'à nouvel
            ordre, en aucun cas, pour toujours, à chaque fois""",
        "pt": """a partir de hoje, quando você, toda vez, sempre que, sempre, nunca, nunca mais, jamais, a partir de agora, de agora em diante, daqui pra frente, daqui para a
            frente, daqui em diante, toda vez que, por padrão, para de, pare de, não use, não coloque, em hipótese
            alguma, pra sempre, sempre que""",
        "it": """da oggi in poi, quando mi, quando scrivi, ogni volta, basta con, sempre, mai più, d'ora in poi, d'ora in avanti, da ora in poi, da adesso in poi, in futuro, ogni volta che,
            di default, smettila, smetti di, non usare, non mettere, per nessun motivo, una volta per tutte, da oggi""",
        "nl": "altijd, nooit, nooit meer, vanaf nu, voortaan, in het vervolg, stop met, elke keer, standaard",
        "zh": "的时候, 从今天, 省掉, 一定要先, 麻烦只, 以后, 今后, 从现在起, 从今以后, 永远, 一律, 每次, 不要再, 别再, 绝不, 总是, 千万, 从今天起, 往后, 以後, 默认",
        "ja": "ときは, 時は, 場合は, 前に必ず, もう, 今後, これから, 必ず, 絶対に, 二度と, 常に, いつも, 毎回, 今日から, 以後, しないで, 使わないで, やめて, 一切",
    },
    Sign.WISH: {
        "en": """your notes, to memory, commit this, put this in, add this, jot down, jot this, remember to call, file this, you should know, just so you know, for your notes, hold on to this, remember that, remember this, remember my, remember our, remember the, please remember, keep in mind, bear
            in mind, note that, note for later, for the record, save this, save that, store this, memorize, memorise,
            make a note, take note, don't forget that, never forget, note to self, for future reference, fyi, write this
            down, log this, add to memory, to your memory, remember for, remember i, remember we, note this""",
        "de": """schreib dir, trag ein, zu deiner info, nur damit du, damit du bescheid, vormerken, merk's dir, abspeichern, merk dir, merke dir, merken sie sich, behalte im kopf, behalt im kopf, vergiss nicht, denk dran, denk daran,
            notier dir, notiere dir, notier, notiere, speicher dir, speichere, speicher das, zur info, für später, fürs
            protokoll, schreib dir auf, halt fest, halte fest""",
        "es": """apúntame, quédate con, memorízalo, para que conste, toma nota, guarda en memoria, que sepas, recuerda que, recuerda, acuérdate, apunta que, apunta, apúntate, anota que, anota, ten en cuenta, tenlo en
            cuenta, guarda esto, memoriza, no olvides que, no te olvides, para que lo sepas, para más adelante, ten
            presente, que conste, guárdate""",
        "fr": """mémoriser, mémorise, prends note, garde ça, inscris, mets-toi, pour mémoire, que tu saches, retiens que, retiens, souviens-toi, rappelle-toi, note que, note bien, garde en tête, garde en mémoire,
            mémorise, n'oublie pas que, n'oublie jamais, pour info, à retenir, sache que, enregistre, pour plus tard,
            gardez en tête, retenez""",
        "pt": """toma nota, tome nota, memorize, pra você saber, para você saber, põe na memória, fica a informação, lembra que, lembra disso, lembre que, lembre-se, lembra, lembre, anota aí, anota, anote, guarda isso,
            guarde, guarda, memoriza, não esquece que, não esqueça, não esquece, fica sabendo, pra constar, para
            constar, tenha em mente, tem em mente, grava isso, registra""",
        "it": """tieni a memoria, mettiti, prendi appunti, metti agli atti, per tua informazione, ti segnalo, ricorda che, ricordati, ricorda, ricordatevi, tieni a mente, tieni presente, tieni conto, segnati, segna
            che, annota, prendi nota, appuntati, memorizza, non dimenticare, non dimenticarti, salva questo, per la
            cronaca, sappi che""",
        "nl": "onthoud, onthoud dat, vergeet niet, noteer, let op, houd in gedachten, ter info",
        "zh": "备注, 存下来, 存一下, 放在心上, 记录一下, 记到, 记住, 请记住, 记一下, 记下, 记着, 帮我记, 别忘了, 请注意, 备忘, 记得, 記住, 記得, 牢记, 存一下",
        "ja": """メモ, 頭に入れて, 記憶に, 登録して, 控えておいて, 覚えとい, ご承知, 覚えて, 覚えておいて, おぼえて, メモして, メモしておいて, 忘れないで, 記録して, 記憶して,
            念のため, 留意して, 控えて""",
    },
    Sign.CORRECTION: {
        "en": """correction, had it wrong, got it wrong, misspelled, you wrote, should be, the right, actual, i was wrong, i told you wrong, i meant, not anymore, no longer, anymore, isn't right, that's
            wrong, that's outdated, outdated, out of date, changed to, moved to, used to be, is now, are now, it's now,
            small correction, scratch that, i misspoke, my mistake, has changed, wrong about, i said before, i told you,
            turns out it, not on""",
        "de": """korrektur, stimmt nicht, nicht mehr, hatte ich falsch, falsch gesagt, veraltet, doch nicht, ich meinte, hab
            mich vertan, habe mich geirrt, hab mich geirrt, sondern, seit neuestem, inzwischen, mittlerweile,
            neuerdings, falsch verstanden""",
        "es": """corrección, corrijo, me equivoqué, te dije mal, me he equivocado, ya no, en realidad, no es, perdona, quise
            decir, ha cambiado, ahora es, rectifico, sino""",
        "fr": """je me suis trompé, je me suis trompée, ce n'est plus, c'est plus, en fait, erreur de ma part, je voulais
            dire, a changé, rectification, n'est plus, non plus, ne sont plus, j'ai dit""",
        "pt": """correção, na verdade, não é mais, me enganei, errei, falei errado, corrigindo, mudou, agora é, já não, quis
            dizer, não é, em vez de""",
        "it": """correzione, mi correggo, mi sono sbagliato, mi sono sbagliata, non più, in realtà, ho sbagliato, è cambiato,
            ora è, adesso è, volevo dire, anzi, ti ho detto male, non è più, bensì""",
        "nl": "correctie, klopt niet, niet meer, ik bedoelde, eigenlijk, ik had het fout",
        "zh": "不对, 更正, 说错了, 搞错, 纠正, 不再, 改成, 改到, 而不是, 不是, 其实, 现在是, 弄错, 记错",
        "ja": """訂正, 間違え, 違います, ではなく, じゃなくて, じゃなく, 変わりました, 変更になり, 実は,
            もう使って, 違って, 誤り, 違う""",
    },
    Sign.RULE: {
        "en": """always, never, from now on, everywhere, every time, in future, in the future, by default, no longer, at all,
            under no circumstances, nothing gets, without exception, for any, whenever, any time, each time, going
            forward, as a rule, no exceptions, only ever, anywhere, make sure, instead of, prefer, we use, we keep,
            avoid, stick to, every commit, every pr, every time you, only use, use only, exclusively, strictly, without
            asking, unless i, before you, before any, by convention, our convention, the convention is, as usual, each
            pr, all new""",
        "de": """immer, nie, niemals, ab jetzt, ab sofort, künftig, in zukunft, grundsätzlich, überall, auf keinen fall,
            jedes mal, generell, standardmäßig, nur noch, jede, jeder, jedes, so halten wir, vermeide, statt, bei uns,
            ausschließlich, nur mit, ausnahmslos, ohne rückfrage, bevor du, vor jedem, vor jeder, bei jedem, bei jeder,
            bei uns gilt, es gilt, konvention, so machen wir, regel, stets, prinzipiell, alle neuen, ab heute, ohne
            ausnahme""",
        "es": """siempre, nunca, jamás, a partir de ahora, de ahora en adelante, en todas partes, cada vez, por defecto, bajo
            ningún concepto, en adelante, sin excepción, evita, en lugar de, solo, exclusivamente, únicamente, sin
            preguntar, antes de cada, en cada, como norma, por norma, la norma es, sin falta, estrictamente, salvo que,
            todos los commits, a partir de hoy, desde ahora""",
        "fr": """toujours, jamais, désormais, dorénavant, à partir de maintenant, partout, chaque fois, par défaut, en aucun
            cas, à l'avenir, sans exception, systématiquement, jamais de, évite, au lieu de, exclusivement, uniquement,
            sans demander, avant chaque, à chaque, par convention, la règle, en règle générale, strictement, sauf si,
            toutes les, à partir d'aujourd'hui, obligatoirement, d'office""",
        "pt": """sempre, nunca, jamais, a partir de agora, de agora em diante, daqui pra frente, daqui para frente, daqui em
            diante, toda vez, por padrão, em hipótese alguma, evita, evite, somente, apenas, sem exceção, em todo, em
            toda, todos os, todas as, como regra, por regra, nada de, em vez de""",
        "it": """sempre, d'ora in poi, da ora in poi, d'ora in avanti, da adesso, ogni volta, di default, per nessun motivo,
            evita, evitate, senza eccezioni, ovunque, di regola, come regola, invece di, in ogni, soltanto,
            esclusivamente, da oggi, mai più, non usare mai, niente tabelle, niente emoji, non mettere mai""",
        "nl": "altijd, nooit, vanaf nu, voortaan, standaard, elke keer, in geen geval, uitsluitend",
        "zh": """总是, 永远, 从现在起, 从今以后, 以后, 今后, 一律, 每次, 绝不, 绝对不, 不要再, 别再, 禁止, 必须,
            务必, 默认, 统一, 只能, 只用, 不许, 千万, 所有的, 一定要, 都用, 都要, 不准, 從現在""",
        "ja": """常に, いつも, 必ず, 今後は, これからは, 今後, 絶対, 毎回, 決して, 禁止, 原則, 以後, しないで,
            使わないで, 統一, ずっと, 二度と, 全部, のみ, だけで, 一切, やめて, 今日から""",
    },
    Sign.EXCLUSION: {
        "en": "no, nothing, none of, neither",
        "de": "keine, keinen, kein, keinerlei, nichts",
        "es": "nada de, ningún, ninguna, ninguno, nada",
        "fr": "rien, aucun, aucune, pas de, pas d'autre, plus de",
    },
    Sign.NEED: {
        "en": """must, must not, mustn't, needs a, need a, has to be, have to be, may not, not allowed, is required, are
            required, we have to, can't be, cannot be, should be, should never, is mandatory, is forbidden, not
            permitted, needs at least, mandatory, required, must be, must have, must use, must never, are not allowed,
            only allowed, never allowed, needs to be, need to be""",
        "de": """muss, müssen, darf nicht, dürfen nicht, darf nie, darf kein, darf nur, verpflichtend, soll, sollen,
            vorgeschrieben, muss immer, dürfen nur, dürfen keine, pflicht, erforderlich, zwingend, braucht immer, nicht
            erlaubt, verboten, unbedingt""",
        "es": """debe, deben, no se puede, no puede, no pueden, obligatorio, está prohibido, tiene que ser, tiene que, tienen
            que, prohibido, imprescindible, necesariamente, se debe, se deben, no debe, no deben, requiere""",
        "fr": """doit, doivent, ne doit pas, ne peut pas, ne peuvent pas, obligatoire, est interdit, interdit, indispensable,
            impérativement, exige, nécessaire, il ne faut pas, doit être, doivent être, n'a pas le droit""",
        "pt": """deve, devem, precisa ser, tem que ser, não pode, não podem, obrigatório, obrigatória, proibido, é preciso,
            exige, só pode""",
        "it": """deve, devono, non può, non possono, obbligatorio, obbligatoria, vietato, è necessario, bisogna, richiede, va
            fatto, non deve""",
        "zh": "需要, 不能, 不可以, 不得, 要求, 得要, 最多, 至少",
        "ja": "なければならない, ないといけない, 必要, べき, てはいけない, 厳禁, ダメ, 無理",
    },
    Sign.ADDRESS: {
        "en": """please, don't, do not, show me, give me, tell me, answer me, call me, ask me, remind me, i don't want, i
            want you to, i'd like you to, when you, if you, you can, yourself, keep it, use only, only use, only
            suggest, write in, answer in, reply in, don't ever, you should, i want, no need to, answer with, reply with,
            keep your, keep answers, stop using, speak to me, explain things, use metric, call it, be brief, remember
            that, note that, ask before, check with me, talk to me, your answers, i prefer you, you must, for me""",
        "de": """bitte, mach mir, schreib, schreibe, antworte, gib mir, zeig mir, sag mir, nenn mich, frag mich, erinnere
            mich, wenn du, falls du, ich will nicht, ich möchte nicht, ich möchte, duz, duze, sieze, verwende, benutze,
            nimm, lass, fass, halte dich, antworten bitte, sprich, erklär mir, erkläre mir, merk dir, halt dich, frag
            vorher, frag mich vorher, deine antworten, du sollst, duzen, siezen, für mich, mir bitte, nenne, gib immer,
            zeig immer""",
        "es": """por favor, no me, explícame, explíqueme, respóndeme, responde, contéstame, contesta, dame, dime, ponme,
            llámame, escríbeme, escribe, usa, pregúntame, recuérdame, cuando me, no uses, no pongas, no quiero que,
            quiero que, trátame, tutéame, hazme, avísame, no toques, no hagas, tus respuestas, háblame, recuerda que,
            ten en cuenta, pregunta antes, consúltame, explícamelo, sé breve, quiero respuestas, no me des, no me digas,
            trátame de, para mí, prefiero que""",
        "fr": """s'il te plaît, s'il vous plaît, stp, svp, réponds, réponds-moi, ne me, ne propose, ne touche, n'utilise,
            utilise, explique-moi, dis-moi, donne-moi, montre-moi, tutoie, tutoyer, vouvoie, appelle-moi, évite de,
            quand tu, si tu, fais-moi, écris, ne fais, ne mets, ne change, merci de, je veux que, je ne veux pas, tes
            réponses, parle-moi, retiens que, note que, demande-moi, demande avant, sois bref, souviens-toi, ne me
            donne, ne me parle, je préfère que, pour moi, rappelle-toi""",
        "pt": """por favor, me chama de, me chame, me responda, me responde, responda, responde, usa, escreva, escreve, não
            use, não usa, não coloque, não me, me dê, me manda, quero que, prefiro que, quando eu, quando você,
            pergunte, me avise, me avisa, coloca, coloque, fala comigo, me trate, me trata""",
        "it": """per favore, per piacere, chiamami, rispondimi, rispondi, usa, scrivi, scrivimi, non usare, non mettere, non
            mi, dammi, dimmi, vorrei che, voglio che, preferisco che, quando ti, quando mi, chiedimi, avvisami, dammi
            del, metti, fammi sapere, parlami, evita di""",
        "zh": "请, 给我, 叫我, 回答, 回复, 用中文, 不要, 别用, 称呼我, 写成, 我说的, 跟我, 帮我, 告诉我",
        "ja": "ください, 下さい, してほしい, と呼んで, 返して, 答えて, 書いて, 使って, 回答, 返事, お願い, して",
    },
    Sign.TASK: {
        "en": """need to, needs to, have to, has to, must still, someone has to, someone must, somebody, remember to, remind
            me to, don't forget, to do, todo, still open, still missing, still need, still have to, left to do, remains
            to, should be done, i'll ask, i'll call, i'll send, i'll do, i must, we must, we should, before the, by the
            end of, next week, this week, follow up, on my list, has yet to, haven't yet, not yet done, i should, action
            item, outstanding, we still, i'll have to, we'll have to, remind, needs doing, must be, i have to, we need
            to, i need to, needs to be done, someone needs to, don't let me forget, still to do, i'm supposed to, we're
            supposed to, must not forget, by friday, by monday, by next, by tomorrow, until friday, i still, i want to
            send, remember that i, i promised""",
        "de": """ich muss, muss noch, müssen noch, wir müssen, es fehlt noch, fehlt noch, fehlen noch, noch zu, steht noch
            aus, offen ist noch, noch offen, nicht vergessen, daran denken, ich sollte noch, wir sollten noch, bis ende,
            nächste woche, diese woche, mache ich, kümmere mich, erledigen, einholen, anfragen, bestellen, beantragen,
            besorgen, erfragen, nachfragen, anrufen, buchen, kündigen, ausfüllen, bleibt noch, zu tun, brauche noch,
            sollte noch, ich sollte, jemand muss, müsste noch, wir brauchen noch, ich brauche noch, bis freitag, bis
            montag, bis nächste, bis spätestens, abholen, überweisen, verlängern, vorbereiten, abgeben, einreichen,
            besprechen, klären, noch klären, erinnern, nachreichen, abschicken, verschicken, aktualisieren""",
        "es": """tengo que, tenemos que, hay que, me falta, nos falta, falta, faltan, queda pendiente, pendiente, quedan,
            queda por, acordarme de, no olvidar, recordar, debo, debería llamar, antes del, antes de que, esta semana,
            la semana que viene, la próxima semana, por hacer, habría que, he de, alguien tiene que, necesito, alguien
            tiene, queda, quedaría, me queda, nos queda, sin hacer, no se me olvide, que no se me olvide, antes del
            viernes, antes del lunes, llamar a, pedir cita, renovar, entregar, enviar, comprar, preparar, revisar antes""",
        "fr": """il faut, il faut que, faut que, il reste à, reste à, restent à, penser à, ne pas oublier, n'oublie pas, je
            dois, on doit, nous devons, à faire, il manque, manque encore, avant le, avant la, avant de, cette semaine,
            la semaine prochaine, je ferai, je le ferai, je m'en occupe, à prévoir, doit encore, faudra, il faudra,
            pense à, à rappeler, quelqu'un doit, il nous faut, il me faut, d'ici, d'ici vendredi, avant vendredi, avant
            lundi, appeler, rappeler, renouveler, rendre, envoyer avant, acheter, préparer, prendre rendez-vous, faut
            encore, reste encore, oublier de""",
        "pt": """tenho que, temos que, preciso, precisamos, falta, ainda falta, ainda tenho, ainda preciso, não esquecer, até
            sexta, até segunda, semana que vem, pendente, fica pendente, ficou faltando, devo, tô devendo, a fazer""",
        "it": """devo, dobbiamo, devo ancora, ancora da, manca, mancano, da fare, entro venerdì, entro lunedì, entro il, la
            prossima settimana, settimana prossima, resta da, in sospeso, bisogna, non dimenticare, mi tocca, rimane da""",
        "zh": """还没, 还要, 还得, 得去, 得在, 之前要, 之前得, 待办, 下周, 要去, 要交, 记得要, 需要在, 还欠,
            我得, 要把, 别忘""",
        "ja": """までに, しないと, やらないと, なきゃ, まだ, 来週, 予定, 残って, 締め切り, 締切, 提出, やること,
            忘れず, 必要がある, 未対応""",
    },
    Sign.DECISION: {
        "en": """we decided, i decided, decided, decision, we go for, we're going with, going with, go with, we'll use, we'll
            go, let's go, let's say, let's use, let's do, let's look, let's keep, let's take, let's stick, we're moving,
            moving off, we won't, i won't, stays, we stay, settled on, we chose, i chose, we picked, agreed, then we, so
            we, instead, i'd rather, is the default, we agreed, the plan is, final answer, i'll take, we'll take, we'll
            keep, no more, we're using, we will use, i've decided, we've decided, we'll stay, i'm going with, we'll do,
            we settled, the decision, ended up, let's not, we're keeping, i'm keeping, we're dropping, we dropped, we
            switched, we moved, sticking with, i'll go with, we go with, went with, we went, settled, i picked, keeping,
            we'll stick, chose""",
        "de": """wir haben beschlossen, haben entschieden, entschieden, beschlossen, wir nehmen, nehmen wir, machen wir, wir
            machen, so machen wir's, dann machen wir, bleiben wir bei, wir bleiben, bleibt, es bleibt bei, lieber, dann
            also, wir gehen, dann nehmen, wir setzen, einigen, geeinigt, wird künftig, ich nehme, dann nehm, wir
            verwenden, wir benutzen, ich bleibe, ich habe mich, wir haben uns, wird ersetzt, steigen um, umgestiegen,
            umgestellt, abgeschafft, wir lassen, dann doch, fest steht, steht fest, ausgemacht, abgemacht, wir wechseln,
            gewechselt""",
        "es": """hemos decidido, decidimos, decidido, decisión, vamos con, vamos a, nos quedamos con, me quedo con, quedamos
            en, al final, mejor, entonces, lo hacemos, elegimos, pues nada, usamos, usaremos, pasamos a, dejamos, hemos
            quedado, hemos elegido, he decidido, nos hemos, seguimos con, cambiamos a, hemos cambiado, lo dejamos,
            acordamos, hemos acordado, optamos, me decido, iremos con, se queda""",
        "fr": """on a décidé, nous avons décidé, décidé, décision, on part sur, on prend, on garde, on reste, je prends, on
            va, alors, finalement, on choisit, on passe à, c'est décidé, on utilise, plutôt, j'ai décidé, on a choisi,
            on s'est mis, on bascule, on abandonne, on laisse, on est passés, on change, on a changé, convenu, on
            continue, je garde, c'est acté, retenu, on opte""",
        "pt": """decidimos, decidi, vamos usar, vamos com, ficamos com, fechamos com, optamos, escolhemos, escolhi, a gente
            decidiu, resolvemos, combinamos, vamos ficar, no fim, definimos, ficou decidido, trocamos""",
        "it": """abbiamo deciso, ho deciso, deciso, scelto, abbiamo scelto, ho scelto, optato, alla fine, restiamo su,
            restiamo con, andiamo con, usiamo, passiamo a, teniamo, siamo passati, rinviato, stabilito, concordato""",
        "zh": "决定, 定了, 选了, 选择, 改用, 最后用, 就用, 换成, 敲定, 算了, 还是用, 改住, 统一用",
        "ja": """決め, にしました, することにし, になりました, ことになっ, 採用, 選び, 選ん, ままに, 切り替え,
            見送, やめました""",
    },
    Sign.PREFERENCE: {
        "en": """prefer, prefers, like, likes, dislike, dislikes, hate, hates, love, loves, enjoy, favourite, favorite, can't
            stand, i'd like to, i'd rather, would rather, works better, works best, works for me, i want to, want,
            wants, allergic, vegetarian, vegan, can't eat, don't eat, doesn't eat, avoids, would like, intolerant,
            diabetic, gluten, lactose, halal, kosher, coeliac, celiac, asthma, afraid of, fan of, not a fan, can't have,
            pregnant, bothers me, comfortable, i like, i love, i hate, i prefer, i go by, call me, rather have, i
            dislike, don't like, doesn't like, i only drink, i only eat, i don't drink, i don't eat""",
        "de": """mag, mögen, lieber, am liebsten, hasse, liebe, bevorzuge, lieblings, gerne, ungern, vegetarisch, vegetarier,
            vegetarierin, vegan, allergisch, verträgt, vertrage, esse, isst, ich will, wir wollen, möchten, laktose,
            diabetes, unverträglichkeit, intoleranz, diabetiker, diabetikerin, gluten, zöliakie, asthma, angst vor, kein
            fan, schwanger, mag ich, mag kein, liebsten, gefällt mir, gefällt, hasst, liebt, stört mich, veganer,
            veganerin, kann nicht leiden, finde ich, nicht so mein, nenn mich, nervt mich, steh auf""",
        "es": """prefiero, prefiere, me gusta, me gustan, no me gusta, odio, le gusta, me encanta, favorito, favorita, me
            funciona, alérgico, alérgica, vegetariano, vegetariana, vegano, vegana, celíaco, celíaca, no como, no come,
            quiero, queremos, intolerante, diabético, diabética, gluten, lactosa, asma, miedo a, embarazada, me molesta,
            no soporto, le encanta, me viene mejor, no me viene, llámame, me flipa, detesto, no aguanto, me va""",
        "fr": """préfère, préfères, préférons, j'aime, je n'aime pas, aime, n'aime pas, déteste, adore, favori, préféré,
            allergique, végétarien, végétarienne, ne mange pas, ne mangeons pas, ne veut pas, ne voulons pas, on veut,
            je veux, on ne veut, intolérant, intolérante, diabétique, gluten, lactose, asthme, peur de, enceinte,
            j'adore, ne supporte pas, me dérange, n'aime, aiment, préfèrent, me convient, préférerais, j'aime pas, je
            préfère, appelle-moi, j'aime bien, je supporte pas, horreur""",
        "pt": """prefiro, gosto de, não gosto, odeio, adoro, amo, curto, não curto, detesto, favorito, favorita, alérgico,
            alérgica, vegetariano, vegetariana, vegano, vegana, me chama, não suporto, não como, intolerante, celíaco""",
        "it": """preferisco, mi piace, mi piacciono, non mi piace, odio, adoro, amo, detesto, preferito, preferita,
            allergico, allergica, vegetariano, vegetariana, vegano, vegana, non sopporto, chiamami, non mangio,
            intollerante, celiaco, celiaca""",
        "zh": "喜欢, 不喜欢, 讨厌, 爱吃, 不吃, 过敏, 吃素, 宁愿, 更喜欢, 偏好, 受不了, 习惯, 最好, 叫我, 不喝, 爱喝",
        "ja": """好き, 嫌い, 苦手, アレルギー, 好み, と呼んで, 食べられない, 食べません, 飲みません, 方がいい,
            ほうがいい, ベジタリアン, 好む""",
    },
}
