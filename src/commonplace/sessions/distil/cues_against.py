"""Words that speak against keeping a sentence, by language."""

from commonplace.sessions.distil.signs import Cues, Sign

CUES_AGAINST: Cues = {
    Sign.CHATTER: {
        "en": """thanks, thank you, thx, great, nice, cool, awesome, perfect, lovely, lol, haha, ha, wow, oops, ugh,
            phew, hi, hello, hey, bye, good morning, morning, good night, good evening, ok, okay, sure, yes, yeah,
            yep, nope, right, exactly, correct, excellent, amazing, wonderful, fair enough, got it, sounds good,
            looks good, good catch, never mind, sorry, congrats, ignore me, you're welcome, no problem, agreed,
            makes sense, good luck, cheers, well done, interesting, hm, hmm, oh, ah, fine, good, noted,
            understood, of course, will do, happy to, glad""",
        "de": """danke, super, toll, klasse, wunderbar, prima, perfekt, hallo, moin, servus, tschüss, bis später, ja,
            nein, ok, okay, genau, klar, alles klar, gut, sehr gut, stimmt, mist, egal, uff, ach, ach so,
            verstanden, gern, gerne geschehen, na ja, klingt gut, passt, guten morgen, guten tag, clever, hm""",
        "es": """gracias, genial, perfecto, vale, venga, hola, buenas, buenos días, adiós, hasta luego, sí, exacto,
            claro, de acuerdo, muy bien, estupendo, uf, menos mal, qué bien, entendido, por supuesto, eso, bueno,
            ja, jaja, ok, ni hablar""",
        "fr": """merci, super, parfait, top, nickel, salut, bonjour, coucou, bonsoir, à plus, au revoir, oui, non,
            d'accord, ok, bien vu, exactement, voilà, génial, très bien, bravo, promis, mince, félicitations,
            entendu, noté, c'est noté, bof, tiens, pas de problème, bonne idée, hello""",
    },
    Sign.HEDGE: {
        "en": """maybe, perhaps, probably, i think, i guess, i believe, i suppose, might, not sure, idk, no idea, i
            don't know, seems, apparently, possibly, roughly, i wonder, looks like, somehow, kind of, likely, as
            far as i know, should be fine, could be, may be, i'm not sure, not certain, presumably, i imagine, who
            knows, we'll see, undecided, can't decide, torn between""",
        "de": """vielleicht, wahrscheinlich, vermutlich, ich glaube, glaube ich, ich denke, denke ich, eventuell, keine
            ahnung, weiß nicht, weiß ich nicht, wohl, möglicherweise, anscheinend, irgendwie, scheint, müsste, mal
            sehen, bin nicht sicher, nicht sicher, schätze, kann sein, könnte sein, unentschlossen, überlege noch,
            mal schauen, ich überlege""",
        "es": """quizá, quizás, tal vez, a lo mejor, creo que, creo, supongo, no sé, puede que, parece, probablemente,
            igual, ni idea, seguramente, ya veremos, no estoy seguro, no estoy segura, puede ser, imagino, estoy
            dudando, no lo tengo claro, a ver""",
        "fr": """peut-être, peut être, je crois, je pense, sans doute, probablement, je sais pas, je ne sais pas,
            aucune idée, on dirait, semble, on verra, on hésite, j'imagine, à peu près, on va voir, pas sûr, pas
            sûre, je suppose, ça se peut, j'hésite, éventuellement, à voir""",
    },
    Sign.HYPOTHESIS: {
        "en": """if we had, if i had, what if, would be, would have, could have, could, would, someday, some day, one
            day, i wish, in theory, were to, if only, just thinking, thinking aloud, suppose, imagine, could do, i
            was thinking, hypothetically, we could""",
        "de": """könnte, könnten, wäre, wären, hätte, hätten, würde, würden, irgendwann, theoretisch, was wäre,
            angenommen, käme, gäbe, müsste man, man könnte, nur so ein gedanke""",
        "es": """podría, podríamos, sería, habría, tendría, si tuviera, si tuviéramos, ojalá, algún día, en teoría, y
            si, debería, haría, imagina, si fuera""",
        "fr": """pourrait, pourrions, serait, aurait, faudrait, si on avait, si j'avais, un jour, en théorie, et si,
            voudrait, on pourrait, j'aurais, imaginons, devrait, devait, pensait""",
    },
    Sign.REQUEST: {
        "en": """can you, could you, would you, go ahead, do it, push it, merge it, start it, start with, let me know,
            help me, have a look, take a look, have a go, draft me, for now, next, go back, try again, look at,
            i'd like you, put a, add a, add that, write that, commit, open the, do both, fix all, run the, just
            make, first give, show, check, fix, run, start, push, merge, rename, update, explain, add, move,
            remove, put, make, write, draft, create, try, change""",
        "de": """kannst du, könntest du, mach, mach das, schau, schau mal, leg, zeig, prüf, such, hilf, bau, füg,
            ändere, starte, schick, erklär, probier, mach weiter, jetzt zum""",
        "es": """puedes, podrías, hazlo, adelante, mira, revisa, ayúdame, ayudas, borra, añade, cambia, prueba, busca,
            haz, ponlo, me haces""",
        "fr": """peux-tu, tu peux, pourrais-tu, vas-y, fais ça, fais, regarde, aide-moi, ajoute, corrige, lance,
            montre, vérifie, mets, change, essaie, envoie-moi, prépare""",
    },
    Sign.PROGRESS: {
        "en": """i'll, i've, i'd, let me, done, fixed, added, implemented, started, running, merged, pushed, renamed,
            moved to, changed, updated, reverted, committed, verified, checking, scanning, shall i, want me to,
            all tests, tests pass, passed, passing, found, corrected, here is, here's, exported, prepared, i
            could, i can, i suggest, you could, option, you can""",
        "de": """ich schaue, ich habe, ich ziehe, ich lege, ich benutze, ich würde, angelegt, ergänzt, erledigt,
            gefunden, fertig, grün, gepusht, soll ich, ich verwende, geändert, eingebaut""",
        "es": "hecho, reviso, propongo, he añadido, añadido, te dejo, arreglado, pasan, listo, ahora mismo",
        "fr": """je regarde, je modifie, j'ajoute, ajouté, fait, je prépare, retiré, j'ai laissé, tests passent,
            corrigé, voulez-vous, terminé""",
    },
    Sign.MOMENT: {
        "en": """right now, at the moment, currently, today, tonight, this morning, yesterday, just now, again, while
            that runs, in the meantime, not now, not today, not tonight, this session, for today, now, so far,
            minutes, still""",
        "de": """gerade, heute, gestern, heute abend, im moment, momentan, jetzt, mal, schon wieder, eben, vorhin, erst
            mal""",
        "es": "ahora, hoy, ayer, esta noche, esta mañana, ahora mismo, otra vez, acabo de, de repente",
        "fr": """maintenant, aujourd'hui, hier, ce soir, ce matin, en ce moment, encore, tout de suite, pour l'instant,
            ensuite""",
    },
    Sign.TROUBLE: {
        "en": """crash, crashes, crashed, fail, fails, failed, failing, failure, failures, broken, breaks, bug, error,
            errors, slow, red, drops, wrong, doesn't work, doesn't load, stuck, problem, worse, leak, timeout,
            exception, undefined, missing, flaky, loses, hangs, freezes, freezing, keeps failing, is down, not
            working, regression, why does, weird, strange""",
        "de": """kaputt, fehler, stürzt, abgestürzt, startet nicht, geht nicht, funktioniert nicht, langsam, falsch,
            problem, hängt, nervt, bricht ab, spinnt, abstürzt, bricht, klemmt, schlägt fehl, fehlgeschlagen,
            komisch, seltsam""",
        "es": """falla, fallan, error, errores, roto, lento, lenta, no funciona, no carga, problema, mal, fatal, se
            cuelga, se cae, no arranca, raro, rara, se queda colgado, en rojo, petado""",
        "fr": """plante, planté, erreur, erreurs, cassé, lent, lente, ne marche pas, ne fonctionne pas, problème,
            bloqué, faux, échecs, échec, bizarre, étrange, en rade, en rouge, casse, rame, s'arrête, tombe en
            panne, ne démarre""",
    },
    Sign.REPORTED: {
        "en": """says, said, told me, wrote, someone said, everyone says, they say, according to, suggested, claims,
            recommended, i read that, i heard, he says, she says, they said, people say, reportedly,
            claims that""",
        "de": """sagt, sagte, meint, meinte, behauptet, angeblich, laut, ich habe gelesen, hab gelesen, hab gehört, es
            heißt, behaupten, erzählt""",
        "es": "dice, dijo, dicen, según, me han dicho, he leído, he oído, comenta, cuentan, dicen que, opina",
        "fr": """dit, a dit, disent, d'après, selon, il paraît, j'ai lu, j'ai entendu, raconte, prétend, on
            m'a dit""",
    },
    Sign.RETRACTED: {
        "en": """scratch that, forget that, forget what i said, ignore that, ignore me, never mind that, strike that,
            disregard""",
        "de": "vergiss das, vergiss es, ignorier das, streich das, hat sich erledigt",
        "es": "olvida eso, olvídalo, ignora eso, borra eso",
        "fr": "oublie ça, oublie, laisse tomber, ignore ça",
    },
    Sign.TAKEN_BACK: {
        "en": """no wait, wait no, oh wait, scratch that, i mean, correction, actually no, not that, hm no, no sorry, i
            was wrong, my mistake, i misspoke""",
        "de": """nee moment, nein moment, ach nein, moment, quatsch, stimmt nicht, doch nicht, korrektur, vielmehr, ich
            meine""",
        "es": "no espera, espera, perdón, mejor dicho, quiero decir, me equivoqué, corrijo, digo",
        "fr": """non attends, attends, pardon, plutôt, je voulais dire, je me suis trompé, en fait non, mais non,
            correction""",
    },
}
