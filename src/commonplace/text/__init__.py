"""Normal forms of text: what is stored, what counts as the same, and the terms that are indexed.

Terms are made here rather than by a database's tokenizer, so that every engine indexes the
same words: lower case without accents, English stems, identifiers whole and in parts, and
single characters and pairs for Chinese, Japanese and Korean. A text that is not in English has
the stems of its own language beside them.
"""

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator
from datetime import UTC, datetime, timedelta
from functools import cached_property, lru_cache
from hashlib import blake2b

import Stemmer

from commonplace.text.languages import can_stem, language, stem_in
from commonplace.text.normal_forms import normal_form
from commonplace.text.stopwords import BY_LANGUAGE, STOPWORDS

TERM_LENGTH_LIMIT = 64
STRETCH = 65_536  # characters looked at in one go
QUERY_TERM_LIMIT = 32
CHARACTERS_PER_TOKEN = 4

_CJK = "\u3005\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003134f"
_ASCII_TOKEN = re.compile(r"[A-Za-z0-9]+(?:['._@+#/:-]+[A-Za-z0-9_]+|_+[A-Za-z0-9_]+)*(?:\+\+|#)?")
_PLAIN_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
_PART = re.compile(r"[^\W_]+")
_CAMEL = re.compile(r"[a-z][A-Z]")
_CAMEL_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_BLANKS = re.compile(r"\s+")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_STEMMER = Stemmer.Stemmer("english")


class _Wide:
    """Patterns for text beyond ASCII. They take 10 ms to compile: only those who meet such text pay."""

    @cached_property
    def character(self) -> re.Pattern[str]:
        return re.compile(f"[{_CJK}]")

    @cached_property
    def token(self) -> re.Pattern[str]:
        word = rf"[^\W_{_CJK}]+(?:['._@+#/:-]+[^\W{_CJK}]+|_+[^\W{_CJK}]+)*(?:\+\+|#)?"
        return re.compile(rf"[{_CJK}]+|{word}")

    @cached_property
    def invisible(self) -> re.Pattern[str]:
        return re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\U000e0000-\U000e007f]")

    @cached_property
    def flag_emoji(self) -> re.Pattern[str]:
        """The flag of a region, such as England's: a black flag, the region's code as tags, and their end."""
        letter, digit = "\U000e0061-\U000e007a", "\U000e0030-\U000e0039"
        return re.compile(f"\U0001f3f4[{letter}]{{2}}[{letter}{digit}]{{1,3}}\U000e007f")

    @cached_property
    def flagged(self) -> dict[str, re.Pattern[str]]:
        """What hides text, by name. One joiner, mark or selector is ordinary; a row of them is a message."""
        return {
            "tag_characters": re.compile("[\U000e0000-\U000e007f]"),
            "bidirectional_override": re.compile("[\u202a-\u202e\u2066-\u2069]"),
            "invisible_characters": re.compile(
                "[\u206a-\u206f\ufff9-\ufffb]|[\u061c\u200b-\u200f\u2060-\u2064\ufeff]{4,}|"
                "[\ufe00-\ufe0f\U000e0100-\U000e01ef]{2,}"
            ),
        }

    @cached_property
    def unseen(self) -> re.Pattern[str]:
        """What is shown as an escape: all that is flagged, controls, and what no script or emoji needs.

        Thai, Lao, Burmese and Khmer break lines at a zero-width blank.
        """
        flagged = "|".join(pattern.pattern for pattern in self.flagged.values())
        controls = "[\x00-\x08\x0b-\x1f\x7f-\x9f\u180e\u2028\u2029\u2060-\u2064\ufeff]"
        return re.compile(
            f"(?P<flag>{self.flag_emoji.pattern})|{flagged}|{controls}|"
            "(?<![\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff])\u200b"
        )


_WIDE = _Wide()


def normalise(text: str) -> str:
    """What is stored: composed characters, Unix line ends, no blanks around it."""
    composed = text if text.isascii() else normal_form("NFC", text)
    return composed.replace("\r\n", "\n").replace("\r", "\n").strip()


def collapse(text: str) -> str:
    """One blank for every run of them."""
    return _BLANKS.sub(" ", normalise(text)).strip()


def fold(text: str) -> str:
    """What two texts have in common when they say the same letter for letter, whatever their case."""
    return collapse(text).casefold()


def text_key(text: str) -> int:
    """A number by which texts that are the same when folded find each other."""
    return int.from_bytes(blake2b(fold(text).encode(), digest_size=8).digest(), "big", signed=True)


def without_invisible(text: str) -> str:
    """Without zero-width, bidirectional and tag characters, which hide text from a reader."""
    return text if text.isascii() else _WIDE.invisible.sub("", text)


def visible(text: str) -> str:
    """A text that a person sees all of and that cannot steer a terminal: what would not be seen is written as `\\x1b`.

    Joiners, direction marks and selectors as languages and emoji use them stay as they are.
    """
    return _shown(text.replace("\r\n", "\n"), _as_in_python)


def visible_json(document: str) -> str:
    """A JSON document that says the same and shows all of it on a terminal."""
    return _shown(document, _as_in_json)


def flags(text: str) -> tuple[str, ...]:
    """What in a text is hidden from whoever looks at it and not from a model; nothing for ordinary writing."""
    if text.isascii():
        return ()
    text = _WIDE.flag_emoji.sub(" ", text)
    return tuple(name for name, pattern in _WIDE.flagged.items() if pattern.search(text))


def _shown(text: str, written: Callable[[int], str]) -> str:
    if text.isascii():
        return text if text.isprintable() else _CONTROL.sub(lambda found: written(ord(found[0])), text)

    def replaced(found: re.Match[str]) -> str:
        if found["flag"] is not None:
            return found["flag"]
        return "".join(written(ord(character)) for character in found[0])

    return _WIDE.unseen.sub(replaced, text)


def _as_in_python(code: int) -> str:
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _as_in_json(code: int) -> str:
    if code < 0x10000:
        return f"\\u{code:04x}"
    return f"\\u{0xD800 + (code - 0x10000 >> 10):04x}\\u{0xDC00 + (code & 0x3FF):04x}"


def tidy_tags(tags: Iterable[str]) -> tuple[str, ...]:
    """Tags in their normal form, each once."""
    return tuple(dict.fromkeys(normalise(tag) for tag in tags))


def slug(text: str) -> str:
    """A topic's canonical form: `Deploy schedule` and `deploy_schedule` are `deploy-schedule`."""
    return "-".join(_PART.findall(fold(without_invisible(text))))


def estimate_tokens(text: str) -> int:
    """About how many tokens a model will count: four characters each, one for a CJK character."""
    wide = 0 if text.isascii() else len(_WIDE.character.findall(text))
    return max(1, wide + (len(text) - wide + CHARACTERS_PER_TOKEN - 1) // CHARACTERS_PER_TOKEN)


def terms(text: str) -> list[str]:
    """The terms to index, in the order of the text, with repeats."""
    if text.isascii():  # most texts, and each of a book's is read again and again
        return [term for token in _tokens(text) for term in _word_terms(token[: TERM_LENGTH_LIMIT * 4])]
    return [term for token in _tokens(text) for term in _token_terms(token)]


def stems(text: str) -> list[str]:
    """What a text that is not in English is indexed by beside its terms: stems of its own language, where they differ.

    Both, because no guess at a language is sure, and what was indexed without them is still found by its terms.
    """
    return _stems_of(_tokens(text), language(text))


def content_terms(text: str) -> list[str]:
    """The terms that say something: each once, without those of stop words."""
    return list(dict.fromkeys(term for token in _telling(text) for term in _query_token_terms(token)))


def query_terms(text: str) -> list[str]:
    """The terms to look for, with stems in the text's language; those of stop words only if there is nothing else."""
    wanted = content_terms(text) or list(dict.fromkeys(term for token in _tokens(text) for term in _token_terms(token)))
    return list(dict.fromkeys((*wanted, *_stems_of(_telling(text), language(text)))))[:QUERY_TERM_LIMIT]


def matched_words(query: str, found: Collection[str]) -> list[str]:
    """The words of a query, as they are written there, that are among the terms found; of an identifier, its parts."""
    spoken = language(query)
    words: dict[str, str] = {}
    for token in _telling(query) or _tokens(query):
        inflected = any(stem in found for stem in _stems_of([token], spoken))
        for word in _matched(token, found) or ([token] if inflected else []):
            words.setdefault(word.lower(), word)
    return list(words.values())


def words_in_common(query: str, text: str) -> list[str]:
    """The words of a text, as they are written there, that it has in common with a query, in the query's order."""
    spoken, asked = language(text), language(query)
    written = {token: {*_token_terms(token), *_stems_of([token], spoken)} for token in _tokens(text)}
    as_written = {token.lower(): token for token in written}
    words: dict[str, str] = {}
    for word in matched_words(query, {term for found in written.values() for term in found}):
        said = as_written.get(word.lower())
        if said is None and not is_wide(word):
            wanted = {*_token_terms(word), *_stems_of([word], asked)}
            token = next((token for token, found in written.items() if found & wanted), word)
            said = word if word.lower() in _PART.findall(token.lower()) else token  # 'day' of 'deploy-day'
        words.setdefault((said or word).lower(), said or word)
    return list(words.values())


def slugs_within(text: str, longest: int = 4) -> list[str]:
    """Every run of up to `longest` words as a slug: the topics a query may be naming."""
    words = _PART.findall(fold(without_invisible(text)))[:QUERY_TERM_LIMIT]
    return list(
        dict.fromkeys(
            "-".join(words[start : start + size])
            for size in range(1, longest + 1)
            for start in range(len(words) - size + 1)
        )
    )


def _tokens(text: str) -> list[str]:
    if len(text) > STRETCH:
        return [token for stretch in _stretches(text) for token in _tokens(stretch)]
    if text.isascii():
        return _ASCII_TOKEN.findall(text)
    return _WIDE.token.findall(normal_form("NFKC", without_invisible(text)).replace("\u2019", "'"))


def _telling(text: str) -> list[str]:
    """The tokens of a text without stop words: those of every language, and those of its own."""
    silent = BY_LANGUAGE.get(language(text), STOPWORDS)
    lowered = ((token, token.lower()) for token in _tokens(text))
    return [token for token, word in lowered if word not in STOPWORDS and word not in silent]


def _stems_of(tokens: Iterable[str], spoken: str) -> list[str]:
    if not can_stem(spoken):
        return []
    words = [_without_elision(token.lower()) for token in tokens if not is_wide(token)]
    plain = [word for word in words if len(word) <= TERM_LENGTH_LIMIT and _PLAIN_WORD.fullmatch(word)]
    pairs = ((_bare(stem_in(spoken, word)), _stem(word)) for word in plain)
    return [stem for stem, usual in pairs if stem and stem != usual]


def _stretches(text: str) -> Iterator[str]:
    """A long text in parts, between words where there are blanks: others may want to run in between."""
    start = 0
    while len(text) - start > STRETCH:
        blank = max(text.rfind(mark, start, start + STRETCH) for mark in " \n")
        end = blank + 1 if blank > start else start + STRETCH
        yield text[start:end]
        start = end
    yield text[start:]


def is_wide(token: str) -> bool:
    """Whether it is of a script that is written without blanks between words."""
    return not token.isascii() and _WIDE.character.match(token) is not None


def _query_token_terms(token: str) -> list[str]:
    if not is_wide(token):
        return list(_token_terms(token))
    return [token[i : i + 2] for i in range(len(token) - 1)] or [token]


def _matched(token: str, found: Collection[str]) -> list[str]:
    if is_wide(token):
        return [term for term in _query_token_terms(token) if term in found]
    whole, *parts = _word_terms(token[: TERM_LENGTH_LIMIT * 4])
    if whole in found or not parts:
        return [token] if whole in found else []
    written = (_CAMEL_PART if _CAMEL.search(token) else _PART).findall(token)
    return [part for part in written if _stem(part.lower()) in found]


def _token_terms(token: str) -> Iterator[str]:
    if is_wide(token):
        yield from token
        yield from (token[i : i + 2] for i in range(len(token) - 1))
    else:
        yield from _word_terms(token[: TERM_LENGTH_LIMIT * 4])


@lru_cache(maxsize=16_384)
def _word_terms(token: str) -> tuple[str, ...]:
    """A word's stem; of an identifier or a camelCase name the whole and the stems of its parts."""
    lowered = token.lower()
    if _CAMEL.search(token):
        parts = [part.lower() for part in _CAMEL_PART.findall(token)]
    elif _PLAIN_WORD.fullmatch(lowered):
        return (_stem(_without_elision(lowered)),)
    else:
        parts = _PART.findall(lowered)
    whole = _stem(lowered) if _PLAIN_WORD.fullmatch(lowered) else _bare(lowered)
    return tuple(dict.fromkeys([whole, *(_stem(part) for part in parts if len(part) > 1 or part.isdigit())]))


def _without_elision(word: str) -> str:
    """`l'eglise` is looked for as `eglise`."""
    head, apostrophe, tail = word.partition("'")
    return tail if apostrophe and len(head) <= 2 and len(tail) > 2 else word


def _stem(word: str) -> str:
    bare = word if word.isascii() else _without_accents(word)
    return _bare(_STEMMER.stemWord(bare)) if bare.isascii() and not bare.isdigit() else _bare(bare)


def _bare(word: str) -> str:
    return _without_accents(word).replace("'", "")[:TERM_LENGTH_LIMIT]


def _without_accents(word: str) -> str:
    if word.isascii():
        return word
    split = normal_form("NFKD", word.casefold())
    return "".join(character for character in split if not unicodedata.combining(character))


def show_time(at: int) -> str:
    """A moment in milliseconds as ISO 8601, UTC, to the millisecond."""
    moment = datetime.fromtimestamp(0, UTC) + timedelta(milliseconds=at)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
