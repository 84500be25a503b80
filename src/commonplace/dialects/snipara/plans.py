"""What each plan of the contract allows, as data. Which one holds is a setting; none unless it is set."""

from collections.abc import Mapping

from commonplace.domain.record import Record

SETTING = "snipara_plan"


class Plan(Record):
    """How many memories there may be, how many days they are kept, how many recalls an hour may have. None: any."""

    max_memories: int | None = None
    retention_days: int | None = None
    recalls_per_hour: int | None = None


NO_PLAN = Plan()
PLANS: Mapping[str, Plan] = {
    "starter": Plan(1_000, 7, 100),
    "pro": Plan(5_000, 30, 500),
    "team": Plan(25_000, 90, 2_000),
    "enterprise": Plan(),
}
