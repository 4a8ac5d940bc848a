"""`python -m fair_datasets`: the command line, where the script is not on the path."""

import sys

from fair_datasets.cli import main

if __name__ == "__main__":
    sys.exit(main())
