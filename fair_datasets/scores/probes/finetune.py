"""Fine-tuning a sequence classifier as a probe, one epoch per step.

What is random in an epoch follows from the seed and the number of the epoch alone, so that an
interrupted run goes on as if it had not been.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fair_datasets.scores.models import ScoringModel
from fair_datasets.scores.probes.config import ProbeConfig
from fair_datasets.scores.probes.load import STATE_FILE
from fair_datasets.scores.probes.transformer import collated, encode, fit_tokenizer, half_precision
from fair_datasets.system.checks import InputError
from fair_datasets.system.pretrained import read_network, read_tokenizer, why_unreadable
from fair_datasets.system.steps import Steps

if TYPE_CHECKING:
    import torch

    from fair_datasets.scores.probes.probe import TrainingRows

# Rows are sorted by length within so many batches, and these are then shuffled.
BATCHES_SORTED_TOGETHER = 50


def finetuned_epochs(
    config: ProbeConfig,
    rows: "TrainingRows",
    seed: int,
    start: Path | None,
    first: int,
    steps: Steps,
) -> Iterator[Callable[[Path], None]]:
    """Fine-tune a classifier by cross-entropy and AdamW at a constant rate, one epoch per step.

    The rate is constant so that the state after an epoch does not depend on how many follow.

    Args:
        seed: It draws the new head, the order of the rows and the dropout.
        start: The checkpoint to go on from; None to begin anew.
        first: The number of the next epoch, counted from 1.

    Yields:
        After each epoch, the function that saves the model into a folder, and what it takes to
        go on from there.
    """
    import torch

    loaded = _loaded(str(config.model), start, rows, seed)
    model = loaded.model
    optimizer = torch.optim.AdamW(model.parameters(), lr=config.learning_rate)  # type: ignore[arg-type]
    if start is not None:
        restore_optimizer(optimizer, start / STATE_FILE)
    encoded = encode(loaded, rows.texts, config.max_length)
    lengths = np.array([len(tokens["input_ids"]) for tokens in encoded])
    for epoch in range(first, config.epochs + 1):
        draws = np.random.default_rng([seed, epoch])
        batches = grouped_batches(lengths, config.batch_size, draws)
        model.train()
        with torch.random.fork_rng():
            torch.manual_seed(int(draws.integers(2**63)))
            for batch in batches:
                inputs = collated(loaded, [encoded[row] for row in batch])
                targets = torch.tensor(rows.labels[batch], device=model.device)
                with half_precision(model.device):
                    logits = model(**inputs).logits
                loss = torch.nn.functional.cross_entropy(logits.float(), targets)
                optimizer.zero_grad()
                loss.backward()  # type: ignore[no-untyped-call]
                optimizer.step()
                steps.step(float(loss.detach()))
        yield _saver(loaded, optimizer, is_last=epoch == config.epochs)


def grouped_batches(
    lengths: NDArray[np.int64], batch_size: int, draws: np.random.Generator
) -> list[NDArray[np.intp]]:
    """Draw batches in which the rows have similar lengths.

    Args:
        lengths: The number of tokens of each row. Shape (N,).
        batch_size: How many rows a batch has; the last may have fewer.
        draws: Where the order comes from.

    Example:
        >>> lengths = np.array([1, 9, 1, 9])
        >>> batches = grouped_batches(lengths, 2, np.random.default_rng(0))
        >>> sorted(sorted(lengths[batch].tolist()) for batch in batches)
        [[1, 1], [9, 9]]
    """
    order = draws.permutation(len(lengths))
    size = BATCHES_SORTED_TOGETHER * batch_size
    batches: list[NDArray[np.intp]] = []
    for start in range(0, len(order), size):
        block = order[start : start + size]
        block = block[np.argsort(-lengths[block], kind="stable")]
        batches += [block[k : k + batch_size] for k in range(0, len(block), batch_size)]
    return [batches[place] for place in draws.permutation(len(batches))]


def _loaded(name: str, start: Path | None, rows: "TrainingRows", seed: int) -> ScoringModel:
    """Load a model with a head of as many classes as the rows have; a new head follows the seed."""
    import torch

    owner = "train_probes"
    try:
        with torch.random.fork_rng():
            torch.manual_seed(seed)
            tokenizer = read_tokenizer(name)
            model = read_network(
                "AutoModelForSequenceClassification",
                str(start or name),
                dtype=torch.float32,
                id2label=dict(enumerate(rows.names)),
                label2id={label: number for number, label in enumerate(rows.names)},
                ignore_mismatched_sizes=True,
            )
    except MemoryError:
        raise
    # Of a folder that somebody else wrote, anything can be wrong.
    except Exception as error:
        raise InputError(
            f"{owner}: {name!r} cannot be loaded as a model to fine-tune"
            f"{why_unreadable(name, error)}; give 'linear', a Hub id, or the folder of a model "
            "with its tokenizer."
        ) from error
    loaded = ScoringModel(
        model.to("cuda" if torch.cuda.is_available() else "cpu"), tokenizer, owner
    )
    fit_tokenizer(loaded, name)
    return loaded


def _saver(
    loaded: ScoringModel, optimizer: "torch.optim.Optimizer", *, is_last: bool
) -> Callable[[Path], None]:
    """Return the function that saves the state after an epoch."""

    def save(folder: Path) -> None:
        loaded.model.save_pretrained(folder)
        loaded.tokenizer.save_pretrained(folder)
        if not is_last:
            save_optimizer(optimizer, folder / STATE_FILE)

    return save


def save_optimizer(optimizer: "torch.optim.Optimizer", path: Path) -> None:
    """Write what an optimizer takes to go on."""
    from safetensors.torch import save_file

    tensors = {
        f"{number}.{key}": value.contiguous()
        for number, values in optimizer.state_dict()["state"].items()
        for key, value in values.items()
    }
    save_file(tensors, path)


def restore_optimizer(optimizer: "torch.optim.Optimizer", path: Path) -> None:
    """Give an optimizer the state that `save_optimizer` wrote."""
    from safetensors.torch import load_file

    state: dict[int, dict[str, Any]] = {}
    for name, tensor in load_file(path).items():
        number, _, key = name.partition(".")
        state.setdefault(int(number), {})[key] = tensor
    optimizer.load_state_dict({**optimizer.state_dict(), "state": state})
