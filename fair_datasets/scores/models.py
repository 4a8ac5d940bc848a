"""Loading a model with its tokenizer.

A head that the checkpoint lacks would be filled with random numbers, and a model that reads both
ways would know each token that it is asked to predict: both are refused.
"""

from os import PathLike
from typing import Any, Literal

from fair_datasets.scores.scoring_model import ScoringModel
from fair_datasets.system.checks import InputError
from fair_datasets.system.extras import require
from fair_datasets.system.pretrained import BILSTM, read_json, read_pretrained
from fair_datasets.system.unreadable import first_line, refuse_missing_folder, told_if_unreadable

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
    model: ModelLike,
    head: Head,
    *,
    owner: str,
    revision: str | None = None,
    device: str | None = None,
) -> ScoringModel:
    """Load a model with its tokenizer.

    Args:
        model: A Hub id, a local folder, or a model with its tokenizer. A folder or id is read in
            single precision, so that scores do not depend on the machine.
        device: Such as `"cuda:1"` or `"cpu"`. None: a GPU if there is one; a model that was given
            stays where it is.
    """
    require("models", owner=owner)
    import torch

    _refuse_device(device, owner=owner)
    if isinstance(model, tuple) and len(model) == 2:
        network, tokenizer = model
        if device is not None:
            network = network.to(device)
    elif isinstance(model, str | PathLike):
        network, tokenizer = _read(str(model), head, owner, revision)
        best = "cuda" if torch.cuda.is_available() else "cpu"
        network = network.to(device or best)
    else:
        raise InputError(
            f"{owner}: model must be a Hub id, a folder, or a tuple of a model and its tokenizer, "
            f"but {'none is given' if model is None else f'it is a {type(model).__name__}'}."
        )
    if head == "encoder":
        network = network.base_model
    loaded = ScoringModel(network, tokenizer, owner)
    _refuse_unfit(loaded, head)
    return loaded


def _refuse_device(device: str | None, *, owner: str) -> None:
    """Raise unless a device exists and can hold numbers."""
    import torch

    try:
        torch.empty(1, device=device)
    except (RuntimeError, AssertionError, TypeError) as error:
        raise InputError(
            f"{owner}: device {device!r} cannot be used ({first_line(error)})"
        ) from error


def _read(name: str, head: Head, owner: str, revision: str | None) -> tuple[Any, Any]:
    """Read a model and its tokenizer from a folder or the Hub; an encoder may be one of ours."""
    if head == "encoder":
        refuse_missing_folder(name, owner=owner)
        with told_if_unreadable(name, what=head, owner=owner):
            ours = _read_encoder(name, revision)
        if ours is not None:
            return ours, ours.tokenizer
    return read_pretrained(name, AUTO_CLASS[head], what=head, owner=owner, revision=revision)


def _read_encoder(name: str, revision: str | None) -> Any:
    """Read an encoder of our own; None where the model is none of ours."""
    config = read_json(name, "config.json", revision)
    if not isinstance(config, dict) or config.get("architecture") != BILSTM:
        return None
    from fair_datasets.scores.bilstm.network import BiLSTMEncoder

    return BiLSTMEncoder.from_pretrained(name, revision=revision)


def _refuse_unfit(loaded: ScoringModel, head: Head) -> None:
    """Raise if a model does not do what the head has to."""
    owner, network = loaded.owner, loaded.model
    name = type(network).__name__
    if head in ("causal", "masked"):
        if network.get_output_embeddings() is None:
            raise InputError(f"{owner}: {name} has no head that predicts tokens.")
        reads_both_ways = _reads_both_ways(loaded)
        if head == "causal" and reads_both_ways:
            raise InputError(
                f"{owner}: {name} sees the tokens that it is asked to predict, so it is not a "
                "causal language model."
            )
        if head == "masked" and not reads_both_ways:
            raise InputError(
                f"{owner}: {name} reads from left to right, so it is not a masked model."
            )
        if head == "masked" and loaded.tokenizer.mask_token_id is None:
            raise InputError(f"{owner}: the tokenizer of {name} has no token for masks.")
    elif head == "classifier" and "SequenceClassification" not in name:
        raise InputError(f"{owner}: {name} is not a text classifier.")
    elif head == "encoder" and network.config.is_encoder_decoder:
        raise InputError(f"{owner}: {name} also decodes: give its encoder and the tokenizer.")


def _reads_both_ways(loaded: ScoringModel) -> bool:
    """Tell whether a later token changes what a model gives for an earlier one."""
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
