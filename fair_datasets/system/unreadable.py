"""Why a model that somebody saved cannot be read, in one sentence."""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from fair_datasets.system.checks import InputError
from fair_datasets.system.waiting import answer_of

# What transformers says of a model whose architecture has no such head, or no decoder.
_OTHER_KIND = re.compile(r"Unrecognized configuration class <class '[\w.]*?(\w+)Config'>")

# What each folder of a model holds.
_CONFIG = "config.json"

# Models whose main branch holds pickles alone, to the revision that holds the same as safetensors.
_SAFE_REVISIONS = {"facebook/perturber": "refs/pr/1"}


@contextmanager
def told_if_unreadable(name: str, *, what: str, owner: str) -> Iterator[None]:
    """Tell in one sentence that a model cannot be read.

    Args:
        what: What the model has to be, such as "causal".
    """
    try:
        yield
    except MemoryError:
        raise
    except Exception as error:
        why = why_unreadable(name, error)
        if isinstance(error, OSError) and why.startswith(" ") and not is_folder(name):
            raise InputError(
                f"{owner}: {name!r} is neither a folder with a model on this machine nor a model "
                f"that the Hub provides now{why}"
            ) from error
        raise InputError(
            f"{owner}: {name!r} cannot be loaded as {with_article(what)} model{why}"
        ) from error


def why_unreadable(name: str, error: Exception) -> str:
    """Say in a few words why a model cannot be read.

    Args:
        error: What `transformers` raised.

    Returns:
        What follows "cannot be loaded as a classifier model".
    """
    if is_folder(name) and not Path(name, _CONFIG).is_file():
        return f": it has no {_CONFIG}; name the folder that its save_pretrained wrote"
    kinds = {kind.__name__ for cause in _chain(error) for kind in type(cause).__mro__}
    # transformers tells any answer that is none as a Hub to which it could not connect.
    answer = next(filter(None, map(answer_of, _chain(error))), "")
    if "GatedRepoError" in kinds:
        told = f" ({answer})" if answer else ""
        return (
            ": it is gated; accept its terms on its page on the Hub, and run `hf auth login`" + told
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
    other = _OTHER_KIND.search(str(error))
    if other:
        return f": {other[1]} is none; choose another model"
    return f" ({answer or first_line(error)})"


def refuse_no_numbers(weights: Mapping[str, Any], name: str, *, owner: str) -> None:
    """Raise if a weight of a model is NaN or infinite.

    Args:
        name: The Hub id, the folder or the file of the model.
    """
    for key, weight in weights.items():
        # NaN is below nothing.
        if "float" in str(weight.dtype) and not (abs(weight) < float("inf")).all():
            raise InputError(
                f"{owner}: the weight {key!r} of {name!r} holds NaN or infinity, so its outputs "
                "mean nothing; download it again, or train it again with a smaller learning rate."
            )


def refuse_missing_folder(name: str, *, owner: str, has_owner: bool = False) -> None:
    """Raise if a name is a path, but there is no such folder.

    Args:
        name: A Hub id or a folder. An id has one slash at most, and begins with a letter or digit.
        has_owner: Whether an id has a slash: only models that are older than the names of owners
            on the Hub have none.
    """
    slashes = name.count("/")
    is_path = name.startswith((".", "/", "~")) or slashes > 1 or (has_owner and not slashes)
    if is_path and not is_folder(name):
        raise InputError(f"{owner}: there is no folder {name!r}; check the path.")


def refuse_revision_of_folder(name: str, revision: str | None, *, owner: str) -> None:
    """Raise if a revision is named of what is a folder here.

    Example:
        >>> refuse_revision_of_folder("ada/fair", "v1", owner="demonstration")
    """
    if revision is not None and is_folder(name):
        raise InputError(
            f"{owner}: revision {revision!r} is for a model of the Hub, but {name!r} is a folder "
            "here; leave it out."
        )


def is_folder(name: str) -> bool:
    """Tell whether a name is that of a folder here.

    Example:
        >>> is_folder(".")
        True
    """
    try:
        return Path(name).is_dir()
    except (OSError, ValueError):
        # Too long for the system, or with a NUL.
        return False


def with_article(what: str) -> str:
    """Put the article before what a model has to be.

    Args:
        what: What it has to be, such as "encoder".

    Example:
        >>> with_article("encoder"), with_article("classifier")
        ('an encoder', 'a classifier')
    """
    return f"an {what}" if what[0] in "aeiou" else f"a {what}"


def _safe_weights(name: str) -> str:
    """Say where the weights of a model are found as safetensors."""
    known = _SAFE_REVISIONS.get(name)
    if known is not None:
        return f"its safetensors lie in the revision {known!r}: pass revision={known!r}"
    other = "" if is_folder(name) else "name a revision that holds safetensors, or "
    return f"{other}load it where you trust it and save it anew with save_pretrained"


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """Walk from an exception to what caused it."""
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def first_line(error: Exception) -> str:
    r"""Say what an error says, in one line.

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
