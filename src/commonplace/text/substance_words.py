"""What words count for when two statements are compared: numbers, opposites, synonyms, and words of change.

English first; the words for numbers, days, negation and change of the other languages we index stand with them.
Words are written as people write them and compared by their stems.
"""

from collections.abc import Iterator, Mapping, Set
from functools import cache, lru_cache

from commonplace.text import terms


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


class Phrases:
    """Phrases to be looked up in what was said, by their first words: most sentences have none of those."""

    def __init__(self, text: str) -> None:
        self.all = tuple(" ".join(phrase.split()) for phrase in text.split("|"))
        self._by_first: dict[str, list[str]] = {}
        for phrase in self.all:
            self._by_first.setdefault(phrase.split()[0], []).append(phrase)
        self._firsts = frozenset(self._by_first)

    def within(self, words: Set[str], said: str) -> list[str]:
        """Those that stand in a sentence, which is given as its words and as a text with blanks around each."""
        firsts = self._firsts & words
        if not firsts:
            return []
        found = [phrase for first in firsts for phrase in self._by_first[first] if f" {phrase} " in said]
        return sorted(found, key=said.index)


_COUNTED = """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
seventeen eighteen nineteen twenty|null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf|
- - deux trois quatre cinq six sept huit neuf dix onze douze|- - dos tres cuatro cinco seis siete ocho nueve diez once
doce|- first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth|
〇 一 二 三 四 五 六 七 八 九 十"""
_TENS = {"thirty": "30", "forty": "40", "fifty": "50", "sixty": "60", "seventy": "70", "eighty": "80", "ninety": "90"}
NUMBERS: Mapping[str, str] = {
    **{word: str(value) for row in _COUNTED.split("|") for value, word in enumerate(row.split()) if word != "-"},
    **_TENS,
    **{"hundred": "100", "thousand": "1000", "million": "1000000", "dozen": "12", "once": "1", "twice": "2"},
    **{"fifteenth": "15", "twentieth": "20", "thirtieth": "30"},
}

_DAYS = """monday mondays mon montag montags lundi lunes segunda-feira|tuesday tuesdays tue dienstag dienstags mardi
martes|wednesday wednesdays wed mittwoch mittwochs mercredi miércoles|thursday thursdays thu donnerstag donnerstags
jeudi jueves|friday fridays fri freitag freitags vendredi viernes|saturday saturdays sat samstag samstags samedi
sábado|sunday sundays sun sonntag sonntags dimanche domingo"""
_MONTHS = """january jan januar janvier enero janeiro|february feb februar février febrero fevereiro|march mar märz
mars marzo março|april apr avril abril|may mai mayo maio|june jun juni juin junio junho|july jul juli juillet julio
julho|august aug août agosto|september sep sept septembre septiembre setembro|october oct oktober octobre octubre
outubro|november nov novembre noviembre novembro|december dec dezember décembre diciembre dezembro"""
_OFTEN = "hourly|daily|weekly|fortnightly biweekly|monthly|quarterly|yearly annually annual"


def _numbered(rows: str, name: str) -> Iterator[tuple[str, str]]:
    for place, row in enumerate(rows.split("|"), 1):
        for word in row.split():
            yield word, f"{name}:{place}"


CALENDAR: Mapping[str, str] = {
    **dict(_numbered(_DAYS, "day")),
    **dict(_numbered(_MONTHS, "month")),
    **dict(_numbered(_OFTEN, "often")),
}

NEGATIONS = _words(
    """not no never none nobody nothing neither nor nowhere without cannot hardly barely nicht kein keine keinen
    keinem
    keiner keines nie niemals nichts ohne niemand ne n sans non nunca jamás ningún ninguna
    ninguno nada sin nadie tampoco não nem nenhum nenhuma sem ninguém nessuno nessuna niente senza"""
)
_OPPOSITES = """indoors outdoors|indoor outdoor|male female|open closed close closes shut|enabled disabled|
enable disable|enables disables|allowed
forbidden banned
prohibited blocked|allow deny forbid|allows denies forbids|required optional|likes dislikes hates|like dislike
hate|loves
hates|
include exclude|includes excludes|included excluded|accepted rejected refused|accept reject refuse|accepts rejects
refuses|success failure|passed failed|passes fails|public private|online offline|light dark|hot cold|heated cold|warm
cold|married single divorced|electronic paper|digital paper|automatic manual|automatically manually hand|long short
shorter|longer shorter|more less fewer|above below|before after|start stop|starts stops|started stopped|inside
outside|
safe unsafe|sync async|synchronous asynchronous|minimum maximum|min max|increase decrease|left right|first last|
internal external|early late|available unavailable|visible hidden|works broken|working broken|alive dead|full empty|
employed unemployed|present absent|true false|valid invalid|keep delete|add remove|adds removes|added
removed|buy sell|win lose|won lost|high low|on off|always never|prefer avoid|prefers avoids|resumed hold|free paid|
paid unpaid|encrypted unencrypted|locked unlocked|supported unsupported|supports lacks|has lacks|vegetarian meat|
vegan meat|sober alcohol|wireless cable"""
NEGATIVES = _words(
    """closed close closes shut shuts disabled disable disables forbidden banned prohibited deny denies forbid forbids
    excluded exclude excludes rejected reject rejects refused refuse refuses avoid avoids offline lacks lack
    unavailable
    unsupported unpaid unencrypted unlocked stop stops stopped fails failed off removed remove removes absent
    missing cancelled canceled called-off without shorter fewer dislikes dislike hates hate gone"""
)
"""Words that say no without a negation: two of them, or one and a negation, say yes."""

_SYNONYMS = """main primary principal|start begin commence trigger|switch turn|
night overnight|practice rehearse rehearsal|end finish conclude|company firm business|fix repair|
delete erase|remove drop|purchase buy|large big|small little tiny|quick fast rapid|error bug defect|test check|
server machine host|reside live|home house|job work|child children kid|mother mum mom|father dad|pick choose select|
use employ
utilise utilize|require need|permit allow|forbid prohibit ban|meeting appointment|mail email e-mail|phone telephone|
picture photo image|document file|directory folder|repository repo|database db datastore|application
app|production prod|development dev|environment env|configuration config settings|password passphrase|message text|
answer reply respond|brief short concise terse|detailed long verbose|show display|
scare afraid fear|own belong possess ownership|lead manage head supervise|handle process|located stand situated lie|hold
happen occur|couple pair|holiday vacation|flat apartment|lease rental|lorry truck|car vehicle|film movie|
rubbish trash garbage|invoice bill|staff employee worker|manager boss|doctor physician|lawyer attorney|deadline due|
deploy ship|keep retain|limit maximum cap|cost price|licence license|euro eur|dollar usd|minute min|second sec|
volunteer participant|controller gamepad|cancel call-off|dislike hate|shut close|lift elevator|due payable|
retain keep|legacy old|wrong
incorrect|take took taken|go went gone|give gave given|write wrote written|teach taught|
send sent|build built|drive drove driven|speak spoke spoken|run ran|begin began begun|choose chose chosen|think thought|
make made|hold held|meet met|pay paid|win won|break broke broken|grow grew grown|know knew known|wear wore worn|
ride rode|eat ate eaten|drink drank|sing sang|swim swam|sleep slept|spend spent|lend lent|huge large|sample example|
favourite preferred"""

_FIELDS = """live address home move flat house reside stay|work job employ office full-time part-time company hire|
vegetarian vegan meat eat food diet fish|married single wife husband divorced engaged partner|drive car licence
driving|phone call ring reach contact message text|store stored warehouse goods|payment pay card transaction checkout|
database data cluster store migrate|test exam pass|backup back restore|chart paper electronic document documentation|
smartphone phone iphone android mobile|money pay refund euro salary budget|internet wifi online connection starlink|
upload size limit|player multiplayer online together|coffee tea sugar milk black|open close hour until|expire valid
expiry|
host hosting cloud server provider deploy region|ci build pipeline runner|chat slack teams message channel|editor ide
vim code|language written rewritten code|bike train bus commute drive ride car|school kindergarten class teacher|
doctor
dentist clinic patient|bank account|insurance policy|wiki docs documentation notes|ticket issue tracker bug|monitoring
alert dashboard metric|newsletter mail email|paper supplier buy order|gym sport training|lunch restaurant canteen|
transaction payment invoice billing"""

DENIALS = Phrases(
    """actually|correction|in fact|after all|i was wrong|i misread|i mixed up|not true|that is not right|mistaken|
    by mistake|in reality|turns out|turned out|sorry|my mistake|scratch that|i meant|it should be|should read|
    contrary to|that was wrong|eigentlich|korrektur|falsch|en fait|en realidad|na verdade"""
)
OPENERS = _words("no nope nein non não wrong actually correction sorry oops wait falsch korrektur")
CHANGES = Phrases(
    """now|nowadays|no longer|any more|anymore|any longer|from now on|from today|from tomorrow|instead|for good|
    these days|since|again|by now|in the meantime|meanwhile|on from|this year on|down to|is over|are over|used to|
    is back|are back|in place of|instead of|no more|back to|returned to|in the end|finally|eventually|lately|the
    new|our new|
    my new|his new|her new|their new|went with|settled on|opted for|was elected|was appointed|was promoted|succeeds|
    succeeded|replaces|grew to|rose to|went up to|went down to|fell to|dropped to|shrank to|doubled|halved|turned
    down|
    turned up|turned off|turned on|switched off|switched on|ditched|resigned|was fired|was hired|broke up|got married|
    got divorced|passed away|expired|lapsed|merged|split up|taken down|was closed|were closed|was opened|phased out|
    rolled back|is history|put off|swapped|shifted|stepped down|moved out|moved in|moved|moves to|switched|switched to|
    migrated|dropped|replaced|took over|takes over|taken over|
    postponed|rescheduled|renamed|rebooked|reassigned|went to|changed|became|becomes|has quit|have quit|has left|
have left|she left|he
    left|they left|
    retired|resumed|cancelled|canceled|called off|removed|deprecated|stopped|stops|upgraded|downgraded|raised|lowered|
    increased|decreased|reduced|was cut|were cut|converted|transferred|relocated|sold|died|rewritten|ported|slipped|
    extended|shortened|delayed|swapped|reverted|reopened|graduated|abandoned|scrapped|ripped out|got rid of|gave up|
    gave notice|handed over|handed in|passed to|pulled forward|brought forward|pushed back|moved forward|is gone|
    are gone|is fixed|was fixed|has been fixed|was shut down|were shut down|was installed|were installed|approved|
    has put|have put|went
    back|jetzt|nun|nicht mehr|stattdessen|ab sofort|ab heute|seit|inzwischen|umgezogen|gewechselt|verschoben|
    maintenant|
    désormais|ne plus|dorénavant|depuis|ahora|ya no|desde|a partir de|agora|já não|não mais|adesso|ora|non più"""
)
POSSIBLE = _words("can could may might must should need needs")
"""What 'can be extended' has not changed."""
TOGETHER = Phrases(
    "also|too|as well|additionally|in addition|another|besides|likewise|auch|außerdem|aussi|también|também|anche"
)
PAST = Phrases(
    """until|used to|formerly|previously|before the|back then|at the time|in the past|bis|früher|damals|jusqu'en|
    antes|hasta"""
)
STILL = Phrases("yet|still|for now|at the moment|currently|on hold|planned for|noch|noch nicht|encore|todavía|ainda")
ONLY = Phrases(
    "only|exclusively|solely|the single|restricted to|limited to|nobody but|no one but|just|nur|seulement|solo|apenas"
)
BECAUSE = _words("because so unless although while whereas if weil porque")

EVERYBODY = Phrases("every|everyone|everybody|all|anyone|anybody|any|jeder|alle|tous|todos")
FUNCTIONAL = _words(
    """prefers prefer costs cost weighs called named becomes means equals measures rents favours favors chose picked
    heißt
    kostet coûte cuesta"""
)
"""Verbs with one object only: another one is another value."""
HAPPENED = _words(
    """ran got went came took had sent bought met saw wrote left made gave brought found lost won began broke chose
    grew
    put spoke drove ate drank read visited happened occurred failed crashed"""
)
"""What happened once may have happened again."""
APART = (
    *map(_words, ("up down", "half quarter double")),
    _words(
        """this next last today tomorrow yesterday tonight heute morgen gestern übermorgen vorgestern nächste nächsten
        nächster letzte letzten aujourd'hui demain hier prochain prochaine dernier dernière hoy mañana ayer pasado
        próximo próxima hoje amanhã ontem depois"""
    ),
)
"""Words that both of two texts have, or neither, when they say the same."""

RELATIVES = _words(
    """husband wife son daughter sister brother mother father parents parent mum dad uncle aunt cousin friend boss
    manager assistant colleague neighbour neighbor dog cat team partner girlfriend boyfriend grandfather grandmother
    niece nephew twin twins kids children"""
)
TAKE_TURNS = _words("opens closes starts stops begins ends arrives leaves departs enters exits rises sets")
"""What one thing does, and then its opposite: who opens at nine closes, too."""
SHARED_BY_MANY = _words(
    """speak speaks like likes love loves enjoy enjoys know knows have has own owns play plays eat eats drink drinks
    read reads visit visited support supports include includes contain contains offer offers sell sells teach teaches
    attend attends buy bought met saw allergic can could may fixed fix added add made wrote written got learned learnt
    hates hate dislikes collects studies studied had wants need needs requires fears bought allergic interested"""
)
"""Words whose object one may have several of: another one is no contradiction."""

AUXILIARIES = _words(
    """is are was were am be been has have had will would can could must may might shall should does do did ist sind
    war
    hat est sont es son é são"""
)
PRESENT = _words("is are am ist sind est sont es son")
VERBS = _words(
    """run runs ran live lives lived work works worked start starts started begin begins end ends ended open opens
    close
    closes take takes took cost costs need needs get gets got go goes went come comes came like likes love loves hate
    hates prefer prefers want wants know knows speak speaks teach teaches taught manage manages own owns lead leads
    led
    handle handles send sends sent store stores keep keeps kept hold holds support supports play plays eat eats drink
    drinks sleep sleeps write writes wrote read reads build builds built deploy deploys ship ships listen listens
    return
    returns allow allows accept accepts reject rejects belong belongs pay pays paid print prints pass passes passed
    fail
    fails failed drop drops dropped remove removes removed add adds added use uses used wear wears stay stays meet
    meets
    met arrive arrives leave leaves left land lands landed expire expires operate operates sign signs serve serves
    host
    hosts report reports depend depends sit sits stand stands drive drives drove ride rides move moved moves switch
    switched replace replaced resume resumed refuse refuses exist exists grow grows sell sells sold buy buys bought
    happen happens translate translates avoid avoids contain contains contains require requires approve approved left
    gave gives sent brought made said told found lost won began broke chose grew knew put quit spoke stood thought
    wore
    ripped asked tells handed went did says finds sees saw feeds feed deals deal sends bought moved graduated
    retired wohnt nutzt läuft arbeitet habite utilise vive usa trabaja trabalha"""
)
LIGHT = _words(
    """get gets got make makes made take takes took taken place do does done doing let lets give gives given go goes
    come
    comes keep put please thing things something someone somebody everything everyone each every always really about
    around roughly approximately currently today actually just already yet still even quite rather fully whole best
    able
    want told tell say says said moment set sets called name named uses use used using one ones there's user our
    people person available possible enough correction wrong sorry now new since longer anymore more again instead
    meanwhile well good fine also too only no not l d s pas plus"""
)


def stem(word: str) -> str:
    """A word by the first of its terms; what has no term is itself."""
    found = terms(word)
    return found[0] if found else word


def _grouped(rows: str) -> Iterator[list[str]]:
    for row in rows.split("|"):
        yield [stem(word) for word in row.split()]


@cache
def opposites() -> Mapping[str, frozenset[str]]:
    """The words that say the opposite of a word, all as stems."""
    found: dict[str, set[str]] = {}
    for first, *others in ([base(word) for word in row.split()] for row in _OPPOSITES.split("|")):
        found.setdefault(first, set()).update(others)
        for other in others:
            found.setdefault(other, set()).add(first)
    return {word: frozenset(others - {word}) for word, others in found.items()}


@cache
def synonyms() -> Mapping[str, str]:
    """One stem for all that mean the same."""
    return {word: first for first, *others in _grouped(_SYNONYMS) for word in others}


@lru_cache(maxsize=16_384)
def base(word: str) -> str:
    """The stem by which a word is compared: of words that mean the same, that of the first."""
    own = stem(word)
    return synonyms().get(own, own)


@cache
def fields() -> Mapping[str, frozenset[int]]:
    """The fields of life a stem belongs to, by number."""
    found: dict[str, set[int]] = {}
    for place, words in enumerate(_grouped(_FIELDS)):
        for word in words:
            found.setdefault(word, set()).add(place)
    return {word: frozenset(places) for word, places in found.items()}


@cache
def change_stems() -> frozenset[str]:
    """The stems of the words that say that something changed, but for a word that is more often a night shift."""
    return frozenset(stem(word) for phrase in (*CHANGES.all, *DENIALS.all) for word in phrase.split()) - {"shift"}


@cache
def negative_stems() -> frozenset[str]:
    """The stems of the words that say no without a negation."""
    return frozenset(map(base, NEGATIVES))


CONTRASTS: tuple[frozenset[str], ...] = tuple(
    frozenset(row.split())
    for row in """staging production prod development test testing local|winter summer spring autumn|windows linux
    macos|
    android ios iphone|frontend backend|morning evening noon night|staff guest visitor member|adult child|old new|
    left right|upstairs downstairs|inbound outbound|internal external|free paid|out back return home|weekday weekend|
    home
    office""".split("|")
)
