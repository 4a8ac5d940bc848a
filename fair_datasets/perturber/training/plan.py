"""What a training is told by a TOML file: the settings, and where its rows are from."""

from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from fair_datasets.perturber.training.config import PerturberConfig
from fair_datasets.rewriter_training.settings_file import read_settings
from fair_datasets.scores.probes.config import path_or_name
from fair_datasets.system import checks
from fair_datasets.system.checks import InputError


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
        pipeline: A trained spaCy pipeline that tells terms from other words.
        reader: A token classifier that tells names and pronouns; see `CounterfactualSwap`.
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
    pipeline: str | None = None
    reader: str | None = None
    targets: tuple[str, ...] | str = ()
    joined: float = 0.5
    two_people: int = 0

    def __post_init__(self) -> None:
        """Check the settings that no other function does."""
        owner = "[rows]"
        if self.source is not None:
            path_or_name(self.source, owner=owner, parameter="source")
        object.__setattr__(self, "text", checks.strings(self.text, owner=owner, parameter="text"))
        checks.whole_number(self.two_people, owner=owner, parameter="two_people", least=0)
        if self.source is None and not self.two_people:
            raise InputError(
                f"{owner}: there are no rows; name a source, or ask for sentences about two_people."
            )
        for name in ("axis", "names", "pipeline", "reader", "targets", "joined"):
            if not self.text and getattr(self, name) != getattr(RowsConfig, name):
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
    given, tables = read_settings(file, PerturberConfig, {"rows": RowsConfig})
    return Plan(PerturberConfig(**given), RowsConfig(**tables["rows"]))
