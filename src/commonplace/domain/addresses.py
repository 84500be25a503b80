"""Addresses as they may be shown: what is, or might be, a password is never part of it."""

import re
from functools import cached_property

HIDDEN = "…"

_SENTENCE_ENDS = ".,:;'\")"
_HOST = r"(?:[\w.~%-]*|\[[0-9a-fA-F:.%]+\])(?::[0-9]*)?"


class _Patterns:
    """They take 2 ms to compile: only those who meet an address pay."""

    @cached_property
    def clear(self) -> re.Pattern[str]:
        """An address without doubt where its password ends.

        One that nobody escaped (`p@ss`, `p/w`) leaves doubt, and then only the scheme is shown.
        """
        return re.compile(
            rf"(?P<scheme>[a-z][a-z0-9+.-]*)://(?:(?P<user>[^\s:/?#@,]*)(?::[^\s/@]*)?@)?"
            rf"(?P<place>{_HOST}(?:,{_HOST})*(?:/[^\s?#@:=]*)?)(?:\?(?P<options>[^\s#@?]*))?",
            re.IGNORECASE,
        )

    @cached_property
    def option(self) -> re.Pattern[str]:
        """An option that says nothing secret."""
        return re.compile(
            r"(?:application_name|channel_binding|connect_timeout|dbname|gssencmode|host|hostaddr|port|sslcert|sslkey"
            r"|sslmode|sslrootcert|target_session_attrs|user)=[\w.,/~+:-]*"
        )

    @cached_property
    def looks_like_one(self) -> re.Pattern[str]:
        return re.compile(r"(?://)?(?:[\w+.%-]{2,}:|[\w+.%-]:(?![\\/])).*@", re.DOTALL)

    @cached_property
    def names_a_secret(self) -> re.Pattern[str]:
        return re.compile(
            r"(?:^|\s)(?:\w{0,20}pass\w{0,20}|pwd|\w{0,20}secret|scram_\w{1,10}_key)\s{0,20}=", re.IGNORECASE
        )

    @cached_property
    def names_a_password(self) -> re.Pattern[str]:
        return re.compile(r"(\bpass(?:word|wd)?|sslpassword)\s{0,20}=.*", re.IGNORECASE | re.DOTALL)

    @cached_property
    def in_a_text(self) -> re.Pattern[str]:
        """From the first character that may be of a scheme, never from the middle: a long word is looked at once."""
        return re.compile(r"(?<![a-z0-9+.-])[a-z0-9+.-]++://(?:[^@]{0,300}@)*\S*", re.IGNORECASE)

    @cached_property
    def credentials(self) -> re.Pattern[str]:
        return re.compile(r"(?<![\w+.%-])[\w+.%-]{1,100}:[^\s@]{1,300}@\S*")


_PATTERNS = _Patterns()


def is_clear(address: str) -> bool:
    """Whether it is beyond doubt which part of an address is a password."""
    return _PATTERNS.clear.fullmatch(address) is not None


def without_password(address: str) -> str:
    """A database's or a model's address as it may be printed; a path as it is.

    Shown are a database's user, the hosts, the path and such options as say nothing secret. If there is doubt
    where a password would end, nothing after the scheme is.
    """
    scheme, is_address, _ = address.partition("://")
    if is_address:
        parts = _PATTERNS.clear.fullmatch(address)
        return f"{scheme if scheme.isalnum() else ''}://{HIDDEN}" if parts is None else _shown(parts)
    if "@" in address and _PATTERNS.looks_like_one.match(address.strip()):
        return f"{address.strip().split(':')[0]}:{HIDDEN}"
    named = _PATTERNS.names_a_secret.search(address) if "=" in address else None
    return address if named is None else f"{address[: named.end()]}{HIDDEN}"


def holds_password(text: str) -> bool:
    """Whether a value is an address with a password in it, or may be one."""
    return without_password(text) != text


def without_passwords(message: str) -> str:
    """A sentence whose addresses may be printed; each of them ends at a blank, unless there is an @ further on."""
    message = _PATTERNS.names_a_password.sub(rf"\1={HIDDEN}", message)
    return _PATTERNS.in_a_text.sub(_masked, _PATTERNS.credentials.sub(_masked, message))


def _masked(found: re.Match[str]) -> str:
    address = found[0].rstrip(_SENTENCE_ENDS)
    return without_password(address) + found[0][len(address) :]


def _shown(parts: re.Match[str]) -> str:
    """A user is shown only where it is one: before a web address it may as well be a token."""
    user = f"{parts['user']}@" if parts["user"] and parts["scheme"].startswith("postgres") else ""
    options = "&".join(filter(_PATTERNS.option.fullmatch, (parts["options"] or "").split("&")))
    return f"{parts['scheme']}://{user}{parts['place']}{'?' if options else ''}{options}"
