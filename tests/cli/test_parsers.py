"""Sentences about parameters of Python become sentences about options."""

import argparse
import re
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from fair_datasets.cli.main import command_parser
from fair_datasets.cli.parsers import _COMMON, Parser, add_parameters


@pytest.mark.parametrize(("sentence", "told"), [
    ("augment: rate must be 1.", "augment: --rate must be 1."),
    ("augment: axis must be one of 'age'.", "augment: --axis must be one of 'age'."),
    ("augment: source and target are 'man'.", "augment: --source and --target are 'man'."),
    ("augment: columns is missing.", "augment: --text is missing."),
    ("augment: give mode='pair', not names=True.", "augment: give --mode pair, not --names."),
    ("augment: axis says it, but rate is 'a'.", "augment: --axis says it, but --rate is 'a'."),
    ("augment: leave out rate, or the mode is lost.",
     "augment: leave out --rate, or the mode is lost."),
    ("augment: leave out names=False.", "augment: leave out --no-names."),
    ("augment: give a min_confidence.", "augment: give a --min-confidence."),
    ("augment: give source (a group).", "augment: give --source (a group)."),
    ("augment: 'rate is' in the source.", "augment: 'rate is' in the source."),
    ("augment: row 1 holds 'mode=pair'.", "augment: row 1 holds 'mode=pair'."),
    ("in.csv: there is no column 'axis'.", "in.csv: there is no column 'axis'."),
    ("My_data: there is no column 'axis'.", "My_data: there is no column 'axis'."),
    ("OSError: it is a disk.", "OSError: it is a disk."),
    ("augment: say it by `rate`, not `a rate`.", "augment: say it by --rate, not `a rate`."),
    ("augment: leave out rate and mode.", "augment: leave out --rate and --mode."),
    ("augment: give names=True (--names).", "augment: give --names."),
    ("augment: 'a and rate and b'.", "augment: 'a and rate and b'."),
    ("augment: it names names.", "augment: it names names."),
    ("There is no file 'a'; check the path.", "There is no file 'a'; check the path."),
])  # fmt: skip
def test_options_are_named(sentence: str, told: str) -> None:
    """What stands in quotes, plain words and the names of what is read stay."""
    assert Parser(prog="fair-datasets docs").in_shell("docs: a=b is no page.") == (
        "docs: a=b is no page."
    )
    parser = Parser(prog="fair-datasets augment")
    for option in ("--text", "--mode", "--rate", "--axis", "--source", "--target"):
        parser.add_argument(option)
    parser.add_argument("--min-confidence")
    parser.add_argument("--names", action=argparse.BooleanOptionalAction)
    assert parser.in_shell(sentence) == told


def test_commands_are_told_by_what_people_want() -> None:
    """Each command stands in one of five groups."""
    text = command_parser().format_help()
    groups = dict(re.findall(r"^  (look|change|learn|share|other)\n((?:    .*\n)+)", text, re.M))
    told = {name: set(re.findall(r"^    ([a-z-]+)", own, re.M)) for name, own in groups.items()}
    assert told["look"] == {"find", "measure", "audit", "twin-task"}
    assert told["change"] == {"augment", "correct", "select", "diet"}
    assert told["share"] == {"push", "pull"}
    (commands,) = (each.choices for each in command_parser()._actions if each.dest == "command")
    assert set().union(*told.values()) == set(commands or ())


def _leaves(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """Give the parsers that no command of theirs divides further."""
    below = [each for each in parser._actions if isinstance(each, argparse._SubParsersAction)]
    for each in below:
        for child in each.choices.values():
            yield from _leaves(child)
    if not below:
        yield parser


def test_the_help_of_a_command_fits_on_a_screen(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It shows six options at most, and `--help-all`, where there is one, has them all."""
    monkeypatch.setenv("COLUMNS", "80")
    cut = 0
    for parser in _leaves(command_parser()):
        if " measure " in parser.prog:
            continue  # The options of a measure are read when it is asked for, and all shown.
        parser.print_help()
        told = capsys.readouterr().out
        assert len(told.splitlines()) <= 24, told
        options = [each.option_strings[0] for each in parser._actions if each.option_strings]
        if told.endswith(f"all options:  {parser.prog} --help-all\n"):
            cut += 1
            assert len(re.findall(r"^  -", told, re.MULTILINE)) <= 6
            with pytest.raises(SystemExit) as left:
                parser.parse_args(["--help-all"])
            assert left.value.code == 0
            told = capsys.readouterr().out
        assert all(option in told for option in options)
    assert cut == len(_COMMON)


@dataclass
class Diet:
    """A class with settings.

    Attributes:
        shares: Which shares are tried; None for those of the paper.
        seeds: How often a share is drawn. See `draws`.
        by: The measure that shares are chosen by.
        fair: Whether groups are balanced.
    """

    shares: tuple[float, ...] | None = None
    seeds: int = 3
    by: str = "flips"
    fair: bool = True


def test_options_are_read_from_a_class() -> None:
    """Their types, defaults and helps; choices are named."""
    parser = Parser(prog="fair-datasets diet")
    add_parameters(parser, Diet, shares="SHARE", seeds=None, by=("flips", "parity"), fair=None)
    assert vars(parser.parse_args([])).items() >= {
        "shares": None, "seeds": 3, "by": "flips", "fair": True,
    }.items()  # fmt: skip
    given = parser.parse_args(["--shares", "1", "--shares", "2", "--seeds", "5", "--no-fair"])
    assert (given.shares, given.seeds, given.fair) == (["1", "2"], 5, False)
    assert parser.given(given, ("shares", "by")) == ["--shares"]
    told = " ".join(parser.format_help().split())
    for words in (
        "--shares SHARE which shares are tried (default: those of the paper); repeat it for",
        "--seeds N how often a share is drawn (default: 3)",
        "--by {flips,parity} the measure that shares are chosen by (default: flips)",
        "--fair, --no-fair whether groups are balanced (default: yes)",
    ):
        assert words in told
