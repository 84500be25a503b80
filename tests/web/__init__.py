"""The page in a real browser: `make test-web` brings what it needs and runs this; `make test` leaves it out."""
