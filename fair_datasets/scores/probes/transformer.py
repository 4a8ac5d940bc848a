"""Sequence classifiers of transformers as probes, and how they are fine-tuned, epoch by epoch.

What is random in an epoch follows from the seed and the number of the epoch alone, so that an
interrupted run goes on as if it had not been.
"""

import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fair_datasets.scores.models import MAXIMUM_TOKENS, ScoringModel, load_model, padded
from fair_datasets.scores.probes.config import ProbeConfig
from fair_datasets.scores.probes.probe import DEFAULT_READING, STATE_FILE, InferenceOptions, Texts
from fair_datasets.system import interrupts
from fair_datasets.system.checks import invalid
from fair_datasets.system.pretrained import read_network, read_tokenizer, why_unreadable
from fair_datasets.system.resume import ProgressTracker

if TYPE_CHECKING:
    import torch

    from fair_datasets.scores.probes.probe import TrainingRows


# How much memory the gradients of one chunk of examples may take.
GRADIENT_BYTES = 1 << 29
# Of how many texts the logits are kept, in some tens of megabytes.
_CACHE_SIZE = 1 << 17

Tokens = dict[str, list[int]]


@dataclass(frozen=True)
class TransformerProbe:
    """A sequence classifier with its tokenizer.

    On a CPU it keeps what it said of the last texts: of a row that one score has read, another
    score reads the counterfactual alone.
    """

    loaded: ScoringModel
    _known: dict[bytes, NDArray[np.float64]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    @classmethod
    def load(cls, name: str, revision: str | None = None) -> "TransformerProbe":
        """Load a classifier from a folder or the Hub."""
        use_one_thread_in_a_worker()
        loaded = load_model(name, "classifier", revision=revision)
        fit_tokenizer(loaded, name)
        return cls(loaded)

    @property
    def classes(self) -> int:
        """The number of classes C."""
        return int(self.loaded.model.num_labels)

    def logits(
        self, rows: Sequence[Texts], reading: InferenceOptions = DEFAULT_READING
    ) -> NDArray[np.float64]:
        """Return the logits of each row; see `Probe`."""
        use_one_thread_in_a_worker()
        encoded = encode(self.loaded, rows, reading.max_length)
        if self.loaded.model.device.type != "cpu":
            # Neighbours share a batch, as half precision tells batches apart.
            return self._logits(encoded, reading)
        if len(self._known) > _CACHE_SIZE:
            self._known.clear()
        keys = [np.concatenate([*tokens.values()]).tobytes() for tokens in encoded]
        new = {key: row for row, key in enumerate(keys) if key not in self._known}
        logits = self._logits(
            [encoded[row] for row in new.values()], replace(reading, group_size=1)
        )
        self._known.update(zip(new, logits, strict=True))
        return np.reshape([self._known[key] for key in keys], (len(rows), self.classes))

    def _logits(self, encoded: Sequence[Tokens], reading: InferenceOptions) -> NDArray[np.float64]:
        """Return the logits of rows of tokens."""
        from datasets.utils import tqdm

        logits = np.zeros((len(encoded), self.classes))
        sizes = [len(tokens["input_ids"]) for tokens in encoded]
        title, hidden = reading.description, reading.description is None
        with self.loaded.scoring(), tqdm(total=len(encoded), desc=title, disable=hidden) as bar:
            for batch in _batches(sizes, reading.group_size, reading.batch_size):
                interrupts.raise_if_interrupted()
                inputs = collated(self.loaded, [encoded[row] for row in batch])
                with half_precision(self.loaded.model.device, reading.precision):
                    output = self.loaded.model(**inputs).logits
                logits[batch] = output.double().cpu().numpy()
                bar.update(len(batch))
        return logits

    def gradient_norms(
        self,
        rows: Sequence[Texts],
        labels: NDArray[np.int64],
        reading: InferenceOptions = DEFAULT_READING,
    ) -> NDArray[np.float64]:
        """Return the norm of each row's gradient; see `Probe`.

        The gradients of several rows are taken at once. Only rows of one length go together:
        nothing is padded, so that no mask is needed.
        """
        import torch

        use_one_thread_in_a_worker()
        model = self.loaded.model
        encoded = encode(self.loaded, rows, reading.max_length)
        weights = sum(weight.numel() for weight in model.parameters() if weight.requires_grad)
        size = max(1, GRADIENT_BYTES // max(4 * weights, 1))
        norms = np.zeros(len(rows))
        was_training = model.training
        model.eval()
        try:
            for chunk in _chunks_of_one_length([len(row["input_ids"]) for row in encoded], size):
                interrupts.raise_if_interrupted()
                inputs = collated(self.loaded, [encoded[row] for row in chunk])
                del inputs["attention_mask"]
                targets = torch.tensor(labels[chunk], device=model.device)
                norms[chunk] = _norms(model, inputs, targets).cpu().numpy()
        finally:
            model.train(was_training)
        return norms


def encode(loaded: ScoringModel, rows: Sequence[Texts], max_length: int) -> list[Tokens]:
    """Return the tokens of each row; two texts are read as a pair."""
    if not rows:
        return []
    if len(rows[0]) > 2:
        raise invalid(
            f"a model reads one text or a pair, but a row has {len(rows[0])}; join "
            "some of the columns first."
        )
    length = min(max_length, loaded.limit or max_length)
    encoding = loaded.tokenizer(
        *(list(texts) for texts in zip(*rows, strict=True)), truncation=True, max_length=length
    )
    for row, tokens in enumerate(encoding["input_ids"]):
        if not tokens:
            # As with an empty text and a tokenizer that adds no marks of its own.
            encoding["input_ids"][row] = [loaded.padding]
            encoding["attention_mask"][row] = [1]
    return [{name: encoding[name][row] for name in encoding} for row in range(len(rows))]


def collated(loaded: ScoringModel, rows: Sequence[Tokens]) -> "dict[str, torch.Tensor]":
    """Return the inputs of a batch, padded to its longest row, on the model's device.

    Returns:
        Input name to a tensor of shape (B, T).
    """
    ids, mask = padded([row["input_ids"] for row in rows], loaded.padding)
    inputs = {"input_ids": ids, "attention_mask": mask}
    if "token_type_ids" in rows[0]:
        inputs["token_type_ids"] = padded([row["token_type_ids"] for row in rows], 0)[0]
    return {name: table.to(loaded.model.device) for name, table in inputs.items()}


def half_precision(device: "torch.device", precision: str = "auto") -> Any:
    """Return the context in which a model runs."""
    import torch

    if precision == "auto" and device.type == "cuda" and torch.cuda.is_bf16_supported():
        return torch.autocast("cuda", dtype=torch.bfloat16)
    return nullcontext()


def fit_tokenizer(loaded: ScoringModel, name: str) -> None:
    """Set which token pads its rows, or raise if it cannot read its tokenizer's."""
    known, read = len(loaded.tokenizer), loaded.model.get_input_embeddings().num_embeddings
    if known > read:
        raise invalid(
            f"the tokenizer of {name!r} has {known} tokens, but the model reads "
            f"{read}; give the tokenizer that the model was trained with."
        )
    if loaded.model.config.pad_token_id is None:
        # A model that reads from left to right finds a row's last token by this.
        loaded.model.config.pad_token_id = loaded.padding


def use_one_thread_in_a_worker() -> None:
    """In a process of `map(num_proc=...)`, keep torch to one thread.

    The threads of the parent do not live on in a forked process: torch would wait for them without
    end. The processes share the cores as it is.
    """
    import multiprocess
    import torch

    if multiprocess.parent_process() is not None and torch.get_num_threads() > 1:
        torch.set_num_threads(1)


def _batches(sizes: Sequence[int], group_size: int, batch_size: int) -> Iterator[list[int]]:
    """Yield the rows of each batch, longest first; neighbours that belong together stay so."""
    groups = [range(start, start + group_size) for start in range(0, len(sizes), group_size)]
    longest = [max(sizes[row] for row in group) for group in groups]
    order = sorted(range(len(groups)), key=lambda group: -longest[group])
    start = 0
    while start < len(order):
        rows = min(batch_size, MAXIMUM_TOKENS // longest[order[start]])
        count = max(1, rows // group_size)
        yield [row for group in order[start : start + count] for row in groups[group]]
        start += count


def _chunks_of_one_length(sizes: Sequence[int], most: int) -> Iterator[list[int]]:
    """Yield rows of equal length, so many at most."""
    by_length: dict[int, list[int]] = {}
    for row, size in enumerate(sizes):
        by_length.setdefault(size, []).append(row)
    for size in sorted(by_length, reverse=True):
        rows = by_length[size]
        yield from (rows[start : start + most] for start in range(0, len(rows), most))


def _norms(model: Any, inputs: "dict[str, torch.Tensor]", labels: "torch.Tensor") -> "torch.Tensor":
    """Return the gradient norm of each row of a batch without padding. Shape (B,), float64."""
    import torch
    from torch.func import functional_call, grad, vmap
    from torch.nn.attention import SDPBackend, sdpa_kernel

    weights = {
        name: weight.detach() for name, weight in model.named_parameters() if weight.requires_grad
    }

    def loss(weights: Any, row: "dict[str, torch.Tensor]", label: "torch.Tensor") -> Any:
        alone = {name: values[None] for name, values in row.items()}
        logits = functional_call(model, weights, (), alone).logits
        return torch.nn.functional.cross_entropy(logits.float(), label[None])

    with sdpa_kernel(SDPBackend.MATH), warnings.catch_warnings(), _no_mask_asked_for(model):
        # Attention has no rule of its own for many examples at once; it is slower, not wrong.
        warnings.filterwarnings("ignore", message="There is a performance drop")
        gradients = vmap(grad(loss), in_dims=(None, 0, 0))(weights, inputs, labels)
    norms = [
        torch.linalg.vector_norm(gradient.flatten(1), dim=1).double()
        for gradient in gradients.values()
    ]
    total: torch.Tensor = torch.linalg.vector_norm(torch.stack(norms), dim=0)
    return total


@contextmanager
def _no_mask_asked_for(model: Any) -> Iterator[None]:
    """Keep a model from looking for padding in its inputs, which cannot be done for many at once.

    There is none: all rows have one length.
    """
    name = "warn_if_padding_and_no_attention_mask"
    modules = [module for module in model.modules() if hasattr(module, name)]
    for module in modules:
        setattr(module, name, lambda *_: None)
    try:
        yield
    finally:
        for module in modules:
            delattr(module, name)


# Rows are sorted by length within so many batches, and these are then shuffled.
SORTED_BATCHES = 50


def finetuned_epochs(
    config: ProbeConfig,
    rows: "TrainingRows",
    seed: int,
    start: Path | None,
    first: int,
    steps: ProgressTracker,
) -> Iterator[Callable[[Path], None]]:
    """Fine-tune a classifier by cross-entropy and AdamW at a constant rate, one epoch per step.

    The rate is constant so that the state after an epoch does not depend on how many follow.

    Yields:
        After each epoch, the function that saves the model into a folder, and what it takes to
        go on from there.
    """
    import torch

    loaded = _loaded(str(config.model), start, rows, seed)
    model = loaded.model
    rate = config.learning_rate
    optimizer = torch.optim.AdamW(model.parameters(), lr=rate, fused=True)  # type: ignore[arg-type]
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

    Example:
        >>> lengths = np.array([1, 9, 1, 9])
        >>> batches = grouped_batches(lengths, 2, np.random.default_rng(0))
        >>> sorted(sorted(lengths[batch].tolist()) for batch in batches)
        [[1, 1], [9, 9]]
    """
    order = draws.permutation(len(lengths))
    size = SORTED_BATCHES * batch_size
    batches: list[NDArray[np.intp]] = []
    for start in range(0, len(order), size):
        block = order[start : start + size]
        block = block[np.argsort(-lengths[block], kind="stable")]
        batches += [block[k : k + batch_size] for k in range(0, len(block), batch_size)]
    return [batches[place] for place in draws.permutation(len(batches))]


def _loaded(name: str, start: Path | None, rows: "TrainingRows", seed: int) -> ScoringModel:
    """Load a model with a head of as many classes as the rows have; a new head follows the seed."""
    import torch

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
        raise invalid(
            f"{name!r} cannot be loaded as a model to fine-tune{why_unreadable(name, error)}; give "
            "'linear', a Hub id, or the folder of a model with its tokenizer."
        ) from error
    loaded = ScoringModel(model.to("cuda" if torch.cuda.is_available() else "cpu"), tokenizer)
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
