"""Payment card numbers: a brand's prefix and length, printed in card groups or plain, with a valid check digit."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from commonplace.secrets.detector import Detector, FoundSecret
from commonplace.secrets.form import Form
from commonplace.secrets.regex import pattern

_GROUPED: Final = (
    r"(?:^|[^\w.-])((?:\d{4}[ -]\d{4}[ -]\d{4}[ -]\d{1,4}(?:[ -]\d{1,3})?|\d{4}[ -]\d{6}[ -]\d{4,5}))(?:[^\w-]|$)"
)
_PLAIN: Final = r"(?:^|[^\w./#=-])(\d{13,19})(?:[^\w/-]|$)"
_BRANDS: Final = (
    r"^(?:4(?:\d{12}|\d{15}|\d{18})|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}|3[47]\d{13}"
    r"|6(?:011|4[4-9]\d|5\d\d)\d{12}(?:\d{3})?|62\d{14,17}|35(?:2[89]|[3-8]\d)\d{12}|3(?:0[0-5]|[689]\d)\d{11}"
    r"|(?:50|5[6-9]|6[0-9])\d{14})$"
)
_CARD_WORDS: Final = (
    r"\bcards?\b|visa|mastercard|amex|american express|\bcredit|\bdebit|karte|carte|tarjeta|cart(?:ã|a)o|carta di|kaart"
    r"|discover|maestro|diners|\bjcb|unionpay|\bpan\b|\bcc\b|cvv|cvc|卡|カード|카드"
)
_OTHER_NUMBER: Final = (
    r"order|invoice|track|serial|ticket|reference|\bref\b|\bids?\b|\bid[:=]|account|phone|imei|timestamp|isbn|\bean\b|upc"
    r"|barcode|transaction|shipment|parcel|snowflake|commit|build|bestell|commande|pedido|rechnung|sendung"
)
# Providers print such numbers in their documentation for use in sandboxes.
_TEST_NUMBER: Final = r"test|sandbox|example|dummy|fake"
_WINDOW_BYTES: Final = 60


def _cards(form: Form) -> Iterator[FoundSecret]:
    for match in pattern(_GROUPED).finditer(form.data):
        start, end = match.span(1)
        continues = form.data[max(0, start - 2) : start - 1].isdigit()  # the tail of an IBAN or another longer number
        if not continues and _is_card(form.data[start:end]) and not _is_called(form, start, end, _TEST_NUMBER):
            yield FoundSecret("card_number", start, end)
    for match in pattern(_PLAIN).finditer(form.data):
        start, end = match.span(1)
        if _is_card(form.data[start:end]) and _is_believable(form, start, end):
            yield FoundSecret("card_number", start, end)


def _is_believable(form: Form, start: int, end: int) -> bool:
    """One number in ten passes the check digit, so a plain run of digits also needs the usual length or a card word."""
    if _is_called(form, start, end, _TEST_NUMBER):
        return False
    if _is_called(form, start, end, _CARD_WORDS):
        return True
    return end - start in (15, 16) and not _is_called(form, start, end, _OTHER_NUMBER)


def _is_called(form: Form, start: int, end: int, words: str) -> bool:
    window = form.lowered[max(0, start - _WINDOW_BYTES) : end + _WINDOW_BYTES // 2]
    return pattern(words).search(window) is not None


def _is_card(written: bytes) -> bool:
    digits = written.replace(b" ", b"").replace(b"-", b"")
    return len(set(digits)) > 1 and pattern(_BRANDS).search(digits) is not None and _has_check_digit(digits)


def _has_check_digit(digits: bytes) -> bool:
    total = 0
    for place, byte in enumerate(reversed(digits)):
        digit = (byte - 48) << (place & 1)
        total += digit - 9 if digit > 9 else digit
    return total % 10 == 0


DETECTORS: Final[tuple[Detector, ...]] = (
    Detector(r"\b\d{4}[ -]\d{4}[ -]\d{4}|\b\d{4}[ -]\d{6}[ -]\d{4}|\b\d{13}", _cards),
)
