"""The reader that ships: a network of two layers of five words each, in whole numbers.

All sums are of whole numbers below 2^24, which single precision holds exactly in whatever order
they are added; so a word has the same tag and the same probabilities in every batch. What the first
layer makes of a word does not depend on its neighbours, and is kept in a table.
"""

import math
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, cached_property
from pathlib import Path
from threading import Lock
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import ThreadpoolController

from fair_datasets.lexicons import load_lexicon
from fair_datasets.lexicons.shipped import names_of
from fair_datasets.reader.english.classifier.decide import Weights
from fair_datasets.reader.english.classifier.decide import shipped as shipped_model
from fair_datasets.reader.matching.letters import without_accents
from fair_datasets.reader.matching.mentions import names_without_group
from fair_datasets.reader.matching.token_batch import Candidates, Places, TokenBatch
from fair_datasets.reader.matching.vocabulary import Hashes, hashes, hashes_of
from fair_datasets.reader.names.given_names import MOSTLY, known, log_odds
from fair_datasets.reader.tags import CASES, FIRST_SENSE, PRONOUNS, TAGS, Tagged
from fair_datasets.system.checks import invalid

Rows = NDArray[np.int32]

WORDS, AFFIXES, SIGNS, SHAPES, LISTS = 14336, 4096, 512, 256, 1536
"""How many rows the table has for words, affixes, signs, shapes, and for the lists."""
SIZE = WORDS + AFFIXES + SIGNS + SHAPES + LISTS
COUNT = 15
"""How many rows of the table each word has."""

_MIXER, _SHIFT = np.uint64(0x9E3779B97F4A7C15), np.uint64(29)
_MASKS = np.array([(1 << 8 * length) - 1 for length in range(9)], np.uint64)
_BYTE = np.uint64(8)
_FIRST_NAMES = 0b11
# Which of a word's rows are hashed, and of each of them among how many rows of the table it is one,
# from which on, and what tells it from the others; and the rows of its shape, of its lists, and of
# how many people bear it.
_HASHED, _SHAPE, _LIST, _BORNE = [*range(11), 13], 11, 12, 14
_OF_LISTS, _OF_BEARERS = 256, 32
_BEGIN = WORDS + AFFIXES + SIGNS + SHAPES
_MIXED_LISTS = _OF_LISTS + _OF_BEARERS
_SIZES = np.array([2 * [WORDS] + 6 * [AFFIXES] + 3 * [SIGNS] + [LISTS - _MIXED_LISTS]], np.uint64).T
_SALTS = np.array([[0, 1, *range(6), *range(3), 0]], np.uint64).T
_BEGINS = np.array([2 * [0] + 6 * [WORDS] + 3 * [WORDS + AFFIXES] + [_BEGIN + _MIXED_LISTS]]).T
_CASE = np.uint8(0b01110001)


def keys(words: TokenBatch, places: Places) -> Hashes:
    """Return what tells words apart, as they are written and with the sign before them.

    Args:
        places: Which of them. Shape (W,).

    Returns:
        A number for each; that of two words is equal if the student sees no difference. Shape (W,).
    """
    numbers = _letters(words, places) ^ words.shape[places].astype(np.uint64) * _MIXER
    return _mixed(_mixed(numbers) ^ words.signs.digests[words.sign[places], 0])


def rows(words: TokenBatch, places: Places) -> Rows:
    """Return the rows of the table that words have.

    Args:
        places: Which of them. Shape (W,).

    Returns:
        The numbers of the rows. Shape (W, 15).
    """
    letters, shape = _letters(words, places), words.shape[places]
    case, listed = (shape & _CASE).astype(np.uint64), _lists_of(letters)
    borne = np.array([_borne(words.lower(place)) for place in places.tolist()], np.int64)
    signs = words.signs.digests[words.sign[places]].T
    lists = (listed | borne << 16).astype(np.uint64) ^ case << _BYTE
    hashed = np.stack([letters, letters ^ case * _MIXER, *_affixes(words, places), *signs, lists])
    numbers = np.empty((len(places), COUNT), np.int32)
    numbers[:, _HASHED] = (_BEGINS + _row(hashed, _SIZES, _SALTS)).T
    numbers[:, _SHAPE] = WORDS + AFFIXES + SIGNS + shape.astype(np.int64)
    numbers[:, _LIST] = _BEGIN + listed
    numbers[:, _BORNE] = _BEGIN + _OF_LISTS + borne
    return numbers


def is_listed_first_name(words: TokenBatch, places: Places) -> NDArray[np.bool_]:
    """Return which words are first names of the shipped list.

    Args:
        places: Which of them. Shape (W,).

    Returns:
        The answers. Shape (W,).

    Example:
        >>> words = TokenBatch(["Mary left Austin, said nobody."])
        >>> is_listed_first_name(words, np.arange(5)).tolist()
        [True, False, True, False, False]
    """
    is_listed: NDArray[np.bool_] = (_lists_of(_letters(words, places)) & _FIRST_NAMES) > 0
    return is_listed


# Between which log odds a word is a given name and a surname alike; and how many bear a rare name,
# and a frequent one, at least.
_EVEN, _FEW, _MANY = MOSTLY, 100, 3_000


def _borne(word: str) -> int:
    """Return what is known of a word as a given name of the world: a number from 0 for nothing.

    It says if far more bear it as a given name or as a surname, if a culture's list has it, and how
    many bear it.
    """
    figures = known(without_accents(word))
    if figures is None:
        return 0
    odds = log_odds(without_accents(word))
    kind = (odds >= -_EVEN) + (odds >= 0) + (odds >= _EVEN)
    bearers = figures.women + figures.men
    often = (bearers >= _FEW) + (bearers >= _MANY)
    return 1 + kind + 4 * (often + 3 * bool(figures.cultures))


def _letters(words: TokenBatch, places: Places) -> Hashes:
    """Return numbers for words in lower case."""
    eights, starts, ends = words.spelt_as_listed
    letters = words.hash_as_listed[places]
    if len(words.beyond):
        # Words beyond Latin-1 have no hash in the vocabulary.
        beyond = (letters == 0).nonzero()[0]
        asked = places[beyond]
        letters[beyond] = hashes(eights, starts[asked], ends[asked])
    return letters


def _affixes(words: TokenBatch, places: Places) -> Iterator[Hashes]:
    """Yield the first two, three and four letters of words, and the last ones."""
    eights, starts, ends = words.spelt_as_listed
    starts, ends = starts[places], ends[places]
    lengths = ends - starts
    for size in (2, 3, 4):
        yield eights[starts] & _MASKS[np.minimum(lengths, size)]
    for size in (2, 3, 4):
        held = np.minimum(lengths, size)
        yield eights[ends - held] & _MASKS[held]


def _mixed(numbers: Hashes) -> Hashes:
    """Mix numbers so that all their bits depend on all."""
    mixed = numbers * _MIXER
    mixed ^= mixed >> _SHIFT
    return mixed * _MIXER


def _row(numbers: Hashes, sizes: Hashes, salts: Hashes) -> NDArray[np.int64]:
    """Return one of so many rows for each number."""
    mixed = _mixed(numbers + salts) >> np.uint64(32)
    return (mixed * sizes >> np.uint64(32)).astype(np.int64)


def _lists_of(letters: Hashes) -> NDArray[np.int64]:
    """Return which lists of names have words, a bit for each."""
    known, bits = _lists()
    at = np.minimum(np.searchsorted(known, letters), len(known) - 1)
    return np.where(known[at] == letters, bits[at], 0)


@cache
def _lists() -> tuple[Hashes, NDArray[np.int64]]:
    """Return the listed names, as numbers in ascending order, and which lists have them."""
    lists = [hashes_of([*names]) for names in _names()]
    known, places = np.unique(np.concatenate(lists), return_inverse=True)
    bits = np.repeat(1 << np.arange(len(lists)), [len(own) for own in lists])
    masks = np.zeros(len(known), np.int64)
    np.bitwise_or.at(masks, places, bits)
    return known, masks


def _names() -> Iterator[Iterable[str]]:
    """Yield the names of each list, in lower case."""
    forms = [
        (side, form)
        for entry in load_lexicon("first_names").entries
        for side, several in entry.forms.items()
        for form in several
    ]
    for side in ("man", "woman"):
        yield [form.text.lower() for own, form in forms if own == side]
    for flag in (("word", "proper"), ("place",), ("surname",)):
        yield [form.text.lower() for _, form in forms if set(flag) & set(form.flags)]
    yield names_of("race_first_names")
    yield names_of("race_surnames")
    yield names_without_group()


WEIGHTS = Path(__file__).with_name("student.safetensors")

SPAN = 5
"""How many words each layer looks at."""
TOP = 127
"""The highest activation."""
_FINE_BITS = 5
FINE = 1 << _FINE_BITS
"""Into how many steps the kept sums of the first layer divide an activation."""
STEPS = 64
"""Into how many steps the scores of tags divide a unit of the logits."""
CACHE_SIZE = 1 << 15
"""How many words the table holds, of about a kilobyte each."""
QUESTIONS = ("her", "his")
"""The questions about cases that a student may be taught."""
_ADVICE = "give a file that `fair-datasets train reader` wrote"
_PARTS = ("keys", "weights", "scale")
_TAUGHT = {f"{question}_{part}" for question in QUESTIONS for part in _PARTS}
_MOST = (1 << 15) // (SPAN + 1)
_AT_ONCE = 2048
_HALF = SPAN // 2
_MANTISSA = 1 << 24
_LEAST = 30 * STEPS
_SHARES = np.array([round(_MANTISSA * math.exp(-step / STEPS)) for step in range(_LEAST)] + [0])
_NEVER = 1 << 20
_IS_CASE = np.array([bool(CASES >> tag & 1) for tag in range(FIRST_SENSE)])
# Where the tags and the senses begin, and which of the two each is.
_GROUPS = [0, FIRST_SENSE]
_GROUP_OF = np.repeat([0, 1], [FIRST_SENSE, len(TAGS) - FIRST_SENSE])

Array = NDArray[Any]
Integers = NDArray[np.int64]


class Student:
    """A network that tags words.

    Args:
        arrays: `rows` (R, D), `first` (D, 5 H), `second` (5 H, G) and `last` (G, 16), of whole
            numbers from -127 to 127; and for each of the three layers what its sums are
            multiplied by and what is added then (`first_scale`, `first_bias` and so on). One that
            was taught cases has what is added to the model of pronouns as well (`her_keys` (F,),
            `her_weights` (F,) and `her_scale` (1,), and those of "his").
    """

    def __init__(self, arrays: Mapping[str, Array]) -> None:
        """Hold the weights."""
        self.arrays = dict(arrays)
        self.rows = self.arrays["rows"].astype(np.int16)
        self._first, self._second, self._last = (
            self.arrays[name].astype(np.float32) for name in ("first", "second", "last")
        )
        self.width = self._first.shape[1] // SPAN
        self._lock = Lock()
        self._slots = _Slots()
        self._keys: tuple[TokenBatch, Hashes] | None = None

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read a network.

        Raises:
            InputError: The file cannot be read, or has no weights of a student.
        """
        from safetensors import SafetensorError
        from safetensors.numpy import load_file

        try:
            arrays = load_file(path)
        except (OSError, SafetensorError, TypeError) as error:
            raise invalid(f"{str(path)!r} holds no safetensors ({error}); {_ADVICE}.") from error
        _refuse_other(arrays, path)
        return cls(arrays)

    def save(self, path: Path) -> None:
        """Write the network; equal networks are equal files."""
        from safetensors.numpy import save_file

        save_file(dict(sorted(self.arrays.items())), path)

    def cooled(self, temperature: float) -> "Student":
        """Return the same network with its logits divided.

        Args:
            temperature: What they are divided by; above one, it is less sure.
        """
        scaled = {
            name: (self.arrays[name] / np.float32(temperature)).astype(np.float32)
            for name in ("last_scale", "last_bias")
        }
        return Student(self.arrays | scaled)

    @cached_property
    def taught(self) -> dict[str, Weights]:
        """What is added to the model of pronouns, by its questions."""
        return {
            question: Weights(
                self.arrays[f"{question}_keys"],
                self.arrays[f"{question}_weights"],
                float(self.arrays[f"{question}_scale"][0]),
            )
            for question in QUESTIONS
            if f"{question}_keys" in self.arrays
        }

    def with_taught(self, taught: Mapping[str, Weights]) -> "Student":
        """Return the same network with what is added to the model of pronouns."""
        arrays = dict(self.arrays)
        for question, weights in taught.items():
            arrays[f"{question}_keys"] = weights.keys
            arrays[f"{question}_weights"] = weights.weights
            arrays[f"{question}_scale"] = np.array([weights.scale])
        return Student(arrays)

    def moved(self, question: str, candidates: Candidates) -> Array:
        """Return what is added to the log odds of pronouns, as it was taught. Shape (C,)."""
        weights = self.taught.get(question)
        if weights is None:
            return np.zeros(len(candidates.places))
        return shipped_model().weigh(weights, question, candidates)

    def tags(self, words: TokenBatch, places: Places) -> Tagged:
        """Tag some words of texts, as `Reader.tags` says."""
        # The products are so small that threads, which wait for each other, take longer than one.
        with _one_thread():
            scores = [
                self._scores(words, places[begin : begin + _AT_ONCE])
                for begin in range(0, len(places), _AT_ONCE)
            ]
        all_scores = np.concatenate(scores) if len(places) else np.zeros((0, len(TAGS)), np.int64)
        all_scores[:, :FIRST_SENSE] -= _NEVER * _is_impossible(words, places)
        tags = all_scores[:, :FIRST_SENSE].argmax(axis=1).astype(np.int8)
        return Tagged(places, tags, _probabilities(all_scores))

    def _scores(self, words: TokenBatch, places: Places) -> Integers:
        """Return the scores of tags, in whole numbers."""
        windows = self._states(words, places).reshape(len(places), SPAN * self.width)
        sums = windows.astype(np.float32) @ self._second
        sums *= self.arrays["second_scale"]
        sums += self.arrays["second_bias"]
        hidden = _clipped(np.rint(sums, out=sums), 0, TOP)
        scores = hidden @ self._last * self.arrays["last_scale"] + self.arrays["last_bias"]
        rounded: Integers = np.rint(scores).astype(np.int64)
        return rounded

    def _states(self, words: TokenBatch, places: Places) -> NDArray[np.int16]:
        """Return the activations of the first layer around words, 0 to 127. Shape (W, 5, H)."""
        near, at = _around(words, places)
        with self._lock:
            # The first slot is that of no word, and so of what is behind the places.
            rows = (np.append(self._slots_of(words, near), 0) * SPAN)[at]
            sums = self._table.take(rows[:, :SPAN], axis=0)
            for step in range(1, SPAN):
                sums += self._table.take(rows[:, step : step + SPAN] + step, axis=0)
        sums += self._bias
        sums >>= _FINE_BITS
        _clipped(sums, 0, TOP)
        sums[at[:, _HALF : _HALF + SPAN] == len(near)] = 0
        return sums

    @cached_property
    def _bias(self) -> NDArray[np.int16]:
        """What is added to the sums of the first layer, with what rounds them."""
        return _small(self.arrays["first_bias"] * FINE + FINE // 2)

    @cached_property
    def _table(self) -> NDArray[np.int16]:
        """What the first layer makes of words, by their slot and their place. Shape (5 K, H)."""
        return np.zeros((SPAN * (CACHE_SIZE + 1), self.width), np.int16)

    def _slots_of(self, words: TokenBatch, places: Places) -> Integers:
        """Return the slots of words, of which the new ones are taken up."""
        if self._keys is None or self._keys[0] is not words:
            # A batch asks several times.
            self._keys = words, keys(words, np.arange(len(words)))
        wanted = self._keys[1][places]
        slots = self._slots.find(wanted)
        if (slots == 0).any():
            asked = (slots == 0).nonzero()[0]
            new, first = np.unique(wanted[asked], return_index=True)
            if len(self._slots) + len(new) > CACHE_SIZE:
                self._slots = _Slots()
                asked = np.arange(len(wanted))
                new, first = np.unique(wanted, return_index=True)
            begin = SPAN * (len(self._slots) + 1)
            sums = self._summed(words, places[asked[first]]).reshape(-1, self.width)
            self._table[begin : begin + len(sums)] = sums
            self._slots.add(new)
            slots = self._slots.find(wanted)
        return slots

    def _summed(self, words: TokenBatch, places: Places) -> NDArray[np.int16]:
        """Return what the first layer makes of words, for each place that they may have."""
        numbers = rows(words, places)
        inner = self.rows[numbers[:, 0]].copy()
        for column in range(1, COUNT):
            inner += self.rows[numbers[:, column]]
        sums = (inner.astype(np.float32) @ self._first).reshape(len(places), SPAN, self.width)
        sums *= self.arrays["first_scale"] * np.float32(FINE)
        return _small(sums)


class _Slots:
    """The slots of words by what tells the words apart, from 1 on; found for many at once."""

    _BITS = CACHE_SIZE.bit_length() + 1

    def __init__(self) -> None:
        """Hold no word."""
        # Behind the last place are some more, so that no search has to begin anew.
        self._slots = np.zeros((1 << self._BITS) + 64, np.int32)
        self._keys = np.zeros(CACHE_SIZE + 1, np.uint64)
        self._count = 0

    def __len__(self) -> int:
        """Return how many words there are."""
        return self._count

    def add(self, keys: Hashes) -> None:
        """Give the next slots to new words."""
        for key, place in zip(keys.tolist(), self._places(keys).tolist(), strict=True):
            while self._slots[place]:
                place += 1
            self._count += 1
            self._slots[place], self._keys[self._count] = self._count, key

    def find(self, keys: Hashes) -> Integers:
        """Return the slots of words; 0 for those that have none."""
        places = self._places(keys)
        slots: Integers = self._slots[places].astype(np.int64)
        asked = ((slots > 0) & (self._keys[slots] != keys)).nonzero()[0]
        while len(asked):
            places[asked] += 1
            slots[asked] = self._slots[places[asked]]
            asked = asked[(slots[asked] > 0) & (self._keys[slots[asked]] != keys[asked])]
        return slots

    def _places(self, keys: Hashes) -> Integers:
        return (keys >> np.uint64(64 - self._BITS)).astype(np.int64)


@cache
def shipped() -> Student:
    """Read the student that ships, once per process."""
    return Student.load(WEIGHTS)


class _OneThread:
    """Lets NumPy compute in one thread, while anybody asks for it.

    The context of threadpoolctl takes twenty times as long, and what one of two threads restores
    may be what the other one has set.
    """

    def __init__(self) -> None:
        """Find what says how many threads NumPy computes with."""
        self._pools = ThreadpoolController().select(user_api="blas").lib_controllers
        self._lock = Lock()
        self._asking = 0
        self._before: list[int] = []

    def __enter__(self) -> None:
        with self._lock:
            self._asking += 1
            if self._asking == 1:
                self._before = [pool.num_threads for pool in self._pools]
                for pool in self._pools:
                    pool.set_num_threads(1)

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._asking -= 1
            if not self._asking:
                for pool, count in zip(self._pools, self._before, strict=True):
                    pool.set_num_threads(count)


_one_thread = cache(_OneThread)


def _small(sums: Array) -> NDArray[np.int16]:
    """Round sums of the first layer, which are lost, so that six of them stay below 2^15."""
    return _clipped(np.rint(sums, out=sums), -_MOST, _MOST).astype(np.int16)


def _clipped(sums: Array, least: int, most: int) -> Array:
    """Keep sums within bounds, in place; for a few `np.clip` takes three times as long."""
    return np.minimum(np.maximum(sums, least, out=sums), most, out=sums)


def _around(words: TokenBatch, places: Places) -> tuple[Places, Integers]:
    """Return the places that both layers see around some, and where each has its nine among them.

    What would lie before a text, or behind its end, is said to lie behind the last of the places.
    """
    owner = words.owner[places, None]
    wanted = places[:, None] + np.arange(-2 * _HALF, 2 * _HALF + 1)
    wanted[(wanted < words.first[owner]) | (wanted >= words.first[owner + 1])] = words.nowhere
    is_near = np.zeros(words.nowhere + 1, np.bool_)
    is_near[wanted] = is_near[words.nowhere] = True
    near = is_near.nonzero()[0]
    numbers = np.empty(len(is_near), np.int64)
    numbers[near] = np.arange(len(near))
    return near[:-1], numbers[wanted]


def _probabilities(scores: Integers) -> NDArray[np.float64]:
    """Return the probabilities of tags, of which a word has one, and of senses, likewise."""
    highest = np.maximum.reduceat(scores, _GROUPS, axis=1)
    shares = _SHARES[np.minimum(highest[:, _GROUP_OF] - scores, _LEAST)]
    chances: NDArray[np.float64] = shares / np.add.reduceat(shares, _GROUPS, axis=1)[:, _GROUP_OF]
    return chances


def _is_impossible(words: TokenBatch, places: Places) -> NDArray[np.bool_]:
    """Return which tags words never have: a pronoun has a case, and any other word none."""
    is_pronoun = (words.hash[places, None] == _pronouns()).any(axis=1, keepdims=True)
    impossible: NDArray[np.bool_] = is_pronoun != _IS_CASE
    return impossible


@cache
def _pronouns() -> Hashes:
    """Return the numbers of the pronouns that are asked for their case."""
    return hashes_of(PRONOUNS)


def _refuse_other(arrays: Mapping[str, Array], path: Path) -> None:
    """Raise unless the arrays are those of a student."""
    is_taught = _is_taught(arrays)
    arrays = {name: each for name, each in arrays.items() if name not in _TAUGHT}
    layers = ("first", "second", "last")
    names = {"rows", *layers, *(f"{n}_{p}" for n in layers for p in ("scale", "bias"))}
    sizes = {name: array.shape for name, array in arrays.items()}
    is_fit = is_taught and set(sizes) == names
    is_fit = is_fit and all(len(sizes[name]) == 2 for name in ("rows", *layers))
    if is_fit:
        (_, inner), (_, outer), (_, hidden) = (sizes[n] for n in ("rows", "first", "second"))
        width = outer // SPAN
        expected: dict[str, tuple[int, ...]] = {
            "rows": (SIZE, inner), "first": (inner, SPAN * width),
            "second": (SPAN * width, hidden), "last": (hidden, len(TAGS)),
        }  # fmt: skip
        for layer, size in (("first", width), ("second", hidden), ("last", len(TAGS))):
            expected |= {f"{layer}_scale": (size,), f"{layer}_bias": (size,)}
        is_fit = sizes == expected and min(inner, width, hidden) > 0
        is_fit = is_fit and all(
            array.dtype == (np.int8 if name in ("rows", *layers) else np.float32)
            for name, array in arrays.items()
        )
        is_fit = is_fit and all(np.isfinite(array).all() for array in arrays.values())
        # What tags can never be has to be below all scores.
        is_fit = is_fit and _highest_score(arrays) < _NEVER
    if not is_fit:
        raise invalid(f"{str(path)!r} has other arrays than the weights of a student; {_ADVICE}.")


def _is_taught(arrays: Mapping[str, Array]) -> bool:
    """Whether what is added to the model of pronouns is whole."""
    for question in QUESTIONS:
        parts = [arrays.get(f"{question}_{part}") for part in _PARTS]
        several = [part for part in parts if part is not None]
        if several and [part.dtype for part in several] != [np.uint64, np.int8, np.float64]:
            return False
        if several:
            keys, weights, scale = several
            is_fit = keys.ndim == 1 and 0 < len(keys) == weights.size and scale.shape == (1,)
            if not (is_fit and (keys[1:] > keys[:-1]).all() and np.isfinite(scale).all()):
                return False
    return True


def _highest_score(arrays: Mapping[str, Array]) -> float:
    """Return what no score of a tag can exceed."""
    sums = TOP * np.abs(arrays["last"].astype(np.float64)).sum(axis=0)
    highest = sums * np.abs(arrays["last_scale"].astype(np.float64)) + np.abs(arrays["last_bias"])
    return float(highest.max())
