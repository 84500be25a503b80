"""The names a server is called by, read strictly: what is not quite a name is nobody's."""

import re
from collections.abc import Iterable
from ipaddress import IPv6Address, ip_address

from commonplace.errors import InvalidInput

LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "[::1]"})
EVERYWHERE = ("0.0.0.0", "::")  # to listen on; nobody is called so
PORT_LIMIT = 65_535

_HOST = re.compile(r"([a-z0-9._-]+|\[[0-9a-f:.]+\])(?::([0-9]{1,5}))?", re.ASCII)
_ORIGIN = re.compile(r"[a-z][a-z0-9+.-]*://([^/?#@\\]+)", re.ASCII)


def host_name(host: str) -> str | None:
    """The name in `name`, `name:port`, `[address]` or `[address]:port`, in lower case; None for anything else."""
    found = _HOST.fullmatch(host.lower()) if host.isascii() else None
    if found is None or int(found[2] or 0) > PORT_LIMIT:
        return None
    name = found[1]
    return name if not name.startswith("[") else _bracketed(name[1:-1])


def origin_name(origin: str) -> str | None:
    """The name in `scheme://name:port`; None for anything else, such as `null`."""
    found = _ORIGIN.fullmatch(origin.lower()) if origin.isascii() else None
    return None if found is None else host_name(found[1])


def names_in(setting: str) -> frozenset[str]:
    """The names of a list separated by commas."""
    entries = [entry.strip() for entry in setting.split(",") if entry.strip()]
    return frozenset(_named(entry) for entry in entries)


def is_loopback(name: str) -> bool:
    """Whether a name or an address is this machine's alone."""
    if name.lower() == "localhost":
        return True
    try:
        return ip_address(name.strip("[]")).is_loopback
    except ValueError:
        return False


def public(names: Iterable[str]) -> list[str]:
    """The names by which others can reach the server."""
    return sorted(name for name in names if not is_loopback(name))


def in_address(host: str) -> str:
    """A host as it stands in an address."""
    return f"[{host}]" if ":" in host else host


def _named(entry: str) -> str:
    name = _bracketed(entry) or host_name(entry)
    if name is None:
        shown = entry[:60]
        raise InvalidInput(
            f"allowed_hosts has '{shown}', which is not a host name: write names such as memory.example.org.",
            "allowed_hosts",
        )
    return name


def _bracketed(address: str) -> str | None:
    try:
        return f"[{IPv6Address(address)}]"
    except ValueError:
        return None
