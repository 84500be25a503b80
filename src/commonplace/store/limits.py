"""How long a writer waits and how far a search looks, the same on every engine."""

BUSY_SECONDS = 10.0
SHARING_SCAN_LIMIT = 64  # how many of the newest memories are looked at for each key of a sketch
