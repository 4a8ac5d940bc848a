"""States become words again: by a model's own head, or by the nearest mean state of a word."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from fair_datasets.rewriters.fairflow.occurrences import Occurrences
from fair_datasets.rewriters.fairflow.states import Halves
from fair_datasets.scores.scoring_model import ScoringModel

Singles = NDArray[np.float32]
Numbers = NDArray[np.int64]

_TOGETHER = 256


class Decoder(Protocol):
    """What tells which word a state is of."""

    def decode(self, states: Singles, candidates: Numbers) -> Numbers:
        """Return the word of each state.

        Args:
            states: The states. Shape (N, d).
            candidates: The numbers of the words that it may be. Shape (C,).

        Returns:
            The numbers of the words. Shape (N,).
        """


@dataclass(frozen=True)
class NearestDecoder:
    """The nearest mean state of a word, by the cosine from the mean of all words.

    Attributes:
        means: The mean state of each word, from the mean of all. Shape (V, d).
        center: The mean of all words. Shape (d,).
    """

    means: Singles
    center: Singles

    @classmethod
    def of(cls, states: Halves, places: Occurrences) -> "NearestDecoder":
        """Take the means of states.

        Args:
            states: The states of words. Shape (N, d).

        Returns:
            The decoder; words without a state are never the nearest.
        """
        order = np.argsort(places.word, kind="stable")
        counts = np.bincount(places.word, minlength=len(places.words))
        means = np.zeros((len(counts), states.shape[1]), dtype=np.float32)
        for word, end in enumerate(np.cumsum(counts)):
            if counts[word]:
                rows = np.sort(order[end - counts[word] : end])
                means[word] = states[rows].astype(np.float32).mean(axis=0)
        center = means[counts > 0].mean(axis=0)
        return cls(_units(means - center), center)

    def decode(self, states: Singles, candidates: Numbers) -> Numbers:
        """Return the word of each state; see `Decoder`."""
        known = self.means[candidates].T
        found = [
            ((states[start : start + _TOGETHER] - self.center) @ known).argmax(axis=1)
            for start in range(0, len(states), _TOGETHER)
        ]
        words: Numbers = candidates[np.concatenate([np.zeros(0, np.int64), *found])]
        return words


@dataclass(frozen=True)
class HeadDecoder:
    """The head of a masked language model, which finds the likeliest token for a state.

    Attributes:
        loaded: The model, with its head.
        tokens: The tokens that are whole words in the corpus. Shape (K,).
        word_of: The number of the word of each. Shape (K,).
    """

    loaded: ScoringModel
    tokens: Numbers
    word_of: Numbers

    @classmethod
    def of(cls, loaded: ScoringModel, places: Occurrences) -> "HeadDecoder":
        """Note which tokens are words.

        Args:
            places: The words of the corpus, of one token each.

        Returns:
            The decoder.
        """
        tokens, first = np.unique(places.token, return_index=True)
        return cls(loaded, tokens, places.word[first])

    def decode(self, states: Singles, candidates: Numbers) -> Numbers:
        """Return the word of each state; see `Decoder`."""
        allowed = np.flatnonzero(np.isin(self.word_of, candidates))
        found = [
            self.logits(states[start : start + _TOGETHER])[:, self.tokens[allowed]].argmax(axis=1)
            for start in range(0, len(states), _TOGETHER)
        ]
        places = np.concatenate([np.zeros(0, np.int64), *found])
        words: Numbers = self.word_of[allowed[places]]
        return words

    def logits(self, states: Singles) -> Singles:
        """Return what the head says of states of the last layer.

        The model reads one token, whose state is then exchanged for the given ones: what stands
        behind the last layer is thus the model's own, whatever it is called.

        Args:
            states: The states. Shape (N, d).

        Returns:
            The logits of all tokens. Shape (N, V).
        """
        import torch

        given = torch.from_numpy(np.ascontiguousarray(states))[None].to(self.loaded.model.device)

        def exchange(module: Any, arguments: Any, output: Any) -> Any:
            output.last_hidden_state = given.to(output.last_hidden_state.dtype)
            return output

        hook = self.loaded.model.base_model.register_forward_hook(exchange)
        try:
            with self.loaded.scoring():
                output, _, _ = self.loaded.run([[int(self.tokens[0])]])
        finally:
            hook.remove()
        found: Singles = output.logits[0].float().cpu().numpy()
        return found


def share_kept(
    decoder: Decoder, states: Singles, words: Sequence[int] | Numbers, candidates: Numbers
) -> float:
    """Return the share of states that decode to their own word before anything is exchanged.

    Args:
        states: The states. Shape (N, d).
        words: The number of the word of each. Shape (N,).
        candidates: The words that they may be. Shape (C,).

    Returns:
        The share; far below 1, the decoder does not know the states, and neither will it know
        those that are exchanged.
    """
    return float((decoder.decode(states, candidates) == np.asarray(words)).mean())


def _units(vectors: Singles) -> Singles:
    """Return vectors with the length 1; those that are zero stay so."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return (vectors / np.where(lengths > 0, lengths, 1)).astype(np.float32)
