"""Rows in columns: drawn by rich on a terminal, aligned with blanks anywhere else."""

from collections.abc import Sequence

from commonplace.cli.output import Output
from commonplace.text import visible

GAP = "  "


def print_table(titles: Sequence[str], rows: Sequence[Sequence[str]], output: Output) -> None:
    """One line for each row; on a terminal the last column gives way when there is no room."""
    rows = [[" ".join(visible(cell).split("\n")) for cell in row] for row in rows]
    if output.terminal:
        _draw(titles, rows, output)
        return
    widths = [max(len(row[column]) for row in (titles, *rows)) for column in range(len(titles))]
    for row in (titles, *rows):
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=True)]
        output.line(GAP.join(cells).rstrip())


def _draw(titles: Sequence[str], rows: Sequence[Sequence[str]], output: Output) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for title in titles[:-1]:
        table.add_column(title, no_wrap=True, header_style="dim")
    table.add_column(titles[-1], header_style="dim", overflow="fold")
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    Console(color_system=None if output.no_color else "auto", highlight=False).print(table)
