"""Our tokenizer agrees with the `tokenizers` library."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import BertWordPieceTokenizer

from commonplace.errors import PackDamaged
from commonplace.models.packs import DEFAULT_PACK, PACKS
from commonplace.models.wordpiece import MAX_CHARACTERS, MAX_WORD_CHARACTERS, WordPiece, read_vocabulary, words

CORPORA = Path(__file__).parent.parent / "corpora"
NO_LIMIT = 1 << 30
MAX_NEWER_CHARACTERS = 1000

LANGUAGES = """
The quick brown fox doesn't jump over 13 lazy dogs — it can't, won't & shan't!
Der Füßgänger grüßt Frau Müller-Lüdenscheidt um 7:30 Uhr; STRAẞE und Maß.
L'élève naïf a mangé des œufs à la crème brûlée, n'est-ce pas ? « Évidemment ! »
¿Dónde está el niño? ¡Mañana volverá a España, según él!
Ação, coração e pão: não há razão para preocupação.
Zażółć gęślą jaźń. Łódź, Kraków i Gdańsk.
Příliš žluťoučký kůň úpěl ďábelské ódy.
Árvíztűrő tükörfúrógép. Ötven évvel később.
İstanbul'da ığdır ve IĞDIR; şoför çok üzgün.
Ελληνικά: ΟΔΥΣΣΕΥΣ, ο Οδυσσεύς και το τέλος.
Съешь же ещё этих мягких французских булок, да выпей чаю. Йод!
Ґанок, їжак, єнот і ґудзик.
Համեղ ծիրան և նուռ։
עברית: שָׁלוֹם עֲלֵיכֶם, מה שלומך?
العربية: مُحَمَّدٌ يَذْهَبُ إِلَى المَدْرَسَةِ، أليس كذلك؟
فارسی: می‌خواهم کتاب‌ها را بخوانم.
हिन्दी: मैं स्कूल जा रहा हूँ। क्या तुम आओगे?
বাংলা: আমি ভাত খাই।
தமிழ்: நான் பள்ளிக்குச் செல்கிறேன்.
ไทย: ฉันชอบกินข้าวผัดกระเพรา
ລາວ: ສະບາຍດີ
မြန်မာ: မင်္ဂလာပါ
ქართული: გამარჯობა, როგორ ხარ?
Tiếng Việt: Tôi không hiểu điều đó, xin lỗi bạn nhé!
한국어: 안녕하세요, 만나서 반갑습니다. 서울특별시
日本語: 私は東京に住んでいます。ﾊﾝｶｸ カタカナ、ガギグゲゴ パピプペポ「引用」
中文：我喜欢吃北京烤鸭，你呢？繁體字：臺灣龍鳳。𠀀𪜀 豈更
Bahasa Indonesia: saya tidak tahu apa-apa tentang itu.
Kiswahili: hakuna matata, rafiki yangu.
Yorùbá: ẹ káàárọ̀, ṣé dáadáa ni?
👍🏽 👨‍👩‍👧‍👦 🇩🇪 ❤️‍🔥 family: 👩🏿‍🚀 went to 🚀🌕!!! 🫠🫨 :-) ¯\\_(ツ)_/¯
def f(x: int) -> str: return f"{x!r:>10}"  # naïve_snake_case camelCase HTTPServer2
https://example.org/a/b?c=d&e=%20#frag user.name+tag@example.co.uk C:\\Users\\me\\file.txt
E = mc², ∑ᵢ₌₁ⁿ xᵢ ≤ ∞, ½ + ¼ = ¾, 5 °C, 10 µm, №7, ™ ® © § ¶ † ‡ … ‰
ﬁnance ﬂow ﬃ ǅ Ǆ ǆ ß ſ Å Å K Ω ｆｕｌｌｗｉｄｔｈ １２３ ①②③ Ⅷ
[CLS] and [SEP] and [MASK] and [UNK] and [PAD] are plain text here
`$^~|<>+= are symbols that BERT takes for punctuation
""".strip().splitlines()

ODD = [
    "",
    " ",
    "\t\r\n",
    "a\x00b\ufffdc",
    "zero\u200bwidth\u200djoiner\ufeffbom soft\u00adhyphen",
    "nbsp\u00a0narrow\u202fideographic\u3000line\u2028paragraph\u2029next\x85vertical\x0btab\x0cfeed\x1cfs",
    "e\u0301 \u0301 a\u0315\u0300\u05ae\u0300b \u0344",
    "x" * MAX_WORD_CHARACTERS,
    "x" * (MAX_WORD_CHARACTERS + 1),
    "İ" * MAX_WORD_CHARACTERS,
    "unaffable " * 300,
    "的" * 700,
    "\U0001faea\U000e0041\ue000private \U0010ffff",
]


@pytest.fixture(scope="module")
def vocabulary(models: Path) -> dict[str, int]:
    pack = PACKS[DEFAULT_PACK]
    return read_vocabulary((models / pack.name / pack.vocabulary.name).read_bytes())


@pytest.fixture(scope="module")
def ours(vocabulary: dict[str, int]) -> WordPiece:
    return WordPiece(vocabulary)


@pytest.fixture(scope="module")
def theirs(vocabulary: dict[str, int]) -> BertWordPieceTokenizer:
    tokenizer = BertWordPieceTokenizer(vocabulary, lowercase=True)
    tokenizer._tokenizer.encode_special_tokens = True
    return tokenizer


def _their_words(theirs: BertWordPieceTokenizer, text: str) -> list[str]:
    normalised = theirs._tokenizer.normalizer.normalize_str(text)
    return [word for word, _ in theirs._tokenizer.pre_tokenizer.pre_tokenize_str(normalised)]


@pytest.fixture(scope="module")
def newer_characters(theirs: BertWordPieceTokenizer) -> str:
    """Characters on which the two Unicode tables differ: assigned or changed after Unicode 8."""
    differing: list[str] = []
    codes = [code for code in (*range(0x20000), *range(0x20000, 0x110000, 97)) if not 0xD800 <= code < 0xE000]
    for begin in range(0, len(codes), 1000):
        block = [chr(code) for code in codes[begin : begin + 1000]]
        joined = "".join(f"a{character}b " for character in block)
        if words(joined) != _their_words(theirs, joined):
            differing += [c for c in block if words(f"a{c}b") != _their_words(theirs, f"a{c}b")]
    return "".join(differing)


@pytest.mark.parametrize("text", [*LANGUAGES, *ODD])
def test_languages_and_oddities_agree(text: str, ours: WordPiece, theirs: BertWordPieceTokenizer) -> None:
    assert ours.encode(text, NO_LIMIT) == theirs.encode(text).ids


def test_the_corpora_agree(ours: WordPiece, theirs: BertWordPieceTokenizer) -> None:
    rows = [json.loads(line) for file in CORPORA.glob("*.jsonl") for line in file.read_text("utf-8").splitlines()]
    texts = [value for row in rows for value in row.values() if isinstance(value, str)]
    assert len(texts) > 1000
    assert [ours.encode(text, NO_LIMIT) for text in texts] == [theirs.encode(text).ids for text in texts]


def test_every_character_in_use_agrees_but_for_a_few_newer_ones_no_model_knows(
    newer_characters: str, vocabulary: dict[str, int]
) -> None:
    assert len(newer_characters) < MAX_NEWER_CHARACTERS
    assert not set(newer_characters) & set("".join(vocabulary))


@settings(max_examples=500, deadline=None)
@given(data=st.data())
def test_any_text_agrees(
    data: st.DataObject, newer_characters: str, ours: WordPiece, theirs: BertWordPieceTokenizer
) -> None:
    anything = st.characters(exclude_categories=("Cs",), exclude_characters=newer_characters)
    text = data.draw(st.text(anything, max_size=200))
    assert ours.encode(text, NO_LIMIT) == theirs.encode(text).ids


@settings(max_examples=500, deadline=None)
@given(text=st.text(st.sampled_from("abcxyzAZ019 .,-'#_äéñßİΣσç的가\u0301\u200d\t👍"), max_size=120))
def test_any_everyday_text_agrees(text: str, ours: WordPiece, theirs: BertWordPieceTokenizer) -> None:
    assert ours.encode(text, NO_LIMIT) == theirs.encode(text).ids


@pytest.mark.parametrize("max_length", [2, 3, 8, 128, 512])
def test_truncation_agrees(max_length: int, ours: WordPiece, vocabulary: dict[str, int]) -> None:
    theirs = BertWordPieceTokenizer(vocabulary, lowercase=True)
    theirs.enable_truncation(max_length)
    for text in ["", "short", "unaffable " * 300, " ".join(LANGUAGES[:10])]:
        assert ours.encode(text, max_length) == theirs.encode(text).ids


def test_half_a_surrogate_pair_is_left_out(ours: WordPiece) -> None:
    assert ours.encode("a\ud83db", NO_LIMIT) == ours.encode("ab", NO_LIMIT)


def test_what_lies_beyond_the_character_limit_is_not_looked_at(ours: WordPiece) -> None:
    blank = " " * MAX_CHARACTERS
    assert ours.encode(blank + "hello", 512) == ours.encode("", 512)


def test_the_order_of_texts_does_not_matter_once_words_are_remembered(vocabulary: dict[str, int]) -> None:
    fresh, used = WordPiece(vocabulary), WordPiece(vocabulary)
    for text in LANGUAGES:
        used.encode(text, NO_LIMIT)
    assert [used.encode(text, NO_LIMIT) for text in LANGUAGES] == [fresh.encode(text, NO_LIMIT) for text in LANGUAGES]


def test_both_kinds_of_line_ends_are_read_alike() -> None:
    plain = b"[UNK]\n[CLS]\n[SEP]\n\xe2\x80\xa8\nhello\n"
    other = plain.replace(b"\n", b"\r\n")
    assert (
        read_vocabulary(plain)
        == read_vocabulary(other)
        == {"[UNK]": 0, "[CLS]": 1, "[SEP]": 2, "\u2028": 3, "hello": 4}
    )


@pytest.mark.parametrize("content", [b"", b"just\nwords\n", b"\xff\xfe\x00"])
def test_a_file_that_is_no_vocabulary_is_refused(content: bytes) -> None:
    with pytest.raises(PackDamaged, match="pull its model pack again"):
        read_vocabulary(content)
