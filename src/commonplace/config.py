"""One frozen Settings, and the only reader of the environment and of configuration files.

A value comes from the first of: a flag, the environment, the project's `.commonplace/config.toml` (for the few
settings that are a project's to choose: see `project_settings`), the user's `config.toml`, the default.
"""

import math
import os
import re
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from commonplace.domain.key import NO_KEY, Key
from commonplace.domain.rank import USUAL_DECAY, Decay
from commonplace.domain.record import Record
from commonplace.errors import InvalidInput
from commonplace.workspace.dialect_settings import settings_of_dialects, variables_for
from commonplace.workspace.files import PRIVATE, SHARED, is_open_to_others, new_file, read_secret, refuse_links
from commonplace.workspace.project import FOLDER, Place, locate, may_have_settings

if TYPE_CHECKING:
    from commonplace.workspace.project_settings import Ignored, ProjectSettings

APPLICATION = "commonplace"
ENVIRONMENT_PREFIX = "COMMONPLACE_"
NO_MODEL = "none"
CURATED_BUDGET = 8_000
INJECT = ("off", "start", "prompt", "both")
CAPTURE = ("off", "ask", "on")
NOT_SET: Mapping[str, str] = MappingProxyType({})

_ABOVE_ZERO = """limit threads busy_seconds rate_per_minute body_limit connection_limit llm_timeout_seconds
    embed_timeout_seconds embed_dimensions curated_budget""".split()
_NOT_BELOW_ZERO = (
    "max_tokens",
    "request_seconds",
    "dream_idle_seconds",
    "dream_edit_budget",
    "dream_text_budget",
    "dream_stale_confidence",
    "dream_unused_days",
    "dream_expired_days",
    "dream_young_days",
)


class Settings(Record):
    """Everything that can be set, with its default. An empty string means: not set.

    `of_dialects` is what is set of the settings that single dialects add.
    """

    store: str = ""
    store_password_file: str = ""
    scope: str = "user:default"
    project: str = ""
    model: str = "auto"
    models: str = ""
    mode: str = "auto"
    near: str = "report"
    limit: int = 8
    max_tokens: int = 0
    busy_seconds: float = 10.0
    synchronous: str = "FULL"
    threads: int = 2
    user: str = "local"
    host: str = "127.0.0.1"
    port: int = 8765
    allowed_hosts: str = ""
    dialects: str = ""
    rate_per_minute: int = 600
    body_limit: int = 4_194_304
    connection_limit: int = 512
    request_seconds: float = 30.0
    oauth_issuer: str = ""
    oauth_resource: str = ""
    oauth_jwks: str = ""
    decay_rate: float = 0.98
    decay_boost: float = 0.05
    decay_floor: float = 0.1
    dream_window: str = "02:00-05:00"
    dream_idle_seconds: int = 900
    dream_edit_budget: int = 32
    dream_text_budget: int = 262_144
    dream_stale_confidence: float = 0.2
    dream_unused_days: int = 180
    dream_expired_days: int = 30
    dream_young_days: int = 7
    llm_url: str = ""
    llm_model: str = ""
    llm_timeout_seconds: float = 30.0
    embed_url: str = ""
    embed_model: str = ""
    embed_dimensions: int = 1_536
    embed_timeout_seconds: float = 30.0
    embed_relevant: float = 0.4
    embed_near: float = 0.9
    curated_budget: int = CURATED_BUDGET
    inject: str = "both"
    capture: str = "on"
    private_paths: str = ""
    private_patterns: str = ""
    of_dialects: Mapping[str, str] = NOT_SET

    def __post_init__(self) -> None:
        check_store(self.store)
        _one_of("mode", self.mode, ("auto", "words", "vectors"))
        _one_of("near", self.near, ("report", "skip", "ignore"))
        _one_of("inject", self.inject, INJECT)
        _one_of("capture", self.capture, CAPTURE)
        for name, value in self.of_dialects.items():
            if name not in _OF_DIALECTS:
                raise InvalidInput(f"'{name}' is not a setting that a dialect adds.", name)
            wanted = _OF_DIALECTS[name].refusal(value)
            if wanted is not None:
                raise InvalidInput(f"{name} must be {wanted}, not '{value}'.", name)
        _one_of("synchronous", self.synchronous, ("FULL", "NORMAL", "EXTRA"))
        for name in _ABOVE_ZERO:
            if getattr(self, name) <= 0:
                raise InvalidInput(f"{name} must be above zero, not {getattr(self, name)}.", name)
        for name in _NOT_BELOW_ZERO:
            if getattr(self, name) < 0:
                raise InvalidInput(f"{name} must not be below zero, as {getattr(self, name)} is.", name)
        if not 0 <= self.port <= 65_535:
            raise InvalidInput(f"port must be from 0 to 65535, not {self.port}.", "port")

    def __repr__(self) -> str:
        return f"Settings({', '.join(f'{name}={shown(name, self.value(name))!r}' for name in DESCRIPTIONS)})"

    def value(self, name: str) -> str | int | float:
        """The value of any setting by its name, also of one that a dialect adds."""
        value: str | int | float = self.of_dialects.get(name, "") if name in _OF_DIALECTS else getattr(self, name)
        return value


def shown(name: str, value: object) -> object:
    """The value of a setting as it may be printed: an address without its password."""
    if isinstance(value, str) and (name in _ADDRESSES or "://" in value):
        from commonplace.domain.addresses import without_password  # few settings are shown

        return without_password(value)
    return value


def check_store(place: str) -> None:
    """Raise for what is neither a file nor an address, such as `host=… password=…`: it would be shown as a path."""
    if "://" in place or not ("@" in place or "=" in place):
        return
    from commonplace.domain.addresses import holds_password  # a path that looks like one is rare

    if holds_password(place):
        raise InvalidInput("The store looks like an address but is not one: name a file, or postgresql://….", "store")


_OF_DIALECTS = settings_of_dialects()
DESCRIPTIONS: Mapping[str, str] = {
    "store": "the book: a file, or a database address",
    "store_password_file": "a file that only you can read, with the password for the database",
    "scope": "where memories go unless a command says otherwise",
    "project": "the folder that `project:auto` stands for",
    "model": "the model packs that search by meaning: `auto`, a name, two with + between, or `none`",
    "models": "the folder that model packs are kept in",
    "mode": "how recall searches: auto, words or vectors",
    "near": "what to do about near repeats: report, skip or ignore",
    "limit": "how many memories a recall brings back",
    "max_tokens": "the token budget of a recall; 0 for none",
    "busy_seconds": "how long to wait for another writer",
    "synchronous": "FULL survives a power cut; NORMAL may lose the last writes in one",
    "threads": "processor threads a model may use",
    "user": "the name of the local user",
    "host": "the address that `serve` listens on",
    "port": "the port that `serve` listens on",
    "allowed_hosts": "names under which `serve` may be called beside the loopback ones, separated by commas",
    "dialects": "the dialects that `serve` has, separated by commas; all of them unless set",
    "rate_per_minute": "how many requests a minute each token may make",
    "body_limit": "how many bytes a request may have",
    "connection_limit": "from how many connections on `serve` answers 503",
    "request_seconds": "how long a call may take before `serve` stops it; 0 for no limit",
    "oauth_issuer": "the OAuth issuer whose tokens `serve` accepts",
    "oauth_resource": "the address of this server as the issuer's tokens name it",
    "decay_rate": "what is left of a memory's confidence after a day without use, where confidence fades",
    "decay_boost": "how much a use lifts it again",
    "decay_floor": "what confidence never falls below",
    "dream_window": "when the book may dream by itself, in local time, or `never`",
    "dream_idle_seconds": "how long nobody must have used the book before it dreams by itself",
    "dream_edit_budget": "how many edits one dream may make",
    "dream_text_budget": "how many bytes of text one dream may write",
    "dream_stale_confidence": "the faded confidence below which a dream may archive what nobody uses",
    "dream_unused_days": "how long nobody must have used a memory before a dream may archive it",
    "dream_expired_days": "how long after it expired a dream may archive a memory",
    "dream_young_days": "how long a dream leaves new memories alone",
    "oauth_jwks": "where the issuer's keys are; found through its metadata when not set",
    "llm_url": "the address of an OpenAI-compatible language model; without one, rules do its work",
    "llm_model": "the name of the language model at that address",
    "llm_timeout_seconds": "how long to wait for the language model's answer",
    "embed_url": "the address of an OpenAI-compatible embedding model, instead of a model pack",
    "embed_model": "the name of the embedding model at that address",
    "embed_dimensions": "how many numbers its vectors have",
    "embed_timeout_seconds": "how long to wait for its answer",
    "embed_relevant": "the cosine from which a question and a memory belong together, for that model",
    "embed_near": "the cosine from which two memories say the same, for that model",
    **{name: setting.meaning for name, setting in _OF_DIALECTS.items()},
    "curated_budget": "how many characters curated memory may have in all",
    "inject": "when hooks bring memories unasked: off, start, prompt or both",
    "capture": "whether hooks learn from conversations: on, ask or off",
    "private_paths": "folders in which hooks do nothing, separated by commas",
    "private_patterns": "words that hooks neither keep nor bring, * for any, separated by commas",
}
_ADDRESSES = ("store", "llm_url", "embed_url", "oauth_issuer", "oauth_resource", "oauth_jwks")
_STORE_PASSWORD = ENVIRONMENT_PREFIX + "STORE_PASSWORD"
_TOKEN = ENVIRONMENT_PREFIX + "TOKEN"
_LLM_KEY = ENVIRONMENT_PREFIX + "LLM_KEY"
_EMBED_KEY = ENVIRONMENT_PREFIX + "EMBED_KEY"
_OPENAI_KEY = "OPENAI_API_KEY"
_OPENAI = re.compile(r"https://(?:[a-z0-9-]+\.)*openai\.com(?::\d+)?(?:/|$)", re.IGNORECASE)


class Configuration(Record):
    """Settings, with where each value came from.

    `project_of_dialects` is what the files that dialects expect in a project set, by dialect, for their own commands.
    """

    settings: Settings
    sources: Mapping[str, str]
    user_file: Path
    place: Place
    data: Path
    llm_key: Key = NO_KEY
    embed_key: Key = NO_KEY
    given_password: Key = NO_KEY
    token: Key = NO_KEY
    project_of_dialects: Mapping[str, Mapping[str, object]] = MappingProxyType({})
    ignored: "tuple[Ignored, ...]" = ()

    @property
    def project_root(self) -> Path:
        """The folder of the project, or the one that commands are run in."""
        return self.place.root

    @property
    def project_file(self) -> Path:
        """Where the project's own settings would be; it need not exist."""
        return project_file(self.project_root)

    def is_from_project(self, name: str) -> bool:
        """Whether a setting has the value that the project chose for it."""
        return self.sources.get(name) == str(self.project_file)

    def is_chosen(self, name: str) -> bool:
        """Whether the person has set this, whatever a project makes of it."""
        elsewhere = self.sources.get(name) not in (None, str(self.project_file))
        return elsewhere or name in _from_file(self.user_file)

    @property
    def tells_a_password(self) -> bool:
        """Whether others can read a password in the user's own file."""
        own = (name for name, source in self.sources.items() if source == str(self.user_file))
        held = any(shown(name, value) != value for name in own for value in (self.settings.value(name),))
        return held and is_open_to_others(self.user_file)

    @property
    def store(self) -> str:
        """The address of the book: what was set, else a file in the data folder."""
        return self.settings.store or str(self.data / "book.db")

    @property
    def shown_store(self) -> str:
        """The book's place as it may be printed."""
        return str(shown("store", self.store))

    def read_password(self) -> Key:
        """The password of the book's server: from the environment, else from the file that is named."""
        named = self.settings.store_password_file
        if self.given_password or not named:
            return self.given_password
        return Key(read_secret(Path(named).expanduser(), "store_password_file"))

    @property
    def decay(self) -> Decay:
        """How fast confidence fades and what a use adds, as set."""
        settings = self.settings
        chosen = (settings.decay_rate, settings.decay_boost, settings.decay_floor)
        return USUAL_DECAY if chosen == (USUAL_DECAY.rate, USUAL_DECAY.boost, USUAL_DECAY.floor) else Decay(*chosen)

    @property
    def models_folder(self) -> Path:
        """Where packs are looked for, a leading ~ made whole; it need not exist."""
        return Path(self.settings.models or self.data / "models").expanduser()


def load(
    flags: Mapping[str, object] | None = None,
    environment: Mapping[str, str] | None = None,
    folder: Path | None = None,
) -> Configuration:
    """Read every layer. Files that are not there are not missed; files that are wrong are named."""
    environment = os.environ if environment is None else environment
    given = {name: value for name, value in (flags or {}).items() if value is not None}
    surroundings = _from_environment(environment)
    user_file = config_folder(environment) / "config.toml"
    own = _from_file(user_file)
    named = str(given.get("project") or surroundings.get("project", ("", ""))[0] or own.get("project", ""))
    place = Place(Path(named).expanduser().resolve(), True) if named else locate(folder or Path.cwd())
    root = place.root
    project = _of_project(root)
    layers: list[tuple[str, Mapping[str, object]]] = [
        ("flag", given),
        *((source, {name: value}) for name, (value, source) in surroundings.items()),
        (str(project_file(root)), project.values if project else {}),
        (str(user_file), own),
    ]
    values: dict[str, object] = {}
    sources: dict[str, str] = {}
    for source, layer in layers:
        for name, value in layer.items():
            if name not in values:
                values[name] = _typed(name, value, source)
                sources[name] = source
    for name in () if project is None else project.restricts:
        chosen = str(values.get(name, getattr(Settings(), name)))
        values[name] = chosen if project is None else project.narrowed(name, chosen)
        sources |= {} if values[name] == chosen else {name: str(project_file(root))}
    settings = _settings(values)
    return Configuration(
        settings,
        sources,
        user_file,
        place,
        data_folder(environment),
        llm_key=_key(environment, _LLM_KEY, settings.llm_url),
        embed_key=_key(environment, _EMBED_KEY, settings.embed_url),
        given_password=_key(environment, _STORE_PASSWORD),
        token=_key(environment, _TOKEN),
        project_of_dialects=project.of_dialects if project else {},
        ignored=project.ignored if project else (),
    )


def _of_project(root: Path) -> "ProjectSettings | None":
    if not may_have_settings(root):
        return None
    from commonplace.workspace.project_settings import read_project  # few folders have settings

    return read_project(root, _checked)


def project_file(root: Path) -> Path:
    """Where a project's own settings are."""
    return root / FOLDER / "config.toml"


def save(file: Path, name: str, value: str) -> None:
    """Set one value in the user's configuration file. It is for the user's eyes only."""
    typed = _checked(name, value)
    _from_file(file)  # one that cannot be used is named, and left as it is
    _write(file, name, typed, PRIVATE)


def save_in_project(root: Path, name: str, value: str) -> None:
    """Set one value in a project's configuration file."""
    from commonplace.workspace.project_settings import read_project, refuse_in_project  # few folders have settings

    file = project_file(root)
    typed = _checked(name, value)
    refuse_in_project(root, name, typed, _checked)
    refuse_links(file, root)
    for each in read_project(root, _checked).ignored:
        if each.file == file and not each.name:
            raise InvalidInput(f"{file} cannot be changed, because {each.reason}: correct it or move it away.")
    _write(file, name, typed, SHARED)


def _write(file: Path, name: str, value: object, mode: int) -> None:
    """Set one value in a file that has been read before; comments, order and whatever else is in it stay."""
    import tomlkit  # 70 ms to import, which only whoever sets something has to pay

    document = tomlkit.parse(file.read_bytes() if file.is_file() else b"")
    document[name] = value
    file.parent.mkdir(parents=True, exist_ok=True)
    with new_file(file, replace=True, mode=mode) as target:
        target.write(tomlkit.dumps(document))


def data_folder(environment: Mapping[str, str]) -> Path:
    """Where the book is by default: the system's place for a user's data."""
    home = Path(environment.get("HOME") or Path.home())
    if sys.platform == "win32":
        return Path(environment.get("LOCALAPPDATA") or home / "AppData" / "Local") / APPLICATION
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / APPLICATION
    return Path(environment.get("XDG_DATA_HOME") or home / ".local" / "share") / APPLICATION


def state_folder(environment: Mapping[str, str] | None = None) -> Path:
    """Where hooks keep what they know from one call to the next; it need not exist."""
    environment = os.environ if environment is None else environment
    if sys.platform in ("win32", "darwin"):
        return data_folder(environment) / "state"
    home = Path(environment.get("HOME") or Path.home())
    return Path(environment.get("XDG_STATE_HOME") or home / ".local" / "state") / APPLICATION


def config_folder(environment: Mapping[str, str]) -> Path:
    """Where settings are kept on this system; beside the data on Windows and macOS. It need not exist."""
    if sys.platform in ("win32", "darwin"):
        return data_folder(environment)
    home = Path(environment.get("HOME") or Path.home())
    return Path(environment.get("XDG_CONFIG_HOME") or home / ".config") / APPLICATION


def variables(names: Iterable[str]) -> dict[str, str]:
    """Those of the environment's variables that are set, of these names; what other programs go by, not settings."""
    return {name: os.environ[name] for name in names if os.environ.get(name)}


def is_switched_on(variable: str, environment: Mapping[str, str] | None = None) -> bool:
    """Whether a variable of the environment that is no setting, but a switch of one command, is 1."""
    return (os.environ if environment is None else environment).get(variable) == "1"


_VARIABLES = {name: (ENVIRONMENT_PREFIX + name.upper(), *variables_for(name)) for name in DESCRIPTIONS}


def _from_environment(environment: Mapping[str, str]) -> dict[str, tuple[str, str]]:
    found = {}
    for setting in DESCRIPTIONS:
        for name in _VARIABLES[setting]:
            if environment.get(name):
                found[setting] = (environment[name], name)
                break
    return found


def _from_file(file: Path) -> Mapping[str, object]:
    if not file.is_file():
        return {}
    import tomllib  # 10 ms to import, and most commands find no file to read

    try:
        data = tomllib.loads(file.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InvalidInput(f"{file} is not valid TOML ({error}): correct it or move it away.") from error
    for name in data:
        if name not in DESCRIPTIONS:
            raise InvalidInput(f"{file} sets '{name}', which is not a setting: see 'commonplace config show'.")
    return data


def _key(environment: Mapping[str, str], variable: str, url: str = "") -> Key:
    """Our own variable; OpenAI's only for OpenAI, so that its key goes nowhere else by accident."""
    found = environment.get(variable) or (environment.get(_OPENAI_KEY) if _OPENAI.match(url) else None)
    return Key(found) if found else NO_KEY


def _checked(name: str, value: object) -> object:
    """A value as its setting takes it, or the reason why it cannot."""
    typed = _typed(name, value, "the command line")
    _settings({name: typed})
    return typed


def _settings(values: Mapping[str, object]) -> Settings:
    """Settings of values by name, those that dialects add among them."""
    own = {name: value for name, value in values.items() if name not in _OF_DIALECTS}
    added = {name: _chosen(name, str(value)) for name, value in values.items() if name in _OF_DIALECTS and value}
    return Settings(**own, of_dialects=added)  # type: ignore[arg-type]


def _chosen(name: str, value: str) -> str:
    """What a dialect lets one choose, as it spells it: people write names of plans as a page shows them."""
    return next((each for each in _OF_DIALECTS[name].choices if each.lower() == value.strip().lower()), value)


def _typed(name: str, value: object, source: str) -> object:
    if name not in DESCRIPTIONS:
        raise InvalidInput(f"'{name}' is not a setting: see 'commonplace config show'.", name)
    wanted = type(Settings().value(name))
    if wanted is str:
        return str(value)
    try:
        number = float(str(value))
    except ValueError:
        number = math.nan
    whole = wanted is int
    if isinstance(value, bool) or not math.isfinite(number) or (whole and number != int(number)):
        raise InvalidInput(f"{name} must be a {'whole ' if whole else ''}number, not '{value}' (from {source}).", name)
    return int(number) if whole else number


def _one_of(name: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise InvalidInput(f"{name} must be one of {', '.join(allowed)}, not '{value}'.", name)
