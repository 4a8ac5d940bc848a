"""The command line `fair-datasets`: a thin face on the techniques."""

from fair_datasets.cli.main import main

__all__ = ["main"]
