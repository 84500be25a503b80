"""Memory that tidies itself at night without losing anything: a plan, a diff, an apply, and an undo."""

from commonplace.dream.dreams import Dreams, Undone
from commonplace.dream.limits import Due, Limits, due
from commonplace.dream.planning import Plan
from commonplace.dream.runs import Insight, Run, RunStatus

__all__ = ["Dreams", "Due", "Insight", "Limits", "Plan", "Run", "RunStatus", "Undone", "due"]
