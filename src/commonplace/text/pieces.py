"""A long text as queries: pieces short enough to be about one thing. To a model, a long text is a little about all."""

from commonplace.text import collapse

_SENTENCE_ENDS = (". ", "! ", "? ", "; ", "。", "！", "？")


def pieces(text: str, length: int, ends: int) -> list[str]:
    """All of a text in pieces of at most so many characters; of a longer one, so many from either end.

    They end where a sentence does if one does, else between words.
    """
    text = collapse(text)
    reach = ends * length
    if len(text) <= 2 * reach:
        return _cut(text, length)
    return [*_cut(text[:reach], length)[:ends], *_cut(text[-reach:].partition(" ")[2] or text[-reach:], length)[-ends:]]


def _cut(text: str, length: int) -> list[str]:
    found, start = list[str](), 0
    while len(text) - start > length:
        window = text[start : start + length]
        cut = max(window.rfind(end) + 1 for end in _SENTENCE_ENDS) or window.rfind(" ")
        cut = cut if cut > 0 else length
        found.append(text[start : start + cut].strip())
        start += cut
    found.append(text[start:].strip())
    return [piece for piece in found if piece]
