"""Rows with known effects of gender on their labels, to see what an audit tells of them.

Activities predict the label. Names and pronouns are drawn beside them: independently of both, or
together with the activities, or with the label. Some rows may be about nobody.
"""

import math
from typing import NamedTuple

import numpy as np
from datasets import Dataset

from fair_datasets.auditing import Audit, audit
from fair_datasets.auditing.findings import RATIOS
from fair_datasets.lexicons import load_lexicon
from fair_datasets.reader.english.lists import words
from fair_datasets.swap.placebos import listed_words

LISTED = listed_words(load_lexicon("gender"))
_FUNCTION = sorted(words("mostly_function_words") - LISTED)
_NOUNS = sorted(words("mostly_nouns") - LISTED - words("person_nouns"))
_MEN = ("John", "Peter", "Robert", "Paul", "Kevin", "Brian", "Steven", "Scott")
_WOMEN = ("Mary", "Linda", "Susan", "Karen", "Nancy", "Helen", "Laura", "Sarah")
_OPENINGS = (("He said that", "She said that"), ("Yesterday he left his", "Yesterday she left her"))
_NOBODY = "The report said that"
_SLOPE = 1.2
"""How far an activity moves the log odds of the label."""


class Planted(NamedTuple):
    """How genders are drawn beside the labels, which depend on the activities alone.

    Attributes:
        odds_ratio: The odds of the label of women by those of men.
        confounding: How far an activity moves the log odds of being a woman; 0: not at all.
        nobody: The share of rows that are about nobody, whatever their label.
    """

    odds_ratio: float = 1.0
    confounding: float = 0.0
    nobody: float = 0.0


NOTHING = Planted()


def rows_of(size: int, seed: int, planted: Planted = NOTHING) -> Dataset:
    """Draw rows.

    Args:
        size: How many, N.
        seed: The seed.
        planted: The effects.

    Returns:
        Rows with the columns `text`, `label` and `about`: man, woman or nobody.
    """
    draw = np.random.default_rng([size, seed])
    activities = draw.permutation(_NOUNS)[:40]
    signs = np.where(np.arange(40) < 20, 1.0, -1.0)
    own = draw.integers(40, size=size)
    labels = draw.random(size) < _logistic(_SLOPE * signs[own])
    effect = math.log(planted.odds_ratio) * (labels - 0.5)
    is_woman = draw.random(size) < _logistic(planted.confounding * signs[own] + effect)
    # Of another draw, so that all else is the same whatever their share.
    is_nobody = np.random.default_rng([size, seed, 1]).random(size) < planted.nobody
    about = np.where(is_nobody, "nobody", np.where(is_woman, "woman", "man")).tolist()
    nouns, functions = draw.permutation(_NOUNS)[:1500], draw.permutation(_FUNCTION)
    texts = []
    for activity, woman, who in zip(own.tolist(), is_woman.tolist(), about, strict=True):
        if draw.random() < 0.5:
            opening = f"{draw.choice(_WOMEN if woman else _MEN)} said that"
        else:
            opening = _OPENINGS[draw.integers(2)][woman]
        opening = _NOBODY if who == "nobody" else opening
        said = [activities[activity], *_often(draw, nouns, 5), *_often(draw, functions, 9)]
        texts.append(f"{opening} {' '.join(draw.permutation(said))}.")
    columns = {"text": texts, "label": labels.astype(int).tolist(), "about": about}
    return Dataset.from_dict(columns)


def audited(size: int, seed: int, planted: Planted = NOTHING) -> Audit:
    """Audit such rows.

    Args:
        size: How many.
        seed: The seed of the rows and of the audit.
        planted: The effects.

    Returns:
        The audit.
    """
    return audit(rows_of(size, seed, planted), "text", label="label", samples=0, seed=seed)


def colours_of(found: Audit) -> dict[str, set[str]]:
    """Return what an audit tells of an effect of gender.

    Args:
        found: The audit.

    Returns:
        `labels` and `probe` to the severities of the findings about them.
    """
    told: dict[str, set[str]] = {"labels": set(), "probe": set()}
    for finding in found.findings:
        measures = {figure.measure for figure in finding.figures if figure.axis == "gender"}
        if measures & {*RATIOS, "pmi"}:
            told["labels"].add(finding.severity)
        elif any(name.endswith("_excess") or name == "score_shift" for name in measures):
            told["probe"].add(finding.severity)
    return told


def _logistic(values: np.ndarray) -> np.ndarray:
    """Return the probabilities of log odds."""
    return np.asarray(1 / (1 + np.exp(-values)))


def _often(draw: np.random.Generator, listed: np.ndarray, count: int) -> list[str]:
    """Draw words, some of which are far more frequent than others."""
    places = (len(listed) * draw.random(count) ** 2.5).astype(int)
    return [str(word) for word in listed[places]]
