"""Fine-tuning the teacher: an encoder as a token classifier with the tags of the reader."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from fair_datasets.reader.encoder import CASED, TYPES, Encoded, encoded, padded
from fair_datasets.reader.matching.tokens import tokenize
from fair_datasets.reader.tags import FIRST_SENSE, SENSES, TAGS
from fair_datasets.reader.training.rows import Row, lower_cased
from fair_datasets.system.extras import require
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
    kept = out / "state.pt"
    network, tokenizer = base_network(config.base)
    network.to("cuda" if torch.cuda.is_available() else "cpu")
    optimizer = torch.optim.AdamW(network.parameters(), config.learning_rate)
    total = config.epochs * -(-len(rows) // config.batch_size)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: _rate(step, total))
    epoch = 0
    if kept.exists():
        state = torch.load(kept, weights_only=True)
        network.load_state_dict(state["network"])
        optimizer.load_state_dict(state["optimizer"])
        schedule.load_state_dict(state["schedule"])
        epoch = state["epoch"]
    out.mkdir(parents=True, exist_ok=True)
    done = epoch * total // config.epochs
    with Steps("Training the teacher", total, done=done, work=out) as steps:
        while epoch < config.epochs:
            torch.manual_seed(config.seed + epoch)
            network.train()
            for batch in batches(rows, tokenizer, config, epoch):
                loss = _step(network, batch)
                loss.backward()
                torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
                optimizer.step()
                schedule.step()
                optimizer.zero_grad()
                steps.step(float(loss.detach()))
            epoch += 1
            state = {"network": network.state_dict(), "optimizer": optimizer.state_dict()}
            torch.save({**state, "schedule": schedule.state_dict(), "epoch": epoch}, kept)
    network.save_pretrained(out)
    tokenizer.save_pretrained(out)
    kept.unlink()


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


def _rate(step: int, total: int) -> float:
    """Return the share of the learning rate at a step: up in the first tenth, then down."""
    warmup = max(1, total // 10)
    return min((step + 1) / warmup, max(0.0, (total - step) / max(1, total - warmup)))


def told(config: TeacherConfig) -> str:
    """Write the settings as JSON."""
    return json.dumps(config._asdict(), indent=1)
