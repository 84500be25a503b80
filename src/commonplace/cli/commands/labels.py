"""tags and topics: what memories are filed under, counted."""

from argparse import ArgumentParser
from collections import Counter

from commonplace.cli.commands import Action
from commonplace.cli.render import EXCERPT_LENGTH, one_line
from commonplace.cli.session import CommandSession
from commonplace.cli.tables import print_table
from commonplace.domain.memory import Memory
from commonplace.domain.query import Filter
from commonplace.text import visible


def _add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("beginning", metavar="BEGINNING", nargs="?", default="", help="only those that begin with this")


def _tags(session: CommandSession) -> int:
    output = session.output
    with session.reading() as book:
        counted = Counter(tag for memory in book.each(Filter(session.read_scopes(book))) for tag in memory.tags)
    found = [(name, number) for name, number in counted.items() if name.startswith(session.arguments.beginning)]
    found.sort(key=lambda each: (-each[1], each[0]))
    if output.json:
        output.listing("tags", [{"tag": name, "memories": number} for name, number in found])
    elif found:
        print_table(("memories", "tag"), [(f"{number:,}", visible(name)) for name, number in found], output)
    else:
        output.note("There are no such tags: 'commonplace remember TEXT --tag NAME' adds one.")
    return 0


def _topics(session: CommandSession) -> int:
    output, counted, newest = session.output, Counter[str](), dict[str, Memory]()
    with session.reading() as book:
        for memory in book.each(Filter(session.read_scopes(book))):
            if memory.topic is not None and memory.topic.startswith(session.arguments.beginning):
                counted[memory.topic] += 1
                newest.setdefault(memory.topic, memory)
    names = sorted(newest)
    if output.json:
        shown = [
            {"topic": name, "memories": counted[name], "newest": newest[name].number, "text": newest[name].text}
            for name in names
        ]
        output.listing("topics", shown)
    elif names:
        rows = [(name, str(newest[name].number), one_line(newest[name].text, EXCERPT_LENGTH)) for name in names]
        print_table(("topic", "id", "newest word"), rows, output)
    else:
        output.note("There are no such topics: 'commonplace remember TEXT --topic NAME' adds one.")
    return 0


ACTIONS = {
    "tags": Action(
        description="Every tag, and how many memories have it, the most used first.",
        examples=("tags", "tags deploy", "tags --scope project:auto --json"),
        add_arguments=_add_arguments,
        run=_tags,
    ),
    "topics": Action(
        description="Every topic with its newest memory, so that you can reuse one instead of making a second.",
        examples=("topics", "topics deploy", "topics --json"),
        add_arguments=_add_arguments,
        run=_topics,
    ),
}
