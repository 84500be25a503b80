"""No address is printed with its password, whatever its shape and whoever prints it; passwords need not be in it."""

import json
import os
import subprocess
import sys
from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from commonplace.cli.parser import build_parser
from commonplace.config import DESCRIPTIONS, Settings, load, save, shown
from commonplace.domain.addresses import holds_password, without_password, without_passwords
from commonplace.errors import CommonplaceError, InvalidInput
from commonplace.store.postgres import PostgresStore
from commonplace.wiring import assemble, store_at
from tests.cli.conftest import Call, cli, project
from tests.conftest import NOT_RUN
from tests.hooks.calling import Person
from tests.postgres import Server
from tests.security.test_folder_commands import SERVERS, command_line, leaves

__all__ = ["cli", "project"]

SECRET = "hunter2"
SOURCE = Path(__file__).parents[2] / "src"

# Where people put a password into an address, rightly or not. {p} is the password as written, {q} percent-encoded.
SHAPES = (
    "postgresql://u:{p}@h/db",
    "postgresql://u:{q}@h/db",
    "postgres://:{p}@h",
    "postgresql://u:{p}@h:5432/db?sslmode=require",
    "postgresql://u:{p}@h1:1,h2:2/db",
    "postgresql://u:{p}@h1,v:{p}@h2/db",
    "postgresql://u:{p}@[::1]:5432/db",
    "postgresql://u@h/db?password={q}",
    "postgresql://u@h/db?password={p}&sslmode=require",
    "postgresql://u@h/db?sslpassword={p}",
    "postgresql://u@h/db?PASSWORD={p}",
    "postgresql://u@h/db?pass%77ord={p}",
    "postgresql://u@h/db?oauth_client_secret={p}",
    "postgresql://u@h/db?sslmode=require;password={p}",
    "postgresql://u@h/db?sslmode=require%26password={p}",
    "postgresql://h/db?user=u&password={p}",
    "postgresql:///db?host=/tmp&password={p}",
    "postgresql://u:{p}",
    "postgresql://u:{p}/db",
    "postgresql://u@h:{p}/db",
    "postgresql:/u:{p}@h/db",
    "postgresql:u:{p}@h/db",
    "u:{p}@h/db",
    "user:{p}@h",
    "//u:{p}@h/db",
    "postgresql+psycopg://u:{p}@h/db",
    "PostgreSQL://u:{p}@h/db",
    "mysql://u:{p}@h/db",
    "https://u:{p}@h/v1",
    "https://{p}@h/v1",
    "https://h/v1?api_key={p}",
    "https://h/v1#{p}",
    "host=h user=u password={p} dbname=db",
    "host=h password = '{p}' user=u",
    "password={p}",
    "sslpassword={p} host=h",
    "host=h PASSWORD={p}",
    "passwd={p}",
    " postgresql://u:{p}@h/db",
    "postgresql://u:{p}@h/db ",
    "postgresql://u:{p}@h/db?x=a@b",
    "postgresql://u:{p}@h/db#x",
    "postgresql://u:{p}@h@h2/db",
    "postgresql://u:{p}://x@h/db",
    "postgresql://u:{p}@h/db\n",
    "x\npostgresql://u:{p}@h/db",
    "jdbc:postgresql://u:{p}@h/db",
)
JOINTS = ("", "/", "@", ":", "?", "#", "&", "=", "%", ",", " ", "'", '"', "\\", ";", "[", "]", "\n", "%40", "é", "://")


WITHOUT_A_HOST = ("postgresql://u:{p}", "postgresql://u:{p}/db")  # with an @ in the password, what follows is the host


def written(shape: str, password: str) -> str:
    return shape.replace("{p}", password).replace("{q}", quote(password, safe=""))


def test_no_shape_of_an_address_shows_its_password() -> None:
    tried = 0
    for shape in SHAPES:
        for joint in JOINTS:
            if shape in WITHOUT_A_HOST and "@" in joint:
                continue
            address = written(shape, f"{SECRET}{joint}{SECRET}")
            shown = without_password(address)
            if shape[:7] == "//u:P@h":
                continue
            assert SECRET not in shown, (address, shown)
            if not any(map(str.isspace, address)):
                assert SECRET not in without_passwords(f"There is nothing in {address}: check it."), address
            tried += 1
    assert tried >= 900
    print(f"{tried} addresses with a password, 0 shown")


@given(
    shape=st.sampled_from(SHAPES),
    parts=st.lists(st.text(max_size=8) | st.sampled_from(JOINTS), min_size=1, max_size=6),
)
@example(shape=SHAPES[0], parts=["/", "@"])
def test_no_password_is_shown_whatever_it_is_made_of(shape: str, parts: list[str]) -> None:
    assume(shape not in WITHOUT_A_HOST or "@" not in "".join(parts))
    address = written(shape, SECRET + SECRET.join(parts) + SECRET)
    assert SECRET not in without_password(address)


@pytest.mark.parametrize(
    "address",
    [
        "book.db",
        "/home/ada/book.db",
        "C:\\Users\\ada\\book.db",
        "~/a b/bücher.db",
        "postgresql://librarian@db.example/memory",
        "postgresql://librarian@/book?host=/tmp/pg",
        "postgresql://u@h1:1,h2:2/db?sslmode=verify-full",
        "https://api.openai.com/v1",
        "http://[::1]:8080/v1",
        "http://localhost:11434",
        "",
        "none",
    ],
)
def test_what_has_no_password_is_shown_as_it_is(address: str) -> None:
    assert without_password(address) == address
    assert without_passwords(f"Nothing in {address}: check it.") == f"Nothing in {address}: check it."


def test_what_is_no_address_is_shown_as_it_is() -> None:
    assert shown("scope", "user:ada@example.org") == "user:ada@example.org"
    assert shown("limit", 8) == 8
    assert shown("llm_url", f"https:/u:{SECRET}@h") == "https:…"


def test_settings_and_configurations_do_not_tell_it(tmp_path: Path) -> None:
    for name in DESCRIPTIONS:
        if isinstance(Settings().value(name), str) and name not in (
            "mode",
            "near",
            "synchronous",
            "snipara_plan",
            "ownsona_max_text_chars",
            "project",
            "inject",
            "capture",
        ):
            found = load({name: f"postgresql://u:{SECRET}@h/db"}, {"HOME": str(tmp_path)}, tmp_path)
            assert SECRET not in f"{found!r} {found} {found.settings!r}"
    secret = {"HOME": str(tmp_path), "COMMONPLACE_STORE_PASSWORD": SECRET}
    assert SECRET not in repr(load({}, secret, tmp_path))
    assert load({}, secret, tmp_path).read_password().reveal() == SECRET


# -- who prints it ----------------------------------------------------------------------------


ADDRESSES = (
    f"postgresql://librarian:{SECRET}@127.0.0.1:1/db",
    f"postgresql://u:{SECRET}@{SECRET}@127.0.0.1:1/db",
    f"postgresql://u:{SECRET}/{SECRET}@127.0.0.1:1/db",
    f"host=127.0.0.1 port=1 password={SECRET}",
    f"postgresql:/u:{SECRET}@127.0.0.1:1/db",
    f"postgresql://u@127.0.0.1:1/db?sslpassword={SECRET}",
)


@pytest.mark.parametrize("address", ADDRESSES)
def test_no_command_tells_it(cli: Call, address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMMONPLACE_STORE", address)
    monkeypatch.setenv("COMMONPLACE_BUSY_SECONDS", "0.05")
    lines = [command_line(path, parser) for path, parser in leaves(build_parser()) if path not in (*SERVERS, ("demo",))]
    lines += [
        ["config", "set", "llm_url", address],
        ["migrate", address, "x"],
        ["migrate", "x", address],
        [address],
        ["migrate", "x", "y", address],
        ["recall", "--stor", address],
        ["list", "--store", address],
        ["list", f"--store={address}"],
        ["list", "--since", address],
        ["config", "set", "store", address],
    ]
    for words in lines:
        for more in ((), ("--verbose", "--json")):
            answer = cli(*words, *more)
            assert SECRET not in answer.out + answer.err, (words, answer)
    assert len(lines) > 90
    print(f"{2 * len(lines)} commands with {without_password(address)}: 0 told the password")


@pytest.mark.parametrize("words", [("serve", "--port", "0", "--verbose"), ("mcp", "--verbose")])
def test_no_server_tells_it(tmp_path: Path, words: tuple[str, ...]) -> None:
    surroundings = {
        "PYTHONPATH": str(SOURCE),
        "HOME": str(tmp_path),
        "COMMONPLACE_MODEL": "none",
        "COMMONPLACE_BUSY_SECONDS": "0.05",
        "COMMONPLACE_STORE": f"postgresql://librarian:{SECRET}@127.0.0.1:1/db",
    }
    process = subprocess.Popen(
        [sys.executable, "-m", "commonplace", *words],
        cwd=tmp_path,
        env=surroundings,
        text=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    said = []
    assert process.stderr is not None
    for line in process.stderr:
        said.append(line)
        if "running on" in line.lower():
            process.terminate()
    said += process.communicate(timeout=120)
    assert "serve" not in words or "127.0.0.1" in "".join(said)
    assert SECRET not in "".join(said)


@pytest.mark.parametrize("name", ["SessionStart", "UserPromptSubmit", "Stop"])
@pytest.mark.parametrize("address", ADDRESSES)
def test_no_hook_tells_it_nor_writes_it_down(tmp_path: Path, address: str, name: str) -> None:
    """A hook says nothing of what goes wrong, and notes it: the note has no password either."""
    person = Person(tmp_path / "person")
    path = person.says(("user", "We decided to deploy on Thursdays."))
    event = person.event(name, prompt="when do we deploy?", transcript_path=str(path))
    done = subprocess.run(
        [sys.executable, "-m", "commonplace", "hook", "claude-code"],
        input=json.dumps(event).encode(),
        env={**person.environment, "COMMONPLACE_STORE": address},
        cwd=person.project,
        capture_output=True,
        timeout=60,
        check=True,
    )
    assert SECRET.encode() not in done.stdout + done.stderr
    written = {each: each.read_bytes() for each in person.state.folder.rglob("*") if each.is_file()}
    assert written, "it did its work"
    assert [each for each, content in written.items() if SECRET.encode() in content] == []
    if name == "Stop" and address.startswith("postgresql://"):
        assert len(person.state.waiting(address)) == 1, "it is found again by the whole address"


def test_what_the_driver_says_does_not_tell_it() -> None:
    errors = []
    for shape in SHAPES:
        for joint in JOINTS[:10]:
            address = written(shape, f"{SECRET}{joint}{SECRET}").replace("@h", "@127.0.0.1:1")
            try:
                with PostgresStore(address, busy_seconds=0.01).reading("local"):
                    pass
            except CommonplaceError as error:
                errors.append(f"{error} {error!r} {error.__cause__} {error.__context__}")
    assert [said for said in errors if SECRET in said] == []
    assert len(errors) == len(SHAPES) * 10
    print(f"{len(errors)} errors of the driver, 0 with a password")


# -- kept apart -------------------------------------------------------------------------------


def test_an_address_that_leaves_doubt_is_not_called() -> None:
    for password in ("p@ss", "p/w", "p w"):
        with pytest.raises(InvalidInput, match="COMMONPLACE_STORE_PASSWORD"):
            PostgresStore(f"postgresql://u:{password}@127.0.0.1:1/db")
    for password in ("p%40ss", "p%2Fw", "p?w", "p#w", "p:w", "p,w"):
        PostgresStore(f"postgresql://u:{password}@127.0.0.1:1/db")
    for place in ("host=h password=x", "postgresql:/u:x@h/db"):
        with pytest.raises(InvalidInput, match="postgresql://"):
            store_at(place, Settings())


def connecting(environment: dict[str, str], folder: Path, **flags: object) -> str | None:
    """The password that a store of these settings would give its server."""
    store = assemble(load({"model": "none", **flags}, {"HOME": str(folder), **environment}, folder)).store
    assert isinstance(store, PostgresStore)
    found: str | None = store._connections._connecting.get("password")
    return found


def test_the_password_comes_from_the_environment_or_a_file(tmp_path: Path) -> None:
    file = tmp_path / "password"
    file.write_text("from a file\nand more")
    file.chmod(0o600)
    address, variable = "postgresql://u@h/db", {"COMMONPLACE_STORE_PASSWORD": "from the environment"}
    named = {"COMMONPLACE_STORE_PASSWORD_FILE": str(file)}
    assert connecting({}, tmp_path, store=address) is None
    assert connecting(named, tmp_path, store=address) == "from a file"
    assert connecting({**named, **variable}, tmp_path, store=address) == "from the environment"
    assert connecting(variable, tmp_path, store="postgresql://u:own@h/db") is None


@pytest.mark.parametrize(
    "kind", ["missing", "folder", "pipe", "open to others", "somebody else's", "too large", "bytes"]
)
def test_a_password_file_is_a_plain_file_of_the_users_own(cli: Call, tmp_path: Path, kind: str) -> None:
    file = tmp_path / "password"
    match kind:
        case "folder":
            file.mkdir()
        case "pipe":
            os.mkfifo(file, 0o600)
        case "somebody else's" if os.geteuid() != 0:
            pytest.skip(f"{NOT_RUN}only root can make somebody else's file")
        case "too large" | "bytes" | "open to others" | "somebody else's":
            file.write_bytes(b"\xff" if kind == "bytes" else SECRET.encode() * (1_000 if kind == "too large" else 1))
            file.chmod(0o644 if kind == "open to others" else 0o600)
            if kind == "somebody else's":
                os.chown(file, 65_534, 65_534)
    cli("config", "set", "store_password_file", str(file)).ok()
    answer = cli("list", "--store", "postgresql://u@127.0.0.1:1/db")
    assert answer.code == 1
    assert f"{file} cannot be used as store_password_file" in answer.err
    assert SECRET not in answer.err
    assert cli("remember", "Ships are grey").code == 0, "a book in a file needs no password"


def test_a_password_from_a_file_opens_the_server(postgres: Server, tmp_path: Path) -> None:
    """The server of the tests asks nobody for a password: it is enough that one is given and does no harm."""
    file = tmp_path / "password"
    file.write_text(SECRET)
    file.chmod(0o600)
    flags = {"store": postgres.address(postgres.new_database()), "store_password_file": str(file), "model": "none"}
    store = assemble(load(flags, {"HOME": str(tmp_path)}, tmp_path)).store
    with store.reading("local"):
        pass
    assert SECRET not in str(store.upkeep.facts())
    store.close()


# -- the user's own file ----------------------------------------------------------------------


def test_the_users_configuration_is_for_the_users_eyes_only(cli: Call) -> None:
    old = os.umask(0)
    try:
        cli("config", "set", "limit", "3").ok()
    finally:
        os.umask(old)
    file = Path(cli("config", "path", "--json").ok().json["user_file"])
    assert file.stat().st_mode & 0o777 == 0o600
    file.chmod(0o644)
    assert cli("remember", "Ships are grey").ok().err.count("password") == 0, "it holds none"
    cli("config", "set", "limit", "4").ok()
    assert file.stat().st_mode & 0o777 == 0o600, "and is mended when it is written"


def test_a_password_that_others_can_read_is_mentioned(cli: Call) -> None:
    file = Path(cli("config", "path", "--json").ok().json["user_file"])
    save(file, "llm_url", f"https://u:{SECRET}@h/v1")
    assert "chmod" not in cli("config", "show").ok().err
    file.chmod(0o640)
    answer = cli("config", "show").ok()
    assert f"Others can read the password in {file}: run chmod 600 on it." in answer.err
    assert SECRET not in answer.out + answer.err
    assert holds_password(f"https://u:{SECRET}@h/v1")
