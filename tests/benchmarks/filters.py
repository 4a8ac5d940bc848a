"""How often an audit tells that a filter drops a group more often than other rows.

The rows are those of BOLD, from Wikipedia, with their groups of persons as a column, and tweets,
by the words for a gender in them. A filter drops each row with a probability; one that is planted
drops rows of one group with a larger one. Each gives one of two reasons, which are drawn as well.
Of two filters in a row the first drops more of the group, and the second looks at none: it sees
fewer rows of the group, and is not to be told of. A filter that drops the shortest texts looks at
no group either, and texts of groups differ in it.

    python tests/benchmarks/filters.py
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
from datasets import Dataset, disable_progress_bars, load_dataset
from numpy.typing import NDArray

from fair_datasets.auditing.audit_input import AuditInput, read_audit_input
from fair_datasets.auditing.classifiers import Side
from fair_datasets.auditing.dropped import Exclusions, dropped_part
from fair_datasets.auditing.findings import Part
from fair_datasets.auditing.settings import AuditSettings
from fair_datasets.cards.report import markdown_table
from tests.benchmarks.corpora import parser_of

RATE = 0.1
"""How many of the other rows a filter drops."""
PLANTED = {"BOLD": ("column group", "Asian_Americans"), "tweets": ("gender", "woman")}
"""The group of which a planted filter drops more."""
REASONS = ("too short", "bad words")


class Told(NamedTuple):
    """What an audit tells of one filter: differences of the planted group, and of any; colours."""

    planted: bool
    by_reason: bool
    other_reason: bool
    any: bool
    coloured: bool


def corpora(data: Path) -> dict[str, tuple[Dataset, AuditSettings]]:
    """Return the rows, and what is read of them."""
    kinds = data / "classification"
    bold = load_dataset(
        "csv", data_files=str(kinds / "bold_wikipedia_gender_race.csv.gz"), split="train"
    )
    tweets = load_dataset(
        "csv", data_files=str(kinds / "twitter_sexism_train.csv.gz"), split="train"
    )
    bold = bold.select_columns(["text", "group"])
    tweets = Dataset.from_dict({"text": list(map(str, tweets["text"]))})
    return {
        "BOLD": (bold, AuditSettings(columns="text", groups="group", samples=0)),
        "tweets": (tweets, AuditSettings(columns="text", samples=0)),
    }


def filtered(side: Side, gone: NDArray[np.bool_]) -> Side:
    """Return what a filter leaves of rows, which need not be read again."""
    data: AuditInput = side.material
    groups = tuple(each._replace(codes=each.codes[~gone]) for each in data.groups)
    return side._replace(
        material=replace(data, hashes=data.hashes[~gone], groups=groups), title="after"
    )


def told(part: Part | None, planted: tuple[str, str]) -> Told:
    """Return what an audit tells of a filter."""
    if part is None:
        return Told(False, False, False, False, False)
    sure = [each for each in part.figures
            if each.measure == "drop_rate_difference" and each.p_value < 0.05]  # fmt: skip
    own = [each for each in sure if (each.axis, each.attribute) == planted and each.value > 0]
    return Told(
        any(not each.label for each in own), any(each.label == REASONS[1] for each in own),
        any(each.label == REASONS[0] for each in sure), bool(sure),
        any(each.severity != "low" for each in part.findings),
    )  # fmt: skip


def filters(
    side: Side, times: float, planted: tuple[str, str], runs: int
) -> Iterator[tuple[NDArray[np.bool_], list[str]]]:
    """Draw filters that drop rows of one group so many times as often, and a reason of each row.

    What is more than of the other rows has the second reason. Below 1, they are two in a row, of
    which the first has that reason, and drops so many times as often as 1 by it.
    """
    (grouping,) = (each for each in side.material.groupings if each.name == planted[0])
    own = grouping.mask(grouping.attributes.index(planted[1]))
    for run in range(runs):
        draw = np.random.default_rng([run, int(100 * times)])
        if times < 1:
            first = draw.random(len(own)) < np.where(own, RATE / times, RATE)
            yield first | (draw.random(len(own)) < RATE), [REASONS[int(each)] for each in first]
            continue
        usual = draw.random(len(own)) < RATE
        more = own & (draw.random(len(own)) < RATE * (times - 1) / (1 - RATE))
        second = draw.random(len(own)) < 0.5
        yield usual | more, [REASONS[bool(s or (m and not u))]
                             for s, m, u in zip(second, more, usual, strict=True)]  # fmt: skip


def sized(whole: Dataset, rows: int, settings: AuditSettings) -> Side:
    """Read so many rows, drawn."""
    drawn = whole.shuffle(seed=0).select(range(min(rows, len(whole))))
    return Side("before", read_audit_input({"train": drawn}, settings), settings)


def share(found: list[Told], name: str) -> str:
    """Write how often something was told."""
    return f"{100 * np.mean([getattr(each, name) for each in found]):.1f}"


def line(corpus: str, side: Side, name: str, found: list[Told]) -> dict[str, str | int]:
    """Return a line of the table."""
    return {
        "rows": corpus, "N": len(side.material.hashes), "filter": name, "filters": len(found),
        "planted group told %": share(found, "planted"),
        "by its reason %": share(found, "by_reason"),
        "by the other reason %": share(found, "other_reason"),
        "anything told %": share(found, "any"),
        "in colour %": share(found, "coloured"),
    }  # fmt: skip


def shortest(side: Side) -> NDArray[np.bool_]:
    """Return the tenth of the rows whose texts are shortest."""
    lengths = np.array(list(map(len, side.material.splits["train"]["text"])))
    return np.asarray(lengths < np.quantile(lengths, RATE))


def main() -> None:
    """Print the table."""
    parser = parser_of(__doc__)
    parser.add_argument("--runs", type=int, default=400, help="filters without a group (400)")
    parser.add_argument("--planted", type=int, default=100, help="planted filters (100)")
    parser.add_argument("--rows", type=int, nargs="*", default=[1000, 5000])
    options = parser.parse_args()
    disable_progress_bars()
    lines = []
    for corpus, (rows, settings) in corpora(options.data).items():
        planted = PLANTED[corpus]
        for size in options.rows:
            side = sized(rows, size, settings)
            ask: Callable[[NDArray[np.bool_], list[str]], Told] = asked(side, planted)
            for times in (1.0, 1.5, 2.0, 3.0, 1 / 5):
                runs = options.planted if times > 1 else options.runs
                found = [ask(*each) for each in filters(side, times, planted, runs)]
                name = "no group" if times == 1 else f"{planted[1]} {times:g} times"
                name = name if times >= 1 else f"{planted[1]} {1 / times:g} times, then none"
                lines.append(line(corpus, side, name, found))
            short = ask(shortest(side), [REASONS[0]] * len(side.material.hashes))
            lines.append(line(corpus, side, "the shortest texts", [short]))
    print(markdown_table(lines))


def asked(side: Side, planted: tuple[str, str]) -> Callable[[NDArray[np.bool_], list[str]], Told]:
    """Return what audits a filter of rows."""

    def ask(gone: NDArray[np.bool_], reasons: list[str]) -> Told:
        rows = side.material.splits["train"]
        named = replace(side.material, splits={"train": rows.add_column("why", reasons)})
        before = side._replace(material=named)
        return told(dropped_part(before, filtered(before, gone), Exclusions(reason="why")), planted)

    return ask


if __name__ == "__main__":
    main()
