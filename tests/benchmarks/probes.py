"""Sentences with the outputs that a careful reader accepts, and the judging of an output.

`probes.tsv` has the columns class, axis, target, options, text, expected, note. `options` are
further parameters, `name=value` with `;` between. `expected` lists outputs with ` || ` between.
In them stand for a number, in digits or words, that makes a person of an age group: `{child}`,
`{young}`, `{middle-aged}`, `{senior}`; for a decade of life: `{decade:senior}` ("seventies",
"70s"); for any first name of the shipped table: `{man-name}`, `{woman-name}`. `{a}` and `{A}`
before a number stand for the article that agrees with it.
"""

import csv
import functools
import re
from dataclasses import dataclass
from pathlib import Path

from fair_datasets.lexicons import load_lexicon

_PLACEHOLDER = re.compile(r"(\{[\w:-]+\})")
_AGES = {
    "child": range(1, 18), "young": range(18, 45), "middle-aged": range(45, 65),
    "senior": range(65, 100),
}  # fmt: skip
# Decades that most of the people in them share with the group; "teens" have no digits.
_DECADES = {
    "child": "teens",
    "young": "twenties|thirties|'?20s|'?30s",
    "middle-aged": "forties|fifties|'?40s|'?50s",
    "senior": "seventies|eighties|nineties|'?70s|'?80s|'?90s",
}
_UNITS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
_UNITS += ["eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen"]
_UNITS += ["eighteen", "nineteen"]
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]


@dataclass(frozen=True)
class Probe:
    """One sentence, how it is to be swapped, and the outputs that are right."""

    name: str
    axis: str
    target: str
    options: str
    text: str
    expected: tuple[str, ...]


def read_probes(path: Path) -> list[Probe]:
    """Read the probes."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [
            Probe(
                name=row["class"], axis=row["axis"], target=row["target"], options=row["options"],
                text=row["text"], expected=tuple(row["expected"].split(" || ")),
            )
            for row in rows
        ]  # fmt: skip


def number(value: int) -> str:
    """Return a pattern of a number below 100, in digits or words."""
    if value < 20:
        return f"{value}|{_UNITS[value]}"
    tens = _TENS[value // 10 - 2]
    return f"{value}|{tens}" if value % 10 == 0 else f"{value}|{tens}[ -]{_UNITS[value % 10]}"


def _ages(group: str, article: str) -> str:
    """Return a pattern of the ages of a group, behind the article that agrees, if one is given."""
    chosen = []
    for age in _AGES[group]:
        vowel = age in (8, 11, 18) or 80 <= age < 90
        before = f"{article}n " if article and vowel else f"{article} " if article else ""
        chosen.append(f"{before}(?:{number(age)})")
    return f"(?:{'|'.join(chosen)})"


@functools.cache
def _names(attribute: str) -> str:
    forms = {
        form.text
        for entry in load_lexicon("first_names").entries
        for form in entry.forms.get(attribute, ())
    }
    return f"(?:{'|'.join(map(re.escape, sorted(forms)))})"


@functools.cache
def pattern(expected: str) -> re.Pattern[str]:
    """Return the expression that an expected output with placeholders stands for."""
    parts: list[str] = []
    article = ""
    for part in _PLACEHOLDER.split(expected):
        name = part[1:-1]
        if not _PLACEHOLDER.fullmatch(part):
            parts.append("" if article else re.escape(part))
        elif name in ("a", "A"):
            article = name
        elif name.endswith("-name"):
            parts.append(_names(name.removesuffix("-name")))
        elif name.startswith("decade:"):
            parts.append(f"(?:{_DECADES[name.removeprefix('decade:')]})")
        else:
            parts.append(_ages(name, article))
            article = ""
    return re.compile("".join(parts))


def is_right(probe: Probe, output: str) -> bool:
    """Return whether an output is among those expected."""
    if any(output == expected for expected in probe.expected):
        return True
    return any(
        _PLACEHOLDER.search(expected) and pattern(expected).fullmatch(output)
        for expected in probe.expected
    )
