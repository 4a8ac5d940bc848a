"""Commands are made of what their classes declare, and help loads nothing that takes a while."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from fair_datasets.cli.commands import Commands, Leaf
from fair_datasets.cli.declared import fields_of
from fair_datasets.cli.main import commands, main, read
from fair_datasets.docs.site import commands_of
from fair_datasets.swap.counterfactual import CounterfactualSwap
from fair_datasets.system.checks import parse_docstring_params

HEAVY = ("datasets", "evaluate", "fair_datasets.reader", "pandas", "pyarrow", "scipy", "sklearn",
         "spacy", "torch", "transformers")  # fmt: skip


def leaves() -> Iterator[tuple[str, Leaf, click.Context]]:
    """Give each command that no other divides further."""
    for words, _, context in commands_of(commands()):
        if isinstance(context.command, Leaf):
            yield words, context.command, context


def test_help_and_mistakes_load_nothing_heavy() -> None:
    """Neither what all commands are, nor any of them, nor an option that is none; nor pages."""
    words = [each for each, _, _ in commands_of(commands())]
    code = f"""
import contextlib, io, sys
from fair_datasets.cli import main
with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
    codes = [main(words) for words in (["--help"], ["docs", "limits"], ["completion", "zsh"])]
    codes.append(main(["docs", "nosuch"]) - 2)
    for words in {words!r}:
        codes.append(main([*words.split(), "--help"]))
        codes.append(main([*words.split(), "--nosuch"]) - 2)
assert not any(codes), codes
print(*sorted(name for name in sys.modules if name.startswith({HEAVY!r})))
"""
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.split() == []


def test_commands_are_told_by_what_people_want(capsys: pytest.CaptureFixture[str]) -> None:
    """Each command stands in one of five groups."""
    assert main(["--help"]) == 0
    told = capsys.readouterr().out
    parts = dict(re.findall(r"^(look|change|learn|share|other):\n((?:  .*\n)+)", told, re.M))
    found = {name: set(re.findall(r"^  ([a-z-]+)", own, re.M)) for name, own in parts.items()}
    assert found["look"] == {"find", "measure", "audit", "twin-task"}
    assert found["change"] == {"augment", "correct", "select", "diet"}
    assert found["share"] == {"push", "push-twin", "pull"}
    assert set().union(*found.values()) == set(commands().places)
    assert "130, 143  interrupted" in told


@pytest.mark.parametrize("words", [words for words, *_ in leaves() if "measure " not in words])
def test_the_help_of_a_command_fits_on_a_screen(
    words: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It shows six options at most, and `--help-all`, where there is one, has them all."""
    monkeypatch.setenv("COLUMNS", "80")
    (command,) = (each for name, each, _ in leaves() if name == words)
    assert main([*words.split(), "--help"]) == 0
    told = capsys.readouterr().out
    assert len(told.splitlines()) <= 24, told
    if command.common:
        assert told.endswith(f"all options:  fair-datasets {words} --help-all\n")
        assert len(re.findall(r"^  -", told, re.MULTILINE)) <= 6
        assert main([*words.split(), "--help-all"]) == 0
        told = capsys.readouterr().out
    assert all(each.opts[0] in told for each in command.params if isinstance(each, click.Option))


@pytest.mark.parametrize("words", [words for words, command, _ in leaves()
                                   if any(each.required for each in command.params)])  # fmt: skip
def test_what_is_needed_is_missed(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    """In a sentence that names an argument or option, before anything is read."""
    assert main(words.split()) == 2
    assert re.search(r"Missing (argument|option) '", capsys.readouterr().err)


def test_what_is_read_from_the_source_is_what_python_says() -> None:
    """Names, defaults and texts, those of bases among them."""
    found = fields_of("fair_datasets.swap.counterfactual:CounterfactualSwap")
    texts = parse_docstring_params(CounterfactualSwap)
    for name, field in found.items():
        assert getattr(CounterfactualSwap, name, field.default) == field.default
        assert field.text == texts.get(name, "")
    assert found.keys() >= {"columns", "axis", "mode", "protect", "coreference"}


def test_what_people_typed_before_is_still_an_option() -> None:
    """Those of commands that a file lists, which may grow."""
    lines = Path(__file__).with_name("options.txt").read_text("utf-8").splitlines()
    found = {words: command.params for words, command, _ in leaves()}
    for words, options in (line.split(":") for line in lines):
        known = {flag for each in found[words] for flag in (*each.opts, *each.secondary_opts)}
        assert {*options.split()} <= known, words


@pytest.mark.parametrize(("words", "expected"), [
    ("--seeds 5 --max-auc-drop 1", {"seeds": 5, "max_auc_drop": 1.0, "optimise": "flip_rate"}),
    ("-a 0.1,0.2 --a 1", {"a": ((0.1, 0.2), (1.0,)), "b": ()}),
    ("--no-names", {"names": False, "label": "label"}), ("--rank random", {"ranking": ("random",)}),
])  # fmt: skip
def test_words_become_values(words: str, expected: dict[str, object]) -> None:
    """By the kinds of the fields; an option may be cut short."""
    options = read(["diet", "in.csv", "--text", "text", "-o", "out", *words.split()])
    assert vars(options).items() >= expected.items()


def test_a_list_may_follow_its_option() -> None:
    """Where there is no doubt what belongs to it."""
    options = read(["twin-task", "t", "--columns", "a", "b", "-o", "out", "--columns=c"])
    assert vars(options)["columns"] == ("a", "b", "c")


def test_the_command_is_written_anew() -> None:
    """With its defaults, without folders, and without what changes no row."""
    options = read(
        ["select", "/home/ada/x.csv", "--text", "t", "-a", "1", "-b", "0.5", "-o", "/o/p q"]
    )
    assert not isinstance(options, int)
    assert options.again("x.csv") == (
        "fair-datasets select x.csv --text t --seed 0 --out 'p q' -a 1.0 -b 0.5 --ranking "
        "healthy_random --split train"
    )
    assert options.given() == ["INPUT", "--text", "--out", "-a", "-b"]


def test_every_command_says_what_it_and_its_options_do() -> None:
    """In a sentence that the help begins with."""
    for words, command, _ in leaves():
        assert re.match(r"[A-Z].*[.]", command.help or ""), words
        lacking = [name for name, text in command.descriptions.items() if not text]
        assert not lacking, (words, lacking)
    assert isinstance(commands().get_command(click.Context(commands()), "train"), Commands)
