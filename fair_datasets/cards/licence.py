"""The licence of what a dataset or model was made from, and the metadata carried over with it."""

import re
from collections.abc import Mapping
from typing import Any

from fair_datasets.cards.markdown import code

_CARRIED = (
    "license",
    "license_name",
    "license_link",
    "language",
    "task_categories",
    "task_ids",
)
_NO_DERIVATIVES = re.compile(r"(?<![a-z])nd(?![a-z])|no[ _-]?deriv", re.IGNORECASE)


def carried_over(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Choose the metadata of a source that are true of what is made from it, too.

    Args:
        metadata: The metadata of the source's card, such as
            `DatasetCard.load("user/name").data.to_dict()`.

    Returns:
        The licence, the languages and the tasks, as far as they are strings or lists of strings.
        Configurations, sizes and names are the source's own and are left out.

    Example:
        >>> carried_over({"license": "mit", "configs": [{"config_name": "default"}]})
        {'license': 'mit'}
    """
    return {key: metadata[key] for key in _CARRIED if _is_plain(metadata.get(key))}


def _is_plain(value: Any) -> bool:
    """Tell whether a value is a string or a list of strings, and not what a hostile card holds."""
    strings = value if isinstance(value, list) else [value]
    return bool(strings) and all(isinstance(item, str) for item in strings)


def licence_lines(metadata: Mapping[str, Any], *, kind: str) -> list[str]:
    """Say what licence applies, and warn where it forbids derivatives.

    Args:
        metadata: The metadata of the card, with the licence of the source if it is known.
        kind: What the card is about: `dataset` or `model`.

    Example:
        >>> print(licence_lines({"license": "cc-by-nd-4.0"}, kind="dataset")[-1])
        > **Warning.** The licence of the source does not allow derivatives to be shared, and this
        dataset is one. Ask the authors of the source before you publish it or pass it on.
    """
    names = [metadata.get(key) for key in ("license", "license_name")]
    licences = [
        str(licence)
        for name in names
        for licence in (name if isinstance(name, list | tuple) else [name])
        if licence
    ]
    if not licences:
        return [
            f"The licence and the terms of the source apply to this {kind} too. They are not "
            "stated here: look them up before you share it."
        ]
    stated = ", ".join(map(code, licences))
    lines = [f"The licence and the terms of the source ({stated}) apply to this {kind} too."]
    if any(_NO_DERIVATIVES.search(licence) for licence in licences):
        lines += [
            "",
            "> **Warning.** The licence of the source does not allow derivatives to be shared, "
            f"and this {kind} is one. Ask the authors of the source before you publish it or pass "
            "it on.",
        ]
    return lines
