"""The bias score of rows, as a technique for `map`."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property, lru_cache
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, get_args

import numpy as np

from fair_datasets.lexicons import load_lexicon
from fair_datasets.lexicons.shipped import listed_words
from fair_datasets.measures import inputs
from fair_datasets.measures.bias_distribution import (
    PERCENTILES,
    AttributeBias,
    bias_distribution,
)
from fair_datasets.measures.inputs import Rows, Undefined
from fair_datasets.models.direction import DemographicDirection, direction_file
from fair_datasets.models.load import is_local, load_word_vectors, vectors_file
from fair_datasets.models.word_pairs import default_poles, word_direction
from fair_datasets.models.word_vectors import WordVectors
from fair_datasets.reader.load import checked_reader, reader_files
from fair_datasets.reader.matching.pipeline import checked_pipeline, pipeline_files
from fair_datasets.reader.matching.table import build_table, table_files
from fair_datasets.rows import column_checks
from fair_datasets.rows.column_checks import ColumnName, ColumnNames
from fair_datasets.rows.row_texts import RowTexts
from fair_datasets.scores.bias.parts import (
    Floats,
    Listing,
    Parts,
    WordCosines,
    token_parts,
    uniform_parts,
    word_parts,
)
from fair_datasets.scores.bias.states import TokenStates, load_encoder, token_states
from fair_datasets.scores.probes.probe import probe_files
from fair_datasets.system import checks
from fair_datasets.system.checks import InputError, format_choices, invalid, with_article
from fair_datasets.system.portable import file_digests
from fair_datasets.system.validate import AxisName, Count, OneOf, Strings, validate_fields
from fair_datasets.technique.contract import Batch, Technique

if TYPE_CHECKING:
    from datasets import Features


IMPORTANCES = ("uniform", "max-pooling")
"""How words are weighed: all alike, or by the share of an encoder's max-pooled dimensions."""


def figure_name(*, centred: bool) -> str:
    """Name the score: whether it is centred is part of the name, as the two cannot be compared."""
    return "bias_score_centred" if centred else "bias_score"


@dataclass(frozen=True, eq=False)
class Scorer:
    """Finds the words of texts, their importance and their cosine.

    Attributes:
        vectors: The word vectors; None for the states of the encoder.
        encoder: The folder or Hub id of the encoder; None for words that all weigh alike.
    """

    direction: DemographicDirection
    listing: Listing
    vectors: WordVectors | None = None
    encoder: str | None = None
    offset: float = 0.0
    batch_size: int = 64
    max_length: int = 128
    spans: bool = False

    @cached_property
    def cosines(self) -> WordCosines | None:
        """The cosines of words; None for an encoder without word vectors."""
        if self.vectors is None:
            return None
        return WordCosines(self.vectors, self.direction, self.listing, self.offset)

    def parts(self, texts: Sequence[str]) -> Parts:
        """Return what the words of texts add to their scores."""
        if self.cosines is None:
            states = self._states(texts, self.direction)
            return token_parts(texts, self.listing, states, self.offset)
        parts = uniform_parts(texts, self.cosines, spans=self.spans or self.encoder is not None)
        self.cosines.warn_of_few(parts.cosines)
        return parts if self.encoder is None else word_parts(parts, self._states(texts, None))

    def _states(
        self, texts: Sequence[str], direction: DemographicDirection | None
    ) -> list[TokenStates]:
        """Run the encoder on texts."""
        name = str(self.encoder)
        digests = file_digests(probe_files(name))
        return token_states(
            texts,
            load_encoder(name, digests),
            direction,
            batch_size=self.batch_size,
            max_length=self.max_length,
        )


def _name(value: Any, *, parameter: str) -> str:
    """Return a path or a Hub id as a string, or raise."""
    if isinstance(value, str | PathLike) and fspath(value):
        return str(fspath(value))
    advice = ""
    if hasattr(value, "save"):
        advice = "; save it first, and give the file"
    elif hasattr(value, "key_to_index"):
        advice = "; save it first with load_word_vectors(vectors).save('vectors.npz')"
    raise invalid(
        f"{parameter} must be a path or a Hub id, but it is "
        f"{with_article(type(value).__name__)}{advice}."
    )


@dataclass(frozen=True, kw_only=True)
class BiasScore(Technique):
    """Score how much of a demographic attribute the words of each row carry, for `datasets.map`.

    A word's part is its importance times the cosine of its vector with the demographic direction.
    Words that name an attribute by their meaning, such as "she", have the part 0; so have names,
    where one is read: "Will he come?" has none. The parts above 0 sum to the positive attribute's
    score and those below 0 to the negative one's, which is at most 0; `bias_score` is the sum of
    their absolute values. Words are divided as NLTK divides them: "don't" is "do" and "n't".

    Of several texts in a row, each of the three scores is that of the text where it is furthest
    from 0. A row in which a column has no text has no score (null).

    Word vectors give the cosines where they are named, else the states of the encoder. The two are
    not comparable: states take the attribute of the sentence's subject over to other words. The
    last digits of an encoder's states depend on the machine and on the texts that share a batch;
    where two tokens are as high in a dimension, its share of the importance may go with them.

    Attributes:
        columns: The text column or columns, or paths to texts inside them.
        roles: Whose texts of a conversation are read; none for everybody's.
        vectors: A file of word vectors, or their Hub id; see `load_word_vectors`.
        encoder: The folder or Hub id of an encoder. Beside `vectors` it gives the importance alone.
        direction: The file or Hub id of a direction; see `DemographicDirection`. None, with word
            vectors, for the one of the axis's own pairs; see `word_direction`.
        importance: "max-pooling" (the default with an encoder): the share of the encoder's
            dimensions whose maximum is at the word. "uniform" (the default without): one by the
            number of the text's words, with a vector or without.
        axis: The demographic axis, whose words have the part 0.
        names: Whether names that have the axis's attributes have the part 0, too.
        pipeline: A trained spaCy pipeline, by its name or path, that is asked where a word is a
            name.
        reader: A token classifier, as for `load_reader`, that is asked it; None for the network
            that ships.
        terms: More words that have the part 0.
        centred: Whether the direction's `offset`, the mean cosine of all words, is subtracted from
            each cosine. The paper does not; scores that are centred have a name of their own.
        explain: Whether to add, for each word, its place, importance, cosine and product.
        output_column: The column to add; those of the attributes begin with its name. None for
            `bias_score`, or `bias_score_centred` where the score is centred.
        batch_size: How many texts the encoder reads at once at most.
        max_length: How many tokens of a text the encoder reads.

    Raises:
        InputError: A parameter is not what it must be, a file is refused, or the direction does not
            fit the vectors.

    Example:
        >>> from tempfile import TemporaryDirectory
        >>> from fair_datasets.models import load_word_vectors
        >>> words = {"he": [1.0, 0.0], "she": [0.0, 1.0], "man": [1.0, 0.5], "woman": [0.5, 1.0]}
        >>> with TemporaryDirectory() as folder:
        ...     file = Path(folder, "vectors.npz")
        ...     load_word_vectors(words | {"pink": [0.0, 1.0], "truck": [1.0, 0.0]}).save(file)
        ...     score = BiasScore(columns="text", vectors=file)
        ...     scored = score({"text": ["She wears pink.", "A pink truck", None]})
        >>> [None if score is None else round(score, 3) for score in scored["bias_score"]]
        [0.236, 0.471, None]
        >>> [None if score is None else round(score, 3) for score in scored["bias_score_man"]]
        [0.0, -0.236, None]

    Source:
        Dolci, Azzalini and Tanelli. Their list of words is not public; here it is the lexicon.
    """

    reads: ClassVar[tuple[str, ...]] = ("columns",)

    columns: ColumnNames = field(kw_only=False)
    roles: Strings = ()
    vectors: Annotated[str | PathLike[str], _name] | None = None
    encoder: Annotated[str | PathLike[str], _name] | None = None
    direction: Annotated[str | PathLike[str], _name] | None = None
    importance: Annotated[str, OneOf(IMPORTANCES)] | None = None
    axis: AxisName = "gender"
    names: bool = True
    pipeline: str | None = None
    reader: str | None = None
    terms: Strings = ()
    centred: bool = False
    explain: bool = False
    output_column: ColumnName | None = None
    batch_size: Count = 64
    max_length: Count = 128

    def __post_init__(self) -> None:
        """Check the parameters, take the digests of the files, and open them once."""
        validate_fields(self)
        object.__setattr__(self, "pipeline", checked_pipeline(self.pipeline))
        object.__setattr__(self, "reader", checked_reader(self.reader, self.pipeline))
        if self.output_column is None:
            object.__setattr__(self, "output_column", figure_name(centred=self.centred))
        object.__setattr__(self, "importance", self._checked_importance())
        super().__post_init__()
        local = (self.vectors, self.direction)
        if all(name is None or is_local(str(name)) for name in local):
            # What does not fit is told now; and several processes need not convert one file.
            self.scorer()

    def resources(self) -> Mapping[str, Path]:
        """Name the files here: of vectors, models and lexicons; not those of the Hub."""
        files: dict[str, Path] = {}
        if self.vectors is not None and is_local(str(self.vectors)):
            files[str(self.vectors)] = vectors_file(str(self.vectors))
        if self.direction is not None and is_local(str(self.direction)):
            files[str(self.direction)] = direction_file(str(self.direction))
        if self.encoder is not None:
            files |= probe_files(str(self.encoder))
        files |= pipeline_files(self.pipeline)
        files |= reader_files(self.reader)
        return {**files, **table_files(self.axis, names=self.names)}

    def added_features(self, features: "Features") -> Mapping[str, Any]:
        """Return the features of the added columns."""
        from datasets import List, Value

        added: dict[str, Any] = {name: Value("float64") for name in self._added()}
        if self.explain:
            added[f"{self.output_column}_words"] = List(
                {
                    "column": Value("string"),
                    "start": Value("int64"),
                    "end": Value("int64"),
                    "word": Value("string"),
                    "importance": Value("float64"),
                    "cosine": Value("float64"),
                    "product": Value("float64"),
                }
            )
        return added

    def process(self, batch: Batch) -> dict[str, list[Any]]:
        """Add the columns to a batch."""
        column_checks.refuse_ragged(batch)
        result = {column: list(values) for column, values in batch.items()}
        added = [*self._added(), *([f"{self.output_column}_words"] if self.explain else [])]
        column_checks.free(added, batch)
        rows, texts, places = self._scored_texts(batch)
        length = max(map(len, result.values()))
        scored = np.array(sorted(set(rows)), np.int64)
        of_text = np.searchsorted(scored, np.array(rows, np.int64))
        parts = self.scorer().parts(texts)
        positive, negative = parts.sums()
        sums = (positive - negative, negative, positive)
        for name, values in zip(self._added(), sums, strict=True):
            furthest = np.zeros(len(scored))
            (np.minimum if values is negative else np.maximum).at(furthest, of_text, values)
            result[name] = _spread(furthest.tolist(), scored.tolist(), length)
        if self.explain:
            words: list[list[Any]] = [[] for _ in scored]
            explained = parts.explained(texts, places)
            for number, entries in zip(of_text.tolist(), explained, strict=True):
                words[number] += entries
            result[added[-1]] = _spread(words, scored.tolist(), length)
        return result

    def _checked_importance(self) -> str:
        """Return how words are weighed, or raise where the sources do not fit together."""
        if self.vectors is None and self.encoder is None:
            raise invalid(
                "it needs vectors (a file of word vectors) or encoder (a model), or "
                "both, if the encoder is to weigh the words; give one."
            )
        if self.vectors is None and self.direction is None:
            raise invalid(
                "the states of an encoder need a direction of their own; make it with "
                "sentence_direction, save it, and give its file as direction."
            )
        fitting = IMPORTANCES[0] if self.encoder is None else IMPORTANCES[1]
        if self.importance is None:
            return fitting
        if self.importance != fitting:
            raise invalid(
                f"importance is {self.importance!r}, but encoder is {self.encoder!r}; "
                "'max-pooling' needs an encoder, and 'uniform' takes none."
            )
        return fitting

    def _added(self) -> tuple[str, str, str]:
        """Name the columns of scores: both attributes together, the negative, the positive."""
        negative, positive = self.scorer().direction.poles
        name = str(self.output_column)
        return name, f"{name}_{negative}", f"{name}_{positive}"

    def scorer(self) -> Scorer:
        """Return what scores texts, with its files opened.

        Raises:
            InputError: A file has changed since the technique was made, or does not fit another.
        """
        digests = dict(self.digests)
        for name, digest in file_digests(self.resources()):
            if digests.get(name) != digest:
                raise invalid(f"{name!r} has changed since the technique was made; make a new one.")
        return opened(self)

    def _scored_texts(self, batch: Batch) -> tuple[list[int], list[str], list[str]]:
        """Return the texts of the rows that are scored: their row, they, and where they are."""
        every = RowTexts.read(batch, self.columns, roles=self.roles)
        fields = [replace(every, fields=(field,)) for field in every.fields]
        rows: list[int] = []
        texts: list[str] = []
        places: list[str] = []
        for number, row in enumerate(zip(*(each.rows for each in fields), strict=True)):
            by_field = [[text for text in of_field if text is not None] for of_field in row]
            if not all(by_field):
                continue
            for of_field in by_field:
                rows += [number] * len(of_field)
                texts += of_field
            if self.explain:
                for field, of_field in zip(fields, row, strict=True):
                    labels = zip(field.labels(number), of_field, strict=True)
                    places += [label for label, text in labels if text is not None]
        return rows, texts, places


def _spread(values: Sequence[Any], rows: Sequence[int], length: int) -> list[Any]:
    """Give rows their values, and the others nulls."""
    known = dict(zip(rows, values, strict=True))
    return [known.get(row) for row in range(length)]


# A technique is its configuration, the digests of its files among it.
@lru_cache(maxsize=8)
def opened(score: "BiasScore") -> Scorer:
    """Open the files of a technique, once in each process."""
    vectors = None if score.vectors is None else load_word_vectors(score.vectors)
    if score.direction is not None:
        direction = DemographicDirection.from_pretrained(score.direction)
        if direction.axis != Path(score.axis).stem:
            raise invalid(
                f"the direction is of the axis {direction.axis!r}, but axis is "
                f"{score.axis!r}; give a direction and an axis that fit each other."
            )
    else:
        _refuse_more_than_two_poles(score.axis)
        direction = word_direction(vectors, axis=score.axis)
    scorer = Scorer(
        direction,
        Listing(
            listed_words(score.axis, False, tuple(score.terms), score.digests),
            build_table(score.axis, score.digests, pipeline=score.pipeline, reader=score.reader),
        ),
        vectors,
        score.encoder,  # type: ignore[arg-type]
        offset=direction.offset if score.centred else 0.0,
        batch_size=score.batch_size,
        max_length=score.max_length,
        spans=score.explain,
    )
    _ = scorer.cosines  # Vectors that the direction is not of are refused here.
    return scorer


def _refuse_more_than_two_poles(axis: str) -> None:
    """Raise if an axis has more than two attributes, of which a direction was not given."""
    try:
        default_poles(axis)
    except InputError as error:
        attributes = load_lexicon(axis).attributes
        raise invalid(
            f"the axis {axis!r} has the attributes {format_choices(attributes)}, and a direction "
            f"leads from one to another; make it with word_direction(vectors, axis={axis!r}, "
            f"poles={attributes[:2]!r}), save it, and give its file as direction."
        ) from error


def direction_notes(score: BiasScore) -> Iterator[str]:
    """Yield which side is which, and how far the vectors know the axis at all."""
    direction = score.scorer().direction
    negative, positive = direction.poles
    axis = direction.axis
    yield f"Along {axis}, words with + lean to {positive} and words with - to {negative}."
    if direction.baseline is not None:
        yield (
            f"The direction of {axis} explains {direction.explained_variance:.0%} of the "
            f"differences within its pairs of words; random pairs reach {direction.baseline:.0%}. "
            "The nearer the two are, the less the scores say."
        )
    does = "which is subtracted from each" if score.centred else "which --centred subtracts"
    yield (
        f"The mean cosine of all words along {axis} (offset) is {direction.offset:+.2f}, {does}: "
        "if it is far from 0, nearly every row leans to that side, whatever it says."
    )


def coverage_of(score: BiasScore, texts: Sequence[str]) -> tuple[float, int] | None:
    """Count how many words of texts have a vector or are listed.

    Returns:
        Their share, and how many words there are; None where there are none, and for an encoder.
    """
    cosines = score.scorer().cosines
    if cosines is None:
        return None
    parts = uniform_parts(texts, cosines, spans=False)
    return None if parts.coverage is None else (parts.coverage, parts.cosines.size)


_BATCH_SIZE = 1_000


@dataclass(frozen=True, slots=True)
class TextScores:
    """The bias scores of texts, also towards each attribute, and how many words have a vector."""

    scores: Floats
    attributes: dict[str, Floats]
    coverage: float | None
    name: str
    direction: DemographicDirection


def score_texts(texts: Sequence[str], **parameters: Any) -> TextScores:
    """Score texts.

    Example:
        >>> score_texts(["He ran."])
        Traceback (most recent call last):
        ...
        fair_datasets.InputError: score_texts: it needs vectors (a file of word vectors) or
        encoder (a model), or both, if the encoder is to weigh the words; give one.
    """
    values = inputs.texts(texts, "texts")
    score = BiasScore(columns="text", **parameters)
    scorer = score.scorer()
    positive, negative = [np.zeros(0)], [np.zeros(0)]
    known, words = 0, 0
    for start in range(0, len(values), _BATCH_SIZE):
        parts = scorer.parts(values[start : start + _BATCH_SIZE])
        above, below = parts.sums()
        positive.append(above)
        negative.append(below)
        known += int(np.count_nonzero(~np.isnan(parts.cosines)))
        words += parts.cosines.size
    poles = scorer.direction.poles
    towards = dict(zip(poles, map(np.concatenate, (negative, positive)), strict=True))
    has_coverage = scorer.vectors is not None and words > 0
    return TextScores(
        towards[poles[1]] - towards[poles[0]],
        towards,
        known / words if has_coverage else None,
        figure_name(centred=score.centred),
        scorer.direction,
    )


def corpus_bias(
    data: Sequence[str],
    *,
    scores: Any = None,
    attributes: Mapping[str, Any] | None = None,
    vectors: str | None = None,
    encoder: str | None = None,
    direction: str | None = None,
    axis: str = "gender",
    names: bool = True,
    pipeline: str | None = None,
    reader: str | None = None,
    centred: bool = False,
    threshold: float | None = None,
    percentiles: Sequence[float] = PERCENTILES,
    most: int = 10,
    bins: int = 30,
    level: float = 0.95,
    families: Rows = None,
    undefined: Undefined = "nan",
) -> dict[str, Any]:
    """Describe the bias scores of texts, with the most biased of them, as plain data.

    Args:
        scores: The score of each text, as the technique `BiasScore` adds it; None to score the
            texts.
        attributes: With scores, a mapping from each attribute to the scores towards it.
        vectors: A file of word vectors, or their Hub id; see
            `fair_datasets.models.load_word_vectors`.
        encoder: The folder or Hub id of an encoder. It gives the importance of words and, without
            vectors, their cosines too.
        direction: The file or Hub id of a direction; None for that of the axis's own pairs.
        names: Whether names with an attribute of the axis count as 0 in the score.
        centred: Whether the mean cosine of all words is subtracted, which the paper does not.
        threshold: The score to compare with; None for the 95th percentile of these scores.
        percentiles: Which percentiles to give, from 0 to 100.
        most: How many texts to name for each attribute.
        bins: How many bins the histogram has.
        level: The level of the interval.

    Returns:
        rows: How many texts there are.
        mean: The mean score, at least 0. Lower is less biased.
        highest: The highest score.
        percentiles: Each percentile, as a string, to its score.
        threshold: The score that texts are compared with.
        above: How many texts have a score above it.
        share_above: Their share, in [0, 1].
        interval: The interval of the share, the exact binomial one or over families: "low", "high"
            and "level". None without a threshold, as the share is then 5% by construction.
        attributes: One dictionary per attribute: its name as "attribute", the "mean" and the
            "furthest" score towards it, and as "most" the most biased texts, each with "row",
            "score" and "text".
        histogram: The "counts" of the bins, and their "edges".
        name: What the score is called: "bias_score", or "bias_score_centred". This and what follows
            are None where the scores were given.
        coverage: The share of words that have a vector or name an attribute; None where texts were
            not scored by word vectors.
        direction: What was scored along: its "axis", the "poles", the "offset" (the mean cosine of
            all words), the "explained_variance" of its pairs of words, and that of random pairs as
            "baseline".

    Example:
        >>> found = corpus_bias(["A pink dress."], scores=[0.25], attributes={"woman": [0.25]})
        >>> found["attributes"][0]["most"]
        [{'row': 0, 'score': 0.25, 'text': 'A pink dress.'}]
    """
    checks.one_of(undefined, get_args(Undefined), parameter="undefined")
    values = inputs.texts(data, "data")
    scored: dict[str, Any] = {"name": None, "coverage": None, "direction": None}
    if scores is None:
        scoring = score_texts(
            values, vectors=vectors, encoder=encoder, direction=direction, axis=axis, names=names,
            pipeline=pipeline, reader=reader, centred=centred)  # fmt: skip
        scores, attributes = scoring.scores, scoring.attributes
        along = ("axis", "poles", "offset", "explained_variance", "baseline")
        details = {each: getattr(scoring.direction, each) for each in along}
        scored = {
            "name": scoring.name,
            "coverage": scoring.coverage,
            "direction": {**details, "poles": list(scoring.direction.poles)},
        }
    result = bias_distribution(
        scores, attributes, threshold=threshold, percentiles=percentiles, most=most, bins=bins,
        level=level, families=families, undefined=undefined)  # fmt: skip
    inputs.same_length({"data": values, "scores": range(result.rows)})
    plain = asdict(result)
    histogram = {name: list(plain.pop(name)) for name in ("counts", "edges")}
    return {
        **plain,
        "percentiles": {f"{each:g}": score for each, score in result.percentiles.items()},
        "interval": result.interval
        and dict(zip(("low", "high", "level"), (*result.interval, level), strict=True)),
        "attributes": [
            {"attribute": name, "mean": each.mean, "furthest": each.furthest}
            | {"most": _most_biased(each, values)}
            for name, each in result.attributes.items()
        ],
        "histogram": histogram,
        **scored,
    }


def _most_biased(towards: AttributeBias, texts: Sequence[str]) -> list[dict[str, Any]]:
    """Give the rows that lean the most to an attribute, with their texts."""
    return [
        {"row": row, "score": score, "text": texts[row]}
        for row, score in zip(towards.rows, towards.scores, strict=True)
    ]
