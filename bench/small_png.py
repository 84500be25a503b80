"""Pictures of the page made small: a byte for each dot and a table of colours, enough for letters and lines."""

import struct
import zlib

import numpy as np
from numpy.typing import NDArray

SIGNATURE = b"\x89PNG\r\n\x1a\n"
COLOURS = 256
Dots = NDArray[np.uint8]


def squeezed(png: bytes) -> bytes:
    """The same picture with at most 256 colours: the most frequent ones, and for any other the nearest of them."""
    dots = _dots(png)
    height, width, _ = dots.shape
    flat = dots.reshape(-1, 3).astype(np.uint32)
    codes = (flat[:, 0] << 16) | (flat[:, 1] << 8) | flat[:, 2]
    found, which, counts = np.unique(codes, return_inverse=True, return_counts=True)
    kept = np.sort(found[np.argsort(-counts, kind="stable")[:COLOURS]])
    places = _nearest(_channels(found), _channels(kept))
    indexes = places[which.reshape(-1)].astype(np.uint8).reshape(height, width)
    rows = np.concatenate([np.zeros((height, 1), np.uint8), indexes], axis=1).tobytes()  # no filter before any row
    palette = _channels(kept).astype(np.uint8).tobytes()
    head = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    parts = ((b"IHDR", head), (b"PLTE", palette), (b"IDAT", zlib.compress(rows, 9)), (b"IEND", b""))
    return SIGNATURE + b"".join(_part(name, data) for name, data in parts)


def _channels(codes: NDArray[np.uint32]) -> NDArray[np.int64]:
    return np.stack([codes >> 16, (codes >> 8) & 255, codes & 255], axis=1).astype(np.int64)


def _nearest(colours: NDArray[np.int64], kept: NDArray[np.int64]) -> NDArray[np.int64]:
    found = np.empty(len(colours), np.int64)
    for start in range(0, len(colours), 4096):
        apart = ((colours[start : start + 4096, None, :] - kept[None, :, :]) ** 2).sum(axis=2)
        found[start : start + 4096] = apart.argmin(axis=1)
    return found


def _part(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def _dots(png: bytes) -> Dots:
    """Red, green and blue of every dot of a picture as a browser writes it: eight bits each, not interlaced."""
    place, held, head = len(SIGNATURE), b"", b""
    while place < len(png):
        (length,) = struct.unpack(">I", png[place : place + 4])
        name, data = png[place + 4 : place + 8], png[place + 8 : place + 8 + length]
        head = data if name == b"IHDR" else head
        held += data if name == b"IDAT" else b""
        place += 12 + length
    width, height, depth, kind = struct.unpack(">IIBB", head[:10])
    if depth != 8 or kind not in (2, 6):
        raise ValueError(f"a picture of kind {kind} with {depth} bits is not what a browser writes")
    size = 3 if kind == 2 else 4
    lines = np.frombuffer(zlib.decompress(held), np.uint8).reshape(height, 1 + width * size)
    before = np.zeros(width * size, np.uint8)
    rows = []
    for line in lines:
        before = _unfiltered(int(line[0]), line[1:], before, size)
        rows.append(before)
    return np.stack(rows).reshape(height, width, size)[:, :, :3]


def _unfiltered(filter: int, line: Dots, above: Dots, size: int) -> Dots:
    """A row as it was before the filter that stands in front of it (PNG, section 9)."""
    if filter == 0:
        return line
    if filter == 2:
        return line + above
    if filter == 1:
        return np.cumsum(line.reshape(-1, size), axis=0, dtype=np.uint8).reshape(-1)
    row, given, over = [0] * len(line), line.tolist(), above.tolist()
    for place, value in enumerate(given):
        left = row[place - size] if place >= size else 0
        corner = over[place - size] if place >= size else 0
        guess = (left + over[place]) // 2 if filter == 3 else _paeth(left, over[place], corner)
        row[place] = (value + guess) & 255
    return np.array(row, np.uint8)


def _paeth(left: int, above: int, corner: int) -> int:
    estimate = left + above - corner
    return min((abs(estimate - left), 0, left), (abs(estimate - above), 1, above), (abs(estimate - corner), 2, corner))[
        2
    ]
