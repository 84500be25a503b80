"""Words that say nothing about what a query is after, by language."""

from collections.abc import Mapping
from types import MappingProxyType

_ENGLISH = """a about after again all also am an and any are aren't as at be because been before being
between both but by can can't cannot could couldn't did didn't do does doesn't doing don't down during each
few for from further had has have having he her here hers him his how i i'd i'll i'm i've if in into is
isn't it it's its just let's me more most my myself no nor not of off on once only or other our ours out
over own same she should so some such than that that's the their theirs them then there these they this
those through to too under until up us very was wasn't we were what what's when where which while who whom
whose why will with would you your yours"""
_GERMAN = """aber als am an auch auf aus bei bin bis da das dass dein dem den der des die doch du ein eine
einem einen einer eines er es für hat haben ich ihr im in ist ja kann mein mit nach nicht noch nur ob oder
sich sie sind so über um und uns unser von vor war was wenn wer werden wie wir wird wo zu zum zur"""
_FRENCH = """au aux avec ce ces cette dans de des du elle en est et il ils je la le les leur lui ma mais me
mes mon ne nos notre nous ou où par pas pour qu que quel quelle qui sa se ses son sont sur ta te tes toi ton
tu un une vos votre vous"""
_SPANISH = """al como con cual cuál cuándo de del donde dónde el ella en es esta este estos ha la las le lo
los me mi mis no nos o para pero por porque que qué quien quién se ser si sin sobre son su sus te tu un una
y ya yo"""
_PORTUGUESE = """ao aos com como da das de do dos e ela ele em é eu foi isso mais mas me meu minha na nas não
no nos o os ou para pela pelo por qual quando que quem se sem seu sua são um uma você"""
_ITALIAN = """al alla che chi ci come con cosa da dal dei del della di dove è e gli ha ho i il in io la le lo
ma mi mio nei nel nella non o per più quale quando si sono su sul tu un una"""
_DUTCH = """aan als bij dat de den der die dit door een en er had heb heeft het hij hoe hun ik in is je kan
maar me met mijn naar niet nog nu of om ons ook op te tot uit van voor waar was wat we wie wij ze zijn"""
_SWEDISH = """alla att av blev bli blir de dem den denna deras dess det detta dig din ditt du efter ej eller en
ett från för ha hade han har hennes hon hos hur här i inom inte jag kan ligger man med mellan men mig min mitt
mot mycket måste nu någon något några när och om oss på samma sedan sig sin sitt ska skulle som så till under
upp ut utan vad var vara vi vid vilka vilken vilket är över"""
_DANISH = """af at blev bliver da de dem den denne der deres det dig din du efter eller en er et for fra ham han
har havde hun hvad hvem hvis hvor hvordan hvornår i ikke ja jeg kan man med men mig min mod nej nogen noget nu når
og også om op os over på sig sin skal som til ud under var ved vi vil være"""
_NORWEGIAN = """at av ble blir da de deg dem den denne der det din du eller en er et etter for fra fram ha hadde
han har hun hva hvem hvis hvor hvordan i ikke ja jeg kan man med meg men min mot noe noen nå når og også om opp
oss over på seg sin skal som til under ut var ved vi vil være"""
_FINNISH = """ei ennen en että hän he ja jo joka jos kanssa koska kuin kun me minä missä mitä milloin mutta myös
ne niin nyt ole olen oli on ovat se sen sekä sinä tai te tämä vain vaan vielä"""
_POLISH = """ale bez bo być czy dla do gdzie go i jak jako je jego jej jest jestem już kiedy kto która które
który lub ma mam mi mnie moja mój na nad nie niż o od oraz po pod przez przy się są ta tak tam te tego tej ten to tu
ty tylko w we z za ze żeby"""
_TURKISH = """ama ancak ben bir biz bu çok da daha de değil diye en gibi hangi hem için ile ise kadar ki kim mi mı
nasıl ne neden nerede o olan olarak onun sen şu ve veya zaman"""
_RUSSIAN = """а без бы был была были было быть в вам вас весь во вот все всё вы где да для до его ее её если есть
еще ещё же за здесь и из или им их к как какая какие какой когда который кто ли мне мой моя мы на над нам нас не него
нет ни них но ну о об он она они оно от по под при с сам свой себя со так там тебя то тоже только тот ты у уже чем что
чтобы эта эти это этот я"""
_ARABIC = """أن أنا إلى إن التي الذي بعد بين ثم عن على في قبل كان كانت كل كم كيف لا لم لن ما متى مع من نحن هذا هذه هل هو
هي أو أي أين و يا"""
_HINDI = """और का की के को क्या कब कहाँ कैसे कौन था थी थे ने पर में मेरा मेरी मेरे मैं यह ये वह वे से हम हमारा हमारी हमारे है
हैं हूँ हो तो भी या लिए नहीं"""

# Of these only texts in the language are rid: to an English query `num` or `ver` may be what it asks about.
_MORE_GERMAN = """dir ihm ihn kein keine keinen man mich mir muss sein seine seit sehr wann warum welche
welchem welcher welches"""
_MORE_FRENCH = """a à ai as combien comment on plus pourquoi quand quelles quels sans si
soit y"""
_MORE_SPANISH = """a cada cuando cuánto cuánta cuántos cuántas e era está están eso esto fue hay hasta muy
más ni nuestra nuestro sí también"""
_MORE_PORTUGUESE = """a as à às ainda até cada era esta este está há isto já lhe muito nem nossa nosso num
numa onde porque pra são só também tem"""
_MORE_ITALIAN = """a ad agli ai anche alle allo abbiamo dai dalla delle degli ed era fra gli hanno ne noi
nostra nostro perché quanto quanti se sta tra"""
_MORE_DUTCH = """al alle deze dan geen hebben hem ja jij jullie mij moet onze toen u waarom wanneer welke
worden wordt zal zich zo"""

BY_LANGUAGE: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        language: frozenset(words.split())
        for language, words in (
            ("en", _ENGLISH),
            ("de", f"{_GERMAN} {_MORE_GERMAN}"),
            ("fr", f"{_FRENCH} {_MORE_FRENCH}"),
            ("es", f"{_SPANISH} {_MORE_SPANISH}"),
            ("pt", f"{_PORTUGUESE} {_MORE_PORTUGUESE}"),
            ("it", f"{_ITALIAN} {_MORE_ITALIAN}"),
            ("nl", f"{_DUTCH} {_MORE_DUTCH}"),
            ("ru", _RUSSIAN),
            ("sv", _SWEDISH),
            ("pl", _POLISH),
            ("tr", _TURKISH),
            ("da", _DANISH),
            ("no", _NORWEGIAN),
            ("fi", _FINNISH),
            ("ar", _ARABIC),
            ("hi", _HINDI),
        )
    }
)

ENGLISH = frozenset(_ENGLISH.split())
"""Those of English alone."""

STOPWORDS: frozenset[str] = frozenset(
    " ".join((_ENGLISH, _GERMAN, _FRENCH, _SPANISH, _PORTUGUESE, _ITALIAN, _DUTCH)).split()
)
"""Those that say nothing whatever a text's language is: what an English query leaves out is not to change."""
