"""The model that the trainings of a generator begin with, and the generator that comes of it."""

import dataclasses
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, Self, TypeVar

import numpy as np

from fair_datasets.rewriters.training.config import TrainingConfig
from fair_datasets.rewriters.training.network import MASK, Tokens, pairs_within
from fair_datasets.rewriters.training.parallel import (
    ATTRIBUTE,
    COUNTERFACTUAL,
    TEXT,
    ParallelConfig,
)
from fair_datasets.rewriters.training.work import (
    read_model,
    save_whole,
    starting_point,
    undisturbed,
)
from fair_datasets.rows import column_checks
from fair_datasets.scores.probes.config import path_or_name
from fair_datasets.system import checks
from fair_datasets.system.checks import InputError

if TYPE_CHECKING:
    from datasets import Dataset


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
        checks.settle(self, path_or_name, "judge", "causal", "pairs", optional=True)
        if self.label is not None:
            column_checks.column_name(self.label, owner=owner, parameter="label")
        checks.settle(self, checks.strings, "judge_classes")
        if self.judge_classes and self.judge is None:
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
        """Yield the Hub ids and folders of all models that it is trained by."""
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


Settings = TypeVar("Settings", bound=GeneratorConfig)
# What a loss passes over.
_NONE = -100


class Start(NamedTuple, Generic[Settings]):
    """What all trainings begin with."""

    config: Settings
    work: Path
    model: Path
    owner: str

    def read(self) -> tuple[Any, Any]:
        """Return the model that trainings start from, as it was, and its tokenizer."""
        return read_model(self.model, owner=self.owner)


def prepared(config: Settings, texts: Sequence[str], work: Path, *, owner: str) -> Start[Settings]:
    """Make the model that trainings start from."""
    signs = (MASK,) if config.denoising else ()
    with undisturbed(config.seed):
        model, tokenizer = starting_point(config, texts, work, signs=signs, owner=owner)
    start = Start(config, work, work / "start", owner)
    if not config.denoising:
        return start
    done = work / "denoised"
    if not done.is_dir():
        from fair_datasets.rewriters.training.trainer import GeneratorTrainer

        rows, _ = numbered_tokens(start, tokenizer, texts, texts, [_NONE] * len(texts), "train")
        gaps = Denoising(
            [row["labels"] for row in rows], copies=config.denoising,
            mask=tokenizer.convert_tokens_to_ids(MASK), seed=config.seed,
        )  # fmt: skip
        trainer = GeneratorTrainer(
            config.of_denoising(), model=model, tokenizer=tokenizer, train=gaps,
            work=work / "denoising", title="Learning to fill gaps",
        )  # fmt: skip
        with undisturbed(config.seed):
            trainer.go_on()
        save_whole(trainer.model, tokenizer, done, owner=owner)
    return start._replace(model=done)


def generator_of(
    start: Start[Any], pairs: "Dataset", trainer: Callable[..., Any] | None = None
) -> tuple[Path, list[int]]:
    """Train the generator.

    Returns:
        The folder of the model, and the numbers of the pairs that did not have too many tokens.
    """
    config = start.config
    model, tokenizer = start.read()
    texts, others = pairs[TEXT][:], pairs[COUNTERFACTUAL][:]
    asked = [
        _NONE if number is None or text == other else 1 - number
        for text, other, number in zip(texts, others, pairs[ATTRIBUTE], strict=True)
    ]
    rows, fitting = numbered_tokens(start, tokenizer, texts, others, asked, "train")
    folder = start.work / "model"
    if not folder.is_dir():
        from fair_datasets.rewriters.training.trainer import GeneratorTrainer

        training = (trainer or GeneratorTrainer)(
            config, model=model, tokenizer=tokenizer, train=rows, work=start.work / "generating"
        )
        with undisturbed(config.seed):
            training.go_on()
        save_whole(training.model, tokenizer, folder, owner=start.owner)
    return folder, fitting


def numbered_tokens(
    start: Start[Any], tokenizer: Any, texts: Sequence[str], others: Sequence[str],
    numbers: Sequence[int], name: str,
) -> tuple[list[dict[str, Any]], list[int]]:  # fmt: skip
    """Return the token ids of rows with a number each."""
    limit = start.config.max_length
    kept, tokens = pairs_within(texts, others, tokenizer, limit)
    if not kept:
        raise InputError(
            f"{start.owner}: no row is left for {name}: all {len(texts):,} have more than {limit} "
            "tokens; raise max_length, or split the texts."
        )
    rows: list[dict[str, Any]] = [
        {**row, ATTRIBUTE: numbers[number]} for number, row in zip(kept, tokens, strict=True)
    ]
    return rows, list(kept)


class Denoising(Sequence[Tokens]):
    """Texts with gaps, each several times with other gaps, which follow from the seed alone."""

    def __init__(
        self, texts: Sequence[Sequence[int]], *, copies: int, mask: int, share: float = 0.3,
        seed: int = 0,
    ) -> None:  # fmt: skip
        """Take the texts.

        Args:
            texts: Their token ids, between a sign for the beginning and one for the end.
        """
        self._texts = texts
        self._copies = copies
        self._mask = mask
        self._share = share
        self._seed = seed

    def __len__(self) -> int:
        """Return how many rows there are."""
        return len(self._texts) * self._copies

    def __getitem__(self, place: Any) -> Any:
        """Return a row."""
        copy, number = divmod(place, len(self._texts))
        ids = np.asarray(self._texts[number])
        draws = np.random.default_rng([self._seed, copy, number])
        gaps = draws.random(len(ids)) < self._share
        gaps[[0, -1]] = False
        read = np.where(gaps, self._mask, ids).tolist()
        return {"input_ids": read, "attention_mask": [1] * len(read), "labels": ids.tolist()}

    def __iter__(self) -> Iterator[Tokens]:
        """Yield the rows."""
        return (self[place] for place in range(len(self)))
