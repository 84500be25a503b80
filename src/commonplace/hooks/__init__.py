"""Hooks: what hosts call at the start of a session, at a prompt and at its end.

`watch` is the process a host starts, which ends within two seconds whatever happens; `door` does the work in another.
It is light, and every fault ends in silence and exit code 0: `state` keeps a note of it for `commonplace status`.
"""
