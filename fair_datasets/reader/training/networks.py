"""Training the student and its teacher, an encoder that is fine-tuned to tag words.

The student learns what the teacher says, in numbers that become whole ones at the end; where people
have tagged a word, it is to say what they did.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from io import BytesIO
from pathlib import Path
from pickle import UnpicklingError
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fair_datasets.reader.encoder import CASED, TYPES, Encoded, Encoder, encoded, padded
from fair_datasets.reader.matching.token_batch import TokenBatch
from fair_datasets.reader.matching.tokenizer import Tokens, tokenize
from fair_datasets.reader.student import COUNT, SIZE, SPAN, STEPS, TOP, Student, keys, rows
from fair_datasets.reader.tags import (
    BITS,
    CASES,
    FAMILY,
    FIRST_SENSE,
    GIVEN,
    NAMES,
    OBJECT,
    SENSES,
    TAGS,
    holds,
)
from fair_datasets.reader.training.gold import NameCounts, sense_words
from fair_datasets.reader.training.rows import Row, recased
from fair_datasets.system.checks import InputError, require
from fair_datasets.system.files import write_file
from fair_datasets.system.resume import ProgressTracker

require("models", owner="The training of a reader")

import torch  # noqa: E402
from torch.nn.functional import embedding_bag, log_softmax  # noqa: E402

OF_CAPITAL, OF_CASE = 3.0, 5.0
"""How much a word with a capital counts in the training, and a pronoun; any other counts one."""
STATE = "state.pt"
"""The file from which a training goes on."""
_HALF = SPAN // 2
_BLOCK = 2000
_CLIP = 6.0


class StudentConfig(NamedTuple):
    """How a student is trained.

    Attributes:
        inner: How many numbers a row of the table has.
        width: How many the first layer has.
        hidden: How many the second layer has.
        epochs: How often each text is seen; in the last, all weights are whole numbers.
        batch_size: How many texts a step has.
        learning_rate: The highest step of the optimizer, which falls to zero.
        forgotten: The share of words that are known by their ends, shapes and lists alone.
        seed: The seed of all draws.
    """

    inner: int = 64
    width: int = 96
    hidden: int = 192
    epochs: int = 5
    batch_size: int = 64
    learning_rate: float = 3e-3
    forgotten: float = 0.15
    seed: int = 0


class Texts(NamedTuple):
    """Texts as the student reads them: P words with their ends, of U kinds.

    Attributes:
        rows: The rows of the table that each kind of word has. Shape (U, 15).
        kinds: The kind of each word. Shape (P,).
        first: Where each text begins, and one more. Shape (T + 1,).
        targets: The probability of each tag; all zero where nothing is known. Shape (P, 16).
        is_case: Whether a word is a pronoun. Shape (P,).
        weights: How much a word counts: more if it is a pronoun or has a capital. Shape (P,).
    """

    rows: Any
    kinds: Any
    first: NDArray[np.int64]
    targets: Any
    is_case: Any
    weights: Any


def texts_of(texts: Sequence[str], shares: Sequence[NDArray[np.uint8]]) -> Texts:
    """Write texts as the student reads them.

    Args:
        shares: What is known of the words of each, in parts of 255. Shape (words, 16) each.
    """
    all_keys, all_rows, sizes, targets, weights = [], [], [], [], []
    none = np.zeros((1, len(TAGS)), np.uint8)
    for begin in range(0, len(texts), _BLOCK):
        words = TokenBatch(texts[begin : begin + _BLOCK])
        places = np.arange(words.first[-1])
        distinct, first = np.unique(keys(words, places), return_index=True)
        all_keys.append(keys(words, places))
        all_rows.append((distinct, rows(words, places[first])))
        sizes.append(np.diff(words.first))
        weights.append(np.where(words.is_capital(places), OF_CAPITAL, 1.0))
        for own, size in zip(shares[begin : begin + _BLOCK], sizes[-1].tolist(), strict=True):
            assert len(own) + 1 == size
            targets += [own, none]
    known, at = np.unique(np.concatenate([distinct for distinct, _ in all_rows]), return_index=True)
    kinds = np.searchsorted(known, np.concatenate(all_keys))
    table = np.concatenate([distinct for _, distinct in all_rows])[at]
    shares_of = np.concatenate(targets)
    is_case = shares_of[:, OBJECT:FIRST_SENSE].any(axis=1)
    counts = np.where(is_case, OF_CASE, np.concatenate(weights)).astype(np.float32)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    arrays = (table.astype(np.int64), kinds, shares_of, is_case, counts)
    rows_of, kinds_of, *known_of = (torch.from_numpy(each).to(device) for each in arrays)
    first = np.concatenate(([0], np.cumsum(np.concatenate(sizes))))
    return Texts(rows_of, kinds_of, first, *known_of)


class Network(torch.nn.Module):
    """The student while it learns."""

    def __init__(self, config: StudentConfig) -> None:
        """Draw the weights."""
        super().__init__()
        inner, width, hidden = config.inner, config.width, config.hidden
        draw = torch.nn.init.normal_
        scales = (0.1, (2 / COUNT / SPAN) ** 0.5, (2 / SPAN / width) ** 0.5, hidden**-0.5)
        shapes = ((SIZE, inner), (SPAN * inner, width), (SPAN * width, hidden), (hidden, len(TAGS)))
        self.rows, self.first, self.second, self.last = (
            torch.nn.Parameter(draw(torch.empty(*shape), std=scale))
            for shape, scale in zip(shapes, scales, strict=True)
        )
        self.first_bias, self.second_bias, self.last_bias = (
            torch.nn.Parameter(torch.zeros(size)) for size in (width, hidden, len(TAGS))
        )
        self.is_whole = False
        self.scales: dict[str, Any] = {}

    @classmethod
    def of(cls, student: Student) -> "Network":
        """Return the network that a student is, in whole numbers whose scales stay as they are."""
        arrays = {name: torch.from_numpy(array) for name, array in student.arrays.items()}
        inner, hidden = arrays["rows"].shape[1], arrays["last"].shape[0]
        first = arrays["first"].reshape(inner, SPAN, student.width).transpose(0, 1)
        whole = {**arrays, "first": first.reshape(SPAN * inner, student.width)}
        network = cls(StudentConfig(inner, student.width, hidden))
        network.is_whole = True
        # The student has the product of the first two scales alone.
        network.scales["rows"] = torch.tensor(1 / TOP)
        factors = _factors(network.scales["rows"])
        for name, (of_scale, of_bias) in factors.items():
            network.scales[name] = arrays[f"{name}_scale"] / of_scale
            getattr(network, f"{name}_bias").data = arrays[f"{name}_bias"] / of_bias
        for name, scale in network.scales.items():
            getattr(network, name).data = whole[name] * scale
        return network

    def scale(self, name: str) -> Any:
        """Return what a whole weight of one stands for."""
        weights, scale = getattr(self, name).detach(), self.scales.get(name)
        return scale_of(weights) if scale is None else scale.to(weights.device)

    def forward(self, table: Any, kinds: Any, is_word: Any, mask: Any) -> Any:
        """Return the logits of words in a row, two places of none between two texts."""
        used, places = torch.unique(table, return_inverse=True)
        weights = [self._whole(name) for name in ("first", "second", "last")]
        states = embedding_bag(
            places, self._whole("rows", used), per_sample_weights=mask, mode="sum"
        )
        states = states[kinds] * is_word
        states = self._activated(_windows(states) @ weights[0] + self.first_bias) * is_word
        states = self._activated(_windows(states) @ weights[1] + self.second_bias)
        return states @ weights[2] + self.last_bias

    def _whole(self, name: str, at: Any = slice(None)) -> Any:
        """Return weights, or some rows, as whole numbers write them, if they are to be."""
        weights = getattr(self, name)[at]
        if not self.is_whole:
            return weights
        scale = self.scale(name)
        whole = torch.clamp(torch.round(weights.detach() / scale), -TOP, TOP) * scale
        return weights + (whole - weights).detach()

    def _activated(self, sums: Any) -> Any:
        """Return activations, from 0 to 6."""
        clipped = torch.clamp(sums, 0, _CLIP)
        if not self.is_whole:
            return clipped
        unit = _CLIP / TOP
        return clipped + (torch.round(clipped.detach() / unit) * unit - clipped.detach())


def scale_of(weights: Any) -> Any:
    """Return what a whole weight of one stands for: of a table one number, of a layer by column."""
    if len(weights) == SIZE:
        return torch.clamp(weights.abs().max(), max=8 * weights.std()) / TOP
    return torch.clamp(weights.abs().max(0).values, min=1e-6) / TOP


def train_student(
    texts: Texts, config: StudentConfig, out: Path, begin: Student | None = None
) -> Student:
    """Train a student, from the last epoch on that an earlier run finished.

    Args:
        out: The folder in which it keeps what it takes to go on.
        begin: The student whose weights it begins with; None to draw them.

    Returns:
        The student.
    """
    torch.manual_seed(config.seed)
    network = Network(config) if begin is None else Network.of(begin)
    network.to(texts.kinds.device)
    optimizer = torch.optim.Adam(network.parameters(), config.learning_rate, fused=True)
    count = len(texts.first) - 1

    def losses(epoch: int) -> Iterator[Any]:
        network.is_whole = begin is not None or epoch + 1 == config.epochs
        order = np.random.default_rng([config.seed, epoch]).permutation(count)
        for k in range(0, count, config.batch_size):
            yield _loss(network, texts, order[k : k + config.batch_size], config.forgotten)

    fit(network, optimizer, losses, config, count, out, "Training the student", warmup=20)
    return in_whole_numbers(network.cpu())


def in_whole_numbers(network: Network) -> Student:
    """Return a network in whole numbers."""
    arrays: dict[str, NDArray[Any]] = {}
    scales = {}
    for name in ("rows", "first", "second", "last"):
        scales[name] = network.scale(name)
        weights = getattr(network, name).detach()
        whole = torch.clamp(torch.round(weights / scales[name]), -TOP, TOP)
        arrays[name] = whole.numpy().astype(np.int8)
    inner, width = arrays["rows"].shape[1], arrays["first"].shape[1]
    first = arrays["first"].reshape(SPAN, inner, width).transpose(1, 0, 2)
    arrays["first"] = np.ascontiguousarray(first).reshape(inner, SPAN * width)
    for name, (of_scale, of_bias) in _factors(scales["rows"]).items():
        arrays[f"{name}_scale"] = (scales[name] * of_scale).numpy().astype(np.float32)
        bias = getattr(network, f"{name}_bias").detach() * of_bias
        arrays[f"{name}_bias"] = bias.numpy().astype(np.float32)
    return Student(arrays)


def _factors(rows: Any) -> dict[str, tuple[Any, float]]:
    """Return by what the scale and the biases of a network's layers are multiplied in a student."""
    unit = _CLIP / TOP
    return {
        "first": (rows / unit, 1 / unit), "second": (1.0, 1 / unit), "last": (unit * STEPS, STEPS)
    }  # fmt: skip


def _loss(network: Network, texts: Texts, batch: NDArray[np.int64], forgotten: float) -> Any:
    """Return how far what is said of texts is from what is known."""
    begin, stop = texts.first[batch], texts.first[batch + 1]
    sizes = stop - begin
    offsets = np.cumsum(sizes + _HALF) - sizes
    total = int((sizes + _HALF).sum()) + _HALF
    inside = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    device = texts.kinds.device
    at = torch.from_numpy(np.repeat(offsets, sizes) + inside).to(device)
    from_ = torch.from_numpy(np.repeat(begin, sizes) + inside).to(device)
    several, inverse = torch.unique(texts.kinds[from_], return_inverse=True)
    kinds = torch.zeros(total, dtype=torch.int64, device=device)
    kinds[at] = inverse
    is_word = torch.zeros(total, 1, device=device)
    is_word[at] = 1.0
    mask = torch.ones(len(several), COUNT, device=device)
    mask[:, :2] = (torch.rand(len(several), 1, device=device) >= forgotten).float()
    logits = network(texts.rows[several], kinds, is_word, mask)[at]
    targets = texts.targets[from_].float()
    is_other = (torch.arange(FIRST_SENSE) >= OBJECT).to(targets.device)
    names = logits[:, :FIRST_SENSE].masked_fill(texts.is_case[from_][:, None] != is_other, _FOREVER)
    return _surprise(names, targets[:, :FIRST_SENSE], texts.weights[from_]) + _surprise(
        logits[:, FIRST_SENSE:], targets[:, FIRST_SENSE:], torch.ones_like(targets[:, 0])
    )


def _surprise(logits: Any, targets: Any, weights: Any) -> Any:
    """Return how far what is said of words is from what is known, as a mean over words."""
    totals = targets.sum(1)
    asked = torch.nonzero(totals)[:, 0]
    shares = targets[asked] / totals[asked][:, None]
    weights = weights[asked]
    surprise = -(weights * (shares * log_softmax(logits[asked], 1)).sum(1)).sum()
    return surprise / weights.sum().clamp(min=1.0)


def _windows(states: Any) -> Any:
    """Return for each place what stands at it and around it, two on each side."""
    padded = torch.nn.functional.pad(states, (0, 0, _HALF, _HALF))
    return torch.cat([padded[k : k + len(states)] for k in range(SPAN)], 1)


def fit(
    network: Any,
    optimizer: Any,
    losses: Callable[[int], Iterable[Any]],
    config: "StudentConfig | TeacherConfig",
    count: int,
    out: Path,
    what: str,
    *,
    warmup: int,
) -> None:
    """Train a network, from the last epoch on that an earlier run finished.

    Args:
        losses: Yields the losses of the batches of an epoch.
        count: How many rows an epoch has.
        out: The folder in which it keeps what it takes to go on, as `STATE`.
        what: What is done, for whoever waits.
        warmup: In the first of so many parts of the steps the learning rate rises; then it falls.
    """
    total = config.epochs * -(-count // config.batch_size)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: rate(step, total, warmup))
    parts = {"network": network, "optimizer": optimizer, "schedule": schedule}
    out.mkdir(parents=True, exist_ok=True)
    epoch = restore_state(parts, out)
    done = epoch * total // config.epochs
    with ProgressTracker(what, total, done=done, work=out) as steps:
        while epoch < config.epochs:
            torch.manual_seed(config.seed + epoch)
            for loss in losses(epoch):
                optimizer.zero_grad()
                loss.backward()
                torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
                optimizer.step()
                schedule.step()
                steps.step(float(loss.detach()))
            epoch += 1
            save_state(parts, epoch, out)


def save_state(parts: Mapping[str, Any], done: int, work: Path) -> None:
    """Keep the states of the parts of a training, and how far it is, as `STATE` in a folder."""
    held = BytesIO()
    torch.save({name: part.state_dict() for name, part in parts.items()} | {"done": done}, held)
    write_file(work / STATE, held.getvalue())


def restore_state(parts: Mapping[str, Any], work: Path) -> int:
    """Take up what `save_state` kept, and return how far the training is; 0 if nothing is kept."""
    if not (work / STATE).exists():
        return 0
    try:
        state = torch.load(work / STATE, map_location="cpu", weights_only=True)
        for name, part in parts.items():
            part.load_state_dict(state[name])
        return int(state["done"])
    except (OSError, EOFError, KeyError, RuntimeError, ValueError, UnpicklingError) as error:
        raise InputError(
            f"{work / STATE} is damaged, or of another training; remove the folder {work} and "
            "train again."
        ) from error


def rate(step: int, total: int, warmup: int) -> float:
    """Return the share of the learning rate at a step, as `fit` says."""
    rise = max(1, total // warmup)
    return min((step + 1) / rise, max(0.0, (total - step) / max(1, total - rise)))


_FOREVER = -1e4


class TeacherConfig(NamedTuple):
    """How a teacher is trained.

    Attributes:
        base: A folder or the Hub id of an encoder.
        epochs: How often each row is seen.
        batch_size: How many rows a step has.
        learning_rate: The highest step of the optimizer, which falls to zero.
        recased: The share of rows that are read in lower case, as headlines or in capitals.
        longest: How many pieces of a row are read at most.
        seed: The seed of all draws.
    """

    base: str
    epochs: int = 2
    batch_size: int = 32
    learning_rate: float = 2e-4
    recased: float = 0.07
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
        texts = [tokenize(recased(row.text, epoch, config.recased)) for row in chunk]
        windows = [text_windows[0] for text_windows in encoded(tokenizer, texts, config.longest)]
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
        all_logits = network(**{name: each.to(device) for name, each in inputs.items()}).logits
    logits = all_logits.float()[batch.row, batch.piece]
    total = torch.logsumexp(logits.masked_fill(~batch.considered.to(device), _FOREVER), 1)
    right = torch.logsumexp(logits.masked_fill(~batch.allowed.to(device), _FOREVER), 1)
    losses, is_sense = total - right, batch.considered[:, FIRST_SENSE:].any(1).to(device)
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
    all_shares: list[Shares] = []
    with ProgressTracker("Asking the teacher", len(texts), unit="text", work=out) as steps:
        for begin in range(0, len(texts), PART):
            part = [tokenize(text) for text in texts[begin : begin + PART]]
            path = out / f"part-{begin // PART:05}.safetensors"
            if path.exists():
                all_shares += _divided(load_file(path)["shares"], part)
            else:
                shares = [_rounded(each) for each in teacher.shares(part)]
                fresh = path.with_suffix(".new")
                save_file(
                    {"shares": np.concatenate([*shares, _rounded(np.zeros((0, len(TAGS))))])}, fresh
                )
                fresh.rename(path)
                all_shares += shares
            steps.step(number=len(part))
    return all_shares


def _rounded(shares: NDArray[Any]) -> Shares:
    """Return probabilities in parts of 255."""
    rounded: Shares = np.rint(shares * WHOLE).astype(np.uint8)
    return rounded


def _divided(shares: Shares, texts: Sequence[Tokens]) -> list[Shares]:
    """Divide what was kept by the texts."""
    return np.split(shares, np.cumsum([len(tokens.starts) for tokens in texts])[:-1])


_LEAST = 1e-3
_LIKELY = WHOLE // 2
_JOINED = (" ", ". ", "-", ".")


def resolve_by_lists(
    texts: Sequence[str], shares: Sequence[Shares], counts: NameCounts
) -> Iterator[Shares]:
    """Let lists of names decide whether names of one word are given or family names.

    Nobody has tagged which of the two such a name is, so that the teacher guesses.

    Args:
        shares: What the teacher says, in parts of 255. Shape (words, 16) each.

    Yields:
        The same, with all that a given or family name has on the side of the lists. Shape
        (words, 16) each.
    """
    for text, predicted in zip(texts, shares, strict=True):
        person = predicted[:, [GIVEN, FAMILY]].astype(np.int64).sum(axis=1)
        if (person > _LIKELY).any():
            yield _resolve_names(tokenize(text), predicted, person, counts)
        else:
            yield predicted


def _resolve_names(
    tokens: Tokens, predicted: Shares, person: NDArray[np.int64], counts: NameCounts
) -> Shares:
    """Settle the names of one word of a text."""
    resolved = predicted.copy()
    for index in np.flatnonzero(person > _LIKELY).tolist():
        is_joined = [
            other in range(len(person)) and person[other] > _LIKELY and tokens.gap(gap) in _JOINED
            for other, gap in ((index - 1, index), (index + 1, index + 1))
        ]
        if any(is_joined):
            continue
        tags = counts.one_name(tokens.lower[index], tokens.lower[index - 1] if index else "")
        if tags in (1 << GIVEN, 1 << FAMILY):
            resolved[index, [GIVEN, FAMILY]] = 0
            resolved[index, tags.bit_length() - 1] = person[index]
    return resolved


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
    for row, predicted in zip(rows, shares, strict=True):
        allowed = np.array(row.allowed, np.int64)
        considered = np.array(row.considered, np.int64)
        group = np.where(allowed & CASES, CASES, NAMES)
        names = _known(predicted[:, :FIRST_SENSE], allowed & ~SENSES, group & ~considered)
        is_word = np.array([word in sense_words() for word in tokenize(row.text).lower], np.bool_)
        senses = predicted[:, FIRST_SENSE:] * is_word[:, None]
        yield np.concatenate([names, _known(senses, allowed >> FIRST_SENSE, 0)], axis=1)


def _known(predicted: Any, allowed: NDArray[np.int64], other: Any) -> Shares:
    """Leave words the tags that they may have, of those that people tell apart."""
    bits = BITS[: predicted.shape[1]]
    may_be = np.where(allowed > 0, allowed | other, bits.sum())
    masked = predicted * holds(may_be[:, None], bits).astype(np.float64)
    total = masked.sum(axis=1, keepdims=True)
    masked = np.where(total > _LEAST * WHOLE, masked, holds(allowed[:, None], bits))
    total = np.maximum(masked.sum(axis=1, keepdims=True), _LEAST)
    scaled: Shares = np.rint(masked * WHOLE / total).astype(np.uint8)
    return scaled
