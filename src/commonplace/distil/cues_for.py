"""Words that speak for keeping a sentence, by language."""

from commonplace.distil.signs import Cues, Sign

CUES_FOR: Cues = {
    Sign.RULE: {
        "en": """always, never, from now on, everywhere, every time, in future, in the future, by default, no longer, at
            all, under no circumstances, nothing gets, without exception, for any, whenever, any time, each time,
            going forward, as a rule, no exceptions, only ever, anywhere, make sure, instead of, prefer, we use, we
            keep, avoid, stick to""",
        "de": """immer, nie, niemals, ab jetzt, ab sofort, künftig, in zukunft, grundsätzlich, überall, auf keinen fall,
            jedes mal, generell, standardmäßig, nur noch, jede, jeder, jedes, so halten wir, vermeide, statt, bei
            uns""",
        "es": """siempre, nunca, jamás, a partir de ahora, de ahora en adelante, en todas partes, cada vez, por defecto,
            bajo ningún concepto, en adelante, sin excepción, evita, en lugar de, solo""",
        "fr": """toujours, jamais, désormais, dorénavant, à partir de maintenant, partout, chaque fois, par défaut, en
            aucun cas, à l'avenir, sans exception, systématiquement, jamais de, évite, au lieu de""",
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
            permitted""",
        "de": """muss, müssen, darf nicht, dürfen nicht, darf nie, darf kein, darf nur, verpflichtend, soll, sollen,
            vorgeschrieben""",
        "es": "debe, deben, no se puede, no puede, no pueden, obligatorio, está prohibido, tiene que ser",
        "fr": "doit, doivent, ne doit pas, ne peut pas, ne peuvent pas, obligatoire, est interdit",
    },
    Sign.ADDRESS: {
        "en": """please, don't, do not, show me, give me, tell me, answer me, call me, ask me, remind me, i don't want, i
            want you to, i'd like you to, when you, if you, you can, yourself, keep it, use only, only use, only
            suggest, write in, answer in, reply in, don't ever, you should, i want, no need to""",
        "de": """bitte, mach mir, schreib, schreibe, antworte, gib mir, zeig mir, sag mir, nenn mich, frag mich, erinnere
            mich, wenn du, falls du, ich will nicht, ich möchte nicht, ich möchte, duz, duze, sieze, verwende,
            benutze, nimm, lass, fass, halte dich""",
        "es": """por favor, no me, explícame, explíqueme, respóndeme, responde, contéstame, contesta, dame, dime, ponme,
            llámame, escríbeme, escribe, usa, pregúntame, recuérdame, cuando me, no uses, no pongas, no quiero que,
            quiero que, trátame, tutéame, hazme, avísame, no toques, no hagas""",
        "fr": """s'il te plaît, s'il vous plaît, stp, svp, réponds, réponds-moi, ne me, ne propose, ne touche, n'utilise,
            utilise, explique-moi, dis-moi, donne-moi, montre-moi, tutoie, tutoyer, vouvoie, appelle-moi, évite de,
            quand tu, si tu, fais-moi, écris, ne fais, ne mets, ne change, merci de, je veux que, je ne veux pas""",
    },
    Sign.TASK: {
        "en": """need to, needs to, have to, has to, must still, someone has to, someone must, somebody, remember to,
            remind me to, don't forget, to do, todo, still open, still missing, still need, still have to, left to
            do, remains to, should be done, i'll ask, i'll call, i'll send, i'll do, i must, we must, we should,
            before the, by the end of, next week, this week, follow up, on my list, has yet to, haven't yet, not yet
            done, i should, action item, outstanding, we still, i'll have to, we'll have to, remind, needs doing,
            must be""",
        "de": """ich muss, muss noch, müssen noch, wir müssen, es fehlt noch, fehlt noch, fehlen noch, noch zu, steht
            noch aus, offen ist noch, noch offen, nicht vergessen, daran denken, ich sollte noch, wir sollten noch,
            bis ende, nächste woche, diese woche, mache ich, kümmere mich, erledigen, einholen, anfragen, bestellen,
            beantragen, besorgen, erfragen, nachfragen, anrufen, buchen, kündigen, ausfüllen, bleibt noch, zu tun,
            brauche noch, sollte noch""",
        "es": """tengo que, tenemos que, hay que, me falta, nos falta, falta, faltan, queda pendiente, pendiente, quedan,
            queda por, acordarme de, no olvidar, recordar, debo, debería llamar, antes del, antes de que, esta
            semana, la semana que viene, la próxima semana, por hacer, habría que, he de, alguien tiene que,
            necesito""",
        "fr": """il faut, il faut que, faut que, il reste à, reste à, restent à, penser à, ne pas oublier, n'oublie pas,
            je dois, on doit, nous devons, à faire, il manque, manque encore, avant le, avant la, avant de, cette
            semaine, la semaine prochaine, je ferai, je le ferai, je m'en occupe, à prévoir, doit encore, faudra, il
            faudra, pense à, à rappeler""",
    },
    Sign.DATE: {
        "en": """january, february, march, april, june, july, august, september, october, november, december, jan, feb,
            aug, sept, oct, nov, dec, monday, tuesday, wednesday, thursday, friday, saturday, sunday, mondays,
            tuesdays, wednesdays, thursdays, fridays, saturdays, sundays, deadline, due, tomorrow, next month, next
            year, last year, spring, summer, autumn, winter, easter, christmas, weekend, utc, o'clock""",
        "de": """januar, februar, märz, mai, juni, juli, oktober, dezember, montag, dienstag, mittwoch, donnerstag,
            freitag, samstag, sonntag, montags, dienstags, mittwochs, donnerstags, freitags, samstags, sonntags,
            uhr, termin, frist, nächsten monat, nächstes jahr, letztes jahr, sommer, frühling, herbst, übermorgen,
            ostern, weihnachten""",
        "es": """enero, febrero, marzo, abril, mayo, junio, julio, agosto, septiembre, octubre, noviembre, diciembre,
            lunes, martes, miércoles, jueves, viernes, sábado, sábados, domingo, domingos, mañana, plazo, el año que
            viene, el mes que viene, verano, otoño, invierno, primavera, navidad""",
        "fr": """janvier, février, mars, avril, juin, juillet, août, septembre, octobre, novembre, décembre, lundi,
            mardi, mercredi, jeudi, vendredi, samedi, dimanche, lundis, mardis, jeudis, vendredis, samedis,
            dimanches, demain, échéance, l'an prochain, le mois prochain, été prochain, printemps, automne, hiver,
            pâques, noël""",
    },
    Sign.REASON: {
        "en": """because, so that, since, otherwise, due to, that's why, therefore, as the, on account of, the reason""",
        "de": "weil, damit, sonst, denn, wegen, deswegen, deshalb, daher, andernfalls, da der, da die, da das",
        "es": "porque, para que, ya que, así que, por eso, si no, puesto que, debido a, o si no, que luego",
        "fr": """parce que, parce qu'il, parce qu'on, car, pour que, sinon, puisque, c'est pourquoi, à cause, du coup, vu
            que""",
    },
    Sign.CAUSE: {
        "en": """came from, come from, comes from, caused by, was caused, were caused, the cause, root cause, turned out,
            the culprit, which made, which took, brought the, reduced, fixed it, instead of being, explained by,
            results from, stems from, stemmed from, led to, due to, boiled down to, the reason was, the problem was,
            the issue was, was failing because""",
        "de": """entsteht, entstand, entstanden, lag an, liegt daran, lag daran, kam von, kommt von, kamen von, die
            ursache, ursache, verursacht, ausgelöst, schuld war, grund war, stellte sich heraus, rührt""",
        "es": """venía de, venían de, venía del, venían del, viene de, se debía, se debían, se debe a, la causa, causado
            por, causaba, culpa de, resultó, el motivo, provocaba, provocado por, el problema era""",
        "fr": """venait de, venait du, venaient de, viennent de, viennent du, vient de la, vient du, la cause, causé par,
            causée par, provoqué, provoquait, dû à, due à, à l'origine, s'explique, empêchait, le problème était""",
    },
    Sign.DECISION: {
        "en": """we decided, i decided, decided, decision, we go for, we're going with, going with, go with, we'll use,
            we'll go, let's go, let's say, let's use, let's do, let's look, let's keep, let's take, let's stick,
            we're moving, moving off, we won't, i won't, stays, we stay, settled on, we chose, i chose, we picked,
            agreed, then we, so we, instead, i'd rather, is the default, we agreed, the plan is, final answer, i'll
            take, we'll take, we'll keep, no more""",
        "de": """wir haben beschlossen, haben entschieden, entschieden, beschlossen, wir nehmen, nehmen wir, machen wir,
            wir machen, so machen wir's, dann machen wir, bleiben wir bei, wir bleiben, bleibt, es bleibt bei,
            lieber, dann also, wir gehen, dann nehmen, wir setzen, einigen, geeinigt, wird künftig, ich nehme, dann
            nehm""",
        "es": """hemos decidido, decidimos, decidido, decisión, vamos con, vamos a, nos quedamos con, me quedo con,
            quedamos en, al final, mejor, entonces, lo hacemos, elegimos, pues nada, usamos, usaremos, pasamos a,
            dejamos""",
        "fr": """on a décidé, nous avons décidé, décidé, décision, on part sur, on prend, on garde, on reste, je prends,
            on va, alors, finalement, on choisit, on passe à, c'est décidé, on utilise, plutôt""",
    },
    Sign.PREFERENCE: {
        "en": """prefer, prefers, like, likes, dislike, dislikes, hate, hates, love, loves, enjoy, favourite, favorite,
            can't stand, i'd like to, i'd rather, would rather, works better, works best, works for me, i want to,
            want, wants, allergic, vegetarian, vegan, can't eat, don't eat, doesn't eat, avoids, would like""",
        "de": """mag, mögen, lieber, am liebsten, hasse, liebe, bevorzuge, lieblings, gerne, ungern, vegetarisch,
            vegetarier, vegetarierin, vegan, allergisch, verträgt, vertrage, esse, isst, ich will, wir wollen,
            möchten, laktose, diabetes""",
        "es": """prefiero, prefiere, me gusta, me gustan, no me gusta, odio, le gusta, me encanta, favorito, favorita, me
            funciona, alérgico, alérgica, vegetariano, vegetariana, vegano, vegana, celíaco, celíaca, no como, no
            come, quiero, queremos""",
        "fr": """préfère, préfères, préférons, j'aime, je n'aime pas, aime, n'aime pas, déteste, adore, favori, préféré,
            allergique, végétarien, végétarienne, ne mange pas, ne mangeons pas, ne veut pas, ne voulons pas, on
            veut, je veux, on ne veut""",
    },
    Sign.PERSONAL: {
        "en": """my, our, i'm, i am, i've, i have, we have, we've, i work, i live, we live, i get, i read, i do, i study,
            husband, wife, daughter, son, mother, father, brother, sister, dog, cat, kids, children, boss,
            supervisor, editor, team, colleague, neighbour, partner, customer, customers, client, we're, i'm in, us,
            mine, ours""",
        "de": """mein, meine, meinem, meinen, meiner, unser, unsere, unserem, unseren, unserer, ich bin, wir sind, ich
            habe, wir haben, ich hatte, ich arbeite, ich wohne, ich baue, uns, frau, mann, tochter, sohn, mutter,
            vater, bruder, schwester, hund, katze, kinder, chef, chefin, kollege, kollegin, team, kunde, kunden,
            verein, ich schlafe, ich darf, wir wohnen""",
        "es": """mi, mis, nuestro, nuestra, nuestros, nuestras, tengo, tenemos, trabajo, trabajamos, vivo, vivimos, soy,
            somos, estoy, mujer, marido, hija, hijo, madre, padre, hermano, hermana, perro, gato, niños, jefe, jefa,
            equipo, compañero, compañera, cliente, clientes, empleada, empleado, llevo, puedo, podemos""",
        "fr": """mon, ma, mes, notre, nos, j'ai, nous avons, on a, je suis, nous sommes, on est, on sera, je travaille,
            j'habite, femme, mari, fille, fils, mère, père, frère, sœur, chien, chat, enfants, chef, équipe,
            collègue, client, clients, je vis, famille, chez nous""",
    },
    Sign.BOUND: {
        "en": """at most, at least, up to, under, maximum, minimum, max, limit, cap, caps, capped, only, budget, until,
            frozen, reserved, not compatible, no access, except, all in, per, between, restricted, without,
            mandatory, compliance, comply, not more than, no more than""",
        "de": """höchstens, mindestens, maximal, nur, budget, bis zum, ohne, begrenzt, gesperrt, zwischen, pflicht,
            vorgeschrieben, reserviert, limit, nicht mehr als, außer, eingefroren, pro""",
        "es": """como máximo, máximo, mínimo, al menos, hasta, solo, sólo, presupuesto, sin, limitado, obligatorio,
            reservado, entre, no podemos, no más de, salvo, límite, cuesta""",
        "fr": """au maximum, maximum, minimum, au moins, jusqu'à, seulement, budget, sans, limité, obligatoire, réservé,
            entre, pas plus de, ne peut pas, sauf, dépasser, limite, uniquement""",
    },
    Sign.SETTING: {
        "en": """project, repo, repository, stack, setting, context, service, pipeline, codebase, monorepo, topic, theme,
            subject, background, thesis, the app""",
        "de": """projekt, repo, repository, dienst, anwendung, website, webseite, thema, hintergrund, kontext, aufbau""",
        "es": "proyecto, repositorio, servicio, aplicación, tema, contexto",
        "fr": "projet, dépôt, service, application, sujet, contexte, pipeline",
    },
    Sign.STATE: {
        "en": """belongs to, belong to, owns, leads, name is, is called, are called, named, is named, stands for, means,
            is set to, are set to, runs on, runs in, run on, is based, uses, supports, requires, connects to,
            connects via, is at, is in, lives in, is located, responsible for, in charge of, managed by, maintained
            by, owned by, reports to, works at, works for, works as, consists of, is stored, are stored, is kept,
            are kept, comes with, depends on, expects, handles, reviews, is written in, are written, has a, have a,
            has the, costs, takes care""",
        "de": """gehört, gehören, heißt, heißen, zuständig, verantwortlich, leitet, betreut, läuft auf, läuft unter,
            laufen auf, laufen unter, liegt bei, liegen bei, liegt auf, liegt in, liegt im, liegen in, bedeutet,
            steht für, basiert, nutzt, nutzen, verwendet, verwenden, braucht, brauchen, wohnt, wohnen, arbeitet,
            kostet, besteht aus, kommt aus, kommen aus, unterstützt, ist bei, hat einen, hat eine, hat nur, haben
            einen, haben eine, erwartet, kümmert sich""",
        "es": """pertenece, pertenecen, se llama, se llaman, significa, responsable de, encargada, encargado, se encarga,
            lleva el, lleva la, usa, usan, usamos, funciona con, corre en, corre sobre, está en, están en, vive en,
            trabaja en, trabaja como, depende de, cuesta, consta de, necesita, soporta, tiene un, tiene una, tienen,
            la lleva, lo lleva, se guarda, se guardan""",
        "fr": """appartient, appartiennent, s'appelle, s'appellent, signifie, veut dire, responsable de, s'occupe, gère,
            gèrent, tourne sur, tourne sous, tournent sur, tournent sous, est chez, sont chez, est dans, sont dans,
            utilise, utilisent, habite, travaille, dépend de, coûte, comprend, nécessite, est hébergé, sont stockés,
            est stocké, a un, a une, ont un, se trouve""",
    },
}
