"""Conversations: what was said, and what was learnt from it."""
