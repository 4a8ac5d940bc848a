"""What stands around words, as numbers: the features of the classifier.

A feature joins some of what is known of the words and signs around a word, see `sides`; its key is
a number of 64 bits mixed from theirs.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fair_datasets.english.classifier.sides import Side, Sides, is_role
from fair_datasets.english.classifier.values import Listed
from fair_datasets.matching.conditions import Candidates
from fair_datasets.matching.vocabulary import Hashes
from fair_datasets.matching.words import Mask

BEFORE, AFTER = 2, 5
"""How many words and punctuation marks are read on the left and on the right."""
_MIXER, _SHIFT = np.uint64(0x9E3779B97F4A7C15), np.uint64(23)

# The features: a letter, whether they tell a word that ends in s from others, and what they join:
# the words p before, the nearest first, and n behind; their classes a and b; the last letters of a
# word (-) and its first (+); what a verb before takes (v) and what the word behind may be (k).
_ALL = (
    ("", True, ""), ("a", True, "p1"), ("b", False, "p2"), ("e", False, "n1"), ("f", False, "n2"),
    ("g", False, "n3"), ("h", False, "n4"), ("i", False, "n5"), ("j", False, "n1-"),
    ("k", False, "n2-"), ("l", False, "p1-"), ("M", False, "p1+"), ("N", False, "p1+ b1"),
    ("O", False, "p1+ b1 b2"), ("m", True, "a1"), ("n", False, "a2"), ("o", False, "b1"),
    ("p", False, "b2"), ("q", False, "b3"), ("r", False, "n1 n2"), ("s", True, "p1 n1"),
    ("t", False, "p2 p1"), ("u", False, "n2 n3"), ("v", True, "a1 b1"), ("w", False, "b1 b2"),
    ("x", False, "b2 b3"), ("y", True, "a2 a1"), ("z", False, "b1 b2 b3"), ("A", True, "a1 b1 b2"),
    ("B", True, "a2 a1 b1"), ("C", True, "p1 b1"), ("D", False, "p1 b1 b2"), ("E", True, "a1 n1"),
    ("F", False, "n1 b2"), ("G", False, "n1 b2 b3"), ("H", False, "p2 p1 b1"),
    ("I", False, "a2 a1 b1 b2"), ("J", False, "a1 b1 b2 b3"), ("K", False, "b1 b2 b3 b4"),
)  # fmt: skip
# Of the questions about the case of a pronoun, to which verbs and the words behind say more.
_OF_CASES = (
    ("P", False, "v k"), ("Q", False, "v b1 b2"), ("R", False, "v k b2"), ("S", False, "k b2 b3"),
    ("T", False, "v n1-"), ("U", False, "p1 k"), ("V", False, "a2 v k"), ("W", False, "v k n2"),
)  # fmt: skip
_CASES = ("her", "his")


class Features:
    """Returns the keys of the features of words.

    Args:
        class_of: Returns the class of a word.
        verbs: Letters for what stands behind a verb.
        kinds: Letters for what a word behind a pronoun may be.
    """

    def __init__(
        self, class_of: Callable[[str], str], verbs: Mapping[str, str], kinds: Mapping[str, str]
    ) -> None:
        """Set out to describe words."""
        self._sides = Sides(class_of)
        self._verbs, self._kinds = Listed(verbs), Listed(kinds)

    def keys(self, question: str, found: Candidates) -> Hashes:
        """Return the keys of the features of words.

        Args:
            question: One of the questions.
            found: The words, which are masked.

        Returns:
            The keys. Shape (F, C).
        """
        left, right = self._sides.read(found, BEFORE, AFTER)
        values = {f"p{k + 1}": left.value[k] for k in range(BEFORE)}
        values |= {f"a{k + 1}": left.kind[k] for k in range(BEFORE)}
        values |= {f"n{k + 1}": right.value[k] for k in range(AFTER)}
        values |= {f"b{k + 1}": right.kind[k] for k in range(AFTER)}
        values |= {"n1-": right.last[0], "n2-": right.last[1]}
        values |= {"p1-": left.last[0], "p1+": left.first[0]}
        if question in _CASES:
            values["v"] = _listed(self._verbs, found, left)
            values["k"] = _listed(self._kinds, found, right)
        templates = (*_ALL, *_OF_CASES) if question in _CASES else _ALL
        # All that is seen of a word other than a pronoun: host or hosts.
        ends = found.words.ending(found.places, ("s",)) & ~is_role(found.words, found.places)
        names = tuple(values)
        stacked = np.stack([values[name] for name in names])
        keys = np.empty((len(templates), len(found.places)), np.uint64)
        for group in _groups(templates, names):
            begun = group.begun[:, None] + (group.tells_s[:, None] & ends).astype(np.uint64)
            for joined in group.joined:
                begun = (begun ^ stacked[joined]) * _MIXER
                begun ^= begun >> _SHIFT
            keys[group.rows] = begun
        return keys


class _Group(NamedTuple):
    """Features that join equally many values. T features, each of which joins J.

    Attributes:
        rows: Their numbers. Shape (T,).
        begun: What their keys begin with. Shape (T,).
        tells_s: Whether they tell a word that ends in s from others. Shape (T,).
        joined: The numbers of the values. Shape (J, T).
    """

    rows: NDArray[np.int64]
    begun: Hashes
    tells_s: Mask
    joined: NDArray[np.int64]


@cache
def _groups(templates: tuple[tuple[str, bool, str], ...], names: tuple[str, ...]) -> list[_Group]:
    """Group features by how many values they join, so that those of a group are made at once."""
    several: dict[int, list[int]] = defaultdict(list)
    for row, (_, _, joined) in enumerate(templates):
        several[len(joined.split())].append(row)
    return [
        _Group(
            np.array(rows),
            np.array([_begun(templates[row][0]) for row in rows], np.uint64),
            np.array([templates[row][1] for row in rows]),
            np.array(
                [[names.index(name) for name in templates[row][2].split()] for row in rows],
                np.int64,
            ).T,
        )
        for rows in several.values()
    ]


def _listed(listed: Listed, found: Candidates, side: Side) -> Hashes:
    """Return the letters of the nearest words, or their classes where they have none."""
    letters = listed.of(found.words, side.place[0])
    return np.where((letters > 0) & side.is_plain[0], letters, side.kind[0])


def _begun(letter: str) -> np.uint64:
    """Return what the key of a feature begins with."""
    return np.uint64(2 * (ord(letter) if letter else 1) + 1000)
