"""Whoever an issuer names gets a name of their own here, whatever characters theirs is made of."""

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from commonplace.domain.scope import NAME_LENGTH_LIMIT, Principal, Right, name_for
from commonplace.errors import Denied, InvalidInput
from commonplace.serve.claims import RESERVED_SUBJECTS, visitor_of

NAME = re.compile(r"[A-Za-z0-9._~@+-]+")
PLAIN = re.compile(r"[A-Za-z0-9._@+-]+")
SUBJECTS = (
    "ada",
    "Ada",
    "ada@example.org",
    "auth0|5f2c",
    "auth0~7c5f2c",
    "google-oauth2|1",
    "https://issuer.example/users/7",
    "a b",
    "a  b",
    " ada",
    "ada ",
    "ädä",
    "a\u0308da\u0308",
    "\u0430da",
    "名前",
    "a\x00b",
    "\ud800",
    "\ud800\udc00x",
    "~",
    "~~",
    "~7e",
    "~~" + "0" * 64,
    "%7C",
    "*",
    "..",
    "x" * 128,
    "x" * 129,
    "|" * 42,
    "|" * 43,
    "|" * 44,
    "ü" * 10_000,
    "LOCAL",
)
subjects = st.text(st.characters(), min_size=1, max_size=200) | st.text("ab~7e|%/:@ é", min_size=1, max_size=12)


@given(subjects)
def test_any_text_becomes_a_valid_name_and_a_plain_one_stays_itself(text: str) -> None:
    name = name_for(text)
    assert NAME.fullmatch(name)
    assert len(name) <= NAME_LENGTH_LIMIT
    assert Principal(user=name).user == name
    assert (name == text) is (PLAIN.fullmatch(text) is not None and len(text) <= NAME_LENGTH_LIMIT)


@given(subjects, subjects)
@example("auth0|5", "auth0~7c5")
@example("|", "~7c")
@example("~7c", "~7e7c")
@example("x" * 129, "x" * 130)
def test_two_texts_never_become_one_name(one: str, other: str) -> None:
    assert (name_for(one) == name_for(other)) is (one == other)


def test_names_are_told_apart_pair_by_pair() -> None:
    names = {name_for(subject) for subject in SUBJECTS}
    digests = {name_for(name) for name in names}
    assert len(names) == len(SUBJECTS)
    assert len(digests) == len(SUBJECTS)
    assert name_for("auth0|5f2c") == "auth0~7c5f2c"
    assert name_for("ada@example.org") == "ada@example.org"
    assert re.fullmatch(r"~~[0-9a-f]{64}", name_for("x" * 129))
    print(f"{len(SUBJECTS)} subjects, {len(names)} names")


def test_nothing_is_no_name() -> None:
    with pytest.raises(InvalidInput):
        name_for("")


def claims(**changes: object) -> dict[str, object]:
    return {"sub": "ada", "scope": "read write", **changes}


def test_claims_become_a_visitor() -> None:
    visitor = visitor_of(claims(sub="auth0|7", tenant="org/1", teams=["core", "Team A"], project="shop"))
    who = visitor.principal
    assert (who.tenant, who.user, who.teams) == ("org~2f1", "auth0~7c7", ("core", "Team~20A"))
    assert who.rights == {Right.READ, Right.WRITE}
    assert str(visitor.project) == "project:shop"
    assert visitor_of(claims()).principal == Principal("local", "ada", (), who.rights)


@pytest.mark.parametrize("subject", sorted({*RESERVED_SUBJECTS, "Local", "DEFAULT"}))
def test_nobody_comes_in_as_the_person_at_this_machine(subject: str) -> None:
    with pytest.raises(Denied):
        visitor_of(claims(sub=subject))
    assert {"local", "default"} <= RESERVED_SUBJECTS


REFUSED = (
    {"teams": ["*"]},
    {"teams": ["core", "*"]},
    {"teams": "*"},
    {"teams": "core"},
    {"teams": {"core": True}},
    {"teams": [7]},
    {"teams": [None]},
    {"teams": [""]},
    {"tenant": ""},
    {"tenant": 7},
    {"tenant": ["local"]},
    {"tenant": {}},
    {"sub": ""},
    {"sub": 7},
    {"sub": None},
    {"sub": ["ada"]},
    {"project": ""},
    {"project": 7},
    {"project": "a b"},
    {"project": " shop"},
    {"project": "x" * 300},
    {"scope": ""},
    {"scope": "openid"},
    {"scope": None},
    {"scope": 7},
    {"scope": ["*"]},
)


@pytest.mark.parametrize("flaw", REFUSED, ids=str)
def test_claims_that_cannot_be_meant_are_refused_with_a_sentence(flaw: dict[str, object]) -> None:
    with pytest.raises(Denied) as caught:
        visitor_of({**claims(), **flaw})
    assert caught.value.message.endswith(".")
