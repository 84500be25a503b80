"""Settings become a store, an embedder and a language model: the only file that names concrete classes.

Its imports inside functions are those of what was chosen: nobody loads a model or a driver that they do not use.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from commonplace.config import NO_MODEL, Configuration, Settings, check_store
from commonplace.domain.key import Key
from commonplace.domain.rank import Scale
from commonplace.domain.record import Record
from commonplace.errors import InvalidInput
from commonplace.ports import LLM, Calibration, Embedder, Store
from commonplace.store.sqlite import SqliteStore
from commonplace.workspace.files import refuse_links

if TYPE_CHECKING:
    from commonplace.models.packs import Pack

RELEVANCE_WIDTH = 0.08  # how fast relevance rises around `embed_relevant`; set, not measured


class Parts(Record):
    """What a book is made of. `replaced` are other models at hand, one of which may have embedded it before."""

    store: Store
    embedder: Embedder | None
    replaced: tuple[Embedder, ...] = ()
    llm: LLM | None = None


def assemble(configuration: Configuration, create: bool = True) -> Parts:
    """Put the parts together. Nothing is opened, loaded or written yet."""
    store = store_at(configuration.store, configuration.settings, configuration.read_password, create)
    models, replaced, llm = _embedders(configuration), _replaced(configuration), _llm(configuration)
    if len(models) <= 1:
        return Parts(store, next(iter(models), None), replaced, llm)
    from commonplace.engine.joined import JoinedEmbedder, JoiningStore

    joined = JoinedEmbedder(models, shares=(models[-2], models[-1]))  # only a pack of many languages makes several
    return Parts(JoiningStore(store, joined), joined, replaced, llm)


def store_at(place: str, settings: Settings, password: Callable[[], Key] = Key, create: bool = True) -> Store:
    """The store of a file, or of a server's address, with the password if that has none. Nothing is opened yet.

    Without `create` a book that is not there is not made, nor taken for an empty one.
    """
    if "://" not in place:
        return SqliteStore(_file(place), settings.busy_seconds, settings.synchronous, create=create)
    scheme = place.split("://", maxsplit=1)[0]
    if scheme in ("postgresql", "postgres"):
        return _on_a_server(place, settings, password, create)
    raise InvalidInput(f"There is no store for '{scheme}://' addresses: name a file, or postgresql://….", "store")


def _file(place: str) -> Path:
    check_store(place)
    path = Path(place).expanduser()
    if not path.is_absolute():  # below the present folder, which may be anybody's
        refuse_links(path, Path.cwd())
    return path.absolute()


def _on_a_server(address: str, settings: Settings, password: Callable[[], Key], create: bool) -> Store:
    try:
        from commonplace.store.postgres import PostgresStore
    except ImportError as error:
        raise InvalidInput(
            "A PostgreSQL store needs its driver: install commonplace-memory[postgres].", "store"
        ) from error
    return PostgresStore(address, settings.busy_seconds, password=password().reveal(), create=create)


def _embedders(configuration: Configuration) -> Sequence[Embedder]:
    """The models to embed with, the one that counts most first: none, one, or several side by side."""
    name = configuration.settings.model
    if name == NO_MODEL:
        return ()
    if configuration.settings.embed_url:
        return (_remote_embedder(configuration),)
    from commonplace.models.installed import chosen

    # A pack that is there but damaged is not passed over in silence: whoever asks it is told.
    folder = configuration.models_folder
    there = [pack for pack in chosen(name, folder) if (folder / pack.name).exists()]
    return [part for pack in there for part in _parts(pack, configuration, beside_another=len(there) > 1)]


def _parts(pack: "Pack", configuration: Configuration, beside_another: bool) -> Sequence[Embedder]:
    from commonplace.models.local import LocalEmbedder

    model = LocalEmbedder(pack, configuration.models_folder, configuration.settings.threads)
    if not pack.reads_many:
        return (model,)
    from commonplace.models.shares import shares

    return shares(model, beside_another)


def _remote_embedder(configuration: Configuration) -> Embedder:
    from commonplace.models.remote import HttpEmbedder, endpoint

    given = configuration.settings
    place = endpoint(given.embed_url, given.embed_model, configuration.embed_key, given.embed_timeout_seconds)
    calibration = Calibration(Scale(given.embed_relevant, RELEVANCE_WIDTH), given.embed_near)
    return HttpEmbedder(place, given.embed_dimensions, calibration)


def _replaced(configuration: Configuration) -> tuple[Embedder, ...]:
    folder, settings = configuration.models_folder, configuration.settings
    if not folder.is_dir():
        return ()
    from commonplace.models.installed import chosen, is_installed
    from commonplace.models.local import LocalEmbedder
    from commonplace.models.packs import PACKS

    current = () if settings.embed_url or settings.model == NO_MODEL else chosen(settings.model, folder)
    others = (pack for pack in PACKS.values() if pack not in current and is_installed(pack, folder))
    return tuple(LocalEmbedder(pack, folder, settings.threads) for pack in others)


def _llm(configuration: Configuration) -> LLM | None:
    settings = configuration.settings
    if not settings.llm_url:
        return None
    from commonplace.models.llm import HttpLLM

    return HttpLLM(settings.llm_url, settings.llm_model, configuration.llm_key, settings.llm_timeout_seconds)
