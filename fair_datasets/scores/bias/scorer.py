"""What scores texts: word vectors or an encoder with a direction, opened once in each process."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from fair_datasets.lexicons import load_lexicon
from fair_datasets.lexicons.listed import listed_words
from fair_datasets.matching.table import build_table
from fair_datasets.scores.bias.listing import Listing
from fair_datasets.scores.bias.parts import Parts, token_parts, uniform_parts, word_parts
from fair_datasets.scores.bias.states import TokenStates, load_encoder, token_states
from fair_datasets.scores.bias.words import WordCosines
from fair_datasets.scores.probes.load import probe_files
from fair_datasets.system.checks import InputError, listed
from fair_datasets.technique.digests import file_digests
from fair_datasets.vectors.direction import DemographicDirection
from fair_datasets.vectors.load import load_word_vectors
from fair_datasets.vectors.word_pairs import default_poles, word_direction
from fair_datasets.vectors.word_vectors import WordVectors

if TYPE_CHECKING:
    from fair_datasets.scores.bias.bias_score import BiasScore


@dataclass(frozen=True, eq=False)
class Scorer:
    """Finds the words of texts, their importance and their cosine.

    Attributes:
        direction: The direction.
        listing: The words whose part is 0.
        vectors: The word vectors; None for the states of the encoder.
        encoder: The folder or Hub id of the encoder; None for words that all weigh alike.
        offset: What is subtracted from each cosine.
        batch_size: How many texts the encoder reads at once at most.
        max_length: How many tokens of a text it reads.
        spans: Whether to tell where the words are.
        owner: The class that scores, for errors and warnings.
    """

    direction: DemographicDirection
    listing: Listing
    vectors: WordVectors | None = None
    encoder: str | None = None
    offset: float = 0.0
    batch_size: int = 64
    max_length: int = 128
    spans: bool = False
    owner: str = "BiasScore"

    @cached_property
    def cosines(self) -> WordCosines | None:
        """The cosines of words; None for an encoder without word vectors."""
        if self.vectors is None:
            return None
        return WordCosines(self.vectors, self.direction, self.listing, self.offset)

    def parts(self, texts: Sequence[str]) -> Parts:
        """Return what the words of texts add to their scores.

        Args:
            texts: The texts.

        Returns:
            The words.

        Raises:
            InputError: The encoder is refused, or the direction is of other vectors.
        """
        if self.cosines is None:
            states = self._states(texts, self.direction)
            return token_parts(texts, self.listing, states, self.offset)
        parts = uniform_parts(texts, self.cosines, spans=self.spans or self.encoder is not None)
        self.cosines.warn_of_few(parts.cosines, owner=self.owner)
        return parts if self.encoder is None else word_parts(parts, self._states(texts, None))

    def _states(
        self, texts: Sequence[str], direction: DemographicDirection | None
    ) -> list[TokenStates]:
        """Run the encoder on texts."""
        name = str(self.encoder)
        digests = file_digests(probe_files(name, owner=self.owner))
        return token_states(
            texts,
            load_encoder(name, digests, self.owner),
            direction,
            batch_size=self.batch_size,
            max_length=self.max_length,
            owner=self.owner,
        )


# A technique is its configuration, the digests of its files among it.
@lru_cache(maxsize=8)
def opened(score: "BiasScore") -> Scorer:
    """Open the files of a technique, once in each process.

    Args:
        score: The technique.

    Returns:
        What scores texts.

    Raises:
        InputError: A file is refused, or does not fit another.
    """
    owner = type(score).__name__
    vectors = None if score.vectors is None else load_word_vectors(score.vectors)
    if score.direction is not None:
        direction = DemographicDirection.from_pretrained(score.direction)
        if direction.axis != Path(score.axis).stem:
            raise InputError(
                f"{owner}: the direction is of the axis {direction.axis!r}, but axis, whose words "
                f"have the part 0, is {score.axis!r}; give the one that fits the other."
            )
    else:
        _refuse_more_than_two_poles(score.axis, owner)
        direction = word_direction(vectors, axis=score.axis)
    scorer = Scorer(
        direction,
        Listing(
            listed_words(score.axis, False, tuple(score.terms), score.digests),
            build_table(
                score.axis, score.digests, pipeline=score.pipeline, reader=score.reader, owner=owner
            ),
        ),
        vectors,
        None if score.encoder is None else str(score.encoder),
        offset=direction.offset if score.centred else 0.0,
        batch_size=score.batch_size,
        max_length=score.max_length,
        spans=score.explain,
        owner=owner,
    )
    _ = scorer.cosines  # Vectors that the direction is not of are refused here.
    return scorer


def _refuse_more_than_two_poles(axis: str, owner: str) -> None:
    """Raise if an axis has more than two attributes, of which a direction was not given."""
    try:
        default_poles(axis)
    except InputError as error:
        attributes = load_lexicon(axis).attributes
        raise InputError(
            f"{owner}: the axis {axis!r} has the attributes {listed(attributes)}, and a direction "
            f"leads between two; make it by word_direction(vectors, axis={axis!r}, "
            f"poles={attributes[:2]!r}), save it, and give its file as direction."
        ) from error
