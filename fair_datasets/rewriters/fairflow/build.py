"""A lexicon from pairs of words and a corpus, step by step; each step is kept."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fair_datasets.rewriters.fairflow.attribute_flow import AttributeFlow
from fair_datasets.rewriters.fairflow.config import FairFlowConfig
from fair_datasets.rewriters.fairflow.review import (
    FoundLexicon,
    FoundPair,
    Proposal,
    count_votes,
    two_way,
)
from fair_datasets.rewriters.fairflow.states import (
    Corpus,
    Encoder,
    Halves,
    Occurrences,
    key_of,
    load_encoder,
    read_corpus,
    usual_spellings,
)
from fair_datasets.rewriters.fairflow.training import Selection, select_places, train_flow
from fair_datasets.rows.given import texts_of
from fair_datasets.scores.models import ScoringModel
from fair_datasets.system import interrupts
from fair_datasets.system.checks import InputError, caller_name
from fair_datasets.system.portable import portable_names

Singles = NDArray[np.float32]
Numbers = NDArray[np.int64]

_CHUNK_SIZE = 256


@dataclass(frozen=True)
class NearestDecoder:
    """The nearest mean state of a word, by the cosine from the mean of all words.

    Attributes:
        means: The mean state of each word, from the mean of all. Shape (V, d).
    """

    means: Singles
    center: Singles

    @classmethod
    def of(cls, states: Halves, places: Occurrences) -> "NearestDecoder":
        """Take the means of states; words without a state are never the nearest."""
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
        """Return the word of each state. Shape (N,).

        Args:
            candidates: The numbers of the words that it may be. Shape (C,).
        """
        known = self.means[candidates].T
        chunks = [
            ((states[start : start + _CHUNK_SIZE] - self.center) @ known).argmax(axis=1)
            for start in range(0, len(states), _CHUNK_SIZE)
        ]
        words: Numbers = candidates[np.concatenate([np.zeros(0, np.int64), *chunks])]
        return words


@dataclass(frozen=True)
class HeadDecoder:
    """The head of a masked language model, which finds the likeliest token for a state.

    Attributes:
        tokens: The tokens that are whole words in the corpus. Shape (K,).
        word_of: The number of the word of each. Shape (K,).
    """

    loaded: ScoringModel
    tokens: Numbers
    word_of: Numbers

    @classmethod
    def of(cls, loaded: ScoringModel, places: Occurrences) -> "HeadDecoder":
        """Note which tokens are words."""
        tokens, first = np.unique(places.token, return_index=True)
        return cls(loaded, tokens, places.word[first])

    def decode(self, states: Singles, candidates: Numbers) -> Numbers:
        """Return the word of each state; see `NearestDecoder`."""
        allowed = np.flatnonzero(np.isin(self.word_of, candidates))
        chunks = [
            self.logits(states[start : start + _CHUNK_SIZE])[:, self.tokens[allowed]].argmax(axis=1)
            for start in range(0, len(states), _CHUNK_SIZE)
        ]
        places = np.concatenate([np.zeros(0, np.int64), *chunks])
        words: Numbers = self.word_of[allowed[places]]
        return words

    def logits(self, states: Singles) -> Singles:
        """Return what the head says of states of the last layer. Shape (N, V).

        The model reads one token, whose state is then exchanged for the given ones: what stands
        behind the last layer is thus the model's own, whatever it is called.
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
        logits: Singles = output.logits[0].float().cpu().numpy()
        return logits


Decoder = NearestDecoder | HeadDecoder


def _units(vectors: Singles) -> Singles:
    """Return vectors with the length 1; those that are zero stay so."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return (vectors / np.where(lengths > 0, lengths, 1)).astype(np.float32)


_OF_THE_FLOW = ("attributes", "flow_epochs", "flow_rate", "batch_size", "blocks", "hidden_units",
                "hidden_layers", "factors", "estimate_factor_dims", "rho", "seed")  # fmt: skip
# A later round begins with so many pairs at most, which the first of these shares of the places of
# both words proposed; or, without any, the second.
_MOST_SURE, _SURE = 10, (0.9, 0.5)


@dataclass(frozen=True)
class LexiconBuild:
    """What `build_lexicon` made."""

    lexicon: FoundLexicon
    flow: AttributeFlow
    folder: Path
    figures: dict[str, Any]


def build_lexicon(config: FairFlowConfig, dataset: Any) -> LexiconBuild:
    """Find the words of two attributes and their counterparts, from a pair of words and a corpus.

    A classifier learns from the states of an encoder at the words of the pairs what tells the
    attributes apart, and names other places that carry them. An invertible flow learns to set that
    apart from all else in a state. Each place then proposes a counterpart: the word that its state
    becomes when it is given the other attribute. The majority of a word's places decides.

    With several rounds, the surest pairs join the given ones, and the classifier and the flow learn
    anew from all of them: what is peculiar to one pair, it then takes no longer for the attribute.
    The classifier then also learns what is of neither attribute: the words that were not kept, and
    do not stand in for those that were.

    All that is computed is kept in the work folder, and used again where the settings that it
    depends on are the same.

    Raises:
        InputError: A column is missing, the model cannot be used, a word of the pairs has too few
            places, no place passes the threshold, or the first round finds no pair.

    Source:
        Tokpo and Calders (2024), FairFlow.
    """
    texts = [text or "" for text in texts_of(dataset, config.columns, roles=config.roles)]
    with interrupts.defer_signals():
        encoder = load_encoder(str(config.model), config.decoder)
        corpus = read_corpus(config, texts, encoder)
        decoder = _decoder(encoder, corpus)
        built, concerned = _round(config, corpus, decoder, select_places(config, corpus))
        for _ in range(1, config.rounds):
            pairs = tuple(dict.fromkeys([*config.pairs, *surest(built.lexicon.pairs)]))
            if pairs == built.lexicon.given:
                break
            later = replace(config, pairs=pairs)
            try:
                built, concerned = _round(
                    later, corpus, decoder, select_places(later, corpus, concerned=concerned)
                )
            except _NoPairsError:
                break  # What the rounds before found stands.
    wanted = {
        word for pair in (*built.lexicon.pairs, *built.lexicon.proposals) for word in pair[:2]
    }
    spelt = usual_spellings(corpus.places, texts)
    spellings = {word: spelt[word] for word in sorted(wanted) if word in spelt}
    lexicon = replace(built.lexicon, given=config.pairs, spellings=spellings)  # type: ignore[arg-type]
    return replace(built, lexicon=lexicon)


class _NoPairsError(InputError):
    """No pair was found in a round."""


def surest(pairs: Sequence[FoundPair]) -> list[tuple[str, str]]:
    """Return the pairs that another round begins with: few, and those with the most votes.

    Returns:
        The word of the first attribute and that of the second, of pairs that hold in both
        directions with nearly all votes; without any, with half of them.
    """
    both = two_way(pairs)
    both.sort(key=lambda each: -min(pair.votes for pair in each))
    shares = [min(pair.votes / pair.places for pair in each) for each in both]
    for least in _SURE:
        sure = [one[:2] for (one, _), share in zip(both, shares, strict=True) if share >= least]
        if sure:
            return sure[:_MOST_SURE]
    return []


def _round(
    config: FairFlowConfig, corpus: Corpus, decoder: Decoder, selection: Selection
) -> tuple[LexiconBuild, NDArray[np.int64]]:
    """Find pairs from the places that were kept; return also the words that they concern."""
    states = corpus.states[selection.rows].astype(np.float32)
    flow, folder = _flow(config, selection, states)
    words = corpus.places.word[selection.rows]
    known = np.unique(corpus.places.word)
    candidates = [known, known]
    if config.candidates == "opposite":
        candidates = _opposites(words, selection.sides)
    votes = _decoded(decoder, flow.exchanged(states, selection.sides), selection.sides, candidates)
    undone = decoder.decode(states, known)
    pairs, proposals = _voted(config, corpus, selection, votes)
    figures = {
        "texts": len(corpus.texts),
        "places": len(corpus.places.word),
        "words": len(known),
        "pairs that all began with": len(config.pairs),
        "held-out accuracy": selection.accuracy,
        "logits at 1, 10, 50, 90, 99%": selection.quantiles,
        "threshold": selection.threshold,
        "threshold from": selection.rule,
        "kept places": tuple(np.bincount(selection.sides, minlength=2).tolist()),
        "kept words": len(np.unique(words)),
        "attribute's factor": flow.shape.factors[0],
        "inverse error": flow.inverse_error(states),
        "states that decode to their own word": float((undone == words).mean()),
        "states that keep their word": float((votes == words).mean()),
        "pairs": len(pairs),
        "pairs with too few votes": len(proposals),
    }
    lexicon = FoundLexicon(config.attributes, config.pairs, pairs, proposals=proposals)  # type: ignore[arg-type]
    return LexiconBuild(lexicon, flow, folder, figures), _concerned(words, votes)


def _concerned(words: NDArray[np.int64], votes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the words that were kept, and those that one of these proposes most often."""
    pairs, counts = np.unique(np.stack([words, votes]), axis=1, return_counts=True)
    most = np.zeros(len(np.bincount(words)), dtype=np.int64)
    np.maximum.at(most, pairs[0], counts)
    return np.union1d(words, pairs[1, counts == most[pairs[0]]])


def _flow(
    config: FairFlowConfig, selection: Selection, states: NDArray[np.float32]
) -> tuple[AttributeFlow, Path]:
    """Train the flow, or find it where it was trained before."""
    settings = config.settings()
    key = key_of("flow", selection.key, {name: settings[name] for name in _OF_THE_FLOW})
    folder = Path(config.work) / f"flow-{key}"
    # What the flow says of its making is published with it.
    named = portable_names([settings["model"]], {})
    provenance = {**settings, "model": named[settings["model"]]}
    return train_flow(config, states, selection.sides, folder, provenance)


def _decoder(encoder: Encoder, corpus: Corpus) -> Decoder:
    """Return what makes words of states."""
    if encoder.head is None:
        return NearestDecoder.of(corpus.states, corpus.places)
    return HeadDecoder.of(encoder.head, corpus.places)


def _opposites(words: NDArray[np.int64], sides: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    """Return for each side the words that were kept on the other side alone."""
    of = [np.unique(words[sides == side]) for side in (0, 1)]
    return [np.setdiff1d(of[1], of[0]), np.setdiff1d(of[0], of[1])]


def _decoded(
    decoder: Decoder,
    states: NDArray[np.float32],
    sides: NDArray[np.int64],
    candidates: list[NDArray[np.int64]],
) -> NDArray[np.int64]:
    """Return the word of each state; -1 where there is none that it may be."""
    words = np.full(len(states), -1)
    for side in (0, 1):
        if candidates[side].size:
            words[sides == side] = decoder.decode(states[sides == side], candidates[side])
    return words


def _voted(
    config: FairFlowConfig, corpus: Corpus, selection: Selection, votes: NDArray[np.int64]
) -> tuple[tuple[FoundPair, ...], tuple[FoundPair, ...]]:
    """Count the votes; return the pairs that have enough, and the others, with an example each."""
    words = corpus.places.words
    rows = zip(selection.rows, votes, selection.sides, selection.logits, strict=True)
    example: dict[tuple[str, str], int] = {}
    proposals = []
    for row, word, side, logit in rows:
        if word >= 0:
            each = Proposal(words[corpus.places.word[row]], words[word], int(side), float(logit))
            example.setdefault(each[:2], int(row))
            proposals.append(each)
    voted = [
        pair._replace(example=corpus.example(example[pair.original, pair.counterfactual]))
        for pair in count_votes(proposals, mutual=config.mutual)
    ]
    pairs = tuple(pair for pair in voted if pair.votes >= config.share * pair.places)
    if not pairs:
        count = len(np.unique(corpus.places.word[selection.rows]))
        raise _NoPairsError(
            f"{caller_name()}: no pairs were found among {count} words; give more texts, lower the "
            "threshold or share, train the flow for more epochs, or ask for no mutual votes."
        )
    return pairs, tuple(pair for pair in voted if pair not in pairs)
