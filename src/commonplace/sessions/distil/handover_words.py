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
    done, fixed, works, working now, works now, deployed, merged, shipped, released, finished, completed, passes, pass
    now, passing, is green, are green, is ready, are ready, is in place, are in place, is up, implemented, migrated,
    applied, opened a pull request, opened it, i have put, i have added, i have changed, i have moved, i have written,
    i have reformatted, i changed, i added, i moved, i wrote, i opened, i removed, to sum up, in summary, summary,
    changed to, is fixed, is correct, are gone, is gone, is done, ran through, went through, succeeded,
    fertig, erledigt, behoben, läuft jetzt, läuft wieder, funktioniert, umgesetzt, eingebaut, enthält jetzt, gemergt,
    abgeschlossen, zusammenfassend, ist bereit, steht jetzt, grün,
    hecho, listo, arreglado, funciona, funcionando, terminado, desplegado, corregido, he añadido, he cambiado, queda,
    en resumen,
    terminé, corrigé, fonctionne, déployé, c'est fait, j'ai ajouté, j'ai modifié, est prêt, en résumé,
    fatto, corretto, risolto, funziona, pronto, ho aggiunto, ho modificato, in sintesi,
    feito, corrigido, pronto, adicionei, alterei, em resumo,
    klaar, opgelost, gelukt, werkt nu, toegevoegd, samengevat
"""
DONE_UNSPACED = "完成 修好 已经 已修复 上线 搞定 部署了 完了 終わ 修正し 追加し 動くよう".split()

OPEN = """
    open question, still open, undecided, not decided, not sure yet, unclear, to be decided, tbd, we do not know yet,
    don't know yet, still unclear, needs a decision, have to decide, need to decide, waiting for, blocked,
    offen, noch offen, unklar, unentschieden, noch nicht entschieden, müssen noch klären, warten auf, wartet auf,
    pendiente, por decidir, no está claro, falta decidir, queda pendiente,
    en suspens, pas encore décidé, reste à décider, à décider, pas clair, on attend,
    in sospeso, da decidere, non è chiaro, aspettiamo,
    em aberto, por decidir, não está claro, falta decidir,
    nog open, onduidelijk, nog niet besloten, wachten op
"""
OPEN_UNSPACED = "待定 未定 还没定 还没决定 不确定 等待 未決定 未解決 決まっていない".split()

NEXT = """
    next step, next steps, next up, next time, next we, next i, still to do, remaining, what is left, what's left,
    left to do, later today, tomorrow i, tomorrow we, todo, to do,
    als nächstes, nächster schritt, nächstes mal, bleibt noch, fehlt noch, noch zu tun, morgen,
    próximo paso, siguiente paso, a continuación, queda por, falta por, mañana,
    prochaine étape, ensuite il, reste à, prochaine fois, demain,
    prossimo passo, poi bisogna, resta da, la prossima volta, domani,
    próximo passo, falta ainda, amanhã,
    volgende stap, de volgende keer, nog te doen, morgen
"""
NEXT_UNSPACED = "下一步 接下来 下次 还要 次は 次に 次の作業 残り".split()

PARTING = """
    have a nice, have a good, have a great, good luck, see you, safe travels, enjoy, you're welcome, you are welcome,
    my pleasure, happy to help, glad, take care, bye, goodbye, talk soon, good night, anything else, let me know,
    cheers, well done, great choice, great question, sounds good, no problem, no worries, does that help,
    how does that sound,
    hope that helps, good work, you've got, what can i do, how can i help, ready when you are,
    viel erfolg, viel spaß, schönen, tschüss, gern geschehen, gerne, noch etwas, noch was, sag bescheid, bis bald,
    bis morgen, gute nacht, kann ich sonst,
    buena, buen, suerte, hasta, de nada, algo más, avísame, adiós, disfruta, cuídate,
    bonne, bon courage, au revoir, de rien, à bientôt, autre chose, n'hésite, n'hésitez, avec plaisir, merci,
    buona, buon, in bocca al lupo, arrivederci, prego, a presto, altro, ciao, fammi sapere,
    boa, bom, sorte, até, de nada, mais alguma, tchau,
    succes, fijne, tot ziens, graag gedaan, nog iets, laat maar weten
"""
PARTING_UNSPACED = "祝 不客气 再见 晚安 加油 还有什么 头が よろしく お疲れ さようなら どういたしまして 他に何か".split()

OFFERS = """
    i could, i can, i would, i'd, we could, we can, you could, you can, you might, i'll, i will, let me, shall, should,
    would you, if you, maybe, perhaps, i suggest, i recommend, could, once, as soon as, when you, later,
    ich könnte, ich kann, ich würde, wir könnten, du kannst, du könntest, soll ich, wenn du, vielleicht, ich werde,
    sobald,
    podría, podríamos, puedo, puedes, si quieres, quizás, voy a, cuando,
    je peux, je pourrais, on pourrait, tu peux, vous pouvez, si tu, si vous, peut-être, je vais, quand,
    posso, potrei, potremmo, puoi, se vuoi, forse, quando,
    posso, poderia, podemos, pode, se quiser, talvez, vou, quando,
    ik kan, ik zou, we kunnen, je kunt, als je, misschien, ik zal
"""
"""What an assistant offers, plans or supposes is not how things stand."""
