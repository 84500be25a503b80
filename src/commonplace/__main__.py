"""`python -m commonplace` is the command line."""

import sys

from commonplace.cli import main

sys.exit(main())
