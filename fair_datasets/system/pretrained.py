"""Reading what somebody saved: none of its code runs, and what cannot be read is told.

Weights are read as safetensors alone. A pickle can run code where it is read; what torch allows of
one is limited today, but nobody who scores or rewrites rows should have to know how.
"""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import Any

from fair_datasets.system.checks import InputError, listed_few
from fair_datasets.system.unreadable import (
    is_folder,
    refuse_missing_folder,
    refuse_no_numbers,
    told_if_unreadable,
    with_article,
)
from fair_datasets.system.waiting import hub_answers, limit_waiting

BILSTM = "bilstm-max"
"""What the config.json of our own encoder says of its architecture."""

# What configurations call the number of positions that a model has learnt.
_POSITIONS = (
    "max_position_embeddings", "max_encoder_position_embeddings", "max_decoder_position_embeddings"
)  # fmt: skip
_NO_CONVERSION = "DISABLE_SAFETENSORS_CONVERSION"


def read_pretrained(
    name: str, kind: str, *, what: str, owner: str, revision: str | None = None
) -> tuple[Any, Any]:
    """Read a model and its tokenizer from a folder or the Hub, in single precision.

    Args:
        what: What the model has to be, for errors, such as "causal".
    """
    import torch

    refuse_missing_folder(name, owner=owner)
    with told_if_unreadable(name, what=what, owner=owner):
        tokenizer = read_tokenizer(name, revision=revision)
        network, report = read_network(
            kind, name, revision=revision, dtype=torch.float32, output_loading_info=True
        )
    # Nothing here uses what a pooler gives.
    missing = sorted(key for key in report["missing_keys"] if "pooler" not in key)
    if missing:
        raise InputError(
            f"{owner}: the weights of {name!r} lack {listed_few(missing)}, "
            f"which {with_article(what)} model needs; they would be random."
        )
    refuse_no_numbers(network.state_dict(), name, owner=owner)
    return network, tokenizer


def folder_files(name: str, *, owner: str, has_owner: bool = False) -> dict[str, Path]:
    """Name the files of a model that lies in a folder.

    Returns:
        `<name>/<file>` to the file's path; nothing for a Hub id.

    Example:
        >>> folder_files("facebook/perturber", owner="demonstration")
        {}
    """
    refuse_missing_folder(name, owner=owner, has_owner=has_owner)
    if not is_folder(name):
        return {}
    found = sorted(path for path in Path(name).iterdir() if path.is_file())
    return {f"{name}/{path.name}": path for path in found}


def read_tokenizer(name: str, **options: Any) -> Any:
    """Read a tokenizer with `transformers`."""
    import transformers

    found = transformers.AutoTokenizer.from_pretrained(
        name, trust_remote_code=False, **{**options, **_where_from(name)}
    )
    # Where no file of a vocabulary is there, transformers makes a tokenizer that knows no word.
    files = found.vocab_files_names.values()
    revision = options.get("revision")
    if files and not any(pretrained_file(name, file, revision) for file in files):
        raise ValueError("it has no tokenizer; save one there with its save_pretrained")
    return found


def read_config(name: str, **options: Any) -> Any:
    """Read the configuration of a model with `transformers`."""
    import transformers

    return transformers.AutoConfig.from_pretrained(
        name, trust_remote_code=False, **{**options, **_where_from(name)}
    )


def read_network(kind: str, name: str, **options: Any) -> Any:
    """Read a model with `transformers`."""
    import transformers

    with _as_it_is(), _without_report():
        return getattr(transformers, kind).from_pretrained(
            name, trust_remote_code=False, use_safetensors=True,
            **{**options, **_where_from(name)},
        )  # fmt: skip


def positions_of(network: Any) -> int | None:
    """Tell how many tokens a model has learnt the positions of.

    Returns:
        Their number, of an encoder and a decoder that differ the fewer; None if it has no such
        table.
    """
    config = network.config
    configs = [config.get_text_config(), getattr(config, "encoder", None),
               getattr(config, "decoder", None)]  # fmt: skip
    counts = [getattr(each, name, None) for each in configs for name in _POSITIONS]
    count = min((each for each in counts if isinstance(each, int) and each > 0), default=None)
    embeddings = getattr(network.base_model, "embeddings", None)
    table = getattr(embeddings, "position_embeddings", None)
    # RoBERTa and its kin count positions from behind that of padding.
    unused = getattr(table, "padding_idx", None)
    return count if count is None or unused is None else count - unused - 1


@contextmanager
def _as_it_is() -> Iterator[None]:
    """Have transformers read what was named, and nothing that a service makes of it."""
    # Where the main branch has no safetensors, it would look for some among the pull requests, and
    # send the model's name and the user's token to a service that makes them.
    before = os.environ.get(_NO_CONVERSION)
    os.environ[_NO_CONVERSION] = "1"
    try:
        yield
    finally:
        os.environ.pop(_NO_CONVERSION)
        if before is not None:
            os.environ[_NO_CONVERSION] = before


@contextmanager
def _without_report() -> Iterator[None]:
    """Have transformers print no table of weights; what is wrong is told in a word."""
    from transformers.utils import logging

    before = logging.get_verbosity()
    logging.set_verbosity_error()  # type: ignore[no-untyped-call]
    try:
        yield
    finally:
        logging.set_verbosity(before)


def read_json(model: str | PathLike[str], name: str, revision: str | None = None) -> Any:
    """Read a settings file of a model.

    Returns:
        What it holds; None where there is no such file.
    """
    path = pretrained_file(str(model), name, revision)
    try:
        return None if path is None else json.loads(Path(path).read_text(encoding="utf-8"))
    except ValueError as error:
        raise InputError(
            f"The file {name} of {str(model)!r} is not JSON; download it again."
        ) from error


def pretrained_file(
    model: str, name: str, revision: str | None = None, **options: Any
) -> str | None:
    """Return the path of a file of a model, which is downloaded where it is on the Hub.

    Args:
        **options: What downloads take, such as `token`.
    """
    from transformers.utils.hub import cached_file

    path: str | None = cached_file(
        model, name, revision=revision, _raise_exceptions_for_missing_entries=False,
        **{**options, **_where_from(model)},
    )  # fmt: skip
    return path


def _where_from(name: str) -> dict[str, bool]:
    """Have only what was downloaded before be read where the Hub does not answer."""
    # Else transformers would try anew for each of its files, which takes minutes.
    if is_folder(name):
        return {}
    limit_waiting()
    return {} if hub_answers() else {"local_files_only": True}
