"""Reading what somebody saved: none of its code runs, and what cannot be read is told.

Weights are read as safetensors alone. A pickle can run code where it is read; what torch allows of
one is limited today, but nobody who scores rows should have to know how.
"""

import json
from collections.abc import Iterator
from os import PathLike
from pathlib import Path
from typing import Any

from fair_datasets.checks import InputError

BILSTM = "bilstm-max"
"""What the config.json of our own encoder says of its architecture."""


def read_tokenizer(name: str, **options: Any) -> Any:
    """Read a tokenizer with `transformers`.

    Args:
        name: A Hub id or a folder.
        **options: What `from_pretrained` takes.

    Returns:
        The tokenizer.
    """
    import transformers

    return transformers.AutoTokenizer.from_pretrained(name, trust_remote_code=False, **options)


def read_network(kind: str, name: str, **options: Any) -> Any:
    """Read a model with `transformers`.

    Args:
        kind: The class that reads it, such as "AutoModel".
        name: A Hub id or a folder.
        **options: What `from_pretrained` takes.

    Returns:
        What `from_pretrained` returns.
    """
    import transformers

    return getattr(transformers, kind).from_pretrained(
        name, trust_remote_code=False, use_safetensors=True, **options
    )


def read_encoder(name: str, revision: str | None = None) -> Any:
    """Read an encoder of our own.

    Args:
        name: A Hub id or a folder.
        revision: The branch, tag or commit on the Hub.

    Returns:
        The encoder, with its tokenizer as `tokenizer`; None where the model is none of ours.
    """
    config = read_json(name, "config.json", revision)
    if not isinstance(config, dict) or config.get("architecture") != BILSTM:
        return None
    from fair_datasets.scores.bilstm.network import BiLSTMEncoder

    return BiLSTMEncoder.from_pretrained(name, revision=revision)


def read_json(model: str | PathLike[str], name: str, revision: str | None = None) -> Any:
    """Read a settings file of a model.

    Args:
        model: A Hub id or a folder.
        name: The file.
        revision: The branch, tag or commit on the Hub.

    Returns:
        What it holds; None where there is no such file.

    Raises:
        InputError: It is no JSON.
    """
    path = pretrained_file(str(model), name, revision)
    try:
        return None if path is None else json.loads(Path(path).read_text(encoding="utf-8"))
    except ValueError as error:
        raise InputError(f"The file {name} of {str(model)!r} is no JSON; get it anew.") from error


def pretrained_file(
    model: str, name: str, revision: str | None = None, **options: Any
) -> str | None:
    """Return the path of a file of a model, which is downloaded where it is on the Hub.

    Args:
        model: A Hub id or a folder.
        name: The file.
        revision: The branch, tag or commit on the Hub.
        **options: What downloads take, such as `token`.

    Returns:
        The path; None where there is no such file.
    """
    from transformers.utils.hub import cached_file

    path: str | None = cached_file(
        model, name, revision=revision, _raise_exceptions_for_missing_entries=False, **options
    )
    return path


def why_unreadable(name: str, error: Exception) -> str:
    """Say in a few words why a model cannot be read.

    Args:
        name: A Hub id or a folder.
        error: What `transformers` raised.

    Returns:
        What follows "cannot be loaded as a classifier model".

    Example:
        >>> why_unreadable("ada/fair", ValueError("Unrecognized model in ada/fair."))
        ' (Unrecognized model in ada/fair.)'
    """
    kinds = {kind.__name__ for cause in _chain(error) for kind in type(cause).__mro__}
    if "GatedRepoError" in kinds:
        return ": it is gated; accept its terms on its page on the Hub, and run `hf auth login`"
    if "SafetensorError" in kinds:
        return f": its weights are broken ({_first_line(error)}); get them anew"
    if "custom code" in str(error):
        return ": it needs code of its own, which is not run here; choose a model that does without"
    if "file named model.safetensors" in str(error):
        return (
            ": it has no weights as safetensors, and a pickle, which can run code, is not read; "
            "load it where you trust it and save it anew with save_pretrained"
        )
    return f" ({_first_line(error)})"


def is_folder(name: str) -> bool:
    """Tell whether a name is that of a folder here.

    Args:
        name: A Hub id or a folder.

    Returns:
        Whether it is.

    Example:
        >>> is_folder(".")
        True
    """
    try:
        return Path(name).is_dir()
    except (OSError, ValueError):
        # Too long for the system, or with a NUL.
        return False


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """Walk from an exception to what caused it."""
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _first_line(error: Exception) -> str:
    """Return the first line of an error's text, or its kind where it has none."""
    return str(error).strip().partition("\n")[0][:200] or type(error).__name__
