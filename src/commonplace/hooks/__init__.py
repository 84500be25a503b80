"""Hooks: what hosts call at the start of a session, at a prompt and at its end.

`door` is the process a host starts. It is light, it ends within two seconds whatever happens, and every fault ends in
silence and exit code 0: `state` keeps a note of it for `commonplace status`.
"""
