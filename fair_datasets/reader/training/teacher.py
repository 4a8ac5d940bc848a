"""The teacher, an encoder that is fine-tuned to tag words, and what it tells the student to say.

Where people have tagged a word, the student is to say what they did.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fair_datasets.lexicons import load_lexicon
from fair_datasets.reader.encoder import CASED, TYPES, Encoded, Encoder, encoded, padded
from fair_datasets.reader.matching.tokens import Tokens, tokenize
from fair_datasets.reader.tags import (
    BITS,
    CASES,
    FAMILY,
    FIRST_SENSE,
    GIVEN,
    NAMES,
    PRONOUNS,
    SENSES,
    TAGS,
    holds,
)
from fair_datasets.reader.training.gold import NameCounts
from fair_datasets.reader.training.rows import Row, lower_cased
from fair_datasets.reader.training.student import STATE, fit
from fair_datasets.system.checks import require
from fair_datasets.system.steps import Steps

require("models", owner="The training of a reader")

import torch  # noqa: E402

_FOREVER = -1e4


class TeacherConfig(NamedTuple):
    """How a teacher is trained.

    Attributes:
        base: A folder or the Hub id of an encoder.
        epochs: How often each row is seen.
        batch_size: How many rows a step has.
        learning_rate: The highest step of the optimizer, which falls to zero.
        lower_case: The share of rows that are read in lower case.
        longest: How many pieces of a row are read at most.
        seed: The seed of all draws.
    """

    base: str
    epochs: int = 2
    batch_size: int = 32
    learning_rate: float = 2e-4
    lower_case: float = 0.05
    longest: int = 160
    seed: int = 0


def train_teacher(rows: Sequence[Row], config: TeacherConfig, out: Path) -> None:
    """Fine-tune a teacher, from the last epoch on that an earlier run finished.

    Args:
        out: The folder to write; what is kept between two runs lies there as well.
    """
    torch.manual_seed(config.seed)
    network, tokenizer = base_network(config.base)
    network.to("cuda" if torch.cuda.is_available() else "cpu")
    optimizer = torch.optim.AdamW(network.parameters(), config.learning_rate, fused=True)

    def losses(epoch: int) -> Iterator[Any]:
        network.train()
        for batch in batches(rows, tokenizer, config, epoch):
            yield _step(network, batch)

    fit(network, optimizer, losses, config, len(rows), out, "Training the teacher", warmup=10)
    network.save_pretrained(out)
    tokenizer.save_pretrained(out)
    (out / STATE).unlink()


def base_network(base: str) -> tuple[Any, Any]:
    """Read an encoder as a token classifier whose token types say how words are written.

    Args:
        base: A folder or a Hub id.
    """
    from fair_datasets.system.pretrained import read_network, read_tokenizer

    tags = dict(enumerate(TAGS))
    network = read_network(
        "AutoModelForTokenClassification", base, dtype=torch.float32, ignore_mismatched_sizes=True,
        id2label=tags, label2id={tag: number for number, tag in tags.items()},
    )  # fmt: skip
    embeddings: Any = getattr(network.base_model, "embeddings", None)
    types: Any = getattr(embeddings, "token_type_embeddings", None)
    if types is not None:
        wider = torch.nn.Embedding(TYPES, types.embedding_dim)
        wider.weight.data.copy_(types.weight.detach()[:1].expand(TYPES, -1))
        embeddings.token_type_embeddings = wider
        network.config.type_vocab_size = TYPES
    setattr(network.config, CASED, types is not None)
    return network, read_tokenizer(base, model_max_length=10**6)


class Batch(NamedTuple):
    """Rows as tensors: B rows of at most P pieces, W words that are known.

    Attributes:
        inputs: What the network reads. Shape (B, P) each.
        row: The row of each word; one of which a name or case and a sense is known stands there
            twice. Shape (W,).
        piece: Its first piece. Shape (W,).
        allowed: Which tags it may have. Shape (W, 16).
        considered: Which tags are told apart. Shape (W, 16).
    """

    inputs: dict[str, Any]
    row: Any
    piece: Any
    allowed: Any
    considered: Any


def batches(
    rows: Sequence[Row], tokenizer: Any, config: TeacherConfig, epoch: int
) -> Iterator[Batch]:
    """Yield the rows of an epoch in an order of its own, those of a batch about equally long."""
    order = np.random.default_rng([config.seed, epoch]).permutation(len(rows))
    lengths = np.array([len(row.text) for row in rows])
    pool = 64 * config.batch_size
    chunks = []
    for begin in range(0, len(order), pool):
        part = order[begin : begin + pool]
        part = part[np.argsort(lengths[part], kind="stable")]
        chunks += [part[k : k + config.batch_size] for k in range(0, len(part), config.batch_size)]
    for number in np.random.default_rng([config.seed, epoch, 1]).permutation(len(chunks)):
        chunk = [rows[k] for k in chunks[number]]
        texts = [tokenize(lower_cased(row.text, epoch, config.lower_case)) for row in chunk]
        windows = [found[0] for found in encoded(tokenizer, texts, config.longest)]
        yield _batch(chunk, windows, int(tokenizer.pad_token_id))


def _batch(rows: Sequence[Row], windows: Sequence[Encoded], padding: int) -> Batch:
    """Put rows together."""
    owners, pieces, allowed, considered = [], [], [], []
    for number, (row, window) in enumerate(zip(rows, windows, strict=True)):
        for word, first in zip(window.words.tolist(), window.firsts.tolist(), strict=True):
            for group in (~SENSES, SENSES):
                if row.allowed[word] & group:
                    owners.append(number)
                    pieces.append(first)
                    allowed.append(row.allowed[word] & group)
                    considered.append(row.considered[word] & group)
    bits = 1 << torch.arange(len(TAGS))
    masks = [(torch.tensor(each)[:, None] & bits) > 0 for each in (allowed, considered)]
    return Batch(padded(windows, padding), torch.tensor(owners), torch.tensor(pieces), *masks)


def _step(network: Any, batch: Batch) -> Any:
    """Return the loss of a batch: how unlikely it is that words have one of their tags."""
    inputs = dict(batch.inputs)
    if not getattr(network.config, CASED):
        inputs.pop("token_type_ids")
    device = network.device
    with torch.autocast(device.type, torch.bfloat16):
        found = network(**{name: each.to(device) for name, each in inputs.items()}).logits
    logits = found.float()[batch.row, batch.piece]
    all_told = torch.logsumexp(logits.masked_fill(~batch.considered.to(device), _FOREVER), 1)
    right = torch.logsumexp(logits.masked_fill(~batch.allowed.to(device), _FOREVER), 1)
    losses, is_sense = all_told - right, batch.considered[:, FIRST_SENSE:].any(1).to(device)
    # Few words have a known sense, which are as much worth together as all others.
    return sum(losses[asked].mean() for asked in (is_sense, ~is_sense) if asked.any())


PART = 4096
"""How many texts a part has."""
WHOLE = 255
"""A probability of one, as it is kept."""

Shares = NDArray[np.uint8]


def labelled(texts: Sequence[str], teacher: Encoder, out: Path) -> list[Shares]:
    """Ask a teacher about all words of texts.

    Args:
        teacher: The teacher.
        out: The folder of the parts; those that an earlier run finished are read.

    Returns:
        For each text the probabilities of the tags, in parts of 255. Shape (words, 10) each.
    """
    from safetensors.numpy import load_file, save_file

    out.mkdir(parents=True, exist_ok=True)
    found: list[Shares] = []
    with Steps("Asking the teacher", len(texts), unit="text", work=out) as steps:
        for begin in range(0, len(texts), PART):
            part = [tokenize(text) for text in texts[begin : begin + PART]]
            path = out / f"part-{begin // PART:05}.safetensors"
            if path.exists():
                found += _divided(load_file(path)["shares"], part)
            else:
                shares = [_rounded(each) for each in teacher.shares(part)]
                fresh = path.with_suffix(".new")
                save_file(
                    {"shares": np.concatenate([*shares, _rounded(np.zeros((0, len(TAGS))))])}, fresh
                )
                fresh.rename(path)
                found += shares
            steps.step(number=len(part))
    return found


def _rounded(shares: NDArray[Any]) -> Shares:
    """Return probabilities in parts of 255."""
    found: Shares = np.rint(shares * WHOLE).astype(np.uint8)
    return found


def _divided(shares: Shares, texts: Sequence[Tokens]) -> list[Shares]:
    """Divide what was kept by the texts."""
    return np.split(shares, np.cumsum([len(tokens.starts) for tokens in texts])[:-1])


_AXES = ("gender", "race", "religion", "nationality", "orientation", "age")
_LEAST = 1e-3
_LIKELY = WHOLE // 2
_JOINED = (" ", ". ", "-", ".")


def settled(texts: Sequence[str], shares: Sequence[Shares], counts: NameCounts) -> Iterator[Shares]:
    """Let lists of names decide whether names of one word are given or family names.

    Nobody has tagged which of the two such a name is, so that the teacher guesses.

    Args:
        shares: What the teacher says, in parts of 255. Shape (words, 16) each.

    Yields:
        The same, with all that a given or family name has on the side of the lists. Shape
        (words, 16) each.
    """
    for text, said in zip(texts, shares, strict=True):
        person = said[:, [GIVEN, FAMILY]].astype(np.int64).sum(axis=1)
        if (person > _LIKELY).any():
            yield _settled(tokenize(text), said, person, counts)
        else:
            yield said


def _settled(tokens: Tokens, said: Shares, person: NDArray[np.int64], counts: NameCounts) -> Shares:
    """Settle the names of one word of a text."""
    found = said.copy()
    for index in np.flatnonzero(person > _LIKELY).tolist():
        is_joined = [
            other in range(len(person)) and person[other] > _LIKELY and tokens.gap(gap) in _JOINED
            for other, gap in ((index - 1, index), (index + 1, index + 1))
        ]
        if any(is_joined):
            continue
        tags = counts.one_name(tokens.lower[index], tokens.lower[index - 1] if index else "")
        if tags in (1 << GIVEN, 1 << FAMILY):
            found[index, [GIVEN, FAMILY]] = 0
            found[index, tags.bit_length() - 1] = person[index]
    return found


def targets(rows: Sequence[Row], shares: Sequence[Shares]) -> Iterator[Shares]:
    """Put what people and the teacher say of words together.

    Of the tags that people tell apart, those that a word may not have get nothing; what is left is
    as likely as the teacher says, or equally likely where it says nothing.

    Args:
        rows: The rows; of a word that is not known the teacher alone says what it is.
        shares: What the teacher says, in parts of 255. Shape (words, 16) each.

    Yields:
        The same with what is known. Shape (words, 16) each.

    Example:
        >>> said = np.array([[0, 200, 0, 55] + 12 * [0]], np.uint8)
        >>> row = Row("tweets", "Paris", [1 << 3], [0b11111])
        >>> [each.tolist() for each in targets([row], [said])]
        [[[0, 0, 0, 255, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]]]
    """
    for row, said in zip(rows, shares, strict=True):
        allowed = np.array(row.allowed, np.int64)
        considered = np.array(row.considered, np.int64)
        group = np.where(allowed & CASES, CASES, NAMES)
        names = _known(said[:, :FIRST_SENSE], allowed & ~SENSES, group & ~considered)
        is_word = np.array([word in sense_words() for word in tokenize(row.text).lower], np.bool_)
        senses = said[:, FIRST_SENSE:] * is_word[:, None]
        yield np.concatenate([names, _known(senses, allowed >> FIRST_SENSE, 0)], axis=1)


@cache
def sense_words() -> frozenset[str]:
    """Return the words of the lexicons of all axes, of which the senses are asked.

    Returns:
        The words in lower case; of several that stand together each.

    Example:
        >>> {"black", "priest", "old"} <= sense_words(), "table" in sense_words()
        (True, False)
    """
    return frozenset(
        word
        for axis in _AXES
        for form in load_lexicon(axis).forms()
        for word in tokenize(form.text.lower()).lower
    ) - frozenset(PRONOUNS)


def _known(said: Any, allowed: NDArray[np.int64], other: Any) -> Shares:
    """Leave words the tags that they may have, of those that people tell apart."""
    bits = BITS[: said.shape[1]]
    may_be = np.where(allowed > 0, allowed | other, bits.sum())
    found = said * holds(may_be[:, None], bits).astype(np.float64)
    total = found.sum(axis=1, keepdims=True)
    found = np.where(total > _LEAST * WHOLE, found, holds(allowed[:, None], bits))
    total = np.maximum(found.sum(axis=1, keepdims=True), _LEAST)
    scaled: Shares = np.rint(found * WHOLE / total).astype(np.uint8)
    return scaled
