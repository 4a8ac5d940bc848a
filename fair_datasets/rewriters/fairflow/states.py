"""The encoder of FairFlow, the words of a corpus, and its states there: computed once and kept."""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fair_datasets.rewriters.fairflow.config import FairFlowConfig
from fair_datasets.rows import draws
from fair_datasets.scores.bias.states import token_spans
from fair_datasets.scores.models import ScoringModel, batches_by_length, load_model
from fair_datasets.scores.probes.head import version_of
from fair_datasets.scores.probes.probe import probe_files
from fair_datasets.system import interrupts
from fair_datasets.system.checks import InputError, counted, invalid, warn
from fair_datasets.system.files import write_file
from fair_datasets.system.portable import file_digests
from fair_datasets.system.pretrained import read_config, translate_load_errors
from fair_datasets.system.resume import write_atomically

if TYPE_CHECKING:
    import torch


Halves = NDArray[np.float16]
Integers = NDArray[np.int64]

# A run of letters that no other letter or digit touches.
_WORD = re.compile(r"(?<![^\W_])[^\W\d_]+(?![^\W_])")
# What stands behind an apostrophe in English and is no word of its own: "she's", "don't".
_CLITICS = frozenset({"s", "t", "m", "d", "ll", "re", "ve"})
_APOSTROPHES = ("'", "’")
_NOT = re.compile(r"['’][tT](?![^\W_])")
_CHUNK_SIZE = 2048
# A name may be in lower case now and then.
_MOSTLY = 50


@dataclass(frozen=True)
class Occurrences:
    """Places of words in the texts of a corpus, in the order of the texts.

    Attributes:
        first: The place of the word's first token in the text. Shape (N,).
        start: Where the word begins in the text, in characters. Shape (N,).
        token: The id of its first token. Shape (N,).
    """

    words: list[str]
    word: Integers
    text: Integers
    first: Integers
    pieces: Integers
    start: Integers
    end: Integers
    token: Integers

    @property
    def columns(self) -> tuple[Integers, ...]:
        """All arrays, in the order of the attributes."""
        return (self.word, self.text, self.first, self.pieces, self.start, self.end, self.token)

    def at(self, rows: Integers) -> "Occurrences":
        """Return some of the places, in the order given."""
        return Occurrences(self.words, *(column[rows] for column in self.columns))

    def counts(self) -> dict[str, int]:
        """Count the places of each word."""
        counts = np.bincount(self.word, minlength=len(self.words)).tolist()
        return dict(zip(self.words, counts, strict=True))


def find_occurrences(
    texts: Sequence[str], loaded: ScoringModel, *, max_length: int, most_pieces: int
) -> Occurrences:
    """Find the words of texts whose tokens a model reads whole.

    Tokens that cover a whole word count, so that neither pieces of words nor special tokens do,
    whatever the tokenizer calls them. Words with digits are left out.
    """
    from datasets.utils import tqdm

    numbers: dict[str, int] = {}
    rows: list[list[int]] = []
    columns: list[Integers] = [np.zeros((0, 7), np.int64)]
    with tqdm(total=len(texts), desc="Finding words") as progress:
        for begin in range(0, len(texts), _CHUNK_SIZE):
            interrupts.raise_if_interrupted()
            some = texts[begin : begin + _CHUNK_SIZE]
            encoded = token_spans(loaded, some, max_length)
            for row, (text, tokens) in enumerate(zip(some, encoded, strict=True), start=begin):
                for word, *place in _words(text, *tokens, loaded.tokenizer.unk_token_id):
                    if place[1] <= most_pieces:
                        number = numbers.setdefault(word, len(numbers))
                        rows.append([number, row, *place])
            columns.append(np.array(rows, np.int64).reshape(-1, 7))
            rows.clear()
            progress.update(len(some))
    return Occurrences(list(numbers), *np.concatenate(columns).T)


def chosen_occurrences(
    places: Occurrences, most: Mapping[str, int], *, others: int, fewest: int, seed: int
) -> Occurrences:
    """Choose so many places of each word at most, by chance.

    Args:
        fewest: How many places a word must have, so that any is chosen.
    """
    counts = np.bincount(places.word, minlength=len(places.words))
    limits = np.array([most.get(word, others) for word in places.words], dtype=np.int64)
    limits[counts < fewest] = 0
    return places.at(np.flatnonzero(drawn_ranks(places.word, seed) < limits[places.word]))


def drawn_ranks(words: Integers, seed: int) -> Integers:
    """Put the places of each word into an order by chance.

    Returns:
        The rank of each place among those of its word, from 0. Shape (N,).

    Example:
        >>> sorted(zip([3, 5, 3], drawn_ranks(np.array([3, 5, 3]), 0).tolist()))
        [(3, 0), (3, 1), (5, 0)]
    """
    order = np.lexsort((np.random.default_rng(seed).permutation(len(words)), words))
    _, counts = np.unique(words, return_counts=True)
    ranks = np.empty_like(order)
    ranks[order] = np.arange(len(order)) - np.repeat(np.cumsum(counts) - counts, counts)
    return ranks


def usual_spellings(places: Occurrences, texts: Sequence[str]) -> dict[str, str]:
    """Return how words are written that never stand in lower case, such as "Mary".

    Returns:
        Word to its most frequent spelling; at most one place in 50 is in lower case.

    Example:
        >>> word, text, start = np.array([0, 0]), np.array([0, 1]), np.array([4, 0])
        >>> places = Occurrences(["mary"], word, text, word, word, start, start + 4, word)
        >>> usual_spellings(places, ["And Mary", "Mary"])
        {'mary': 'Mary'}
    """
    written: dict[str, Counter[str]] = {}
    columns = (column.tolist() for column in (places.word, places.text, places.start, places.end))
    for number, row, start, end in zip(*columns, strict=True):
        written.setdefault(places.words[number], Counter())[texts[row][start:end]] += 1
    return {
        word: max(each, key=each.__getitem__)
        for word, each in written.items()
        if each[word] * _MOSTLY < each.total()
    }


def _words(
    text: str, ids: list[int], spans: Integers, is_selected: NDArray[np.bool_], unknown: int | None
) -> Iterator[tuple[str, int, int, int, int, int]]:
    """Yield each word that tokens cover, and the rest of its columns."""
    begins: dict[int, int] = {}
    ends: dict[int, int] = {}
    for place, (start, end) in enumerate(spans.tolist()):
        if is_selected[place] and ids[place] != unknown:
            # Some tokenizers count the space before a word to it.
            while start < end and text[start].isspace():
                start += 1
            begins.setdefault(start, place)
            ends[end] = place
    for match in _WORD.finditer(text):
        start, end = match.span()
        word = match[0].lower()
        # Of one letter lower case makes a letter and a mark ("İ").
        is_word = word.isalpha() and not _is_clitic(text, start, end)
        if is_word and start in begins and end in ends:
            first = begins[start]
            yield word, first, ends[end] - first + 1, start, end, ids[first]


def _is_clitic(text: str, start: int, end: int) -> bool:
    """Whether a run of letters is one of the two parts of "don't", or the "s" of "she's"."""
    if (
        text[max(start - 1, 0) : start] in _APOSTROPHES
        and text[max(start - 2, 0) : start - 1].isalpha()
    ):
        return text[start:end].lower() in _CLITICS
    return _NOT.match(text, end) is not None


@dataclass(frozen=True)
class Encoder:
    """A frozen encoder.

    Attributes:
        version: What tells it from others: the digests of its files, or its commit on the Hub.
    """

    states: ScoringModel
    head: ScoringModel | None
    version: str

    @property
    def width(self) -> int:
        """How many numbers a state has."""
        return int(self.states.model.config.get_text_config().hidden_size)


def load_encoder(model: str, decoder: str) -> Encoder:
    """Load an encoder.

    Args:
        decoder: `head` for a masked language model, `nearest` for any encoder, `auto` for the first
            where the model is one.
    """
    # The names of the files alone: a folder may be moved.
    files = probe_files(model)
    digests = file_digests({path.name: path for path in files.values()})
    head = None
    says_so = _says_it_has_a_head(model)
    if decoder == "head" or (decoder == "auto" and says_so):
        head = load_model(model, "masked")
        states = replace(head, model=head.model.base_model)
    else:
        states = load_model(model, "encoder")
    encoder = Encoder(states, head, version_of(model, digests))
    if encoder.width % 2:
        raise invalid(
            f"the states of {model!r} have {encoder.width} numbers, which is odd, but the "
            "flow halves them; choose an encoder of even width."
        )
    return encoder


def _says_it_has_a_head(model: str) -> bool:
    """Whether a model's configuration says that it predicts masked tokens."""
    with translate_load_errors(model, what="encoder"):
        config = read_config(model)
    kinds = config.architectures or []
    return any(kind.endswith(("ForMaskedLM", "ForPreTraining")) for kind in kinds)


_FILE, _DONE = "states.npy", "states.done"
_BATCH = 64


def word_states(
    texts: Sequence[str],
    places: Occurrences,
    loaded: ScoringModel,
    folder: Path,
    *,
    max_length: int,
) -> Halves:
    """Compute the state of each word, the mean over its tokens, in batches of similar length.

    They are kept in half precision in a file, of which the memory holds what is looked at. An
    interrupted call goes on where it stopped.

    Returns:
        The states, mapped from the file. Shape (N, d).
    """
    from datasets.utils import tqdm

    folder.mkdir(parents=True, exist_ok=True)
    path, progress_file = folder / _FILE, folder / _DONE
    width = int(loaded.model.config.get_text_config().hidden_size)
    shape = (len(places.word), width)
    done = int(progress_file.read_text()) if path.is_file() and progress_file.is_file() else 0
    if done and not _is_whole(path, shape):
        warn(f"the states in {str(path)!r} are incomplete; they are computed again.")
        done = 0
    mode: Any = "r+" if done else "w+"
    states = np.lib.format.open_memmap(path, mode=mode, dtype=np.float16, shape=shape)
    read = np.unique(places.text)
    with tqdm(total=len(read), initial=done, desc="Reading texts", unit="text") as progress:
        for start in range(done, len(read), _CHUNK_SIZE):
            interrupts.raise_if_interrupted()
            rows = read[start : start + _CHUNK_SIZE]
            low, high = np.searchsorted(places.text, [rows[0], rows[-1] + 1])
            some = places.at(np.arange(low, high))
            _read_some(texts, rows, some, loaded, max_length, states[low:high])
            states.flush()
            write_file(progress_file, str(start + len(rows)).encode())
            progress.update(len(rows))
    cached: Halves = np.load(path, mmap_mode="r")
    return cached


def _is_whole(path: Path, shape: tuple[int, int]) -> bool:
    """Whether a file holds states of a shape, as far as its size says."""
    try:
        return bool(np.load(path, mmap_mode="r").shape == shape)
    except (ValueError, EOFError):
        return False


def _read_some(
    texts: Sequence[str],
    rows: NDArray[np.int64],
    places: Occurrences,
    loaded: ScoringModel,
    max_length: int,
    out: Halves,
) -> None:
    """Write the states of the words of some texts."""
    encoded = [ids for ids, _, _ in token_spans(loaded, [texts[row] for row in rows], max_length)]
    bounds = np.searchsorted(places.text, [*rows, rows[-1] + 1])
    with loaded.scoring():
        for batch in batches_by_length([len(ids) for ids in encoded], _BATCH, None):
            interrupts.raise_if_interrupted()
            output, _, _ = loaded.run([encoded[row] for row in batch])
            hidden = output.last_hidden_state.float()
            wanted = np.concatenate([np.arange(bounds[row], bounds[row + 1]) for row in batch])
            row_of = np.repeat(np.arange(len(batch)), bounds[batch + 1] - bounds[batch])
            means = _means(hidden, row_of, places.first[wanted], places.pieces[wanted])
            with np.errstate(over="ignore"):
                out[wanted] = means.cpu().numpy().astype(np.float16)
            if not np.isfinite(out[wanted]).all():
                raise invalid(
                    "the encoder's states are not finite in half precision; its "
                    "training may have diverged, so choose another."
                )


def _means(
    hidden: "torch.Tensor",
    rows: NDArray[np.int64],
    first: NDArray[np.int64],
    pieces: NDArray[np.int64],
) -> "torch.Tensor":
    """Return the mean of the states of each word's tokens. Shape (W, d)."""
    import torch

    row, place = torch.from_numpy(rows), torch.from_numpy(first)
    total = hidden[row, place].clone()
    for piece in range(1, int(pieces.max(initial=1))):
        has_it = torch.from_numpy(np.flatnonzero(pieces > piece))
        total[has_it] += hidden[row[has_it], place[has_it] + piece]
    return total / torch.from_numpy(pieces).to(total)[:, None]


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
    """Find the words of texts, choose places of each, and compute the states at them."""
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
        write_atomically(folder, lambda unfinished: _save(places, unfinished))
    places = _load(folder)
    states = word_states(texts, places, encoder.states, folder, max_length=config.max_length)
    return Corpus(texts, places, states, key)


def _choose(
    config: FairFlowConfig, texts: Sequence[str], encoder: Encoder, pieces: int
) -> Occurrences:
    """Find the places of words and choose some of each."""
    places = find_occurrences(
        texts, encoder.states, max_length=config.max_length, most_pieces=pieces
    )
    counts = places.counts()
    for word in (word for pair in config.pairs for word in pair):
        if counts.get(word, 0) < config.fewest:
            raise _too_few(config, encoder, word, counts.get(word, 0), texts)
    most = {word: config.pair_occurrences for pair in config.pairs for word in pair}
    return chosen_occurrences(
        places, most, others=config.candidates_per_word, fewest=config.fewest, seed=config.seed
    )


def _too_few(
    config: FairFlowConfig, encoder: Encoder, word: str, count: int, texts: Sequence[str]
) -> InputError:
    """Return the error that a word of the pairs cannot be learnt from."""
    tokens = encoder.states.tokenizer.tokenize(word)
    if encoder.head is not None and len(tokens) > 1:
        return invalid(
            f"{word!r} has {len(tokens)} tokens in {config.model!r} "
            f"({' '.join(tokens)}), but its head predicts words of one token; choose another "
            "pair, or decoder='nearest' (--decoder nearest)."
        )
    return invalid(
        f"{word!r} stands {counted(count, 'time')} in the {counted(len(texts), 'text')} of "
        f"{', '.join(map(repr, config.columns))}, but at least {config.fewest} are needed; check "
        "the column, give more texts or another pair, or lower fewest (--fewest)."
    )


def _save(places: Occurrences, folder: Path) -> None:
    (folder / _WORDS_FILE).write_text(
        json.dumps(places.words, ensure_ascii=False), encoding="utf-8", errors="surrogatepass"
    )
    np.save(folder / _PLACES_FILE, np.stack(places.columns))


def _load(folder: Path) -> Occurrences:
    """Read the places that were kept."""
    words = json.loads((folder / _WORDS_FILE).read_text(encoding="utf-8", errors="surrogatepass"))
    return Occurrences(words, *np.load(folder / _PLACES_FILE))
