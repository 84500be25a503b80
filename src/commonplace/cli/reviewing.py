"""Going through what waits, key by key. Each answer is a change of its own, which a key takes back again."""

from commonplace.book.book import Book
from commonplace.book.pairs import Between, Pair
from commonplace.book.review import Waiting, Why
from commonplace.cli.keys import Keyboard
from commonplace.cli.render import age, count, one_line
from commonplace.cli.session import CommandSession
from commonplace.cli.short import numbered
from commonplace.domain.memory import Memory, RelationKind, Status
from commonplace.engine.intake import Refused
from commonplace.errors import CommonplaceError
from commonplace.text import collapse

Item = Waiting | Pair

ANSWERS = {"y": "yes", "c": "yes", "n": "no", "r": "no", "l": "later", "s": "later"}
"""Keys that say the same: yes is also to confirm, no to reject, later to skip."""
OTHER_KEYS = "eauq"
MEANS = {
    Why.REVISION: "an agent's words in place of others",
    Why.PROPOSAL: "would take the place of what is trusted more",
    Why.PIN: "an agent's pin",
    Why.INSTRUCTION: "an agent's instruction",
    Why.UNCONFIRMED: "nobody has confirmed it yet",
}


class Walk:
    """One person's way through the items: where they are, and what each answer changed."""

    def __init__(self, session: CommandSession, book: Book, items: list[Item]) -> None:
        self._session, self._book, self._items = session, book, items
        self._output = session.output
        self._keyboard = Keyboard(session.output)
        self._place = 0
        self._answered: list[tuple[int, list[str]]] = []
        self._settled: set[str] = set()

    def go(self) -> None:
        """Ask about one after the other, until there is nothing left or the person leaves."""
        while self._place < len(self._items):
            item = self._items[self._place]
            if self._is_settled(item):
                self._place += 1
                continue
            print_item(self._session, self._book, item)
            key = self._keyboard.key(self._question(item), "".join(ANSWERS) + OTHER_KEYS + "o")
            if key == "q":
                break
            if key == "u":
                self._undo()
            else:
                self._answer(item, key)
        left = sum(not self._is_settled(each) for each in self._items[self._place :])
        if left:
            self._output.note(f"{count(left, 'thing waits', 'things wait')} for another time.")

    def _question(self, item: Item) -> str:
        if isinstance(item, Pair):
            return "[y] the newer is right, [o] the older, [n] both stand, [e]dit, [l]ater, [u]ndo, [q]uit: "
        alike = self._alike(item)
        every = f"[a]ll {len(alike):,} of {self._origin(item)}, " if len(alike) > 1 else ""
        return f"[y]es, [n]o, [e]dit, [l]ater, {every}[u]ndo, [q]uit: "

    def _answer(self, item: Item, key: str) -> None:
        """Do what a key says and go on; what cannot be done is said, and the item stays for later."""
        before = self._newest()
        try:
            if isinstance(item, Pair):
                self._settle(item, key)
            elif key == "a":
                self._answer_all(item)
            elif key == "e":
                self._edit(item.memory)
            elif key in ANSWERS:
                self._decide(item, ANSWERS[key])
        except CommonplaceError as error:
            self._output.warn(numbered(error.message, self._book))
        made = [each.id for each in self._book.undo.list(5) if before is None or each.id > before]
        self._answered.append((self._place, made))
        self._place += 1

    def _decide(self, item: Waiting, answer: str) -> None:
        number = item.memory.number
        if answer == "yes":
            self._book.confirm(item.memory)
            self._output.said(f"{self._output.style('confirmed', 'green')} {number}")
        elif answer == "no":
            tell_rejected(self._session, item.memory, self._book.reject(item.memory))

    def _answer_all(self, item: Waiting) -> None:
        """One answer for everything that is left of the same conversation or source."""
        alike = self._alike(item)
        key = self._keyboard.key(
            f"All {len(alike):,} of {self._origin(item)}: [y]es, [n]o, [l]ater: ", "".join(ANSWERS) + "q"
        )
        answer = ANSWERS.get(key, "later")
        if answer != "later":
            tell_bulk(self._session, self._book, [each.memory for each in alike], answer == "yes")
        self._settled |= {each.memory.id for each in alike}

    def _settle(self, pair: Pair, key: str) -> None:
        if key == "e":
            self._edit(pair.newer)
            return
        if ANSWERS.get(key) == "no":
            self._book.relate(pair.newer, [pair.older], RelationKind.RELATED_TO)
            self._output.said(f"{pair.older.number} and {pair.newer.number} both stand")
        elif ANSWERS.get(key) == "yes" or key == "o":
            old, new = (pair.newer, pair.older) if key == "o" else (pair.older, pair.newer)
            self._book.supersede(old, new, reason="settled in a review")
            self._settled.add(old.id)
            self._output.said(f"{self._output.style('superseded', 'green')} {old.number} by {new.number}")

    def _edit(self, memory: Memory) -> None:
        """New words, which are the person's own and wait for nobody."""
        if "\n" in memory.text:
            self._output.note(f"It has several lines: 'commonplace update {memory.number} --text TEXT' changes it.")
            return
        text = self._keyboard.line("Type the right words (nothing keeps it as it is): ", memory.text).strip()
        if not text or text == memory.text:
            self._output.said("left as it is")
            return
        changed = self._book.update(memory, text=text)
        self._book.confirm(changed)
        self._settled.add(memory.id)
        self._output.said(f"{self._output.style('updated', 'green')} {memory.number}: {one_line(text)}")

    def _undo(self) -> None:
        """Take the last answer back and ask again."""
        if not self._answered:
            self._output.note("There is no answer to take back yet.")
            return
        self._place, made = self._answered.pop()
        for id in made:
            self._book.undo.take_back(id)
        item = self._items[self._place]
        self._settled -= {memory.id for memory in _memories(item)}
        if isinstance(item, Waiting):
            self._settled -= {each.memory.id for each in self._items if isinstance(each, Waiting) and _same(each, item)}
        self._output.said("taken back" if made else "asked again")

    def _newest(self) -> str | None:
        found = self._book.undo.list(1)
        return found[0].id if found else None

    def _is_settled(self, item: Item) -> bool:
        return any(memory.id in self._settled for memory in _memories(item))

    def _alike(self, item: Waiting) -> list[Waiting]:
        """What is left of the same conversation or, if it is of none, of the same source."""
        rest = [each for each in self._items[self._place :] if isinstance(each, Waiting)]
        return [each for each in rest if _same(each, item) and not self._is_settled(each)]

    def _origin(self, item: Waiting) -> str:
        source = item.memory.provenance
        named = f"the conversation {numbered(source.session, self._book)}" if source.session else ""
        return one_line(named or source.file or source.surface, 40)


def _same(one: Waiting, other: Waiting) -> bool:
    a, b = one.memory.provenance, other.memory.provenance
    return a.session == b.session if a.session or b.session else (a.file, a.surface) == (b.file, b.surface)


def _memories(item: Item) -> tuple[Memory, ...]:
    return (item.memory,) if isinstance(item, Waiting) else (item.older, item.newer)


def print_item(session: CommandSession, book: Book, item: Item) -> None:
    """All texts whole: nobody should agree to what they were not shown."""
    output = session.output
    if isinstance(item, Pair):
        told = "may contradict each other" if item.between is Between.CONTRADICTION else "say nearly the same"
        names = output.style(f"{item.older.number}, {item.newer.number}", "bold")
        output.line(f"{names}  {told}  ({one_line(item.reason)})")
        output.line(f"  {'older:':<10}{item.older.text}  ({age(item.older.created_at, book.now())})")
        output.line(f"  {'newer:':<10}{item.newer.text}  ({age(item.newer.created_at, book.now())})")
        return
    memory, source = item.memory, item.memory.provenance
    where = [f"by {source.actor}", f"through {source.surface}", *([source.source] if source.source else [])]
    told = ", ".join(
        [memory.origin.value, *where, age(memory.updated_at, book.now()), book.principal.show(memory.scope)]
    )
    output.line(f"{output.style(str(memory.number), 'bold')}  {MEANS[item.why]}  ({told})")
    output.line(f"  {'now:' if item.before else 'says:':<10}{memory.text}")
    if item.quotation is not None and collapse(item.quotation.text) != collapse(memory.text):
        output.line(f"  {'said:':<10}“{one_line(item.quotation.text)}”")
    for old in item.before:
        output.line(f"  {'before:':<10}{old.text}")
    for old in item.stands:
        output.line(f"  {'stands:':<10}{old.text}  ({old.number})")


def tell_rejected(session: CommandSession, memory: Memory, changed: tuple[Memory, ...]) -> None:
    """That something was said no to, and what stands again instead."""
    output = session.output
    output.said(f"{output.style('rejected', 'green')} {memory.number}")
    for each in changed:
        if each.status is Status.ACTIVE:
            output.said(f"  {each.number} is back: {one_line(each.text)}")


def tell_bulk(session: CommandSession, book: Book, memories: list[Memory], confirm: bool) -> list[str]:
    """Confirm or reject them all in one transaction, which one undo takes back; the problems there were."""
    answers: list[object] = [*(book.confirm_many(memories) if confirm else book.reject_many(memories))]
    problems = [numbered(each.error.message, book) for each in answers if isinstance(each, Refused)]
    if not session.output.json:
        done = count(len(answers) - len(problems), "memory", "memories")
        session.output.said(f"{session.output.style('confirmed' if confirm else 'rejected', 'green')} {done}")
        for message in problems:
            session.output.warn(message)
    return problems
