"""What an encoder says of tokens, their importance and cosine, and the direction of sentences."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fair_datasets.models.direction import DemographicDirection, pair_direction
from fair_datasets.models.word_pairs import default_poles
from fair_datasets.reader.matching.find import count_terms
from fair_datasets.rows import column_checks
from fair_datasets.rows.given import batches, splits_of
from fair_datasets.rows.row_texts import RowTexts
from fair_datasets.rows.text_fields import counterfactual_field
from fair_datasets.scores.embeddings import Pooling, sentence_vectors
from fair_datasets.scores.models import ModelLike, ScoringModel, batches_by_length, load_model
from fair_datasets.scores.probes.transformer import use_one_thread_in_a_worker
from fair_datasets.system import checks, interrupts
from fair_datasets.system.checks import counted, invalid
from fair_datasets.system.portable import strip_folders

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
def load_encoder(name: str, digests: tuple[tuple[str, str], ...]) -> ScoringModel:
    """Load an encoder once in each process."""
    use_one_thread_in_a_worker()
    return load_model(name, "encoder")


def token_states(
    texts: Sequence[str],
    model: ModelLike | ScoringModel,
    direction: DemographicDirection | None = None,
    *,
    batch_size: int = 64,
    max_length: int = 128,
) -> list[TokenStates]:
    """Run an encoder on texts, and look at the states of its last layer.

    Args:
        direction: The direction that states are compared with; None for importance alone.
    """
    loaded = model if isinstance(model, ScoringModel) else load_model(model, "encoder")
    use_one_thread_in_a_worker()
    encoded = token_spans(loaded, texts, max_length)
    lengths = [len(ids) for ids, _, _ in encoded]
    items = [TokenStates(np.zeros((0, 2), np.int64), np.zeros(0), np.zeros(0)) for _ in texts]
    with loaded.scoring():
        for batch in batches_by_length(lengths, batch_size, None):
            interrupts.raise_if_interrupted()
            rows = [int(row) for row in batch if lengths[row]]
            if not rows:
                continue
            output, _, mask = loaded.run([encoded[row][0] for row in rows])
            importance, cosines = _importance_and_cosines(
                output.last_hidden_state.float(), mask, direction
            )
            if not np.isfinite(importance).all():
                raise invalid(
                    "the encoder's states are not finite; its training may have "
                    "diverged, so choose another."
                )
            for place, row in enumerate(rows):
                _, spans, is_selected = encoded[row]
                selected = np.flatnonzero(is_selected)
                items[row] = TokenStates(
                    spans[selected], importance[place, selected], cosines[place, selected]
                )
    return items


def _importance_and_cosines(
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
        raise invalid(
            "the tokenizer does not say where its tokens stand in a text; give "
            "an encoder with a fast tokenizer (a tokenizer.json)."
        )
    limits = [max_length, *([] if loaded.limit is None else [loaded.limit])]
    batch = loaded.tokenizer(
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
            batch["input_ids"], batch["offset_mapping"], batch["special_tokens_mask"], strict=True
        )
    ]


# Over how many sentences the mean cosine of the tokens is taken at most.
_SENTENCES = 1_000


def sentence_direction(
    dataset: Any,
    encoder: ModelLike,
    *,
    columns: Sequence[str] | str = "text",
    counterfactual_columns: Sequence[str] | str | None = None,
    axis: str = "gender",
    poles: tuple[str, str] | None = None,
    pipeline: str | None = None,
    reader: str | None = None,
    pooling: Pooling = "max",
    batch_size: int = 32,
    device: str | None = None,
) -> DemographicDirection:
    """Take the direction of two demographic attributes from sentences and their counterfactuals.

    It is the first principal component of the pair-centred sentence vectors. Pairs whose sentence
    mentions one of the two attributes alone, and whose counterfactual the other alone, say which
    end is which. Pairs that are alike, or lack a text, are left out.

    Args:
        dataset: The pairs, as `CounterfactualSwap(columns, mode="pair")` makes them of any dataset.
        encoder: A Hub id, a folder, or a model with its tokenizer.
        columns: The text column or columns, or paths to texts inside them; each text is a sentence.
        counterfactual_columns: Those of the counterfactuals; None for `<column>_counterfactual`.
        poles: The attribute at the negative end and that at the positive end; None for man and
            woman, or for the two attributes of the axis.
        pipeline: A trained spaCy pipeline that tells who is mentioned, as for the swap.
        reader: A token classifier that tells names and pronouns, as for the swap.
        pooling: How states become the vector of a sentence; "max" as published.
        batch_size: How many sentences run at once at most.
        device: Where the encoder runs; None: a GPU if there is one.

    Returns:
        The direction, with the share of the variance that it explains, and the mean cosine of the
        tokens' states (of the first 1,000 sentences).

    Raises:
        InputError: There are fewer than two pairs, none says which end is which, or a column or the
            encoder is refused.

    Example:
        >>> from datasets import Dataset
        >>> sentence_direction(Dataset.from_dict({"text": ["He ran."]}), "some/encoder")
        Traceback (most recent call last):
        ...
        fair_datasets.InputError: sentence_direction: there is no column
        'text_counterfactual'; the columns are 'text'.

    Source:
        Dolci, Azzalini and Tanelli, extension to sentence-transformers.
    """
    ends = default_poles(axis) if poles is None else poles
    pairs, left_out = _differing(dataset, columns, counterfactual_columns, ends)
    texts = [text for pair in pairs for text in pair]
    counted = count_terms(texts, axis, pipeline=pipeline, reader=reader)
    signs = _signs(*counted, ends)
    loaded = load_model(encoder, "encoder", device=device)
    model = (loaded.model, loaded.tokenizer)
    # A folder says by its files how it pools; the loaded model does not.
    read = encoder if pooling == "auto" else model
    vectors = sentence_vectors(texts, read, pooling=pooling, batch_size=batch_size, device=device)
    # Where the first text is of the positive attribute, the two change places.
    turned = (signs < 0)[:, None]
    first = np.where(turned, vectors[1::2], vectors[::2])
    second = np.where(turned, vectors[::2], vectors[1::2])
    vector, explained = pair_direction(first, second, signs != 0)
    direction = DemographicDirection(vector, axis=Path(axis).stem, poles=ends)
    states = token_states(texts[:_SENTENCES], loaded, direction)
    cosines = np.concatenate([state.cosines for state in states])
    name = fspath(encoder) if isinstance(encoder, str | PathLike) else type(loaded.model).__name__
    return DemographicDirection(
        vector,
        axis=direction.axis,
        poles=ends,
        explained_variance=explained,
        offset=float(np.nanmean(cosines)),
        provenance={
            "source": "sentences",
            "encoder": strip_folders(name),
            "pooling": pooling,
            "pairs": len(pairs),
            "oriented_by": int((signs != 0).sum()),
            "left_out": left_out,
            **({} if pipeline is None else {"pipeline": strip_folders(pipeline)}),
            **({} if reader is None else {"reader": strip_folders(reader)}),
        },
    )


def _differing(
    dataset: Any,
    columns: Sequence[str] | str,
    counterfactual_columns: Sequence[str] | str | None,
    ends: tuple[str, str],
) -> tuple[list[tuple[str, str]], int]:
    """Return the pairs of two texts that differ, and how many others there are; or raise."""
    names = column_checks.column_names(columns)
    others = counterfactual_columns
    if others is None:
        rows = splits_of(dataset)[0]
        # A stream may not know its columns.
        known: Iterable[str] = rows.column_names or next(iter(rows), {})
        others = tuple(counterfactual_field(name, known) for name in names)
    others = column_checks.column_names(others, parameter="counterfactual_columns")
    pairs, left_out = _pairs(dataset, names, others)
    if len(pairs) < 2:
        raise invalid(
            f"it found {counted(len(pairs), 'pair')} of texts that differ, but a "
            "direction needs at least 2, and some hundreds to mean something; make them with "
            f"`map(CounterfactualSwap(columns={names!r}, mode='pair'), batched=True)` of texts "
            f"that mention {ends[0]!r} or {ends[1]!r}."
        )
    return pairs, left_out


def _pairs(
    dataset: Any, columns: Sequence[str], others: Sequence[str]
) -> tuple[list[tuple[str, str]], int]:
    """Return the pairs of texts that differ, and how many do not or lack a text."""
    pairs: list[tuple[str, str]] = []
    count = 0
    for batch in batches(dataset, [*columns, *others]):
        texts = RowTexts.read(batch, columns)
        counterfactuals = RowTexts.read(batch, others)
        for row, other in zip(texts.rows, counterfactuals.rows, strict=True):
            if len(row) != len(other):
                raise invalid(
                    f"a row has {counted(len(row), 'text')}, but "
                    f"{counted(len(other), 'counterfactual')}; name the columns of both in the "
                    "same order."
                )
            count += len(row)
            pairs += [
                (text, swapped)
                for text, swapped in zip(row, other, strict=True)
                if text and swapped and text.strip() and swapped.strip() and text != swapped
            ]
    return pairs, count - len(pairs)


def _signs(
    attributes: Sequence[str], counts: NDArray[np.int64], poles: tuple[str, str]
) -> NDArray[np.int64]:
    """Return for each pair which member is of the positive pole.

    Args:
        counts: How often each text mentions each, before its counterfactual. Shape (2 N, A).

    Returns:
        1 for the second, -1 for the first, 0 where one mentions none or several. Shape (N,).
    """
    for pole in poles:
        checks.one_of(pole, attributes, parameter="a pole")
    mentioned = counts > 0
    is_single = mentioned.sum(axis=1) == 1
    negative, positive = (mentioned[:, attributes.index(pole)] & is_single for pole in poles)
    right = negative[::2] & positive[1::2]
    wrong = positive[::2] & negative[1::2]
    signs: NDArray[np.int64] = right.astype(np.int64) - wrong.astype(np.int64)
    return signs
