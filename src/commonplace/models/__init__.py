"""Embedding models: what can be had (packs), having it (pull), and using it (local, llm, remote)."""
