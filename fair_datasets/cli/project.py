"""The tables of a pyproject.toml in the working folder that commands read."""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fair_datasets.cards.stated import stated_fields, told_empty
from fair_datasets.system.checks import InputError

PROJECT = Path("pyproject.toml")
CARD = "tool.fair_datasets.card"


def project_table(name: str) -> dict[str, Any]:
    """Return a table of the pyproject.toml.

    Returns:
        What it holds; nothing where there is no such file or table.

    Raises:
        InputError: The file cannot be read, or the name is that of something else.

    Example:
        >>> project_table("tool.fair_datasets.none")
        {}
    """
    if not PROJECT.is_file():
        return {}
    try:
        found: Any = tomllib.loads(PROJECT.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(
            f"{PROJECT} cannot be read ({error}), and may hold [{name}]; repair it."
        ) from error
    for key in name.split("."):
        found = found.get(key, {})
        if not isinstance(found, dict):
            raise InputError(f"{PROJECT}: [{name}] must be a table, with a line for each key.")
    return dict(found)


def stated_card() -> dict[str, Any]:
    """Read what the pyproject.toml states of the dataset.

    Returns:
        The fields, as `stated_fields` returns them.

    Raises:
        InputError: A field is unknown, empty or of another kind.
    """
    return stated_fields(project_table(CARD), owner=f"{PROJECT}, [{CARD}]")


def empty_told(croissant: Mapping[str, Any]) -> str:
    """Say what a Croissant file leaves empty, and where to state it.

    Returns:
        The sentences; empty where nothing is.
    """
    told = told_empty(croissant)
    return told and f"{told} State what is known in [{CARD}] of {PROJECT}."
