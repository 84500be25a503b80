"""One frozen Settings, and the only reader of the environment and of configuration files.

A value comes from the first of: a flag, the environment, the project's
`.commonplace/config.toml`, the user's `config.toml`, the default.
"""

import math
import os
import re
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

from commonplace.errors import InvalidInput
from commonplace.plan import PLANS, Plan
from commonplace.project import find_root
from commonplace.rank import Decay
from commonplace.record import Record

APPLICATION = "commonplace"
ENVIRONMENT_PREFIX = "COMMONPLACE_"
PROJECT_FOLDER = ".commonplace"
NO_MODEL = "none"
CURATED_BUDGET = 8_000

_NOT_BELOW_ZERO = (
    "max_tokens", "dream_idle_seconds", "dream_edit_budget", "dream_text_budget", "dream_stale_confidence",
    "dream_unused_days", "dream_expired_days", "dream_young_days",
)  # fmt: skip
_PASSWORD = re.compile(r"(://[^/@:]*):[^/@]*(?=@)|(?<=[?&])password=[^&]*&?")


class Settings(Record):
    """Everything that can be set, with its default. An empty string means: not set."""

    store: str = ""
    scope: str = "user:default"
    project: str = ""
    model: str = "arctic-s"
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
    rate_per_minute: int = 600
    body_limit: int = 4_194_304
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
    snipara_plan: str = ""
    curated_budget: int = CURATED_BUDGET

    def __post_init__(self) -> None:
        _one_of("mode", self.mode, ("auto", "words", "vectors"))
        _one_of("near", self.near, ("report", "skip", "ignore"))
        if self.snipara_plan:
            _one_of("snipara_plan", self.snipara_plan, tuple(filter(None, PLANS)))
        _one_of("synchronous", self.synchronous, ("FULL", "NORMAL", "EXTRA"))
        for name in (
            "limit", "threads", "busy_seconds", "rate_per_minute", "body_limit", "llm_timeout_seconds",
            "embed_timeout_seconds", "embed_dimensions", "curated_budget",
        ):  # fmt: skip
            if getattr(self, name) <= 0:
                raise InvalidInput(f"{name} must be above zero, not {getattr(self, name)}.", name)
        for name in _NOT_BELOW_ZERO:
            if getattr(self, name) < 0:
                raise InvalidInput(f"{name} must not be below zero, as {getattr(self, name)} is.", name)
        if not 0 <= self.port <= 65_535:
            raise InvalidInput(f"port must be from 0 to 65535, not {self.port}.", "port")


DESCRIPTIONS: Mapping[str, str] = {
    "store": "the book: a file, or a database address",
    "scope": "where memories go unless a command says otherwise",
    "project": "the folder that `project:auto` stands for",
    "model": "the model pack to look by meaning with, or `none`",
    "models": "the folder that model packs are kept in",
    "mode": "how recall looks: auto, words or vectors",
    "near": "what to do about near repeats: report, skip or ignore",
    "limit": "how many memories a recall brings back",
    "max_tokens": "the token budget of a recall; 0 for none",
    "busy_seconds": "how long to wait for another writer",
    "synchronous": "FULL survives a power cut; NORMAL may lose the last writes in one",
    "threads": "processor threads a model may use",
    "user": "the name of the local user",
    "host": "the address that `serve` listens on",
    "port": "the port that `serve` listens on",
    "allowed_hosts": "names under which `serve` may be called beside the loopback ones, with commas between",
    "rate_per_minute": "how many requests a minute each token may make",
    "body_limit": "how many bytes a request may have",
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
    "snipara_plan": "whose limits the snipara dialect keeps to: starter, pro, team or enterprise; none unless set",
    "curated_budget": "how many characters curated memory may have in all",
}
GIT_CHECK_SWITCH = "NUZO_DOCTOR_SKIP_GIT"
# A folder somebody cloned must not choose where conversations, and the key with them, are sent.
NEVER_IN_A_PROJECT = ("llm_url", "embed_url")
_LLM_KEY = ENVIRONMENT_PREFIX + "LLM_KEY"
_EMBED_KEY = ENVIRONMENT_PREFIX + "EMBED_KEY"
_OPENAI_KEY = "OPENAI_API_KEY"
_OPENAI = re.compile(r"https://(?:[a-z0-9-]+\.)*openai\.com(?::\d+)?(?:/|$)", re.IGNORECASE)
_ALIASES = {"project": ("NUZO_PROJECT_ROOT",), "store": ("NUZO_MEMORY_STORE",)}


class Key:
    """A key from the environment: never printed, never written; `reveal` is for the one request it belongs to."""

    __slots__ = ("_value",)

    def __init__(self, value: str = "") -> None:
        self._value = value

    def reveal(self) -> str:
        return self._value

    def __bool__(self) -> bool:
        return bool(self._value)

    def __repr__(self) -> str:
        return "Key(…)" if self._value else "Key()"


class Configuration(Record):
    """Settings, with where each value came from."""

    settings: Settings
    sources: Mapping[str, str]
    user_file: Path
    project_root: Path
    data: Path
    llm_key: Key = Key()
    embed_key: Key = Key()

    @property
    def project_file(self) -> Path:
        return self.project_root / PROJECT_FOLDER / "config.toml"

    @property
    def store(self) -> str:
        return self.settings.store or str(self.data / "book.db")

    @property
    def shown_store(self) -> str:
        """The book's place as it may be printed."""
        return without_password(self.store)

    @property
    def decay(self) -> Decay:
        settings = self.settings
        return Decay(settings.decay_rate, settings.decay_boost, settings.decay_floor)

    @property
    def plan(self) -> Plan:
        return PLANS[self.settings.snipara_plan]

    @property
    def models_folder(self) -> Path:
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
    root = Path(named).expanduser().resolve() if named else find_root(folder or Path.cwd())
    project_file = root / PROJECT_FOLDER / "config.toml"
    layers: list[tuple[str, Mapping[str, object]]] = [
        ("flag", given),
        *((source, {name: value}) for name, (value, source) in surroundings.items()),
        (str(project_file), _from_project(project_file)),
        (str(user_file), own),
    ]
    values: dict[str, object] = {}
    sources: dict[str, str] = {}
    for source, layer in layers:
        for name, value in layer.items():
            if name not in values:
                values[name] = _typed(name, value, source)
                sources[name] = source
    settings = Settings(**values)  # type: ignore[arg-type]
    keys = (_key(environment, _LLM_KEY, settings.llm_url), _key(environment, _EMBED_KEY, settings.embed_url))
    return Configuration(settings, sources, user_file, root, data_folder(environment), *keys)


def save(file: Path, name: str, value: str) -> None:
    """Set one value in a configuration file, keeping the others."""
    _typed(name, value, "the command line")
    Settings(**{name: _typed(name, value, "the command line")})  # type: ignore[arg-type]
    if file.parent.name == PROJECT_FOLDER:
        _refuse_in_project(file, (name,))
    current = dict(_from_file(file))
    current[name] = _typed(name, value, str(file))
    file.parent.mkdir(parents=True, exist_ok=True)
    lines = [f"{key} = {_toml(item)}" for key, item in sorted(current.items())]
    temporary = file.with_name(file.name + ".new")
    temporary.write_text("\n".join(lines) + "\n", encoding="utf-8")
    os.replace(temporary, file)


def without_password(address: str) -> str:
    """A database address as it may be printed; a path as it is."""
    return _PASSWORD.sub(r"\1", address) if "://" in address else address


def data_folder(environment: Mapping[str, str]) -> Path:
    """Where the book is by default: the system's place for a user's data."""
    home = Path(environment.get("HOME") or Path.home())
    if sys.platform == "win32":
        return Path(environment.get("LOCALAPPDATA") or home / "AppData" / "Local") / APPLICATION
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / APPLICATION
    return Path(environment.get("XDG_DATA_HOME") or home / ".local" / "share") / APPLICATION


def config_folder(environment: Mapping[str, str]) -> Path:
    if sys.platform in ("win32", "darwin"):
        return data_folder(environment)
    home = Path(environment.get("HOME") or Path.home())
    return Path(environment.get("XDG_CONFIG_HOME") or home / ".config") / APPLICATION


def skips_git_check(environment: Mapping[str, str] | None = None) -> bool:
    """Whether Nuzo's doctor is told not to ask git."""
    return (os.environ if environment is None else environment).get(GIT_CHECK_SWITCH) == "1"


def _from_environment(environment: Mapping[str, str]) -> dict[str, tuple[str, str]]:
    found = {}
    for field in Settings.fields:
        for name in (ENVIRONMENT_PREFIX + field.upper(), *_ALIASES.get(field, ())):
            if environment.get(name):
                found[field] = (environment[name], name)
                break
    return found


def _from_file(file: Path) -> Mapping[str, object]:
    if not file.is_file():
        return {}
    import tomllib  # 10 ms to import, and most commands find no file to read

    try:
        data = tomllib.loads(file.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InvalidInput(f"{file} is not valid TOML ({error}): mend it or move it away.") from error
    for name in data:
        if name not in DESCRIPTIONS:
            raise InvalidInput(f"{file} sets '{name}', which is not a setting: see 'commonplace config show'.")
    return data


def _from_project(file: Path) -> Mapping[str, object]:
    found = _from_file(file)
    _refuse_in_project(file, found)
    return found


def _refuse_in_project(file: Path, names: Iterable[str]) -> None:
    for name in names:
        if name in NEVER_IN_A_PROJECT:
            raise InvalidInput(f"{file} must not set '{name}', which belongs in your own configuration only.", name)


def _key(environment: Mapping[str, str], variable: str, url: str) -> Key:
    """Our own variable; OpenAI's only for OpenAI, so that its key goes nowhere else by accident."""
    if environment.get(variable):
        return Key(environment[variable])
    return Key(environment.get(_OPENAI_KEY, "") if _OPENAI.match(url) else "")


def _typed(name: str, value: object, source: str) -> object:
    if name not in DESCRIPTIONS:
        raise InvalidInput(f"'{name}' is not a setting: see 'commonplace config show'.", name)
    wanted = type(getattr(Settings(), name))
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


def _toml(value: object) -> str:
    if isinstance(value, str):
        escaped = "".join(f"\\u{ord(c):04x}" if c in '"\\\x7f' or c < " " else c for c in value)
        return f'"{escaped}"'
    return str(value)


def _one_of(name: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise InvalidInput(f"{name} must be one of {', '.join(allowed)}, not '{value}'.", name)
