"""Every example of the README and of the pages runs: each page from its top, in an empty folder.

A block of `python` is run as a doctest where it has prompts, else as a program; what one block
defines the next ones know. A block of `sh` is run by bash; so are the lines of a block of `console`
that start with `$`, whose output is then compared. Files that one block writes the next ones find,
and a file that `cat` shows is there. The Hub is the loopback Hub.
"""

import doctest
import os
import re
import runpy
import shlex
import subprocess
import sys
import sysconfig
import tomllib
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from fair_datasets.cards.markdown import fenced_blocks
from tests.copies import copied

ROOT = Path(__file__).parents[2]
PAGES = [
    ROOT / "README.md", *sorted((ROOT / "fair_datasets" / "docs").glob("*.md")),
    *(ROOT / "hub_scripts" / name / "README.md" for name in ("encoders", "papers")),
]  # fmt: skip
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
# What is shown and not run.
SHOWN = {"", "text", "tsv"}
# What runs on several machines, as tests/jobs/test_on_ray.py tries it, and what runs in other
# engines: tests/benchmarks/other_engines.py runs the blocks of three as they stand, and
# tests/integrations/ those of the others.
FAR = {"cluster", "ray", "spark", "daft", "data-juicer", "datatrove", "nemo-curator",
       "lm-eval", "inspect-ai"}  # fmt: skip
# What other packages do, as tests/integrations/test_peers.py tries it in theirs.
PEERS = {"langfair", "augly", "langtest", "textattack"}
# What would change this machine or leave it: they do nothing here. Of hf that is the login.
ELSEWHERE = dict.fromkeys(("pip", "pytest", "git"), "exit 0")
ELSEWHERE["hf"] = f'[ "$1" = auth ] || exec {sysconfig.get_path("scripts")}/hf "$@"'


def name_of(page: Path) -> str:
    """Name a page in a test."""
    return page.relative_to(ROOT).as_posix()


hub = runpy.run_path(str(Path(__file__).parents[1] / "hub" / "conftest.py"))["hub"]


class Reader:
    """Somebody who types what a page says, in a folder of their own."""

    def __init__(self, page: Path, folder: Path) -> None:
        """Open a page."""
        self.page = page
        self.text = page.read_text("utf-8")
        self.folder = folder / "here"
        self.programs = folder / "programs"
        self.known: dict[str, Any] = {"__name__": "__main__"}
        for place in (self.folder, self.programs):
            place.mkdir()
        for name, script in ELSEWHERE.items():
            (self.programs / name).write_text(f"#!/bin/sh\n{script}\n")
            (self.programs / name).chmod(0o755)

    def follow(self) -> None:
        """Run the blocks in order."""
        run = {"python": self.python, "sh": self.shell, "console": self.console}
        for block in fenced_blocks(self.text):
            if block.language not in SHOWN | FAR | PEERS:
                run[block.language](block.code)

    def python(self, code: str) -> None:
        """Run Python, and compare what it prints."""
        line = self.text[: self.text.index(code)].count("\n")
        if ">>>" not in code:
            exec(compile("\n" * line + code, str(self.page), "exec"), self.known)
            return
        name = self.page.name
        test = doctest.DocTestParser().get_doctest(code, self.known, name, str(self.page), line)
        said: list[str] = []
        runner = doctest.DocTestRunner(optionflags=OPTIONS)
        outcome = runner.run(test, out=said.append, clear_globs=False)
        assert not outcome.failed, "".join(said)
        self.known = test.globs

    def shell(self, code: str) -> None:
        """Run commands of which no output is shown."""
        lines = code.replace("\\\n", " ").splitlines()
        for each in lines if all(map(words_of, lines)) else [code]:
            outcome = self.run(each)
            assert outcome.returncode == 0, f"{each}\n{outcome.stdout}"

    def console(self, code: str) -> None:
        """Run commands, each with the output that is shown below it."""
        for command, shown in commands_of(code):
            found = re.fullmatch(r"cat (\S+)", command)
            if found and not (self.folder / found[1]).exists():
                (self.folder / found[1]).write_text(shown, "utf-8")
            outcome = self.run(command)
            assert same(shown, outcome.stdout), f"$ {command}\n{outcome.stdout}"
            is_error = shown.startswith("fair-datasets: ")
            assert (outcome.returncode == 0) != is_error, f"$ {command}\n{outcome.stdout}"

    def run(self, command: str) -> "subprocess.CompletedProcess[str]":
        """Run a command: one of ours alone in a copy of this process, which has imported much."""
        ours, *files = re.split(r" > ([\w.]+)\Z", command)
        words = words_of(ours)
        if words is None:
            return self.bash(command)
        begin = [partial(print_into, self.folder / each) for each in files[:1]]
        return self.process(*words, preexec_fn=copied(words[1:], self.environment(), *begin))

    def bash(self, code: str) -> "subprocess.CompletedProcess[str]":
        """Run some lines of bash."""
        return self.process("bash", "-euo", "pipefail", "-c", code)

    def process(self, *words: str, **options: Any) -> "subprocess.CompletedProcess[str]":
        """Run a program, whose output and messages are read as one."""
        return subprocess.run(
            words, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, env=self.environment(), **options,
        )  # fmt: skip

    def environment(self) -> dict[str, str]:
        """Return the variables of a program: the examples' own programs come first."""
        places = [str(self.programs), sysconfig.get_path("scripts"), os.environ["PATH"]]
        own = {"HOME": str(self.folder.parent), "HF_HUB_DISABLE_UPDATE_CHECK": "1"}
        return {**os.environ, **own, "PATH": os.pathsep.join(places), "COLUMNS": "80"}


def words_of(command: str) -> list[str] | None:
    """Return the words of a command of ours that asks the shell for nothing else."""
    command = command.replace("\\\n", " ")
    bare = re.sub(r"'[^']*'|\"[^\"$`]*\"", "", command).partition(" #")[0]
    is_ours = bare.startswith("fair-datasets ") and not re.search(r"[^\w\s,./=:\[\]-]", bare)
    return shlex.split(command, comments=True) if is_ours else None


def print_into(file: Path) -> None:
    """Send what is printed to a file."""
    os.dup2(os.open(file, os.O_CREAT | os.O_TRUNC | os.O_WRONLY), 1)


def commands_of(code: str) -> Iterator[tuple[str, str]]:
    """Give each command of a session, and the output below it."""
    for part in re.split(r"^\$ ", code, flags=re.MULTILINE)[1:]:
        command, _, shown = part.partition("\n")
        while shown.startswith("> "):
            more, _, shown = shown.partition("\n")
            command += "\n" + more[2:]
        yield command, shown if shown.endswith("\n") or not shown else shown + "\n"


def same(shown: str, printed: str) -> bool:
    """Whether an output is what is shown; `...` stands for anything, empty lines for none."""
    lines = ["\n".join(line.rstrip() for line in text.split("\n")) for text in (shown, printed)]
    wanted, got = (text.strip("\n") + "\n" for text in lines)
    return doctest.OutputChecker().check_output(wanted, got, doctest.ELLIPSIS)


# TRL asks transformers by an old name.
@pytest.mark.filterwarnings("ignore:.is_gradient_checkpointing. is deprecated:FutureWarning")
@pytest.mark.slow
@pytest.mark.parametrize(
    "page",
    # It audits and trains for minutes; its notebook takes as long.
    [pytest.param(page, marks=[pytest.mark.full] * (page.stem == "tutorial")) for page in PAGES],
    ids=name_of,
)
def test_examples(page: Path, tmp_path: Path, hub: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page does what it says."""
    if page.name == "preferences.md":
        pytest.importorskip("trl")
    reader = Reader(page, tmp_path)
    monkeypatch.chdir(reader.folder)
    reader.follow()


def test_no_example_escapes() -> None:
    """Every block is of a language that is run, or that is only shown and looks it."""
    looks_run = re.compile(r"^(>>>|\$ |fair-datasets |import |from )", re.MULTILINE)
    for page in PAGES:
        text = page.read_text("utf-8")
        blocks = fenced_blocks(text)
        for block in blocks:
            assert block.language in {"python", "sh", "console", *SHOWN, *FAR, *PEERS}, page
            assert block.language not in SHOWN or not looks_run.search(block.code), page
        assert text.count("```") == 2 * len(blocks), page


def test_extras_exist() -> None:
    """What a page tells to install can be installed."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    for page in PAGES:
        for extras in re.findall(r"(?:\.|fair-datasets)\[([\w,-]+)\]", page.read_text("utf-8")):
            assert set(extras.split(",")) <= project["optional-dependencies"].keys(), page


def test_a_wrong_example_fails(tmp_path: Path) -> None:
    """The reader notices wrong Python, a wrong output and a command that fails."""
    wrong = {"python": ">>> 1 + 1\n3", "sh": "false | cat", "console": "$ echo one\ntwo"}
    for language, code in wrong.items():
        folder = tmp_path / language
        folder.mkdir()
        page = folder / "page.md"
        page.write_text(f"```{language}\n{code}\n```\n")
        with pytest.raises(AssertionError):
            Reader(page, folder).follow()


def test_the_interpreter_is_this_one(tmp_path: Path) -> None:
    """The shell of the examples finds the Python and the command that are tested."""
    page = tmp_path / "page.md"
    page.write_text("")
    outcome = Reader(page, tmp_path).bash("python -c 'import sys; print(sys.prefix)'")
    assert outcome.stdout.strip() == sys.prefix
