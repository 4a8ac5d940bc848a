"""How FairFlow's rewriter is trained, as data."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, NamedTuple

from fair_datasets.rewriters.fairflow.config import FairFlowConfig
from fair_datasets.rewriters.training.generator.config import GeneratorConfig
from fair_datasets.system import checks
from fair_datasets.system.checks import InputError

_FILE = ".tsv"


class Variant(NamedTuple):
    """What a generator is trained on.

    Attributes:
        steps: The last step of the parallel data; see `parallel_rows`.
        found: Whether its words were found by FairFlow; else people listed them.
    """

    steps: str
    found: bool


VARIANTS: Mapping[str, Variant] = MappingProxyType(
    {
        "V1": Variant("repair", found=False),
        "V2": Variant("repair", found=True),
        "Hall-M": Variant("swap", found=False),
    }
)
"""The generators of the paper's tables 2 to 4."""


@dataclass(frozen=True, kw_only=True)
class FairFlowRewriterConfig(GeneratorConfig):
    """How FairFlow trains a generator of counterfactuals on texts, and where it is saved.

    The defaults are those of the paper's code: ELECTRA finds wrong words and BART-base fills them,
    a BART-base is trained for ten epochs at a learning rate of 5e-5. MBCDA's are two epochs and
    2e-5. There is neither a filter nor a discriminator. `FairFlowRewriterConfig.small` has a new,
    small generator, which learns to fill gaps first.

    It has the settings of `GeneratorConfig` (`fair_datasets.rewriters.training.generator.config`)
    as well.

    Attributes:
        variant: What it is trained on: `V2`, swaps by words that FairFlow finds, corrected; `V1`,
            swaps by the words of `parallel.axis`, corrected; or `Hall-M`, these as they are.
        dictionary: For `V2`, how the words are found; its folder `work` keeps the states. None
            where they were found before: then `parallel.axis` is the path of their `.tsv`.

    Raises:
        InputError: A setting is not what it must be.
        MissingExtraError: What trains a model is not installed.

    Example:
        >>> from fair_datasets.rewriters import ParallelConfig
        >>> rows = ParallelConfig(attribute="gender")
        >>> FairFlowRewriterConfig(out="generator", parallel=rows, variant="V1").epochs
        10

    Source:
        Tokpo and Calders (2024), FairFlow, sections 3.3 and 4.
    """

    epochs: int = 10
    learning_rate: float = 5e-5
    variant: str = "V2"
    dictionary: FairFlowConfig | None = None

    def __post_init__(self) -> None:
        """Check the settings and write each in one form."""
        super().__post_init__()
        owner = type(self).__name__
        checks.one_of(self.variant, VARIANTS, owner=owner, parameter="variant")
        if self.dictionary is not None and not isinstance(self.dictionary, FairFlowConfig):
            raise InputError(
                f"{owner}: dictionary must be a FairFlowConfig, but it is {self.dictionary!r}."
            )
        is_file = self.parallel.axis.endswith(_FILE)
        if not VARIANTS[self.variant].found:
            if self.dictionary is not None:
                raise InputError(
                    f"{owner}: dictionary says how words are found, but {self.variant!r} takes "
                    "those of parallel.axis; leave it out, or choose variant 'V2'."
                )
        elif (self.dictionary is None) is not is_file:
            raise InputError(
                f"{owner}: 'V2' takes its words from one place; give dictionary to find them, or "
                "parallel.axis, a .tsv file that lists them, but not both."
            )

    @property
    def steps(self) -> str:
        """The last step of the parallel data."""
        return VARIANTS[self.variant].steps

    def models(self) -> Iterator[str]:
        """Yield the Hub ids and folders of all models that are read.

        Yields:
            Each as it was named.
        """
        yield from super().models()
        if self.dictionary is not None:
            yield str(self.dictionary.model)

    def settings(self) -> dict[str, Any]:
        """Return all that the model depends on, as JSON data: all but where things are saved."""
        found = super().settings()
        if self.dictionary is not None:
            found["dictionary"] = self.dictionary.settings()
            del found["parallel"]["axis"]
        return found
