"""The likelihoods that causal and masked language models, such as GPT-2 and BERT, give texts."""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from fair_datasets.measures import inputs
from fair_datasets.scores.models import ModelLike, ScoringModel, batches_by_length, load_model
from fair_datasets.system.checks import invalid, one_of, switch


@dataclass(frozen=True, slots=True)
class TextLikelihoods:
    """The log-likelihood of each text, in nats.

    Attributes:
        log_likelihoods: The sum over the scored tokens; NaN where none is scored, as in an empty
            text. Shape (N,).
    """

    log_likelihoods: NDArray[np.float64]
    tokens: NDArray[np.int64]
    truncated: NDArray[np.bool_]

    @property
    def per_token(self) -> NDArray[np.float64]:
        """The mean over the scored tokens; NaN where none is scored. Shape (N,)."""
        return self.log_likelihoods / np.maximum(self.tokens, 1)

    @property
    def losses(self) -> NDArray[np.float64]:
        """The mean negative log-likelihood per token, whose exponential is a perplexity."""
        return -self.per_token + 0.0

    @property
    def skipped(self) -> int:
        """How many texts have no scored token."""
        return int((self.tokens == 0).sum())


def are_texts(values: Sequence[Any], model: Any, argument: str) -> bool:
    """Whether values are texts for a model, or what a model said already."""
    has_texts = any(isinstance(value, str) for value in values)
    if has_texts and model is None:
        raise invalid(f"{argument} has texts, so it needs a model to score them; give model.")
    if model is not None and len(values) and not has_texts:
        raise invalid(
            f"{argument} has no texts, so there is nothing for a model to score; leave model out."
        )
    return has_texts


def causal_likelihoods(
    texts: Sequence[str],
    model: ModelLike,
    *,
    max_tokens: int | None = None,
    start_token: bool = False,
    batch_size: int = 32,
    revision: str | None = None,
    device: str | None = None,
) -> TextLikelihoods:
    """Score each text by a causal language model.

    Each token but the first is scored given those before it. A text that is empty or of one token
    has no score. Texts longer than the model reads are cut, with a warning.

    Args:
        max_tokens: Cut texts to so many tokens, as published perplexities of rewrites do at 200.
        start_token: Put the token that starts a text, or else the one that ends it, before each
            text, so that its first token is scored too. Compare whole sentences with this.
    """
    values = inputs.texts(texts, "texts")
    start_token = switch(start_token, parameter="start_token")
    loaded = load_model(model, "causal", revision=revision, device=device)
    start = _start(loaded) if start_token else None
    encoded = loaded.encode(values, max_tokens=max_tokens, room=int(start_token))
    rows = [ids if start is None or ids[:1] == [start] else [start, *ids] for ids in encoded.ids]
    lengths = np.array([len(ids) for ids in rows], dtype=np.int64)
    tokens = np.maximum(lengths - 1, 0)
    sums = np.full(len(rows), np.nan)
    scored = np.flatnonzero(tokens)
    with loaded.scoring():
        for batch in batches_by_length(lengths[scored], batch_size, "Scoring texts"):
            chosen = scored[batch]
            sums[chosen] = _log_likelihoods(loaded, [rows[row] for row in chosen])
    return TextLikelihoods(sums, tokens, encoded.truncated)


def sentence_scores(
    sent_more: Sequence[str],
    sent_less: Sequence[str],
    model: ModelLike,
    *,
    batch_size: int = 32,
    revision: str | None = None,
    device: str | None = None,
) -> NDArray[np.float64]:
    """Score pairs of sentences by their whole likelihood under a causal language model.

    This is no part of CrowS-Pairs as published, which scores the shared tokens by a masked model:
    keep the two apart. Sentences of different numbers of tokens differ by that alone.

    Returns:
        The log-likelihoods in nats, in the order of the sentences. Shape (N, 2).
    """
    more = inputs.texts(sent_more, "sent_more")
    less = inputs.texts(sent_less, "sent_less")
    inputs.same_length({"sent_more": more, "sent_less": less})
    likelihoods = causal_likelihoods(
        [*more, *less],
        model,
        start_token=True,
        batch_size=batch_size,
        revision=revision,
        device=device,
    )
    for wrong, reason in ((likelihoods.truncated, "cut"), (likelihoods.tokens == 0, "empty")):
        if wrong.any():
            row = int(np.flatnonzero(wrong)[0]) % len(more)
            raise invalid(
                f"a sentence of row {row} is {reason}, so the pair cannot be compared. "
                "Drop it first."
            )
    return likelihoods.log_likelihoods.reshape(2, -1).T


def causal_losses(
    texts: dict[str, Sequence[str]],
    model: ModelLike,
    *,
    max_tokens: int | None = 200,
    batch_size: int = 32,
    revision: str | None = None,
    device: str | None = None,
) -> list[NDArray[np.float64]]:
    """Give the mean loss per token of several lists of texts, loading the model once.

    Args:
        max_tokens: Cut texts to so many tokens, 200 as published; None: to what the model reads.

    Returns:
        The losses of each list; NaN for a text that is empty or of one token.

    Source:
        Tokpo and Calders (2023), Model-Based Counterfactual Generator for Gender Bias Mitigation.
    """
    lists = [inputs.texts(values, name) for name, values in texts.items()]
    likelihoods = causal_likelihoods(
        [text for values in lists for text in values],
        model,
        max_tokens=max_tokens,
        batch_size=batch_size,
        revision=revision,
        device=device,
    )
    return np.split(likelihoods.losses, np.cumsum([len(values) for values in lists])[:-1])


def _start(loaded: ScoringModel) -> int:
    """Return the id of the token that starts a text."""
    for token_id in (loaded.tokenizer.bos_token_id, loaded.tokenizer.eos_token_id):
        if token_id is not None:
            return int(token_id)
    raise invalid("the tokenizer has no token that starts or ends a text.")


def _log_likelihoods(loaded: ScoringModel, rows: list[list[int]]) -> NDArray[np.float64]:
    """Return the sum of the log-probabilities of all tokens but the first of each row."""
    output, ids, mask = loaded.run(rows)
    logits = output.logits[:, :-1].float()
    following = ids[:, 1:]
    chosen = logits.gather(-1, following[..., None]).squeeze(-1)
    log_probabilities = (chosen - logits.logsumexp(-1)).cpu().double()
    sums: NDArray[np.float64] = (
        log_probabilities.masked_fill(mask[:, 1:].cpu() == 0, 0.0).sum(-1).numpy()
    )
    return sums


def sentence_values(
    texts: Sequence[str],
    model: ModelLike,
    head: Literal["masked", "causal"] = "masked",
    *,
    per_token: bool = False,
    batch_size: int = 64,
    revision: str | None = None,
    device: str | None = None,
) -> tuple[NDArray[np.float64], str]:
    """Give the log-likelihood of each sentence, and say what the values are.

    Args:
        head: `"masked"`: the pseudo-log-likelihood of a masked model; `"causal"`: the
            log-likelihood of a causal one, the first token among those scored.
        per_token: Divide by the number of tokens, so that sentences of more tokens are not less
            likely by that alone.

    Returns:
        The values, NaN for an empty sentence, shape (N,); and what they are:
        `"log-likelihood"` or `"log-likelihood per token"`.
    """
    one_of(head, ("masked", "causal"), parameter="head")
    per_token = switch(per_token, parameter="per_token")
    if head == "masked":
        likelihoods = pseudo_likelihoods(
            texts, model, batch_size=batch_size, revision=revision, device=device
        )
    else:
        likelihoods = causal_likelihoods(
            texts, model, start_token=True, batch_size=batch_size, revision=revision, device=device
        )
    if per_token:
        return likelihoods.per_token, "log-likelihood per token"
    return likelihoods.log_likelihoods, "log-likelihood"


def pseudo_likelihoods(
    texts: Sequence[str],
    model: ModelLike,
    *,
    batch_size: int = 64,
    revision: str | None = None,
    device: str | None = None,
) -> TextLikelihoods:
    """Score each text by a masked language model: its pseudo-log-likelihood.

    Each token is masked alone and scored given all others; the tokens that the tokenizer adds are
    not scored. An empty text has no score. Texts longer than the model reads are cut, with a
    warning.

    Source:
        Salazar et al. (2020), Masked Language Model Scoring.
    """
    values = inputs.texts(texts, "texts")
    loaded = load_model(model, "masked", revision=revision, device=device)
    encoded = loaded.encode(values)
    positions = [
        [position for position, is_added in enumerate(flags) if not is_added]
        for flags in encoded.special
    ]
    sums = _sums(loaded, encoded.ids, positions, batch_size)
    tokens = np.array([len(row) for row in positions], dtype=np.int64)
    return TextLikelihoods(np.where(tokens > 0, sums, np.nan), tokens, encoded.truncated)


def shared_token_scores(
    sent_more: Sequence[str],
    sent_less: Sequence[str],
    model: ModelLike,
    *,
    batch_size: int = 64,
    revision: str | None = None,
    device: str | None = None,
) -> NDArray[np.float64]:
    """Score pairs of sentences by the tokens that they share, as CrowS-Pairs does.

    Each shared token is masked alone, in both sentences, and scored given all others, the differing
    ones among them. The first and the last shared token are left out, as they are the tokens that
    the tokenizer adds. A pair that shares no other token scores 0 and 0.

    Returns:
        The sums of log-probabilities in nats, in the order of the sentences. Shape (N, 2).

    Source:
        Nangia et al. (2020), CrowS-Pairs: A Challenge Dataset for Measuring Social Biases in Masked
        Language Models.
    """
    more = inputs.texts(sent_more, "sent_more")
    less = inputs.texts(sent_less, "sent_less")
    inputs.same_length({"sent_more": more, "sent_less": less})
    loaded = load_model(model, "masked", revision=revision, device=device)
    # In the order more, less, more, less: the pairs stay side by side.
    encoded = loaded.encode([text for pair in zip(more, less, strict=True) for text in pair])
    if encoded.truncated.any():
        row = int(np.flatnonzero(encoded.truncated)[0]) // 2
        raise invalid(
            f"the sentences of row {row} are longer than the {loaded.limit} tokens that "
            "the model reads, and cut sentences cannot be compared; drop the row."
        )
    positions: list[list[int]] = []
    for first, second in zip(encoded.ids[::2], encoded.ids[1::2], strict=True):
        positions += _shared_positions(first, second)
    return _sums(loaded, encoded.ids, positions, batch_size).reshape(-1, 2)


def _shared_positions(first: list[int], second: list[int]) -> tuple[list[int], list[int]]:
    """Return where the shared tokens stand in both sentences, without the first and the last."""
    matcher = SequenceMatcher(
        None, [str(token) for token in first], [str(token) for token in second], autojunk=False
    )
    in_first: list[int] = []
    in_second: list[int] = []
    for block in matcher.get_matching_blocks():
        in_first += range(block.a, block.a + block.size)
        in_second += range(block.b, block.b + block.size)
    return in_first[1:-1], in_second[1:-1]


def _sums(
    loaded: ScoringModel, rows: list[list[int]], positions: list[list[int]], batch_size: int
) -> NDArray[np.float64]:
    """Sum over the positions of each row the log-probability of the token masked there alone."""
    row_of_job = np.repeat(np.arange(len(rows)), [len(each) for each in positions])
    position_of_job = np.array([each for row in positions for each in row], dtype=np.int64)
    lengths = np.array([len(ids) for ids in rows], dtype=np.int64)
    log_probabilities = np.zeros(len(row_of_job))
    with loaded.scoring():
        for jobs in batches_by_length(lengths[row_of_job], batch_size, "Scoring masked tokens"):
            log_probabilities[jobs] = _log_probabilities(
                loaded, [rows[row] for row in row_of_job[jobs]], position_of_job[jobs]
            )
    sums = np.zeros(len(rows))
    np.add.at(sums, row_of_job, log_probabilities)
    return sums


def _log_probabilities(
    loaded: ScoringModel, rows: list[list[int]], positions: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return the log-probability of the token that is masked in each row."""
    import torch

    mask_token = int(loaded.tokenizer.mask_token_id)
    masked = [
        [*ids[:position], mask_token, *ids[position + 1 :]]
        for ids, position in zip(rows, positions.tolist(), strict=True)
    ]
    output, _, _ = loaded.run(masked)
    logits = output.logits[torch.arange(len(rows)), torch.from_numpy(positions)].cpu().double()
    truths = torch.tensor(
        [ids[position] for ids, position in zip(rows, positions.tolist(), strict=True)]
    )
    chosen = logits.gather(-1, truths[:, None]).squeeze(-1) - logits.logsumexp(-1)
    log_probabilities: NDArray[np.float64] = chosen.numpy()
    return log_probabilities
