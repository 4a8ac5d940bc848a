"""Choosing what tags words: the student that ships, or a token classifier."""

from functools import lru_cache
from os import PathLike

from fair_datasets.checks import InputError
from fair_datasets.reader.student import shipped
from fair_datasets.reader.tags import Reader


def load_reader(
    name: str | PathLike[str] | None = None,
    *,
    owner: str = "load_reader",
    revision: str | None = None,
) -> Reader:
    """Return what tags words, once per process.

    Args:
        name: A folder or the Hub id of a token classifier with the tags of `reader.tags.TAGS`; None
            for the network that ships, which needs NumPy alone.
        owner: The class or function that needs it, for errors.
        revision: The branch, tag or commit on the Hub.

    Returns:
        The reader.

    Raises:
        InputError: It cannot be found or read, has no safetensors, or other tags.
        MissingExtraError: A token classifier needs torch and transformers, and one is missing.

    Example:
        >>> import numpy as np
        >>> from fair_datasets.matching.words import Words
        >>> words = Words(["Mary lives in Paris."])
        >>> load_reader().tags(words, np.array([0, 3])).named()
        ['given name', 'place']
    """
    if name is None:
        return shipped()
    if not isinstance(name, str | PathLike) or not str(name):
        raise InputError(
            f"{owner}: reader must be a folder or the Hub id of a token classifier, but it is "
            f"{name!r}; leave it out for the network that ships."
        )
    return _loaded(str(name), owner, revision)


@lru_cache(maxsize=2)
def _loaded(name: str, owner: str, revision: str | None) -> Reader:
    """Read a token classifier."""
    from fair_datasets.reader.encoder import Encoder

    return Encoder.load(name, owner=owner, revision=revision)
