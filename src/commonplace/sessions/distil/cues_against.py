"""Words that speak against keeping a sentence, by language."""

from commonplace.sessions.distil.signs import Cues, Sign

CUES_AGAINST: Cues = {
    Sign.ONCE: {
        "en": """this time, for this one, just this once, for today only, only for this, just for this, in this one, for this
            reply, for this answer, for the moment, for now, just now, this once, in this example, this paragraph""",
        "de": "diesmal, dieses mal, nur dieses eine, nur hier, nur für diese, nur in diesem, ausnahmsweise, fürs erste",
        "es": "esta vez, por esta vez, solo para este, solo en este, solo aquí, por ahora, en este ejemplo, de momento",
        "fr": "cette fois, pour cette fois, juste pour ce, seulement ici, pour l'instant, dans cet exemple, pour une fois",
        "pt": "dessa vez, desta vez, só nesse, só neste, só aqui, por enquanto, só dessa, nesse exemplo, por agora",
        "it": "questa volta, stavolta, solo per questo, solo qui, solo in questo, per ora, in questo esempio, per stavolta",
        "zh": "这次, 这回, 这一次, 仅此一次, 只在这里, 暂时",
        "ja": "今回, この一回, ここだけ, 今だけ, とりあえず",
    },
    Sign.FICTION: {
        "en": """generate, generate a, come up with, fake, a fake, design a, write a, write me a, write an, write a story, write a function, invent, invent a, make up, make up a, tell me
            a story, a story, story where, a character, character who, a poem, a haiku, a limerick, pretend, role play,
            roleplay, act as, play the, in the story, in my novel, in the novel, the character, in the game, dialogue
            between, function that, regex that, a placeholder, placeholder, dummy data, sample data, lorem ipsum,
            fictional, for example, an example, sample text""",
        "de": """schreib eine, schreib ein, schreib mir eine, schreib mir ein, schreibe eine, schreibe ein, erfinde, denk dir,
            eine geschichte, ein gedicht, figur die, im roman, tu so, stell dir vor, spiel einen, platzhalter, fiktiv""",
        "es": """escribe un, escribe una, escríbeme un, escríbeme una, invéntate, inventa, un cuento, una historia, un poema,
            un personaje, en la novela, haz como, actúa como, ficticio, imagina un, imagina una""",
        "fr": """écris un, écris une, écris-moi un, écris-moi une, invente, une histoire, un poème, un personnage, une comptine,
            dans le roman, fais comme, joue le, fictif, imagine un, imagine une""",
        "pt": """escreve um, escreve uma, escreva um, escreva uma, inventa um, inventa uma, invente, uma história, um poema, um
            personagem, no romance, faz de conta, finge, fictício""",
        "it": """scrivi un, scrivi una, scrivimi un, scrivimi una, inventa, inventati, una storia, una poesia, un personaggio, nel
            romanzo, fai finta, fingi, una filastrocca""",
        "nl": "schrijf een, verzin, een verhaal, een gedicht, doe alsof",
        "zh": "写一个, 写一篇, 写一首, 写首, 编一个, 编个, 故事, 小说, 角色, 假装, 扮演, 示例",
        "ja": "物語, 小説, お話, 詩を, キャラ, 登場人物, のふりをして, 俳句, 例文, 架空",
    },
    Sign.QUESTION: {
        "en": """how, why, what is, what are, what do, what does, what about, what would, what could, what should, what
            if, what happens, what kind, what's, whats, which, where is, where do, where were, where would, where
            can, who is, who wrote, can i, can we, should i, should we, is it, is there, is this, is that, are
            there, are you, do you, do i, do we, does, did you, would it, could it, could you, can you, any ideas,
            any idea, any tips, any chance, have you, will it""",
        "de": """wie, warum, wieso, was ist, was wäre, was heißt, was bedeutet, was meinst, welche, welcher, welches, wo,
            wer, wann, kann ich, soll ich, gibt es, gibt's, hast du, weißt du, kannst du""",
        "es": "cómo, qué, cuál, cuándo, dónde, por qué, quién, puedo, hay alguna, hay algún, sabes",
        "fr": "comment, pourquoi, quel, quelle, quels, quelles, où, est-ce, est-ce que, qu'est-ce, combien, t'as",
        "pt": "como faço, como eu, como posso, como que, qual, quais, quando, onde, por que, será que, quem, tem como",
        "it": "come faccio, come si, come posso, come mai, quale, quali, quando, dove, chi, cosa, che cosa, quanto",
        "zh": "吗, 呢, 什么, 怎么, 为什么, 哪, 多少, 能不能, 谁, 会怎样, 几点, 是不是, 有没有, 请问, 嗎, 什麼",
        "ja": "ですか, ますか, かな, でしょうか, だっけ, どう, どこ, 何, いつ, なぜ, 誰, ませんか, どれ, いくら",
    },
    Sign.CHATTER: {
        "en": """thanks, thank you, thx, great, nice, cool, awesome, perfect, lovely, lol, haha, ha, wow, oops, ugh, phew,
            hi, hello, hey, bye, good morning, morning, good night, good evening, ok, okay, sure, yes, yeah, yep, nope,
            right, exactly, correct, excellent, amazing, wonderful, fair enough, got it, sounds good, looks good, good
            catch, never mind, sorry, congrats, ignore me, you're welcome, no problem, agreed, makes sense, good luck,
            cheers, well done, interesting, hm, hmm, oh, ah, fine, good, noted, understood, of course, will do, happy
            to, glad, ngl, omg, yay, hooray, argh, meh, whew, lifesaver, yup, nah, gotcha""",
        "de": """danke, super, toll, klasse, wunderbar, prima, perfekt, hallo, moin, servus, tschüss, bis später, ja, nein,
            ok, okay, genau, klar, alles klar, gut, sehr gut, stimmt, mist, egal, uff, ach, ach so, verstanden, gern,
            gerne geschehen, na ja, klingt gut, passt, guten morgen, guten tag, clever, hm""",
        "es": """gracias, genial, perfecto, vale, venga, hola, buenas, buenos días, adiós, hasta luego, sí, exacto, claro, de
            acuerdo, muy bien, estupendo, uf, menos mal, qué bien, entendido, por supuesto, eso, bueno, ja, jaja, ok, ni
            hablar""",
        "fr": """merci, super, parfait, top, nickel, salut, bonjour, coucou, bonsoir, à plus, au revoir, oui, non, d'accord,
            ok, bien vu, exactement, voilà, génial, très bien, bravo, promis, mince, félicitations, entendu, noté, c'est
            noté, bof, tiens, pas de problème, bonne idée, hello""",
        "pt": """obrigado, obrigada, valeu, valeu demais, perfeito, beleza, ótimo, oi, olá, bom dia, boa tarde, boa noite,
            tchau, sim, exato, claro, entendi, kkk, kkkk, massa, blz, tá bom, certo""",
        "it": """grazie, perfetto, ottimo, bene, ciao, buongiorno, buonasera, arrivederci, sì, esatto, certo, capito,
            d'accordo, fantastico, bravo, ah ok, figurati, boh, mah, evvai""",
        "nl": "bedankt, dankje, top, prima, hoi, hallo, doei, ja, precies",
        "zh": """谢谢, 多谢, 好的, 太好了, 太棒, 哈哈, 你好, 早上好, 再见, 嗯, 是的, 对的, 没问题, 厉害, 不错,
            辛苦, 好吧, 困, 救不了""",
        "ja": """ありがとう, 了解, なるほど, こんにちは, おはよう, さようなら, はい, そうですね, いいね, すごい,
            笑, 草, お疲れ, 助かり, うーん, ええと""",
    },
    Sign.HEDGE: {
        "en": """something like, couldn't tell you, hunch, my hunch, i'd bet, i bet, may well, could well, have a feeling, nobody knows, nobody has, looks as though, my guess, can't remember, don't quote me, if memory serves, or something, not certain, i forget, maybe, perhaps, probably, i think, i guess, i believe, i suppose, might, not sure, idk, no idea, i don't
            know, seems, apparently, possibly, roughly, i wonder, looks like, somehow, kind of, likely, as far as i
            know, should be fine, could be, may be, i'm not sure, not certain, presumably, i imagine, who knows, we'll
            see, undecided, can't decide, torn between, dunno, no clue, guessing, just guessing, could also be, i'm
            lost, or maybe, i have no idea""",
        "de": """kein plan, oder so, ich vermute, schätze ich, meine vermutung, ohne gewähr, vielleicht, wahrscheinlich, vermutlich, ich glaube, glaube ich, ich denke, denke ich, eventuell, keine
            ahnung, weiß nicht, weiß ich nicht, wohl, möglicherweise, anscheinend, irgendwie, scheint, müsste, mal
            sehen, bin nicht sicher, nicht sicher, schätze, kann sein, könnte sein, unentschlossen, überlege noch, mal
            schauen, ich überlege""",
        "es": """vete a saber, me pareció, me suena, o algo así, no me acuerdo, quién sabe, quizá, quizás, tal vez, a lo mejor, creo que, creo, supongo, no sé, puede que, parece, probablemente, igual,
            ni idea, seguramente, ya veremos, no estoy seguro, no estoy segura, puede ser, imagino, estoy dudando, no lo
            tengo claro, a ver""",
        "fr": """il me semble, sans certitude, ou un truc, je dirais, va savoir, j'ai l'impression, peut-être, peut être, je crois, je pense, sans doute, probablement, je sais pas, je ne sais pas, aucune
            idée, on dirait, semble, on verra, on hésite, j'imagine, à peu près, on va voir, pas sûr, pas sûre, je
            suppose, ça se peut, j'hésite, éventuellement, à voir""",
        "pt": """tenho a impressão, vai saber, ou algo assim, se não me engano, talvez, acho que, acho, não sei, sei lá, será que, quem sabe, provavelmente, parece que, pode ser, vai ver,
            tanto faz""",
        "it": """mi pare, vai a sapere, o qualcosa, se non sbaglio, ho l'impressione, forse, magari, credo, penso, non so, chissà, probabilmente, pare che, sembra, può darsi, mi sa, vediamo""",
        "zh": "瞎猜, 猜的, 感觉像, 记不清, 没准, 似乎, 可能, 也许, 大概, 不一定, 好像, 不确定, 不知道, 说不定, 应该是, 估计, 或许, 随便",
        "ja": """たしか, 確か, うろ覚え, 自信ない, 適当, ような, かも, かもしれない, たぶん, 多分, おそらく, 気がする, わからない, 分からない, と思う, らしい,
            っぽい, だっけ, かな""",
    },
    Sign.HYPOTHESIS: {
        "en": """if we had, if i had, what if, would be, would have, could have, could, would, someday, some day, one day, i
            wish, in theory, were to, if only, just thinking, thinking aloud, suppose, imagine, could do, i was
            thinking, hypothetically, we could, if i were, if i was, pretend, in the story, suppose i, let's say, what
            would, how would, if we moved, not that anybody, not that""",
        "de": """könnte, könnten, wäre, wären, hätte, hätten, würde, würden, irgendwann, theoretisch, was wäre, angenommen,
            käme, gäbe, müsste man, man könnte, nur so ein gedanke, was wäre wenn, stell dir vor, nehmen wir an, nur mal
            so, würd""",
        "es": """podría, podríamos, sería, habría, tendría, si tuviera, si tuviéramos, ojalá, algún día, en teoría, y si,
            debería, haría, imagina, si fuera, imaginemos, supongamos, y si lo, imagínate""",
        "fr": """pourrait, pourrions, serait, aurait, faudrait, si on avait, si j'avais, un jour, en théorie, et si,
            voudrait, on pourrait, j'aurais, imaginons, devrait, devait, pensait, imaginons que, supposons, si j'étais,
            on imagine""",
        "pt": """imagina, imagine, suponha, e se, se eu fosse, se eu tivesse, poderia, seria, teria, um dia, hipoteticamente,
            digamos""",
        "it": """immagina, immaginiamo, supponiamo, e se, se fossi, se avessi, potrebbe, sarebbe, avrebbe, un giorno,
            ipoteticamente, mettiamo""",
        "zh": "如果, 要是, 假如, 假设, 万一, 会怎样, 想象, 随便问问, 的话",
        "ja": "もし, 仮に, たら, としたら, だったら, れば, 想像",
    },
    Sign.REQUEST: {
        "en": """can you, could you, would you, go ahead, do it, push it, merge it, start it, start with, let me know, help
            me, have a look, take a look, have a go, draft me, for now, next, go back, try again, look at, i'd like you,
            put a, add a, add that, write that, commit, open the, do both, fix all, run the, just make, first give,
            show, check, fix, run, start, push, merge, rename, update, explain, add, move, remove, put, make, write,
            draft, create, try, change, give me, continue, roast, translate, rewrite, summarize, summarise, proofread,
            compare, redo, do that, read it, make it, tidy, plan me, yes do""",
        "de": """kannst du, könntest du, mach, mach das, schau, schau mal, leg, zeig, prüf, such, hilf, bau, füg, ändere,
            starte, schick, erklär, probier, mach weiter, jetzt zum, gib mir, übersetz, übersetze, fass, formulier,
            korrigier, schreib mir, nochmal, lies, erstell""",
        "es": """puedes, podrías, hazlo, adelante, mira, revisa, ayúdame, ayudas, borra, añade, cambia, prueba, busca, haz,
            ponlo, me haces, tradúceme, traduce, hazme, dame, resume, corrige, escríbeme, me lo, ponme, pásame""",
        "fr": """peux-tu, tu peux, pourrais-tu, vas-y, fais ça, fais, regarde, aide-moi, ajoute, corrige, lance, montre,
            vérifie, mets, change, essaie, envoie-moi, prépare, traduis, résume, reformule, donne-moi, écris-moi, relis,
            refais, continue""",
        "pt": """pode, você pode, consegue, faz, faça, me ajuda, mostra, mostre, escreve, traduz, traduza, resume, corrige,
            refaz, explica, me explica, roda, me dá, gera, cria""",
        "it": """puoi, potresti, fammi, mi aiuti, aiutami, mostrami, scrivi, traduci, riassumi, correggi, rifai, spiega,
            spiegami, dammi, fai, prova, crea""",
        "zh": "帮我, 翻译, 改一下, 解释, 写一个, 给我写, 看看, 再试, 重新, 缩短, 润色, 总结, 继续, 检查, 把这",
        "ja": """教えて, 翻訳, 直して, 書き直して, もう一回, もう一度, 要約, 説明して, 作って, 見て, 続けて,
            やってみて, 添削, まとめて""",
    },
    Sign.PROGRESS: {
        "en": """i'll, i've, i'd, let me, done, fixed, added, implemented, started, running, merged, pushed, renamed, moved
            to, changed, updated, reverted, committed, verified, checking, scanning, shall i, want me to, all tests,
            tests pass, passed, passing, found, corrected, here is, here's, exported, prepared, i could, i can, i
            suggest, you could, option, you can""",
        "de": """ich schaue, ich habe, ich ziehe, ich lege, ich benutze, ich würde, angelegt, ergänzt, erledigt, gefunden,
            fertig, grün, gepusht, soll ich, ich verwende, geändert, eingebaut""",
        "es": "hecho, reviso, propongo, he añadido, añadido, te dejo, arreglado, pasan, listo, ahora mismo",
        "fr": """je regarde, je modifie, j'ajoute, ajouté, fait, je prépare, retiré, j'ai laissé, tests passent, corrigé,
            voulez-vous, terminé""",
    },
    Sign.MOMENT: {
        "en": """right now, at the moment, currently, today, tonight, this morning, yesterday, just now, again, while that
            runs, in the meantime, not now, not today, not tonight, this session, for today, now, so far, minutes,
            still, this week, rn, this time, hang on, hold on, brb, since lunch, one sec""",
        "de": """gerade, heute, gestern, heute abend, im moment, momentan, jetzt, mal, schon wieder, eben, vorhin, erst mal""",
        "es": "ahora, hoy, ayer, esta noche, esta mañana, ahora mismo, otra vez, acabo de, de repente",
        "fr": """maintenant, aujourd'hui, hier, ce soir, ce matin, en ce moment, encore, tout de suite, pour l'instant,
            ensuite""",
        "pt": "agora, hoje, ontem, hoje à noite, de novo, agora há pouco, no momento, por enquanto",
        "it": "adesso, oggi, ieri, stasera, stamattina, di nuovo, al momento, per ora",
        "zh": "今天, 现在, 刚才, 刚刚, 昨天, 今晚, 正在, 又",
        "ja": "今日, 今, さっき, 昨日, 今夜, 今朝, さきほど, また",
    },
    Sign.TROUBLE: {
        "en": """crash, crashes, crashed, fail, fails, failed, failing, failure, failures, broken, breaks, bug, error,
            errors, slow, red, drops, wrong, doesn't work, doesn't load, stuck, problem, worse, leak, timeout,
            exception, undefined, missing, flaky, loses, hangs, freezes, freezing, keeps failing, is down, not working,
            regression, why does, weird, strange""",
        "de": """kaputt, fehler, stürzt, abgestürzt, startet nicht, geht nicht, funktioniert nicht, langsam, falsch, problem,
            hängt, nervt, bricht ab, spinnt, abstürzt, bricht, klemmt, schlägt fehl, fehlgeschlagen, komisch, seltsam""",
        "es": """falla, fallan, error, errores, roto, lento, lenta, no funciona, no carga, problema, mal, fatal, se cuelga,
            se cae, no arranca, raro, rara, se queda colgado, en rojo, petado""",
        "fr": """plante, planté, erreur, erreurs, cassé, lent, lente, ne marche pas, ne fonctionne pas, problème, bloqué,
            faux, échecs, échec, bizarre, étrange, en rade, en rouge, casse, rame, s'arrête, tombe en panne, ne démarre""",
        "pt": "erro, quebrou, travou, trava, não funciona, não abre, lento, falha, problema, bug, deu ruim, caiu",
        "it": "errore, rotto, si blocca, non funziona, non parte, lento, problema, bug, crasha, guasto, fallisce",
        "zh": "报错, 错误, 失败, 崩溃, 卡住, 不行, 坏了, 打不开, 慢, 问题",
        "ja": "エラー, 失敗, 動かない, 落ちる, 遅い, 壊れ, バグ, 問題, 文字化け, 切れて, 固まる",
    },
    Sign.REPORTED: {
        "en": """says, said, told me, wrote, someone said, everyone says, they say, according to, suggested, claims,
            recommended, i read that, i heard, he says, she says, they said, people say, reportedly, claims that""",
        "de": """sagt, sagte, meint, meinte, behauptet, angeblich, laut, ich habe gelesen, hab gelesen, hab gehört, es heißt,
            behaupten, erzählt""",
        "es": "dice, dijo, dicen, según, me han dicho, he leído, he oído, comenta, cuentan, dicen que, opina",
        "fr": "dit, a dit, disent, d'après, selon, il paraît, j'ai lu, j'ai entendu, raconte, prétend, on m'a dit",
        "pt": "disse que, dizem, segundo, me falaram, li que, ouvi dizer, falou que",
        "it": "dice che, dicono, secondo, mi hanno detto, ho letto, ho sentito, sostiene",
        "zh": "听说, 据说, 有人说, 他们说, 网上说",
        "ja": "らしい, そうです, と言って, によると, と聞い",
    },
    Sign.RETRACTED: {
        "en": """scratch that, forget that, forget what i said, ignore that, ignore me, never mind that, strike that,
            disregard""",
        "de": "vergiss das, vergiss es, ignorier das, streich das, hat sich erledigt",
        "es": "olvida eso, olvídalo, ignora eso, borra eso",
        "fr": "oublie ça, oublie, laisse tomber, ignore ça",
        "pt": "esquece isso, esquece, deixa pra lá, ignora isso",
        "it": "lascia perdere, lascia stare, ignora, dimentica",
        "zh": "算了, 当我没说, 忽略",
        "ja": "忘れてください, やっぱりなし, 無視して, 取り消し",
    },
    Sign.TAKEN_BACK: {
        "en": """no wait, wait no, oh wait, scratch that, i mean, correction, actually no, not that, hm no, no sorry, i was
            wrong, my mistake, i misspoke""",
        "de": """nee moment, nein moment, ach nein, moment, quatsch, stimmt nicht, doch nicht, korrektur, vielmehr, ich meine""",
        "es": "no espera, espera, perdón, mejor dicho, quiero decir, me equivoqué, corrijo, digo",
        "fr": """non attends, attends, pardon, plutôt, je voulais dire, je me suis trompé, en fait non, mais non, correction""",
        "pt": "espera, perdão, quer dizer, na verdade, digo",
        "it": "aspetta, scusa, volevo dire, anzi, cioè no",
        "zh": "不对, 等等, 说错了",
        "ja": "違う, いや, すみません, 訂正",
    },
    Sign.MOCKERY: {
        "en": """dream came true, best hobby, sure thing, what a joy, can't get enough, my lucky day, so helpful, thanks for nothing, how thoughtful, just perfect, of course it, yeah i love, i'm so lucky, as if, slow clap, bravo, well done you, what a treat, makes my day, oh great, yeah right, oh yes, oh please, sure never, right because, yes my, i'll just, obviously, sure because, exactly what i, just what i, what could possibly, genius, how lovely,
            thanks a lot for nothing, because that's totally, because that always, who needs, what a surprise, shocking,
            big surprise, i'm sure that'll, truly the best, living the dream, oh joy, oh wonderful, oh sure, oh perfect,
            oh good another, another monday, wow great, love it when, i just love, love how, nothing says""",
        "de": """träumchen, läuft bei mir, glückwunsch, wie nett, bravo, ganz großes kino, mein lieblings, na toll, na super, na klar, na sicher, aber klar, klar doch, na klasse, ganz toll, super gemacht, toll gemacht, wer braucht schon, ja klar, wie schön,
            großartig gemacht, herrlich, wunderbar wieder""",
        "es": """bravo, menudo, qué ilusión, enhorabuena, de maravilla, qué suerte la mía, qué bien otro, por supuesto desde, claro a mí, genial otro, sí claro, claro que sí, qué sorpresa, lo que faltaba, qué maravilla, total quién""",
        "fr": """quel bonheur, quelle joie, merci pour rien, tu m'étonnes, trop bien, chapeau, bah super, bien sûr, mais oui, évidemment, ben voyons, super encore, génial encore, quelle surprise, ça commence bien, bravo encore, mais
            bien sûr, comme c'est""",
        "pt": "parabéns, que alegria, que sorte a minha, obrigado por nada, só que não, ah claro, óbvio, claro a partir, que ótimo, que maravilha, era só o que faltava, que surpresa, quem precisa",
        "it": """bravissimo, complimenti, che gioia, che fortuna, grazie mille per niente, evviva, eh sì certo, ovvio, sì certo, ma certo, che bello, che sorpresa, fantastico un altro, chi ha bisogno, ci mancava""",
        "zh": "对对对, 求你, 真会, 可真行, 太感人, 恭喜, 好极了, 可真好, 多安全, 哇, 多好, 好啊, 干脆, 真棒又, 太好了又, 真是太, 呵呵, 厉害了",
        "ja": "はいはい, ありがたいこと, おめでとう, ご立派, 素晴らしいね, よっと, さすが, 最高ですね, すばらしいですね笑",
    },
}
