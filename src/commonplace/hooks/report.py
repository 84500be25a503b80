"""What a person is told of hooks when they ask how things stand."""

from commonplace.hooks.block import age
from commonplace.hooks.state import State

SHOWN = 5


def went_wrong(state: State, now: int) -> list[str]:
    """What went wrong in hooks, which kept silent about it, a sentence each, newest first."""
    newest = list(reversed(state.troubles()))[:SHOWN]
    return [f"a hook of {each.host or 'a host'} failed {age(each.at, now)}: {each.what}" for each in newest]


def standing(state: State, store: str, now: int) -> list[str]:
    """Whether hooks are paused, and how many conversations wait to be learnt from."""
    told = []
    until = state.paused_until(now)
    if until is not None:
        told.append("paused" if not until else f"paused until {age(2 * now - until, now).replace(' ago', '')} from now")
    waiting = len(state.waiting(store))
    if waiting:
        told.append(f"{waiting} conversation{'s wait' if waiting > 1 else ' waits'}: 'commonplace catch-up'")
    return told
