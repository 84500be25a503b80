"""The folder one works in, a stranger: its files are read within bounds and written without following links."""
