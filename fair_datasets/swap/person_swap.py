"""The swap of one person of each row, who is told from others by a model of coreference."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from fair_datasets.reader.coreference import (
    CoreferenceQuery,
    checked_coreference_model,
    load_coreference_model,
)
from fair_datasets.reader.matching.mentions import Annotation, Mention
from fair_datasets.reader.matching.rows import annotate_rows
from fair_datasets.rows import column_checks
from fair_datasets.rows.row_texts import Row
from fair_datasets.swap.agreement import check_pronoun_set
from fair_datasets.swap.rewrite import swap_row
from fair_datasets.swap.rewriting import Counterfactual, Rewriter, Rows
from fair_datasets.swap.rewriting.counterfactuals import apply_edits
from fair_datasets.swap.whole_rows import skipped_rows
from fair_datasets.system import checks
from fair_datasets.system.checks import InputError, error_context
from fair_datasets.system.pretrained import folder_files
from fair_datasets.technique.contract import Batch
from fair_datasets.technique.lexical import LeavesKnownPeople

LEFT = "person_left"
"""The column that says why a row stays as it is."""
ABSENT = "the word is not in the text"
UNREAD = "the word is read as no mention of a person"
SAME = "the person has the attribute already"
NO_FORM = "the lexicon has no word for the person as what they would become"


class _Request(NamedTuple):
    """The person who is asked for in a row, and what they become."""

    number: int
    person: CoreferenceQuery
    target: str


@dataclass(frozen=True, kw_only=True)
class PersonSwap(Rewriter, LeavesKnownPeople):
    """Rewrite one person of each row to the attribute that the row asks for, for `datasets.map`.

    The swap of `CounterfactualSwap`, restricted to the mentions of one person. A small encoder,
    which `fair-datasets train person` trains, says which they are; the swap writes them, so that
    nothing can be invented, left out or moved. A row stays where the word is not in the text or is
    read as no mention, where the person has the attribute already, and where the swap would leave
    it as a whole; `person_left` says why. A row whose word or target is null stays too.

    Attributes:
        person: The column with a word of the text that names the person: the first place where it
            is read as a mention.
        target: The column with the attribute that the person becomes.
        model: The folder or Hub id of a model that `fair-datasets train person` wrote.
        revision: The branch, tag or commit on the Hub.
        pronouns: Which pronouns are written for people who are neither men nor women.

    The others are those of `CounterfactualSwap`.

    Raises:
        InputError: A parameter is not what it must be, or there is no such folder.

    Example:
        >>> swap = PersonSwap(columns="text", model="you/who", mode="replace")
        >>> row = {"text": ["Rain."], "selected_word": [None], "target_attribute": [None]}
        >>> swap(row)["text"]  # Asks for no model.
        ['Rain.']

    Source:
        Qian et al. (2022), "Perturbation Augmentation for Fairer NLP": what is asked of a row.
    """

    person: str = "selected_word"
    target: str = "target_attribute"
    model: str | PathLike[str]
    revision: str | None = None
    pronouns: str = "they"

    counted: ClassVar[tuple[str, ...]] = (LEFT,)

    def __post_init__(self) -> None:
        """Check the parameters, then take the digests of the lexicons and the model's files."""
        object.__setattr__(self, "model", checked_coreference_model(self.model))
        for parameter in ("person", "target"):
            value = getattr(self, parameter)
            column_checks.column_name(value, parameter=parameter)
        if self.revision is not None:
            column_checks.column_name(self.revision, parameter="revision")
        check_pronoun_set(self.pronouns)
        super().__post_init__()

    def resources(self) -> Mapping[str, Path]:
        """Name the lexicons, the reader, and the files of a model that lies in a folder."""
        return {**super().resources(), **folder_files(str(self.model))}

    def other_columns(self) -> tuple[str, ...]:
        """Name the columns that are read besides the texts: the word and the target too."""
        return (*super().other_columns(), self.person, self.target)

    def rows(self, batch: Batch, texts: Sequence[Row]) -> Rows:
        """Return the rows of a batch, with the words and the targets."""
        names = (self.person, self.target)
        others = {name: column_checks.values(batch, name) for name in names}
        return super().rows(batch, texts)._replace(others=others)

    def log_columns(self) -> Mapping[str, str]:
        """Name the column that says why a row stays."""
        return {LEFT: "string"}

    def rewrite(self, rows: Rows) -> Iterator[tuple[int, Counterfactual]]:
        """Write the asked person of each row with another attribute.

        Raises:
            InputError: A word is no string, a target is no attribute of the axis, or the
                model cannot be read or has changed.
        """
        asked, skipped = self._asked(rows)
        if asked:
            skipped |= self._skipped(rows, asked)
            selected = [each for each in asked if each.number not in skipped]
            for each, theirs in zip(selected, self._mentions(selected), strict=True):
                new = self._written(rows.texts[each.number], each, theirs)
                if new is None:
                    skipped[each.number] = NO_FORM
                else:
                    yield each.number, new
        for number, reason in skipped.items():
            yield number, Counterfactual(rows.texts[number], log={LEFT: reason})

    def _asked(self, rows: Rows) -> tuple[list[_Request], dict[int, str]]:
        """Find the people who are asked for, and say why others are not."""
        (axis,) = self.axes
        words, targets = rows.others[self.person], rows.others[self.target]
        asked: list[_Request] = []
        skipped: dict[int, str] = {}
        read = annotate_rows(rows.texts, [self.table(axis)])
        for number, readings in enumerate(read):
            word, target = words[number], targets[number]
            if column_checks.is_null(word) or column_checks.is_null(target):
                continue
            place = f"{type(self).__name__}: row {number} of the batch (counted from 0)"
            _refuse_other_word(word, f"{place}, column {self.person!r}")
            with error_context(place):
                checks.one_of(target, self.lexicon(axis).attributes, parameter=self.target)
            mention = _first_mention(readings, word)
            if not any(_places(word, text or "") for text in rows.texts[number]):
                skipped[number] = ABSENT
            elif mention is None:
                skipped[number] = UNREAD
            elif mention[1].term.attribute == target:
                skipped[number] = SAME
            else:
                asked.append(_Request(number, CoreferenceQuery(readings, *mention), target))
        return asked, skipped

    def _skipped(self, rows: Rows, asked: Sequence[_Request]) -> dict[int, str]:
        """Return which rows the swap leaves as a whole, and why."""
        (axis,) = self.axes
        table = self.table(axis)
        reasons = skipped_rows(
            [rows.texts[each.number] for each in asked],
            lambda k: {(table.axis, asked[k].person.mention.term.attribute): asked[k].target},
            table,
        )
        return {asked[k].number: reason.value for k, reason in reasons.items()}

    def _mentions(self, asked: Sequence[_Request]) -> list[list[list[Mention]]]:
        """Ask the model for the mentions of people, in each text of their rows."""
        if not asked:
            return []
        model = load_coreference_model(str(self.model), self.digests, revision=self.revision)
        return model.mentions_in_rows([each.person for each in asked])

    def _written(
        self, row: Row, asked: _Request, theirs: Sequence[list[Mention]]
    ) -> Counterfactual | None:
        """Write a person with another attribute; None where the asked word has no form for it."""
        term = asked.person.mention.term
        readings = [
            reading and reading._replace(mentions=own)
            for reading, own in zip(asked.person.readings, theirs, strict=True)
        ]
        edits = swap_row(readings, {(term.axis, term.attribute): asked.target}, self.pronouns)
        place = asked.person.place
        reading = readings[place]
        start = reading.tokens.starts[asked.person.mention.first] if reading else 0
        if not any(edit.start <= start < edit.end for edit in edits[place]):
            return None
        texts = tuple(text and apply_edits(text, own) for text, own in zip(row, edits, strict=True))
        return Counterfactual(texts, edits)


def _first_mention(readings: Sequence[Annotation | None], word: str) -> tuple[int, Mention] | None:
    """Return the first mention that a word is, or is a part of, and in which text it stands."""
    for number, reading in enumerate(readings):
        if reading is None:
            continue
        tokens = reading.tokens
        spans = _places(word, tokens.text)
        for mention in reading.mentions:
            start, end = tokens.starts[mention.first], tokens.end(mention.last)
            if any(start < stop and begin < end for begin, stop in spans):
                return number, mention
    return None


def _places(word: str, text: str) -> list[tuple[int, int]]:
    """Find a word or phrase in a text, in any letter case."""
    matches = re.finditer(rf"(?<![^\W_]){re.escape(word)}(?![^\W_])", text, re.IGNORECASE)
    return [each.span() for each in matches]


def _refuse_other_word(word: Any, place: str) -> None:
    if not isinstance(word, str) or not word.strip():
        raise InputError(f"{place} must hold a word of the text, but it holds {word!r}.")
