"""Words that say nothing about what a query is after, in the languages we index by words."""

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

ENGLISH = frozenset(_ENGLISH.split())
"""Those of English alone."""

STOPWORDS: frozenset[str] = frozenset(
    " ".join((_ENGLISH, _GERMAN, _FRENCH, _SPANISH, _PORTUGUESE, _ITALIAN, _DUTCH)).split()
)
