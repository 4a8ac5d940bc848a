"""A demographic direction from pairs of words."""

import tomllib
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fair_datasets.lexicons import load_lexicon
from fair_datasets.models.vectors.direction import DemographicDirection, pair_direction
from fair_datasets.models.vectors.load import load_word_vectors
from fair_datasets.models.vectors.word_vectors import WordVectors
from fair_datasets.system import checks
from fair_datasets.system.checks import InputError
from fair_datasets.system.portable import without_folders

Pairs = Sequence[tuple[str, str]]

_OWNER = "word_direction"
# How many words the mean cosine is taken over at most, and how often random pairs are drawn.
_WORDS, _DRAWS = 50_000, 100


def word_direction(
    vectors: Any,
    pairs: Pairs | str | None = None,
    *,
    axis: str = "gender",
    poles: tuple[str, str] | None = None,
    unit_length: bool = True,
    seed: int = 0,
) -> DemographicDirection:
    """Take the direction of two demographic attributes from pairs of words.

    It is the first principal component of the pair-centred vectors, turned to the second pole.
    Pairs of which a word has no vector are left out, and named in the provenance; a pair that has
    the vectors of an earlier one, as where the vectors know lower case alone, counts once.

    Args:
        vectors: What `load_word_vectors` takes.
        pairs: The pairs, each in the order of the poles; or the name of a published set, for gender
            `"definitional"` (ten pairs) or `"equalize"` (52). None for the ten pairs of gender, and
            for the rows of the lexicon of any other axis.
        axis: The demographic axis: what the direction is called after, and the lexicon that pairs
            and poles are taken from where they are not given.
        poles: The attribute at the negative end and that at the positive end; None for man and
            woman, or for the two attributes of the axis.
        unit_length: Whether each vector is brought to length 1 first, as is usual.
        seed: Decides which random pairs it is compared with.

    Returns:
        The direction, with the share of the variance that it explains, that of random pairs, and
        the mean cosine of all words (of 50,000 where there are more, evenly spaced).

    Raises:
        InputError: Fewer than two pairs have vectors, or they do not say which end is which.

    Example:
        >>> words = {"he": [0.9, 0.1], "she": [0.1, 0.9], "king": [1.0, 0.4], "queen": [0.3, 1.0]}
        >>> direction = word_direction(words, [("he", "she"), ("king", "queen"), ("sir", "madam")])
        >>> direction.poles, direction.provenance["missing"]
        (('man', 'woman'), [['sir', 'madam']])
        >>> bool(direction.cosines([words["queen"]]) > 0)
        True

    Source:
        Bolukbasi et al. (2016); the pairs as in Dolci, Azzalini and Tanelli.
    """
    found = load_word_vectors(vectors)
    axis = checks.axis_name(axis, owner=_OWNER)
    ends = _poles(axis, poles)
    wanted = _pairs(pairs, axis, ends)
    unit_length = checks.switch(unit_length, owner=_OWNER, parameter="unit_length")
    rows = found.find([word for pair in wanted for word in pair]).reshape(-1, 2)
    known, missing = _known(found, rows)
    if len(known) < 2:
        example = f"; {' and '.join(map(repr, wanted[missing[0]]))} have none" if missing else ""
        raise InputError(
            f"{_OWNER}: {len(known)} of {len(wanted)} pairs have a vector for both words, but a "
            f"direction needs at least 2{example}: give other pairs, or vectors of more words."
        )
    first, second = (_read(found, rows[known, side], unit_length) for side in (0, 1))
    vector, explained = pair_direction(first, second)
    direction = DemographicDirection(vector, axis=Path(axis).stem, poles=ends)
    every = np.linspace(0, len(found) - 1, min(len(found), _WORDS)).astype(np.int64)
    return replace(
        direction,
        explained_variance=explained,
        offset=float(np.nanmean(direction.cosines(found.matrix[every]))),
        baseline=_random_share(found, len(known), unit_length, seed),
        provenance={
            "source": "words",
            "vectors": without_folders(found.name),
            "vectors_sha256": found.digest,
            "words": len(found),
            "pairs": [list(wanted[place]) for place in known],
            "missing": [list(wanted[place]) for place in missing],
            "unit_length": unit_length,
        },
    )


def published_pairs(axis: str, name: str, *, owner: str = _OWNER) -> list[tuple[str, str]]:
    """Return a published set of pairs."""
    sets = {key: pairs for key, pairs in _data().get(axis, {}).items() if key != "poles"}
    if not sets:
        raise InputError(
            f"{owner}: no pairs are published for the axis {axis!r}; give pairs as a list, or "
            "leave them out for the rows of its lexicon."
        )
    checks.one_of(name, sets, owner=owner, parameter="pairs")
    return [(first, second) for first, second in sets[name]]


def default_poles(axis: str) -> tuple[str, str]:
    """Return the two attributes between which the direction of an axis leads.

    Example:
        >>> default_poles("gender")
        ('man', 'woman')
    """
    if axis in _data():
        first, second = _data()[axis]["poles"]
        return first, second
    attributes = load_lexicon(axis).attributes
    if len(attributes) == 2:
        return attributes[0], attributes[1]
    raise InputError(
        f"{_OWNER}: poles must name two of the attributes of {axis!r}, which are "
        f"{checks.listed(attributes)}, such as poles={attributes[:2]!r}."
    )


def _poles(axis: str, poles: Any) -> tuple[str, str]:
    """Return the two attributes."""
    if poles is None:
        return default_poles(axis)
    ends = checks.strings(poles, owner=_OWNER, parameter="poles")
    if len(set(ends)) != 2 or len(ends) != 2:
        raise InputError(f"{_OWNER}: poles must name two attributes, but it is {poles!r}.")
    return ends[0], ends[1]


def _pairs(pairs: Any, axis: str, poles: tuple[str, str]) -> list[tuple[str, str]]:
    """Return the pairs of words, each in the order of the poles."""
    if pairs is None and axis in _data() and poles == default_poles(axis):
        pairs = "definitional"
    if isinstance(pairs, str):
        found = published_pairs(axis, pairs)
        return found if poles == default_poles(axis) else [(two, one) for one, two in found]
    if pairs is None:
        return _lexicon_pairs(axis, poles)
    return given_pairs(pairs, owner=_OWNER)


def given_pairs(pairs: Any, *, owner: str) -> list[tuple[str, str]]:
    """Return pairs of words that somebody gave, or raise.

    Example:
        >>> given_pairs([["he", "she"]], owner="hard_debias")
        [('he', 'she')]
    """
    is_list = isinstance(pairs, Sequence)
    for pair in pairs if is_list else [pairs]:
        if not isinstance(pair, list | tuple) or [*map(type, pair)] != [str, str]:
            raise InputError(
                f"{owner}: pairs must be a list of two words each, in the order of the poles, but "
                f"one is {pair!r}."
            )
    return [(first, second) for first, second in pairs]


def _lexicon_pairs(axis: str, poles: tuple[str, str]) -> list[tuple[str, str]]:
    """Return the words that the rows of a lexicon write for two attributes."""
    lexicon = load_lexicon(axis)
    for pole in poles:
        checks.one_of(pole, lexicon.attributes, owner=_OWNER, parameter="a pole")
    pairs = [
        (entry.forms[poles[0]][0].text, entry.forms[poles[1]][0].text)
        for entry in lexicon.entries
        if entry.forms[poles[0]] and entry.forms[poles[1]]
    ]
    single = (pair for pair in pairs if pair[0] != pair[1] and " " not in "".join(pair))
    return list(dict.fromkeys(single))


def _known(vectors: WordVectors, rows: NDArray[np.int64]) -> tuple[list[int], list[int]]:
    """Return which pairs have vectors, each pair of vectors once, and which have none."""
    known: dict[tuple[int, ...], int] = {}
    missing = []
    for place, pair in enumerate(rows.tolist()):
        if min(pair) < 0 or not vectors.matrix[pair].any(axis=1).all():
            missing.append(place)
        else:
            known.setdefault(tuple(pair), place)
    return list(known.values()), missing


def _read(vectors: WordVectors, rows: NDArray[np.int64], unit_length: bool) -> NDArray[np.float64]:
    """Return the vectors of some rows, brought to length 1 or as they are."""
    return vectors.units(rows) if unit_length else vectors.matrix[rows].astype(np.float64)


def _random_share(vectors: WordVectors, count: int, unit_length: bool, seed: int) -> float:
    """Return the mean share of the variance that random pairs of words explain."""
    generator = np.random.default_rng(seed)
    shares = []
    for _ in range(_DRAWS):
        drawn = _read(vectors, generator.integers(len(vectors), size=2 * count), unit_length)
        values = np.linalg.svd(drawn[:count] - drawn[count:], compute_uv=False) ** 2
        shares.append(values[0] / values.sum() if values.sum() else 1.0)
    return float(np.mean(shares))


@cache
def _data() -> dict[str, Any]:
    """Read the published pairs."""
    data = tomllib.loads((Path(__file__).parent / "data" / "pairs.toml").read_text("utf-8"))
    return {axis: sets for axis, sets in data.items() if isinstance(sets, dict)}
