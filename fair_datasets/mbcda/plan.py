"""What a training is told by a TOML file: the settings, and where its rows are from."""

import dataclasses
from pathlib import Path
from typing import NamedTuple

from fair_datasets.mbcda.config import DiscriminatorConfig, MbcdaConfig
from fair_datasets.rewriter_training.parallel import ParallelConfig
from fair_datasets.rewriter_training.settings_file import RowsSource, read_settings


class MbcdaPlan(NamedTuple):
    """What is trained on what.

    Attributes:
        config: The settings.
        rows: Where the rows are from.
    """

    config: MbcdaConfig
    rows: RowsSource


def read_mbcda_plan(file: str | Path) -> MbcdaPlan:
    r"""Read what a TOML file says of a training.

    Its keys are the settings of `MbcdaConfig`; `preset = "small"` begins with those for a laptop.
    The table `[rows]` has those of `RowsSource`, `[parallel]` those of `ParallelConfig`, and
    `[discriminator]` those of `DiscriminatorConfig`.

    Args:
        file: The file.

    Returns:
        The settings, and where the rows are from.

    Raises:
        InputError: It cannot be read, is no TOML, or says something else.

    Example:
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     file = Path(folder, "mbcda.toml")
        ...     _ = file.write_text('out = "g"\n[rows]\nsource = "a.csv"\n[parallel]\n'
        ...         'attribute = "sex"')
        ...     read_mbcda_plan(file).config.parallel.attribute
        'sex'
    """
    given, tables = read_settings(
        file, MbcdaConfig,
        {"rows": RowsSource, "parallel": ParallelConfig, "discriminator": DiscriminatorConfig},
    )  # fmt: skip
    usual = given.pop("discriminator", DiscriminatorConfig())
    config = MbcdaConfig(
        parallel=ParallelConfig(**tables["parallel"]),
        discriminator=dataclasses.replace(usual, **tables["discriminator"]),
        **given,
    )
    return MbcdaPlan(config, RowsSource(**tables["rows"]))
