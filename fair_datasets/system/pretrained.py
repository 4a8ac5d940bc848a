"""Reading models that somebody saved: none of their code runs; why one cannot be read is told.

Weights are read as safetensors alone. A pickle can run code where it is read; what torch allows of
one is limited today, but nobody who scores or rewrites rows should have to know how.
"""

import json
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import Any

from fair_datasets.system.checks import InputError, format_first, invalid, with_article
from fair_datasets.system.retry import answer_of, hub_answers, retry_hub_requests

BILSTM = "bilstm-max"
"""What the config.json of our own encoder says of its architecture."""

# What configurations call the number of positions that a model has learnt.
_POSITIONS = (
    "max_position_embeddings", "max_encoder_position_embeddings", "max_decoder_position_embeddings"
)  # fmt: skip
_NO_CONVERSION = "DISABLE_SAFETENSORS_CONVERSION"


def read_pretrained(
    name: str, kind: str, *, what: str, revision: str | None = None
) -> tuple[Any, Any]:
    """Read a model and its tokenizer from a folder or the Hub, in single precision."""
    import torch

    refuse_missing_folder(name)
    with translate_load_errors(name, what=what):
        tokenizer = read_tokenizer(name, revision=revision)
        network, report = read_network(
            kind, name, revision=revision, dtype=torch.float32, output_loading_info=True
        )
    # Nothing here uses what a pooler gives.
    if missing := sorted(key for key in report["missing_keys"] if "pooler" not in key):
        raise invalid(
            f"the weights of {name!r} lack {format_first(missing)}, "
            f"which {with_article(what)} model needs; they would be random."
        )
    refuse_no_numbers(network.state_dict(), name)
    return network, tokenizer


def on_gpu(network: Any, name: str) -> Any:
    """Put a model on the GPU, if there is one.

    Raises:
        InputError: It has no memory for the model, or this process cannot use it.
    """
    import torch

    if not torch.cuda.is_available():
        return network
    refuse_lost_gpu()
    try:
        return network.to("cuda")
    except torch.cuda.OutOfMemoryError as error:
        raise invalid(
            f"the GPU has no memory for {name!r}; free some, or hide the GPU with "
            "CUDA_VISIBLE_DEVICES= to run it on the CPU."
        ) from error


def refuse_lost_gpu() -> None:
    """Raise in a process that cannot use the GPU, as one that was forked from one that had."""
    import torch

    if not torch.cuda.is_available():
        return
    try:
        torch.empty(1, device="cuda")
    except (RuntimeError, AssertionError) as error:
        raise invalid(
            f"the GPU cannot be used in this process ({first_line(error)}); leave "
            "num_proc out, because one process gives the GPU whole batches."
        ) from error


def folder_files(name: str, *, has_owner: bool = False) -> dict[str, Path]:
    """Name the files of a model that lies in a folder.

    Returns:
        `<name>/<file>` to the file's path; nothing for a Hub id.

    Example:
        >>> folder_files("facebook/perturber")
        {}
    """
    refuse_missing_folder(name, has_owner=has_owner)
    if not is_folder(name):
        return {}
    paths = sorted(path for path in Path(name).iterdir() if path.is_file())
    return {f"{name}/{path.name}": path for path in paths}


def read_tokenizer(name: str, **options: Any) -> Any:
    """Read a tokenizer with `transformers`."""
    import transformers

    tokenizer = transformers.AutoTokenizer.from_pretrained(
        name, trust_remote_code=False, **{**options, **_where_from(name)}
    )
    # Where no file of a vocabulary is there, transformers makes a tokenizer that knows no word.
    files = tokenizer.vocab_files_names.values()
    revision = options.get("revision")
    if files and not any(pretrained_file(name, file, revision) for file in files):
        raise ValueError("it has no tokenizer; save one there with its save_pretrained")
    return tokenizer


def read_config(name: str, **options: Any) -> Any:
    """Read the configuration of a model with `transformers`."""
    import transformers

    return transformers.AutoConfig.from_pretrained(
        name, trust_remote_code=False, **{**options, **_where_from(name)}
    )


def read_network(kind: str, name: str, **options: Any) -> Any:
    """Read a model with `transformers`."""
    import transformers

    with _as_it_is(), quiet_transformers():
        return getattr(transformers, kind).from_pretrained(
            name, trust_remote_code=False, use_safetensors=True,
            **{**options, **_where_from(name)},
        )  # fmt: skip


def positions_of(network: Any) -> int | None:
    """Return how many tokens a model has learnt the positions of.

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
def quiet_transformers(*, bars: bool = True) -> Iterator[None]:
    """Have transformers print no table of weights; what is wrong is told in a word.

    Args:
        bars: Whether it may show bars of what it saves and loads.
    """
    from transformers.utils import logging

    verbosity, has_bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()  # type: ignore[no-untyped-call]
    if not bars:
        logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    try:
        yield
    finally:
        logging.set_verbosity(verbosity)
        if has_bars:
            logging.enable_progress_bar()  # type: ignore[no-untyped-call]


def read_json(model: str | PathLike[str], name: str, revision: str | None = None) -> Any:
    """Read a settings file of a model; None where there is no such file."""
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
    """Return the path of a file of a model, which is downloaded where it is on the Hub."""
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
    retry_hub_requests()
    return {} if hub_answers() else {"local_files_only": True}


# What transformers says of a model whose architecture has no such head, or no decoder.
_OTHER_KIND = re.compile(r"Unrecognized configuration class <class '[\w.]*?(\w+)Config'>")

# What each folder of a model holds.
_CONFIG = "config.json"

# Models whose main branch holds pickles alone, to the revision that holds the same as safetensors.
_SAFE_REVISIONS = {"facebook/perturber": "refs/pr/1"}


@contextmanager
def translate_load_errors(name: str, *, what: str) -> Iterator[None]:
    """Raise in one sentence that a model cannot be read."""
    try:
        yield
    except MemoryError:
        raise
    except Exception as error:
        why = why_unreadable(name, error)
        if isinstance(error, OSError) and why.startswith(" ") and not is_folder(name):
            raise invalid(
                f"{name!r} is neither a folder with a model on this machine nor a model "
                f"that the Hub provides now{why}; check the name and the network."
            ) from error
        raise invalid(f"{name!r} cannot be loaded as {with_article(what)} model{why}") from error


def why_unreadable(name: str, error: Exception) -> str:
    """Return in a few words why a model cannot be read.

    Returns:
        What follows "cannot be loaded as a classifier model".
    """
    if is_folder(name) and not Path(name, _CONFIG).is_file():
        return f": it has no {_CONFIG}; name the folder that its save_pretrained wrote"
    kinds = {kind.__name__ for cause in _iter_causes(error) for kind in type(cause).__mro__}
    # transformers tells any answer that is none as a Hub to which it could not connect.
    answer = next(filter(None, map(answer_of, _iter_causes(error))), "")
    if "GatedRepoError" in kinds:
        note = f" ({answer})" if answer else ""
        return (
            ": it is gated; accept its terms on its page on the Hub, and run `hf auth login`" + note
        )
    if "SafetensorError" in kinds:
        return f": its weights are broken ({first_line(error)}); get them anew"
    if "above report" in str(error):
        return ": its weights have other shapes than its config.json says; download both again"
    if "custom code" in str(error):
        return ": it needs code of its own, which is not run here; choose a model that needs none"
    if "file named model.safetensors" in str(error):
        return (
            ": it has no weights as safetensors, and pickles are not read, because they can run "
            "code; " + _safe_weights(name)
        )
    if other := _OTHER_KIND.search(str(error)):
        return f": {other[1]} is none; choose another model"
    return f" ({answer or first_line(error)})"


def refuse_no_numbers(weights: Mapping[str, Any], name: str) -> None:
    """Raise if a weight of a model is NaN or infinite."""
    for key, weight in weights.items():
        # NaN is below nothing.
        if "float" in str(weight.dtype) and not (abs(weight) < float("inf")).all():
            raise invalid(
                f"the weight {key!r} of {name!r} holds NaN or infinity, so its outputs "
                "mean nothing; download it again, or train it again with a smaller learning rate."
            )


def refuse_missing_folder(name: str, *, has_owner: bool = False) -> None:
    """Raise if a name is a path, but there is no such folder.

    Args:
        name: A Hub id or a folder. An id has one slash at most, and begins with a letter or digit.
        has_owner: Whether an id has a slash: only models that are older than the names of owners
            on the Hub have none.
    """
    slashes = name.count("/")
    is_path = name.startswith((".", "/", "~")) or slashes > 1 or (has_owner and not slashes)
    if is_path and not is_folder(name):
        raise invalid(f"there is no folder {name!r}; check the path.")


def refuse_revision_of_folder(name: str, revision: str | None) -> None:
    """Raise if a revision is named of what is a folder here.

    Example:
        >>> refuse_revision_of_folder("ada/fair", "v1")
    """
    if revision is not None and is_folder(name):
        raise invalid(
            f"revision {revision!r} is for a model of the Hub, but {name!r} is a folder "
            "here; leave it out."
        )


def is_folder(name: str) -> bool:
    """Whether a name is that of a folder here.

    Example:
        >>> is_folder(".")
        True
    """
    try:
        return Path(name).is_dir()
    except (OSError, ValueError):
        # Too long for the system, or with a NUL.
        return False


def _safe_weights(name: str) -> str:
    """Return where the weights of a model are found as safetensors."""
    if (known := _SAFE_REVISIONS.get(name)) is not None:
        return f"its safetensors lie in the revision {known!r}: pass revision={known!r}"
    other = "" if is_folder(name) else "name a revision that holds safetensors, or "
    return f"{other}load it where you trust it and save it anew with save_pretrained"


def _iter_causes(error: BaseException | None) -> Iterator[BaseException]:
    """Walk from an exception to what caused it."""
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def first_line(error: Exception) -> str:
    r"""Return what an error says, in one line.

    Returns:
        The first line of its text, with the second where it ends with a colon, 200 characters at
        most; its kind where it has none.

    Example:
        >>> first_line(ValueError("it is broken\nsee below")), first_line(ValueError())
        ('it is broken', 'ValueError')
        >>> first_line(ValueError("it lacks one of: \n  - a file\n  - another"))
        'it lacks one of: - a file'
        >>> len(first_line(ValueError(300 * "x")))
        200
    """
    lines = [*map(str.strip, str(error).strip().splitlines()), ""]
    line = " ".join(lines[:2]) if lines[0].endswith(":") else lines[0]
    return line[:200].strip() or type(error).__name__
