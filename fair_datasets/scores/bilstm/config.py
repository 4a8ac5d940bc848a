"""How a sentence encoder is trained, as data."""

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike
from types import MappingProxyType
from typing import Any, Self

from fair_datasets.rows import column_checks
from fair_datasets.scores.probes.config import above_zero, label_column, path_or_name
from fair_datasets.system import checks
from fair_datasets.system.checks import InputError
from fair_datasets.system.extras import require

PRESETS: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {
        "infersent": {},
        # Few pairs make few steps: these are larger, and a worse epoch costs less of the rate.
        "small": {
            "units": 64,
            "classifier_units": 256,
            "batch_size": 16,
            "epochs": 15,
            "learning_rate": 0.5,
            "shrink": 1.2,
        },
    }
)
"""The settings of a preset that are not the published ones."""


@dataclass(frozen=True, kw_only=True)
class SentenceEncoderConfig:
    """How a BiLSTM encoder is trained on pairs of sentences, and where it is saved.

    The defaults are the published ones, for SNLI and the vectors GloVe 840B: days on a CPU.
    `SentenceEncoderConfig.preset("small", ...)` trains on a few thousand pairs in a minute.

    Attributes:
        out: The folder of the training; the encoder is in `<out>/encoder`.
        vectors: The file of the word vectors, or their Hub id; see `load_word_vectors`. They are
            not trained.
        columns: The two text columns, or paths to texts inside columns.
        label: The column with the class of each pair, as a number or a text. Rows whose label is
            missing, "-" or -1 are left out.
        units: The number of units in each of the two directions; a sentence vector has twice as
            many numbers.
        classifier_units: The width of the two layers between the pair and its classes.
        markers: Whether `<s>` and `</s>` are read around each sentence. One that the vectors lack
            is read as a vector of zeros.
        frequent_words: How many words of the file, from its start, the encoder knows beside those
            of the training texts; most files begin with the most frequent ones.
        epochs: How often the pairs are seen at most.
        batch_size: How many pairs a step has.
        learning_rate: Of stochastic gradient descent, in the first epoch.
        decay: What it is multiplied by for each later epoch.
        shrink: What it is divided by after an epoch whose validation accuracy is not above the best
            so far.
        least_learning_rate: Training ends when it falls below.
        largest_gradient: The norm to which gradients are clipped.
        max_length: How many tokens of a sentence are read in training.
        seed: It draws the first weights and the order of the pairs.

    Raises:
        InputError: A parameter is not what it must be.
        MissingExtraError: torch or transformers is not installed.

    Example:
        >>> config = SentenceEncoderConfig.preset("small", out="encoder", vectors="glove.txt")
        >>> config.units, config.learning_rate, config.decay
        (64, 0.5, 0.99)

    Source:
        Conneau et al. (2017), and their published training script; the number of epochs is that of
        Dolci, Azzalini and Tanelli.
    """

    out: str | PathLike[str]
    vectors: str | PathLike[str]
    columns: tuple[str, ...] = ("premise", "hypothesis")
    label: str = "label"
    units: int = 2048
    classifier_units: int = 512
    markers: bool = True
    frequent_words: int = 100_000
    epochs: int = 8
    batch_size: int = 64
    learning_rate: float = 0.1
    decay: float = 0.99
    shrink: float = 5.0
    least_learning_rate: float = 1e-5
    largest_gradient: float = 5.0
    max_length: int = 128
    seed: int = 1234

    @classmethod
    def preset(cls, name: str, **given: Any) -> Self:
        """Take the settings of a preset.

        Args:
            name: `infersent`, which has the defaults, or `small`, for a laptop.

        Returns:
            The configuration.

        Raises:
            InputError: There is no such preset, or a setting is not what it must be.
        """
        checks.one_of(name, PRESETS, owner=cls.__name__, parameter="the preset")
        return cls(**{**PRESETS[name], **given})

    def __post_init__(self) -> None:
        """Check the parameters and write each in one form."""
        owner = type(self).__name__
        columns = column_checks.column_names(self.columns, owner=owner)
        if len(columns) != 2:
            raise InputError(
                f"{owner}: columns must name the two sentences of a pair, but it names "
                f"{len(columns)}: {checks.listed(columns)}."
            )
        found: dict[str, Any] = {
            "columns": columns,
            "label": label_column(self.label, owner=owner),
            "markers": checks.switch(self.markers, owner=owner, parameter="markers"),
        }
        for name in ("out", "vectors"):
            found[name] = path_or_name(getattr(self, name), owner=owner, parameter=name)
        for name in ("units", "classifier_units", "epochs", "batch_size", "max_length"):
            found[name] = checks.positive_whole_number(
                getattr(self, name), owner=owner, parameter=name
            )
        for name in ("learning_rate", "decay", "shrink", "least_learning_rate", "largest_gradient"):
            found[name] = above_zero(getattr(self, name), owner=owner, parameter=name)
        for name in ("frequent_words", "seed"):
            found[name] = checks.whole_number(
                getattr(self, name), owner=owner, parameter=name, least=0
            )
        if self.max_length < 3:
            raise InputError(
                f"{owner}: max_length must leave room for a word between the markers, so it must "
                f"be at least 3, but it is {self.max_length}."
            )
        for name, value in found.items():
            object.__setattr__(self, name, value)
        require("models", owner=owner)

    def settings(self) -> dict[str, Any]:
        """Return all that the encoder depends on, as JSON data: everything but the places."""
        found = dataclasses.asdict(self)
        del found["out"], found["vectors"]
        return {**found, "columns": list(self.columns)}
