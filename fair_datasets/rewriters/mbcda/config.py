"""How MBCDA is trained, as data."""

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple

from fair_datasets.rewriters.training.config import TrainingConfig, below_one
from fair_datasets.rewriters.training.generator.start import GeneratorConfig
from fair_datasets.scores.probes.config import above_zero
from fair_datasets.system import checks
from fair_datasets.system.checks import InputError

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
    """Raise unless a discriminator can have this shape; see `LogitDiscriminator`."""
    if not isinstance(widths, list | tuple):
        raise InputError(
            f"{owner}: widths must be whole numbers, one for each layer, but it is {widths!r}."
        )
    for width in widths:
        checks.positive_whole_number(width, owner=owner, parameter="each of widths")
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
        checks.settle(self, checks.positive_whole_number, "epochs", owner=owner)
        checks.settle(self, above_zero, "learning_rate", "weight", owner=owner)


@dataclass(frozen=True, kw_only=True)
class MbcdaConfig(GeneratorConfig):
    """How MBCDA trains a generator of counterfactuals on texts, and where it is saved.

    The defaults are the paper's settings: ELECTRA finds wrong words and BART-base fills them, a
    BART-base is trained for two epochs of batches of 48 at a learning rate of 2e-5 on texts of at
    most 200 tokens. `MbcdaConfig.small` has a new, small generator, which learns to fill gaps
    first; the detector and the infiller are to be named even so.

    It has the settings of `GeneratorConfig` (`fair_datasets.rewriters.training.generator.start`)
    as well.

    Attributes:
        ablation: Which of the paper's systems is trained: `full`, `no-discriminator`, `unfiltered`,
            `unfiltered-no-discriminator`, or, on what the swap alone writes, `swap` and
            `swap-no-discriminator`.

    Raises:
        InputError: A setting is not what it must be.
        MissingExtraError: What trains a model is not installed.

    Example:
        >>> from fair_datasets.rewriters import MbcdaConfig, ParallelConfig
        >>> rows = ParallelConfig(attribute="gender")
        >>> MbcdaConfig(out="generator", parallel=rows).model
        'facebook/bart-base'
    """

    # At a larger rate the discriminator's first steps bring all texts, which begin near to each
    # other, to one direction; then it reads nothing for long.
    small_settings: ClassVar[dict[str, Any]] = {
        **GeneratorConfig.small_settings,
        "discriminator": DiscriminatorConfig(learning_rate=1e-4),
    }

    epochs: int = 2
    learning_rate: float = 2e-5
    ablation: str = "full"
    discriminator: DiscriminatorConfig = field(default_factory=DiscriminatorConfig)

    def __post_init__(self) -> None:
        """Check the settings and write each in one form."""
        super().__post_init__()
        owner = type(self).__name__
        checks.one_of(self.ablation, ABLATIONS, owner=owner, parameter="ablation")
        if not isinstance(self.discriminator, DiscriminatorConfig):
            raise InputError(
                f"{owner}: discriminator must be a DiscriminatorConfig, but it is "
                f"{self.discriminator!r}."
            )

    @property
    def chosen(self) -> Ablation:
        """What the ablation stands for."""
        return ABLATIONS[self.ablation]

    @property
    def steps(self) -> str:
        """The last step of the parallel data."""
        return self.chosen.steps

    def of_discriminator(self) -> TrainingConfig:
        """Return the settings of the discriminator's training."""
        own = self.discriminator
        return dataclasses.replace(
            self, epochs=own.epochs, learning_rate=own.learning_rate, warmup_steps=0
        )
