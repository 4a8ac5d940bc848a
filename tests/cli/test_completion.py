"""Tests of the scripts by which shells complete the command line, and of what is offered."""

import shlex
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

SHELLS = ("bash", "zsh", "fish")


@pytest.fixture
def offered(run: Any, monkeypatch: pytest.MonkeyPatch) -> Callable[..., set[str]]:
    """Return what is offered for the last word of a line; "file" where a shell looks for one."""

    def complete(*words: str) -> set[str]:
        monkeypatch.setenv("_FAIR_DATASETS_COMPLETE", "bash_complete")
        monkeypatch.setenv("COMP_WORDS", shlex.join(["fair-datasets", *words]))
        monkeypatch.setenv("COMP_CWORD", str(len(words)))
        found = (line.partition(",") for line in run().quiet().out.splitlines())
        return {value if kind == "plain" else kind for kind, _, value in found}

    return complete


@pytest.mark.parametrize(("words", "expected"), [
    (("",), {"augment", "audit", "completion", "evaluate-encoders", "measure"}),
    (("push", ""), {"dataset", "demo", "metrics", "model"}),
    (("train", ""), {"reader", "encoder", "person", "perturber", "mbcda", "fairflow"}),
    (("completion", ""), set(SHELLS)),
    (("augment", "in.csv", "--mode", ""), {"augment", "substitute", "pair"}),
    (("diet", "--"), {"--optimise", "--seeds"}),
    (("measure", "demographic_parity", "--m"), {"--method", "--missing-group"}),
    (("augment", "tw"), {"file"}), (("augment", "a.csv", "--out", "tw"), {"file"}),
    (("augment", "a.csv", "--axis", "tw"), {"file"}), (("pull", "ada/reviews", "tw"), {"file"}),
    (("push", "model", "tw"), {"file"}),
])  # fmt: skip
def test_what_is_offered(
    words: tuple[str, ...], expected: set[str], offered: Callable[..., set[str]]
) -> None:
    """Commands, options, what an option takes, and files where there may be one."""
    assert offered(*words) >= expected


def test_no_more_is_offered(offered: Callable[..., set[str]]) -> None:
    """Than what begins so."""
    assert offered("au") == {"audit", "augment"}
    assert offered("augment", "--mo") == {"--mode"}


@pytest.mark.parametrize("shell", SHELLS)
def test_each_script_calls_the_command(shell: str, run: Any, tmp_path: Path) -> None:
    """And the shell, if it is here, can parse it."""
    script = tmp_path / "script"
    script.write_text(run("completion", shell).quiet().out)
    assert f"_FAIR_DATASETS_COMPLETE={shell}_complete" in script.read_text()
    if shutil.which(shell):
        subprocess.run([shell, "-n", script], check=True)
