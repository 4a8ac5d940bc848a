"""Perturbability: how much of a text a demographic rewriting could change.

Qian et al. (2022), "Perturbation Augmentation for Fairer NLP", equation 2.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from fair_datasets.lexicons import lexicon_files, name_lexicons
from fair_datasets.reader.matching.letters import listed_names, looked_up
from fair_datasets.reader.matching.mentions import Annotation
from fair_datasets.reader.matching.pipeline import parse
from fair_datasets.reader.matching.rows import CANDIDATES, candidates_in_rows
from fair_datasets.reader.matching.tokenizer import TITLES, Tokens, tokenize
from fair_datasets.rows import column_checks
from fair_datasets.rows.column_checks import ColumnName
from fair_datasets.system.checks import InputError, invalid
from fair_datasets.system.validate import OneOf, validate_fields
from fair_datasets.technique.contract import Batch
from fair_datasets.technique.lexical import LexicalTechnique

if TYPE_CHECKING:
    from datasets import Features


def perturbability(
    entities: int, terms: int, words: int, *, entity_weight: float = 1.0, term_weight: float = 1.0
) -> float | None:
    """Compute the perturbability of a text: (m0 * entities + m1 * terms) / words.

    Returns:
        A number of at least 0, higher for a text that can be perturbed more; None for one without
        words.

    Example:
        >>> perturbability(1, 2, 12), perturbability(0, 0, 0)
        (0.25, None)
    """
    return (entity_weight * entities + term_weight * terms) / words if words else None


def _weight(value: Any, *, parameter: str) -> float:
    is_number = isinstance(value, Real) and not isinstance(value, bool)
    if not is_number or not 0 <= value < math.inf:
        raise invalid(f"{parameter} must be a number of at least 0, but it is {value!r}.")
    return float(value)


# Words that are capitalised wherever they stand.
_PRONOUNS = frozenset({"i"})
# A period behind these is within a name.


def entities_by_pipeline(pipeline: str, text: str) -> list[str]:
    """Return the named entities that a trained spaCy pipeline finds."""
    doc = parse(pipeline, text)
    if len(doc) and not doc.has_annotation("ENT_IOB"):
        raise InputError(
            f"The pipeline {pipeline!r} recognises no named entities in a text of {len(text)} "
            "characters; use one with a component 'ner', split long texts, or leave out the "
            "pipeline to count capitalised names."
        )
    return [entity.text for entity in doc.ents]


def entities_by_capitals(tokens: Tokens) -> list[str]:
    """Guess the named entities of a text: capitalised words that stand together.

    A single word where any is capitalised (at the start of a sentence, in a headline) is taken for
    a name only if a list of names has it.

    Example:
        >>> from fair_datasets.reader.matching.tokenizer import tokenize
        >>> entities_by_capitals(tokenize("Yesterday Mr. Gray left New York. Mary and I stayed."))
        ['Mr. Gray', 'New York', 'Mary']
    """
    return [tokens.text[tokens.starts[first] : tokens.end(last)] for first, last in _names(tokens)]


def name_files() -> Mapping[str, Path]:
    """Name the files of the lists of names."""
    return {key: path for name in name_lexicons() for key, path in lexicon_files(name).items()}


def _names(tokens: Tokens) -> Iterator[tuple[int, int]]:
    """Find the first and last words of the capitalised names of a text."""
    index, count = 0, len(tokens.lower)
    while index < count:
        if not _may_be_name(tokens, index):
            index += 1
            continue
        # What opens a sentence is no part of the name behind it, unless it is one itself.
        if _says_nothing(tokens, index) and not _is_listed(tokens, index):
            index += 1
            continue
        last = index
        while last + 1 < count and _may_be_name(tokens, last + 1) and _are_joined(tokens, last):
            last += 1
        yield index, last
        index = last + 1


def _is_listed(tokens: Tokens, index: int) -> bool:
    """Whether a word is a title, or a name of the shipped lists."""
    return tokens.lower[index] in TITLES or looked_up(tokens.word(index)) in listed_names()


def _may_be_name(tokens: Tokens, index: int) -> bool:
    """Whether a word is capitalised prose."""
    return (
        tokens.is_capitalised(index)
        and tokens.lower[index] not in _PRONOUNS
        and tokens.is_alone(index)
        and not tokens.is_protected(index)
    )


def _says_nothing(tokens: Tokens, index: int) -> bool:
    """Whether the capital of a word says nothing about it."""
    if index and tokens.lower[index - 1] in TITLES:
        return False
    return tokens.opens_sentence(index) or tokens.is_headline(index)


def _are_joined(tokens: Tokens, index: int) -> bool:
    """Whether a word and the next are parts of one name."""
    gap, word = tokens.gap(index + 1), tokens.lower[index]
    return gap in (" ", "-") or (gap == ". " and (len(word) == 1 or word in TITLES))


@dataclass(frozen=True, kw_only=True)
class Perturbability(LexicalTechnique):
    """Score how much of each text a demographic rewrite could change, for `datasets.map`.

    The share of named entities and of words of an axis among the words of a row, to rank the rows
    of a corpus by it. A row without words has a null. Named entities are those that the spaCy
    pipeline recognises; without one they are guessed by capital letters and lists of names, and the
    configuration says which it was: `pipeline`, or the digests of the lists.

    Attributes:
        columns: The text column or columns; those of one row are read together.
        roles: Whose texts of a conversation are read; none for everybody's.
        axis: A shipped lexicon's name, or the path of a user's own `.tsv` file.
        names: Whether names count as words of the axis as well. They are entities already.
        protect: Names of people who do not count as words of the axis.
        pipeline: A trained spaCy pipeline with an entity recogniser, by its name or path.
        reader: A token classifier that is asked about names and pronouns.
        candidates: `mentions` for the words that are read as mentions of people; `lexicon` for
            each word of the list, as in the paper.
        entity_weight: m0 of the paper, which does not state it.
        term_weight: m1 of the paper, which does not state it.
        unique: Whether an entity or a word that occurs several times counts once.
        output_column: The column to add.

    Raises:
        InputError: A parameter is not what it must be.

    Example:
        >>> score = Perturbability(columns="text")
        >>> score({"text": ["Then her mother met Ada Gray.", "It rains.", ""]})["perturbability"]
        [0.5, 0.0, None]
    """

    reads: ClassVar[tuple[str, ...]] = ("columns",)

    names: bool | None = False
    candidates: Annotated[str, OneOf(CANDIDATES)] = "mentions"
    entity_weight: Annotated[float, _weight] = 1.0
    term_weight: Annotated[float, _weight] = 1.0
    unique: bool = False
    output_column: ColumnName = "perturbability"

    def __post_init__(self) -> None:
        """Check the parameters, then take the digests of the lexicons."""
        super().__post_init__()
        validate_fields(self)

    def resources(self) -> Mapping[str, Path]:
        """Name the lexicons, and the pipeline, or the lists of names that are read without one."""
        return {**super().resources(), **({} if self.pipeline else name_files())}

    def added_features(self, features: "Features") -> Mapping[str, Any]:
        """Return the feature of the added column."""
        from datasets import Value

        return {self.output_column: Value("float64")}

    def process(self, batch: Batch) -> dict[str, list[Any]]:
        """Add the column to a batch."""
        rows = self.texts(batch).rows
        column_checks.free([self.output_column], batch)
        (axis,) = self.axes
        digests = self.digests_of(axis)
        candidates = dict(candidates_in_rows(rows, self.table(axis), digests, self.candidates))
        scores = [self._score(row, candidates.get(number, ())) for number, row in enumerate(rows)]
        result = {column: list(values) for column, values in batch.items()}
        return {**result, self.output_column: scores}

    def _score(
        self, row: Sequence[str | None], readings: Sequence[Annotation | None]
    ) -> float | None:
        words, entities = 0, list[str]()
        for text in filter(None, row):
            tokens = tokenize(text)
            words += len(tokens.lower)
            entities += (
                entities_by_capitals(tokens)
                if self.pipeline is None
                else entities_by_pipeline(self.pipeline, text)
            )
        terms = [
            reading.tokens.text[reading.tokens.starts[first] : reading.tokens.end(last)]
            for reading in readings
            if reading is not None
            for first, last in {(m.first, m.last) for m in reading.mentions}
        ]
        return perturbability(
            self._count(entities),
            self._count(terms),
            words,
            entity_weight=self.entity_weight,
            term_weight=self.term_weight,
        )

    def _count(self, mentions: Sequence[str]) -> int:
        """Count what was found, or each of it once."""
        return len({text.lower() for text in mentions}) if self.unique else len(mentions)
