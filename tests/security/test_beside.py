"""While the server works on the worst request it lets in, another client's recall takes at most five times as long.

It measures time, so it is part of a soak; that long work gives way is told by `test_deadline`, without a clock.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
AT_MOST = 5
TRIES = 3  # a busy machine slows the one and not the other; a server that holds everybody up does so every time
WORST = ("dots", "token words", "one letter lines")


@pytest.mark.soak
@pytest.mark.parametrize("shape", WORST)
def test_another_clients_recall_takes_at_most_five_times_its_quiet_time(tmp_path: Path, shape: str) -> None:
    found = []
    for number in range(TRIES):
        place = tmp_path / f"{number}.json"
        words = [sys.executable, str(ROOT / "bench" / "beside.py"), "--seconds", "3", "--shapes", shape]
        subprocess.run([*words, "--json", str(place)], env=dict(os.environ), check=True, timeout=240)
        (one,) = json.loads(place.read_text())
        found.append(one)
        if one["times"] <= AT_MOST:
            break
    print(*(f"{each['shape']}: {each['times']:.1f} times over {each['recalls']} recalls" for each in found))
    assert found[-1]["times"] <= AT_MOST
    assert found[-1]["recalls"] > 3
