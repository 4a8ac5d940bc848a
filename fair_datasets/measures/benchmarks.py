"""Published benchmarks: their readers, and which of their pairs do not show what they are meant to.

Readers find faults by rule, also in other versions of the files, tell how many there are, and leave
them out unless they are asked to keep them.

In WinoBias, a pronoun is of somebody with an occupation, and the twin of a sentence has the pronoun
of the other gender. Where the pronoun is that of most people with the occupation, the sentence is
pro-stereotyped, else anti-stereotyped. In StereoSet, a context has a stereotype, an
anti-stereotype, and an answer unrelated to both.
"""

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, Literal, TypeVar, get_args

from fair_datasets.measures.inputs import read_json
from fair_datasets.system.checks import counted, invalid, one_of, warn

Faulty = Literal["drop", "keep"]
"""What becomes of faulty pairs: they are left out, or kept, as in published figures."""

_Value = TypeVar("_Value")


class BenchmarkFaultWarning(UserWarning):
    """Some pairs of a benchmark are faulty; the message counts them by what is wrong."""


def check_faulty(faulty: Faulty) -> None:
    """Raise unless the choice is one of the two, also where no pair is faulty."""
    one_of(faulty, get_args(Faulty), parameter="faulty")


def handle_faults(
    columns: Mapping[str, Sequence[_Value]],
    faults: Mapping[str, Collection[int]],
    faulty: Faulty,
    *,
    what: str = "pairs",
) -> dict[str, list[_Value]]:
    """Warn of faulty rows, and leave them out.

    Args:
        columns: Of one length each.
        faults: What is wrong, in words for the warning, to the rows that it is wrong with; a row
            may have several faults.
        faulty: `"drop"` leaves these rows out, `"keep"` keeps them.
        what: What a row is, in the plural.

    Returns:
        The columns, of the rows that are left.

    Example:
        >>> import warnings
        >>> with warnings.catch_warnings(record=True, action="always") as told:
        ...     handle_faults({"a": [5, 6]}, {"odd": {0}}, "drop")
        {'a': [6]}
        >>> str(told[0].message)
        "handle_faults: 1 of 2 pairs is faulty and left out (odd: 1); faulty='keep' keeps it."
    """
    check_faulty(faulty)
    faulty_rows = set().union(*faults.values())
    size = len(next(iter(columns.values())))
    counts = {reason: len(rows) for reason, rows in faults.items()}
    warn_of_faults(len(faulty_rows), size, counts, faulty, what=what)
    selected = [row for row in range(size) if faulty == "keep" or row not in faulty_rows]
    return {name: [values[row] for row in selected] for name, values in columns.items()}


def warn_of_faults(
    count: int, size: int, faults: Mapping[str, int], faulty: Faulty, *, what: str
) -> None:
    """Warn of faulty rows, if there are any, with how many have each fault."""
    if not count:
        return
    reasons = "; ".join(f"{words}: {number:,}" for words, number in faults.items() if number)
    verb, it = ("is", "it") if count == 1 else ("are", "them")
    done, choice = (
        ("left out", f"faulty='keep' keeps {it}")
        if faulty == "drop"
        else ("kept", f"faulty='drop' leaves {it} out")
    )
    warn(
        f"{count:,} of {size:,} {what} {verb} faulty and {done} ({reasons}); {choice}.",
        BenchmarkFaultWarning,
    )


def changed_words(first: str, second: str) -> tuple[str, str]:
    """Return what differs between two sentences, from the first to the last word that does.

    Example:
        >>> changed_words("The old man ran.", "The young man ran.")
        ('old', 'young')
    """
    one, other = words_of(first), words_of(second)
    shortest = min(len(one), len(other))
    start = next((n for n in range(shortest) if one[n] != other[n]), shortest)
    remaining = shortest - start
    end = next((n for n in range(remaining) if one[-1 - n] != other[-1 - n]), remaining)
    return " ".join(one[start : len(one) - end]), " ".join(other[start : len(other) - end])


def words_of(sentence: str) -> list[str]:
    """Split a sentence into its words and marks, in one case.

    Example:
        >>> words_of("I don't.")
        ['i', 'don', "'", 't', '.']
    """
    return re.findall(r"\w+|[^\w\s]", sentence.casefold())


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
    pro, anti = _read_sentences(pro_path), _read_sentences(anti_path)
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
    return handle_faults(columns, faults, faulty)


def _read_sentences(path: str | PathLike[str]) -> list[str]:
    """Read the sentences of a file, with their brackets."""
    file = Path(path)
    if not file.is_file():
        raise invalid(f"there is no file {str(path)!r}.")
    lines = file.read_text(encoding="utf-8").split("\n")
    sentences = [re.sub(r"^\d+\s+", "", line.strip()) for line in lines if line.strip()]
    for number, line in enumerate(sentences, 1):
        if len(_BRACKETS.findall(line)) < 2:
            raise invalid(
                f"sentence {number} of {file.name!r} lacks brackets around a person and "
                f"a pronoun: {line!r:.60}."
            )
    return sentences


def _plain(line: str) -> str:
    """Return a sentence without its brackets."""
    return re.sub(r"\[\s*|\s*\]", "", line)


def _are_twins(one: str, other: str) -> bool:
    """Whether sentences differ alone in that one has pronouns of men, and one of women."""
    first, second = words_of(one), words_of(other)
    if len(first) != len(second):
        return False
    unlike = [pair for pair in zip(first, second, strict=True) if pair[0] != pair[1]]
    return bool(unlike) and all({*pair} & _OF_MEN and {*pair} & _OF_WOMEN for pair in unlike)


_KINDS = ("intrasentence", "intersentence")
_LABELS = ("stereotype", "anti-stereotype", "unrelated")
_COLUMNS = ("kind", "bias_type", "target", "context", "stereotype", "anti_stereotype", "unrelated")
_GAP = "BLANK"


def load_stereoset(path: str | PathLike[str], *, faulty: Faulty = "drop") -> dict[str, list[str]]:
    """Read the items of the published JSON file, which this package does not contain.

    An item is faulty if its context has two gaps, which one word fills both; if two of its three
    sentences are equal; or if most annotators gave a sentence another label than the file: of the
    published items, 2 of 4,229 in `dev.json` and 6 of 12,766 in `test.json`.

    Args:
        path: The file, such as `dev.json`.
        faulty: `"drop"` leaves faulty items out, `"keep"` keeps them; either warns of them.

    Returns:
        `"kind"`, `"intrasentence"` or `"intersentence"`; `"bias_type"`, `"target"` and `"context"`;
        and the three sentences, `"stereotype"`, `"anti_stereotype"` and `"unrelated"`, of which
        those between sentences follow the context.

    Raises:
        InputError: There is no such file, or it is not of the published form.

    Example:
        >>> load_stereoset("no.json")
        Traceback (most recent call last):
        ...
        fair_datasets.InputError: load_stereoset: there is no file 'no.json'.

    Source:
        Nadeem, Bethke and Reddy (2021), StereoSet: Measuring stereotypical bias in pretrained
        language models. Files: https://github.com/moinnadeem/StereoSet (data: CC BY-SA 4.0).
    """
    name = Path(path).name
    content = read_json(path)
    data = content.get("data") if isinstance(content, dict) else None
    if not isinstance(data, dict) or not data.keys() & {*_KINDS}:
        raise invalid(
            f"{name!r} does not have the form of the published file: no 'data' with "
            f"{' or '.join(map(repr, _KINDS))}."
        )
    items = [(kind, item) for kind in _KINDS for item in data.get(kind, ())]
    rows = [_values(*each, f"item {row} of {name!r}") for row, each in enumerate(items)]
    columns = {column: [row[place] for row in rows] for place, column in enumerate(_COLUMNS)}
    faults = {
        "with two gaps": {row for row, values in enumerate(rows) if _gaps(*values) > 1},
        "with equal sentences": {
            row
            for row, (*_, one, two, three) in enumerate(rows)
            if len({text.strip().casefold() for text in (one, two, three)}) < len(_LABELS)
        },
        "with a label that most annotators did not give": {
            row for row, (_, item) in enumerate(items) if _is_outvoted(item)
        },
    }
    return handle_faults(columns, faults, faulty, what="items")


def _values(kind: str, item: Any, where: str) -> list[str]:
    """Read the values of an item."""
    try:
        sentences = {each["gold_label"]: each["sentence"] for each in item["sentences"]}
        values = [item[name] for name in ("bias_type", "target", "context")]
        values += [sentences[label] for label in _LABELS]
    except (KeyError, TypeError):
        values = []
    if not values or not all(isinstance(value, str) for value in values):
        raise invalid(
            f"{where} lacks a text: bias_type, target, context, or the sentence of "
            f"{', '.join(map(repr, _LABELS))}."
        )
    return [kind, *values]


def _gaps(kind: str, _: str, __: str, context: str, *sentences: str) -> int:
    """Count the gaps of a context; one between sentences has none."""
    return context.casefold().count(_GAP.casefold()) if kind == "intrasentence" else 0


def _is_outvoted(item: Any) -> bool:
    """Whether a sentence has a label that fewer annotators gave than another one."""
    for sentence in item["sentences"]:
        votes = Counter(each.get("label") for each in sentence.get("labels", ()))
        if votes and votes[sentence["gold_label"]] < max(votes.values()):
            return True
    return False
