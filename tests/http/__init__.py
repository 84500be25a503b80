"""The team server over real HTTP: the gate, isolation, OAuth and metrics."""
