"""Sentence vectors: the states of an encoder's last layer, pooled over the tokens."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from fair_datasets.measures import inputs
from fair_datasets.scores.classifiers import refuse_empty
from fair_datasets.scores.models import ModelLike, ScoringModel, batches_by_length, load_model
from fair_datasets.system.checks import invalid, one_of
from fair_datasets.system.pretrained import read_json

if TYPE_CHECKING:
    import torch

Pooling = Literal["auto", "mean", "max", "cls", "last"]
"""How the states of a sentence become one vector: their mean or maximum over the tokens, the state
of the first token, or that of the last. `"auto"`: as a folder of sentence-transformers says, the
maximum for an encoder that `train_sentence_encoder` trained, else the mean."""

# What sentence-transformers calls the poolings, in its present and its earlier files.
POOLINGS = {
    "mean": "mean",
    "max": "max",
    "cls": "cls",
    "lasttoken": "last",
    "pooling_mode_mean_tokens": "mean",
    "pooling_mode_max_tokens": "max",
    "pooling_mode_cls_token": "cls",
    "pooling_mode_lasttoken": "last",
}


def sentence_vectors(
    texts: Sequence[str],
    model: ModelLike | Callable[[list[str]], Any],
    *,
    pooling: Pooling = "auto",
    batch_size: int = 32,
    revision: str | None = None,
    device: str | None = None,
) -> NDArray[np.float64]:
    """Give a vector for each text. Shape (N, d).

    The vectors are not brought to one length, which a cosine does not need. Texts longer than the
    model reads are cut, with a warning.

    Args:
        model: A Hub id, a folder, or a model with its tokenizer; or any function from a list of
            texts to their vectors, such as the `encode` of sentence-transformers.
        pooling: How states become one vector. It is part of the result: name it beside figures.
    """
    values = inputs.texts(texts, "texts")
    one_of(pooling, get_args(Pooling), parameter="pooling")
    if callable(model) and not hasattr(model, "state_dict"):
        return function_vectors(values, model)
    loaded, pooling = load_encoder(
        model,  # type: ignore[arg-type]
        pooling,
        revision=revision,
        device=device,
    )
    return pooled_states(loaded, pooling, values, batch_size=batch_size)


def load_encoder(
    model: ModelLike,
    pooling: Pooling = "auto",
    *,
    revision: str | None = None,
    device: str | None = None,
) -> tuple[ScoringModel, Pooling]:
    """Load an encoder, and find out how it pools."""
    loaded = load_model(model, "encoder", revision=revision, device=device)
    own = getattr(loaded.model, "pooling", None)
    if pooling == "auto" and isinstance(own, str):
        pooling = own  # type: ignore[assignment]
    elif pooling == "auto":
        pooling, maximum = _own_pooling(model, revision)
        loaded = replace(loaded, maximum=maximum)
    return loaded, pooling


def pooled_states(
    loaded: ScoringModel,
    pooling: Pooling,
    texts: Sequence[str],
    *,
    batch_size: int,
    max_tokens: int | None = None,
) -> NDArray[np.float64]:
    """Give a vector for each text by an encoder that is loaded. Shape (N, d)."""
    encoded = loaded.encode(texts, max_tokens=max_tokens)
    refuse_empty(encoded.ids)
    vectors = np.zeros((len(texts), int(loaded.model.config.get_text_config().hidden_size)))
    with loaded.scoring():
        for batch in batches_by_length(encoded.lengths, batch_size, "Reading sentences"):
            output, _, mask = loaded.run([encoded.ids[row] for row in batch])
            pooled = _pooled(output.last_hidden_state.cpu().double(), mask.cpu(), pooling)
            vectors[batch] = pooled.numpy()
    return vectors


def function_vectors(texts: list[str], function: Callable[[list[str]], Any]) -> NDArray[np.float64]:
    """Call a function of the user and look at what it gives. Shape (N, d)."""
    if not texts:
        return np.zeros((0, 0))
    vectors = function(texts)
    if hasattr(vectors, "detach"):
        vectors = vectors.detach().cpu().double().numpy()
    table: NDArray[np.float64] = np.asarray(vectors, dtype=np.float64)
    if table.ndim != 2 or len(table) != len(texts):
        raise invalid(
            f"model must give one vector for each of the {len(texts)} texts, but it gave "
            f"an array of shape {table.shape}."
        )
    return table


def _pooled(states: "torch.Tensor", mask: "torch.Tensor", pooling: Pooling) -> "torch.Tensor":
    """Make one vector (B, d) of the states (B, T, d) that the mask (B, T) does not hide."""
    import torch

    if pooling == "cls":
        return states[:, 0]
    if pooling == "last":
        return states[torch.arange(len(states)), mask.sum(dim=1) - 1]
    if pooling == "max":
        return states.masked_fill(mask[..., None] == 0, -torch.inf).amax(dim=1)
    return (states * mask[..., None]).sum(dim=1) / mask.sum(dim=1, keepdim=True)


def _own_pooling(model: Any, revision: str | None) -> tuple[Pooling, int | None]:
    """Read pooling and number of tokens from the files of sentence-transformers."""
    if not isinstance(model, str | PathLike):
        return "mean", None
    modules = read_json(model, "modules.json", revision)
    if modules is None:
        return "mean", None
    folder = ""
    for kind, path in _modules(modules, model):
        if kind not in {"Transformer", "Pooling", "Normalize"}:
            raise invalid(
                f"{str(model)!r} has a module {kind!r} after its encoder. Give the "
                "function `SentenceTransformer(...).encode` as model, or choose a pooling."
            )
        folder = path if kind == "Pooling" else folder
    if not folder:
        return "mean", None
    config = read_json(model, f"{folder}/config.json", revision) or {}
    named = config.get("pooling_mode")
    modes = [named] if named else [key for key in config if config[key] is True and "mode" in key]
    if len(modes) != 1 or modes[0] not in POOLINGS:
        raise invalid(
            f"{str(model)!r} pools by {modes!r}. Give the function "
            "`SentenceTransformer(...).encode` as model, or choose a pooling."
        )
    sizes = read_json(model, "sentence_bert_config.json", revision) or {}
    return POOLINGS[modes[0]], sizes.get("max_seq_length")  # type: ignore[return-value]


def _modules(modules: Any, model: Any) -> Iterator[tuple[str, str]]:
    """Give the kind and the folder of each module, as sentence-transformers states them."""
    try:
        stated = [(str(module["type"]), str(module["path"])) for module in modules]
    except (KeyError, TypeError) as error:
        raise invalid(
            f"modules.json of {str(model)!r} does not list modules; choose a pooling."
        ) from error
    for kind, path in stated:
        if ".." in PurePath(path).parts or PurePath(path).is_absolute():
            raise invalid(
                f"modules.json of {str(model)!r} names the folder {path!r}, which lies "
                "outside of the model; choose a pooling."
            )
        yield kind.rpartition(".")[2], path
