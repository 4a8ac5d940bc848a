"""Teaching a student some sentences: it goes on from its weights, and else stays as it is."""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fair_datasets.reader.matching.tokens import tokenize
from fair_datasets.reader.matching.words import Words
from fair_datasets.reader.student import Student, shipped
from fair_datasets.reader.tags import PRONOUNS, Reader
from fair_datasets.reader.training.evaluation import Figure, ask, fallen, table
from fair_datasets.reader.training.lessons import Taught, lessons, marked_words, rehearsed
from fair_datasets.reader.training.rows import Row, pieces
from fair_datasets.reader.training.targets import WHOLE, targets
from fair_datasets.system.checks import InputError
from fair_datasets.system.extras import require

require("models", owner="The training of a reader")

from fair_datasets.reader.training.student import (  # noqa: E402
    StudentConfig,
    Texts,
    texts_of,
    train_student,
)
from fair_datasets.reader.training.train import REPORT, STUDENT  # noqa: E402

LICENCE = "CC BY-SA 4.0"
"""The licence of the weights that ship, which those that go on from them have as well."""

# No word is forgotten: what the student says of a text would change with it.
_CONFIG = StudentConfig(epochs=12, learning_rate=4e-4, forgotten=0.0)
_ROUNDS = 3
_BLOCK = 1000
_SHOWN = 5


class GoneOn(NamedTuple):
    """A student that was taught.

    Attributes:
        student: The student.
        before: The table of the student that ships.
        after: Its own table.
        words: How many words were taught.
        asked: How many capitalised words and pronouns the user's texts have.
        changed: Those of them that are read otherwise than before: the text, the word, what was
            said of it, and what is.
    """

    student: Student
    before: Mapping[str, Figure]
    after: Mapping[str, Figure]
    words: int
    asked: int
    changed: Sequence[tuple[str, str, str, str]]


def go_on(begin: Student, taught: Taught, texts: Sequence[str], *, seed: int = 0) -> GoneOn:
    """Teach a student some sentences.

    It learns them while it rehearses what it says of other texts. That takes half a minute, some
    minutes with many texts, and up to three times as long if it does not learn them at once.

    Args:
        texts: Texts of the user; what they are read as should stay.

    Returns:
        The student and what has changed.

    Raises:
        InputError: A word is not learnt, or the table of the student that ships has fallen.
    """
    student = _learnt(begin, taught, _as_read(begin, taught, texts), seed)
    before, after = table(shipped()), table(student)
    worse = [*fallen(before, after)]
    if worse:
        raise InputError(
            f"train reader: other sentences would be read worse ({'; '.join(worse)}); check the "
            "tags of --gold, or mark more sentences that should be read as before."
        )
    count, changed = changes(texts, begin, student)
    words = sum(bits > 0 for row in taught.rows for bits in row.allowed)
    return GoneOn(student, before, after, words, count, changed)


def _as_read(begin: Student, taught: Taught, texts: Iterable[str]) -> Texts:
    """Return what is learnt and what is rehearsed, as the student reads it."""
    rows = lessons(taught)
    for text in rehearsed(taught, texts):
        unknown = [0] * len(tokenize(text).starts)
        rows.append(Row("rehearsed", text, unknown, unknown))
    several = [row.text for row in rows]
    return texts_of(several, [*targets(rows, said(several, begin))])


def _learnt(begin: Student, taught: Taught, known: Texts, seed: int) -> Student:
    """Train until all marked words are read as they are marked, or raise."""
    student, missed = begin, [""]
    for number in range(_ROUNDS):
        with TemporaryDirectory() as folder:
            config = _CONFIG._replace(seed=seed + number)
            student = train_student(known, config, Path(folder), student)
        missed = unlearnt(taught, student)
        if not missed:
            return student
    raise InputError(
        f"train reader: {', '.join(missed[:_SHOWN])}: still read differently after {_ROUNDS} "
        "rounds; look for sentences that say the opposite, or give more like these."
    )


def said(texts: Sequence[str], student: Student) -> list[NDArray[np.uint8]]:
    """Return what a student says of all words of texts.

    Returns:
        The probabilities of the tags, in parts of 255. Shape (words, 10) each.
    """
    found: list[NDArray[np.uint8]] = []
    for begin in range(0, len(texts), _BLOCK):
        words = Words(texts[begin : begin + _BLOCK])
        shares = student.tags(words, np.flatnonzero(~words.is_end)).probabilities
        sizes = np.diff(words.first) - 1
        found += np.split(np.rint(shares * WHOLE).astype(np.uint8), np.cumsum(sizes)[:-1])
    return found


def unlearnt(taught: Taught, student: Student) -> list[str]:
    """Say which marked words a student reads otherwise.

    Returns:
        The file and the line of each, and the word.
    """
    known = ask(student, taught.rows)
    is_right = known.allowed == 1 << known.probabilities.argmax(axis=1)
    places = [
        f"{mark.place} ({tokenize(row.text).word(index)})"
        for row, marks in zip(taught.rows, taught.marks, strict=True)
        for index, mark in sorted(
            (index, mark) for mark in marks for index in marked_words(tokenize(row.text), mark)
        )
    ]
    return [place for place, right in zip(places, is_right, strict=True) if not right]


def changes(
    texts: Iterable[str], before: Reader, after: Reader
) -> tuple[int, list[tuple[str, str, str, str]]]:
    """Compare what two readers say of the names and pronouns of texts.

    Returns:
        How many capitalised words and pronouns the texts have; and those that the two give other
        tags: the sentence, the word, what the one says and what the other says, the surest first.
    """
    several = list(dict.fromkeys(piece for text in texts for piece in pieces(text)))
    count, found = 0, []
    for begin in range(0, len(several), _BLOCK):
        words = Words(several[begin : begin + _BLOCK])
        places = np.flatnonzero(~words.is_end)
        is_pronoun = [words.lower(place) in PRONOUNS for place in places.tolist()]
        places = places[words.is_capital(places) | np.array(is_pronoun, np.bool_)]
        count += len(places)
        one, two = before.tags(words, places), after.tags(words, places)
        for row in np.flatnonzero(one.tags != two.tags).tolist():
            text = several[begin + int(words.owner[places[row]])]
            told = (text, words.lower(int(places[row])), one.told(row), two.told(row))
            found.append((float(two.probabilities[row].max()), told))
    return count, [told for _, told in sorted(found, key=lambda each: -each[0])]


def write(gone: GoneOn, out: Path) -> None:
    """Write a student and what has changed."""
    out.mkdir(parents=True, exist_ok=True)
    gone.student.save(out / STUDENT)
    report = {
        "licence": LICENCE,
        "words": gone.words,
        "figures": [
            {"words": figure.words, "figure": name, "before": figure.right,
             "after": gone.after[name].right}
            for name, figure in gone.before.items()
        ],
        "words of the texts": gone.asked,
        "read otherwise": len(gone.changed),
    }  # fmt: skip
    (out / REPORT).write_text(json.dumps(report, indent=1) + "\n", "utf-8")
