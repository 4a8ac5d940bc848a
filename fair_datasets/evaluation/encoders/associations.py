"""Association tests of sentences (SEAT) on one encoder, corrected for their number."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from fair_datasets.evaluation.encoders.encoders import Encoder
from fair_datasets.measures import inputs
from fair_datasets.measures.controls import holm
from fair_datasets.measures.weat import SETS, seat_sentences, weat, weat_test, weat_tests
from fair_datasets.system.checks import InputError, one_of

RETENTION_TESTS = ("C1", "C2")
"""Flowers and insects, instruments and weapons: what a correction of gender should leave there."""

GENDER_TESTS = ("C6", "C6b", "C7", "C7b", "C8", "C8b")
"""Career and family, mathematics and art, science and art, each with names and with terms."""

SENTENCE_TESTS = RETENTION_TESTS + GENDER_TESTS

GENDER_MEAN = "gender mean"
"""What the signed mean of the effect sizes of the gender tests is called."""

Sentences = Mapping[str, Sequence[str]]


def checked_tests(given: Any, *, owner: str) -> dict[str, Sentences | None]:
    """Return the tests by name, each with its sentences where the user gave some.

    Args:
        given: Names of published tests, or a mapping of names to sentences as
            `load_seat_sentences` reads them.

    Returns:
        Name to sentences; None for those of this package.
    """
    if isinstance(given, Mapping):
        for name, sentences in given.items():
            if sentences is None:
                one_of(name, weat_tests(), owner=owner, parameter="tests")
            else:
                _check_sentences(name, sentences, owner)
        return dict(given)
    names = (given,) if isinstance(given, str) else tuple(given)
    for name in names:
        one_of(name, weat_tests(), owner=owner, parameter="tests")
    return dict.fromkeys(names)


def association_rows(
    encoder: Encoder, tests: Mapping[str, Sentences | None], *, n_samples: int, seed: int
) -> list[dict[str, Any]]:
    """Run the association tests on an encoder.

    Words that it lacks are left out with their sentences; a test of which a set then has fewer
    than two words falls out. The p-values are adjusted over the tests of this encoder.
    """
    chosen = {name: _chosen(encoder, name, sentences) for name, sentences in tests.items()}
    texts = [text for row, sentences in chosen.values() if sentences for text in sentences["texts"]]
    vectors = dict(zip(texts, encoder.vectors(texts), strict=True)) if texts else {}
    rows = []
    for row, sentences in chosen.values():
        if sentences:
            sets: dict[str, list[Any]] = {letter: [] for letter in SETS}
            for text, letter in zip(sentences["texts"], sentences["sets"], strict=True):
                sets[letter].append(vectors[text])
            row |= {"size": len(sentences["texts"]), **_tested(sets, n_samples, seed)}
        rows.append(row)
    found = [row for row in rows if row["value"] is not None]
    for row, adjusted in zip(found, holm([row["p_value"] for row in found]), strict=True):
        row["p_holm"] = float(adjusted)
    return rows + gender_mean(rows)


def _chosen(
    encoder: Encoder, name: str, given: Sentences | None
) -> tuple[dict[str, Any], Sentences | None]:
    """Return the row of a test before it has a value, and its sentences unless it falls out."""
    row: dict[str, Any] = {"test": name, "kind": "association", "measure": "effect size",
                           "value": None, "left_out": []}  # fmt: skip
    if given is not None:
        return row, given
    words = weat_test(name)
    row["left_out"] = [word for word in words.words() if encoder.lacks(word)]
    for letter in SETS:
        members = getattr(words, letter)
        known = [word for word in members if word not in row["left_out"]]
        if len(known) < 2:
            row["reason"] = (
                f"the encoder has vectors for {len(known)} of the {len(members)} words of set "
                f"{letter}, but two are needed"
            )
            return row, None
    return row, seat_sentences(name, without=row["left_out"])


def _tested(sets: Mapping[str, Sequence[Any]], n_samples: int, seed: int) -> dict[str, Any]:
    """Return what a test finds, or why it is not defined for these vectors."""
    try:
        found = weat(
            *(np.array(sets[letter]) for letter in SETS),
            n_samples=n_samples,
            seed=seed,
            undefined="raise",
        )
    except InputError as error:
        # A vector of zeros, or one association for all targets: the other tests may be defined.
        return {"reason": str(error).removeprefix("weat: ").rstrip(".")}
    return {"value": found.effect_size, "p_value": found.p_value}


def gender_mean(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the row of the signed mean over the gender tests.

    Returns:
        One row, without a value where a gender test has none; no row where none is among them.

    Example:
        >>> gender_mean([{"test": "C6", "value": 1.0}, {"test": "C7", "value": -0.5}])[0]["value"]
        0.25

    Source:
        Dolci, Azzalini and Tanelli: their average effect size.
    """
    among = [row for row in rows if row["test"] in GENDER_TESTS]
    if not among:
        return []
    lost = [row["test"] for row in among if row["value"] is None]
    mean: dict[str, Any] = {"test": GENDER_MEAN, "kind": "association", "measure": "effect size"}
    if lost:
        # A mean over other tests is not to be compared with that of another encoder.
        return [{**mean, "value": None, "reason": f"{', '.join(lost)} fell out"}]
    return [{**mean, "value": float(np.mean([row["value"] for row in among]))}]


def _check_sentences(name: str, sentences: Any, owner: str) -> None:
    """Raise unless sentences are given as `load_seat_sentences` reads them."""
    owner = f"{owner}, test {name!r}"
    if not isinstance(sentences, Mapping) or not {"texts", "sets"} <= sentences.keys():
        raise InputError(
            f"{owner}: its sentences must be a mapping with 'texts' and 'sets', as "
            f"load_seat_sentences reads them, but they are a {type(sentences).__name__}."
        )
    texts = inputs.texts(sentences["texts"], "texts", owner=owner)
    sets = inputs.texts(sentences["sets"], "sets", owner=owner)
    inputs.same_length({"texts": texts, "sets": sets}, owner=owner)
    for letter in (*SETS, *sets):
        one_of(letter, SETS, owner=owner, parameter="sets")
        if letter not in sets:
            raise InputError(f"{owner}: there is no sentence of set {letter}; give some.")
