"""Resolving words by their context with a small log-linear model.

A word whose spelling leaves its part open ("her", "his", the s of "he's", "host") is decided by
what stands around it: the words, their classes and the punctuation on both sides, alone and in
combination. The word itself is masked. The weights are data: `classifier.npz`, made by
`train` and described in `classifier.toml`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from fair_datasets.matching.classifier.signs import APOSTROPHES, END, sign_of
from fair_datasets.matching.tokens import Tokens

WEIGHTS = Path(__file__).with_name("classifier.npz")

# How many words and punctuation marks are read on the left and on the right.
BEFORE, AFTER = 2, 5

# The questions about the case of a pronoun, to which verbs and the words behind say more.
_CASES = ("her", "his")

_PADDING = ("_",) * max(BEFORE, AFTER)

# Pronouns as subject, object, determiner, possessive and reflexive.
PERSONS = (
    ("he", "him", "his", "his", "himself"),
    ("she", "her", "her", "hers", "herself"),
    ("i", "me", "my", "mine", "myself"),
    ("we", "us", "our", "ours", "ourselves"),
    ("they", "them", "their", "theirs", "themselves"),
    ("you", "you", "your", "yours", "yourself"),
    ("it", "it", "its", "its", "itself"),
)
# Around a pronoun, pronouns read as the same person or as another: "she lost her keys" and "he lost
# his keys" are the same context, so that either teaches both.
_SAME = ("=he", "=him", "=him", "=him", "=himself")
_OTHER = {
    **dict.fromkeys(("he", "she"), "~he"),
    **dict.fromkeys(("himself", "herself"), "~himself"),
    **dict.fromkeys(("hers", "mine", "ours", "theirs", "yours"), "~hers"),
    **dict.fromkeys(("my", "our", "their", "your"), "~my"),
}
_ROLES = {
    word: _OTHER | dict(zip(forms, _SAME, strict=True)) for forms in PERSONS for word in forms
}
_NO_ROLES: Mapping[str, str] = {}

_VOWELS = frozenset("aeiouy")
# Mappings of words that a file holds.
_MAPPINGS = ("classes", "verbs", "kinds")


@dataclass(frozen=True, slots=True)
class Classifier:
    """Weights of features, and the classes of words that the features speak of.

    Attributes:
        classes: The class of a word, or of a suffix (written with a hyphen before it).
        weights: For each question, the whole-numbered weights of its features.
        scales: For each question, what a weight of one adds to the log odds.
        verbs: Letters for what stands behind a verb, see `grammar`.
        kinds: Letters for what a word behind a pronoun may be.
    """

    classes: Mapping[str, str]
    weights: Mapping[str, Mapping[str, int]]
    scales: Mapping[str, float]
    verbs: Mapping[str, str] = field(default_factory=dict)
    kinds: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read a model.

        Args:
            path: The file that `save` wrote.

        Returns:
            The model.
        """
        with np.load(path, allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}

        def lines(name: str) -> list[str]:
            text = bytes(arrays[name]).decode("utf-8")
            return text.split("\n") if text else []

        weights = {}
        questions = [name.partition(".")[0] for name in arrays if name.endswith(".scale")]
        for question in questions:
            numbers = arrays[f"{question}.weights"].tolist()
            weights[question] = dict(zip(lines(f"{question}.features"), numbers, strict=True))
        scales = {question: float(arrays[f"{question}.scale"]) for question in questions}
        classes, verbs, kinds = (
            dict(zip(lines(f"{name}.words"), lines(name), strict=True)) for name in _MAPPINGS
        )
        return cls(classes, weights, scales, verbs, kinds)

    def save(self, path: Path) -> None:
        """Write the model; equal models are equal files.

        Args:
            path: The file to write.
        """
        arrays: dict[str, Any] = {}
        for name, mapping in zip(_MAPPINGS, (self.classes, self.verbs, self.kinds), strict=True):
            arrays[f"{name}.words"] = _bytes(mapping)
            arrays[name] = _bytes(mapping.values())
        for question, weights in self.weights.items():
            arrays[f"{question}.features"] = _bytes(weights)
            arrays[f"{question}.weights"] = np.array([*weights.values()], dtype=np.int8)
            arrays[f"{question}.scale"] = np.array(self.scales[question])
        with path.open("wb") as file:
            np.savez_compressed(file, **arrays)

    def decide(self, question: str, tokens: Tokens, index: int) -> float:
        """Answer a question about a word, as the module's `decide` does.

        Args:
            question: One of the model's questions.
            tokens: The text.
            index: Which word.

        Returns:
            The log odds of yes.
        """
        weight = self.weights[question].get
        features = self.features(question, tokens, index)
        return self.scales[question] * sum(filter(None, map(weight, features)))

    def features(self, question: str, tokens: Tokens, index: int) -> list[str]:
        """Describe what stands around a word, alone and in combination.

        Args:
            question: One of the questions.
            tokens: The text.
            index: The word, which is masked.

        Returns:
            The names of the features; the empty one is always there.
        """
        (p1, p2), (a1, a2) = self._side(tokens, index, -1, BEFORE)
        (n1, n2, n3, n4, n5), (b1, b2, b3, b4, _) = self._side(tokens, index, 1, AFTER)
        # All that is seen of a word other than a pronoun: host or hosts.
        word = tokens.lower[index]
        s = "$" if word[-1] == "s" and word not in _ROLES else ""
        common = [
            s,
            f"a{s}{p1}",
            f"b{p2}",
            f"e{n1}",
            f"f{n2}",
            f"g{n3}",
            f"h{n4}",
            f"i{n5}",
            f"j{n1[-3:]}",
            f"k{n2[-3:]}",
            f"l{p1[-3:]}",
            f"M{p1[:4]}",
            f"N{p1[:4]} {b1}",
            f"O{p1[:4]} {b1} {b2}",
            f"m{s}{a1}",
            f"n{a2}",
            f"o{b1}",
            f"p{b2}",
            f"q{b3}",
            f"r{n1} {n2}",
            f"s{s}{p1} {n1}",
            f"t{p2} {p1}",
            f"u{n2} {n3}",
            f"v{s}{a1} {b1}",
            f"w{b1} {b2}",
            f"x{b2} {b3}",
            f"y{s}{a2} {a1}",
            f"z{b1} {b2} {b3}",
            f"A{s}{a1} {b1} {b2}",
            f"B{s}{a2} {a1} {b1}",
            f"C{s}{p1} {b1}",
            f"D{p1} {b1} {b2}",
            f"E{s}{a1} {n1}",
            f"F{n1} {b2}",
            f"G{n1} {b2} {b3}",
            f"H{p2} {p1} {b1}",
            f"I{a2} {a1} {b1} {b2}",
            f"J{a1} {b1} {b2} {b3}",
            f"K{b1} {b2} {b3} {b4}",
        ]
        if question not in _CASES:
            return common
        v, k = self.verbs.get(p1, a1), self.kinds.get(n1, b1)
        return [
            *common,
            f"P{v} {k}",
            f"Q{v} {b1} {b2}",
            f"R{v} {k} {b2}",
            f"S{k} {b2} {b3}",
            f"T{v} {n1[-3:]}",
            f"U{p1} {k}",
            f"V{a2} {v} {k}",
            f"W{v} {k} {n2}",
        ]

    def class_of(self, word: str) -> str:
        """Return the class of a word, or the one that most words with its ending have.

        Args:
            word: The word, in lower case.

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

    def _side(
        self, tokens: Tokens, index: int, step: int, size: int
    ) -> tuple[list[str], list[str]]:
        """Return the words and signs on one side, the nearest first, and their classes."""
        lower, known = tokens.lower, self.classes.get
        as_role = _ROLES.get(lower[index], _NO_ROLES)
        # Capitals on the left often open a sentence, and beside a capital they may be a title's.
        reads_case = step > 0 and tokens.word(index).islower()
        end = len(lower) if step > 0 else -1
        gap = tokens.gap(index)
        words: list[str] = []
        classes: list[str] = []
        for position in range(index + step, index + step * (size + 1), step):
            if position == end:
                words.append(END)
                classes.append(END)
                break
            # On the left the gap behind a word is the one before the word that was read last.
            between = gap if step < 0 else tokens.gap(position)
            gap = between if step > 0 else tokens.gap(position)
            sign = sign_of(between) if between != " " else ""
            if sign:
                words.append(sign)
                classes.append(sign)
                if sign == END:
                    break
            word = lower[position]
            if gap in APOSTROPHES:
                word = class_ = "'" + word
            elif word in as_role:
                word = class_ = as_role[word]
            elif reads_case and word != "i" and tokens.word(position).istitle():
                class_ = "P"
            else:
                class_ = known(word) or self.class_of(word)
            words.append(word)
            classes.append(class_)
        words += _PADDING
        classes += _PADDING
        return words[:size], classes[:size]


def decide(question: str, tokens: Tokens, index: int) -> float:
    """Answer a question about a word by its context.

    The questions are "her" (is it a determiner, his, and no object, him?), "his" (does it stand
    alone, hers, and is no determiner, her?), "has" (is the s of "he's" has, and not is?) and "verb"
    (is a word such as host a verb, and no noun?).

    Args:
        question: "her", "his", "has" or "verb".
        tokens: The text.
        index: Which word the question is about.

    Returns:
        The log odds of yes: above 0 where yes is more likely.

    Raises:
        KeyError: There is no such question.

    Example:
        >>> from fair_datasets.matching.tokens import tokenize
        >>> tokens = tokenize("She saw her brother, and he saw her.")
        >>> decide("her", tokens, 2) > 0, decide("her", tokens, 7) > 0
        (True, False)
    """
    return _shipped().decide(question, tokens, index)


def is_noun(word: str) -> bool:
    """Tell whether a word is a noun and nothing else, as far as its class or its ending tells.

    Args:
        word: The word, in lower case.

    Returns:
        Whether it is.

    Example:
        >>> is_noun("beer"), is_noun("drink"), is_noun("everywhere")
        (True, False, False)
    """
    return _shipped().class_of(word) in ("N", "NS")


@cache
def _shipped() -> Classifier:
    """Read the shipped model, once per process."""
    return Classifier.load(WEIGHTS)


def _bytes(lines: Iterable[str]) -> NDArray[np.uint8]:
    """Return lines as bytes, which a NumPy file stores in the fewest."""
    return np.frombuffer("\n".join(lines).encode("utf-8"), dtype=np.uint8)
