"""The command line of the nuzo contract: `commonplace memory`."""
