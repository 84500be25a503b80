"""Real hosts, with a stand-in for their models: `make test-hosts` installs them; elsewhere these tests are skipped."""
