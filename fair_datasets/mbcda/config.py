"""How MBCDA is trained, as data."""

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple

from fair_datasets import checks
from fair_datasets.checks import InputError
from fair_datasets.rewriter_training.config import TrainingConfig, at_least, below_one
from fair_datasets.rewriter_training.parallel import ParallelConfig
from fair_datasets.scores.probes.config import above_zero, path_or_name

HEADS = ("linear", "bart")
POOLINGS = ("mean", "sum")


class Ablation(NamedTuple):
    """What a generator is trained on and with.

    Attributes:
        steps: The last step of the parallel data; see `parallel_rows`.
        discriminated: Whether a discriminator pulls the generator along.
    """

    steps: str
    discriminated: bool


ABLATIONS: Mapping[str, Ablation] = MappingProxyType(
    {
        "full": Ablation("filter", True),
        "no-discriminator": Ablation("filter", False),
        "unfiltered": Ablation("repair", True),
        "unfiltered-no-discriminator": Ablation("repair", False),
        "swap": Ablation("swap", True),
        "swap-no-discriminator": Ablation("swap", False),
    }
)
"""The six systems of the paper's tables 7 and 8, in their order."""


def check_shape(
    widths: Sequence[int], dropout: float, head: str, pooling: str, *, owner: str
) -> None:
    """Raise unless a discriminator can have this shape; see `LogitDiscriminator`.

    Args:
        widths: The outputs of its layers.
        dropout: The share that is left out.
        head: What stands behind the mean.
        pooling: What is taken over the tokens.
        owner: The class whose parameters they are.

    Raises:
        InputError: It cannot.
    """
    if not isinstance(widths, list | tuple):
        raise InputError(
            f"{owner}: widths must be whole numbers, one for each layer, but it is {widths!r}."
        )
    for width in widths:
        at_least(1, width, owner=owner, parameter="each of widths")
    below_one(dropout, owner=owner, parameter="dropout")
    checks.one_of(head, HEADS, owner=owner, parameter="head")
    checks.one_of(pooling, POOLINGS, owner=owner, parameter="pooling")


@dataclass(frozen=True, kw_only=True)
class DiscriminatorConfig:
    """The shape and the training of the discriminator: the table `[discriminator]`.

    Attributes:
        widths: How many outputs each of its layers has; none for widths that follow the vocabulary.
        dropout: The share of its inputs that a layer leaves out in training, in [0, 1).
        head: `linear` (the paper) or `bart` (the code); see `LogitDiscriminator`, as for the next.
        pooling: `mean` (the paper) or `sum` (the code).
        epochs: How often the training texts are seen.
        learning_rate: Of Adam; it falls linearly.
        weight: The weight of its loss in the training of the generator, whose own is 1.

    Raises:
        InputError: A setting is not what it must be.

    Example:
        >>> DiscriminatorConfig(head="bart", pooling="sum").epochs
        4
    """

    widths: tuple[int, ...] = ()
    dropout: float = 0.2
    head: str = "linear"
    pooling: str = "mean"
    epochs: int = 4
    learning_rate: float = 2e-5
    weight: float = 1.0

    def __post_init__(self) -> None:
        """Check the settings."""
        owner = "[discriminator]"
        check_shape(self.widths, self.dropout, self.head, self.pooling, owner=owner)
        object.__setattr__(self, "widths", tuple(self.widths))
        at_least(1, self.epochs, owner=owner, parameter="epochs")
        for name in ("learning_rate", "weight"):
            number = above_zero(getattr(self, name), owner=owner, parameter=name)
            object.__setattr__(self, name, number)


@dataclass(frozen=True, kw_only=True)
class MbcdaConfig(TrainingConfig):
    """How a generator of counterfactuals is trained on texts, and where it is saved.

    The defaults are the paper's settings: ELECTRA finds wrong words and BART-base fills them, a
    BART-base is trained for two epochs of batches of 48 at a learning rate of 2e-5 on texts of at
    most 200 tokens. `MbcdaConfig.small` has a new, small generator, which learns to fill gaps
    first; the detector and the infiller are to be named even so.

    It has the settings of `TrainingConfig` (`fair_datasets.rewriter_training.config`) as well.

    Attributes:
        ablation: Which of the paper's systems is trained: `full`, `no-discriminator`, `unfiltered`,
            `unfiltered-no-discriminator`, or, on what the swap alone writes, `swap` and
            `swap-no-discriminator`.
        denoising: How often a generator is taught to fill gaps in each training text before all
            else; 0 for a model that is trained already.
        parallel: How texts get the counterfactuals that it is trained on.
        discriminator: The discriminator.
        judge: The Hub id or folder of the classifier that measures how often the attribute
            changes, another one than that of the filter; None for a linear probe that is trained on
            the validation rows.
        judge_classes: Which of the two attributes each of its classes is, in their order; none for
            what it calls them.
        causal: The Hub id or folder of a language model that measures fluency; None to leave that
            out.
        pairs: A Parquet file, which is not there yet, that the pairs of texts are written to which
            the generator was trained on; None for none.

    Raises:
        InputError: A setting is not what it must be.
        MissingExtraError: What trains a model is not installed.

    Example:
        >>> rows = ParallelConfig(attribute="gender")
        >>> MbcdaConfig(out="generator", parallel=rows).model
        'facebook/bart-base'
    """

    # At a larger rate the discriminator's first steps bring all texts, which begin near to each
    # other, to one direction; then it reads nothing for long.
    small_settings: ClassVar[dict[str, Any]] = {
        "model": None, "layers": 1, "width": 64, "vocabulary": 2000, "dropout": 0.0,
        "denoising": 6, "epochs": 4, "batch_size": 32, "rows_at_once": 32, "learning_rate": 2e-3,
        "max_length": 128, "discriminator": DiscriminatorConfig(learning_rate=1e-4),
    }  # fmt: skip

    model: str | PathLike[str] | None = "facebook/bart-base"
    shares: tuple[float, float, float] = (0.8, 0.1, 0.1)
    epochs: int = 2
    batch_size: int = 48
    rows_at_once: int = 8
    learning_rate: float = 2e-5
    max_length: int = 200
    ablation: str = "full"
    denoising: int = 0
    parallel: ParallelConfig
    discriminator: DiscriminatorConfig = field(default_factory=DiscriminatorConfig)
    judge: str | PathLike[str] | None = None
    judge_classes: tuple[str, ...] | str = ()
    causal: str | PathLike[str] | None = None
    pairs: str | PathLike[str] | None = None

    def __post_init__(self) -> None:
        """Check the settings and write each in one form."""
        super().__post_init__()
        owner = type(self).__name__
        checks.one_of(self.ablation, ABLATIONS, owner=owner, parameter="ablation")
        at_least(0, self.denoising, owner=owner, parameter="denoising")
        for name in ("judge", "causal", "pairs"):
            value = getattr(self, name)
            if value is not None:
                path = path_or_name(value, owner=owner, parameter=name)
                object.__setattr__(self, name, path)
        classes = checks.strings(self.judge_classes, owner=owner, parameter="judge_classes")
        object.__setattr__(self, "judge_classes", classes)
        if classes and self.judge is None:
            raise InputError(
                f"{owner}: judge_classes are those of a judge, but none is named; name it, or "
                "leave them out."
            )
        for name, kind in (("parallel", ParallelConfig), ("discriminator", DiscriminatorConfig)):
            if not isinstance(getattr(self, name), kind):
                raise InputError(
                    f"{owner}: {name} must be a {kind.__name__}, but it is {getattr(self, name)!r}."
                )

    @property
    def chosen(self) -> Ablation:
        """What the ablation stands for."""
        return ABLATIONS[self.ablation]

    @property
    def is_judged_by_its_filter(self) -> bool:
        """Whether the classifier that measures is the one that the filter asks."""
        own = self.parallel.classifier
        if self.judge is None or own is None:
            return False
        return Path(self.judge).resolve() == Path(own).resolve()

    def settings(self) -> dict[str, Any]:
        """Return all that the model depends on, as JSON data: all but where things are saved."""
        found = super().settings()
        del found["pairs"]
        return found

    def of_discriminator(self) -> TrainingConfig:
        """Return the settings of the discriminator's training."""
        own = self.discriminator
        return dataclasses.replace(
            self, epochs=own.epochs, learning_rate=own.learning_rate, warmup_steps=0
        )

    def of_denoising(self) -> TrainingConfig:
        """Return the settings of the training that fills gaps."""
        return dataclasses.replace(self, epochs=1)
