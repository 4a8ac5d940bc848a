"""WinoBias: sentences in which a pronoun is of somebody with an occupation, and their twins.

The twin of a sentence has the pronoun of the other gender. Where the pronoun is that of most people
with the occupation, the sentence is pro-stereotyped, else anti-stereotyped.
"""

import re
from os import PathLike
from pathlib import Path

from fair_datasets.measures.faults import Faulty, settle_faults, words_of
from fair_datasets.system.checks import counted, invalid

_BRACKETS = re.compile(r"\[([^\[\]]*)\]")
_OF_MEN, _OF_WOMEN = {"he", "him", "his", "himself"}, {"she", "her", "hers", "herself"}


def load_winobias(
    pro_path: str | PathLike[str], anti_path: str | PathLike[str], *, faulty: Faulty = "drop"
) -> dict[str, list[str]]:
    """Read pairs of sentences from the published files, which this package does not contain.

    A pair is faulty if its sentences differ in more than a pronoun of men for one of women, or if
    more than a person and one pronoun stand in brackets, so that nothing tells which one is meant:
    of the 1,584 published pairs, 19 and 46 are.

    Args:
        pro_path: The pro-stereotyped sentences, such as `pro_stereotyped_type1.txt.dev`.
        anti_path: The anti-stereotyped ones of the same type and part, line by line their twins.
        faulty: `"drop"` leaves faulty pairs out, `"keep"` keeps them; either warns of them.

    Returns:
        `"pro_stereotyped"` and `"anti_stereotyped"`, the sentences without brackets and numbers;
        and `"person"`, whom the pronoun is of.

    Raises:
        InputError: There is no such file, a line has no two brackets, or the files differ in
            length.

    Example:
        >>> load_winobias("no.txt", "anti.txt")
        Traceback (most recent call last):
        ...
        fair_datasets.InputError: load_winobias: there is no file 'no.txt'.

    Source:
        Zhao et al. (2018), Gender Bias in Coreference Resolution: Evaluation and Debiasing Methods.
        Files: https://github.com/uclanlp/corefBias (data: MIT).
    """
    pro, anti = _read(pro_path), _read(anti_path)
    if len(pro) != len(anti):
        raise invalid(
            f"{Path(pro_path).name!r} has {counted(len(pro), 'sentence')}, but "
            f"{Path(anti_path).name!r} has {len(anti)}; give two files of one type and part."
        )
    columns = {
        "pro_stereotyped": [_plain(line) for line in pro],
        "anti_stereotyped": [_plain(line) for line in anti],
        "person": [_BRACKETS.findall(line)[0].strip() for line in pro],
    }
    faults = {
        "that differ in more than pronouns": {
            row
            for row, pair in enumerate(
                zip(columns["pro_stereotyped"], columns["anti_stereotyped"], strict=True)
            )
            if not _are_twins(*pair)
        },
        "with more than two brackets": {
            row
            for row, pair in enumerate(zip(pro, anti, strict=True))
            if any(len(_BRACKETS.findall(line)) > 2 for line in pair)
        },
    }
    return settle_faults(columns, faults, faulty)


def _read(path: str | PathLike[str]) -> list[str]:
    """Read the sentences of a file, with their brackets."""
    file = Path(path)
    if not file.is_file():
        raise invalid(f"there is no file {str(path)!r}.")
    lines = file.read_text(encoding="utf-8").split("\n")
    found = [re.sub(r"^\d+\s+", "", line.strip()) for line in lines if line.strip()]
    for number, line in enumerate(found, 1):
        if len(_BRACKETS.findall(line)) < 2:
            raise invalid(
                f"sentence {number} of {file.name!r} lacks brackets around a person and "
                f"a pronoun: {line!r:.60}."
            )
    return found


def _plain(line: str) -> str:
    """Return a sentence without its brackets."""
    return re.sub(r"\[\s*|\s*\]", "", line)


def _are_twins(one: str, other: str) -> bool:
    """Tell whether sentences differ alone in that one has pronouns of men, and one of women."""
    first, second = words_of(one), words_of(other)
    if len(first) != len(second):
        return False
    unlike = [pair for pair in zip(first, second, strict=True) if pair[0] != pair[1]]
    return bool(unlike) and all({*pair} & _OF_MEN and {*pair} & _OF_WOMEN for pair in unlike)
