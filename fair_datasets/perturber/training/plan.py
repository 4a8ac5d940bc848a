"""What a training is told by a TOML file: the settings, and where its rows are from."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from fair_datasets import checks
from fair_datasets.checks import InputError
from fair_datasets.files import regular_file
from fair_datasets.perturber.training.config import (
    PRESETS,
    PerturberConfig,
    refuse_unknown_settings,
)
from fair_datasets.scores.probes.config import path_or_name

_LARGEST = 1_000_000


@dataclass(frozen=True, kw_only=True)
class RowsConfig:
    """Where the rows of a training are from: the table `[rows]`.

    Attributes:
        source: A file, a folder, or a dataset of the Hub; None for sentences about two people
            alone.
        config: Its configuration; None for the default.
        split: The one split that is read; None for all.
        text: The text column or columns, of whose texts the swap makes rows; none where the rows
            are in the format of PANDA.
        axis: The axis of the swap.
        names: Whether names are swapped; None for first names of men and women alone.
        targets: The attributes that people may become; none for all.
        joined: The share of the texts about one person that are joined with another such text.
        two_people: How many sentences about two people are added.

    Raises:
        InputError: A setting is not what it must be.

    Example:
        >>> RowsConfig(source="panda.jsonl").text
        ()
    """

    source: str | None = None
    config: str | None = None
    split: str | None = None
    text: tuple[str, ...] | str = ()
    axis: str = "gender"
    names: bool | None = None
    targets: tuple[str, ...] | str = ()
    joined: float = 0.5
    two_people: int = 0

    def __post_init__(self) -> None:
        """Check the settings that no other function does."""
        owner = "[rows]"
        if self.source is not None:
            path_or_name(self.source, owner=owner, parameter="source")
        object.__setattr__(self, "text", checks.strings(self.text, owner=owner, parameter="text"))
        if checks.whole_number(self.two_people, owner=owner, parameter="two_people") < 0:
            raise InputError(
                f"{owner}: two_people must be at least 0, but it is {self.two_people}."
            )
        if self.source is None and not self.two_people:
            raise InputError(
                f"{owner}: there are no rows; name a source, or ask for sentences about two_people."
            )
        for name, usual in (("axis", "gender"), ("names", None), ("targets", ()), ("joined", 0.5)):
            if not self.text and getattr(self, name) != usual:
                raise InputError(
                    f"{owner}: {name} is of rows that the swap makes of texts, but text names no "
                    "column; name it, or leave it out."
                )


class Plan(NamedTuple):
    """What is trained on what.

    Attributes:
        config: The settings.
        rows: Where the rows are from.
    """

    config: PerturberConfig
    rows: RowsConfig


def read_plan(file: str | Path) -> Plan:
    r"""Read what a TOML file says of a training.

    Its keys are the settings of `PerturberConfig`; `preset = "small"` begins with those for a
    laptop. The table `[rows]` has those of `RowsConfig`.

    Args:
        file: The file.

    Returns:
        The settings, and where the rows are from.

    Raises:
        InputError: It cannot be read, is no TOML, or says something else.

    Example:
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     file = Path(folder, "perturber.toml")
        ...     _ = file.write_text('out = "p"\npreset = "small"\n[rows]\ntwo_people = 2000\n')
        ...     read_plan(file).config.layers
        2
    """
    path = Path(file)
    given = _read(path)
    rows = given.pop("rows", {})
    preset = given.pop("preset", PRESETS[0])
    owner = path.name
    checks.one_of(preset, PRESETS, owner=owner, parameter="preset")
    if not isinstance(rows, Mapping):
        raise InputError(f"{owner}: rows must be a table ([rows]), but it is {rows!r}.")
    if "out" not in given:
        raise InputError(f'{owner}: it says not where the model goes; add out = "perturber".')
    refuse_unknown_settings(given, owner=owner)
    refuse_unknown_settings(rows, owner=f"{owner}, [rows]", of=RowsConfig)
    make = PerturberConfig.small if preset == "small" else PerturberConfig
    # TOML has no null: a new model is named by what it starts from.
    if "encoder" in given:
        given = {"model": None, **given}
    return Plan(make(**given), RowsConfig(**rows))


def _read(path: Path) -> dict[str, Any]:
    """Read a TOML file."""
    regular_file(path, largest=_LARGEST)
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"The file {path} cannot be read ({error}); check it.") from error
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"The file {path} is no TOML ({error}); mend it.") from error
