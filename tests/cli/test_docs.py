"""The command `docs`."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from fair_datasets.cli.docs import _MOVED, available_pages, plain_text


def test_without_a_page_they_are_listed(run: Any) -> None:
    """One line each, or what fits into two, with what each tells."""
    outcome = run("docs").quiet()
    assert outcome.out.startswith("Documentation\n=============\n")
    for page in available_pages():
        assert f"\n{page} " in outcome.out


def test_every_page_is_plain_text(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither fences nor links of Markdown are left, and no line of prose is too wide."""
    monkeypatch.setenv("COLUMNS", "80")
    for page in available_pages():
        title, line, *rest = run("docs", page).quiet().out.split("\n")
        assert line == "=" * len(title), page
        for text in (title, *rest):
            if not text.startswith("    "):  # what is indented is code
                assert len(text) <= 80, page
                assert not text.startswith(("|", "#")), page
                assert not any(mark in text for mark in ("```", "](", "**")), page


@pytest.mark.parametrize("page", ["swap.md", "SWAP"])
def test_a_page_may_be_named_as_its_file(run: Any, page: str) -> None:
    """With its ending, and in capitals."""
    assert run("docs", page) == run("docs", "swap")


@pytest.mark.parametrize(("page", "moved"), _MOVED.items())
def test_an_earlier_name_shows_the_page_that_has_its_text(run: Any, page: str, moved: str) -> None:
    """After a sentence that names it."""
    assert page not in available_pages()
    shown = run("docs", moved).quiet().out
    assert run("docs", page).quiet().out == f"The page {page} is now a part of {moved}.\n\n{shown}"


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
def test_a_terminal_gets_a_pager(start: Any, tmp_path: Path) -> None:
    """In a terminal the pager of the user shows it, and nowhere else."""
    pager = tmp_path / "pager"
    pager.write_text(f"#!/bin/sh\ncat > {tmp_path}/shown\n")
    pager.chmod(0o755)
    environment = {**os.environ, "PAGER": str(pager), "TERM": "xterm", "COLUMNS": "80"}
    process = start("docs", "limits", env=environment, stdin=subprocess.DEVNULL)
    plain, _ = process.communicate(timeout=60)
    assert not (tmp_path / "shown").exists()
    ours, theirs = os.openpty()
    process = start("docs", "limits", env=environment, stdin=theirs, stdout=theirs)
    _, said = process.communicate(timeout=60)
    os.close(ours)
    os.close(theirs)
    assert (process.returncode, said) == (0, "")
    assert (tmp_path / "shown").read_text() == plain


@pytest.mark.slow
def test_a_reader_that_is_gone(start: Any) -> None:
    """`fair-datasets docs names | head -1` ends well."""
    process = start("docs", "names")
    assert process.stdout.readline() == "Public names\n"
    process.stdout.close()
    with process:
        assert process.stderr.read() == ""
    assert process.returncode == 0


@pytest.mark.parametrize(("markdown", "plain"), [
    ("# Title\n\nText.", "Title\n=====\n\nText."), ("## Part\nText.", "Part\n----\n\nText."),
    ("one\ntwo\n\nthree", "one two\n\nthree"), ("A `word` and **another**.", "A word and another."),
    ("See [the Hub](hub.md#cards).", "See the Hub (fair-datasets docs hub)."),
    ("- [Hub](fair_datasets/docs/hub.md)", "- Hub (fair-datasets docs hub)"),
    ("[it](https://a.b/c.md)", "it (https://a.b/c.md)"),
    ("[a.b](https://a.b)", "a.b (https://a.b)"), ("[theirs](../../CONTRIBUTING.md)", "theirs"),
    ("```sh\nls  `x` [a](b)\n\n# no title\n```", "    ls  `x` [a](b)\n\n    # no title"),
    ("```sh\na\n```\n```sh\nb\n```", "    a\n\n    b"),
    ("- one\n  goes on\n- two\n\nText.", "- one goes on\n- two\n\nText."),
    ("1. one\n\n2. two", "1. one\n2. two"), ("", ""),
])  # fmt: skip
def test_blocks(markdown: str, plain: str) -> None:
    """Each kind of block."""
    assert plain_text(markdown) == plain


def test_long_lines_are_broken() -> None:
    """Those of an item stand below its text."""
    assert plain_text("- " + "word " * 6, width=16) == "- word word word\n  word word word"
    assert plain_text("long" * 9, width=16) == "long" * 9


def test_tables_align() -> None:
    """The last column goes on below itself; a bar that is escaped stays in its cell."""
    table = f"| name | what |\n|---|---|\n| `a\\|b` | {'word ' * 12}|\n| long name | one |"
    assert plain_text(table, width=41).split("\n") == [
        "name       what", "---------  ------------------------------",
        "a|b        word word word word word word", "           word word word word word word",
        "long name  one",
    ]  # fmt: skip


def test_a_table_without_a_second_heading_has_none() -> None:
    """What would be a line of dashes alone is left out."""
    assert plain_text("| `f(x)` | |\n|---|---|\n| a | b |") == "a  b"
