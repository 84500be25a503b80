"""What people put around what they state: "small correction:", "scratch what I said,", ", so please keep that in mind".

A frame is a clause at either end that is made of nothing but words about the telling itself, of which at least one is
in `TELLING`. A clause with a word of its own ("for the newsletter:") is no frame: it may say where the rest holds.
"""

import re

from commonplace.sessions.distil.cues import is_unspaced

LONGEST = 70
"""Characters of a frame."""

TELLING = frozenset(
    """remember remembering remembered note notes noted noting memo memory memorize memorise mind record records
    reminder rule rules fyi info heads update correction corrected correcting correct fix wrong mistaken mistake
    misremembered outdated obsolete scratch forget forgetting store save saved file future later todo reference
    context background know housekeeping keep retain law permanent permanently write wait hold sorry apologies
    merk merke merken merkposten notiz notier notiere notieren notiert schreib speicher speichere erinner
    erinnere entschuldigung warte vergiss vergessen hinterkopf gedächtnis langzeitgedächtnis akten info zukunft
    künftig später regel grundregel spielregel dauerregel korrektur falsch vertan veraltet wissen wisse beachten
    behalten aufheben recuerda recordar recuerdo acuérdate acordate apunta apúntate apuntar apunte anota anótate
    anotar nota memoria memoriza constancia conste olvides olvide regla norma criterio corrijo corrección
    rectifico equivoqué equivocas espera perdón perdona tenlo presente guarda guárdalo guardalo guardá
    recuérdalo consérvalo sepas saber fija retiens retenez retenir souviens souvienne rappelle rappel note notez
    noter mémoire mémo oublie oubliez oublier consigne règle principe corriger correction rectifie trompé
    trompée trompes obsolète savoir sachez sache trace pense-bête enregistre garde conserver info pardon désolé
    désolée attends note-le notez-le note-la retiens-le ricorda ricordati ricordare ricordatelo nota annota
    appunto segnati segna promemoria memoria memorizza regola scusa aspetta sbagliato sbagliata sbagliavo
    correzione corretto dimenticare scordare presente sappi sapere atti tieni tenere desculpa espera lembra
    lembre lembrar anota anote anotar grava guarda memória regra retificação correção corrigindo errado errada
    enganei esqueças esquece esqueça saiba saber nota salva salvo onthoud onthouden noteer vergeet correctie
    regel onthou""".split()
)

SMALL = frozenset(
    """a an the this that these those it its it's i i'm i'd i'll i've you you'll you're you've u we me my mine your to
    for of on in at as so and or but one two thing things small quick tiny please pls plz just let let's here
    now then next time times also always from what who's who want would like could can should down about with
    our all any every be is are was were been has have had having not no don't dont didn't do does did will
    won't again up side by way said say says told tell earlier before above yesterday today somewhere sure make
    made put add list these keep bear lose got get going forward onwards onward house general standing ground
    new old actually honestly basically really quite good that's thats little something important twice once
    more too if case way only long term short chats chat conversation conversations sessions session there ok
    okay ich du dir mir mich dich sie es das dies dieses die der den dem ein eine einen kleine kleiner kurz
    bitte mal doch noch auch nur damit für fürs zu zur zum von ab ins im in an auf und oder aber so sofort jetzt
    dann immer wieder gilt gelten hab habe hatte ist war stimmt nicht mehr so ganz wichtig alle künftigen
    nächstes nächste mal nächsten dass daran dran denk halt fest hier gesagt vorhin eben tu uns bei unserer
    unsere stehende nun weiß weißt das's du's yo tú te me se lo la el los las le un una esto eso este esta que
    de del a al y o por para pa si no ya más muy bien mal favor porfa ten ojo ahora adelante siempre próxima
    próximas vez veces otro día quede queda deja dejo mi mis tu nuestra casa general fue era es está estaba dije
    dicho antes ayer quiero je tu te me moi toi il elle ça c'est ce cela ceci le la les un une des de du d' à au
    aux et ou mais pour par sur bien stp svp s'il plaît vous prie ici là juste petit petite plus tard prochaine
    prochaines fois suite toujours pas ne n'oublie que qu'il j'ai je l'ai dit tout l'heure hier suis est était
    fait faire merci mets mettre dans en un coin quelque part générale maison nous io tu te mi ti si lo la il i
    gli le un una questo questa quello quella che di del da a al e o per x con su se no non più bene male favore
    cosa fisso fissa sempre poi prossima prossime volta volte qui ora oggi domani ho hai detto prima era è stato
    mente regola casa generale nostra resti eu tu você vc te me se o a os as um uma isto isso este esta que de
    do da em no na e ou por pra para com se não já mais muito bem mal favor aí daqui frente sempre depois
    próxima próximas vez vezes conversas disse dito antes ontem era é foi está estava tá casa geral nossa põe
    lista coisas sobre mim ik je jij mij me dat dit het een de van voor op in en of maar zo nu dan even niet
    meer altijd""".split()
)

NOES = frozenset("don't dont didn't won't not never nicht pas jamais não nunca niet".split())
ALSO_DENIED = frozenset(
    """forget forgetting wrong outdated mistaken lose vergiss vergessen olvides olvide oublie oubliez oublier n'oublie
    dimenticare scordare esqueças esqueça vergeet falsch stimmt""".split()
)
"""What may be told with a no: "don't forget" asks for the same as "remember", "I don't remember" does not."""

_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*['’]?")
_BREAK = re.compile(r"[:,;–—]+\s+|\s-+>?\s+|(?<=\bthat)\s+|(?<=\bdass)\s+|(?<=\bque)\s+|(?<=\bche)\s+", re.IGNORECASE)
_CLOSING = re.compile(r"(?:[,;–—]|\s-|\s(?=(?:so|and|please|pls|bitte)\s))\s?[^,;:–—]{2,70}$")
_STOPS = " \t\r\n.!…"
_OPENING_UNSPACED = re.compile(
    r"[^，。、：:\s]{0,8}(?:记住|记一下|记下|记着|记得|记好|備忘|备忘|存一下|更正|别忘|忘れないで|覚えて|メモ|控えて|訂正|間違え|違います|搞错|说错|有误"
    r"|提醒|跟你说一声|告诉你一声|更新)[^，。、：:\s]{0,6}[，、：:\s]+"
)
_CLOSING_UNSPACED = re.compile(
    r"[，、；]\s?[^，。、；：]{0,6}(?:记住|记牢|记好|记下|记准|别忘|忘了|覚えておいて|覚えといて|忘れないで|メモして)[^，。、；：]{0,5}(?=[。！!]?$)"
)


def without_frames(text: str) -> str:
    """A sentence without a frame in front and one behind; what is left keeps its last stop."""
    if is_unspaced(text):
        opening = _OPENING_UNSPACED.match(text)
        return _CLOSING_UNSPACED.sub("", text[opening.end() :] if opening else text)
    ends = [found.end() for found in _BREAK.finditer(text, 2, LONGEST)]
    text = text[next((end for end in reversed(ends) if _is_frame(text[:end])), 0) :]
    end = len(text.rstrip(_STOPS))
    closing = _CLOSING.search(text, max(0, end - LONGEST), end)
    if closing and _is_frame(closing[0]):
        return text[: closing.start()] + text[end:].strip()
    return text


def _is_frame(clause: str) -> bool:
    words = [word.casefold().replace("’", "'") for word in _WORD.findall(clause)]
    told = TELLING.intersection(words)
    denied = not NOES.isdisjoint(words) and told.isdisjoint(ALSO_DENIED)
    return bool(told) and not denied and all(word in TELLING or word in SMALL for word in words)
