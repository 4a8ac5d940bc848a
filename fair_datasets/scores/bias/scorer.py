"""What scores texts: word vectors or an encoder with a direction, opened once in each process."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from fair_datasets.digests import file_digests
from fair_datasets.scores.bias.parts import Parts, token_parts, uniform_parts, word_parts
from fair_datasets.scores.bias.states import TokenStates, load_encoder, token_states
from fair_datasets.scores.bias.words import WordCosines
from fair_datasets.scores.probes.load import probe_files
from fair_datasets.vectors.direction import DemographicDirection
from fair_datasets.vectors.word_vectors import WordVectors


@dataclass(frozen=True, eq=False)
class Scorer:
    """Finds the words of texts, their importance and their cosine.

    Attributes:
        direction: The direction.
        listed: The words whose part is 0.
        vectors: The word vectors; None for the states of the encoder.
        encoder: The folder or Hub id of the encoder; None for words that all weigh alike.
        offset: What is subtracted from each cosine.
        batch_size: How many texts the encoder reads at once at most.
        max_length: How many tokens of a text it reads.
        spans: Whether to tell where the words are.
        owner: The class that scores, for errors and warnings.
    """

    direction: DemographicDirection
    listed: frozenset[str]
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
        return WordCosines(self.vectors, self.direction, self.listed, self.offset)

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
            return token_parts(texts, self.listed, self._states(texts, self.direction), self.offset)
        if self.encoder is None:
            return uniform_parts(texts, self.cosines, spans=self.spans, owner=self.owner)
        return word_parts(texts, self.cosines, self._states(texts, None), owner=self.owner)

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
