"""A token is found however it is written down: escaped, encoded, cut, spelled. Bodies are made at run time."""

import base64
import json
import random
import string
from collections.abc import Callable

import pytest

from commonplace.secrets import find, form, reshaped
from commonplace.secrets.form import Form, edited, form_of

_GENERATOR = random.Random(20260802)
_ALNUM = string.ascii_letters + string.digits
_HEX = "0123456789abcdef"
_SIGNS = "_-"

Write = Callable[[str], str]


def body(size: int, alphabet: str = _ALNUM) -> str:
    return "".join(_GENERATOR.choices(alphabet, k=size))


PROVIDERS: dict[str, Callable[[], str]] = {
    "commonplace": lambda: f"cp_{body(12, _HEX)}_{body(43, _ALNUM + _SIGNS)}",
    "github": lambda: "ghp_" + body(36),
    "openai": lambda: "sk-proj-" + body(48),
    "anthropic": lambda: "sk-ant-api03-" + body(93) + "AA",
    "aws": lambda: "AKIA" + body(16, string.ascii_uppercase + "234567"),
    "slack": lambda: f"xoxb-{body(12, string.digits)}-{body(12, string.digits)}-{body(24)}",
    "stripe": lambda: "sk_live_" + body(24),
    "gitlab": lambda: "glpat-" + body(20),
    "npm": lambda: "npm_" + body(36),
    "google": lambda: "AIza" + body(35),
    "sourcegraph": lambda: f"sgp_{body(16, _HEX)}_{body(40, _HEX)}",
    "facebook": lambda: "EAA" + "CEdEose0cBA" + body(120),
}


def each_sign(write: Callable[[int], str]) -> Write:
    """Writes the signs of a token another way; of one that has none, its first letter."""

    def spell(token: str) -> str:
        signs = set(_SIGNS) & set(token) or {token[0]}
        first = token[0] if signs == {token[0]} else ""
        rest = token.removeprefix(first)
        spelled = "".join(write(ord(each)) if each in signs else each for each in rest) if not first else rest
        return (write(ord(first)) if first else "") + spelled

    return spell


def each_letter(write: Callable[[int], str]) -> Write:
    return lambda token: "".join(write(ord(each)) for each in token)


def encoded(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def wrapped(text: str, width: int = 64) -> str:
    return "\n".join(text[at : at + width] for at in range(0, len(text), width))


def with_each(separator: str) -> Write:
    return separator.join


def with_one(letters: dict[str, str]) -> Write:
    """One letter of the token as another alphabet has it."""

    def spell(token: str) -> str:
        for latin, other in letters.items():
            if latin in token:
                return token.replace(latin, other, 1)
        return token

    return spell


SPELLINGS: dict[str, Write] = {
    "as it is": lambda token: token,
    "Markdown escapes": lambda token: "".join(f"\\{each}" if each in _SIGNS else each for each in token),
    "decimal entities": each_sign(lambda code: f"&#{code};"),
    "hexadecimal entities": each_sign(lambda code: f"&#x{code:x};"),
    "named entities": lambda token: token.replace("_", "&lowbar;").replace("-", "&hyphen;"),
    "entities throughout": each_letter(lambda code: f"&#{code};"),
    "entities of entities": each_sign(lambda code: f"&amp;#{code};"),
    "percent": each_sign(lambda code: f"%{code:02X}"),
    "percent throughout": each_letter(lambda code: f"%{code:02x}"),
    "percent of percent": each_sign(lambda code: f"%25{code:02X}"),
    "unicode escapes": each_sign(lambda code: f"\\u{code:04x}"),
    "hexadecimal escapes": each_letter(lambda code: f"\\x{code:02x}"),
    "octal escapes": each_sign(lambda code: f"\\{code:03o}"),
    "mail": lambda token: token.replace("_", "=5F").replace("-", "=2D"),
    "JSON in JSON": lambda token: json.dumps(json.dumps({"key": token})),
    "Base64": encoded,
    "Base64 for addresses": lambda token: base64.urlsafe_b64encode(token.encode()).decode().rstrip("="),
    "Base64 of a setting": lambda token: encoded(f"TOKEN={token}\n"),
    "Base64 in lines": lambda token: wrapped(encoded(f"# settings\nexport TOKEN={token}\nPATH=/usr/bin\n" * 2)),
    "Base64 of Base64": lambda token: encoded(encoded(token)),
    "hexadecimal": lambda token: token.encode().hex(),
    "hexadecimal, capitals": lambda token: token.encode().hex().upper(),
    "hexadecimal, apart": lambda token: token.encode().hex(" "),
    "a Cyrillic letter": with_one({"p": "р", "o": "о", "s": "ѕ", "A": "А", "E": "Е", "c": "с"}),
    "a Greek letter": with_one({"A": "Α", "E": "Ε", "o": "ο", "p": "ρ", "v": "ν", "k": "κ"}),
    "a mark on a letter": lambda token: token[:2] + "\u0301" + token[2:],
    "struck through": lambda token: "".join(each + "\u0336" for each in token),
    "zero width": lambda token: token[:2] + "\u200b" + token[2:9] + "\u200d" + token[9:],
    "tag characters": lambda token: token[:3] + "\U000e0041" + token[3:],
    "full width": each_letter(lambda code: chr(code + 0xFEE0)),
    "commas": with_each(","),
    "commas and blanks": with_each(", "),
    "blanks": with_each(" "),
    "two blanks": with_each("  "),
    "dots": with_each("."),
    "slashes": with_each("/"),
    "bars": with_each("|"),
    "dashes": with_each("-"),
    "lines": with_each("\n"),
    "two strings added": lambda token: f"value = '{token[:8]}' + '{token[8:]}'",
    "two strings side by side": lambda token: f'("{token[:12]}" "{token[12:]}")',
    "two strings over lines": lambda token: f'"{token[:12]}" +\n        "{token[12:]}"',
    "two strings joined": lambda token: f'"{token[:12]}" . "{token[12:]}"',
    "wrapped": lambda token: token[:18] + "\n" + token[18:],
    "half bold": lambda token: f"**{token[:10]}**{token[10:]}",
    "half code": lambda token: f"`{token[:10]}``{token[10:]}`",
    "tags inside": lambda token: f"{token[:10]}<b>{token[10:16]}</b>{token[16:]}",
    "a comment inside": lambda token: f"{token[:10]}<!-- -->{token[10:]}",
    "signs in brackets": lambda token: token.replace("_", "[_]").replace("-", "[-]"),
}
LEAST_OF_EACH = 20


@pytest.fixture(autouse=True)
def the_same_tokens_whatever_ran_before() -> None:
    _GENERATOR.seed(20260802)


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_a_token_of_any_provider_is_found_in_every_spelling(spelling: str) -> None:
    missed = [
        name
        for name, token in PROVIDERS.items()
        for _ in range(LEAST_OF_EACH)
        if not find(f"note: {SPELLINGS[spelling](token())} end")
    ]
    print(f"\n{spelling:26} {len(PROVIDERS) * LEAST_OF_EACH:4} tokens, {len(missed)} missed", end="")
    assert missed == []


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_a_finding_is_at_the_place_of_the_spelled_token(spelling: str) -> None:
    """A session drops what the finding covers: all but a rest that nobody can use has to lie within it."""
    before, after = "Grüße – the note is ", " and so on"
    for token in PROVIDERS.values():
        spelled = SPELLINGS[spelling](token())
        text = before + spelled + after
        covered = sum(each.end - each.start for each in find(text))
        assert covered >= 0.5 * len(spelled), text
        assert all(len(before) <= each.start and each.end <= len(before) + len(spelled) for each in find(text))


@pytest.mark.parametrize("spelling", [name for name in SPELLINGS if name != "as it is"])
def test_ordinary_words_pass_in_every_spelling(spelling: str) -> None:
    """Undoing a spelling must not make a token of what never was one."""
    words = "the quick brown fox_jumps-over the lazy dog and runs to commit 9fceb02d0ae598e95dc970b74767f19372d61af8"
    for text in (
        words,
        f"see {words} again",
        words.replace(" ", "_"),
        "sk-learn npm_config_registry ghp_ AKIA cp_ " + words,
    ):
        assert find(SPELLINGS[spelling](text)) == (), text


@pytest.mark.parametrize(
    "text",
    [
        "cp_",
        "cp_settings_file and cp_0123456789ab_",
        "cp_0123456789ab_" + "x" * 43,
        "cp -r src/commonplace_0123456789ab_copy /tmp",
        "sgp_instance and slk_label",
        "EAA stands for the European Athletics Association",
        "EAABwzLixnjYBAExample",
        "| 1234567890123456|a cell of a table that goes on |",
        "data:image/png;base64," + base64.b64encode(bytes(range(256)) * 40).decode(),
        base64.b64encode(b"The quick brown fox jumps over the lazy dog. " * 20).decode(),
        encoded(encoded(encoded("plain words in three coats"))),
        "a\\_b\\_c \\- \\. 100%25 of &#95;&lowbar; x%5Fy",
        "curl -u bob:$TOKEN https://x.example",
        "curl -u user:password https://x.example",
        "curl -u bob:<password> https://x.example",
        "curl -u bob https://x.example:8080/path",
        "docker run --user 1000:1000 image",
    ],
)
def test_what_only_looks_like_one_passes(text: str) -> None:
    assert find(text) == ()


@pytest.mark.parametrize(
    "command",
    [
        "curl -u {}",
        "curl -u{}",
        "curl --user {}",
        "curl --user={}",
        "curl -sSu {}",
        "curl -u '{}'",
        'curl -u "{}"',
        "curl https://x.example -u {}",
        "curl --proxy-user {}",
        "curl -u \\\n  {}",
        "wget --user {}",
        "curl -ku {}",
    ],
)
@pytest.mark.parametrize("password", ["hunter2", "letmein", "s3cr:et", "Tr0ub4dor&3", "p@ssw0rt"])
def test_a_password_given_to_a_web_client_is_found(command: str, password: str) -> None:
    (finding,) = find(command.replace("{}", f"bob:{password}") + " https://x.example")
    assert finding.kind == "password"


def test_our_own_tokens_are_known_as_they_are_issued() -> None:
    access = pytest.importorskip("commonplace.book.access")
    issued = f"{access.PREFIX}_{body(2 * access.ID_BYTES, _HEX)}_"
    for _ in range(200):
        secret = base64.urlsafe_b64encode(_GENERATOR.randbytes(access.SECRET_BYTES)).rstrip(b"=").decode()
        assert {each.kind for each in find(f"use {issued}{secret} for it")} == {"commonplace_token"}


def test_an_edited_form_knows_where_its_bytes_come_from() -> None:
    first = form_of("abc&#95;def  ghi")
    second = edited(first, [(3, 8, b"_"), (11, 13, b"")])
    assert second is not None
    third = edited(second, [(0, 1, b"XY")])
    assert second.data == b"abc_defghi"
    assert third is not None
    assert third.data == b"XYbc_defghi"
    assert [second.origin(at, at + 1) for at in (0, 3, 4, 6, 7)] == [(0, 1), (3, 8), (8, 9), (10, 11), (13, 14)]
    assert third.origin(0, len(third.data)) == (0, len(first.data))
    assert third.origin(4, 5) == (3, 8)


def test_what_is_far_from_an_edit_is_not_looked_at_again() -> None:
    padding = b"x " * 20_000
    base = Form(padding + b"a&#95;b" + padding)
    made = edited(base, [(len(padding) + 1, len(padding) + 6, b"_")])
    assert made is not None
    near = made.near_edits()
    assert len(near.data) < 3 * form.REACH_BYTES
    at = near.data.index(b"a_b")
    assert near.origin(at, at + 3) == (len(padding), len(padding) + 7)


@pytest.mark.parametrize(
    "unit", ["\\_", "&#95;", "%25", "%5F", "a,", "a ", "'+'", "`a`", "<b>", "QUFB", "61", "=5F", "е", "e\u0301", "[_]"]
)
def test_the_work_of_undoing_is_bounded(unit: str) -> None:
    """Each stage makes no more than it was given, and there are as many stages as are written down."""
    text = unit * (60_000 // len(unit))
    current = form_of(text)
    made = 0
    for undone, times in reshaped._STAGES:
        for _ in range(times):
            following = undone(current)
            if following is None:
                break
            assert len(following.data) <= len(current.data) + 2 * len(following.edits)
            assert len(following.edits) <= reshaped.EDITS_LIMIT
            current, made = following, made + 1
    assert made <= sum(times for _, times in reshaped._STAGES)
    assert isinstance(find(text), tuple)
