"""The JSON API: its operations, the way in, and what it promises of both."""
