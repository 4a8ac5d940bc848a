"""Pairs first names of men with first names of women, for the names intervention.

The pairing is that of Hall Maudslay, Gonen, Cotterell and Teufel: "It's All in the Name: Mitigating
Gender Bias with Name-Based Counterfactual Data Substitution" (EMNLP-IJCNLP 2019): one-to-one, so
that partners are as alike as possible in frequency and in degree of gender specificity. Beyond the
paper, a name that is often something else in a text (Mark, Hope) is paired with another such name
as far as there are any: both are read with the same caution, so that a swap can be swapped back.
The figures are the baby names of the US Social Security Administration, 1880-2023 (public domain).

    python -m hub_scripts.data.first_names --ssa ssa_totals.csv.gz \
        --out fair_datasets/lexicons/data/first_names.tsv
"""

import argparse
import csv
import gzip
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from fair_datasets.lexicons import Lexicon
from fair_datasets.lexicons.shipped import DATA
from fair_datasets.system.checks import InputError

# Share of a name's births that are of its dominant sex. At 0.9 the 3,000 names of each gender cover
# 89.2 % of all births, and 0.7 % of those so named are of the other sex. At 0.8 it would be
# 91.4 % and 1.1 %, that is, half as many wrong swaps again, and at 0.95 86.9 % and 0.5 %.
THRESHOLD = 0.9

_COLUMNS = {"name", "female", "male", "mean_year_female", "mean_year_male"}

# What the SSA writes where no name was given.
_PLACEHOLDER = re.compile(
    "(baby|infant)(boy|girl|male|female|of)?|boy|girl|male|female|child|newborn|unborn|mister|name"
    "|noname|notnamed|unk|unknown|unnamed"
)

# Distances count to five decimals, and a hundred-thousandth at most is added for a difference in
# rank: equally good partners are given to each other in order, and rounding errors decide nothing.
_PRECISION = 1e5

# More than any two names differ in frequency and specificity.
_FAR = 100.0

_FIGURES = ("births", "specificity", "year")
_HEADER = (
    "man",
    "woman",
    *(f"{gender}_{name}" for name in _FIGURES for gender in ("man", "woman")),
)


@dataclass(frozen=True)
class Name:
    """A first name that is given mostly to one sex.

    Attributes:
        specificity: Their share among all who were given it.
    """

    text: str
    is_man: bool
    births: int
    specificity: float
    is_ambiguous: bool = False
    year: int = 0


def read_names(path: Path, left_out: frozenset[str]) -> list[Name]:
    """Read the names that are specific enough to one gender.

    Args:
        path: The gzipped table, with the columns name, female, male, mean_year_female and
            mean_year_male.

    Returns:
        The names, the most frequent first, without those of one or two letters.
    """
    try:
        with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
            table = csv.DictReader(file)
            if missing := _COLUMNS - set(table.fieldnames or ()):
                raise InputError(f"{path} lacks the columns {', '.join(sorted(missing))}.")
            names = [_name(row, f"{path}, line {table.line_num}") for row in table]
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise InputError(f"{path} cannot be read as a gzipped table: {error}.") from error
    selected = [name for name in names if len(name.text) > 2 and name.specificity >= THRESHOLD]
    selected = [name for name in selected if not _PLACEHOLDER.fullmatch(name.text.lower())]
    selected = [name for name in selected if name.text.lower() not in left_out]
    return sorted(selected, key=lambda name: (-name.births, name.text))


def _name(row: Mapping[str, str], place: str) -> Name:
    try:
        female, male = int(row["female"]), int(row["male"])
        births, is_man = max(female, male), male > female
        year = round(float(row["mean_year_male" if is_man else "mean_year_female"]))
        return Name(row["name"], is_man, births, births / (female + male), year=year)
    except (TypeError, ValueError, ZeroDivisionError) as error:
        raise InputError(
            f"{place}: female and male must be counts of births, and their mean years numbers."
        ) from error


def pair_names(men: Sequence[Name], women: Sequence[Name]) -> list[tuple[Name, Name]]:
    """Pair names so that the sum of the distances between partners is as small as can be.

    The distance is Euclidean, on the logarithm of the births and on the specificity, both
    standardised over all the names; it is far greater between a name that is ambiguous and one that
    is not.
    """
    from scipy.optimize import linear_sum_assignment

    points = np.array([(np.log(name.births), name.specificity) for name in [*men, *women]])
    deviation = points.std(axis=0)
    points = (points - points.mean(axis=0)) / np.where(deviation > 0, deviation, 1)
    steps: NDArray[np.float64] = points[: len(men), None] - points[None, len(men) :]
    ambiguous = np.array([name.is_ambiguous for name in [*men, *women]])
    differs = ambiguous[: len(men), None] != ambiguous[None, len(men) :]
    distance = np.hypot(steps[..., 0], steps[..., 1]) + _FAR * differs
    distance = np.rint(distance * _PRECISION)
    rank = np.arange(len(men))
    cost = distance * len(men) ** 2 + (rank[:, None] - rank) ** 2
    partners = linear_sum_assignment(cost)[1]
    pairs = [(man, women[partner]) for man, partner in zip(men, partners, strict=True)]
    return sorted(pairs, key=lambda pair: (-pair[0].births - pair[1].births, pair[0].text))


def read_readings(path: Path) -> dict[str, str]:
    """Read what the hand-checked list says each name often is instead, separated by commas.

    A name whose reading is `never` is left out of the pairs.
    """
    if not path.exists():
        return {}
    with path.open(encoding="utf-8", newline="") as file:
        return {row["name"]: row["reading"] for row in csv.DictReader(file, delimiter="\t")}


def read_terms(path: Path) -> frozenset[str]:
    """Read the spellings that the gender lexicon reads, in lower case: no name may clash."""
    if not path.exists():
        return frozenset()
    forms = Lexicon.from_tsv(path).forms()
    return frozenset(form.text.lower() for form in forms if form.is_read)


def build(ssa: Path, out: Path, pairs: int = 3000, data: Path = DATA) -> None:
    """Write the pairs of first names."""
    readings = read_readings(data / "ambiguous_names.tsv")
    never = {name.lower() for name, reading in readings.items() if reading == "never"}
    names = read_names(ssa, read_terms(data / "gender.tsv") | never)
    names = [replace(name, is_ambiguous=name.text in readings) for name in names]
    men = [name for name in names if name.is_man]
    women = [name for name in names if not name.is_man]
    fewest = min(len(men), len(women))
    if not 1 <= pairs <= fewest:
        raise InputError(f"{ssa} has names for 1 to {fewest} pairs, but {pairs} were asked for.")
    rows = [_row(man, woman, readings) for man, woman in pair_names(men[:pairs], women[:pairs])]
    out.parent.mkdir(parents=True, exist_ok=True)
    write_cells(out, [_HEADER, *rows])


def write_cells(path: Path, rows: Iterable[Sequence[str]]) -> None:
    """Write rows of cells, and replace the file as a whole."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    text = "".join("\t".join(row) + "\n" for row in rows)
    temporary.write_text(text, encoding="utf-8", newline="\n")
    os.replace(temporary, path)


def _row(man: Name, woman: Name, readings: Mapping[str, str]) -> list[str]:
    """Write one pair as cells."""
    pair = (man, woman)
    flags = [readings.get(name.text, "") for name in pair]
    cells = [name.text + f"[{flag}]" * bool(flag) for name, flag in zip(pair, flags, strict=True)]
    figures = [[str(n.births), f"{n.specificity:.4f}", str(n.year)] for n in pair]
    return [*cells, *(cell for both in zip(*figures, strict=True) for cell in both)]


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the script."""
    parser = argparse.ArgumentParser(description="Pair first names of men and women.")
    parser.add_argument("--ssa", type=Path, required=True, help="the table, ssa_totals.csv.gz")
    parser.add_argument("--out", type=Path, required=True, help="the file to write")
    options = parser.parse_args(arguments)
    try:
        build(options.ssa, options.out)
    except InputError as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
