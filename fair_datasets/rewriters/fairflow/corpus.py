"""The corpus as a lexicon's making sees it: places of words, and the states at them."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from fair_datasets.rewriters.fairflow.config import FairFlowConfig
from fair_datasets.rewriters.fairflow.states import (
    OWNER,
    Encoder,
    Halves,
    Occurrences,
    chosen_occurrences,
    find_occurrences,
    word_states,
)
from fair_datasets.rows import draws
from fair_datasets.scores.resuming import write_whole
from fair_datasets.system.checks import InputError

# A run of letters that no other letter or digit touches.
# What stands behind an apostrophe in English and is no word of its own: "she's", "don't".
# A name may be in lower case now and then.


# How many tokens a word has at most where no head has to predict it.
_MOST_PIECES = 8
_WORDS_FILE, _PLACES_FILE = "words.json", "places.npy"
_AROUND = 40


@dataclass(frozen=True)
class Corpus:
    """Places of words in texts, and the states of an encoder at them.

    Attributes:
        states: The states, mapped from the disk. Shape (N, d).
    """

    texts: Sequence[str]
    places: Occurrences
    states: Halves
    key: str

    def example(self, row: int) -> str:
        """Return a place in its text, on one line."""
        text = self.texts[self.places.text[row]]
        start, end = int(self.places.start[row]), int(self.places.end[row])
        before, after = text[max(start - _AROUND, 0) : start], text[end : end + _AROUND]
        return " ".join(f"… {before}[{text[start:end]}]{after} …".split())


def key_of(*parts: Any) -> str:
    """Return what stands for settings and what they are applied to.

    Example:
        >>> key_of("states", {"seed": 0}) == key_of("states", {"seed": 1})
        False
    """
    text = json.dumps(parts, ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()[:12]


def read_corpus(config: FairFlowConfig, texts: Sequence[str], encoder: Encoder) -> Corpus:
    """Find the words of texts, choose places of each, and compute the states at them.

    Returns:
        The corpus; what it holds is kept in the work folder.
    """
    digest = hashlib.sha256()
    for text in texts:
        digest.update(draws.row_key((text,)).encode())
    pieces = _MOST_PIECES if encoder.head is None else 1
    key = key_of(
        "states", digest.hexdigest(), encoder.version, pieces, config.max_length, config.fewest,
        sorted({word for pair in config.pairs for word in pair}), config.pair_occurrences,
        config.candidates_per_word, config.seed,
    )  # fmt: skip
    folder = Path(config.work) / f"states-{key}"
    if not (folder / _PLACES_FILE).is_file():
        places = _choose(config, texts, encoder, pieces)
        write_whole(folder, lambda unfinished: _save(places, unfinished))
    places = _load(folder)
    states = word_states(texts, places, encoder.states, folder, max_length=config.max_length)
    return Corpus(texts, places, states, key)


def _choose(
    config: FairFlowConfig, texts: Sequence[str], encoder: Encoder, pieces: int
) -> Occurrences:
    """Find the places of words and choose some of each."""
    found = find_occurrences(
        texts, encoder.states, max_length=config.max_length, most_pieces=pieces
    )
    counts = found.counts()
    for word in (word for pair in config.pairs for word in pair):
        if counts.get(word, 0) < config.fewest:
            raise _too_few(config, encoder, word, counts.get(word, 0), texts)
    most = {word: config.pair_occurrences for pair in config.pairs for word in pair}
    return chosen_occurrences(
        found, most, others=config.candidates_per_word, fewest=config.fewest, seed=config.seed
    )


def _too_few(
    config: FairFlowConfig, encoder: Encoder, word: str, count: int, texts: Sequence[str]
) -> InputError:
    """Say why a word of the pairs cannot be learnt from."""
    tokens = encoder.states.tokenizer.tokenize(word)
    if encoder.head is not None and len(tokens) > 1:
        return InputError(
            f"{OWNER}: {word!r} has {len(tokens)} tokens in {config.model!r} "
            f"({' '.join(tokens)}), but its head predicts words of one token; choose another "
            "pair, or decoder='nearest' (--decoder nearest)."
        )
    return InputError(
        f"{OWNER}: {word!r} stands {count} times in the {len(texts):,} texts of "
        f"{', '.join(map(repr, config.columns))}, but at least {config.fewest} times are needed; "
        "check the column, give more texts or another pair, or lower fewest (--fewest)."
    )


def _save(places: Occurrences, folder: Path) -> None:
    """Write places into a folder."""
    (folder / _WORDS_FILE).write_text(
        json.dumps(places.words, ensure_ascii=False), encoding="utf-8", errors="surrogatepass"
    )
    np.save(folder / _PLACES_FILE, np.stack(places.columns))


def _load(folder: Path) -> Occurrences:
    """Read the places that were kept."""
    words = json.loads((folder / _WORDS_FILE).read_text(encoding="utf-8", errors="surrogatepass"))
    return Occurrences(words, *np.load(folder / _PLACES_FILE))
