"""Where a sentence ends, and where a full stop ends none."""

import pytest

from commonplace.sessions.distil.sentences import sentences


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The port is 8. Then comes lunch.", ["The port is 8.", "Then comes lunch."]),
        ("Wir liefern am 5. Mai. Danach ist Ruhe.", ["Wir liefern am 5. Mai.", "Danach ist Ruhe."]),
        (
            "Runbook for failover: 1. stop writes 2. promote the replica 3. point DNS",
            ["Runbook for failover: 1. stop writes 2. promote the replica 3. point DNS"],
        ),
        (
            "Failover: 1. Stop writes. 2. Promote the replica.",
            ["Failover: 1. Stop writes.", "2. Promote the replica."],
        ),
    ],
)
def test_a_number_that_counts_a_list_ends_no_sentence(text: str, found: list[str]) -> None:
    assert [text[start:end] for start, end in sentences(text, (0, len(text)))] == found
