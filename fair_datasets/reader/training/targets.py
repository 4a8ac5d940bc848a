"""What the student is to say of words: what people have tagged, and else what the teacher says."""

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fair_datasets.lexicons import load_lexicon
from fair_datasets.reader.encoder import Encoder
from fair_datasets.reader.matching.tokens import Tokens, tokenize
from fair_datasets.reader.tags import (
    BITS,
    CASES,
    FAMILY,
    FIRST_SENSE,
    GIVEN,
    NAMES,
    PRONOUNS,
    SENSES,
    TAGS,
    holds,
)
from fair_datasets.reader.training.gold import NameCounts
from fair_datasets.reader.training.rows import Row
from fair_datasets.system.steps import Steps

PART = 4096
"""How many texts a part has."""
WHOLE = 255
"""A probability of one, as it is kept."""

Shares = NDArray[np.uint8]


def labelled(texts: Sequence[str], teacher: Encoder, out: Path) -> list[Shares]:
    """Ask a teacher about all words of texts.

    Args:
        teacher: The teacher.
        out: The folder of the parts; those that an earlier run finished are read.

    Returns:
        For each text the probabilities of the tags, in parts of 255. Shape (words, 10) each.
    """
    from safetensors.numpy import load_file, save_file

    out.mkdir(parents=True, exist_ok=True)
    found: list[Shares] = []
    with Steps("Asking the teacher", len(texts), unit="text", work=out) as steps:
        for begin in range(0, len(texts), PART):
            part = [tokenize(text) for text in texts[begin : begin + PART]]
            path = out / f"part-{begin // PART:05}.safetensors"
            if path.exists():
                found += _divided(load_file(path)["shares"], part)
            else:
                shares = [_rounded(each) for each in teacher.shares(part)]
                fresh = path.with_suffix(".new")
                save_file(
                    {"shares": np.concatenate([*shares, _rounded(np.zeros((0, len(TAGS))))])}, fresh
                )
                fresh.rename(path)
                found += shares
            steps.step(number=len(part))
    return found


def _rounded(shares: NDArray[Any]) -> Shares:
    """Return probabilities in parts of 255."""
    found: Shares = np.rint(shares * WHOLE).astype(np.uint8)
    return found


def _divided(shares: Shares, texts: Sequence[Tokens]) -> list[Shares]:
    """Divide what was kept by the texts."""
    return np.split(shares, np.cumsum([len(tokens.starts) for tokens in texts])[:-1])


_AXES = ("gender", "race", "religion", "nationality", "orientation", "age")
_LEAST = 1e-3
_LIKELY = WHOLE // 2
_JOINED = (" ", ". ", "-", ".")


def settled(texts: Sequence[str], shares: Sequence[Shares], counts: NameCounts) -> Iterator[Shares]:
    """Let lists of names decide whether names of one word are given or family names.

    Nobody has tagged which of the two such a name is, so that the teacher guesses.

    Args:
        shares: What the teacher says, in parts of 255. Shape (words, 16) each.

    Yields:
        The same, with all that a given or family name has on the side of the lists. Shape
        (words, 16) each.
    """
    for text, said in zip(texts, shares, strict=True):
        person = said[:, [GIVEN, FAMILY]].astype(np.int64).sum(axis=1)
        if (person > _LIKELY).any():
            yield _settled(tokenize(text), said, person, counts)
        else:
            yield said


def _settled(tokens: Tokens, said: Shares, person: NDArray[np.int64], counts: NameCounts) -> Shares:
    """Settle the names of one word of a text."""
    found = said.copy()
    for index in np.flatnonzero(person > _LIKELY).tolist():
        is_joined = [
            other in range(len(person)) and person[other] > _LIKELY and tokens.gap(gap) in _JOINED
            for other, gap in ((index - 1, index), (index + 1, index + 1))
        ]
        if any(is_joined):
            continue
        tags = counts.one_name(tokens.lower[index], tokens.lower[index - 1] if index else "")
        if tags in (1 << GIVEN, 1 << FAMILY):
            found[index, [GIVEN, FAMILY]] = 0
            found[index, tags.bit_length() - 1] = person[index]
    return found


def targets(rows: Sequence[Row], shares: Sequence[Shares]) -> Iterator[Shares]:
    """Put what people and the teacher say of words together.

    Of the tags that people tell apart, those that a word may not have get nothing; what is left is
    as likely as the teacher says, or equally likely where it says nothing.

    Args:
        rows: The rows; of a word that is not known the teacher alone says what it is.
        shares: What the teacher says, in parts of 255. Shape (words, 16) each.

    Yields:
        The same with what is known. Shape (words, 16) each.

    Example:
        >>> said = np.array([[0, 200, 0, 55] + 12 * [0]], np.uint8)
        >>> row = Row("tweets", "Paris", [1 << 3], [0b11111])
        >>> [each.tolist() for each in targets([row], [said])]
        [[[0, 0, 0, 255, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]]]
    """
    for row, said in zip(rows, shares, strict=True):
        allowed = np.array(row.allowed, np.int64)
        considered = np.array(row.considered, np.int64)
        group = np.where(allowed & CASES, CASES, NAMES)
        names = _known(said[:, :FIRST_SENSE], allowed & ~SENSES, group & ~considered)
        is_word = np.array([word in sense_words() for word in tokenize(row.text).lower], np.bool_)
        senses = said[:, FIRST_SENSE:] * is_word[:, None]
        yield np.concatenate([names, _known(senses, allowed >> FIRST_SENSE, 0)], axis=1)


@cache
def sense_words() -> frozenset[str]:
    """Return the words of the lexicons of all axes, of which the senses are asked.

    Returns:
        The words in lower case; of several that stand together each.

    Example:
        >>> {"black", "priest", "old"} <= sense_words(), "table" in sense_words()
        (True, False)
    """
    return frozenset(
        word
        for axis in _AXES
        for entry in load_lexicon(axis).entries
        for forms in entry.forms.values()
        for form in forms
        for word in tokenize(form.text.lower()).lower
    ) - frozenset(PRONOUNS)


def _known(said: Any, allowed: NDArray[np.int64], other: Any) -> Shares:
    """Leave words the tags that they may have, of those that people tell apart."""
    bits = BITS[: said.shape[1]]
    may_be = np.where(allowed > 0, allowed | other, bits.sum())
    found = said * holds(may_be[:, None], bits).astype(np.float64)
    total = found.sum(axis=1, keepdims=True)
    found = np.where(total > _LEAST * WHOLE, found, holds(allowed[:, None], bits))
    total = np.maximum(found.sum(axis=1, keepdims=True), _LEAST)
    scaled: Shares = np.rint(found * WHOLE / total).astype(np.uint8)
    return scaled
