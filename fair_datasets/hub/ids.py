"""The names of repositories: "user/name", "user/name@revision" and "hf://datasets/user/name"."""

import re
from typing import NamedTuple

from fair_datasets.system.checks import InputError

KINDS = ("dataset", "model", "space")

# Also the old names without a user, such as "imdb"; a revision that holds slashes is one of these.
_NAME = r"(?P<name>[\w.-]+(?:/[\w.-]+)?)"
_REVISION = r"(?:@(?P<revision>refs/(?:pr|convert)/[^/@]+|[^/@]+))?"
_PLAIN = re.compile(_NAME + _REVISION, re.ASCII)
_ADDRESS = re.compile(
    r"hf://(?P<kind>(?:dataset|model|space)s/)?" + _NAME + _REVISION + r"(?:/(?P<path>.*))?",
    re.ASCII,
)


class HubId(NamedTuple):
    """The id or address of a repository of the Hub, or of something in it.

    Attributes:
        kind: "dataset", "model" or "space".
        path: A file or a folder in the repository; empty for all of it.
    """

    kind: str
    name: str
    revision: str | None = None
    path: str = ""


def hub_id(text: str, kind: str = "dataset") -> HubId:
    """Read the id or address of a repository of the Hub.

    Args:
        text: "user/name", "user/name@revision", or an address such as
            "hf://datasets/user/name@revision/folder/file.csv".
        kind: What is meant: "dataset", "model" or "space".

    Raises:
        InputError: The text names no repository, or one of another kind.

    Example:
        >>> hub_id("hf://datasets/ada/reviews@v2/test.csv")
        HubId(kind='dataset', name='ada/reviews', revision='v2', path='test.csv')
        >>> hub_id("ada/reviews").revision is None
        True
    """
    match = _ADDRESS.fullmatch(text) or _PLAIN.fullmatch(text)
    if match is None or not _is_allowed(match["name"]):
        raise InputError(
            f'{text!r} names no repository of the Hub; write "user/name" in letters, digits, '
            "'-', '_' and '.' (96 at most), without '--' or '..', or "
            f'"hf://{kind}s/user/name".'
        )
    parts = match.groupdict()
    # As everywhere on the Hub, an address that names no kind is that of a model.
    named = (parts["kind"] or "models/").removesuffix("s/") if text.startswith("hf://") else kind
    if named != kind:
        raise InputError(f"{text!r} names a {named}, but a {kind} is meant here.")
    return HubId(kind, parts["name"], parts["revision"], (parts.get("path") or "").strip("/"))


def writable_id(text: str, kind: str, revision: str | None) -> HubId:
    """Read what names a repository that is to be written."""
    found = hub_id(text, kind)
    if "/" not in found.name:
        raise InputError(
            f'{text!r} names no user; write "user/{found.name}", with your own name or that of '
            "your organisation."
        )
    if found.path:
        raise InputError(
            f"{text!r} names the file or folder {found.path!r}; a push takes the name of a "
            f'repository: "{found.name}".'
        )
    return found._replace(revision=revision or found.revision)


def _is_allowed(name: str) -> bool:
    """Apply the Hub's own rules."""
    return (
        len(name) <= 96
        and "--" not in name
        and ".." not in name
        and not any(part.strip("-.") != part or part.endswith(".git") for part in name.split("/"))
    )
