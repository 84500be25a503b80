"""How far a long task is: a bar on a terminal, a few lines in a log, nothing otherwise."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from commonplace.cli.output import Output

LOG_STEPS = 10

Report = Callable[[int, int | None], None]
"""How many are done, and of how many if that is known."""


@contextmanager
def progress(title: str, output: Output, long: bool = True) -> Iterator[Report]:
    """Yields a function to report with. On stderr, so that answers stay clean; drawn only if it takes long."""
    if not (long and output.watched):
        yield _logging(title, output)
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, Task, TextColumn, TimeRemainingColumn
    from rich.text import Text

    console = Console(stderr=True, color_system=None if output.no_color else "auto")

    class Counted(MofNCompleteColumn):
        """How many of how many, once that is known."""

        def render(self, task: Task) -> Text:
            return Text() if task.total is None else super().render(task)

    columns = (TextColumn("{task.description}"), BarColumn(), Counted(), TimeRemainingColumn())
    whole_screen = sys.stdout.isatty()  # otherwise what is printed meanwhile belongs to a pipe, not to the bar
    with Progress(*columns, console=console, transient=True, redirect_stdout=whole_screen) as drawn:
        task = drawn.add_task(title, total=None)
        yield lambda done, total: drawn.update(task, completed=done, total=total)


def _logging(title: str, output: Output) -> Report:
    said = -1

    def report(done: int, total: int | None) -> None:
        nonlocal said
        if total is None:
            return
        step = done * LOG_STEPS // total if total else LOG_STEPS
        if step != said:
            said = step
            output.log(f"{title}: {done:,} of {total:,}")

    return report
