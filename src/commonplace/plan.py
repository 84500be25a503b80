"""What a plan allows, as data, and how much of it is used up."""

import threading
from collections import deque
from collections.abc import Mapping

from commonplace.domain.record import Record

HOUR = 3_600_000


class Plan(Record):
    """How many memories there may be, how many days they are kept, how many recalls an hour may have. None: any."""

    max_memories: int | None = None
    retention_days: int | None = None
    recalls_per_hour: int | None = None


PLANS: Mapping[str, Plan] = {
    "": Plan(),
    "starter": Plan(1_000, 7, 100),
    "pro": Plan(5_000, 30, 500),
    "team": Plan(25_000, 90, 2_000),
    "enterprise": Plan(),
}


class Allowance:
    """A plan, and the recalls each caller has had of it in the last hour, as far as this process knows."""

    def __init__(self, plan: Plan = PLANS[""]) -> None:
        self.plan = plan
        self._recalls: dict[str, deque[int]] = {}
        self._lock = threading.Lock()

    def take_recall(self, who: str, now: int) -> bool:
        """Whether another recall is allowed; if so, it counts."""
        most = self.plan.recalls_per_hour
        if most is None:
            return True
        with self._lock:
            past = self._recalls.setdefault(who, deque())
            while past and past[0] <= now - HOUR:
                past.popleft()
            if len(past) >= most:
                return False
            past.append(now)
            return True
