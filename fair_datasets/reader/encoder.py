"""A token classifier with the tags of the reader, from a folder or the Hub."""

import re
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fair_datasets.reader.matching.token_batch import Places, TokenBatch
from fair_datasets.reader.matching.tokenizer import Tokens
from fair_datasets.reader.tags import CASES, FIRST_SENSE, NONE, PRONOUNS, TAGS, THING, Tagged
from fair_datasets.system.checks import caller_name, invalid, require
from fair_datasets.system.pretrained import (
    on_gpu,
    positions_of,
    read_network,
    read_tokenizer,
    refuse_lost_gpu,
    refuse_no_numbers,
    translate_load_errors,
)

Integers = NDArray[np.int64]
CASED = "case_as_token_type"
"""What the config.json of a model is to hold if its token types say how words are written."""
_TITLE, _UPPER = 1, 2
TYPES = 3
"""How many token types such a model has."""
# Half of a character is none to a tokenizer.
_HALF = re.compile("[\ud800-\udfff]")


class Encoded(NamedTuple):
    """A text, or a part of one, as a token classifier reads it.

    Attributes:
        pieces: The numbers of the pieces, with those that begin and end a text. Shape (P,).
        types: How the word of each is written: 0 in small letters, 1 with a capital first, 2 in
            capitals. Shape (P,).
        words: The words that are decided here, by their number in the text. Shape (W,).
        firsts: The first piece of each. Shape (W,).
    """

    pieces: list[int]
    types: list[int]
    words: Integers
    firsts: Integers


def encoded(tokenizer: Any, texts: Sequence[Tokens], longest: int) -> Iterator[list[Encoded]]:
    """Divide texts into pieces, and those that are too long for a model into windows.

    Windows overlap by half, and each word is decided by the one whose centre is nearest.

    Yields:
        The windows of each text, which mostly are one.
    """
    encoding = tokenizer(
        [_HALF.sub("\ufffd", tokens.text) for tokens in texts], add_special_tokens=False,
        return_offsets_mapping=True, return_attention_mask=False, return_token_type_ids=False,
        verbose=False,
    )  # fmt: skip
    begin, end = _around(tokenizer)
    size = longest - len(begin) - len(end)
    for tokens, ids, offsets in zip(
        texts, encoding["input_ids"], encoding["offset_mapping"], strict=True
    ):
        firsts, types = _aligned(tokens, offsets)
        windows = []
        for start, stop, low, high in _windows(len(ids), size):
            words = np.flatnonzero((firsts >= low) & (firsts < high))
            pieces = [*begin, *ids[start:stop], *end]
            kinds = [0] * len(begin) + types[start:stop] + [0] * len(end)
            windows.append(Encoded(pieces, kinds, words, firsts[words] - start + len(begin)))
        yield windows


def _around(tokenizer: Any) -> tuple[list[int], list[int]]:
    """Return what a tokenizer writes before and behind a text."""
    whole = tokenizer("a")["input_ids"]
    inner = tokenizer("a", add_special_tokens=False)["input_ids"]
    begin = next(k for k in range(len(whole)) if whole[k : k + len(inner)] == inner)
    return whole[:begin], whole[begin + len(inner) :]


def _windows(count: int, size: int) -> Iterator[tuple[int, int, int, int]]:
    """Yield where each window begins and stops, and of which pieces its centre is the nearest."""
    if count <= size:
        yield 0, count, 0, count
        return
    starts = [*range(0, count - size, max(1, size // 2)), count - size]
    centres = [start + size // 2 for start in starts]
    between = [(one + two) // 2 for one, two in pairwise(centres)]
    for start, low, high in zip(starts, [0, *between], [*between, count], strict=True):
        yield start, start + size, low, high


def _aligned(tokens: Tokens, offsets: Sequence[tuple[int, int]]) -> tuple[Integers, list[int]]:
    """Return the first piece of each word (-1 for none), and how the word of each is written."""
    if not offsets or not tokens.starts:
        return np.full(len(tokens.starts), -1), [0] * len(offsets)
    places = np.array(offsets, np.int64)
    starts = np.array(tokens.starts, np.int64)
    ends = starts + np.fromiter(map(len, tokens.lower), np.int64, len(starts))
    firsts = np.searchsorted(places[:, 1], starts, side="right")
    is_in = (firsts < len(places)) & (places[np.minimum(firsts, len(places) - 1), 0] < ends)
    owner = np.maximum(np.searchsorted(starts, places[:, 0], side="right") - 1, 0)
    kinds = np.array([_kind(word) for word in tokens.words])
    types = np.where(
        (places[:, 0] >= starts[owner]) & (places[:, 0] < ends[owner]), kinds[owner], 0
    )
    return np.where(is_in, firsts, -1), types.tolist()


def _kind(word: str) -> int:
    """Return how a word is written."""
    if not word[0].isupper():
        return 0
    return _UPPER if len(word) > 1 and word.isupper() else _TITLE


_AT_ONCE, _MOST, _LEAST = 64, 512, 16
_ADVICE = "train one with `fair-datasets train reader`"
_TINY = np.finfo(np.float64).tiny
_IS_CASE = np.array([bool(CASES >> tag & 1) for tag in range(FIRST_SENSE)])


class Encoder:
    """A token classifier that tags words.

    Args:
        network: The classifier, whose classes are the tags.
        tokenizer: Its tokenizer, which tells where its pieces stand in the text.
    """

    def __init__(self, network: Any, tokenizer: Any) -> None:
        """Hold the classifier."""
        self.network, self.tokenizer = network.eval(), tokenizer
        config = network.config
        self._tags = [int(config.label2id[tag]) for tag in TAGS]
        self._reads_case = bool(getattr(config, CASED, False))
        self.longest = min(_MOST, positions_of(network) or _MOST)
        # Names, pronouns and senses of a batch are asked for one after the other.
        self._cached: tuple[TokenBatch | None, dict[int, NDArray[np.float64]]] = (None, {})

    @classmethod
    def load(cls, name: str, *, revision: str | None = None) -> "Encoder":
        """Read a token classifier.

        Args:
            name: A folder or a Hub id.
            revision: The branch, tag or commit on the Hub.

        Returns:
            The reader, on a GPU if there is one.

        Raises:
            InputError: It cannot be found or read, has no safetensors, or other tags.
            MissingExtraError: torch or transformers is not installed.
        """
        require("models", owner=f"{caller_name()}: reader={name!r}")
        import torch

        with translate_load_errors(name, what="token classifier"):
            tokenizer = read_tokenizer(name, revision=revision, model_max_length=10**6)
            network, report = read_network(
                "AutoModelForTokenClassification", name, revision=revision, dtype=torch.float32,
                output_loading_info=True,
            )  # fmt: skip
        _refuse_other(name, network, tokenizer, sorted(report["missing_keys"]))
        refuse_no_numbers(network.state_dict(), name)
        return cls(on_gpu(network, name), tokenizer)

    def tags(self, words: TokenBatch, places: Places) -> Tagged:
        """Tag some words of texts, as `Reader.tags` says."""
        if not len(places):
            return Tagged(places, np.zeros(0, np.int8), np.zeros((0, len(TAGS))))
        several, inverse = np.unique(words.owner[places], return_inverse=True)
        shares = self._of_texts(words, several.tolist())
        sizes = [len(each) for each in shares]
        begins = np.cumsum([0, *sizes[:-1]])
        rows = begins[inverse] + places - words.first[words.owner[places]]
        probabilities = np.concatenate(shares)[rows]
        tags = probabilities[:, :FIRST_SENSE].argmax(axis=1).astype(np.int8)
        return Tagged(places, tags, probabilities)

    def _of_texts(self, words: TokenBatch, texts: Sequence[int]) -> list[NDArray[np.float64]]:
        """Return the probabilities of the tags of all words of texts, which are read once each."""
        asked, cached = self._cached
        if asked is not words:
            cached = {}
            self._cached = words, cached
        if new := [text for text in texts if text not in cached]:
            cached.update(zip(new, self.shares([words.tokens(text) for text in new]), strict=True))
        return [cached[text] for text in texts]

    def shares(self, texts: Sequence[Tokens]) -> Iterator[NDArray[np.float64]]:
        """Yield the probabilities of the tags of all words.

        Yields:
            Those of each text. Shape (words, 16).
        """
        windows = [*encoded(self.tokenizer, texts, self.longest)]
        several = [(text, each) for text, part in enumerate(windows) for each in part]
        logits = [np.full((len(tokens.starts), len(TAGS)), -np.inf) for tokens in texts]
        order = sorted(range(len(several)), key=lambda k: len(several[k][1].pieces))
        for begin in range(0, len(order), _AT_ONCE):
            batch = [several[k] for k in order[begin : begin + _AT_ONCE]]
            part = self._logits([each for _, each in batch])
            for (text, each), own in zip(batch, part, strict=True):
                logits[text][each.words] = own[each.firsts]
        for tokens, own in zip(texts, logits, strict=True):
            yield _shares(tokens, own)

    def _logits(self, windows: Sequence[Encoded]) -> NDArray[np.float64]:
        """Return the logits of the tags for the pieces of windows. Shape (windows, P, 16)."""
        import torch

        inputs = padded(windows, self.tokenizer.pad_token_id or 0)
        if not self._reads_case:
            inputs.pop("token_type_ids")
        device = self.network.device
        if device.type == "cuda":
            refuse_lost_gpu()
        with torch.inference_mode(), precision(device.type):
            logits = self.network(**{name: each.to(device) for name, each in inputs.items()}).logits
        array = logits.float().cpu().numpy().astype(np.float64)[:, :, self._tags]
        return np.asarray(array)


def padded(windows: Sequence[Encoded], padding: int) -> dict[str, Any]:
    """Put windows together as what a network reads.

    Returns:
        The inputs, each of shape (windows, the most pieces of one).
    """
    import torch

    longest = max(len(each.pieces) for each in windows)
    ids = torch.full((len(windows), longest), padding)
    types, mask = torch.zeros_like(ids), torch.zeros_like(ids)
    for number, each in enumerate(windows):
        ids[number, : len(each.pieces)] = torch.tensor(each.pieces)
        types[number, : len(each.pieces)] = torch.tensor(each.types)
        mask[number, : len(each.pieces)] = 1
    return {"input_ids": ids, "token_type_ids": types, "attention_mask": mask}


def precision(device: str) -> AbstractContextManager[Any]:
    """Compute in bfloat16 where the machine has it."""
    import torch

    if device == "cuda":
        has_it = torch.cuda.is_bf16_supported()
    else:
        has_it = bool(torch.cpu._is_avx512_bf16_supported())
    return torch.autocast(device, torch.bfloat16) if has_it else nullcontext()


def _shares(tokens: Tokens, logits: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the probabilities of tags; a word that the tokenizer leaves out is nothing."""
    is_pronoun = np.array([word in PRONOUNS for word in tokens.lower], np.bool_)
    names = np.where(is_pronoun[:, None] == _IS_CASE, logits[:, :FIRST_SENSE], -np.inf)
    senses = logits[:, FIRST_SENSE:]
    return np.concatenate([_softmax(names, NONE), _softmax(senses, THING - FIRST_SENSE)], axis=1)


def _softmax(logits: NDArray[np.float64], nothing: int) -> NDArray[np.float64]:
    """Return the probabilities of tags of which a word has one."""
    logits = logits.copy()
    logits[np.isneginf(logits).all(axis=1), nothing] = 0.0
    weights = np.exp(logits - logits.max(axis=1, keepdims=True, initial=-np.inf))
    scaled: NDArray[np.float64] = weights / np.maximum(weights.sum(axis=1, keepdims=True), _TINY)
    return scaled


def _refuse_other(name: str, network: Any, tokenizer: Any, missing: Sequence[str]) -> None:
    """Raise unless a model has the tags and its own weights, and its tokenizer tells places."""
    if missing:
        raise invalid(
            f"the weights of {name!r} lack {missing[0]!r}, which a token classifier "
            "needs; give one that is trained."
        )
    config = network.config
    others = sorted(set(config.label2id) ^ set(TAGS))
    if others:
        raise invalid(
            f"the tags of {name!r} must be {', '.join(TAGS)}, but {others[0]!r} is "
            f"only in one of the two lists; {_ADVICE}."
        )
    if sorted(map(str, config.label2id.values())) != sorted(map(str, range(len(TAGS)))):
        raise invalid(
            f"by its label2id, {name!r} does not number its tags from 0 to "
            f"{len(TAGS) - 1}, each once; {_ADVICE}."
        )
    if not tokenizer.is_fast:
        raise invalid(
            f"the tokenizer of {name!r} does not say where its pieces stand in a text; "
            "give a model with a fast tokenizer."
        )
    pieces, known = len(tokenizer), network.get_input_embeddings().num_embeddings
    if pieces > known:
        raise invalid(
            f"the tokenizer of {name!r} has {pieces:,} pieces, but its weights are for "
            f"{known:,}; give the tokenizer that it was trained with."
        )
    positions = positions_of(network) or _LEAST
    if positions < _LEAST:
        raise invalid(
            f"{name!r} reads {positions} pieces of a text at once, but a reader needs at "
            f"least {_LEAST}; {_ADVICE}."
        )
    types = getattr(config, "type_vocab_size", TYPES)
    if getattr(config, CASED, False) and types < TYPES:
        raise invalid(
            f"by its config.json, {name!r} reads letter case by {TYPES} token types "
            f"({CASED}), but it has {types}; {_ADVICE}."
        )
    encodings = tokenizer(list(PRONOUNS), add_special_tokens=False)["input_ids"]
    if all(tokenizer.unk_token_id in ids for ids in encodings):
        raise invalid(
            f"the tokenizer of {name!r} knows none of {', '.join(map(repr, PRONOUNS))}; "
            "give a model of English."
        )
