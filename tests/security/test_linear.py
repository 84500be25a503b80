"""Whatever looks at foreign text takes time in proportion to it: every pattern, and every intake, with hostile shapes.

What is measured is how the time grows within one run, never how long it is. A growth that looks too steep is measured
again, longer and more often, before it counts: a busy machine is no quadratic pattern.
"""

import ast
import os
import re
import unicodedata
from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

import pytest
from bench.hostile import Growth, Intake, functions, growth, row, shapes, tools, verbs
from hypothesis import given
from hypothesis import strategies as st

from commonplace import text
from commonplace.book.book import Book
from commonplace.documents import chunking
from commonplace.domain.addresses import _PATTERNS
from commonplace.maintenance.erasure import without
from commonplace.sessions.distil import cues, handover
from commonplace.sessions.distil.signs import Sign
from commonplace.text import nearness, normal_forms, normalise
from tests.test_architecture import modules, tree

SOAK = os.environ.get("COMMONPLACE_SOAK") == "1"
SHORT = (500, 4_000)
LONG = (4_000, 32_000)
AT_MOST = 2.5  # times linear; of a square it would be eight
TRIES = 4

Use = Callable[[re.Pattern[str], str], object]

USES: dict[str, Use] = {
    "match": lambda pattern, said: pattern.match(said),
    "fullmatch": lambda pattern, said: pattern.fullmatch(said),
    "search": lambda pattern, said: pattern.search(said),
    "finditer": lambda pattern, said: sum(1 for _ in pattern.finditer(said)),
}
SAME = {"findall": "finditer", "sub": "finditer", "split": "finditer", "subn": "finditer"}


def test_there_are_sixty_shapes_and_more() -> None:
    found = shapes()
    assert len({shape.name for shape in found}) == len(found) >= 60
    assert len({shape.of_length(1_000) for shape in found}) == len(found)
    assert all(900 <= len(shape.of_length(1_000)) <= 1_100 for shape in found)


# -- patterns ---------------------------------------------------------------------------------


class Found(NamedTuple):
    """A pattern of the source, and what is done with it."""

    name: str
    pattern: re.Pattern[str]
    uses: tuple[str, ...]


# Those made inside a function: how to come by one, and what is done with it.
MADE: dict[str, tuple[Callable[[], re.Pattern[str]], tuple[str, ...]]] = {
    "commonplace.documents.chunking._closing": (
        lambda: chunking._closing("```") or pytest.fail("no fence"),
        ("match",),
    ),
    "commonplace.sessions.distil.cues._denial": (cues._denial, ("match",)),
    "commonplace.sessions.distil.cues._lead_in": (cues._lead_in, ("match",)),
    "commonplace.sessions.distil.cues._unspaced": (lambda: cues._unspaced()[Sign.WISH], ("search",)),
    "commonplace.sessions.distil.handover._agreements": (handover._agreements, ("match",)),
    "commonplace.sessions.distil.prose._end_of_block": (lambda: re.compile(r"</a-b\s*>", re.IGNORECASE), ("finditer",)),
    "commonplace.cli.output.Output._print": (lambda: re.compile(r"\{a1b2:(\d+)\}"), ("finditer",)),
    "commonplace.text.envelope.in_paragraph": (
        lambda: re.compile(re.escape("the following is the user's prompt:"), re.IGNORECASE),
        ("finditer",),
    ),
    "commonplace.text.descriptions._terms_within": (lambda: re.compile(r"\bold\b", re.IGNORECASE), ("finditer",)),
    "commonplace.text.nearness._wide_marks": (nearness._wide_marks, ("finditer",)),
    "commonplace.text.normal_forms._long_run": (normal_forms._long_run, ("finditer",)),
    "commonplace.secrets.form.folded": (lambda: re.compile("[\u00ad\u200b-\u200f]"), ("finditer",)),
    "commonplace.domain.addresses._Patterns.clear": (lambda: _PATTERNS.clear, ("fullmatch",)),
    "commonplace.domain.addresses._Patterns.option": (lambda: _PATTERNS.option, ("fullmatch",)),
    "commonplace.domain.addresses._Patterns.looks_like_one": (lambda: _PATTERNS.looks_like_one, ("match",)),
    "commonplace.domain.addresses._Patterns.names_a_secret": (lambda: _PATTERNS.names_a_secret, ("search",)),
    "commonplace.domain.addresses._Patterns.names_a_password": (lambda: _PATTERNS.names_a_password, ("finditer",)),
    "commonplace.domain.addresses._Patterns.in_a_text": (lambda: _PATTERNS.in_a_text, ("finditer",)),
    "commonplace.domain.addresses._Patterns.credentials": (lambda: _PATTERNS.credentials, ("finditer",)),
    "commonplace.text._Wide.character": (lambda: text._WIDE.character, ("match", "finditer")),
    "commonplace.text._Wide.flag_emoji": (lambda: text._WIDE.flag_emoji, ("finditer",)),
    "commonplace.text._Wide.flagged": (lambda: text._WIDE.flagged["invisible_characters"], ("finditer",)),
    "commonplace.text._Wide.unseen": (lambda: text._WIDE.unseen, ("finditer",)),
    "commonplace.text._Wide.invisible": (lambda: text._WIDE.invisible, ("finditer",)),
    "commonplace.text._Wide.token": (lambda: text._WIDE.token, ("finditer",)),
}
# Handed on under another name: what is done with it there.
HANDED_ON = {
    "commonplace.documents.chunking._KEY_ENDS": ("match",),  # as what ends a block
    "commonplace.sessions.distil.secrecy._DIGIT": ("finditer",),
    "commonplace.sessions.distil.secrecy._LETTER": ("finditer",),
    "commonplace.sessions.transcripts.claude_code._NOTED": ("finditer",),  # as tags, all five
    "commonplace.sessions.transcripts.messages._CLINE": ("finditer",),
    "commonplace.sessions.transcripts.messages._CURSOR": ("finditer",),
    "commonplace.sessions.transcripts.spoken._TAG": ("finditer",),
    "commonplace.sessions.transcripts.spoken._THINKING": ("finditer",),
    "commonplace.text._CAMEL_PART": ("finditer",),
}
# Bounded by who calls it, or never shown anybody's text.
NOT_FOREIGN = {
    "commonplace.store.migrations": "names of our own files",
}


def places() -> Iterator[tuple[str, str]]:
    """Where a pattern is made or used by way of `re`: the module, and the function around it."""
    for module in modules():
        yield from _within(module, "", tree(module))


def _within(module: str, around: str, node: ast.AST) -> Iterator[tuple[str, str]]:
    for child in ast.iter_child_nodes(node):
        inner = around
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            inner = f"{around}.{child.name}"
        if isinstance(child, ast.Call) and isinstance(child.func, ast.Attribute):
            value = child.func.value
            if isinstance(value, ast.Name) and value.id == "re" and child.func.attr != "escape":
                yield module, inner
        yield from _within(module, inner, child)


def patterns() -> list[Found]:
    """Every pattern there is, found in the source; a new one is here, or asked for by name, on the day it is added."""
    found: list[Found] = []
    inside = {module + around for module, around in places() if around}
    assert inside == set(MADE), "enter what is made inside a function, with what is done with it"
    for module in modules():
        if module.endswith("__main__") or module in NOT_FOREIGN:
            continue
        made = {name: value for name, value in vars(imported(module)).items() if isinstance(value, re.Pattern)}
        assigned = {
            name.id
            for node in tree(module).body
            if isinstance(node, ast.Assign)
            for target in node.targets
            for name in ast.walk(target)
            if isinstance(name, ast.Name)
        }
        found += [
            Found(f"{module}.{name}", value, uses_of(module, name)) for name, value in made.items() if name in assigned
        ]
    return found + [Found(name, make(), uses) for name, (make, uses) in MADE.items()]


def imported(module: str) -> object:
    return __import__(module, fromlist=["_"])


def uses_of(module: str, name: str) -> tuple[str, ...]:
    """The methods that its own module calls on a pattern; all of them where it is only handed on."""
    if f"{module}.{name}" in HANDED_ON:
        return HANDED_ON[f"{module}.{name}"]
    called = {
        SAME.get(node.func.attr, node.func.attr)
        for node in ast.walk(tree(module))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id == name
    }
    return tuple(sorted(called)) or tuple(USES)


def test_every_pattern_takes_time_in_proportion_to_the_text() -> None:
    found = patterns()
    worst: list[Growth] = []
    tried = 0
    for each in found:
        assert set(each.uses) <= set(USES), each.name
        for use in each.uses:
            intake: Intake = partial(USES[use], each.pattern)
            grown = [growth(f"{each.name}.{use}", intake, shape, SHORT, 1) for shape in shapes()]
            tried += len(grown)
            worst.append(confirmed(intake, max(grown, key=lambda one: one.excess)))
    tell(worst, f"{len(found)} patterns, {tried:,} measured")
    assert len(found) > 55
    assert [row(each) for each in worst if each.excess > AT_MOST] == []


# -- intakes ----------------------------------------------------------------------------------


def test_every_function_that_looks_at_text_takes_time_in_proportion_to_it() -> None:
    measure(functions(), every=1)


def test_every_verb_and_every_argument_of_every_tool_takes_time_in_proportion_to_it(book: Book) -> None:
    """Each with some of the shapes, so that all are tried many times over; with all of them in a soak."""
    taken = {**verbs(book), **tools(book)}
    assert len(taken) > 150
    measure(taken, every=1 if SOAK else 16)


def measure(intakes: dict[str, Intake], every: int) -> None:
    worst: list[Growth] = []
    tried = 0
    for place, (name, intake) in enumerate(intakes.items()):
        chosen = shapes()[place % every :: every]
        grown = [growth(name, intake, shape, SHORT, 1) for shape in chosen]
        tried += len(grown)
        worst.append(confirmed(intake, max(grown, key=lambda one: one.excess)))
    tell(worst, f"{len(intakes)} intakes, {tried:,} measured")
    assert [row(each) for each in worst if each.excess > AT_MOST] == []


def confirmed(intake: Intake, grown: Growth) -> Growth:
    """A growth that looks too steep, measured again on longer texts and more often; the least of several tries."""
    shape = next(each for each in shapes() if each.name == grown.shape)
    for _ in range(TRIES):
        if grown.excess <= AT_MOST:
            break
        grown = min(grown, growth(grown.intake, intake, shape, LONG, 3), key=lambda one: one.excess)
    return grown


def tell(worst: list[Growth], counts: str) -> None:
    steepest = sorted(worst, key=lambda one: -one.excess)[:5]
    print(f"\n{counts}; the steepest, beside linear:")
    for each in steepest:
        print(row(each))


# -- that a square would be seen --------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "shape"), [(r"[.!?]+(?=\s|$)", "dots"), (r"(?=\S*\d)\S{6,}", "letters"), (r"\s*y", "spaces")]
)
def test_a_pattern_of_the_kind_that_was_there_is_seen(source: str, shape: str) -> None:
    pattern = re.compile(source)
    chosen = next(each for each in shapes() if each.name == shape)
    intake: Intake = lambda said: sum(1 for _ in pattern.finditer(said))  # noqa: E731
    assert growth("", intake, chosen, SHORT, 1).excess > AT_MOST


def test_what_replaces_a_slow_normal_form_is_seen_as_slow_without_it() -> None:
    chosen = next(each for each in shapes() if each.name == "marks out of order")
    slow: Intake = partial(unicodedata.normalize, "NFC")
    assert growth("", slow, chosen, LONG, 1).excess > AT_MOST


# -- that nothing else has changed ------------------------------------------------------------

MARKS = "a\u00e9\u6f22 \u0301\u0316\u0344\u0f73\u0f75\u3099\uff9e\uff9f\u05b0\u2026\u200d\U0001d165\u1100\u1161"


@pytest.mark.parametrize("form", ["NFC", "NFD", "NFKC", "NFKD"])
@given(said=st.text(alphabet=MARKS, max_size=200) | st.text(max_size=200))
def test_normal_forms_are_unicodes_own(form: normal_forms.NormalForm, said: str) -> None:
    assert normal_forms.normal_form(form, said) == unicodedata.normalize(form, said)


PIECES = "ab \n-_\u00e9"


@given(st.text(PIECES, max_size=30), st.text(PIECES, min_size=1, max_size=6).filter(str.strip))
def test_a_phrase_is_taken_out_as_a_pattern_would(said: str, phrase: str) -> None:
    spelled = r"\s+".join(map(re.escape, phrase.split()))
    cut, times = re.subn(rf"(?<!\w){spelled}(?!\w)", "", normalise(said), flags=re.IGNORECASE)
    assert without(said, phrase) == (cut.strip() if times else said)
