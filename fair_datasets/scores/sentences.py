"""Values of sentences by a language model of either kind."""

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from fair_datasets.scores.causal import causal_likelihoods
from fair_datasets.scores.masked import pseudo_likelihoods
from fair_datasets.scores.models import ModelLike
from fair_datasets.system.checks import one_of, switch


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
        texts: The sentences.
        model: A Hub id, a folder, or a model with its tokenizer.
        head: `"masked"`: the pseudo-log-likelihood of a masked model; `"causal"`: the
            log-likelihood of a causal one, the first token among those scored.
        per_token: Divide by the number of tokens, so that sentences of more tokens are not less
            likely by that alone.
        batch_size: How many sentences run at once at most.
        revision: The branch, tag or commit on the Hub.
        device: Where the model runs; None: a GPU if there is one.

    Returns:
        The values, NaN for an empty sentence, shape (N,); and what they are:
        `"log-likelihood"` or `"log-likelihood per token"`.

    Raises:
        InputError: A sentence is missing, or the model is not of the kind that `head` says.

    Example:
        >>> sentence_values(["He ran."], "bert-base-uncased", "mask")
        Traceback (most recent call last):
        ...
        fair_datasets.InputError: sentence_values: head must be one of 'masked', 'causal',
        but it is 'mask'. Did you mean 'masked'?
    """
    one_of(head, ("masked", "causal"), owner="sentence_values", parameter="head")
    per_token = switch(per_token, owner="sentence_values", parameter="per_token")
    if head == "masked":
        found = pseudo_likelihoods(
            texts, model, batch_size=batch_size, revision=revision, device=device
        )
    else:
        found = causal_likelihoods(
            texts,
            model,
            start_token=True,
            batch_size=batch_size,
            revision=revision,
            device=device,
        )
    if per_token:
        return found.per_token, "log-likelihood per token"
    return found.log_likelihoods, "log-likelihood"
