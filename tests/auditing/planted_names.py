"""Rows about people of several cultures, with known effects of the culture on labels or scores.

An activity predicts the label. A person's name is drawn from the lists of some cultures, and for
one of them the odds of the label may be others. A classifier whose weights are known gives each
name a weight by chance, as training does, and one culture a weight more.
"""

from functools import cache
from typing import Any

import numpy as np
from datasets import Dataset

from fair_datasets.auditing import Audit, audit
from fair_datasets.auditing.names import CULTURES, GENDERS
from fair_datasets.measures import NameSensitivity, name_sensitivity
from fair_datasets.reader.english.lists import words
from fair_datasets.reader.names.given_names import drawn_names
from fair_datasets.swap import name_versions
from fair_datasets.swap.counterfactual import CounterfactualSwap
from tests.auditing.planted import LISTED

ONE = "Igbo"
"""The culture of which there may be an effect."""
OTHERS = ("Turkish", "Polish", "Russian", "Icelandic", "Zulu", "Yoruba", "Italian", "Indian")
_NOUNS = sorted(words("mostly_nouns") - LISTED - words("person_nouns"))
_SLOPE, _CHANCE = 1.2, 0.4
"""How far an activity, and by chance a name, moves log odds."""


def rows_of(size: int, seed: int, odds_ratio: float = 1.0) -> Dataset:
    """Draw rows with one named person each.

    Args:
        size: How many, N.
        seed: The seed.
        odds_ratio: The odds of the label of the others by those of people of the one culture.

    Returns:
        Rows with the columns `text`, `label` and `culture`.
    """
    draw = np.random.default_rng([size, seed])
    nouns = draw.permutation(_NOUNS)[:400]
    activities, signs = nouns[:40], np.where(np.arange(40) < 20, 1.0, -1.0)
    own, cultures = draw.integers(40, size=size), draw.choice([ONE, *OTHERS], size)
    odds = _SLOPE * signs[own] - np.log(odds_ratio) * (cultures == ONE)
    labels = draw.random(size) < 1 / (1 + np.exp(-odds))
    texts = []
    for activity, culture in zip(own.tolist(), cultures.tolist(), strict=True):
        gender = ("man", "woman")[draw.integers(2)]
        name, others = draw.choice(drawn_names()[culture][gender]), draw.choice(nouns[40:], 8)
        pronoun = {"man": "his", "woman": "her"}[gender]
        texts.append(f"{name} said that {pronoun} {activities[activity]} was {' '.join(others)}.")
    columns = {"text": texts, "label": labels.astype(int).tolist(), "culture": cultures.tolist()}
    return Dataset.from_dict(columns)


def audited(size: int, seed: int, odds_ratio: float = 1.0) -> Audit:
    """Audit such rows, with names varied.

    Args:
        size: How many.
        seed: The seed of the rows and of the audit.
        odds_ratio: See `rows_of`.

    Returns:
        The audit.
    """
    rows = rows_of(size, seed, odds_ratio)
    return audit(rows, "text", label="label", samples=0, seed=seed, draws=1, name_sensitivity=True)


def told_of(found: Audit) -> set[str]:
    """Return the cultures, or genders, of whose names an audit says in colour that they shift."""
    return {
        each.figures[0].attribute
        for each in found.findings
        if each.severity != "low" and each.figures and each.figures[0].axis in (CULTURES, GENDERS)
    }


def known_classifier(
    size: int, seed: int, effect: float = 0.0, known: float = 1.0
) -> NameSensitivity:
    """Ask a classifier whose weights are known about rows under names of all cultures.

    Args:
        size: How many rows.
        seed: The seed of the rows and the weights.
        effect: The log odds that names of the one culture have more.
        known: The share of names that have a weight by chance; the others have none.

    Returns:
        What is measured.
    """
    draw = np.random.default_rng([size, seed, 1])
    columns = _columns(size)
    names, code = np.unique(columns["names"], return_inverse=True)
    weights = draw.normal(0, _CHANCE, len(names)) * (draw.random(len(names)) < known)
    scores = draw.normal(0, 1.5, size)[columns["rows"]] + weights[code]
    scores += effect * (columns["cultures"] == ONE)
    return name_sensitivity((scores > 0).astype(int), **columns, scores=scores, seed=seed)


@cache
def _columns(size: int) -> dict[str, Any]:
    """Return the versions of some rows of a man or a woman, as columns."""
    texts = [(f"{('John', 'Mary')[row % 2]} ran on day {row}.",) for row in range(size)]
    return name_versions(texts, CounterfactualSwap(columns="text")).columns(texts=False)


def shifting(found: NameSensitivity, level: float = 0.01) -> set[str]:
    """Return the cultures, and the gender, whose names shift scores at a level."""
    several = {**{str(name): each for name, each in found.cultures.items()}, "woman": found.gender}
    return {name for name, each in several.items() if each and (each.p_value or 1) <= level}
