"""Judges one candidate value: a password a person made up, a token a machine made, or only a word or a name.

All functions take the bytes as written and look at their shape alone; the caller knows what the value was called.
"""

from __future__ import annotations

from typing import Final

from commonplace.secrets.regex import pattern

LONGEST_PASSWORD: Final = 128

_WRAPPERS: Final = b"\"'`*_()[]{}<>|"
_SENTENCE_ENDS: Final = b".,;:?\"'`*_)]}>|"

_BLANKED: Final = r"(?:\b|_)your|placeholder|redacted|xxxxxx|\*\*\*|\.\.\.|_here\b|-here\b"
_PLACEHOLDER: Final = (
    r"^[x*.#?_~\-0]+$|\*\*\*|xxxx|\.\.\.$|^\(?[<\[{]|^&[#\w]+;|\$\{|\$\(|\{\{|%\(|^%[sd]$|^%\w+%$"
    r"|(?:\b|_)your|placeholder|change[_-]?(?:me|this|it)|redacted|example|sample|dummy|masked|insert|replace|(?:to|be)[_-]fill"
    r"|removed|omitted|censored|goes[_-]here|[_-]here$|\bfake|^(?:foo|bar|baz|foobar|todo|tbd|n/?a|none|null|nil|undefined"
    r"|true|false|yes|no|string|str|text|value|abc|secrets?|tokens?|pass|passw(?:or)?d|pw|pwd|key"
    r"|my[_-]?(?:secret|password|token|key|api[_-]?key)|(?:api|secret|access)[_-]?(?:key|token))$"
)
# A pointer to where the value lives, or code that fetches it.
_REFERENCE: Final = (
    r"^//|^(?:~|\.{1,2})/|^(?:https?|ftp|file|op|vault|ssm|s3|gs|arn|env|ref|secret|keyring|keychain|sops|awssm|gcpsm):"
    r"|^/[a-z._@-]+\d{0,2}(?:/[a-z._@-]+\d{0,2})*/?$|^[a-z]:\\|^--[a-z]|^-[a-z-]+$|[\w\])]\(|\)\.|\[[\"'\d]|^\w+\[|::|=>|\?\."
    r"|^(?:process|os|env|self|this|settings|config|cfg|secrets|req|request|response|res|ctx|args|opts|options|props"
    r"|data|user|params|state|session|vars?|local|input|event|context|credentials|conf|app|client|form|body)\.[a-z_]"
    r"|^(?:await|new|return|lambda|function|async|import|from|get|fetch|read|load|self|this|const|let|var)$"
    r"|^[a-z_]+(?:\.[a-z_]+)+$"
    r"|^[a-z_-]+\d{0,2}(?:/[a-z_.-]*\d{0,2})+$|\.(?:json|ya?ml|toml|env|txt|md|py|js|ts|pem|key|crt|cfg|conf"
    r"|ini|kdbx|gpg|sh|html?|csv|tsv|xml|log|deb|rpm|whl|tar|gz|zip|png|jpe?g|gif|svg|pdf|docx?|xlsx?|db|sqlite3?|lock|go|rs|sql)$"
)
_ADDRESS: Final = (
    r"^[\w.+-]+@[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}$|^[@#][a-z-]+$"
    r"|^(?:[a-z0-9-]+\.)+[a-z]{2,8}(?::\d+)?(?:/.*)?$|^(?:\d{1,3}\.){3}\d{1,3}(?::\d+)?(?:/\d+)?$"
    r"|^0x[0-9a-f]{40}$"  # a public account or contract on a block chain
)
_MEASURE: Final = (
    r"^[~<>=+]*[v]?\d+(?:[.,]\d+)+(?:[-+.](?:rc|alpha|beta|dev|post|a|b)?\d*)?$"  # versions, decimals
    r"|^\d{4}-\d\d?(?:-\d\d?)?(?:t[\d:.z+-]*)?$|^\d{1,2}[./]\d{1,2}[./]\d{2,4}$|^\d{1,2}:\d\d(?::\d\d)?(?:am|pm)?$"
    r"|^[$~]?\d+(?:[.,]\d+)?(?:%|\+|x)?$"
    r"|^(?:\d+[-–])?\d+[-+]?(?:s|secs?|seconds?|ms|mins?|minutes?|h|hrs?|hours?|d|days?|w|weeks?|months?|mo|years?|y|yr"
    r"|chars?|characters?|digits?|bits?|bytes?|b|kb|mb|gb|kib|mib|k|m|bn|st|nd|rd|th|words?|steps?|factor|letters?|times?"
    r"|way|hex|px|entries|users?|symbols?|rounds?|tokens?|stellig|zeichen|caract(?:è|e)res|caracteres|tekens"
    r"|tage|jours|d(?:í|i)as|dias|giorni|dagen)(?:-[a-z]+)*$"
    r"|^(?:q[1-4]|h[12]|fy)-?\d{2,4}$|^#\d+$|^(?:gh|pr|bug|issue|ticket|cve|rfc|pep)[-#]?\d[\d-]*$|^v\d{1,3}[a-z]?$|^\d+/\d+$"
)
# Names of algorithms, products and formats that mix letters and digits.
_TECHNICAL: Final = (
    r"(?:sha-?\d{1,3}(?:[-/]\d+)?|sha3|md[45]|base-?(?:16|32|58|62|64)(?:url)?|bcrypt|argon-?2(?:id|i|d)?|scrypt|pbkdf2?|hmac"
    r"|aes|gcm|cbc|rsa|dsa|ecdsa|ed25519|ed448|x25519|curve25519|p-?256|p-?384|p-?521|secp\d+[kr]1|[hrep]s(?:256|384|512)"
    r"|a?es-?\d{3}|oauth-?2?(?:\.[01])?|oidc|tls-?v?1?(?:\.\d)?|utf-?(?:8|16|32)|x\.?509|pkcs#?-?\d{1,2}|fido-?2?|u2f|[2m]fa"
    r"|totp|1password|auth0|keepass(?:xc|2)?|k8s|s3|ec2|ipv[46]|http/?[123]?|jwt|jws|jwe|jwks|saml2?|ldap(?:v3)?|ntlmv?2?"
    r"|wpa[23]?(?:-psk)?|wep|i18n|l10n|a11y|web3|web2|gpt-?\d\w*|o[134]|llama-?\d|claude-?\d?|cl100k(?:_base)?|o200k(?:_base)?"
    r"|bip-?39|bip-?32|eip-?\d+|erc-?\d+|rfc-?\d+|iso-?\d+|blake[23][bs]?|crc32|murmur3|xxhash\d*|ripemd160|chacha20|poly1305"
    r"|log4j|neo4j|h264|mp[34]|utf8mb4|win(?:32|64|10|11)|x86|amd64|arm64|g-?suite|o365|m365|office365|hs256|v\d+|rot13"
    r"|win-?server|node\d*|python\d?|py3?|java\d*|es\d{1,4}|sql|nosql|(?:mac|i)os\d*|android\d*|ubuntu\d*|int(?:8|16|32|64)|u(?:8|16|32|64)|uuid(?:v?\d)?|ulid|cuid2?)"
)
_BRANDS: Final = (
    r"^(?:last|kee|nord|proton|true|red)pass\w*$|^(?:git|data|type|java)\w+$|^(?:bit|key|pass)(?:warden|chain|cloak)$"
    r"|^(?:linked|one|i|e|you|pay|postgre|my|open|mongo|dynamo|cloud|dash|star|power|face|whats|snow)[a-z]*"
    r"(?:login|in|drive|cloud|phone|pad|bay|tube|pal|sql|id|ssl|ssh|ai|db|flare|lane|bucks|point|shell|book|app|flake)$"
    r"|^(?:camel|pascal|snake|kebab|title|mixed)case$|^(?:macos|ios|saas|paas|iaas|vpn|iot|oauth|devops|api)s?$"
)
_JOINED_WORDS: Final = (
    r"^(?:[a-z]+|[A-Z]+|[A-Z][a-z]+|v?\d{1,4})(?:[-_./:+&'](?:[a-z]+|[A-Z]+|[A-Z][a-z]+|v?\d{1,4}))*$"
)
_CAMEL_NAME: Final = (
    r"^(?:[a-z_]\w*\.)*(?:_?[a-z]{2,}\d{0,3}(?:[A-Z][a-z]{2,}\d{0,2}){1,6}"
    r"|(?:[A-Z][a-z]+\d{3,5})?(?:[A-Z][a-z]{2,}){1,6}\d{0,2})$"
)
# Read with its capitals: DB_PASSWORD, $DB_PASSWORD, JIRA-123.
_CAPITAL_NAME: Final = r"^\$?[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$|^\$[A-Z]{3,}$|^[A-Z]{2,8}-\d{1,6}(?:-\d{1,6})?$"
_DESCRIPTION: Final = (
    r"^(?:required|optional|hidden|invalid|incorrect|wrong|missing|empty|blank|weak|strong|expired|stored|encrypted|hashed"
    r"|plain|plaintext|rotated|unknown|forgotten|disabled|enabled|sensitive|private|public|unset|default|generated|random"
    r"|shared|protected|secure|managed|confidential|correct|valid|set|not|never|always|same|different|admin|root|user|username"
    r"|email|login|object|boolean|number|integer|password|passwort|kennwort|contrase(?:ñ|n)a|senha|wachtwoord|passcode"
    r"|passphrase|secret|token|vault|keychain|keyring|bitwarden|unchanged|changed|reset|revoked|leaked|long|short|easy|simple"
    r"|bearer|basic|session|cookie|header|oauth|saml|ldap|sso|jwt|auth|authentication|authorization|credentials?|redirect"
    r"|none|null|refresh|access|static|dynamic|temporary|permanent|opaque|invalidated|cached|production|staging|development)$"
)


def trimmed(value: bytes) -> bytes:
    """The value without the quotes, emphasis and sentence marks around it."""
    return value.lstrip(_WRAPPERS).rstrip(_SENTENCE_ENDS)


def is_blanked(token: bytes) -> bool:
    """True for a token whose prefix is real and whose body was blanked out or is a string of plain words."""
    lowered = token.lower()
    if pattern(_BLANKED).search(lowered):
        return True
    runs = _runs(lowered)
    return _digits(lowered) == 0 and len(runs) >= 4 and max(map(len, runs)) < 12


def is_random(token: bytes) -> bool:
    """True if one unbroken run of the token mixes letters and digits, or both cases, as a machine does."""
    return any(map(_is_random_run, _runs(token)))


def _is_random_run(run: bytes) -> bool:
    if len(run) < 10 or _letters(run) < 2 or pattern(_CAMEL_NAME).search(run):
        return False
    return _digits(run) >= 2 or (len(run) >= 16 and run.lower() != run != run.upper())


def is_placeholder(value: bytes) -> bool:
    """True for a stand-in such as 'your-key-here', '<token>', '${TOKEN}', 'xxxx' or 'redacted'."""
    return pattern(_PLACEHOLDER).search(value.lower()) is not None


def is_plain(value: bytes) -> bool:
    """True for a placeholder, pointer, address, measure, or the name of a thing: never itself a secret."""
    if is_placeholder(value):
        return True
    lowered = value.lower()
    if any(pattern(source).search(lowered) for source in (_ADDRESS, _REFERENCE, _MEASURE)):
        return True
    return pattern(_CAPITAL_NAME).search(value) is not None or _is_technical(lowered)


def is_description(value: bytes) -> bool:
    """True for a word that says something about a secret instead of being one."""
    return pattern(_DESCRIPTION).search(trimmed(value).lower()) is not None


def looks_like_password(value: bytes) -> bool:
    """True for what people choose: letters with digits, or letters with signs inside."""
    if is_placeholder(value):
        return False
    value = trimmed(value)
    if not 5 <= len(value) <= LONGEST_PASSWORD or is_plain(value):
        return False
    letters, digits = _letters(value), _digits(value)
    if letters and digits:
        return True
    return len(value) >= 6 and letters > 0 and pattern(r"\w[@#$%^&!?*+~]+\w").search(value) is not None


def looks_like_strong_password(value: bytes) -> bool:
    """True for a password of at least three kinds of characters: safe to believe without 'is' or ':'."""
    if not looks_like_password(value):
        return False
    core = trimmed(value)
    kinds = [
        any(97 <= byte <= 122 or byte > 127 for byte in core),
        any(65 <= byte <= 90 for byte in core),
        _digits(core) > 0,
        pattern(r"[^\w\s]").search(core) is not None,
    ]
    return sum(kinds) >= 3 and len(core) >= 7


def looks_like_camel_password(value: bytes) -> bool:
    """True for two or more words run together, as in 'BlueHorse', unless it is a known name."""
    value = trimmed(value.rstrip(b"!"))
    if is_plain(value) or pattern(_BRANDS).search(value.lower()):
        return False
    return pattern(r"^(?:[A-Z][a-z]{2,}){2,4}$").search(value) is not None


def looks_like_token(value: bytes) -> bool:
    """True for what machines make: at least eight characters that are not words, names or measures."""
    if is_placeholder(value):
        return False
    value = trimmed(value)
    if value.isdigit():
        return len(value) >= 16
    if len(value) < 8 or is_plain(value) or pattern(r"[^!-~]").search(value):
        return False
    if _digits(value) == 0:
        return len(value) >= 16 and _is_unbroken(value)
    return not _is_words(value)


def looks_like_long_token(value: bytes) -> bool:
    """True for a token too long to be met by chance."""
    return looks_like_token(value) and len(trimmed(value)) >= 16


def _is_technical(lowered: bytes) -> bool:
    """True if each hyphenated part is a plain word or a number and at least one names a technique."""
    if pattern(f"^{_TECHNICAL}$").search(lowered):
        return True
    technical = pattern(rf"^{_TECHNICAL}(?:[-_/+.,&][a-z]+|[-_/+.,&]\d{{1,4}}|[-_/+.,&]{_TECHNICAL})*$")
    trailing = pattern(rf"^(?:[a-z]+[-_/+])+{_TECHNICAL}(?:[-_/+][a-z]+)*$")
    return technical.search(lowered) is not None or trailing.search(lowered) is not None


def _is_words(value: bytes) -> bool:
    """True for words joined by signs with at most four digits, or a name in camel case."""
    if pattern(_CAMEL_NAME).search(value):
        return True
    return _digits(value) <= 4 and pattern(_JOINED_WORDS).search(value) is not None and _letters(value) >= 4


def _is_unbroken(value: bytes) -> bool:
    """True for letters alone that are neither a name in camel case nor one with an acronym in it."""
    name = pattern(r"^_?[a-z]*(?:[A-Z]{1,3}[a-z]{3,})+$").search(value)
    return name is None and pattern(r"^[A-Za-z+/=]{16,}$").search(value) is not None


def _runs(token: bytes) -> list[bytes]:
    return token.replace(b"_", b"-").replace(b".", b"-").split(b"-")


def _digits(value: bytes) -> int:
    return sum(48 <= byte <= 57 for byte in value)


def _letters(value: bytes) -> int:
    return sum(65 <= byte <= 90 or 97 <= byte <= 122 or byte > 127 for byte in value)
