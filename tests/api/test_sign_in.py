"""How a page comes in: with a key that works once or a token, then with two halves that are nothing alone."""

import json
from base64 import urlsafe_b64encode
from collections.abc import Mapping
from itertools import product
from pathlib import Path

from commonplace.api.operations import PREFIX
from commonplace.domain.ids import DAY
from commonplace.serve.halves import CREDENTIAL_BYTES, LASTS_SECONDS, split
from commonplace.serve.visits import KEY_LASTS
from tests.api.conftest import Client, Page, Peopled, halves_of, page_on, token
from tests.conftest import ManualClock
from tests.http.conftest import Reply, Server
from tests.security.door import ask

ME = f"{PREFIX}/me"


def me(page: Page, headers: Mapping[str, str]) -> Reply:
    return page.server.send("GET", ME, **headers)


def said(reply: Reply) -> str:
    message: str = reply.json["error"]["message"]
    return message


# -- the key ----------------------------------------------------------------------------------


def test_the_key_works_once(page: Page) -> None:
    headers = halves_of(page.sign_in())
    assert me(page, headers).status == 200
    again = page.sign_in()
    assert again.status == 401
    assert "used already" in said(again)
    assert "commonplace web" in said(again)
    assert me(page, headers).status == 200, "who came first stays"


def test_the_key_works_for_five_minutes(page: Page) -> None:
    page.clock.advance(KEY_LASTS - 1)
    early = page.visits.key
    page.clock.advance(1)
    late = page.sign_in(early)
    assert late.status == 401
    assert "five minutes" in said(late)


def test_another_key_is_no_key_and_does_not_use_up_the_right_one(page: Page) -> None:
    key = page.visits.key
    for wrong in ("", " ", "x", key[:-1], key + "A", key.swapcase(), key[::-1], "cp_x_y", f"{key} {key}"):
        assert page.sign_in(wrong).status == 401, wrong
    assert page.server.send("POST", f"{PREFIX}/sign-in", b"{}").status == 401
    assert page.sign_in().status == 200


def test_the_key_opens_nothing_but_the_way_in(page: Page) -> None:
    for path in ("/me", "/memories", "/openapi.json"):
        assert page.server.send("GET", f"{PREFIX}{path}", token=page.visits.key).status == 401
    assert page.sign_in().status == 200


def test_nobody_is_let_in_for_being_at_this_machine(page: Page) -> None:
    assert me(page, {}).status == 401
    assert "commonplace web" in said(me(page, {}))


# -- two halves -------------------------------------------------------------------------------


def altered(text: str) -> str:
    return ("B" if text[0] != "B" else "C") + text[1:]


def bad_halves(headers: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """What does not let anybody in, of somebody who is let in."""
    cookie, half = headers["cookie"], headers["x_commonplace_half"]
    name, _, pad = cookie.partition("=")
    zeros = urlsafe_b64encode(bytes(len(half))).decode()[: len(half)]
    both = {"cookie": cookie, "x_commonplace_half": half}
    return {
        "the cookie alone": {"cookie": cookie},
        "the header alone": {"x_commonplace_half": half},
        "neither": {},
        "another half": {**both, "x_commonplace_half": altered(half)},
        "another cookie": {**both, "cookie": f"{name}={altered(pad)}"},
        "the halves swapped names": {**both, "cookie": f"{name}x={pad}"},
        "the cookie twice, otherwise": {**both, "cookie": f"{cookie}; {name}={altered(pad)}"},
        "no header value": {**both, "x_commonplace_half": ""},
        "no cookie value": {**both, "cookie": f"{name}="},
        "both the same": {**both, "x_commonplace_half": pad},
        "nothing laid over": {"cookie": f"{name}={zeros}", "x_commonplace_half": half},
        "short": {**both, "x_commonplace_half": half[:-4]},
        "no base64": {**both, "x_commonplace_half": "%" * len(half)},
        "long": {**both, "x_commonplace_half": half * 100},
        "a bearer of it": {"authorization": f"Bearer {half}"},
        "the pad as a bearer": {"authorization": f"Bearer {pad}"},
        "a bad bearer beside good halves": {**both, "authorization": "Bearer cp_x_y"},
        "a basic beside good halves": {**both, "authorization": "Basic eDp5"},
    }


def test_no_half_is_worth_anything_without_the_other(page: Page) -> None:
    headers = halves_of(page.sign_in())
    for name, given in bad_halves(headers).items():
        reply = me(page, given)
        assert reply.status == 401, (name, reply)
        assert reply.json["error"]["code"] == "unauthorised"
    assert me(page, headers).status == 200
    assert me(page, {**headers, "cookie": f"other=1; {headers['cookie']}; more=2"}).status == 200


def test_no_half_of_a_token_is_worth_anything_either(there: Peopled) -> None:
    headers = halves_of(there.server.send("POST", f"{PREFIX}/sign-in", b"{}", there.ada.token))
    for name, given in bad_halves(headers).items():
        assert there.server.send("GET", ME, **given).status == 401, name
    assert there.server.send("GET", ME, **headers).json["user"] == "ada"
    for half in (headers["cookie"].partition("=")[2], headers["x_commonplace_half"]):
        assert str(there.ada.token) not in half


def test_two_pages_have_two_pairs_that_do_not_fit_each_other(there: Peopled) -> None:
    one, other = (halves_of(there.server.send("POST", f"{PREFIX}/sign-in", b"{}", there.ada.token)) for _ in range(2))
    assert one["x_commonplace_half"] != other["x_commonplace_half"]
    assert there.server.send("GET", ME, **{**one, "x_commonplace_half": other["x_commonplace_half"]}).status == 401


def test_halves_are_for_the_api_and_open_nothing_else(there: Peopled) -> None:
    headers = halves_of(there.server.send("POST", f"{PREFIX}/sign-in", b"{}", there.ada.token))
    for method, path in (("POST", "/mcp"), ("GET", "/ready"), ("GET", "/metrics"), ("POST", "/rpc")):
        assert there.server.send(method, path, b"{}" if method == "POST" else None, **headers).status == 401, path


def test_the_cookie_is_out_of_reach_of_scripts_and_of_other_sites(page: Page, there: Peopled) -> None:
    for reply, port in (
        (page.sign_in(), page.server.port),
        (there.server.send("POST", f"{PREFIX}/sign-in", b"{}", there.ada.token), there.server.port),
    ):
        value, *marks = reply.headers["set-cookie"].split("; ")
        assert value.startswith(f"commonplace_{port}=")
        assert set(marks) == {"Path=/api", "HttpOnly", "SameSite=Strict", f"Max-Age={LASTS_SECONDS}"}
    secure = {"origin": "https://localhost"}
    reply = there.server.send("POST", f"{PREFIX}/sign-in", b"{}", there.ada.token, **secure)
    assert "Secure" in reply.headers["set-cookie"].split("; ")


def test_a_credential_laid_over_itself_tells_nothing() -> None:
    seen = {split("cp_id_secret")[1] for _ in range(100)}
    assert len(seen) == 100
    assert all(len(half) == len(pad) for pad, half in (split("x" * size) for size in range(1, 50)))


# -- other sites ------------------------------------------------------------------------------

SITES = ("cross-site", "same-site", "none", "", "same-origin, cross-site", "SAME-ORIGIN")
FOREIGN = ("http://evil.example", "null", "http://localhost.evil.example", "file://")


def test_a_request_that_began_elsewhere_is_not_heard_whatever_it_brings(page: Page) -> None:
    headers = halves_of(page.sign_in())
    tried = 0
    for site, method in product(SITES, ("GET", "POST")):
        body = b'{"text": "x"}' if method == "POST" else None
        reply = page.server.send(method, f"{PREFIX}/memories", body, **headers, sec_fetch_site=site)
        assert reply.status == 403, (site, method)
        tried += 1
    for origin, method in product(FOREIGN, ("GET", "POST")):
        body = b'{"text": "x"}' if method == "POST" else None
        reply = page.server.send(method, f"{PREFIX}/memories", body, **headers, origin=origin)
        assert reply.status == 403, (origin, method)
        assert "access-control-allow-origin" not in reply.headers
        tried += 1
    assert page.server.send("OPTIONS", f"{PREFIX}/memories", origin=FOREIGN[0]).status == 403
    good = page.server.send("GET", f"{PREFIX}/memories", **headers, sec_fetch_site="same-origin")
    assert good.json["total"] == 0
    print(f"{tried} requests of other sites, 0 heard")


def test_a_foreign_page_cannot_make_an_unlocked_server_answer_it_either(unlocked: Server) -> None:
    server = unlocked
    assert server.send("GET", ME).json["signed_in"] is False
    for site in ("cross-site", "same-site"):
        assert server.send("GET", ME, sec_fetch_site=site).status == 403
    for site in ("same-origin", "none"):
        assert server.send("GET", ME, sec_fetch_site=site).status == 200


# -- the end of it ----------------------------------------------------------------------------


def test_a_session_ends_after_twelve_hours(page: Page) -> None:
    headers = halves_of(page.sign_in())
    page.clock.advance(LASTS_SECONDS * 1000 - 1)
    assert me(page, headers).status == 200
    page.clock.advance(1)
    ended = me(page, headers)
    assert ended.status == 401
    assert "commonplace web" in said(ended)


def test_whoever_signs_out_is_out(page: Page) -> None:
    headers = halves_of(page.sign_in())
    reply = page.server.send("POST", f"{PREFIX}/sign-out", b"{}", **headers)
    assert (reply.status, reply.json) == (200, {})
    assert "Max-Age=0" in reply.headers["set-cookie"]
    assert me(page, headers).status == 401


def test_a_revoked_token_ends_every_page_at_once(there: Peopled) -> None:
    bearer = token(there.server, "ada")
    headers = halves_of(there.server.send("POST", f"{PREFIX}/sign-in", b"{}", bearer))
    assert Client(there.server, **headers).ask("me")["user"] == "ada"
    there.server.book.access.revoke(bearer.split("_")[1])
    reply = there.server.send("GET", ME, **headers)
    assert (reply.status, reply.json["error"]["code"]) == (401, "unauthorised")


def test_a_session_ends_with_its_process(page: Page, clock: ManualClock, tmp_path: Path) -> None:
    headers = halves_of(page.sign_in())
    with page_on(str(tmp_path / "other.db"), clock) as other:
        renamed = {**headers, "cookie": headers["cookie"].replace(str(page.server.port), str(other.server.port))}
        assert me(other, renamed).status == 401
        assert other.sign_in(page.visits.key).status == 401


def test_a_token_that_fits_into_no_cookie_is_refused_with_a_sentence(page: Page) -> None:
    pad, _ = split("x" * CREDENTIAL_BYTES)
    assert len(pad) < 4_000
    page.visits.begin = lambda request: "x" * (CREDENTIAL_BYTES + 1)  # type: ignore[method-assign]
    reply = page.sign_in()
    assert (reply.status, reply.json["error"]["code"]) == (400, "invalid_input")
    assert "too long" in said(reply)
    assert "set-cookie" not in reply.headers


def test_where_nobody_made_a_token_there_is_nothing_to_sign_in_with(unlocked: Server) -> None:
    server = unlocked
    reply = server.send("POST", f"{PREFIX}/sign-in", b"{}")
    assert reply.status == 400
    assert Client(server).ask("remember", text="Herons are grey")["memory"]["actor"] == "local"
    server.token("ada")
    assert server.send("GET", ME).status == 401


def test_a_refusal_says_the_same_to_everybody_and_nothing_of_the_book(page: Page) -> None:
    page.person().ask("remember", text="The heron is grey")
    for lines in ((), (("Cookie", "commonplace_1=x"),), (("X-Commonplace-Half", "x"),)):
        heard = ask(page.server.port, "GET", f"{PREFIX}/recall?query=heron", (("Host", "localhost"), *lines))
        assert heard.status == 401
        assert b"heron" not in heard.body
        assert set(json.loads(heard.body)["error"]) == {"code", "message"}


def test_who_comes_every_day_needs_a_new_link_every_day(page: Page) -> None:
    headers = halves_of(page.sign_in())
    page.clock.advance(DAY)
    assert me(page, headers).status == 401
    assert page.sign_in().status == 401
