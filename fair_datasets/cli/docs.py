"""The command `docs`: the documentation that travels with the package."""

import argparse
import pydoc
import shutil
import sys
from pathlib import Path
from typing import Any

from fair_datasets.cli.plain import plain_text
from fair_datasets.system import checks

PAGES = Path(__file__).parents[1] / "docs"
# It lists the others.
_FIRST = "README"
_WIDEST = 100


def add_parser(commands: Any) -> None:
    """Add the command to the command line.

    Args:
        commands: The parser's sub-parsers.
    """
    parser = commands.add_parser(
        "docs",
        help="show the documentation, page by page",
        description="Show a page of the documentation, which travels with the package.",
    )
    parser.add_argument(
        "page", nargs="?", metavar="PAGE", help="the page to show; without one, they are listed"
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Run the command.

    Args:
        options: The parsed arguments.

    Raises:
        InputError: There is no such page.
    """
    text = plain_text(page_text(options.page), width=_width())
    if sys.stdin.isatty() and sys.stdout.isatty():
        pydoc.pager(text + "\n")
    else:
        print(text)


def available_pages() -> list[str]:
    """List the pages.

    Returns:
        Their names, sorted; without the one that lists them.

    Example:
        >>> "limits" in available_pages()
        True
    """
    return sorted(path.stem for path in PAGES.glob("*.md") if path.stem != _FIRST)


def page_text(page: str | None = None) -> str:
    """Read a page.

    Args:
        page: One of `available_pages()`; None for the list of them.

    Returns:
        The page as Markdown.

    Raises:
        InputError: There is no such page.

    Example:
        >>> page_text("limits").splitlines()[0]
        '# What it cannot do'
    """
    name = _FIRST
    if page is not None:
        name = page.lower().removesuffix(".md")
        checks.one_of(name, available_pages(), owner="docs", parameter="PAGE")
    return (PAGES / f"{name}.md").read_text("utf-8")


def _width() -> int:
    """Return how wide a line may be: as the terminal, within reason."""
    return min(shutil.get_terminal_size().columns, _WIDEST)
