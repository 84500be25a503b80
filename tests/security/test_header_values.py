"""What stands in a header, whoever wrote it, cannot be more than one value; what comes in one cannot break us."""

import re

from hypothesis import example, given
from hypothesis import strategies as st

from commonplace.domain.scope import Right
from commonplace.serve.hosts import PORT_LIMIT, host_name, is_loopback, origin_name
from commonplace.serve.refusals import lacks_right, unauthorised

CHALLENGE = re.compile(r'Bearer [a-z_]+="[\x20\x21\x23-\x5b\x5d-\x7e]*"(?:, [a-z_]+="[\x20\x21\x23-\x5b\x5d-\x7e]*")*')
texts = st.text(st.characters(max_codepoint=0xFF)) | st.text()


@given(texts, texts)
@example('a"\r\nSet-Cookie: b', 'https://x/", error="none')
def test_a_challenge_is_one_line_with_nothing_quoted_twice(message: str, address: str) -> None:
    for refusal in (unauthorised(message, address, "invalid_token"), lacks_right(Right.ADMIN, message)):
        assert CHALLENGE.fullmatch(refusal.headers["www-authenticate"])
        assert refusal.message == message
        for name, value in refusal.response().raw_headers:
            assert b"\n" not in name + value


@given(texts)
@example("http://[")
@example("[::1].evil.com")
@example("localhost:1@evil.com")
@example("[::1%lo]")
@example("ＬＯＣＡＬＨＯＳＴ")
@example("local\u017fhost")
def test_any_text_is_a_host_or_is_none_and_never_an_error(text: str) -> None:
    for name in (host_name(text), origin_name(text), origin_name(f"http://{text}")):
        assert name is None or re.fullmatch(r"[a-z0-9._-]+|\[[0-9a-f:.]+\]", name)
    assert is_loopback(text) in (True, False)


@given(
    st.sampled_from(["localhost", "127.0.0.1", "[::1]"]),
    st.text(min_size=1) | st.integers(0, 2 * PORT_LIMIT).map(":{}".format),
)
def test_nothing_can_be_added_to_a_name_of_ours_but_a_port(name: str, more: str) -> None:
    port = re.fullmatch(r":([0-9]{1,5})", more, re.ASCII)
    assert (host_name(name + more) == name) is (port is not None and int(port[1]) <= PORT_LIMIT)
    assert host_name(more + name) != name
