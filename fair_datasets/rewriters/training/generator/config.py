"""The settings that the training of any generator of counterfactuals has."""

import dataclasses
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any, ClassVar, Self

from fair_datasets.rewriters.training.config import TrainingConfig
from fair_datasets.rewriters.training.parallel import ParallelConfig
from fair_datasets.rows import column_checks
from fair_datasets.scores.probes.config import path_or_name
from fair_datasets.system import checks
from fair_datasets.system.checks import InputError


@dataclass(frozen=True, kw_only=True)
class GeneratorConfig(TrainingConfig, ABC):
    """How a generator of counterfactuals is trained on texts: the base of each method's own.

    The defaults are those that Tokpo and Calders use in both of their papers: a BART-base, and
    texts of at most 200 tokens. It has the settings of `TrainingConfig`
    (`fair_datasets.rewriters.training.config`) as well.

    Attributes:
        denoising: How often a generator is taught to fill gaps in each training text before all
            else; 0 for a model that is trained already.
        parallel: How texts get the counterfactuals that it is trained on.
        judge: The Hub id or folder of the classifier that measures how often the attribute
            changes, another one than that of the filter; None for a linear probe that is trained on
            the validation rows.
        judge_classes: Which of the two attributes each of its classes is, in their order; none for
            what it calls them.
        causal: The Hub id or folder of a language model that measures fluency; None to leave that
            out.
        label: The column of a label, 0 or 1, that classifiers are trained to predict from the
            training texts with their counterfactuals, to measure the difference of their rates
            between the attributes; None to leave that out.
        pairs: A Parquet file, which is not there yet, that the pairs of texts are written to which
            the generator was trained on; None for none.
    """

    small_settings: ClassVar[dict[str, Any]] = {
        "model": None, "layers": 1, "width": 64, "vocabulary": 2000, "dropout": 0.0,
        "denoising": 6, "epochs": 4, "batch_size": 32, "rows_at_once": 32, "learning_rate": 2e-3,
        "max_length": 128,
    }  # fmt: skip

    model: str | PathLike[str] | None = "facebook/bart-base"
    shares: tuple[float, float, float] = (0.8, 0.1, 0.1)
    batch_size: int = 48
    rows_at_once: int = 8
    max_length: int = 200
    denoising: int = 0
    parallel: ParallelConfig
    judge: str | PathLike[str] | None = None
    judge_classes: tuple[str, ...] | str = ()
    causal: str | PathLike[str] | None = None
    label: str | None = None
    pairs: str | PathLike[str] | None = None

    def __post_init__(self) -> None:
        """Check the settings and write each in one form."""
        super().__post_init__()
        owner = type(self).__name__
        checks.whole_number(self.denoising, owner=owner, parameter="denoising", least=0)
        for name in ("judge", "causal", "pairs"):
            value = getattr(self, name)
            if value is not None:
                path = path_or_name(value, owner=owner, parameter=name)
                object.__setattr__(self, name, path)
        if self.label is not None:
            column_checks.column_name(self.label, owner=owner, parameter="label")
        classes = checks.strings(self.judge_classes, owner=owner, parameter="judge_classes")
        object.__setattr__(self, "judge_classes", classes)
        if classes and self.judge is None:
            raise InputError(
                f"{owner}: judge_classes are the classes of judge, but judge is None; name a "
                "judge, or leave them out."
            )
        if not isinstance(self.parallel, ParallelConfig):
            raise InputError(
                f"{owner}: parallel must be a ParallelConfig, but it is {self.parallel!r}."
            )

    @property
    @abstractmethod
    def steps(self) -> str:
        """The last step of the parallel data; see `parallel_rows`."""

    @property
    def is_judged_by_its_filter(self) -> bool:
        """Whether the classifier that measures is the one that the filter asks."""
        own = self.parallel.classifier
        if self.judge is None or own is None:
            return False
        return Path(self.judge).resolve() == Path(own).resolve()

    def models(self) -> Iterator[str]:
        """Yield the Hub ids and folders of all models that it is trained by.

        Yields:
            Each as it was named.
        """
        yield from self.parallel.models(self.steps)
        for name in (self.model, self.encoder):
            if name is not None:
                yield str(name)

    def settings(self) -> dict[str, Any]:
        """Return all that the model depends on, as JSON data: all but where things are saved."""
        found = super().settings()
        del found["pairs"]
        return found

    def of_training(self) -> Self:
        """Return the same without what measures: whoever measures otherwise trains nothing anew."""
        return dataclasses.replace(self, judge=None, judge_classes=(), causal=None)

    def of_denoising(self) -> TrainingConfig:
        """Return the settings of the training that fills gaps."""
        return dataclasses.replace(self, epochs=1)
