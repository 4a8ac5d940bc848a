"""How many planted faults verification finds, and how many good rewrites it refuses.

    python tests/benchmarks/verification.py [--data DIR] [--rows 600] [--refused 0]
    python tests/benchmarks/verification.py --written

First come the rewrites of `tests/swap/verification/written.tsv`, wrong ones and right ones, which
were written by hand: those that the rules were made on, and those that were held back until the
end.

Good rewrites are the swap's own output on texts of the shared data (several axes and targets; all
mentions were asked for), human rewrites of Wikipedia sentences in both directions (those of which
the data say that all gendered words change; with and without names, which the writers kept), and
rewrites of one of two persons in sentences that the project makes itself. Into each that is
accepted faults are planted, each kind once where it can be; what a model mends unasked is restored
before.
"""

import csv
import json
import random
import runpy
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from corpora import column, parser_of, texts_of

from fair_datasets import CounterfactualSwap, verify
from fair_datasets.swap import Verdict, restore, verify_all

PLANTED = runpy.run_path(str(Path(__file__).parents[1] / "swap" / "verification" / "planted.py"))
WRITTEN = Path(__file__).parents[1] / "swap" / "verification" / "written.tsv"
SWAPS: Mapping[str, Mapping[str, Any]] = {
    "swap, gender": {"axis": "gender"},
    "swap, non-binary": {"axis": "gender", "target": "non-binary"},
    "swap, xe": {"axis": "gender", "target": "non-binary", "pronouns": "xe"},
    "swap, gender without names": {"axis": "gender", "names": False},
    "swap, race": {"axis": "race", "target": "asian"},
    "swap, race with names": {"axis": "race", "target": "black", "names": True},
    "swap, age": {"axis": "age"},
    "swap, age to senior": {"axis": "age", "target": "senior"},
    "swap, religion": {"axis": "religion", "target": "buddhist"},
    "swap, nationality": {"axis": "nationality", "target": "canadian"},
    "swap, orientation": {"axis": "orientation", "target": "bisexual"},
}


class Case(NamedTuple):
    """A rewrite that is good, or has a fault."""

    source: str
    fault: str
    rewrite: Any
    after: str
    names: bool | None


def drawn(data: Path, rows: int) -> list[str]:
    """Draw texts of the shared data: sentences, paragraphs of novels, reviews and comments."""
    draw = random.Random(0)
    kinds = data / "classification"
    pools = [
        column(kinds / "bold_wikipedia_gender_race.csv.gz", "text"),
        texts_of(data / "text" / "novels.jsonl.gz"),
        column(kinds / "wikipedia_toxicity_nonfuzzed.csv.gz", "comment"),
        column(kinds / "bug_gold.csv", "text"),
    ]
    return [text for pool in pools for text in draw.sample(pool, min(rows, len(pool)))]


def swapped(data: Path, rows: int) -> Iterator[Case]:
    """Give the swap's own output, where it changes something."""
    texts = drawn(data, rows)
    for source, options in SWAPS.items():
        swap = CounterfactualSwap(columns="text", mode="replace", protect=(), **options)
        for before, after in zip(texts, swap({"text": texts})["text"], strict=True):
            if before != after:
                rewrite = PLANTED["Rewrite"](before, after, options["axis"], options.get("target"))
                yield Case(source, "", rewrite, after, options.get("names"))


def human(data: Path) -> Iterator[Case]:
    """Give the human rewrites of which all gendered words change."""
    path = data / "pairs" / "gender_swap_mtgeneval_dev.jsonl"
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if row["scope"] != "all":
            continue
        for own, other, target in (
            ("masculine", "feminine", "woman"),
            ("feminine", "masculine", "man"),
        ):
            rewrite = PLANTED["Rewrite"](row[own], row[other], "gender", target)
            yield Case(f"human, {own} before", "", rewrite, row[other], False)
            yield Case(f"human, {own} before, names read", "", rewrite, row[other], None)


def made(each: int) -> Iterator[Case]:
    """Give rewrites of one of two persons, and what is no fault or one in them."""
    for rewrite in PLANTED["two_person_rewrites"](each=each):
        yield Case("two persons", "", rewrite, rewrite.after, None)
        for name, mend in PLANTED["MENDS"].items():
            mended = restore(rewrite.before, mend(rewrite.before, rewrite.after)).text
            yield Case(name, "", rewrite, mended, None)
        misspelt = PLANTED["with_typos"](rewrite.before)
        if misspelt != rewrite.before and rewrite.word in misspelt[rewrite.start :]:
            start = misspelt.index(rewrite.word)
            asked = rewrite._replace(before=misspelt, start=start)
            after = restore(misspelt, rewrite.after).text
            yield Case("mended spelling", "", asked, after, None)


def print_written() -> None:
    """Print how many of the rewrites that were written by hand are refused, by part and by kind."""
    parts: dict[str, list[Verdict]] = {}
    kinds: dict[str, list[Verdict]] = {}
    with WRITTEN.open(encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            before, after = (row[name].replace("\\n", "\n") for name in ("before", "after"))
            word = row["word"] or None
            verdict = verify(before, after, row["axis"], row["target"] or None, word=word)
            part = f"{row['verdict']}, {row['part']}"
            parts.setdefault(part, []).append(verdict)
            kinds.setdefault(f"{part}: {row['kind']}", []).append(verdict)
    print_table("written by hand", "refused", parts)
    print_table("written by hand", "refused", dict(sorted(kinds.items())))


def faulty(good: list[Case]) -> Iterator[Case]:
    """Plant faults into good rewrites."""
    draw = random.Random(1)
    for case in good:
        rewrite = case.rewrite
        for name, plant in PLANTED["PLANTS"].items():
            after = plant(rewrite.before, case.after, draw)
            if after is not None and after != case.after:
                yield case._replace(fault=name, after=after)
        if not case.source.startswith("mended"):
            yield case._replace(fault="unchanged", after=rewrite.before)
        if case.source == "two persons":
            for name, after in PLANTED["planted_persons"](rewrite):
                yield case._replace(fault=name, after=after)


def verdicts_of(cases: list[Case]) -> list[Verdict]:
    """Verify cases, those of one axis and reading together."""
    found: dict[int, Verdict] = {}
    groups: dict[tuple[str, bool | None, bool], list[int]] = {}
    for number, case in enumerate(cases):
        everyone = case.source.startswith("swap")
        groups.setdefault((case.rewrite.axis, case.names, everyone), []).append(number)
    for (axis, names, everyone), numbers in groups.items():
        chosen = [cases[number] for number in numbers]
        verdicts = verify_all(
            [case.rewrite.before for case in chosen], [case.after for case in chosen], axis,
            [case.rewrite.target for case in chosen],
            words=[case.rewrite.word for case in chosen] if not everyone else None,
            starts=[case.rewrite.start for case in chosen] if not everyone else None,
            everyone=everyone, names=names,
        )  # fmt: skip
        found |= dict(zip(numbers, verdicts, strict=True))
    return [found[number] for number in range(len(cases))]


def share(verdicts: list[Verdict]) -> float:
    """Return the share that is refused."""
    return sum(not verdict.accepted for verdict in verdicts) / max(len(verdicts), 1)


def by(key: str, cases: list[Case], verdicts: list[Verdict]) -> dict[str, list[Verdict]]:
    """Group verdicts by the source or the fault of their cases."""
    grouped: dict[str, list[Verdict]] = {}
    for case, verdict in zip(cases, verdicts, strict=True):
        grouped.setdefault(getattr(case, key), []).append(verdict)
    return grouped


def print_table(title: str, value: str, groups: Mapping[str, list[Verdict]]) -> None:
    """Print how many are refused in each group, and for what."""
    print(f"\n| {title} | n | {value} | reasons given |\n|---|---:|---:|---|")
    everything = [verdict for verdicts in groups.values() for verdict in verdicts]
    for name, verdicts in {**groups, "**all**": everything}.items():
        reasons = Counter(str(verdict.reason) for verdict in verdicts if verdict.reason)
        told = ", ".join(f"{reason} {count}" for reason, count in reasons.most_common(6))
        print(f"| {name} | {len(verdicts):,} | {share(verdicts):.3f} | {told} |", flush=True)


def main() -> None:
    """Print the tables."""
    parser = parser_of("Measure the verification of rewrites.")
    parser.add_argument("--rows", type=int, default=600, help="texts of each corpus (600)")
    parser.add_argument("--refused", type=int, default=0, help="good rewrites to show (0)")
    parser.add_argument("--written", action="store_true", help="the rewrites written by hand alone")
    options = parser.parse_args()
    print_written()
    if options.written:
        return
    good = [*swapped(options.data, options.rows), *human(options.data), *made(4)]
    start = time.perf_counter()
    verdicts = verdicts_of(good)
    seconds = time.perf_counter() - start
    print_table("good rewrites", "false alarms", by("source", good, verdicts))
    size = sum(len(case.rewrite.before) for case in good)
    print(
        f"\n{len(good) / seconds:,.0f} rewrites/s of {size / len(good):,.0f} characters on average"
    )
    refused = [pair for pair in zip(good, verdicts, strict=True) if not pair[1].accepted]
    for case, verdict in refused[: options.refused]:
        print(f"  {case.source}: {verdict.reason}: {verdict.sentence}")
    accepted = [case for case, verdict in zip(good, verdicts, strict=True) if verdict.accepted]
    bad = list(faulty([case for case in accepted if not case.source.endswith("names read")]))
    print_table("planted faults", "recall", by("fault", bad, verdicts_of(bad)))


if __name__ == "__main__":
    main()
