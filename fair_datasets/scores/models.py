"""Loading a model with its tokenizer.

A head that the checkpoint lacks would be filled with random numbers, and a model that reads both
ways would know each token that it is asked to predict: both are refused.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal, NoReturn, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fair_datasets.system.checks import (
    invalid,
    positive_whole_number,
    require,
    typed,
    warn,
    with_article,
)
from fair_datasets.system.pretrained import (
    BILSTM,
    first_line,
    on_gpu,
    positions_of,
    read_json,
    read_pretrained,
    refuse_lost_gpu,
    refuse_missing_folder,
    translate_load_errors,
)

if TYPE_CHECKING:
    import torch


Result = TypeVar("Result")

# Bounds the memory of a batch of long texts: logits take 4 bytes per token and vocabulary entry.
MAXIMUM_TOKENS = 4_096


def batches_by_length(
    lengths: ArrayLike, batch_size: int, description: str | None
) -> Iterator[NDArray[np.intp]]:
    """Yield the rows of each batch, longest first, with a progress bar.

    Similar lengths share a batch, so that there is little padding; the longest come first, so that
    a lack of memory shows at once. Batches of long texts have fewer rows.
    """
    from datasets.utils import tqdm

    batch_size = positive_whole_number(batch_size, parameter="batch_size")
    sizes = np.asarray(lengths, dtype=np.int64)
    order = np.argsort(-sizes, kind="stable")
    with tqdm(total=order.size, desc=description, disable=description is None) as progress:
        start = 0
        while start < order.size:
            longest = max(int(sizes[order[start]]), 1)
            rows = order[start : start + max(1, min(batch_size, MAXIMUM_TOKENS // longest))]
            yield rows
            start += rows.size
            progress.update(rows.size)


def halved(
    run: Callable[[list[int]], Sequence[Result]], rows: list[int], alone: Callable[[int], Result]
) -> Iterator[tuple[int, Result]]:
    """Run a batch; where a GPU has no memory for it, its halves.

    Args:
        alone: Says what becomes of a row for which there is no memory even alone.

    Example:
        >>> list(halved(lambda rows: [10 * row for row in rows], [1, 2], alone=lambda row: 0))
        [(1, 10), (2, 20)]
    """
    import torch

    try:
        results = run(rows)
    except torch.cuda.OutOfMemoryError:
        results = None
    if results is not None:
        yield from zip(rows, results, strict=True)
        return
    # Outside of the handler, which would keep the tensors of the failed batch alive.
    torch.cuda.empty_cache()
    if len(rows) == 1:
        yield rows[0], alone(rows[0])
        return
    middle = len(rows) // 2
    yield from halved(run, rows[:middle], alone)
    yield from halved(run, rows[middle:], alone)


def padded(rows: Sequence[Sequence[int]], padding: int) -> "tuple[torch.Tensor, torch.Tensor]":
    """Write rows of token ids as one table, padded at the end.

    Returns:
        The ids and the attention mask, which is 1 for tokens and 0 for padding. Both (B, T).
    """
    import torch

    width = max(map(len, rows))
    ids = torch.full((len(rows), width), padding)
    mask = torch.zeros((len(rows), width), dtype=torch.long)
    for row, tokens in enumerate(rows):
        ids[row, : len(tokens)] = torch.tensor(tokens, dtype=torch.long)
        mask[row, : len(tokens)] = 1
    return ids, mask


class TruncatedTextWarning(UserWarning):
    """Texts are longer than the model reads and were cut."""


@dataclass(frozen=True, slots=True)
class Encoded:
    """Texts as token ids.

    Attributes:
        special: For each id, whether the tokenizer added it, as a start or an end.
    """

    ids: list[list[int]]
    special: list[list[bool]]
    truncated: NDArray[np.bool_]

    @property
    def lengths(self) -> NDArray[np.int64]:
        """The number of tokens of each text. Shape (N,)."""
        return np.array([len(ids) for ids in self.ids], dtype=np.int64)


@dataclass(frozen=True, slots=True)
class ScoringModel:
    """A model with its tokenizer, ready to score texts."""

    model: Any
    tokenizer: Any
    maximum: int | None = None

    @property
    def limit(self) -> int | None:
        """How many tokens the model reads at most, None if it does not say."""
        # Tokenizers without a limit say so by a huge number.
        limits = [
            self.maximum,
            getattr(self.tokenizer, "model_max_length", None),
            positions_of(self.model),
        ]
        known = [limit for limit in limits if limit is not None and 0 < limit < 10**9]
        return min(known, default=None)

    @property
    def padding(self) -> int:
        """The id that fills shorter rows; the attention mask hides it."""
        for token_id in (self.tokenizer.pad_token_id, self.tokenizer.eos_token_id):
            if token_id is not None:
                return int(token_id)
        return 0

    def encode(
        self, texts: Sequence[str], *, max_tokens: int | None = None, room: int = 0
    ) -> Encoded:
        """Tokenize texts; those longer than the model reads are cut, with a warning.

        Args:
            max_tokens: Cut texts to so many tokens, without a warning; None: to what the model
                reads.
        """
        if not texts:
            return Encoded([], [], np.zeros(0, dtype=bool))
        allowed = [] if self.limit is None else [self.limit - room]
        if max_tokens is not None:
            allowed.append(positive_whole_number(max_tokens, parameter="max_tokens"))
        options = {"return_special_tokens_mask": True, "verbose": False}
        whole = self.tokenizer(list(texts), **options)
        lengths = np.array([len(ids) for ids in whole["input_ids"]])
        truncated = lengths > min(allowed) if allowed else np.zeros(len(texts), dtype=bool)
        if self.limit is not None:
            self._warn_of_cuts(lengths > self.limit - room, max_tokens)
        cut = whole
        if truncated.any():
            cut = self.tokenizer(list(texts), truncation=True, max_length=min(allowed), **options)
        special = [[bool(flag) for flag in flags] for flags in cut["special_tokens_mask"]]
        return Encoded([list(ids) for ids in cut["input_ids"]], special, truncated)

    def _warn_of_cuts(self, too_long: NDArray[np.bool_], max_tokens: int | None) -> None:
        """Warn of texts that the model cannot read whole, unless shorter ones were asked for."""
        if too_long.any() and (max_tokens is None or max_tokens > (self.limit or 0)):
            warn(
                f"{int(too_long.sum())} of {too_long.size} texts are longer than the "
                f"{self.limit} tokens that the model reads and were cut; the first is row "
                f"{int(np.flatnonzero(too_long)[0])}.",
                TruncatedTextWarning,
            )

    @contextmanager
    def scoring(self) -> Iterator[None]:
        """Run the model without dropout and gradients, and leave it as it was."""
        import torch

        if self.model.device.type == "cuda":
            refuse_lost_gpu()
        was_training = self.model.training
        self.model.eval()
        try:
            with torch.inference_mode():
                yield
        finally:
            self.model.train(was_training)

    def refuse_no_memory(self, row: int) -> NoReturn:
        """Raise, as the GPU has no memory for a text even alone."""
        raise invalid(
            "the GPU has no memory for a text, even alone; lower max_length, free "
            "some memory, or hide the GPU with CUDA_VISIBLE_DEVICES= to run on the CPU."
        )

    def run(self, rows: Sequence[Sequence[int]]) -> "tuple[Any, torch.Tensor, torch.Tensor]":
        """Run the model on rows of token ids.

        Returns:
            The model's output, the ids (B, T) and the attention mask (B, T), on its device.
        """
        ids, mask = (table.to(self.model.device) for table in padded(rows, self.padding))
        return self.model(input_ids=ids, attention_mask=mask), ids, mask


__all__ = ["AUTO_CLASS", "Head", "ModelLike", "ScoringModel", "load_model"]

Head = Literal["causal", "masked", "encoder", "classifier"]
"""What a model does with its states: predict the next token, predict masked tokens, give the states
themselves, or give the logits of classes."""

ModelLike = str | PathLike[str] | tuple[Any, Any]
"""A Hub id, a local folder, or a model with its tokenizer."""

AUTO_CLASS: dict[Head, str] = {
    "causal": "AutoModelForCausalLM",
    "masked": "AutoModelForMaskedLM",
    "encoder": "AutoModel",
    "classifier": "AutoModelForSequenceClassification",
}


def load_model(
    model: ModelLike, head: Head, *, revision: str | None = None, device: str | None = None
) -> ScoringModel:
    """Load a model with its tokenizer.

    Args:
        model: A Hub id, a local folder, or a model with its tokenizer. A folder or id is read in
            single precision, so that scores do not depend on the machine.
        device: Such as `"cuda:1"` or `"cpu"`. None: a GPU if there is one; a model that was given
            stays where it is.
    """
    require("models")
    _refuse_device(device)
    if isinstance(model, tuple) and len(model) == 2:
        network, tokenizer = model
        if device is not None:
            network = network.to(device)
    elif isinstance(model, str | PathLike):
        network, tokenizer = _load_model(str(model), head, revision)
        network = network.to(device) if device else on_gpu(network, str(model))
    else:
        raise invalid(
            f"{typed('model')} must be a Hub id, a folder, or a tuple of a model and its "
            "tokenizer, but it is "
            f"{'missing' if model is None else with_article(type(model).__name__)}."
        )
    if head == "encoder":
        network = network.base_model
    loaded = ScoringModel(network, tokenizer)
    _refuse_unfit(loaded, head)
    return loaded


def _refuse_device(device: str | None) -> None:
    """Raise unless a device exists and can hold numbers."""
    import torch

    try:
        torch.empty(1, device=device)
    except (RuntimeError, AssertionError, TypeError) as error:
        raise invalid(f"device {device!r} cannot be used ({first_line(error)})") from error


def _load_model(name: str, head: Head, revision: str | None) -> tuple[Any, Any]:
    """Read a model and its tokenizer from a folder or the Hub; an encoder may be one of ours."""
    if head == "encoder":
        refuse_missing_folder(name)
        with translate_load_errors(name, what=head):
            ours = _read_encoder(name, revision)
        if ours is not None:
            return ours, ours.tokenizer
    return read_pretrained(name, AUTO_CLASS[head], what=head, revision=revision)


def _read_encoder(name: str, revision: str | None) -> Any:
    """Read an encoder of our own; None where the model is none of ours."""
    config = read_json(name, "config.json", revision)
    if not isinstance(config, dict) or config.get("architecture") != BILSTM:
        return None
    from fair_datasets.scores.bilstm.network import BiLSTMEncoder

    return BiLSTMEncoder.from_pretrained(name, revision=revision)


def _refuse_unfit(loaded: ScoringModel, head: Head) -> None:
    network = loaded.model
    name = type(network).__name__
    if head in ("causal", "masked"):
        if network.get_output_embeddings() is None:
            raise invalid(f"{name} has no head that predicts tokens.")
        reads_both_ways = _reads_both_ways(loaded)
        if head == "causal" and reads_both_ways:
            raise invalid(
                f"{name} sees the tokens that it is asked to predict, so it is not a "
                "causal language model."
            )
        if head == "masked" and not reads_both_ways:
            raise invalid(f"{name} reads from left to right, so it is not a masked model.")
        if head == "masked" and loaded.tokenizer.mask_token_id is None:
            raise invalid(f"the tokenizer of {name} has no token for masks.")
    elif head == "classifier" and "SequenceClassification" not in name:
        raise invalid(f"{name} is not a text classifier.")
    elif head == "encoder" and network.config.is_encoder_decoder:
        raise invalid(f"{name} also decodes: give its encoder and the tokenizer.")


def _reads_both_ways(loaded: ScoringModel) -> bool:
    """Whether a later token changes what a model gives for an earlier one."""
    import torch

    avoided = {loaded.padding, *loaded.tokenizer.all_special_ids}
    ids = [
        token
        for token in range(loaded.model.config.get_text_config().vocab_size)
        if token not in avoided
    ][:2]
    if len(ids) < 2:
        ids = [0, 1]
    with loaded.scoring():
        logits = loaded.run([[ids[0], ids[0], ids[0]], [ids[0], ids[0], ids[1]]])[0].logits.float()
    difference = (logits[0, 0] - logits[1, 0]).abs().max()
    return bool(difference > 1e-5 * torch.clamp(logits.abs().max(), min=1e-30))
