"""What a person keeps to themselves: folders in which hooks do nothing, words that they neither keep nor bring."""

from pathlib import Path

from commonplace.domain.record import Record

ANY = "*"


class Private(Record):
    """The folders and the patterns of the settings."""

    folders: tuple[Path, ...] = ()
    patterns: tuple[tuple[str, ...], ...] = ()

    @classmethod
    def of(cls, paths: str, patterns: str) -> "Private":
        """The two settings as a person writes them, separated by commas."""
        folders = tuple(Path(each.strip()).expanduser() for each in paths.split(",") if each.strip())
        pieces = (tuple(filter(None, each.strip().casefold().split(ANY))) for each in patterns.split(","))
        return cls(folders, tuple(found for found in pieces if found))

    def covers(self, folder: str) -> bool:
        """Whether a folder is a private one or lies in one, links resolved."""
        place = Path(folder).resolve()
        return any(place.is_relative_to(private.resolve()) for private in self.folders)

    def holds(self, text: str) -> bool:
        """Whether a line of a text has the words of a pattern, in whatever case; * stands for anything within it."""
        if not self.patterns:
            return False
        return any(_has(line, pattern) for line in text.casefold().splitlines() for pattern in self.patterns)


def _has(line: str, pattern: tuple[str, ...]) -> bool:
    """Whether the pieces stand in the line one after another; each is looked for once."""
    place = 0
    for piece in pattern:
        found = line.find(piece, place)
        if found < 0:
            return False
        place = found + len(piece)
    return True
