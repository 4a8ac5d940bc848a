"""The options that the scripts under `hub_scripts/` and the command line share."""

import argparse
import sys
from collections.abc import Callable

from fair_datasets.system.checks import InputError


def add_push_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that every push takes, named as the parameters of the functions are.

    Example:
        >>> parser = argparse.ArgumentParser()
        >>> add_push_options(parser)
        >>> parser.parse_args(["--private", "--dry-run"]).private
        True
    """
    parser.add_argument(
        "--private",
        action="store_true",
        default=None,
        help="make a new repository private; an existing one has to be private already",
    )
    parser.add_argument(
        "--revision",
        metavar="BRANCH",
        help="write to this branch, which is created if it is not there (default: main)",
    )
    parser.add_argument(
        "--create-pr",
        action="store_true",
        help="make a pull request instead of writing to the main branch",
    )
    parser.add_argument(
        "--commit-message", metavar="TEXT", help="what the history says about this push"
    )
    parser.add_argument(
        "--overwrite",
        action="store_true",
        help="also replace what this package did not put into the repository",
    )
    parser.add_argument(
        "--dry-run",
        action="store_true",
        help="list the files that would be sent, with their sizes in bytes, and send nothing",
    )


def answer(parser: argparse.ArgumentParser, job: Callable[[], str]) -> None:
    """Do the job of a script and print what it returns; tell a mistake in one sentence."""
    try:
        sys.stdout.write(f"{job()}\n")
    except (InputError, FileNotFoundError) as error:
        parser.exit(2, f"{parser.prog}: {error}\n")
    except KeyboardInterrupt:
        parser.exit(130, f"{parser.prog}: interrupted; run the same again to go on.\n")
