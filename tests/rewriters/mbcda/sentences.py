"""Sentences about one person, of either gender, and about nobody."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from datasets import Dataset

from fair_datasets.rewriters.training.parallel import ATTRIBUTE, COUNTERFACTUAL, TEXT

PEOPLE = [
    ("waiter", "waitress"), ("king", "queen"), ("uncle", "aunt"), ("father", "mother"),
    ("brother", "sister"), ("son", "daughter"), ("host", "hostess"), ("actor", "actress"),
]  # fmt: skip
PRONOUNS = [
    {"he": "he", "his": "his", "him": "him", "self": "himself"},
    {"he": "she", "his": "her", "him": "her", "self": "herself"},
]
FRAMES = [
    "The {x} lost {his} {thing} and {he} was {state}.",
    "The {x} said that {he} sold {his} {thing}.",
    "{state} as {he} was, the {x} took the {thing} with {him}.",
    "The {x} hurt {self} when {he} painted the {thing}.",
    "The {x} looked {state} and saw {self} {place}.",
    "They met the {x} {place} and {he} was {state}.",
]
NEUTRAL = ["The {thing} was {state} {place}.", "They sold the {thing} {place}."]
SLOTS = {
    "thing": ["bag", "bike", "boat", "clock", "house", "phone"],
    "state": ["angry", "calm", "happy", "hungry", "late", "proud"],
    "place": ["at home", "at work", "in the garden", "in the kitchen", "in the street"],
}


class Sentence(NamedTuple):
    """A sentence about one person, and the same about somebody of the other gender.

    Attributes:
        text: The sentence.
        other: The other; the same where nobody is mentioned.
        gender: 0 for a man, 1 for a woman; None for nobody.
        unseen: Whether its frame and its noun stand together in no sentence that is trained on.
    """

    text: str
    other: str
    gender: int | None
    unseen: bool


def sentences(size: int, *, neutral: float = 0.0, seed: int = 0) -> list[Sentence]:
    """Make sentences; no text comes twice."""
    draws = np.random.default_rng(seed)
    found: dict[str, Sentence] = {}
    while len(found) < size:
        slots = {name: str(draws.choice(each)) for name, each in SLOTS.items()}
        person, frame, gender = (int(draws.integers(n)) for n in (len(PEOPLE), len(FRAMES), 2))
        if draws.random() < neutral:
            text = NEUTRAL[int(draws.integers(len(NEUTRAL)))].format(**slots)
            found.setdefault(text, Sentence(text, text, None, False))
            continue
        both = [
            FRAMES[frame].format(x=PEOPLE[person][one], **PRONOUNS[one], **slots) for one in (0, 1)
        ]
        text, other = (both[one][0].upper() + both[one][1:] for one in (gender, 1 - gender))
        found.setdefault(text, Sentence(text, other, gender, (person + frame) % 6 == 0))
    return list(found.values())


def as_rows(given: Sequence[Sentence]) -> Dataset:
    """Return sentences as rows with a column of genders."""
    genders = [None if each.gender is None else ("man", "woman")[each.gender] for each in given]
    return Dataset.from_dict({"text": [each.text for each in given], "gender": genders})


def flipped(text: str, gender: int) -> bool:
    """Whether all pronouns of a text are of the other gender."""
    words = set(text.lower().replace(".", " ").replace(",", " ").split())
    own, other = ({*PRONOUNS[one].values()} for one in (gender, 1 - gender))
    return bool(words & other) and not words & own


def numbered(given: Sequence[Sentence], others: Sequence[str] | None = None) -> Dataset:
    """Return sentences as the rows that trainings take, with counterfactuals if there are."""
    rows = {TEXT: [each.text for each in given], ATTRIBUTE: [each.gender for each in given]}
    return Dataset.from_dict(rows | ({} if others is None else {COUNTERFACTUAL: list(others)}))
