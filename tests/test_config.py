"""Settings: the first of flag, environment, project file, user file, default."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.config import (
    DESCRIPTIONS,
    Configuration,
    Settings,
    config_folder,
    data_folder,
    load,
    save,
    save_in_project,
)
from commonplace.domain.record import Record
from commonplace.errors import InvalidInput
from commonplace.workspace.dialect_settings import settings_of_dialects


@pytest.fixture
def place(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    (folder / ".commonplace").mkdir(parents=True)
    return folder


def environment(place: Path, **named: str) -> dict[str, str]:
    home = place.parent / "home"
    return {"HOME": str(home), **named}


def user_file(place: Path) -> Path:
    file = config_folder(environment(place)) / "config.toml"
    file.parent.mkdir(parents=True, exist_ok=True)
    return file


def project_file(place: Path) -> Path:
    return place / ".commonplace" / "config.toml"


def loaded(place: Path, flags: dict | None = None, **named: str) -> Configuration:
    return load(flags, environment(place, **named), place)


# -- precedence -------------------------------------------------------------------------------


def test_without_anything_the_defaults_hold(place: Path) -> None:
    found = loaded(place)
    assert found.settings == Settings()
    assert dict(found.sources) == {}
    assert found.project_root == place.resolve()


def test_each_layer_gives_way_to_the_one_above(place: Path) -> None:
    user_file(place).write_text("limit = 2\n")
    assert (loaded(place).settings.limit, loaded(place).sources["limit"]) == (2, str(user_file(place)))
    project_file(place).write_text("limit = 3\n")
    assert (loaded(place).settings.limit, loaded(place).sources["limit"]) == (3, str(project_file(place)))
    surrounded = loaded(place, COMMONPLACE_LIMIT="4")
    assert (surrounded.settings.limit, surrounded.sources["limit"]) == (4, "COMMONPLACE_LIMIT")
    flagged = loaded(place, {"limit": 5}, COMMONPLACE_LIMIT="4")
    assert (flagged.settings.limit, flagged.sources["limit"]) == (5, "flag")


def test_a_flag_that_was_not_given_hides_nothing(place: Path) -> None:
    assert loaded(place, {"limit": None}, COMMONPLACE_LIMIT="4").settings.limit == 4


def test_an_empty_variable_is_not_set(place: Path) -> None:
    assert loaded(place, COMMONPLACE_LIMIT="").settings.limit == Settings().limit


def test_the_real_environment_is_read_when_none_is_given(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMMONPLACE_LIMIT", "6")
    assert load(folder=place).settings.limit == 6


@pytest.mark.parametrize("name", sorted(DESCRIPTIONS))
def test_every_setting_has_a_variable(place: Path, name: str) -> None:
    default = Settings().value(name)
    named = {"mode": "words", "near": "skip", "synchronous": "NORMAL", "snipara_plan": "pro", "project": str(place)}
    named |= {"inject": "start", "capture": "ask"}
    value = named.get(name, "7")
    found = loaded(place, **{f"COMMONPLACE_{name.upper()}": value})
    assert found.settings.value(name) == type(default)(value)
    assert found.sources[name] == f"COMMONPLACE_{name.upper()}"


def test_every_setting_is_described_and_nothing_else_is() -> None:
    assert issubclass(Settings, Record)
    assert set(DESCRIPTIONS) == set(Settings.fields) - {"of_dialects"} | settings_of_dialects().keys()


@pytest.mark.parametrize(("alias", "name"), [("NUZO_PROJECT_ROOT", "project"), ("NUZO_MEMORY_STORE", "store")])
def test_an_older_name_of_a_variable_is_heard_but_ours_comes_first(place: Path, alias: str, name: str) -> None:
    assert getattr(loaded(place, **{alias: str(place)}).settings, name) == str(place)
    both = loaded(place, **{alias: "/else", f"COMMONPLACE_{name.upper()}": str(place)})
    assert getattr(both.settings, name) == str(place)


# -- places -----------------------------------------------------------------------------------


def test_the_book_is_in_the_users_data_folder_unless_named(place: Path) -> None:
    assert loaded(place).store == str(data_folder(environment(place)) / "book.db")
    assert loaded(place, {"store": "/x/y.db"}).store == "/x/y.db"


def test_home_and_the_xdg_folders_are_honoured(tmp_path: Path) -> None:
    assert data_folder({"HOME": str(tmp_path)}).is_relative_to(tmp_path)
    assert config_folder({"HOME": str(tmp_path)}).is_relative_to(tmp_path)
    assert data_folder({"HOME": "/h", "XDG_DATA_HOME": str(tmp_path)}).parent == tmp_path
    assert config_folder({"HOME": "/h", "XDG_CONFIG_HOME": str(tmp_path)}).parent == tmp_path


def test_models_are_beside_the_book_unless_named(place: Path) -> None:
    assert loaded(place).models_folder == data_folder(environment(place)) / "models"
    assert loaded(place, {"models": "/m"}).models_folder == Path("/m")


@pytest.mark.parametrize("layer", ["flag", "variable", "user file"])
def test_a_named_project_is_the_project(place: Path, tmp_path: Path, layer: str) -> None:
    other = tmp_path / "other"
    other.mkdir()
    if layer == "flag":
        found = loaded(place, {"project": str(other)})
    elif layer == "variable":
        found = loaded(place, COMMONPLACE_PROJECT=str(other))
    else:
        user_file(place).write_text(f'project = "{other}"\n')
        found = loaded(place)
    assert found.settings.project == str(other)
    assert found.project_root == other.resolve()


# -- errors -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("limit = ", "TOML"),
        ("colour = 1", "colour"),
        ("limit = 'many'", "limit"),
        ("mode = 'psychic'", "mode"),
        ("limit = 0", "limit"),
    ],
)
def test_a_wrong_file_is_named_in_the_error(place: Path, text: str, said: str) -> None:
    user_file(place).write_text(text)
    with pytest.raises(InvalidInput, match=said):
        loaded(place)


def test_a_file_that_is_not_text_is_named_in_the_error(place: Path) -> None:
    user_file(place).write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InvalidInput, match=r"config\.toml"):
        loaded(place)


@pytest.mark.parametrize(
    "named",
    [
        {"COMMONPLACE_LIMIT": "many"},
        {"COMMONPLACE_LIMIT": "0"},
        {"COMMONPLACE_LIMIT": "3.5"},
        {"COMMONPLACE_MODE": "psychic"},
        {"COMMONPLACE_BUSY_SECONDS": "-1"},
        {"COMMONPLACE_BUSY_SECONDS": "nan"},
        {"COMMONPLACE_BUSY_SECONDS": "inf"},
        {"COMMONPLACE_THREADS": "0"},
        {"COMMONPLACE_MAX_TOKENS": "-1"},
        {"COMMONPLACE_SYNCHRONOUS": "OFF"},
        {"COMMONPLACE_NEAR": "merge"},
        {"COMMONPLACE_LLM_TIMEOUT_SECONDS": "0"},
    ],
)
def test_a_wrong_variable_is_refused(place: Path, named: dict[str, str]) -> None:
    with pytest.raises(InvalidInput):
        loaded(place, **named)


def test_an_unknown_flag_is_refused(place: Path) -> None:
    with pytest.raises(InvalidInput, match="colour"):
        loaded(place, {"colour": "red"})


@pytest.mark.parametrize("text", ["limit = 3.7", "limit = true", "threads = 1.5"])
def test_a_number_in_a_file_is_not_bent_into_another(place: Path, text: str) -> None:
    user_file(place).write_text(text)
    with pytest.raises(InvalidInput):
        loaded(place)


# -- the language model -----------------------------------------------------------------------


def test_the_key_comes_from_the_environment_and_shows_itself_nowhere(place: Path) -> None:
    found = loaded(place, COMMONPLACE_LLM_KEY="sk-ours", OPENAI_API_KEY="sk-theirs")
    assert found.llm_key.reveal() == "sk-ours"
    assert "sk-" not in f"{found!r} {found.llm_key} {found.settings!r} {dict(found.sources)}"
    assert not loaded(place).llm_key


@pytest.mark.parametrize(
    ("url", "sent"),
    [
        ("https://api.openai.com/v1", True),
        ("https://API.OPENAI.COM:443/v1", True),
        ("http://localhost:1/v1", False),
        ("http://api.openai.com/v1", False),
        ("https://evil.example?.openai.com/", False),
        ("https://api.openai.com.evil.example/v1", False),
        ("https://evil.example/api.openai.com", False),
        ("https://notopenai.com/v1", False),
        ("https://api.openai.com:x@evil.example/v1", False),
        ("", False),
    ],
)
def test_the_key_for_openai_goes_to_openai_alone(place: Path, url: str, sent: bool) -> None:
    assert bool(loaded(place, OPENAI_API_KEY="sk-theirs", COMMONPLACE_LLM_URL=url).llm_key) is sent


def test_a_key_is_no_setting_and_is_never_written(place: Path) -> None:
    user_file(place).write_text("llm_key = 'sk-ours'\n")
    with pytest.raises(InvalidInput, match="llm_key"):
        loaded(place)
    for keep in (lambda: save(user_file(place), "llm_key", "sk"), lambda: save_in_project(place, "llm_key", "sk")):
        with pytest.raises(InvalidInput):
            keep()


def test_a_project_cannot_send_conversations_elsewhere(place: Path) -> None:
    with pytest.raises(InvalidInput, match="set it for yourself"):
        save_in_project(place, "llm_url", "https://evil.example")
    project_file(place).write_text("llm_url = 'https://evil.example'\n")
    assert loaded(place).settings.llm_url == ""
    assert [each.name for each in loaded(place).ignored] == ["llm_url"]


# -- saving -----------------------------------------------------------------------------------


def test_saving_sets_one_value_and_keeps_the_others(place: Path) -> None:
    save(user_file(place), "limit", "9")
    save(user_file(place), "mode", "words")
    found = loaded(place).settings
    assert (found.limit, found.mode) == (9, "words")


def test_saving_creates_the_folder_and_leaves_nothing_behind(place: Path) -> None:
    file = place / "new" / "config.toml"
    save(file, "limit", "9")
    assert [each.name for each in file.parent.iterdir()] == ["config.toml"]


@pytest.mark.parametrize(("name", "value"), [("limit", "many"), ("mode", "psychic"), ("colour", "red"), ("limit", "0")])
def test_a_value_that_would_not_load_is_not_saved(place: Path, name: str, value: str) -> None:
    with pytest.raises(InvalidInput):
        save(user_file(place), name, value)
    assert not user_file(place).exists()


@given(value=st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=20))
def test_whatever_text_is_saved_is_loaded(tmp_path_factory: pytest.TempPathFactory, value: str) -> None:
    folder = tmp_path_factory.mktemp("config")
    save(folder / "commonplace" / "config.toml", "models", value)
    found = load({}, {"HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}, folder)
    assert found.settings.models == value


RICH = """\
# What I set, and why.   \t

store   =   '/data/book.db'   # on the large disk
limit = 12

  # a thought in between
mode="words" # hybrid later?
models = \"\"\"/opt/models\"\"\"
near = 'skip'
# the end, without a newline"""


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@given(name=st.sampled_from(["limit", "mode", "near", "models", "store"]))
def test_saving_changes_the_value_and_not_a_byte_beside_it(
    tmp_path_factory: pytest.TempPathFactory, newline: str, name: str
) -> None:
    file = tmp_path_factory.mktemp("config") / "config.toml"
    before = RICH.replace("\n", newline).encode()
    file.write_bytes(before)
    value = {"limit": "33", "mode": "vectors", "near": "ignore"}.get(name, "/elsewhere")
    save(file, name, value)
    lines = file.read_bytes().split(b"\n")
    expected = before.split(b"\n")
    assert len(lines) == len(expected)
    (place,) = [at for at, (new, old) in enumerate(zip(lines, expected, strict=True)) if new != old]
    key, _, written = expected[place].partition(b"=")
    assert key.strip() == name.encode()
    blanks = len(written) - len(written.lstrip())
    comment = written[written.index(b" #") :] if b" #" in written else b"\r" * written.endswith(b"\r")
    assert lines[place].startswith(key + b"=" + written[:blanks])
    assert lines[place].endswith(comment)
    assert value in lines[place].decode()


def test_a_setting_that_was_not_there_is_added_after_what_was(place: Path) -> None:
    file = user_file(place)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(RICH)
    save(file, "port", "9000")
    assert file.read_text() == f"{RICH}\nport = 9000\n"
    assert loaded(place).settings.port == 9000


def test_what_a_project_may_not_set_stays_in_its_file_without_effect(place: Path) -> None:
    file = project_file(place)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("# ours\nport = 1 # in vain\nnear = 'skip'\n")
    save_in_project(place, "near", "ignore")
    assert file.read_text() == '# ours\nport = 1 # in vain\nnear = "ignore"\n'
    assert (loaded(place).settings.near, loaded(place).settings.port) == ("ignore", 8765)
