"""Tests of the scripts by which shells complete the command line."""

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

SHELLS = ("bash", "zsh", "fish")
COMMANDS = {
    "audit", "augment", "completion", "correct", "demo", "diet", "docs", "evaluate-encoders",
    "measure", "pull", "push", "score", "select", "train",
}  # fmt: skip


@pytest.fixture
def completed(run: Any, tmp_path: Path) -> Callable[..., set[str]]:
    """Return what bash offers for the last word of a line."""
    script = tmp_path / "fair-datasets.bash"
    script.write_text(run("completion", "bash").out)
    code = (
        'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))\n'
        # What bash would call for the command, as the script registers it.
        'read -ra how <<< "$(complete -p fair-datasets)"\n'
        'for place in "${!how[@]}"; do [[ ${how[place]} == -F ]] && name=${how[place + 1]}; done\n'
        '"$name" fair-datasets; printf "%s\\n" "${COMPREPLY[@]}"'
    )

    def offered(*words: str) -> set[str]:
        found = subprocess.run(
            ["bash", "-c", code, "bash", str(script), "fair-datasets", *words],
            cwd=tmp_path, capture_output=True, text=True, check=True,
        )  # fmt: skip
        assert found.stderr == ""
        return set(filter(None, map(str.strip, found.stdout.splitlines())))

    return offered


def test_bash_completes_commands(completed: Callable[..., set[str]]) -> None:
    """All of them, and those below another."""
    assert completed("") >= COMMANDS
    assert completed("au") == {"audit", "augment"}
    assert completed("push", "") >= {"dataset", "demo", "metrics", "model"}
    assert completed("train", "") >= {"reader", "encoder", "person", "perturber"}
    assert completed("completion", "") >= set(SHELLS)


def test_bash_completes_options_and_their_values(completed: Callable[..., set[str]]) -> None:
    """Options of the command in question, and what an option takes where that is a choice."""
    assert completed("augment", "--mo") == {"--mode"}
    assert completed("augment", "in.csv", "--mode", "") >= {"augment", "substitute", "pair"}
    assert "--optimise" in completed("diet", "--")
    assert "--optimise" not in completed("augment", "--")


@pytest.mark.parametrize(
    "words", [("augment",), ("augment", "a.csv", "--out"), ("augment", "a.csv", "--axis"),
              ("pull", "ada/reviews"), ("push", "model")],
)  # fmt: skip
def test_bash_completes_files(words: tuple[str, ...], completed: Any, tmp_path: Path) -> None:
    """Where an input, an output, a lexicon or a model can be a path."""
    (tmp_path / "tweets").mkdir()
    assert "tweets" in {found.rstrip("/") for found in completed(*words, "tw")}


@pytest.mark.parametrize("shell", SHELLS)
def test_each_script_holds_the_commands_with_their_help(shell: str, run: Any) -> None:
    """And nothing else is printed."""
    outcome = run("completion", shell).quiet()
    for command in COMMANDS:
        assert command in outcome.out
    if shell != "bash":  # which shows no help
        assert "augment a sample that ships with the package" in outcome.out


@pytest.mark.parametrize("shell", [shell for shell in SHELLS if shutil.which(shell)])
def test_each_script_can_be_parsed(shell: str, run: Any, tmp_path: Path) -> None:
    """By the shells that are here; bash always is."""
    script = tmp_path / "script"
    script.write_text(run("completion", shell).out)
    subprocess.run([shell, "-n", str(script)], check=True)


def test_the_help_says_where_the_script_goes(run: Any) -> None:
    """One command for each shell, to be copied."""
    told = run("completion", "--help").out
    for shell in SHELLS:
        assert f"\n  fair-datasets completion {shell} > " in told


def test_options_of_a_measure_are_completed(run: Any) -> None:
    """The script knows them, though a measure is loaded only when it is asked for."""
    script = run("completion", "bash").out
    assert "--missing-group" in script
    assert "--counterfactual-predictions" in script
