"""What a hand-over is written and read with, by language: its headings, and the words that tell how a work stands."""

from collections.abc import Mapping

HEADINGS: Mapping[str, tuple[str, str, str, str, str]] = {
    "en": ("Decided", "State", "Open", "Next", "Files"),
    "de": ("Entschieden", "Stand", "Offen", "Nächste Schritte", "Dateien"),
    "fr": ("Décidé", "État", "En suspens", "À faire", "Fichiers"),
    "es": ("Decidido", "Estado", "Abierto", "Próximos pasos", "Archivos"),
    "it": ("Deciso", "Stato", "In sospeso", "Prossimi passi", "File"),
    "pt": ("Decidido", "Estado", "Em aberto", "Próximos passos", "Arquivos"),
    "nl": ("Besloten", "Stand", "Open", "Volgende stappen", "Bestanden"),
    "zh": ("决定", "现状", "待定", "下一步", "文件"),
    "ja": ("決定", "現状", "未解決", "次の作業", "ファイル"),
}
"""What was decided, how it stands, what is open, what comes next, and which files it was about."""

DONE = """
    done, fixed, works, working now, works now, deployed, merged, shipped, released, finished, completed, passes,
    pass now, passing, is green, are green, is ready, are ready, is in place, are in place, is up, implemented,
    migrated, applied, opened a pull request, opened it, i have put, i have added, i have changed, i have moved, i
    have written, i have reformatted, i changed, i added, i moved, i wrote, i opened, i removed, to sum up, in
    summary, summary, changed, renamed, replaced, installed, scheduled, noted, added, updated, removed, created,
    pushed, moved, configured, verified, confirmed, measured, reproduced, switched to, still fails, fails, failing,
    is broken, flaky, pass, all green, as of, ready, is live, is in, is on, reports no, adds up, written down, is
    set to, are set to, now, so far, found the, the cause, the reason, the problem was, it turned out, went from,
    changed to, is fixed, is correct, are gone, is gone, is done, ran through, went through, succeeded, geändert,
    umgestellt, angepasst, ergänzt, hinzugefügt, lief gerade, lief durch, jetzt, nun, schlägt fehl, die ursache, lag
    daran, habe ich, ich habe, steht auf, fertig, erledigt, behoben, läuft jetzt, läuft wieder, funktioniert,
    umgesetzt, eingebaut, enthält jetzt, gemergt, abgeschlossen, zusammenfassend, ist bereit, steht jetzt, grün,
    cambiado, añadido, ahora, ya está, falla, la causa, hecho, listo, arreglado, funciona, funcionando, terminado,
    desplegado, corregido, he añadido, he cambiado, queda, en resumen, ajouté, modifié, maintenant, désormais,
    échoue, la cause, terminé, corrigé, fonctionne, déployé, c'est fait, j'ai ajouté, j'ai modifié, est prêt, en
    résumé, aggiunto, modificato, adesso, ora, fallisce, fatto, corretto, risolto, funziona, pronto, ho aggiunto, ho
    modificato, in sintesi, adicionado, alterado, agora, falha, a causa, feito, corrigido, adicionei, alterei, em
    resumo, gewijzigd, nu, faalt, de oorzaak, klaar, opgelost, gelukt, werkt nu, toegevoegd, samengevat
"""
DONE_UNSPACED = "完成 修好 已经 已修复 上线 搞定 部署了 完了 終わ 修正し 追加し 動くよう".split()

OPEN = """
    unresolved, unsolved, not known yet, nobody knows, no idea yet, depends on, not settled, unanswered, to be
    clarified, waits for, waiting on, pending, have not heard back, haven't heard, up in the air, need to find out,
    open question, the open point, still open, undecided, not decided, not sure yet, unclear, to be decided, tbd, we
    do not know yet, don't know yet, still unclear, needs a decision, have to decide, need to decide, waiting for,
    blocked, wissen wir noch nicht, weiß noch nicht, hängt davon ab, steht noch aus, niemand weiß, muss noch geklärt
    werden, offen, noch offen, unklar, unentschieden, noch nicht entschieden, müssen noch klären, warten auf, wartet
    auf, pendiente, por decidir, no está claro, falta decidir, queda pendiente, en suspens, pas encore décidé, reste
    à décider, à décider, pas clair, on attend, in sospeso, da decidere, non è chiaro, aspettiamo, em aberto, não
    está claro, nog open, onduidelijk, nog niet besloten, wachten op
"""
OPEN_UNSPACED = "待定 未定 还没定 还没决定 不确定 等待 未決定 未解決 決まっていない".split()

NEXT = """
    next session, next week, next sprint, follow up, follow-up, leave that, leave it for, for tomorrow, tomorrow,
    i'll ask, i'll check, i'll write, i'll file, i'll raise, i'll talk, i'll send, i'll look, i'll do, i'll get,
    i'll call, i'll test, i'll try, i need to, i have to, i must, i still have to, i still need to, we still need
    to, we still have to, we need to, needs to be, has to be, have to be, what remains, remains, comes first, comes
    next, to be done, first thing, before we, by monday, by tuesday, by wednesday, by thursday, by friday, on
    monday, on tuesday, on wednesday, on thursday, on friday, next step, next steps, next is, next up, next time,
    next we, next i, still to do, remaining, what is left, what's left, left to do, later today, tomorrow i,
    tomorrow we, todo, to do, ich muss, ich frage, ich kläre, ich schreibe, wir müssen, muss noch, müssen noch,
    kläre ich, frage ich, nächste woche, als nächstes, nächster schritt, nächstes mal, bleibt noch, fehlt noch, noch
    zu tun, morgen, próximo paso, siguiente paso, a continuación, queda por, falta por, mañana, prochaine étape,
    ensuite il, reste à, prochaine fois, demain, prossimo passo, poi bisogna, resta da, la prossima volta, domani,
    próximo passo, falta ainda, amanhã, volgende stap, de volgende keer, nog te doen
"""
NEXT_UNSPACED = "下一步 接下来 下次 还要 次は 次に 次の作業 残り".split()

PARTING = """
    thanks, thank you, thx, that's it, that's all, done for today, ttyl, brb, gotta run, gotta go, got to go, have to
    go, have to run, see ya, je file, à demain, à plus,
    coffee, lunch, dinner, weekend, no worries, my dog, my cat, the weather, raining, good morning, good evening,
    amazing work, great work, nice work, awesome, feierabend, danke, mahlzeit, wochenende, gracias, grazie,
    obrigado, obrigada, dank je, have a nice, have a good, have a great, good luck, see you, safe travels, enjoy,
    you're welcome, you are welcome, my pleasure, happy to help, glad, take care, bye, goodbye, talk soon, good
    night, anything else, let me know, cheers, well done, great choice, great question, sounds good, no problem,
    does that help, how does that sound, hope that helps, good work, you've got, what can i do, how can i help,
    ready when you are, viel erfolg, viel spaß, schönen, tschüss, gern geschehen, gerne, noch etwas, noch was, sag
    bescheid, bis bald, bis morgen, gute nacht, kann ich sonst, buena, buen, suerte, hasta, de nada, algo más,
    avísame, adiós, disfruta, cuídate, bonne, bon courage, au revoir, de rien, à bientôt, autre chose, n'hésite,
    n'hésitez, avec plaisir, merci, buona, buon, in bocca al lupo, arrivederci, prego, a presto, altro, ciao, fammi
    sapere, boa, bom, sorte, até, mais alguma, tchau, succes, fijne, tot ziens, graag gedaan, nog iets, laat maar
    weten
"""
PARTING_UNSPACED = "祝 不客气 再见 晚安 加油 还有什么 头が よろしく お疲れ さようなら どういたしまして 他に何か".split()

OFFERS = """
    options are, the options, candidates are, either, alternatively, alternatives are,
    i could, i can, i would, i'd, we could, we can, you could, you can, you might, i'll, i will, let me, shall,
    should, would you, if you, maybe, perhaps, i suggest, i recommend, could, once, as soon as, when you, later, ich
    könnte, ich kann, ich würde, wir könnten, du kannst, du könntest, soll ich, wenn du, vielleicht, ich werde,
    sobald, podría, podríamos, puedo, puedes, si quieres, quizás, voy a, cuando, je peux, je pourrais, on pourrait,
    tu peux, vous pouvez, si tu, si vous, peut-être, je vais, quand, posso, potrei, potremmo, puoi, se vuoi, forse,
    quando, poderia, podemos, pode, se quiser, talvez, vou, ik kan, ik zou, we kunnen, je kunt, als je, misschien,
    ik zal
"""
"""What an assistant offers, plans or supposes is not how things stand."""

AGREES = """
    ok, okay, yes, yes please, yeah, yep, yup, sure, agreed, fine, good, great, perfect, right, alright, true, nice,
    cool, love it, exactly, deal, sounds good, makes sense, good point, fair, fair enough, no, nope, go ahead, do
    it, do that, done, hm, hmm, ja, gut, passt, genau, klar, einverstanden, in ordnung, stimmt, super, nein, prima,
    sí, vale, de acuerdo, perfecto, bien, claro, oui, d'accord, parfait, très bien, non, sì, va bene, d'accordo,
    perfetto, bene, sim, certo, perfeito, está bem, combinado, não, ja prima, goed, akkoord, nee
"""
"""What somebody answers with who takes up what was offered, or turns it down and says what instead."""

IDEAS = """
    i was thinking, was thinking of, i thought about, i thought of, maybe, perhaps, could we, we could, what if,
    first idea, my idea, one idea, i first wanted, at first, i wanted to, someone suggested, somebody suggested, it
    was suggested, i considered, we considered, we talked about, i had, might, i wonder, i guess, not sure, could
    be, lol, haha, just kidding, i'm kidding, used to, ich dachte, vielleicht, könnten wir, wir könnten, erste idee,
    eigentlich wollte, j'avais pensé, j'avais envie, j'avais aussi envie, j'avais aussi pensé, había pensado, avevo
    pensato, jemand hat vorgeschlagen, könnte es, pensaba, tal vez, quizás, podríamos, je pensais,
    peut-être, on pourrait, pensavo, forse, potremmo, pensei, talvez, poderíamos, misschien, ik dacht
"""
"""How somebody says what they only think of, or thought of once."""

OBJECTS = """
    but, however, would, risk, risky, leaves, won't, can't, cannot, doesn't, does not, downside, instead, better
    not, safer, slower, expensive, doubles, breaks, hides, loses, problem, unless, deprecated, maintenance mode, not
    supported, though, careful, overkill, aber, jedoch, würde, riskant, leider, geht nicht, besser nicht, nachteil,
    allerdings, pero, sería, riesgo, sin embargo, mais, serait, risque, cependant, ma, sarebbe, rischio, mas, seria,
    risco, maar
"""
"""What an assistant says against something."""

CONCEDES = """
    hm, hmm, right, true, good point, fair, fair enough, ah, oh, makes sense, yeah, yes, no, nope, nah, ok then,
    okay then, then, you're right, i see, good call, agreed, ok, okay, got it, damn, ouch, fine, not good, stimmt,
    guter punkt, ach, achso, hast recht, na gut, dann, ok dann, ja, nein, cierto, tienes razón, entonces, vale,
    c'est vrai, tu as raison, alors, d'accord, giusto, hai ragione, allora, verdade, tens razão, então, klopt, dan
"""
INSISTS = """
    still, anyway, regardless, nevertheless, do it, i know, that's fine, that's ok, trotzdem, egal, aun así, quand
    même, comunque, mesmo assim, toch
"""
DROPS = """
    scrap that, scrap the, makes no sense, make no sense, ergibt keinen sinn, macht keinen sinn, n'a pas de sens, no
    tiene sentido, non ha senso, forget that, forget it, forget about, never mind, nevermind, drop that, drop it,
    drop the, skip that, skip the, not worth it, undo that, revert that, let's not, leave it out, no longer, off the
    table, is out, rule out, ruled out, rejected, decided against, bad idea, vergiss, vergiss es, lassen wir, doch
    nicht, lieber nicht, verwerfen, verworfen, raus, olvídalo, mejor no, descartado, laisse tomber, on oublie,
    écarté, lascia perdere, scartato, deixa pra lá, laat maar
"""
"""How somebody takes back what they said before, or turns something down for good."""

CHANGED_MIND = """
    make it, make that, actually, instead, rather, better, on second thought, no wait, wait, correction, scratch
    that, changed, change it, change that, not anymore, lieber, besser, doch, stattdessen, geändert, moment,
    korrektur, mejor, en realidad, plutôt, en fait, finalement, anzi, meglio, na verdade, melhor, toch, liever
"""
"""How somebody says that another word counts now."""

SMALL_TALK = """
    kid, kids, daughter, wife, husband, boyfriend, girlfriend, mum, mom, dad, grandma, neighbour, neighbor, dog,
    cat, puppy, tram, subway, bike, commute, dentist, coffee, lunch, breakfast, dinner, supper, pizza, beer, snack,
    hungry, tired, sleepy, slept, yawn, headache, flu, gym, football, soccer, holiday, holidays, vacation, weekend,
    birthday, weather, raining, sunny, snowing, heatwave, umbrella, kindergarten, daycare, groceries, laundry,
    haircut, heading off, heading out, heading home, off to, off now, logging off, signing off, call it a day,
    calling it a day, call it a night, out of here, phone is dying, kettle, meme, funny, snore, snores, snoring, sulk,
    sulks, hilarious, kinder, tochter,
    sohn, hund, katze, kaffee, mittagessen, abendessen, hunger, müde, schlafen, wetter, regen, schnee, urlaub,
    geburtstag, feierabend, niños, hija, hijo, perro, gato, tren, café, comida, cena, cansado, lluvia, vacaciones,
    cumpleaños, enfants, fille, fils, chien, dîner, déjeuner, fatigué, pluie, vacances
"""
"""What people talk of beside their work: it counts as that where it comes up once."""

TRIES = """
    try, tried, attempt, see if, see whether, test if, for now, temporarily, as a start, versuchen, probieren,
    vorerst, mal sehen, probar, intentar, essayer, tester, provare, tentar, proberen
"""
"""How somebody says that they only try something."""
