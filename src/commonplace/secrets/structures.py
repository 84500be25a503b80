"""Secrets recognised by the structure around them: key blocks, JWTs, URLs, headers, cookies and command lines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from commonplace.secrets.detector import Detector, FoundSecret, by_pattern
from commonplace.secrets.form import Form
from commonplace.secrets.regex import pattern
from commonplace.secrets.values import (
    is_description,
    is_placeholder,
    is_plain,
    looks_like_long_token,
    looks_like_password,
    looks_like_token,
    trimmed,
)

_KEY_BLOCK: Final = (
    r"-{3,5} ?BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?|PuTTY-User-Key-File-\d"
    r"|LS0tLS1CRUdJTi[A-Za-z0-9+/]{4,16}(?:UFJJVkFURSBLRVk|BSSVZBVEUgS0VZ|QUklWQVRFIEtFW)"  # the same in Base64
    r"|minisign encrypted secret key"
)
_PRIVATE_JWK: Final = r"\"d\"\s*:\s*\"[\w-]{40,}\""
_URL: Final = r"\b[A-Za-z][\w+.-]{1,20}://[^\s/:\"'<>]{0,100}:([^\s/\"'<>]{1,200}?)@[\w\[]"
_URL_TOKEN: Final = r"\bhttps?://([^\s/@:\"'<>]{16,255})@[\w-]+\."
_SCHEME: Final = r"\b(?:bearer|basic|apikey|negotiate|digest)\s+([\w.~+/=:%-]{12,})"
_AUTHORIZATION: Final = (
    r"authorization[\"'`*]{0,3}\s*[:=]\s*[\"'`]?(?:(?:bearer|basic|token|apikey|bot)\s+)?([^\s\"'`,;]{8,})"
)
_COOKIE: Final = r"\b(?:set-)?cookies?[\"'`*]{0,3}\s*[:=]\s*[\"'`]?((?:[\w.$-]+=[^\s;\"'`]*;? ?)+|[^\s\"'`,;]{16,})"
_SESSION: Final = (
    r"(?:\b|_)(?:session(?:[_-]?(?:id|token|key|cookie))?|sid|connect\.sid|phpsessid|jsessionid|asp\.net_sessionid"
    r"|remember_token|li_at|auth_session)[\"'`*]{0,3}\s*[:=]\s*[\"'`]?([^\s\"'`,;]{16,})"
)
# Ids that clients use to name a conversation are no credentials; UUIDs and our own ids are such names.
_SESSION_NAME: Final = (
    r"^(?:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[a-z]{2,8}_[0-9a-hjkmnp-tv-z]{26})$"
)
# A name and a password for a web server: curl -u, --user, --proxy-user, alone or among other one-letter options.
_LOGIN: Final = (
    r"\b(?:curl|wget|https?)\b(?:[^\n]|\\\n){0,200}?\s(?:-[a-z]{0,6}u|--(?:proxy-)?user|--auth)(?:[ =]|\s\\\n)*"
    r"(?:\"[^\"\n:]{0,100}:([^\"\n]{4,200})\"|'[^'\n:]{0,100}:([^'\n]{4,200})'|[^\s\"':]{0,100}:([^\s\"']{4,200}))"
)
_COMMANDS: Final = (
    r"\b(?:mysql|mysqldump|mariadb|mysqladmin)\b[^\n|;]{0,120}?\s-p[\"']?([^\s\"']{5,})",
    r"\bsshpass\s+-p\s*[\"']?([^\s\"']{4,})",
    r"\bredis-cli\b[^\n|;]{0,80}?\s-a\s+[\"']?([^\s\"']{4,})",
    r"\b(?:docker|podman|helm|az|oc|npm|vault)\b[^\n|;]{0,20}\blogin\b[^\n|;]{0,100}?\s-p\s*[\"']?([^\s\"']{4,})",
    r"\bmachine\s+\S+\s+login\s+\S+\s+password\s+(\S{4,})",
    r"\bidentified\s+(?:with\s+\S+\s+)?by\s+[\"'](\S{4,}?)[\"']",
    r"\b(?:encrypted\s+)?password\s+'([^'\s]{4,})'",
)
_URL_PASSWORD_EXEMPT: Final = (
    r"^(?:p|pw|pass|passwd|password|pwd|secret|redacted|placeholder|changeme|\W*|x+|port|\d{2,5}/.*)$"
)


def _url_credentials(form: Form) -> Iterator[FoundSecret]:
    for match in pattern(_URL).finditer(form.data):
        start, end = match.span(1)
        if end - start >= 4 and _is_url_password(form.data[start:end]):
            yield FoundSecret("credential_url", start, end)
    for match in pattern(_URL_TOKEN).finditer(form.data):
        start, end = match.span(1)
        if looks_like_long_token(form.data[start:end]):
            yield FoundSecret("credential_url", start, end)


def _is_url_password(value: bytes) -> bool:
    lowered = value.lower()
    return not is_placeholder(lowered) and pattern(_URL_PASSWORD_EXEMPT).search(lowered) is None


def _headers(form: Form) -> Iterator[FoundSecret]:
    for source in (_SCHEME, _AUTHORIZATION):
        for match in pattern(source).finditer(form.lowered):
            start, end = match.span(1)
            if looks_like_long_token(form.data[start:end]):
                yield FoundSecret("bearer_token", start, end)


def _cookies(form: Form) -> Iterator[FoundSecret]:
    for match in pattern(_COOKIE).finditer(form.lowered):
        start, end = match.span(1)
        crumbs = form.data[start:end].replace(b"=", b" ").replace(b";", b" ").replace(b",", b" ").split()
        if any(looks_like_long_token(crumb) for crumb in crumbs):
            yield FoundSecret("session_cookie", start, end)
    for match in pattern(_SESSION).finditer(form.lowered):
        start, end = match.span(1)
        value = trimmed(form.data[start:end])
        if looks_like_token(value) and pattern(_SESSION_NAME).search(value.lower()) is None:
            yield FoundSecret("session_cookie", start, end)


def _logins(form: Form) -> Iterator[FoundSecret]:
    for match in pattern(_LOGIN).finditer(form.lowered):
        start, end = next(span for span in map(match.span, (1, 2, 3)) if span[0] >= 0)
        value = form.data[start:end]
        if _is_url_password(value) and not is_description(value) and not is_plain(value):
            yield FoundSecret("password", start, end)


def _commands(form: Form) -> Iterator[FoundSecret]:
    for source in _COMMANDS:
        for match in pattern(source).finditer(form.lowered):
            start, end = match.span(1)
            value = form.data[start:end]
            if looks_like_password(value) or (
                value.isalpha() and not is_placeholder(value) and not is_description(value)
            ):
                yield FoundSecret("password", start, end)


DETECTORS: Final[tuple[Detector, ...]] = (
    by_pattern("private_key", r"private key|putty-user-key|ls0tls1crudjti|minisign encrypted", _KEY_BLOCK),
    by_pattern("private_key", r"\"kty\"", _PRIVATE_JWK),
    by_pattern(
        "one_time_code",
        r"totp|2fa|otp\b|authenticator",
        r"(?:TOTP|totp|2FA|2fa|OTP|otp|[Aa]uthenticator)[^\n]{0,40}?\b(?:[A-Z2-7]{4} ){3,7}[A-Z2-7]{4}\b",
    ),
    by_pattern("password", r"\bwifi:", r"WIFI:[^\n]{0,100}?P:[^;\s]{6,};"),
    Detector(r"://[^\s/]*@", _url_credentials),
    Detector(r"bearer|authorization|basic\s|apikey\s|negotiate|digest\s", _headers),
    Detector(r"cookie|session|\bsid\b|sessid|remember_token|li_at", _cookies),
    Detector(r"\bcurl|\bwget|\bhttps?\s", _logins),
    Detector(
        r"mysql|mariadb|sshpass|redis-cli|\blogin\b|identified|password\s+'",
        _commands,
    ),
)
