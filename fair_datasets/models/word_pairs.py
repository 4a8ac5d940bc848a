"""A demographic direction from pairs of words, and word vectors without it."""

import tomllib
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fair_datasets.lexicons import lexicon_files, load_lexicon
from fair_datasets.lexicons.shipped import listed_words, listing_lexicons
from fair_datasets.measures.inputs import warn_of_lost
from fair_datasets.models.direction import DemographicDirection, pair_direction
from fair_datasets.models.load import load_word_vectors
from fair_datasets.models.word_vectors import WordVectors
from fair_datasets.system import checks
from fair_datasets.system.checks import invalid
from fair_datasets.system.portable import file_digests, strip_folders

Pairs = Sequence[tuple[str, str]]

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
    Pairs of which a word has no vector are left out, and named in the provenance, with a warning
    where they are more than a fifth; a pair that has the vectors of an earlier one, as where the
    vectors know lower case alone, counts once.

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
    source = load_word_vectors(vectors)
    axis = checks.axis_name(axis)
    ends = _poles(axis, poles)
    wanted = _pairs(pairs, axis, ends)
    unit_length = checks.switch(unit_length, parameter="unit_length")
    rows = source.find([word for pair in wanted for word in pair]).reshape(-1, 2)
    known, missing = _known(source, rows)
    if len(known) < 2:
        example = f"; {' and '.join(map(repr, wanted[missing[0]]))} have none" if missing else ""
        raise invalid(
            f"{len(known)} of {len(wanted)} pairs have a vector for both words, but a "
            f"direction needs at least 2{example}: give other pairs, or vectors of more words."
        )
    warn_of_lost([wanted[place] for place in missing], len(wanted), "pairs")
    first, second = (_vectors_of(source, rows[known, side], unit_length) for side in (0, 1))
    vector, explained = pair_direction(first, second)
    direction = DemographicDirection(vector, axis=Path(axis).stem, poles=ends)
    every = np.linspace(0, len(source) - 1, min(len(source), _WORDS)).astype(np.int64)
    return replace(
        direction,
        explained_variance=explained,
        offset=float(np.nanmean(direction.cosines(source.matrix[every]))),
        baseline=_random_share(source, len(known), unit_length, seed),
        provenance={
            "source": "words",
            "vectors": strip_folders(source.name),
            "vectors_sha256": source.digest,
            "words": len(source),
            "pairs": [list(wanted[place]) for place in known],
            "missing": [list(wanted[place]) for place in missing],
            "unit_length": unit_length,
        },
    )


def published_pairs(axis: str, name: str) -> list[tuple[str, str]]:
    """Return a published set of pairs."""
    sets = {key: pairs for key, pairs in _data().get(axis, {}).items() if key != "poles"}
    if not sets:
        raise invalid(
            f"no pairs are published for the axis {axis!r}; give pairs as a list, or "
            "leave them out for the rows of its lexicon."
        )
    checks.one_of(name, sets, parameter="pairs")
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
    raise invalid(
        f"poles must name two of the attributes of {axis!r}, which are "
        f"{checks.format_choices(attributes)}, such as poles={attributes[:2]!r}."
    )


def _poles(axis: str, poles: Any) -> tuple[str, str]:
    """Return the two attributes."""
    if poles is None:
        return default_poles(axis)
    ends = checks.strings(poles, parameter="poles")
    if len(set(ends)) != 2 or len(ends) != 2:
        raise invalid(f"poles must name two attributes, but it is {poles!r}.")
    return ends[0], ends[1]


def _pairs(pairs: Any, axis: str, poles: tuple[str, str]) -> list[tuple[str, str]]:
    """Return the pairs of words, each in the order of the poles."""
    if pairs is None and axis in _data() and poles == default_poles(axis):
        pairs = "definitional"
    if isinstance(pairs, str):
        entries = published_pairs(axis, pairs)
        return entries if poles == default_poles(axis) else [(two, one) for one, two in entries]
    if pairs is None:
        return _lexicon_pairs(axis, poles)
    return given_pairs(pairs)


def given_pairs(pairs: Any) -> list[tuple[str, str]]:
    """Return pairs of words that somebody gave, or raise.

    Example:
        >>> given_pairs([["he", "she"]])
        [('he', 'she')]
    """
    is_list = isinstance(pairs, Sequence)
    for pair in pairs if is_list else [pairs]:
        if not isinstance(pair, list | tuple) or [*map(type, pair)] != [str, str]:
            raise invalid(
                f"pairs must be a list of two words each, in the order of the poles, but "
                f"one is {pair!r}."
            )
    return [(first, second) for first, second in pairs]


def _lexicon_pairs(axis: str, poles: tuple[str, str]) -> list[tuple[str, str]]:
    """Return the words that the rows of a lexicon write for two attributes."""
    lexicon = load_lexicon(axis)
    for pole in poles:
        checks.one_of(pole, lexicon.attributes, parameter="a pole")
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


def _vectors_of(
    vectors: WordVectors, rows: NDArray[np.int64], unit_length: bool
) -> NDArray[np.float64]:
    """Return the vectors of some rows, brought to length 1 or as they are."""
    return vectors.units(rows) if unit_length else vectors.matrix[rows].astype(np.float64)


def _random_share(vectors: WordVectors, count: int, unit_length: bool, seed: int) -> float:
    """Return the mean share of the variance that random pairs of words explain."""
    generator = np.random.default_rng(seed)
    shares = []
    for _ in range(_DRAWS):
        drawn = _vectors_of(vectors, generator.integers(len(vectors), size=2 * count), unit_length)
        values = np.linalg.svd(drawn[:count] - drawn[count:], compute_uv=False) ** 2
        shares.append(values[0] / values.sum() if values.sum() else 1.0)
    return float(np.mean(shares))


@cache
def _data() -> dict[str, Any]:
    """Read the published pairs."""
    data = tomllib.loads((Path(__file__).parent / "data" / "pairs.toml").read_text("utf-8"))
    return {axis: sets for axis, sets in data.items() if isinstance(sets, dict)}


_PART = 100_000
# Of a vector of length 1 in single precision, no less than this is more than rounding.
_NOTHING = 1e-6

Floats = NDArray[np.float64]


def hard_debias(
    vectors: Any,
    direction: DemographicDirection | str | PathLike[str] | None = None,
    *,
    equalize_pairs: str | Sequence[tuple[str, str]] = "equalize",
    axis: str = "gender",
    names: bool = False,
    terms: tuple[str, ...] | str = (),
) -> WordVectors:
    """Take a direction out of the vectors of neutral words, and put the words of pairs around it.

    All vectors are brought to length 1. Those of neutral words lose their component along the
    direction. Those of a pair are put on both sides of what they have in common without the
    direction, each on its own side, so that every neutral word is as similar to one as to the
    other. Words that name an attribute by their meaning, such as "waitress", stay as they are.

    It takes the direction out of single vectors; what words have in common with each other stays,
    and can still tell which of them were near one end.

    Args:
        direction: The direction; None for that of the axis's own pairs, see `word_direction`.
        equalize_pairs: The pairs, or the name of a published set. Each is taken in lower case, with
            a capital and in capitals. A word is in one pair alone; a pair that is given again, also
            the other way round, counts once.
        axis: The axis whose words are not neutral: a shipped lexicon's name, or a `.tsv` file.
        names: Whether names that have the axis's attributes are not neutral, either.

    Returns:
        The vectors, in memory; `save("file.npz")` writes them for `load_word_vectors`. Their
        `provenance` has the numbers of words and pairs, and the pairs of which a word is missing;
        there is a warning where they are more than a fifth.
        A neutral word that lies along the direction has nothing left, and is zero.

    Source:
        Bolukbasi et al. (2016), Man is to Computer Programmer as Woman is to Homemaker?, section 6,
        and their code `debiaswe`, whose 52 pairs are the set "equalize". Its list of words that are
        not neutral is not part of it; here it is the lexicon, and the words of the pairs.
    """
    source = load_word_vectors(vectors)
    axis = checks.axis_name(axis)
    names = checks.switch(names, parameter="names")
    terms = checks.strings(terms, parameter="terms")
    if direction is None:
        direction = word_direction(source, axis=axis)
    elif not isinstance(direction, DemographicDirection):
        if not isinstance(direction, str | PathLike):
            raise invalid(
                f"direction must be a DemographicDirection or the file of one, but it is "
                f"a {type(direction).__name__}; give pairs to equalise as equalize_pairs, and "
                "pairs that make a direction to word_direction."
            )
        direction = DemographicDirection.from_pretrained(direction)
    if direction.axis != Path(axis).stem:
        raise invalid(
            f"the direction is of the axis {direction.axis!r}, but axis is {axis!r}; "
            "give a direction and an axis that fit each other."
        )
    direction.refuse_width(source.width, f"the word vectors {source.name!r}")
    pairs = _pairs_to_equalize(equalize_pairs, axis)
    rows, missing = _rows(source, pairs)
    warn_of_lost(missing, len(pairs), "pairs to equalise")
    excluded = _listed_rows(source, axis, names, terms).union(*rows)
    table = _neutralized(source, direction.vector, excluded)
    for first, second in rows:
        table[first], table[second] = equalized(table[first], table[second], direction.vector)
    provenance = {
        "method": "hard-debiasing",
        "vectors_sha256": source.digest,
        "axis": direction.axis,
        "neutral_words": len(source) - len(excluded),
        "other_words": len(excluded),
        "pairs": len(rows),
        "missing": missing,
    }
    return WordVectors(f"{source.name}, hard-debiased", table, source.index, provenance=provenance)


def equalized(first: Floats, second: Floats, direction: Floats) -> tuple[Floats, Floats]:
    """Put two vectors of length 1 on both sides of what they share without a direction.

    Returns:
        Both, of length 1: their mean without the direction, plus and minus as much of the direction
        as makes the length 1; each on the side on which it was.

    Example:
        >>> he, she = np.array([1.0, 0.0]), np.array([0.6, 0.8])
        >>> first, second = equalized(he, she, np.array([1.0, 0.0]))
        >>> first.round(3).tolist(), second.round(3).tolist()
        ([0.917, 0.4], [-0.917, 0.4])
    """
    middle = (first.astype(np.float64) + second) / 2
    shared = middle - (middle @ direction) * direction
    rest = max(0.0, 1 - float(shared @ shared)) ** 0.5
    side = rest if (first.astype(np.float64) - second) @ direction >= 0 else -rest
    return _units(shared + side * direction), _units(shared - side * direction)


def _pairs_to_equalize(pairs: Any, axis: str) -> list[tuple[str, str]]:
    """Return the pairs that are named or given, each once, or raise where they share a word."""
    entries = published_pairs(axis, pairs) if isinstance(pairs, str) else given_pairs(pairs)
    if not entries:
        raise invalid("equalize_pairs is empty; give at least one pair of words.")
    # As they are equalized in each case, words that differ in it alone are the same.
    of_word: dict[str, frozenset[str]] = {}
    once: dict[frozenset[str], tuple[str, str]] = {}
    for pair in entries:
        words = frozenset(word.lower() for word in pair)
        if len(words) < 2:
            raise invalid(f"equalize_pairs pairs {pair[0]!r} with itself; give two words.")
        for word in pair:
            if of_word.setdefault(word.lower(), words) != words:
                raise invalid(
                    f"{word!r} is in several of equalize_pairs, but a word can be in "
                    "only one; leave it in one."
                )
        once.setdefault(words, pair)
    return list(once.values())


def _rows(
    vectors: WordVectors, pairs: Sequence[tuple[str, str]]
) -> tuple[list[tuple[int, int]], list[list[str]]]:
    """Return the rows of the pairs as they may be written, and the pairs that have none."""
    rows: dict[tuple[int, int], None] = {}
    missing = []
    for first, second in pairs:
        forms = [(form(first), form(second)) for form in (str, str.lower, str.title, str.upper)]
        indices = vectors.index.find([word for pair in forms for word in pair]).reshape(-1, 2)
        known = [
            (one, other)
            for one, other in indices.tolist()
            if min(one, other) >= 0 and vectors.matrix[[one, other]].any(axis=1).all()
        ]
        rows.update(dict.fromkeys(known))
        if not known:
            missing.append([first, second])
    if not rows:
        raise invalid(
            f"no pair has a vector for both words, such as {' and '.join(pairs[0])}; "
            "give equalize_pairs whose words the vectors have."
        )
    return list(rows), missing


def _listed_rows(vectors: WordVectors, axis: str, names: bool, terms: tuple[str, ...]) -> set[int]:
    """Return the rows of the words that name an attribute by their meaning."""
    files = [lexicon_files(name) for name in listing_lexicons(axis, names)]
    digests = file_digests({key: path for each in files for key, path in each.items()})
    words = listed_words(axis, names, terms, digests)
    forms = sorted({form for word in words for form in (word, word.capitalize(), word.upper())})
    return {row for row in vectors.index.find(forms).tolist() if row >= 0}


def _neutralized(
    vectors: WordVectors, direction: Floats, excluded: set[int]
) -> NDArray[np.float32]:
    """Return all vectors with length 1, those of neutral words without the direction."""
    table = np.empty((len(vectors), vectors.width), np.float32)
    is_neutral = np.ones(len(vectors), bool)
    is_neutral[sorted(excluded)] = False
    for start in range(0, len(vectors), _PART):
        rows = np.arange(start, min(start + _PART, len(vectors)))
        units = vectors.units(rows)
        neutral = is_neutral[rows]
        units[neutral] -= np.outer(units[neutral] @ direction, direction)
        units[np.linalg.norm(units, axis=1) < _NOTHING] = 0.0
        table[rows] = _units(units)
    return table


def _units(rows: Floats) -> Floats:
    """Bring vectors to length 1; one that is zero stays so."""
    lengths = np.linalg.norm(rows, axis=-1, keepdims=True)
    units: Floats = rows / np.where(lengths > 0, lengths, 1.0)
    return units
