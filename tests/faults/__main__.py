"""Runs one verb in a process of its own: `python -m tests.faults VERB JSON`, or `-` to read the JSON."""

import json
import sys
from collections.abc import Callable

from tests.faults.children import (
    check_up,
    create_together,
    fill_disk,
    limit_file_size,
    look_from_outside,
    scan,
    upgrade,
    work,
)
from tests.faults.forking import fork_in_a_transaction, fork_while_a_thread_looks, use_after_fork
from tests.faults.obedience import obey

VERBS: dict[str, Callable[..., None]] = {
    each.__name__: each
    for each in (
        check_up,
        work,
        create_together,
        upgrade,
        fill_disk,
        limit_file_size,
        look_from_outside,
        scan,
        use_after_fork,
        fork_in_a_transaction,
        fork_while_a_thread_looks,
        obey,
    )
}

if __name__ == "__main__":
    VERBS[sys.argv[1]](**json.loads(sys.stdin.read() if sys.argv[2] == "-" else sys.argv[2]))
