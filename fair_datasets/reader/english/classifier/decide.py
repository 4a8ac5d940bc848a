"""Resolving words by their context with a small log-linear model.

A word whose spelling leaves its part open ("her", "his", the s of "he's", "host") is decided by
what stands around it: the words, their classes and the punctuation on both sides, alone and in
combination. The word itself is masked. The weights are data: `classifier.npz`, made by
`train` and described in `classifier.toml`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from fair_datasets.reader.english.classifier.features import Features
from fair_datasets.reader.matching.conditions import Candidates
from fair_datasets.reader.matching.tokens import Tokens
from fair_datasets.reader.matching.vocabulary import Hashes, vocabulary
from fair_datasets.reader.matching.words import Words

WEIGHTS = Path(__file__).with_name("classifier.npz")

_VOWELS = frozenset("aeiouy")
# Mappings of words that a file holds.
_MAPPINGS = ("classes", "verbs", "kinds")
_MIXER = np.uint64(0xC2B2AE3D27D4EB4F)


@dataclass(frozen=True, eq=False)
class Weights:
    """The whole-numbered weights of the features of a question.

    Attributes:
        keys: The keys of the features, in ascending order. Shape (F,).
        weights: Their weights. Shape (F,).
        scale: What a weight of one adds to the log odds.
    """

    keys: Hashes
    weights: NDArray[np.int8]
    scale: float

    @cached_property
    def _slots(self) -> tuple[np.uint64, Hashes, NDArray[np.int8]]:
        """The weights by their keys: at the slot of a key, or at the next that was free."""
        bits = (4 * len(self.keys)).bit_length()
        shift = np.uint64(64 - bits)
        mixed = self.keys * _MIXER
        order = np.argsort(mixed)
        wanted = (mixed[order] >> shift).astype(np.int64)
        rank = np.arange(len(order))
        # Each key has its slot, or the one behind the key before it; the last slot stays free.
        slots = np.maximum.accumulate(wanted - rank) + rank
        size = max(1 << bits, slots[-1] + 1 if len(slots) else 0)
        keys = np.zeros(size + 1, np.uint64)
        weights = np.zeros(size + 1, np.int8)
        keys[slots], weights[slots] = self.keys[order], self.weights[order]
        return shift, keys, weights

    def sums(self, keys: Hashes) -> NDArray[np.int64]:
        """Add the weights of features.

        Args:
            keys: Their keys. Shape (F, C).

        Returns:
            The sums. Shape (C,).
        """
        shift, known, weights = self._slots
        wanted = keys.ravel()
        slots = (wanted * _MIXER >> shift).astype(np.int64)
        here = known[slots]
        found = np.where(here == wanted, weights[slots], 0)
        asked = np.flatnonzero((here != wanted) & (here != 0))
        while len(asked):
            slots[asked] += 1
            here = known[slots[asked]]
            is_same = here == wanted[asked]
            found[asked] = np.where(is_same, weights[slots[asked]], 0)
            asked = asked[~is_same & (here != 0)]
        sums: NDArray[np.int64] = found.reshape(keys.shape).sum(axis=0, dtype=np.int64)
        return sums


@dataclass(frozen=True)
class Classifier:
    """Weights of features, and the classes of words that the features speak of.

    Attributes:
        classes: The class of a word, or of a suffix (written with a hyphen before it).
        weights: For each question, the weights of its features.
        verbs: Letters for what stands behind a verb, see `grammar`.
        kinds: Letters for what a word behind a pronoun may be.
    """

    classes: Mapping[str, str]
    weights: Mapping[str, Weights]
    verbs: Mapping[str, str] = field(default_factory=dict)
    kinds: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read a model.

        Args:
            path: The file that `save` wrote.
        """
        with np.load(path, allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}

        def lines(name: str) -> list[str]:
            text = bytes(arrays[name]).decode("utf-8")
            return text.split("\n") if text else []

        questions = [name.partition(".")[0] for name in arrays if name.endswith(".scale")]
        weights = {
            question: Weights(
                arrays[f"{question}.keys"],
                arrays[f"{question}.weights"],
                float(arrays[f"{question}.scale"]),
            )
            for question in questions
        }
        classes, verbs, kinds = (
            dict(zip(lines(f"{name}.words"), lines(name), strict=True)) for name in _MAPPINGS
        )
        return cls(classes, weights, verbs, kinds)

    def save(self, path: Path) -> None:
        """Write the model; equal models are equal files."""
        arrays: dict[str, Any] = {}
        for name, mapping in zip(_MAPPINGS, (self.classes, self.verbs, self.kinds), strict=True):
            arrays[f"{name}.words"] = _bytes(mapping)
            arrays[name] = _bytes(mapping.values())
        for question, weights in self.weights.items():
            arrays[f"{question}.keys"] = weights.keys
            arrays[f"{question}.weights"] = weights.weights
            arrays[f"{question}.scale"] = np.array(weights.scale)
        with path.open("wb") as file:
            np.savez_compressed(file, **arrays)

    @cached_property
    def features(self) -> Features:
        """What describes words to this model."""
        return Features(self.class_of, self.verbs, self.kinds)

    def decide(self, question: str, found: Candidates) -> NDArray[np.float64]:
        """Answer a question about words, as the module's `decide` does.

        Returns:
            The log odds of yes. Shape (C,).
        """
        weights = self.weights[question]
        sums = weights.sums(self.features.keys(question, found))
        return sums.astype(np.float64) * weights.scale

    def class_of(self, word: str) -> str:
        """Return the class of a word, or the one that most words with its ending have.

        Returns:
            The class; empty if nothing is known.
        """
        known = self.classes.get
        found = known(word)
        if found is None and word.isalpha():
            if _VOWELS.isdisjoint(word):
                found = known("-")
            elif word[-3:] == word[-1] * 3:  # "lmaooo" is "lmao".
                return self.class_of(word.rstrip(word[-1]) + word[-1])
        if found is None:
            for length in range(min(4, len(word) - 1), 0, -1):
                found = known("-" + word[-length:])
                if found is not None:
                    break
        return found or ""


def decide(question: str, found: Candidates) -> NDArray[np.float64]:
    """Answer a question about words by their context.

    The questions are "her" (is it a determiner, his, and no object, him?), "his" (does it stand
    alone, hers, and is no determiner, her?), "has" (is the s of "he's" has, and not is?) and "verb"
    (is a word such as host a verb, and no noun?).

    Args:
        question: "her", "his", "has" or "verb".

    Returns:
        The log odds of yes: above 0 where yes is more likely. Shape (C,).

    Raises:
        KeyError: There is no such question.

    Example:
        >>> words = Words(["She saw her brother, and he saw her."])
        >>> (decide("her", Candidates(words, np.array([2, 7]))) > 0).tolist()
        [True, False]
    """
    return shipped().decide(question, found)


def decide_one(question: str, tokens: Tokens, index: int) -> float:
    """Answer a question about one word of a text, as `decide` does about many.

    Args:
        question: "her", "his", "has" or "verb".

    Returns:
        The log odds of yes.

    Example:
        >>> from fair_datasets.reader.matching.tokens import tokenize
        >>> decide_one("her", tokenize("She saw her."), 2) > 0
        False
    """
    return float(decide(question, Candidates(Words([tokens.text]), np.array([index])))[0])


def is_noun(word: str) -> bool:
    """Tell whether a word is a noun and nothing else, as far as its class or its ending tells.

    Example:
        >>> is_noun("beer"), is_noun("drink"), is_noun("everywhere")
        (True, False, False)
    """
    return shipped().class_of(word) in ("N", "NS")


@cache
def shipped() -> Classifier:
    """Read the shipped model, once per process."""
    return Classifier.load(WEIGHTS)


# What the model knows of words is looked up by their numbers.
vocabulary().expect(lambda: (word for word in shipped().classes if word[0] != "-"))


def _bytes(lines: Iterable[str]) -> NDArray[np.uint8]:
    """Return lines as bytes, which a NumPy file stores in the fewest."""
    return np.frombuffer("\n".join(lines).encode("utf-8"), dtype=np.uint8)
