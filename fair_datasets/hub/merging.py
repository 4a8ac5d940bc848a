"""Writing into a card that exists: what others wrote in it stays. Pure functions."""

import re
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any

from fair_datasets.cards.markdown import split_card
from fair_datasets.system.checks import InputError, one_line

if TYPE_CHECKING:
    from yaml import Node

TAG = "fair_datasets"

# What makes a Space run has to fit the files that are sent with it.
_REPLACED = ("app_file", "python_version", "sdk", "sdk_version")
# datasets writes these itself, from the data.
_OF_DATASETS = ("configs", "dataset_info")
_MARKER = "<!-- fair_datasets:"


def merge_card(existing: str, new: str, section: str, *, united: Collection[str] = ()) -> str:
    r"""Put a card into the card that is there.

    The text stands between two comments, which Markdown does not show; what stands outside them is
    kept as it is, and so are the sections of other names. In the metadata, what is there is kept,
    lists are united, and missing keys are added; only what makes a Space run is replaced, and the
    results of a model that has the same name.

    Args:
        united: The keys whose single values are put into a list where they differ: what holds for
            the parts of a repository, such as the licences of a dataset's configurations.
    """
    old_data, old_text = card_parts(existing)
    new_data, new_text = card_parts(new)
    tags = [*(tag for tag in new_data.get("tags") or [] if tag != TAG), TAG]
    data = _merged_metadata(old_data, {**new_data, "tags": tags}, united)
    text = _with_section(old_text, new_text, section) if new_text.strip() else old_text
    return card_of(data, text)


def has_tag(card: str) -> bool:
    r"""Tell whether a card says that its repository was written by this package."""
    return TAG in (card_parts(card)[0].get("tags") or [])


def card_parts(card: str) -> tuple[dict[str, Any], str]:
    r"""Split a card into its metadata and its text."""
    from huggingface_hub import RepoCard

    card = card.removeprefix("\ufeff")
    if not re.match(r"\s*---\s*\n", card):
        return {}, card
    try:
        refuse_expansion(split_card(card)[0])
        parsed = RepoCard(card, ignore_metadata_errors=True)
    except Exception as error:
        # Not a mapping, or one of the many errors of YAML.
        raise InputError(
            f"The metadata at the top of the card cannot be read: {one_line(error)}."
        ) from error
    return dict(vars(parsed.data)), parsed.text


def card_of(metadata: Mapping[str, Any], text: str) -> str:
    r"""Put a card together, as the counterpart of `card_parts`."""
    from huggingface_hub import CardData

    if not metadata:
        return text
    return f"---\n{CardData(**metadata).to_yaml(original_order=list(metadata))}\n---\n{text}"


def _merged_metadata(
    old: Mapping[str, Any], new: Mapping[str, Any], united: Collection[str]
) -> dict[str, Any]:
    """Add what is missing to the metadata that are there."""
    merged = dict(old)
    for key, value in new.items():
        known = merged.get(key)
        if key in _OF_DATASETS:
            continue
        if known is None or key in _REPLACED:
            merged[key] = value
        elif key == "model-index":
            names = {entry.get("name") for entry in value}
            merged[key] = [*(entry for entry in known if entry.get("name") not in names), *value]
        elif key in united or isinstance(known, list) or isinstance(value, list):
            listed = known if isinstance(known, list) else [known]
            wanted = value if isinstance(value, list) else [value]
            added = [item for item in wanted if item not in listed]
            merged[key] = [*listed, *added] if added else known
    return merged


def _with_section(text: str, section_text: str, section: str) -> str:
    """Replace a section of a text, or append it."""
    begin, end = (f"{_MARKER} {edge} {section} -->" for edge in ("begin", "end"))
    # Where an end was deleted by hand, the begin is followed by text that is not ours.
    # The comments are lines of their own: within a line, they are text from the data.
    known = re.compile(
        rf"^{re.escape(begin)}((?:(?!{_MARKER}).)*)^{re.escape(end)}(?=\s*$)",
        re.DOTALL | re.MULTILINE,
    )
    # The new text may be a copy of the whole card, as a pulled folder holds it.
    copied = known.search(section_text)
    inside = copied[1] if copied else section_text
    # A section that held a marker itself would be cut there the next time.
    inside = inside.strip("\n").replace(_MARKER, _MARKER.replace(":", "."))
    block = f"{begin}\n{inside}\n{end}"
    if match := known.search(text):
        return text[: match.start()] + block + text[match.end() :]
    gap = "" if not text else "\n" if text.endswith("\n") else "\n\n"
    return f"{text}{gap}{block}\n"


MOST = 1_000_000
"""How many values the metadata of a card may stand for; the largest real ones have thousands."""


def refuse_expansion(text: str, most: int = MOST) -> None:
    r"""Raise if YAML stands for more values than anyone could mean to write.

    A few lines can name a list of ten names of lists of ten names, ten levels deep. Reading them,
    or what is done with them afterwards, would never end.

    Example:
        >>> bomb = "a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]"
        >>> refuse_expansion(bomb, most=29)
        >>> refuse_expansion(bomb, most=28)
        Traceback (most recent call last):
        ...
        ValueError: it stands for more than 28 values, by names (YAML aliases) that stand for others
    """
    import yaml

    # Without both signs, no name stands for anything.
    if "&" not in text or "*" not in text:
        return
    # Not the faster one in C, which what is nested deeply takes down with the whole process.
    root = yaml.compose(text, Loader=yaml.SafeLoader)
    if root is not None and _size(root, {}, most) > most:
        raise ValueError(
            f"it stands for more than {most} values, by names (YAML aliases) that stand for others"
        )


def _size(node: "Node", sizes: dict[int, int], most: int) -> int:
    """Count what a node stands for; a node that several names stand for is looked at once."""
    if (known := sizes.get(id(node))) is not None:
        return known
    # While it is looked at, a node that holds itself is too large.
    sizes[id(node)] = most + 1
    value = node.value
    if isinstance(value, str):
        inside = []
    else:
        inside = [part for item in value for part in (item if isinstance(item, tuple) else [item])]
    sizes[id(node)] = 1 + sum(_size(part, sizes, most) for part in inside)
    return sizes[id(node)]
