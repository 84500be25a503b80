"""Cues that what is said is about a piece of work at hand, or is not the speaker's own: patterns in eight languages.

"Always start at zero" is a rule, and "in this chart always start at zero" a request of the moment. They are no verdict,
only told to the judge.
"""

import re

_PIECES = """paragraph sentence line table chart graph list text email e-mail mail letter draft script poem story scene
    chapter section column row intro introduction headline title summary essay article post tweet caption slide slides
    function query regex snippet version option figure diagram plot bio blurb speech reply answer message file page
    button quote invoice song verse dialogue exercise example picture image report
    absatz satz zeile tabelle diagramm grafik liste brief entwurf skript gedicht geschichte szene kapitel abschnitt
    spalte überschrift titel zusammenfassung aufsatz artikel beitrag folie funktion abfrage variante fassung antwort
    nachricht datei seite angebot rechnung rede lied übung beispiel bild bericht schreiben
    párrafo frase línea tabla gráfico gráfica lista texto correo carta borrador poema cuento escena capítulo sección
    columna fila introducción titular título resumen ensayo artículo función consulta opción versión respuesta mensaje
    archivo página presupuesto factura discurso canción ejercicio ejemplo imagen informe
    paragraphe phrase ligne tableau graphique liste texte courriel courrier lettre brouillon poème histoire scène
    chapitre colonne titre résumé article fonction requête option version réponse message fichier page devis facture
    discours chanson exercice exemple image rapport
    paragrafo frase riga tabella grafico lista testo lettera bozza poesia storia scena capitolo sezione colonna titolo
    riassunto articolo funzione opzione versione risposta messaggio pagina preventivo fattura discorso canzone esercizio
    esempio immagine pezzo brano capoverso
    parágrafo frase linha tabela gráfico lista texto carta rascunho poema história cena capítulo seção coluna título
    resumo artigo função consulta opção versão resposta mensagem arquivo página orçamento fatura discurso música
    exercício exemplo imagem relatório"""
_POINTING = """this that these those the my below above
    diese dieser dieses diesen diesem dies den dem der die das im meinen meine mein
    este esta esto estos estas ese esa el la los las mi
    ce cet cette ces le la les mon ma du
    questo questa questi queste il lo la i gli le mio mia nel nella
    este esta esse essa neste nesta nesse nessa deste desta o a os as meu minha no na"""
_WORDS = "|".join(dict.fromkeys(_PIECES.split()))
_POINTS = "|".join(dict.fromkeys(_POINTING.split()))
_THIS = re.compile(
    rf"\b(?:{_POINTS})\s(?:[^\W\d_]+\s)?(?:{_WORDS})\b|\bquell'\w+"
    r"|(?:这|那|下面|上面|上述)[^，。,]{0,4}[篇段句张封个份首表图信]|[这那][篇段句张封份首]|最后一[段句]"
    r"|[こそ下上](?:の|記の)[^、。]{0,4}(?:文|表|段落|手紙|メール|場面|文章|リスト|関数|図|案|段)|最後の(?:段落|文)",
    re.IGNORECASE,
)
_ONE_OF = re.compile(
    r"\b(?:option|variant|version|variante|opción|opção|opzione)\s(?:[a-d]|\d|one|two|three)\b"
    r"|\bthe\s(?:first|second|third|last|other|shorter|longer)\s(?:one|version|option|draft)\b"
    r"|\bdie\s(?:erste|zweite|dritte|letzte)\b|\b(?:la|el)\s(?:primera|segunda|tercera|segundo|tercero)\b"
    r"|\b(?:la|le)\s(?:première|deuxième|troisième|seconde|premier)\b|\b(?:la|il)\s(?:prima|seconda|terza)\b"
    r"|\ba\s(?:primeira|segunda|terceira)\b|第[一二三1-3]个|[一二三]番目",
    re.IGNORECASE,
)
_COUNTED = re.compile(
    r"\b(?:give|list|name|suggest|write|find|show|make|gib|nenn|schreib|liste|zeig|dame|ponme|hazme"
    r"|haz|escríbeme|dime"
    r"|donne|écris|fais|propose|trouve|dammi|scrivi|scrivimi|elencami|proponi|dá|escreve|faz|lista|sugere)"
    r"(?:-moi|\sme|\smir|\sus|-me)?\s(?:\w+\s)?(?:\d{1,3}|a|an|one|two|three|four|five|six|seven"
    r"|eight|ten|ein|eine|zwei|drei|fünf|sechs"
    r"|zehn|un|una|uno|dos|tres|cinco|seis|diez|une|deux|trois|cinq|six|dix|due|tre|cinque|sei|dieci"
    r"|um|uma|dois|três|dez)\b"
    r"|[给写列起][^，。]{0,4}[一二三四五六七八九十两几\d]+[个条句点]|[写做编]个|[つ案本句個]\s?(?:出して|考えて|書いて|くれ|お願い)|を(?:書いて|作って|考えて)",
    re.IGNORECASE,
)
_NOTICE = re.compile(
    r"\b(?:dear (?:all|customers?|residents?|tenants?|colleagues?|team|sir)|notice to|sehr geehrte"
    r"|liebe (?:kund|mieter|kolleg|eltern)"
    r"|estimad[oa]s?|querid[oa]s (?:vecin|cliente|padre)|ch[eè]re?s (?:clients?|résidents?|parents?"
    r"|collègues?|voisins?)|madame, monsieur"
    r"|gentil[ei] (?:client|condomin|genitor|signor)|egregi|spett(?:abile|\.)|prezad[oa]s?"
    r"|senhores (?:pais|clientes|moradores)"
    r"|best regards|kind regards|mit freundlichen|cordiali saluti|cordialement|atentamente|atenciosamente"
    r"|lg|mfg|readme|changelog|the (?:manual|notice|sign|readme|clause|contract|docs?) (?:says?"
    r"|reads?|states?)|steht:"
    r"|art(?:icle|ikel|ículo|icolo|igo)?\.?\s\d+|cl(?:ause|áusula|ausola)\s\d+|section\s\d+)\b|§\s?\d"
    r"|各位|敬请|尊敬的|皆様|お知らせ|【|第[一二三四五六七八九十\d]+条",
    re.IGNORECASE,
)
_ARROW = re.compile(r"[↑↓⬆⬇]|^[ \t]{0,8}>|\^\^|--[ \t]{0,8}$|^[ \t]{0,8}--", re.MULTILINE)
_SAY = re.compile(
    r"\b(?:they|people|everyone|everybody|some guy|a guy|the guy|my (?:friend|teacher|boss|neighbou?r"
    r"|cousin)) (?:all )?(?:says?|said|swears?|thinks?)\b"
    r"|\b(?:alle|man|die leute) sag(?:en|t)\b|\b(?:dicen|todos dicen)\b|\btout le monde dit\b"
    r"|\btutti dicono\b|\btodo mundo (?:diz|fala)\b"
    r"|大家都说|都说|みんな言|って言う",
    re.IGNORECASE,
)
_OF_SENTENCE = {"this piece": _THIS, "one of them": _ONE_OF, "counted": _COUNTED, "people say": _SAY}
_OF_TURN = {"turn notice": _NOTICE, "turn arrow": _ARROW, "turn piece": _THIS, "turn counted": _COUNTED}
LOOKED_AT = 2_000  # letters of a turn


def of_sentence(sentence: str) -> list[str]:
    """What a sentence tells of a piece at hand."""
    return [name for name, pattern in _OF_SENTENCE.items() if pattern.search(sentence)]


def of_turn(text: str) -> list[str]:
    """What the beginning of a turn tells of one."""
    text = text[:LOOKED_AT]
    return [name for name, pattern in _OF_TURN.items() if pattern.search(text)]
