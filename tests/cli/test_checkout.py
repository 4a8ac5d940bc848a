"""Tests of commands that a checkout has, and an installed package only tells of."""

import sys
from typing import Any

import pytest

from fair_datasets.cli.checkout import of_checkout
from fair_datasets.cli.main import command_parser


@pytest.fixture
def elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hide what lies beside the package."""
    for name in {"hub_scripts", *(name for name in sys.modules if name.startswith("hub_scripts."))}:
        monkeypatch.setitem(sys.modules, name, None)
    command_parser.cache_clear()


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
@pytest.mark.parametrize("words", [("--help",), ("completion", "bash")])
def test_elsewhere_the_commands_are_listed(words: tuple[str, ...], run: Any) -> None:
    """With the others."""
    assert all(command in run(*words).quiet().out for command in SENTENCES)


def test_another_package_that_lacks_is_told_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """A checkout would not help."""
    monkeypatch.delitem(sys.modules, "hub_scripts.encoders.command", raising=False)
    monkeypatch.setitem(sys.modules, "fair_datasets.cli.dialects", None)
    with pytest.raises(ModuleNotFoundError, match=r"fair_datasets\.cli\.dialects"):
        of_checkout("encoders.command", "Encoders are evaluated")
