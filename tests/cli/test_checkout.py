"""Tests of commands that a checkout has, and an installed package only tells of."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from fair_datasets.cli import declared


@pytest.fixture
def elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Hide what lies beside the package, and any other checkout."""
    beside = declared.PACKAGE
    (tmp_path / beside.name).symlink_to(beside)
    monkeypatch.setattr(declared, "PACKAGE", tmp_path / beside.name)
    monkeypatch.setattr(declared, "find_spec", lambda name: None)
    declared.names_in.cache_clear()
    yield
    declared.names_in.cache_clear()


SENTENCES = {
    "evaluate-encoders": "Encoders are evaluated",
    "reproduce-paper": "Tables of papers are reproduced",
}


@pytest.mark.usefixtures("elsewhere")
@pytest.mark.parametrize("command", SENTENCES)
@pytest.mark.parametrize("words", [("a=b", "--test", "C6"), ("--help",), ("--help-all",), ()])
def test_elsewhere_it_says_where_it_works(command: str, words: tuple[str, ...], run: Any) -> None:
    """In one sentence, whatever is typed."""
    assert run(command, *words).refused() == (
        f"\nfair-datasets: {SENTENCES[command]} in a checkout of the project: clone the "
        "repository, type `pip install -e .` in it, and then the same command there.\n"
    )


@pytest.mark.usefixtures("elsewhere")
def test_elsewhere_the_commands_are_listed(run: Any) -> None:
    """With the others."""
    told = run("--help").quiet().out
    assert all(command in told for command in SENTENCES)
