"""Teaching the model of pronouns: weights that are added to those that ship.

They are fitted to the taught sentences, in which other words of the same classes stand as well,
while what the model says of other sentences stays.
"""

from collections.abc import Iterable, Sequence

import numpy as np

from fair_datasets.reader.english.classifier.decide import Weights
from fair_datasets.reader.english.classifier.decide import shipped as shipped_model
from fair_datasets.reader.english.classifier.train import Vector, fit, in_whole_numbers
from fair_datasets.reader.matching.token_batch import Candidates, Places, TokenBatch
from fair_datasets.reader.matching.vocabulary import hash_of
from fair_datasets.reader.student import Student
from fair_datasets.reader.tags import FIRST_SENSE, Tagged
from fair_datasets.reader.training.rehearsal import (
    ANSWERS,
    MarkedSentences,
    lesson_rows,
    rehearsal_texts,
)

_PENALTY = 3.0


class AsDecided:
    """A student as it is asked in texts, where the model of pronouns tells "her" and "his".

    Args:
        student: The student.
    """

    def __init__(self, student: Student) -> None:
        """Hold the student."""
        self._student = student

    def tags(self, words: TokenBatch, places: Places) -> Tagged:
        """Tag some words of texts, as `Reader.tags` says."""
        tagged = self._student.tags(words, places)
        shares = tagged.probabilities
        for question, (no, yes) in ANSWERS.items():
            own = np.flatnonzero(words.hash[places] == hash_of(question))
            shares[own, :FIRST_SENSE] = 0
            shares[own, yes] = _share(self._student, question, Candidates(words, places[own]))
            shares[own, no] = 1 - shares[own, yes]
        tags = shares[:, :FIRST_SENSE].argmax(axis=1).astype(np.int8)
        return Tagged(places, tags, shares)


def fine_tune_cases(student: Student, taught: MarkedSentences, texts: Iterable[str]) -> Student:
    """Teach a student the cases of pronouns.

    Args:
        taught: Sentences in which pronouns are marked, and nothing else.
        texts: Texts of the user; what their pronouns are read as should stay.

    Returns:
        The student with what is added to the model.
    """
    rows, others = lesson_rows(taught), TokenBatch(rehearsal_texts(taught, texts))
    words = TokenBatch([row.text for row in rows])
    allowed = np.zeros(len(words), np.int64)
    allowed[~words.is_end] = [bits for row in rows for bits in row.allowed]
    weights = {}
    for question, (_, yes) in ANSWERS.items():
        is_own = words.hash == hash_of(question)
        marked = Candidates(words, np.flatnonzero(is_own & (allowed > 0)))
        selected = [
            Candidates(words, np.flatnonzero(is_own & (allowed == 0))),
            Candidates(others, np.flatnonzero(others.hash == hash_of(question))),
        ]
        if len(marked.places):
            shares = [_share(student, question, own) for own in selected]
            shares.insert(0, (allowed[marked.places] == 1 << yes).astype(np.float64))
            weights[question] = _taught(student, question, [marked, *selected], shares)
    return student.with_taught(weights)


def _taught(
    student: Student, question: str, several: Sequence[Candidates], shares: Sequence[Vector]
) -> Weights:
    """Fit what is added to the model, so that it says yes with some probabilities."""
    from scipy.sparse import csr_matrix, vstack

    features = shipped_model().features
    keys = np.concatenate([features.keys(question, own) for own in several], axis=1)
    offsets = np.concatenate([_log_odds(student, question, own) for own in several])
    yes = np.concatenate(shares)
    distinct, columns = np.unique(keys.T, return_inverse=True)
    ends = np.arange(len(yes) + 1) * len(keys)
    rows = csr_matrix((np.ones(columns.size), columns.ravel(), ends))
    # Each stands there twice, as a yes and as a no, of which each counts as much as it is likely.
    signs, counts = np.repeat([1.0, -1.0], len(yes)), np.concatenate([yes, 1 - yes])
    added = fit(vstack([rows, rows], "csr"), signs, counts, _PENALTY, np.tile(offsets, 2))
    before = student.taught.get(question)
    if before is None:
        return in_whole_numbers(distinct, added)
    both = np.union1d(distinct, before.keys)
    sums = np.zeros(len(both))
    sums[both.searchsorted(distinct)] = added
    sums[both.searchsorted(before.keys)] += before.weights * before.scale
    return in_whole_numbers(both, sums)


def _share(student: Student, question: str, candidates: Candidates) -> Vector:
    """Return the probability of yes. Shape (C,)."""
    share: Vector = 1 / (1 + np.exp(-_log_odds(student, question, candidates)))
    return share


def _log_odds(student: Student, question: str, candidates: Candidates) -> Vector:
    """Return what the model says of pronouns, with what the student was taught. Shape (C,)."""
    odds: Vector = shipped_model().decide(question, candidates) + student.moved(
        question, candidates
    )
    return odds
