"""The command `docs`: the documentation that travels with the package."""

import pydoc
import re
import shutil
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

from fair_datasets.cli.options import Options
from fair_datasets.system import checks

PAGES = Path(__file__).parents[1] / "docs"
# It lists the others.
_FIRST = "README"
# Earlier names of pages, which work for one release, and the pages that have their text now.
_MOVED = {
    "baselines": "diet", "cluster": "engines", "correct": "bias", "data_expectations": "sources",
    "data_first_names": "sources", "data_gender_words": "sources", "data_group_words": "sources",
    "data_known_people": "sources", "data_models": "sources", "data_race_names": "sources",
    "data_tests": "sources", "data_world_names": "sources", "fairflow": "mbcda",
    "filters": "impact", "mend": "find", "options": "swap", "speed": "streams", "trace": "split",
    "tutorial_hub": "hub",
}  # fmt: skip
_WIDEST = 100


class Docs(Options):
    """Show the documentation, page by page.

    Attributes:
        page: The page to show; without it, all pages are listed.
    """

    ARGUMENTS = "page"

    page: Annotated[str, "PAGE"] | None = None

    def run(self) -> None:
        """Run the command."""
        width = min(shutil.get_terminal_size().columns, _WIDEST)
        text = plain_text(page_text(self.page), width=width)
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
        page: Its name, in any case and with or without ".md". After an earlier name, a sentence
            says where the text is now. None for the page that lists the others.

    Raises:
        ValueError: There is no such page.

    Example:
        >>> page_text("limits").splitlines()[0]
        '# What it cannot do'
    """
    name = _FIRST if page is None else page.lower().removesuffix(".md")
    moved = _MOVED.get(name)
    if page is not None and moved is None:
        checks.one_of(name, available_pages(), parameter="PAGE", listing="fair-datasets docs")
    text = (PAGES / f"{moved or name}.md").read_text("utf-8")
    return f"The page `{name}` is now a part of `{moved}`.\n\n{text}" if moved else text


_FENCED = re.compile(r"^```.*\n((?:.*\n)*?)^```.*$", re.MULTILINE)
_LINK = re.compile(r"\[([^\]]+)\]\(([^)\s]+)\)")
_PAGE = re.compile(r"(?:\w+/)*(\w+)\.md(?:#.*)?")
_CODE = re.compile(r"`([^`]+)`")
_STRONG = re.compile(r"\*\*([^*]+)\*\*")
_CELL = re.compile(r"(?<!\\)\|")
_ITEM = re.compile(r"(?:[-*]|\d+\.) ")
_HEADING = re.compile(r"^#.*$", re.MULTILINE)
# Between blocks: empty lines, and the end of a line before an item or a heading.
_BETWEEN = re.compile(r"\n(?:[ \t]*\n)+|\n(?=(?:[-*]|\d+\.) |#)")
_RULE = re.compile(r"\|[-:| ]+\|")
_NARROWEST = 30


def plain_text(markdown: str, *, width: int = 80) -> str:
    r"""Write Markdown as plain text: code indented, tables aligned, links spelt out.

    Args:
        width: How many characters a line may have. Code is never broken.

    Example:
        >>> print(plain_text("# Hub\n\nSee [the *shell*](shell.md).\n```sh\nls\n```"))
        Hub
        ===
        <BLANKLINE>
        See the *shell* (fair-datasets docs shell).
        <BLANKLINE>
            ls
    """
    text, before = "", ""
    for kind, lines in _blocks(markdown):
        # The items of a list stand together.
        text += "" if not before else "\n" if kind == before == "item" else "\n\n"
        text += _block(kind, lines, width)
        before = kind
    return text


def _blocks(markdown: str) -> Iterator[tuple[str, list[str]]]:
    """Divide text into code, tables, headings, items of lists and paragraphs."""
    kinds = {"|": "table", "#": "heading"}
    for place, part in enumerate(_FENCED.split(markdown)):
        spaced = _HEADING.sub(r"\g<0>\n", part.strip("\n"))
        blocks = [part] if place % 2 else filter(None, _BETWEEN.split(spaced))
        for block in blocks:
            kind = "item" if _ITEM.match(block) else kinds.get(block[:1], "text")
            yield "code" if place % 2 else kind, block.strip("\n").split("\n")


def _block(kind: str, lines: list[str], width: int) -> str:
    if kind == "code":
        return textwrap.indent("\n".join(lines), "    ")
    if kind == "table":
        return _table([line for line in lines if not _RULE.fullmatch(line)], width)
    if kind == "heading":
        marks, _, title = lines[0].partition(" ")
        title = _inline(title)
        return f"{title}\n{('=' if marks == '#' else '-') * len(title)}"
    text = _inline(" ".join(line.strip() for line in lines))
    marker = _ITEM.match(text)
    indent = " " * len(marker[0]) if marker else ""
    return _wrapped(text, width, indent)


def _table(lines: list[str], width: int) -> str:
    """Align the cells; what is too long in the last column goes on below."""
    rows = [[_inline(cell.strip()) for cell in _CELL.split(line)[1:-1]] for line in lines]
    has_heading = any(rows[0][1:])
    rows = rows if has_heading else rows[1:]
    widths = [max(map(len, column)) for column in zip(*(row[:-1] for row in rows), strict=True)]
    indent = sum(widths) + 2 * len(widths)
    last = max(width - indent, _NARROWEST)
    longest = max(len(row[-1]) for row in rows)
    if has_heading and indent + min(longest, _NARROWEST) > width:
        return _entries(rows, width)
    if has_heading:
        rows.insert(1, ["-" * size for size in (*widths, min(last, longest))])
    written = []
    for row in rows:
        start = "".join(f"{cell:<{size}}  " for cell, size in zip(row[:-1], widths, strict=True))
        rest = _wrapped(row[-1], last, "").replace("\n", "\n" + " " * indent)
        written.append((start + rest).rstrip())
    return "\n".join(written)


def _entries(rows: list[list[str]], width: int) -> str:
    """Write the rows of a table that is too wide one by one, each cell with its heading."""
    (_, *headings), *others = rows
    written = []
    for name, *cells in others:
        pairs = (f"{heading} {cell}" for heading, cell in zip(headings, cells, strict=True))
        written.append(_wrapped(f"{name}: {', '.join(pairs)}", width, "  "))
    return "\n".join(written)


def _inline(text: str) -> str:
    """Take the marks out of a line, and say where its links lead."""
    text = _LINK.sub(_reference, text)
    text = _STRONG.sub(r"\1", text)
    return _CODE.sub(r"\1", text).replace("\\|", "|")


def _reference(link: re.Match[str]) -> str:
    """Write a link as its text, and the address or the command that shows the page."""
    text, target = link[1], link[2]
    page = _PAGE.fullmatch(target)
    if page and not target.startswith("../"):
        if text == page[1]:
            return text
        return f"{text} (fair-datasets docs {page[1]})"
    return f"{text} ({target})" if "://" in target and target not in text else text


def _wrapped(text: str, width: int, indent: str) -> str:
    """Break a text into lines, never within a word."""
    return textwrap.fill(
        text, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )
