"""Counts how often the rules about English words are right, for `english/reliability.tsv`.

    python tests/benchmarks/reliability.py [--data DIR] [--write]

Counted are the decisions of `judged` in rows of even numbers; those of odd numbers are held back.
How sure the model is of "her" and "his" is a logistic curve of its log odds (Platt 1999,
"Probabilistic Outputs for Support Vector Machines"), fitted to half of the texts that it was not
trained on. The rows of the table whose source is "read" were counted by reading rewritten rows,
and stay as they are.
"""

import csv
import hashlib
import re
import zlib
from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
from corpora import parser_of
from judged import judged
from numpy.typing import NDArray

from fair_datasets.reader.english.classifier.decide import Classifier, shipped
from fair_datasets.reader.english.classifier.grammar import read_texts, read_treebank
from fair_datasets.reader.english.classifier.train import (
    batches,
    spelled_examples,
    treebank_examples,
)
from fair_datasets.reader.english.questions import RELIABILITY
from fair_datasets.reader.matching.mentions import OF_ROW

MODELS = {f"model.{question}": question for question in ("her", "his")}
_COLUMNS = ("axis", "rule", "detail", "verdict", "right", "seen", "source")
_READ = "read"
_SOURCES = {"tweets": "tweets", "EWT dev": "EWT", "pairs": "MT-GenEval"}


def counted(data: Path) -> list[list[str]]:
    """Count the decisions that are not held back, by kind and source."""
    counts: dict[tuple[str, ...], list[int]] = defaultdict(lambda: [0, 0])
    for each in judged(data):
        axis, rule, detail, is_read = each.decision
        is_of_word = rule not in MODELS and not rule.startswith(OF_ROW)
        if is_of_word and not each.is_held_back:
            verdict = "read" if is_read else "left"
            found = counts[axis, rule, detail, verdict, _SOURCES[each.source]]
            found[0] += each.is_right
            found[1] += 1
    return [[*kind[:-1], str(right), str(seen), kind[-1]] for kind, (right, seen) in counts.items()]


def margins(data: Path, question: str, half: int) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return how sure the model is of texts that it was not trained on, and whether it is right."""
    model = shipped()
    found = list(_batches(data, question, half, model))
    return np.concatenate([each for each, _ in found]), np.concatenate([each for _, each in found])


def _batches(
    data: Path, question: str, half: int, model: Classifier
) -> Iterator[tuple[NDArray[np.float64], NDArray[np.bool_]]]:
    examples = [
        (sentence.tokens, example)
        for number, sentence in enumerate(read_treebank(data / "tagged" / "ud_ewt_dev.conllu.gz"))
        if number % 2 == half
        for example in treebank_examples(question, sentence)
        if example.weight == 1
    ]
    examples += [
        (text.tokens, example)
        for text in read_texts(data)
        if text.is_held_out and zlib.crc32(text.tokens.text.encode()) % 2 == half
        for example in spelled_examples(question, text.tokens, model)
        if example.weight == 1
    ]
    for candidates, answers, _ in batches(question, examples, model):
        odds = model.decide(question, candidates)
        yield np.abs(odds), (odds > 0) == answers


def fitted(margin: NDArray[np.float64], is_right: NDArray[np.bool_]) -> tuple[float, float]:
    """Fit a logistic curve by Newton's method; Platt's targets keep it from certainty."""
    right, wrong = int(is_right.sum()), int((~is_right).sum())
    goal = np.where(is_right, (right + 1) / (right + 2), 1 / (wrong + 2))
    columns, weights = np.column_stack([np.ones_like(margin), margin]), np.zeros(2)
    for _ in range(50):
        share = 1 / (1 + np.exp(-columns @ weights))
        curvature = (columns * (share * (1 - share))[:, None]).T @ columns
        step = np.linalg.solve(curvature, columns.T @ (goal - share))
        weights += step
        if np.abs(step).max() < 1e-9:
            break
    return float(weights[0]), float(weights[1])


def write(rows: list[list[str]], models: dict[str, tuple[float, float]]) -> None:
    """Write the table with the rows that were counted by reading, and state the models."""
    with RELIABILITY.open(encoding="utf-8", newline="") as file:
        kept = [list(row.values()) for row in csv.DictReader(file, delimiter="\t")]
    rows = sorted([*rows, *(row for row in kept if row[-1] == _READ)])
    with RELIABILITY.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, delimiter="\t", lineterminator="\n").writerows([_COLUMNS, *rows])
    path = RELIABILITY.with_suffix(".toml")
    stated = path.read_text(encoding="utf-8")
    for name, (intercept, slope) in models.items():
        line = f'"{name}" = {{ intercept = {intercept:.4f}, slope = {slope:.4f} }}'
        stated = re.sub(rf'^"{re.escape(name)}" = .*$', line, stated, flags=re.M)
    digest = hashlib.sha256(RELIABILITY.read_bytes()).hexdigest()
    stated = re.sub(r'^("reliability.tsv" = ).*$', rf'\1"{digest}"', stated, flags=re.M)
    path.write_text(stated, encoding="utf-8")


def main() -> None:
    """Count, fit, and write or tell."""
    parser = parser_of("Count how often rules are right.")
    parser.add_argument("--write", action="store_true", help="write the table that ships")
    options = parser.parse_args()
    rows = counted(options.data)
    models = {}
    print("| model | log odds from | n | right | said |\n|---|---|---|---|---|")
    for name, question in MODELS.items():
        margin, is_right = margins(options.data, question, 0)
        models[name] = intercept, slope = fitted(margin, is_right)
        margin, is_right = margins(options.data, question, 1)
        said = 1 / (1 + np.exp(-(intercept + slope * margin)))
        edges = [0.0, 0.5, 1, 2, 4, 8, np.inf]
        for begin, end in pairwise(edges):
            held = (margin >= begin) & (margin < end)
            if held.any():
                shares = f"{is_right[held].mean():.3f} | {said[held].mean():.3f}"
                print(f"| {question}, held back | {begin:g} | {held.sum()} | {shares} |")
    print(f"\n{len(rows)} kinds of decisions, {sum(int(row[5]) for row in rows)} decisions")
    if options.write:
        write(rows, models)


if __name__ == "__main__":
    main()
