"""What words tell about a sentence: a table of cues for each language, and the one pass that looks them up.

A cue is a word or a phrase. All languages are looked up at once: people mix them, and a word
that means something else in another language is left out of the table instead.
"""

import re
from enum import StrEnum
from functools import cache

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


class Sign(StrEnum):
    """What can be told about a sentence, and what it is a sign of. Those with a row in `TABLE` are told by words."""

    RULE = "a standing rule"
    NEED = "something that must be"
    ADDRESS = "said to the assistant"
    TASK = "something to be done later"
    DATE = "a date"
    REASON = "a reason"
    CAUSE = "what something came from"
    DECISION = "a decision"
    PREFERENCE = "a liking"
    PERSONAL = "about the speaker or their people"
    BOUND = "a limit"
    SINCE = "a change that lasts"
    SETTING = "what the work is about"
    STATE = "how something is arranged"
    NUMBER = "a number"
    NAME = "a name"
    LONG = "a full sentence"
    ACKNOWLEDGED = "the assistant took note"
    LISTED = "a box to tick"

    CHATTER = "chatter"
    HEDGE = "a guess"
    HYPOTHESIS = "a hypothesis"
    REQUEST = "a request of the moment"
    PROGRESS = "progress of the session"
    MOMENT = "only true now"
    TROUBLE = "a problem under discussion"
    REPORTED = "somebody else's words"
    TAKEN_BACK = "taken back"
    RETRACTED = "not to be kept"
    LEANING = "about what was just said"
    OPENING = "the first turn, which says what is wanted now"
    TRAILING = "an unfinished sentence"
    SHORT = "few words"
    SHORTER = "fewer words"
    SHORTEST = "hardly a word"


TABLE: dict[Sign, tuple[str, ...]] = {
    Sign.RULE: (
        """always, never, from now on, everywhere, every time, in future, in the future, by default, no longer, at all, under no circumstances, nothing gets, without exception, for any, whenever, any time, each time, going forward, as a rule, no exceptions, only ever, not allowed,
        anywhere, make sure, instead of, prefer, we use, we keep, avoid, stick to, no""",
        """immer, nie, niemals, ab jetzt, ab sofort, künftig, in zukunft, grundsätzlich, überall, auf keinen fall, jedes
        mal, generell, standardmäßig, nur noch, keine, keinen, kein,
        jede, jeder, jedes, so halten wir, vermeide, statt, nichts, bei uns""",
        """siempre, nunca, jamás, a partir de ahora, de ahora en adelante, en todas partes, cada vez, por defecto, bajo ningún concepto, en adelante, sin excepción, nada de, evita, en lugar de, solo,
        ningún, ninguna""",
        """toujours, jamais, désormais, dorénavant, à partir de maintenant, partout, chaque fois, par défaut, en aucun cas, à l'avenir, sans exception, systématiquement, jamais de, évite, au lieu de,
        rien, aucun, aucune, pas de, plus de""",
    ),
    Sign.NEED: (
        """must, must not, mustn't, needs a, need a, has to be, have to be, may not, not allowed, is required, are required, we
        have to, can't be, cannot be, should be, is mandatory, is forbidden, not permitted""",
        """muss, müssen, darf nicht, dürfen nicht, darf nie, darf kein, darf nur, verpflichtend, soll, sollen, vorgeschrieben""",
        """debe, deben, no se puede, no puede, no pueden, obligatorio, está prohibido, tiene que ser""",
        """doit, doivent, ne doit pas, ne peut pas, ne peuvent pas, obligatoire, est interdit""",
    ),
    Sign.ADDRESS: (
        """please, don't, do not, show me, give me, tell me, answer me, call me, ask me, remind me, i don't want, i want
        you to, i'd like you to, when you, if you, you can, yourself, keep it, use only, only use, only suggest, write
        in, answer in, reply in, don't ever, you should, i want, no need to""",
        """bitte, mach mir, schreib, schreibe, antworte, gib mir, zeig mir, sag mir, nenn mich, frag mich, erinnere mich,
        wenn du, falls du, ich will nicht, ich möchte nicht, ich möchte, duz, duze, sieze, verwende, benutze, nimm, lass,
        fass, halte dich""",
        """por favor, no me, explícame, explíqueme, respóndeme, responde, contéstame, contesta, dame, dime, ponme, llámame,
        escríbeme, escribe, usa, pregúntame, recuérdame, cuando me, no uses, no pongas, no quiero que, quiero que, trátame,
        tutéame, hazme, avísame, no toques, no hagas""",
        """s'il te plaît, s'il vous plaît, stp, svp, réponds, réponds-moi, ne me, ne propose, ne touche, n'utilise, utilise,
        explique-moi, dis-moi, donne-moi, montre-moi, tutoie, tutoyer, vouvoie, appelle-moi, évite de, quand tu, si tu,
        fais-moi, écris, ne fais, ne mets, ne change, merci de, je veux que, je ne veux pas""",
    ),
    Sign.TASK: (
        """need to, needs to, have to, has to, must still, someone has to, someone must, somebody, remember to, remind me to,
        don't forget, to do, todo, still open, still missing, still need, still have to, what's left, left to do, remains to,
        should be made, should be done, i'll ask, i'll call, i'll send, i'll do, i'll book, i must, we must, we should, before
        the, by the end of, next week, this week, follow up, on my list, has yet to, haven't yet, not yet done, i should, action item,
        outstanding, we still, i'll have to, we'll have to, remind, needs doing, must be""",
        """ich muss, muss noch, müssen noch, wir müssen, es fehlt noch, fehlt noch, fehlen noch, noch zu, steht noch aus,
        offen ist noch, noch offen, nicht vergessen, daran denken, ich sollte noch, wir sollten noch, bis ende, nächste
        woche, diese woche, mache ich, kümmere mich, erledigen, einholen, anfragen, bestellen, beantragen, besorgen,
        erfragen, nachfragen, anrufen, buchen, kündigen, ausfüllen, bleibt noch, zu tun, brauche noch, sollte noch""",
        """tengo que, tenemos que, hay que, me falta, nos falta, falta, faltan, queda pendiente, pendiente, quedan, queda por,
        acordarme de, no olvidar, recordar, debo, debería llamar, antes del, antes de que, esta semana, la semana que viene, la
        próxima semana, por hacer, habría que, he de, alguien tiene que, necesito""",
        """il faut, il faut que, faut que, il reste à, reste à, restent à, penser à, ne pas oublier, n'oublie pas, je dois,
        on doit, nous devons, à faire, il manque, manque encore, avant le, avant la, avant de, cette semaine, la semaine
        prochaine, je ferai, je le ferai, je m'en occupe, à prévoir, doit encore, faudra, il faudra, pense à, à rappeler""",
    ),
    Sign.DATE: (
        """january, february, march, april, june, july, august, september, october, november, december, jan, feb,
        aug, sept, oct, nov, dec, monday, tuesday, wednesday, thursday, friday, saturday, sunday, mondays, tuesdays,
        wednesdays, thursdays, fridays, saturdays, sundays, deadline, due, tomorrow, next month, next year, last year, spring,
        summer, autumn, winter, easter, christmas, weekend, utc, o'clock""",
        """januar, februar, märz, mai, juni, juli, oktober, dezember, montag, dienstag, mittwoch, donnerstag, freitag,
        samstag, sonntag, montags, dienstags, mittwochs, donnerstags, freitags, samstags, sonntags, uhr, termin, frist,
        nächsten monat, nächstes jahr, letztes jahr, sommer, frühling, herbst, übermorgen, ostern, weihnachten""",
        """enero, febrero, marzo, abril, mayo, junio, julio, agosto, septiembre, octubre, noviembre, diciembre, lunes, martes,
        miércoles, jueves, viernes, sábado, sábados, domingo, domingos, mañana, plazo, el año que viene, el mes que viene,
        verano, otoño, invierno, primavera, navidad""",
        """janvier, février, mars, avril, juin, juillet, août, septembre, octobre, novembre, décembre, lundi, mardi, mercredi,
        jeudi, vendredi, samedi, dimanche, lundis, mardis, jeudis, vendredis, samedis, dimanches, demain, échéance, l'an
        prochain, le mois prochain, été prochain, printemps, automne, hiver, pâques, noël""",
    ),
    Sign.REASON: (
        """because, so that, since, otherwise, due to, that's why, therefore, as the, on account of, the reason""",
        """weil, damit, sonst, denn, wegen, deswegen, deshalb, daher, andernfalls, da der, da die, da das""",
        """porque, para que, ya que, así que, por eso, si no, puesto que, debido a, o si no, que luego""",
        """parce que, parce qu'il, parce qu'on, car, pour que, sinon, puisque, c'est pourquoi, à cause, du coup, vu que""",
    ),
    Sign.CAUSE: (
        """came from, come from, comes from, caused by, was caused, were caused, the cause, root cause, turned out, the culprit,
        which made, which took, brought the, reduced, fixed it, instead of being, explained by, results from, stems from,
        stemmed from, led to, due to, boiled down to, the reason was, the problem was, the issue was, was failing because""",
        """entsteht, entstand, entstanden, lag an, liegt daran, lag daran, kam von, kommt von, kamen von, die ursache, ursache,
        verursacht, ausgelöst, schuld war, grund war, stellte sich heraus, rührt""",
        """venía de, venían de, venía del, venían del, viene de, se debía, se debían, se debe a, la causa, causado por, causaba,
        culpa de, resultó, el motivo, provocaba, provocado por, el problema era""",
        """venait de, venait du, venaient de, viennent de, viennent du, vient de la, vient du, la cause, causé par, causée par,
        provoqué, provoquait, dû à, due à, à l'origine, s'explique, empêchait, le problème était""",
    ),
    Sign.DECISION: (
        """we decided, i decided, decided, decision, we go for, we're going with, going with, go with, we'll use, we'll go,
        let's go, let's say, let's use, let's do, let's look, let's keep, let's take, let's stick, we're moving, moving off, we
        won't, i won't, stays, i stay, we stay, settled on, we chose, i chose, we picked, agreed, then we, so we, instead, i'd rather,
        i would skip, is the default, we agreed, the plan is, final answer, i'll take, we'll take, we'll keep, no more""",
        """wir haben beschlossen, haben entschieden, entschieden, beschlossen, wir nehmen, nehmen wir, machen wir, wir machen,
        so machen wir's, dann machen wir, bleiben wir bei, wir bleiben, bleibt, es bleibt bei, lieber, dann also, wir
        gehen, dann nehmen, wir setzen, einigen, geeinigt, wird künftig, ich nehme, dann nehm""",
        """hemos decidido, decidimos, decidido, decisión, vamos con, vamos a, nos quedamos con, me quedo con, quedamos en,
        al final, mejor, entonces, lo hacemos, elegimos, pues nada, usamos, usaremos, pasamos a, dejamos""",
        """on a décidé, nous avons décidé, décidé, décision, on part sur, on prend, on garde, on reste, je prends, on va, alors,
        finalement, on choisit, on passe à, on met, c'est décidé, on affiche, on utilise, on arrête, plutôt""",
    ),
    Sign.PREFERENCE: (
        """prefer, prefers, like, likes, dislike, dislikes, hate, hates, love, loves, enjoy, favourite, favorite, can't stand,
        i'd like to, i'd rather, would rather, works better, works best, works for me, i want to, want, wants, allergic,
        vegetarian, vegan, can't eat, don't eat, doesn't eat, avoids, would like""",
        """mag, mögen, lieber, am liebsten, hasse, liebe, bevorzuge, lieblings, gerne, ungern, vegetarisch, vegetarier,
        vegetarierin, vegan, allergisch, verträgt, vertrage, esse, isst, schwindelfrei, ich will, wir wollen, möchten, laktose, diabetes""",
        """prefiero, prefiere, me gusta, me gustan, no me gusta, odio, le gusta, me encanta, favorito, favorita, me funciona,
        alérgico, alérgica, vegetariano, vegetariana, vegano, vegana, celíaco, celíaca, no como, no come, quiero, queremos""",
        """préfère, préfères, préférons, j'aime, je n'aime pas, aime, n'aime pas, déteste, adore, favori, préféré, allergique,
        végétarien, végétarienne, ne mange pas, ne mangeons pas, ne veut pas, ne voulons pas, on veut, je veux, on ne veut""",
    ),
    Sign.PERSONAL: (
        """my, our, i'm, i am, i've, i have, we have, we've, i work, i live, we live, i get, i read, i do, i study, we cook,
        husband, wife, daughter, son, mother, father, brother, sister, dog, cat, kids, children, boss, supervisor, editor, team,
        colleague, neighbour, partner, customer, customers, client, neither of us, we're, i'm in, us, mine, ours""",
        """mein, meine, meinem, meinen, meiner, unser, unsere, unserem, unseren, unserer, ich bin, wir sind, ich habe, wir haben,
        ich hatte, ich arbeite, ich wohne, ich baue, uns, frau, mann, tochter, sohn, mutter, vater, bruder, schwester, hund,
        katze, kinder, chef, chefin, kollege, kollegin, team, kunde, kunden, verein, ich schlafe, ich darf, wir wohnen""",
        """mi, mis, nuestro, nuestra, nuestros, nuestras, tengo, tenemos, trabajo, trabajamos, vivo, vivimos, soy, somos, estoy,
        mujer, marido, hija, hijo, madre, padre, hermano, hermana, perro, gato, niños, jefe, jefa, equipo, compañero,
        compañera, cliente, clientes, empleada, empleado, llevo, puedo, podemos, se me da""",
        """mon, ma, mes, notre, nos, j'ai, nous avons, on a, je suis, nous sommes, on est, on sera, je travaille, j'habite, femme,
        mari, fille, fils, mère, père, frère, sœur, chien, chat, enfants, chef, équipe, collègue, client, clients, je vis,
        famille, chez nous""",
    ),
    Sign.BOUND: (
        """at most, at least, up to, under, maximum, minimum, max, limit, cap, caps, capped, only, budget, until, frozen,
        reserved, not compatible, no access, load-bearing, except, all in, per, between, allowlisted, restricted, without,
        mandatory, compliance, comply, not more than, no more than""",
        """höchstens, mindestens, maximal, nur, budget, bis zum, ohne, begrenzt, gesperrt, zwischen, pflicht, vorgeschrieben,
        reserviert, limit, nicht mehr als, außer, eingefroren, pro""",
        """como máximo, máximo, mínimo, al menos, hasta, solo, sólo, presupuesto, sin, limitado, obligatorio, reservado,
        entre, no podemos, no más de, salvo, límite, cuesta""",
        """au maximum, maximum, minimum, au moins, jusqu'à, seulement, budget, sans, limité, obligatoire, réservé, entre,
        pas plus de, ne peut pas, sauf, dépasser, limite, uniquement, par tête""",
    ),
    Sign.SINCE: (
        """since, now on, until, as of, any more, anymore, already, from then on, switched, will be switched, turned off,
        cancelled, migrated, retired, replaced, deprecated, dead code, moved to, renamed, dropped, no longer""",
        """seit, ab, inzwischen, mittlerweile, abgeschaltet, umgestellt, gewechselt, abgelöst, ersetzt, eingestellt, nicht
        mehr, früher, bisher""",
        """desde, ya no, a partir, cambiamos, cambió, migramos, sustituido, reemplazado, retirado, actualmente, de momento""",
        """depuis, ne plus, c'est fini, remplacé, remplacée, migré, migrée, changé, arrêté, abandonné, n'est plus, on est passés""",
    ),
    Sign.SETTING: (
        """project, repo, repository, stack, setting, context, service, pipeline, codebase, monorepo, topic, theme, subject,
        background, thesis, the app, the site""",
        """projekt, repo, repository, dienst, anwendung, website, webseite, thema, hintergrund, kontext, aufbau""",
        """proyecto, repositorio, servicio, aplicación, tema, contexto""",
        """projet, dépôt, service, application, sujet, contexte, pipeline""",
    ),
    Sign.STATE: (
        """belongs to, belong to, owns, leads, name is, is called, are called, named, is named, stands for, means, is set to, are
        set to, runs on, runs in, run on, is based, uses, supports, requires, connects to, connects via, is at, is in, lives in,
        is located, responsible for, in charge of, managed by, maintained by, owned by, reports to, works at, works for, works
        as, consists of, is stored, are stored, is kept, are kept, comes with, depends on, expects, handles, reviews, is
        written in, are written, has a, have a, has the, costs, takes care""",
        """gehört, gehören, heißt, heißen, zuständig, verantwortlich, leitet, betreut, läuft auf, läuft unter, laufen auf, laufen
        unter, liegt bei, liegen bei, liegt auf, liegt in, liegt im, liegen in, bedeutet, steht für, basiert, nutzt, nutzen,
        verwendet, verwenden, braucht, brauchen, wohnt, wohnen, arbeitet, kostet, besteht aus, kommt aus, kommen aus,
        unterstützt, ist bei, hat einen, hat eine, hat nur, haben einen, haben eine, erwartet, kümmert sich""",
        """pertenece, pertenecen, se llama, se llaman, significa, responsable de, encargada, encargado, se encarga, lleva el, lleva
        la, usa, usan, usamos, funciona con, corre en, corre sobre, está en, están en, vive en, trabaja en, trabaja como, depende
        de, cuesta, consta de, necesita, soporta, tiene un, tiene una, tienen, la lleva, lo lleva, se guarda, se guardan""",
        """appartient, appartiennent, s'appelle, s'appellent, signifie, veut dire, responsable de, s'occupe, gère, gèrent, tourne
        sur, tourne sous, tournent sur, tournent sous, est chez, sont chez, est dans, sont dans, utilise, utilisent, habite,
        travaille, dépend de, coûte, comprend, nécessite, est hébergé, sont stockés, est stocké, a un, a une, ont un, se trouve""",
    ),
    Sign.CHATTER: (
        """thanks, thank you, thx, great, nice, cool, awesome, perfect, lovely, lol, haha, ha, wow, oops, ugh, phew, hi, hello,
        hey, bye, good morning, morning, good night, good evening, ok, okay, sure, yes, yeah, yep, nope, right, exactly,
        correct, excellent, amazing, wonderful, fair enough, got it, sounds good, looks good, good catch, never mind, sorry,
        congrats, genius, truly, ignore me, you're welcome, no problem, agreed, makes sense, good luck, cheers, well done,
        interesting, hm, hmm, oh, ah, fine, good, noted, understood, of course, will do, happy to, glad""",
        """danke, super, toll, klasse, wunderbar, prima, perfekt, hallo, moin, servus, tschüss, bis später, ja, nein, ok, okay,
        genau, klar, alles klar, gut, sehr gut, stimmt, mist, egal, uff, ach, ach so, verstanden, gern, gerne geschehen, na ja,
        großes kino, klingt gut, passt, guten morgen, guten tag, clever, hm""",
        """gracias, genial, perfecto, vale, venga, hola, buenas, buenos días, adiós, hasta luego, sí, exacto, claro, de acuerdo,
        muy bien, estupendo, uf, menos mal, madre mía, qué bien, entendido, por supuesto, eso, bueno, ja, jaja, ok, ni hablar""",
        """merci, super, parfait, top, nickel, salut, bonjour, coucou, bonsoir, à plus, au revoir, oui, non, d'accord, ok, bien
        vu, exactement, voilà, génial, très bien, bravo, promis, mince, félicitations, entendu, noté, c'est noté, bof, tiens,
        pas de problème, bonne idée, hello""",
    ),
    Sign.HEDGE: (
        """maybe, perhaps, probably, i think, i guess, i believe, i suppose, might, not sure, idk, no idea, i don't know, seems,
        apparently, possibly, roughly, i wonder, looks like, somehow, kind of, likely, as far as i know, should be fine""",
        """vielleicht, wahrscheinlich, vermutlich, ich glaube, glaube ich, ich denke, denke ich, eventuell, keine ahnung, weiß
        nicht, weiß ich nicht, wohl, möglicherweise, anscheinend, irgendwie, scheint, müsste""",
        """quizá, quizás, tal vez, a lo mejor, creo que, creo, supongo, no sé, puede que, parece, probablemente, igual, ni idea,
        seguramente""",
        """peut-être, peut être, je crois, je pense, sans doute, probablement, je sais pas, je ne sais pas, aucune idée, on dirait,
        semble, on verra, on hésite, j'imagine, à peu près""",
    ),
    Sign.HYPOTHESIS: (
        """if we had, if i had, what if, would be, would have, could have, could, would, someday, some day, one day, i wish, in
        theory, were to, if only, just thinking, thinking aloud, was just curious, suppose, imagine, could do, a dream, i was
        thinking, hypothetically, we could""",
        """könnte, könnten, wäre, wären, hätte, hätten, würde, würden, irgendwann, theoretisch, was wäre, angenommen, käme,
        gäbe, müsste man, man könnte, nur so ein gedanke, eigentlich wollten""",
        """podría, podríamos, sería, habría, tendría, si tuviera, si tuviéramos, ojalá, algún día, en teoría, y si, debería,
        haría, imagina, si fuera""",
        """pourrait, pourrions, serait, aurait, faudrait, si on avait, si j'avais, un jour, en théorie, et si, voudrait, on
        pourrait, j'aurais, imaginons, devrait, devait, pensait""",
    ),
    Sign.REQUEST: (
        """can you, could you, would you, go ahead, do it, push it, merge it, start it, start with, let me know, help me, have
        a look, take a look, have a go, draft me, for now, next, go back, try again, look at, i want to look, i'd like you,
        put a, add a, add that, write that, commit, open the, do both, fix all, run the, just make, first give, show, check, fix,
        run, start, push, merge, rename, update, explain, add, move, remove, put, make, write, draft, create, try, change""",
        """kannst du, könntest du, mach, mach das, schau, schau mal, leg, zeig, prüf, such, hilf, bau, füg, ändere, starte,
        schick, erklär, probier, mach weiter, jetzt zum""",
        """puedes, podrías, hazlo, adelante, pásalo, mira, revisa, ayúdame, ayudas, borra, añade, cambia, prueba, llámala,
        busca, haz, sácalo, ponlo, me haces""",
        """peux-tu, tu peux, pourrais-tu, vas-y, fais ça, fais, regarde, aide-moi, ajoute, corrige, lance, montre, vérifie, mets,
        change, essaie, envoie-moi, prépare""",
    ),
    Sign.PROGRESS: (
        """i'll, i've, i'd, let me, done, fixed, added, implemented, started, running, merged, pushed, renamed, moved to,
        changed, replaced in, updated, reverted, committed, verified, checking, scanning, shall i, want me to, all tests, tests
        pass, passed, passing, found, looked it up, corrected, here is, here's, exported, prepared, i could, i can, i suggest,
        you could, option, you can""",
        """ich schaue, ich habe, ich ziehe, ich lege, ich benutze, ich würde, angelegt, ergänzt, erledigt, gefunden, fertig, grün,
        gepusht, soll ich, läuft wieder, startet wieder, ich verwende, geändert, eingebaut""",
        """hecho, reviso, propongo, lo uso, he añadido, añadido, te dejo, pondría, migración escrita, arreglado, pasan, listo,
        ahora mismo, le explico, yo probaría""",
        """je regarde, je modifie, j'ajoute, ajouté, fait, je prépare, je commencerais, retiré, j'ai laissé, j'attends, tests
        passent, corrigé, voulez-vous, je le mets, terminé""",
    ),
    Sign.MOMENT: (
        """right now, at the moment, currently, today, tonight, this morning, yesterday, just now, again, while that runs, in
        the meantime, not now, not today, not tonight, this session, for today, now, so far, minutes, still""",
        """gerade, heute, gestern, heute abend, im moment, momentan, jetzt, mal, schon wieder, eben, vorhin, erst mal""",
        """ahora, hoy, ayer, esta noche, esta mañana, ahora mismo, otra vez, acabo de, de repente""",
        """maintenant, aujourd'hui, hier, ce soir, ce matin, en ce moment, encore, tout de suite, pour l'instant, ensuite""",
    ),
    Sign.TROUBLE: (
        """crash, crashes, crashed, fail, fails, failed, failing, failure, failures, broken, breaks, bug, error, errors, slow, red,
        drops, wrong, off by, doesn't work, doesn't load, stuck, problem, weak, annoying, overwhelmed, worse, leak, timeout,
        exception, undefined, missing, flaky, loses""",
        """kaputt, fehler, stürzt, abgestürzt, startet nicht, geht nicht, funktioniert nicht, langsam, falsch, problem, hängt,
        nervt, bricht ab""",
        """falla, fallan, error, errores, roto, lento, lenta, no funciona, no carga, problema, duplicadas, mal, fatal, bloqueo""",
        """plante, planté, erreur, erreurs, cassé, lent, lente, ne marche pas, ne fonctionne pas, problème, bloqué, faux, échecs,
        échec, en double""",
    ),
    Sign.REPORTED: (
        """says, said, told me, wrote, someone said, everyone says, they say, according to, suggested, claims, recommended""",
        """sagt, sagte, meint, meinte, behauptet, angeblich, laut, angeboten""",
        """dice, dijo, dicen, según, me han dicho""",
        """dit, a dit, disent, d'après, selon, il paraît""",
    ),
    Sign.RETRACTED: (
        """scratch that, forget that, forget what i said, ignore that, ignore me, never mind that, strike that, disregard""",
        """vergiss das, vergiss es, ignorier das, streich das, hat sich erledigt""",
        """olvida eso, olvídalo, ignora eso, borra eso""",
        """oublie ça, oublie, laisse tomber, ignore ça""",
    ),
    Sign.TAKEN_BACK: (
        """no wait, wait no, oh wait, scratch that, i mean, correction, actually no, not that, neither, hm no, no sorry,
        i was wrong, my mistake, i misspoke""",
        """nee moment, nein moment, ach nein, moment, quatsch, stimmt nicht, doch nicht, korrektur, vielmehr, ich meine""",
        """no espera, espera, perdón, mejor dicho, quiero decir, me equivoqué, corrijo, digo""",
        """non attends, attends, pardon, plutôt, je voulais dire, je me suis trompé, en fait non, mais non, correction,
        confondait""",
    ),
}

# What an assistant begins with that takes note of what it was just told.
ACKNOWLEDGEMENTS = """noted, understood, good to know, clear, will do, got it, of course, deal, that's important, okay i'll, ok i'll,
    from now on, thanks that, thank you for, i'll keep, i'll remember, makes sense, agreed, verstanden, notiert, vermerkt, danke
    das, alles klar, ist notiert, gut zu wissen, merke ich mir, in ordnung, entendido, anotado, apuntado, de acuerdo, tomo nota,
    noté, c'est noté, promis, compris, bien reçu, entendu, je note, d'accord"""

# Words that only lead into a sentence.
LEADING = frozenset(
    """ok okay yes yeah yep no nope oh ah hm hmm so and but well right also then hi hey hello wait btw lol
    ja nein nee ne na ach und aber dann übrigens hallo moin servus moment
    sí vale y pero pues bueno hola buenas entonces
    oui non et mais donc alors bon salut coucou voilà attends""".split()
)

# The first word of a sentence that leans on the one before it.
LEANING = frozenset(
    """it it's its that that's this these those they they're he he's she she's there's which so then
    das es dies diese die der er sie dann
    eso esto esa ese lo él ella
    ça c'est cela ce il elle ils elles""".split()
)


def words(text: str) -> list[str]:
    """The words of a sentence, as the table writes them."""
    return _WORD.findall(text.lower().replace("’", "'"))


def find(found: list[str]) -> dict[Sign, int]:
    """The signs among these words, each with the place of the first word that tells it."""
    table = _phrases()
    signs: dict[Sign, int] = {}
    for place, word in enumerate(found):
        for rest, sign in table.get(word, ()):
            if sign not in signs and (not rest or tuple(found[place + 1 : place + 1 + len(rest)]) == rest):
                signs[sign] = place
    return signs


def may_tell(sign: Sign, found: list[str]) -> bool:
    """Whether any of these words could begin a cue of that sign: a quick look before `find`."""
    return not _first_words(sign).isdisjoint(found)


@cache
def _first_words(sign: Sign) -> frozenset[str]:
    return frozenset(words(phrase)[0] for phrase in ",".join(TABLE[sign]).split(","))


def acknowledges(text: str) -> bool:
    """Whether an answer begins by taking note of what was said before it."""
    start = " ".join(words(text[:60])) + " "
    return start.startswith(_acknowledgements())


@cache
def _acknowledgements() -> tuple[str, ...]:
    return tuple(" ".join(words(phrase)) + " " for phrase in ACKNOWLEDGEMENTS.split(","))


@cache
def _phrases() -> dict[str, tuple[tuple[tuple[str, ...], Sign], ...]]:
    table: dict[str, set[tuple[tuple[str, ...], Sign]]] = {}
    for sign, languages in TABLE.items():
        for phrase in ",".join(languages).split(","):
            first, *rest = words(phrase)
            table.setdefault(first, set()).add((tuple(rest), sign))
    return {word: tuple(sorted(phrases)) for word, phrases in table.items()}
