"""The stages of a recall as a table, for the commands that explain one."""

from commonplace.cli.output import Output
from commonplace.cli.tables import print_table
from commonplace.engine.explain import Explanation


def print_stages(explanation: Explanation, output: Output) -> None:
    """What each stage did, how many memories left it, and how long it took."""
    rows = [(step.stage, f"{step.count:,}", f"{step.elapsed_ms:.1f}", step.meaning) for step in explanation.steps]
    print_table(("stage", "left", "ms", "what happened"), rows, output)
