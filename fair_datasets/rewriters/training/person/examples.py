"""Texts in which it is known whose a pronoun is: GAP asks it of two people of one gender."""

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from fair_datasets.reader.matching.find import table_of
from fair_datasets.reader.matching.found import Reading
from fair_datasets.reader.matching.rows import found_in_rows
from fair_datasets.reader.matching.table import TermTable
from fair_datasets.reader.person import Scene, named, people_of, unread_names
from fair_datasets.swap.rewrite import swap_row
from fair_datasets.swap.rewriting.counterfactuals import Edit, apply_edits
from fair_datasets.system.checks import InputError

GAP = "coreference/gap_development.tsv"
"""The file of pronouns with two names, in the folder of the shared data."""
HELD_BACK = 0.2
"""The share of the pages of GAP that no training reads."""
_OTHER = {"man": "woman", "woman": "man"}
_SWAPPED = {("gender", gender): other for gender, other in _OTHER.items()}


class Example(NamedTuple):
    """A pronoun and a person.

    Attributes:
        key: The page of which the text is.
        scene: The text, with one pronoun; the person is the first of its people.
    """

    key: str
    scene: Scene
    answer: bool


class _Question(NamedTuple):
    """A row of GAP: the pronoun's offset, and of each name the offset and whether it is meant."""

    text: str
    page: str
    pronoun: int
    names: tuple[tuple[int, int, bool], ...]

    def swapped(self, edits: Sequence[Edit], text: str) -> "_Question":
        """Return the same about a text in which genders are swapped."""
        names = tuple(
            (_moved(start, edits), _moved(end, edits), meant) for start, end, meant in self.names
        )
        return self._replace(text=text, pronoun=_moved(self.pronoun, edits), names=names)


def gender_table() -> TermTable:
    """Return the terms of gender, names among them."""
    return table_of("gender", owner="train person")


def gap_examples(folder: Path, *, swapped: bool = False) -> Iterator[Example]:
    """Read the questions of GAP, one for each of the two names."""
    questions = list(_questions(folder))
    table = gender_table()
    if swapped:
        questions = [
            question.swapped(edits, apply_edits(question.text, edits))
            for question, edits in _edited(questions, table)
        ]
    for number, reading in _read([question.text for question in questions], table):
        question = questions[number]
        several = (_example(reading, question, name) for name in question.names)
        yield from (found for found in several if found is not None)


def other_gender_examples(folder: Path) -> Iterator[Example]:
    """Read the questions of GAP about the name that is meant, the other name of a gender else."""
    table = gender_table()
    questions = [each for each in _questions(folder) if sum(meant for *_, meant in each.names) == 1]
    texts = []
    kept = []
    for number, reading in _read([each.text for each in questions], table):
        question = questions[number]
        (other,) = (name for name in question.names if not name[2])
        words = {
            reading.tokens.lower[m.first]
            for m in reading.mentions
            if m.term.is_name and other[0] <= reading.tokens.starts[m.first] < other[1]
        }
        theirs = [m for m in reading.mentions if reading.tokens.lower[m.first] in words]
        (edits,) = swap_row([reading._replace(mentions=theirs)], _SWAPPED)
        if edits:
            texts.append(apply_edits(question.text, edits))
            kept.append(question.swapped(edits, texts[-1]))
    for number, reading in _read(texts, table):
        question = kept[number]
        (name,) = (name for name in question.names if name[2])
        found = _example(reading, question, name)
        if found is not None:
            yield found


def _questions(folder: Path) -> Iterator[_Question]:
    """Read the rows of GAP."""
    path = folder / GAP
    if not path.exists():
        raise InputError(f"train person: {folder} has no file {GAP}; check --data.")
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            names = []
            for name in "AB":
                start = int(row[f"{name}-offset"])
                meant = row[f"{name}-coref"].upper() == "TRUE"
                names.append((start, start + len(row[name]), meant))
            offset = int(row["Pronoun-offset"])
            yield _Question(row["Text"], row["URL"], offset, tuple(names))


def _edited(
    questions: Sequence[_Question], table: TermTable
) -> Iterator[tuple[_Question, list[Edit]]]:
    """Give questions with the edits that swap the genders of their texts."""
    for number, reading in _read([each.text for each in questions], table):
        (edits,) = swap_row([reading], _SWAPPED)
        yield questions[number], edits


def _example(reading: Reading, question: _Question, name: tuple[int, int, bool]) -> Example | None:
    """Ask of a name whether the pronoun is theirs; None where the reader finds no pronoun."""
    starts, (start, end, meant) = reading.tokens.starts, name
    words = [k for k, place in enumerate(starts) if start <= place < end]
    asked = [
        number
        for number, each in enumerate(reading.mentions)
        if starts[each.first] == question.pronoun and each.term.entry.kind == "pronoun"
    ]
    if not words or not asked:
        return None
    person = named(reading, words[0], words[-1])
    attribute = reading.mentions[asked[0]].term.attribute
    known = {reading.tokens.lower[k] for k in [*person.places, *words]}
    others = [
        other
        for other in [*people_of(reading, attribute), *unread_names(reading)]
        if not any(reading.tokens.lower[k] in known for k in other.places)
    ]
    return Example(question.page, Scene(reading, [person, *others], asked), meant)


def _read(texts: Sequence[str], table: TermTable) -> Iterator[tuple[int, Reading]]:
    """Read texts; give the number of each in which something is found."""
    for number, (reading,) in found_in_rows([(text,) for text in texts], [table]):
        if reading is not None:
            yield number, reading


def _moved(offset: int, edits: Sequence[Edit]) -> int:
    """Return where a place of a text is after edits."""
    return offset + sum(len(e.after) - len(e.before) for e in edits if e.end <= offset)
