"""StereoSet: contexts with a stereotype, an anti-stereotype, and an answer unrelated to both."""

from collections import Counter
from os import PathLike
from pathlib import Path
from typing import Any

from fair_datasets.measures.faults import Faulty, settle_faults
from fair_datasets.measures.inputs import read_json
from fair_datasets.system.checks import invalid

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
    return settle_faults(columns, faults, faulty, what="items")


def _values(kind: str, item: Any, where: str) -> list[str]:
    """Read the values of an item."""
    try:
        sentences = {each["gold_label"]: each["sentence"] for each in item["sentences"]}
        found = [item[name] for name in ("bias_type", "target", "context")]
        found += [sentences[label] for label in _LABELS]
    except (KeyError, TypeError):
        found = []
    if not found or not all(isinstance(value, str) for value in found):
        raise invalid(
            f"{where} lacks a text: bias_type, target, context, or the sentence of "
            f"{', '.join(map(repr, _LABELS))}."
        )
    return [kind, *found]


def _gaps(kind: str, _: str, __: str, context: str, *sentences: str) -> int:
    """Count the gaps of a context; one between sentences has none."""
    return context.casefold().count(_GAP.casefold()) if kind == "intrasentence" else 0


def _is_outvoted(item: Any) -> bool:
    """Tell whether a sentence has a label that fewer annotators gave than another one."""
    for sentence in item["sentences"]:
        votes = Counter(each.get("label") for each in sentence.get("labels", ()))
        if votes and votes[sentence["gold_label"]] < max(votes.values()):
            return True
    return False
