"""The corpora of the MBCDA experiment, cut from the shared data so that none is used twice.

A task has a training set whose labels go with gender, as the paper induces it, and a test set of as
many rows of each gender and label. What is left over teaches the models: tweets about one gender
that are in no task, sentences of novels, and, for the classifier that measures, BOLD.
"""

import csv
import gzip
import json
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from datasets import Dataset

from fair_datasets import MentionedAttribute
from fair_datasets.counterfactual_evaluation import CAREERS, PLEASANTNESS, WordAssociation
from fair_datasets.rewriting.sentences import sentence_starts

GROUPS = ["woman", "man"]
# Rows of a woman and label 1, a woman and 0, a man and 1, a man and 0: of these so many train.
TWEETS = (850, 200, 150, 700)
PROFESSIONS = (60, 20, 120, 500)
TESTED = 80
PRONOUNS = {"she": "woman", "her": "woman", "herself": "woman", "hers": "woman",
            "he": "man", "his": "man", "him": "man", "himself": "man"}  # fmt: skip
BOLD = {"American_actresses": "woman", "American_actors": "man"}


@dataclass(frozen=True)
class Task:
    """Rows with a label and a gender, and the words whose association is measured on them.

    Attributes:
        name: What the task is called.
        train: The rows that versions are made of: `text`, `label` and `gender`.
        test: The rows that a classifier is judged on.
        association: The words; None in a smoke run, of which most are missing.
        rest: What is about one gender and in neither: `text` and `gender`.
    """

    name: str
    train: Dataset
    test: Dataset
    association: WordAssociation | None
    rest: Dataset


def tweets(data: Path, *, fast: bool = False) -> Task:
    """Return the tweets that mention one gender: is one sexist (1) or not?"""
    rows = []
    for split in ("train", "valid", "test"):
        name = data / "classification" / f"twitter_sexism_{split}.csv.gz"
        with gzip.open(name, "rt", encoding="utf-8", newline="") as file:
            rows += [{**row, "label": int(row["label"])} for row in csv.DictReader(file)]
    rows = list({row["text"]: row for row in rows}.values())
    found = MentionedAttribute(columns="text").apply(Dataset.from_list(rows))
    gendered = found.filter(lambda row: row["group"] in GROUPS).rename_column("group", "gender")
    words = WordAssociation(words=PLEASANTNESS, min_count=2, epochs=10)
    return _task("tweets", gendered, TWEETS, words, fast)


def professions(data: Path, *, fast: bool = False) -> Task:
    """Return the sentences of BUG: is somebody of a profession that is thought women's (1)?

    A woman in a role that BUG calls stereotypical has a profession thought women's, and so has a
    man in one that it calls the opposite.
    """
    rows = []
    with (data / "classification" / "bug_gold.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            gender, sign = PRONOUNS[row["pronoun"].lower()], int(row["stereotype"])
            if sign:
                label = int((gender == "woman") == (sign > 0))
                rows.append({"text": row["text"], "label": label, "gender": gender})
    rows = list({row["text"]: row for row in rows}.values())
    words = WordAssociation(words=CAREERS, min_count=1, epochs=20)
    return _task("professions", Dataset.from_list(rows), PROFESSIONS, words, fast)


def _task(
    name: str, rows: Dataset, sizes: Sequence[int], words: WordAssociation, fast: bool
) -> Task:
    """Cut rows into the training and test rows of a task."""
    cells = [(gender, label) for gender in GROUPS for label in (1, 0)]
    of: dict[Any, list[int]] = {cell: [] for cell in cells}
    for place, (gender, label) in enumerate(zip(rows["gender"], rows["label"], strict=True)):
        of[gender, label].append(place)
    draws = random.Random(0)
    for places in of.values():
        draws.shuffle(places)
    tested = min(TESTED, min(map(len, of.values())) // 3)
    test = [place for cell in cells for place in of[cell][:tested]]
    kept = {cell: of[cell][tested : tested + size] for cell, size in zip(cells, sizes, strict=True)}
    if fast:
        kept = {cell: places[: max(10, len(places) // 12)] for cell, places in kept.items()}
    train = [place for cell in cells for place in kept[cell]]
    draws.shuffle(train)
    used = {*train, *test}
    rest = [place for place in range(len(rows)) if place not in used]
    return Task(name, rows.select(train), rows.select(test), None if fast else words,
                rows.select(rest).select_columns(["text", "gender"]))  # fmt: skip


def novel_sentences(data: Path, count: int) -> list[str]:
    """Return sentences of novels, of four to thirty words, from all books alike."""
    draws = random.Random(0)
    paragraphs = []
    with gzip.open(data / "text" / "novels.jsonl.gz", "rt", encoding="utf-8") as file:
        paragraphs = [json.loads(line)["text"] for line in file]
    draws.shuffle(paragraphs)
    found: dict[str, None] = {}
    for paragraph in paragraphs:
        text = " ".join(paragraph.split())
        starts = sentence_starts(text)
        for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
            sentence = text[start:end].strip()
            if 4 <= len(sentence.split()) <= 30:
                found[sentence] = None
        if len(found) >= count:
            break
    return list(found)[:count]


def neutral_tweets(data: Path) -> list[str]:
    """Return the tweets that are in no task, as they mention nobody by gender."""
    rows = []
    for split in ("train", "valid", "test"):
        name = data / "classification" / f"twitter_sexism_{split}.csv.gz"
        with gzip.open(name, "rt", encoding="utf-8", newline="") as file:
            rows += [row["text"] for row in csv.DictReader(file)]
    found = Dataset.from_dict({"text": list(dict.fromkeys(rows))})
    found = MentionedAttribute(columns="text").apply(found)
    return [row["text"] for row in found if row["group"] is None]


def of_one_gender(texts: Sequence[str]) -> Dataset:
    """Return those of some texts that mention one gender: `text` and `gender`."""
    found = MentionedAttribute(columns="text").apply(Dataset.from_dict({"text": list(texts)}))
    return found.filter(lambda row: row["group"] in GROUPS).rename_column("group", "gender")


def actors(data: Path) -> Dataset:
    """Return the sentences of BOLD about actresses and actors: `text` and `gender`."""
    name = data / "classification" / "bold_wikipedia_gender_race.csv.gz"
    with gzip.open(name, "rt", encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["group"] in BOLD]
    return Dataset.from_dict(
        {"text": [row["text"] for row in rows], "gender": [BOLD[row["group"]] for row in rows]}
    )


def human_pairs(data: Path, rows: int | None = None) -> Dataset:
    """Return the sentences of MT-GenEval all of whose gendered words change, in both directions."""
    with (data / "pairs" / "gender_swap_mtgeneval_dev.jsonl").open(encoding="utf-8") as file:
        records = [record for record in map(json.loads, file) if record["scope"] == "all"]
    sides = (("masculine", "feminine", "man"), ("feminine", "masculine", "woman"))
    return Dataset.from_list(
        [
            {"text": record[own], "right": record[other], "gender": gender}
            for record in records[:rows]
            for own, other, gender in sides
        ]
    )
