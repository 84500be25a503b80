"""The decision log."""
