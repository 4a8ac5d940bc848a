"""How good the rewrites of a model are, beside copying, the swap and the swap without names.

    python tests/benchmarks/rewriting.py --model ID [--revision REV] [--control FORMAT] [--rows N]
        [--language-model ID] [--data DIR]

Two sets of sentences whose right rewrite is known: those of MT-GenEval (dev) that two people wrote
in both genders, in both directions, and sentences about two people made by templates, of which the
first is asked for. On each, for every rewrite:

- BLEU, ROUGE-2 and the edit distance in words to what is right, and how many are exactly that;
- transfer accuracy: how many a classifier reads as the other gender, a logistic regression over the
  words of the actors and actresses of BOLD (its own error on the originals is printed);
- the perplexity of the rewrites by a causal language model, where one is given;
- how many rows fell back from the model, and why; and rows per second of processor time.

The swaps rewrite everybody to the target, whoever a word is about. `model, unverified` is what the
model writes for the first person of a sentence; `model` is what `ModelRewrite` gives, which falls
back to the swap of that person's gender.
"""

import argparse
import csv
import gzip
import json
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from datasets import Dataset
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline, make_pipeline

from fair_datasets import ModelRewrite
from fair_datasets.cards.report import text_table
from fair_datasets.measures import perplexity, text_overlap, transfer_accuracy
from fair_datasets.rewriters import two_person_perturbations
from fair_datasets.rewriters.perturber.data import swapped
from fair_datasets.scores.likelihoods import causal_losses

Rewrite = Callable[[Dataset], Mapping[str, Any]]
GENDERS = {"masculine": "man", "feminine": "woman"}
GROUPS = {"American_actors": "man", "American_actresses": "woman"}


def mtgeneval(data: Path, rows: int | None) -> Dataset:
    """Return the sentences all of whose gendered words change, in both directions."""
    with (data / "pairs" / "gender_swap_mtgeneval_dev.jsonl").open(encoding="utf-8") as file:
        records = [record for record in map(json.loads, file) if record["scope"] == "all"]
    pairs = [
        {
            "original": record[own],
            "perturbed": record[other],
            "source_attribute": GENDERS[own],
            "target_attribute": GENDERS[other],
        }
        for record in records[:rows]
        for own, other in (("masculine", "feminine"), ("feminine", "masculine"))
    ]
    return Dataset.from_list(pairs)


def two_people(rows: int | None) -> Dataset:
    """Return sentences about two people of whom the first is asked for."""
    other = {"man": "woman", "woman": "man"}
    made = two_person_perturbations(4 * (rows or 250), seed=1000)
    first = made.filter(lambda row: row["original"].split()[1] == row["selected_word"])
    first = first.select(range(min(len(first), rows or len(first))))
    return first.map(lambda row: {"source_attribute": other[row["target_attribute"]]})


def gender_classifier(data: Path) -> Pipeline:
    """Train a classifier of gender on sentences about actors and actresses."""
    name = data / "classification" / "bold_wikipedia_gender_race.csv.gz"
    with gzip.open(name, "rt", encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["group"] in GROUPS]
    model = make_pipeline(CountVectorizer(binary=True), LogisticRegression(max_iter=1000))
    return model.fit([row["text"] for row in rows], [GROUPS[row["group"]] for row in rows])


def rewriters(arguments: argparse.Namespace) -> dict[str, Rewrite]:
    """Return what rewrites rows, by its name."""
    found: dict[str, Rewrite] = {
        "copying": lambda rows: {"original": rows["original"][:]},
        "swap": lambda rows: {"original": swapped(rows)},
        "swap without names": lambda rows: {"original": swapped(rows, names=False)},
    }
    if arguments.model is not None:
        settings: dict[str, Any] = {
            "columns": "original", "model": str(arguments.model), "mode": "replace",
            "revision": arguments.revision, "control": arguments.control,
        }  # fmt: skip
        unverified = ModelRewrite(**settings, verified=False, fallback="original")
        found["model, unverified"] = lambda rows: unverified(rows[:])
        verified = ModelRewrite(**settings)
        found["model"] = lambda rows: verified(rows[:])
    return found


def same_gender(classifier: Pipeline, texts: Sequence[str], sources: Sequence[str]) -> list[float]:
    """Return the probability of the original gender of each text."""
    classes = list(classifier.classes_)
    table = classifier.predict_proba(list(texts))
    return [float(row[classes.index(own)]) for row, own in zip(table, sources, strict=True)]


def measured(
    name: str,
    rewrite: Rewrite,
    rows: Dataset,
    classifier: Pipeline,
    language: str | None,
) -> tuple[dict[str, Any], Counter[str]]:
    """Rewrite rows, and measure what came of it; and count why rows fell back."""
    rewrite(rows.select([0, len(rows) - 1]))  # loads what it takes
    start = time.process_time()
    found = rewrite(rows)
    seconds = time.process_time() - start
    texts, right = found["original"], rows["perturbed"][:]
    overlap = text_overlap(texts, right).mean
    before = same_gender(classifier, rows["original"][:], rows["source_attribute"][:])
    after = same_gender(classifier, texts, rows["source_attribute"][:])
    moved = transfer_accuracy(after, before)
    statuses = found.get("rewrite_status", [])
    fallen = [status not in (None, "model") for status in statuses]
    faults = found.get("rewrite_fault", [])
    row = {
        "rewrite": name, "bleu": overlap.bleu, "rouge2": overlap.rouge2,
        "levenshtein": overlap.levenshtein,
        "exact": sum(map(str.__eq__, texts, right)) / len(right),
        "transfer accuracy": moved.transfer_accuracy,
        "of originals": moved.base_rate,
        "fell back": sum(fallen) / len(fallen) if fallen else 0.0,
        "rows/s": round(len(rows) / seconds, 1),
    }  # fmt: skip
    if language is not None:
        (losses,) = causal_losses({"rewrites": texts}, language)
        row["perplexity"] = perplexity(losses).perplexity
    return row, Counter(str(fault) for fault, is_one in zip(faults, fallen, strict=True) if is_one)


def quality(arguments: argparse.Namespace) -> None:
    """Print a table for each set of sentences."""
    classifier = gender_classifier(arguments.data)
    if arguments.language_model is None:
        print("Perplexity is skipped: no causal language model was given (--language-model ID).")
    sets = {
        "MT-GenEval dev, both directions": mtgeneval(arguments.data, arguments.rows),
        "two people, of whom the first is asked for": two_people(arguments.rows),
    }
    for title, rows in sets.items():
        print(f"\n{title}: {len(rows):,} rows\n")
        found = [
            measured(name, rewrite, rows, classifier, arguments.language_model)
            for name, rewrite in rewriters(arguments).items()
        ]
        print(text_table([row for row, _ in found]))
        for row, faults in found:
            if faults:
                told = ", ".join(f"{fault} {count}" for fault, count in faults.most_common())
                print(f"\n{row['rewrite']} fell back: {told}")
