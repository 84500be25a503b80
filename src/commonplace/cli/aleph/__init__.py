"""The command line of the aleph contract: `commonplace rpc`."""
