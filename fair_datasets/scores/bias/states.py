"""What an encoder says of the tokens of texts: their importance, and their cosine."""

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fair_datasets.models.vectors.direction import DemographicDirection
from fair_datasets.scores.models import ModelLike, ScoringModel, batches_by_length, load_model
from fair_datasets.scores.probes.transformer import use_one_thread_in_a_worker
from fair_datasets.system import interrupts
from fair_datasets.system.checks import InputError

if TYPE_CHECKING:
    import torch

Floats = NDArray[np.float64]


class TokenStates(NamedTuple):
    """The tokens of a text, without the markers that the tokenizer adds.

    Attributes:
        spans: Where each begins and ends in the text, in characters. Shape (T, 2).
        importance: The share of the dimensions whose maximum over the tokens, the markers among
            them, is at the token. Shape (T,).
    """

    spans: NDArray[np.int64]
    importance: Floats
    cosines: Floats


@lru_cache(maxsize=4)
def load_encoder(name: str, digests: tuple[tuple[str, str], ...], owner: str) -> ScoringModel:
    """Load an encoder once in each process."""
    use_one_thread_in_a_worker()
    return load_model(name, "encoder", owner=owner)


def token_states(
    texts: Sequence[str],
    model: ModelLike | ScoringModel,
    direction: DemographicDirection | None = None,
    *,
    batch_size: int = 64,
    max_length: int = 128,
    owner: str = "token_states",
) -> list[TokenStates]:
    """Run an encoder on texts, and look at the states of its last layer.

    Args:
        direction: The direction that states are compared with; None for importance alone.
    """
    loaded = model if isinstance(model, ScoringModel) else load_model(model, "encoder", owner=owner)
    use_one_thread_in_a_worker()
    encoded = token_spans(loaded, texts, max_length)
    lengths = [len(ids) for ids, _, _ in encoded]
    found = [TokenStates(np.zeros((0, 2), np.int64), np.zeros(0), np.zeros(0)) for _ in texts]
    with loaded.scoring():
        for batch in batches_by_length(lengths, batch_size, None):
            interrupts.obey()
            rows = [int(row) for row in batch if lengths[row]]
            if not rows:
                continue
            output, _, mask = loaded.run([encoded[row][0] for row in rows])
            importance, cosines = _read(output.last_hidden_state.float(), mask, direction)
            if not np.isfinite(importance).all():
                raise InputError(
                    f"{owner}: the encoder's states are not finite; its training may have "
                    "diverged, so choose another."
                )
            for place, row in enumerate(rows):
                _, spans, is_kept = encoded[row]
                kept = np.flatnonzero(is_kept)
                found[row] = TokenStates(spans[kept], importance[place, kept], cosines[place, kept])
    return found


def _read(
    states: "torch.Tensor", mask: "torch.Tensor", direction: DemographicDirection | None
) -> tuple[Floats, Floats]:
    """Return importance and cosine of each token of a batch. Shape (B, T) each."""
    import torch

    hidden = states.masked_fill(mask[..., None] == 0, -torch.inf)
    # The first of several that are equal.
    winners = hidden.argmax(dim=1)
    importance = torch.zeros(mask.shape, device=states.device)
    importance.scatter_add_(1, winners, torch.ones_like(winners, dtype=importance.dtype))
    importance /= states.shape[-1]
    # A state that is not finite, at a token and not in the padding.
    importance += (states.sum(dim=-1) * 0).masked_fill(mask == 0, 0)
    cosines = torch.full(mask.shape, torch.nan)
    if direction is not None:
        direction.refuse_width(states.shape[-1], "the encoder's states")
        towards = torch.tensor(direction.vector, dtype=states.dtype, device=states.device)
        cosines = (states @ towards) / states.norm(dim=-1)
    return importance.double().cpu().numpy(), cosines.double().cpu().numpy()


def token_spans(
    loaded: ScoringModel, texts: Sequence[str], max_length: int
) -> list[tuple[list[int], NDArray[np.int64], NDArray[np.bool_]]]:
    """Return the tokens of each text, where they stand, and which are no markers.

    Returns:
        For each text the token ids, the begin and end of each in characters (T, 2), and whether the
        tokenizer found it in the text and did not add it (T,).
    """
    if not texts:
        return []
    if not getattr(loaded.tokenizer, "is_fast", False):
        raise InputError(
            f"{loaded.owner}: the tokenizer does not say where its tokens stand in a text; give "
            "an encoder with a fast tokenizer (a tokenizer.json)."
        )
    limits = [max_length, *([] if loaded.limit is None else [loaded.limit])]
    found = loaded.tokenizer(
        list(texts),
        truncation=True,
        max_length=min(limits),
        return_offsets_mapping=True,
        return_special_tokens_mask=True,
        verbose=False,
    )
    return [
        (list(ids), np.array(spans, np.int64).reshape(-1, 2), np.array(special, int) == 0)
        for ids, spans, special in zip(
            found["input_ids"], found["offset_mapping"], found["special_tokens_mask"], strict=True
        )
    ]
