"""The command `docs`."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from fair_datasets.cli.docs import available_pages


def test_without_a_page_they_are_listed(run: Any) -> None:
    """One line each, or what fits into two, with what each tells."""
    outcome = run("docs")
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out.startswith("Documentation\n=============\n")
    for page in available_pages():
        assert f"\n{page} " in outcome.out


@pytest.mark.parametrize("page", available_pages())
def test_every_page_is_plain_text(run: Any, page: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither fences nor links of Markdown are left, and no line of prose is too wide."""
    monkeypatch.setenv("COLUMNS", "80")
    outcome = run("docs", page)
    assert (outcome.code, outcome.err) == (0, "")
    title, line, *_ = outcome.out.split("\n")
    assert line == "=" * len(title)
    for text in outcome.out.split("\n"):
        if not text.startswith("    "):  # what is indented is code
            assert len(text) <= 80
            assert not text.startswith(("|", "#"))
            assert not any(mark in text for mark in ("```", "](", "**"))


@pytest.mark.parametrize("page", ["swap.md", "SWAP"])
def test_a_page_may_be_named_as_its_file(run: Any, page: str) -> None:
    """With its ending, and in capitals."""
    assert run("docs", page) == run("docs", "swap")


def test_an_unknown_page(run: Any) -> None:
    """It is told what there is, and what may have been meant."""
    outcome = run("docs", "measure")
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith("\nfair-datasets: docs: PAGE must be one of 'audit', ")
    assert outcome.err.endswith("but it is 'measure'. Did you mean 'measures'?\n")
    assert "README" not in outcome.err


@pytest.mark.parametrize("page", ["../names", "/etc/passwd", "", "README", "names/../names"])
def test_only_pages_are_shown(run: Any, page: str) -> None:
    """No path leads elsewhere."""
    assert run("docs", page).code == 2


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
