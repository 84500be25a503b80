"""Addresses as they may be shown: what is, or might be, a password is never part of it."""

import re

HIDDEN = "…"

# An address is shown only if there is no doubt where its password ends. One that nobody escaped (`p@ss`, `p/w`)
# leaves doubt, and then only the scheme is shown.
_HOST = r"(?:[\w.~%-]*|\[[0-9a-fA-F:.%]+\])(?::[0-9]*)?"
_CLEAR = re.compile(
    rf"(?P<scheme>[a-z][a-z0-9+.-]*)://(?:(?P<user>[^\s:/?#@,]*)(?::[^\s/@]*)?@)?"
    rf"(?P<place>{_HOST}(?:,{_HOST})*(?:/[^\s?#@:=]*)?)(?:\?(?P<options>[^\s#@?]*))?",
    re.IGNORECASE,
)
_OPTION = re.compile(
    r"(?:application_name|channel_binding|connect_timeout|dbname|gssencmode|host|hostaddr|port|sslcert|sslkey|sslmode"
    r"|sslrootcert|target_session_attrs|user)=[\w.,/~+:-]*"
)
_LOOKS_LIKE_ONE = re.compile(r"(?://)?(?:[\w+.%-]{2,}:|[\w+.%-]:(?![\\/])).*@", re.DOTALL)
_NAMES_A_SECRET = re.compile(
    r"(?:^|\s)(?:\w{0,20}pass\w{0,20}|pwd|\w{0,20}secret|scram_\w{1,10}_key)\s{0,20}=", re.IGNORECASE
)
_NAMES_A_PASSWORD = re.compile(r"(\bpass(?:word|wd)?|sslpassword)\s{0,20}=.*", re.IGNORECASE | re.DOTALL)
# From the first character that may be of a scheme, and never from one in the middle: a long word is looked at once.
_IN_A_TEXT = re.compile(r"(?<![a-z0-9+.-])[a-z0-9+.-]++://(?:[^@]{0,300}@)*\S*", re.IGNORECASE)
_CREDENTIALS = re.compile(r"(?<![\w+.%-])[\w+.%-]{1,100}:[^\s@]{1,300}@\S*")
_SENTENCE_ENDS = ".,:;'\")"


def is_clear(address: str) -> bool:
    """Whether it is beyond doubt which part of an address is a password."""
    return _CLEAR.fullmatch(address) is not None


def without_password(address: str) -> str:
    """A database's or a model's address as it may be printed; a path as it is.

    Shown are a database's user, the hosts, the path and such options as say nothing secret. If there is doubt
    where a password would end, nothing after the scheme is.
    """
    scheme, is_address, _ = address.partition("://")
    if is_address:
        parts = _CLEAR.fullmatch(address)
        return f"{scheme if scheme.isalnum() else ''}://{HIDDEN}" if parts is None else _shown(parts)
    if _LOOKS_LIKE_ONE.match(address.strip()):
        return f"{address.strip().split(':')[0]}:{HIDDEN}"
    named = _NAMES_A_SECRET.search(address)
    return address if named is None else f"{address[: named.end()]}{HIDDEN}"


def holds_password(text: str) -> bool:
    """Whether a value is an address with a password in it, or may be one."""
    return without_password(text) != text


def without_passwords(message: str) -> str:
    """A sentence whose addresses may be printed; each of them ends at a blank, unless there is an @ further on."""
    message = _NAMES_A_PASSWORD.sub(rf"\1={HIDDEN}", message)
    return _IN_A_TEXT.sub(_masked, _CREDENTIALS.sub(_masked, message))


def _masked(found: re.Match[str]) -> str:
    address = found[0].rstrip(_SENTENCE_ENDS)
    return without_password(address) + found[0][len(address) :]


def _shown(parts: re.Match[str]) -> str:
    """A user is shown only where it is one: before a web address it may as well be a token."""
    user = f"{parts['user']}@" if parts["user"] and parts["scheme"].startswith("postgres") else ""
    options = "&".join(filter(_OPTION.fullmatch, (parts["options"] or "").split("&")))
    return f"{parts['scheme']}://{user}{parts['place']}{'?' if options else ''}{options}"
