"""The TOML file that says how a rewriter is trained, and on what."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fair_datasets.rewriters.training.config import (
    PRESETS,
    TrainingConfig,
    refuse_unknown_settings,
)
from fair_datasets.scores.probes.config import path_or_name
from fair_datasets.system import checks
from fair_datasets.system.checks import InputError
from fair_datasets.system.files import regular_file
from fair_datasets.technique.portable import without_folders

_LARGEST = 1_000_000


@dataclass(frozen=True, kw_only=True)
class RowsSource:
    """Where the rows of a training are from: the table `[rows]`.

    Attributes:
        source: A file, a folder, or a dataset of the Hub.
        config: Its configuration; None for the default.
        split: The one split that is read; None for all.

    Raises:
        InputError: There is no source.

    Example:
        >>> RowsSource()
        Traceback (most recent call last):
        ...
        fair_datasets.InputError: [rows]: there are no rows; name a source.
    """

    source: str = ""
    config: str | None = None
    split: str | None = None

    def __post_init__(self) -> None:
        """Check that there is a source."""
        if self.source == "":
            raise InputError("[rows]: there are no rows; name a source.")
        path_or_name(self.source, owner="[rows]", parameter="source")


def read_settings(
    file: str | Path, of: type[TrainingConfig], tables: Mapping[str, type]
) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    """Read what a TOML file says of a training.

    Its keys are the settings; `preset = "small"` begins with those for a laptop.

    Args:
        tables: Name of each table that it may have, to the class of the table's settings.

    Returns:
        The settings that are not the usual ones, by name; and those of each table.

    Raises:
        InputError: The file cannot be read, is no TOML, or says something else.
    """
    path = Path(file)
    given = _read(path)
    owner = path.name
    found = {name: given.pop(name, {}) for name in tables}
    for name, table in found.items():
        if not isinstance(table, Mapping):
            raise InputError(f"{owner}: {name} must be a table ([{name}]), but it is {table!r}.")
        refuse_unknown_settings(table, of=tables[name], owner=f"{owner}, [{name}]")
    preset = given.pop("preset", PRESETS[0])
    checks.one_of(preset, PRESETS, owner=owner, parameter="preset")
    if "out" not in given:
        raise InputError(f'{owner}: it does not say where the model goes; add out = "model".')
    refuse_unknown_settings(given, of=of, owner=owner)
    # TOML has no null: a new model is named by what it starts from.
    if "encoder" in given:
        given = {"model": None, **given}
    return {**(of.small_settings if preset == "small" else {}), **given}, found


def shown_settings(config: TrainingConfig) -> dict[str, Any]:
    """Return settings as a card shows them: without the folders of this machine."""
    found: dict[str, Any] = _shown(config.settings())
    return found


def _shown(value: Any) -> Any:
    """Return a value without the folders of this machine."""
    if isinstance(value, Mapping):
        return {name: _shown(each) for name, each in value.items()}
    return without_folders(value) if isinstance(value, str) else value


def _read(path: Path) -> dict[str, Any]:
    """Read a TOML file."""
    regular_file(path, largest=_LARGEST)
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"The file {path} cannot be read ({error}); check it.") from error
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"The file {path} is not TOML ({error}); correct it.") from error
