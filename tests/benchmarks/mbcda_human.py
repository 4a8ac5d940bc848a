"""How near swaps, repairs and generators come to what people wrote, and rows for a reading."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from datasets import Dataset
from mbcda_data import GROUPS
from mbcda_versions import (
    System,
    generated,
    kept,
    repaired,
    verification_report,
    verified_by_seed,
    word_by_word,
)

from fair_datasets import CounterfactualSwap, evaluate_counterfactuals
from fair_datasets.counterfactual_evaluation import counterfactual_report
from fair_datasets.measures import text_overlap
from fair_datasets.report import markdown_table
from fair_datasets.rewriter_training.parallel import COUNTERFACTUAL

READ_BY_A_PERSON = 50


def print_human(gold: Dataset, system: System, *, classifier: str, causal: str) -> None:
    """Print exact matches, fluency and transfer of each rewriter, and write rows for a reading."""
    versions = versions_of(gold, system)
    rows = []
    for name, lists in versions.items():
        for seed, texts in zip(system.seeds, lists, strict=False):
            which = seed if len(lists) > 1 else "-"
            rows.append({"rewriter": name, "seed": which, **overlap(texts, gold["right"][:])})
    print(f"\n## MT-GenEval dev: {len(gold):,} rewrites by people\n\n{markdown_table(rows)}\n")
    found = evaluate_counterfactuals(
        gold, {**versions, "human": gold["right"][:]}, causal=causal, classifier=classifier,
        classes=GROUPS, seeds=list(system.seeds),
    )  # fmt: skip
    title = "MT-GenEval dev: fluency and transfer"
    print(counterfactual_report(found, title=title), flush=True)
    told = verification_report("MT-GenEval dev", _verified(gold, system), system.seeds)
    print(f"\n{told}", flush=True)
    for name in ("swap", "word by word"):
        file = system.out.parent / f"reading-{name.replace(' ', '-')}.md"
        write_reading(file, gold, versions[name][0], versions[f"{name}, repaired"][0])


def versions_of(gold: Dataset, system: System) -> dict[str, list[list[str]]]:
    """Return the rewrites of each rewriter: one list, or one for each seed."""
    texts, out = gold["text"][:], system.out.parent / "human"
    swap = CounterfactualSwap(columns="text", mode="replace", names=False)
    versions = {
        "swap": [swap.apply(gold)["text"][:]],
        "word by word": [[word_by_word(text) for text in texts]],
    }
    for name in list(versions):
        new = versions[name][0]
        mended = kept(
            out / f"{name.replace(' ', '-')}-repaired.json",
            lambda new=new: repaired(texts, new, system),
        )
        versions[f"{name}, repaired"] = [[row[COUNTERFACTUAL] for row in mended]]
    versions["generator"] = []
    for seed in system.seeds:
        model = system.generator("full", seed)
        versions["generator"].append(
            kept(out / f"generated-{seed}.json", lambda model=model: generated(texts, model))
        )
    versions["generator, verified"] = [new for new, _ in _verified(gold, system)]
    return versions


def _verified(gold: Dataset, system: System) -> list[Any]:
    """Return what passes verification, for each seed; people left names as they are."""
    return verified_by_seed(gold["text"][:], system, system.out.parent / "human", names=False)


def overlap(texts: Sequence[str], right: Sequence[str]) -> dict[str, Any]:
    """Return how near texts come to what people wrote."""
    found = text_overlap(list(texts), list(right)).mean
    exact = sum(one == other for one, other in zip(texts, right, strict=True)) / len(right)
    return {"exact": exact, "BLEU": found.bleu, "edit distance": found.levenshtein}


def write_reading(file: Path, gold: Dataset, before: Sequence[str], after: Sequence[str]) -> None:
    """Write rows that the repair changed, for a person to read."""
    changed = [
        {"original": row["text"], "before the repair": one, "repaired": other,
         "written by a person": row["right"]}
        for row, one, other in zip(gold, before, after, strict=True)
        if one != other
    ]  # fmt: skip
    lines = ["# Repaired rows: is each better than before, worse, or the same?\n"]
    step = max(1, len(changed) // READ_BY_A_PERSON)
    for number, texts in enumerate(changed[::step][:READ_BY_A_PERSON], start=1):
        lines += [f"## {number}\n", *(f"- {name}: {text}" for name, text in texts.items()), ""]
    file.write_text("\n".join(lines), encoding="utf-8")
    print(f"The repair changed {len(changed):,} of {len(gold):,} rows; {file} has some to read.")
