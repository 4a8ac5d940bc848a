"""The training of a generator, from texts to a folder: what a method leaves open, and the rest."""

import dataclasses
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, Self, TypeVar

import numpy as np

from fair_datasets.cards.markdown import escaped
from fair_datasets.cards.statements import Measured
from fair_datasets.evaluation.trained import JudgedRows
from fair_datasets.evaluation.versions import read_labels
from fair_datasets.rewriters.training.config import RowsSource, TrainingConfig
from fair_datasets.rewriters.training.generator_evaluation import (
    LIMITS,
    Evaluated,
    Judge,
    evaluated,
    evaluation_lines,
    named_rows,
)
from fair_datasets.rewriters.training.network import MASK, Tokens, pairs_within
from fair_datasets.rewriters.training.parallel import (
    ATTRIBUTE,
    COUNTERFACTUAL,
    TEXT,
    AttributedRows,
    Parallel,
    ParallelConfig,
    attributed_rows,
    class_numbers,
    linear_classifier,
    parallel_rows,
    refuse_one_class,
    refuse_unfit_models,
)
from fair_datasets.rewriters.training.work import (
    Trained,
    claim_work_folder,
    finish,
    fixed_seed,
    read_model,
    refuse_files,
    refuse_taken,
    save_whole,
    starting_point,
    work_of,
    write_noted,
)
from fair_datasets.rows.column_checks import ColumnName
from fair_datasets.rows.draws import row_key
from fair_datasets.scores.models import load_model
from fair_datasets.selection.splits import pair_split
from fair_datasets.swap.counterfactual import CounterfactualSwap
from fair_datasets.system.checks import caller_name, error_context, invalid, warn
from fair_datasets.system.portable import file_digests
from fair_datasets.system.pretrained import folder_files
from fair_datasets.system.validate import Count, Natural, PathOrName, Strings

if TYPE_CHECKING:
    from datasets import Dataset, DatasetDict

    from fair_datasets.rewriters.training.trainer import GeneratorTrainer


@dataclass(frozen=True, kw_only=True)
class GeneratorConfig(TrainingConfig, ABC):
    """The settings of a generator of counterfactuals: the base class of each method's settings.

    The defaults are those that Tokpo and Calders use in both of their papers: a BART-base, and
    texts of at most 200 tokens. It has the settings of `TrainingConfig`
    (`fair_datasets.rewriters.training.config`) as well.

    A method says what its pairs are (`steps`), and may say what trains the model on them
    (`trainer`), what comes before (`prepare`) and after (`conclude`), and what its card tells
    (`method`, `tag`, `citation`). `train_generator` does all else.

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

    tables: ClassVar = {"rows": RowsSource, "parallel": ParallelConfig}
    limits: ClassVar = LIMITS

    model: PathOrName | None = "facebook/bart-base"
    shares: tuple[float, float, float] = (0.8, 0.1, 0.1)
    batch_size: Count = 48
    rows_at_once: Count = 8
    max_length: Count = 200
    denoising: Natural = 0
    parallel: ParallelConfig
    judge: PathOrName | None = None
    judge_classes: Strings = ()
    causal: PathOrName | None = None
    label: ColumnName | None = None
    pairs: PathOrName | None = None

    def __post_init__(self) -> None:
        """Check the settings and write each in one form."""
        super().__post_init__()
        if self.judge_classes and self.judge is None:
            raise invalid(
                "judge_classes are the classes of judge, but judge is None; name a "
                "judge, or leave them out."
            )

    @property
    @abstractmethod
    def steps(self) -> str:
        """The last step of the parallel data; see `parallel_rows`."""

    @property
    def files(self) -> tuple[Path, ...]:
        """The files that are written beside the model."""
        return () if self.pairs is None else (Path(self.pairs),)

    def prepare(self, training: "GeneratorTraining[Self]") -> "GeneratorTraining[Self]":
        """Do what comes before the pairs."""
        return training

    def trainer(
        self, start: "Start[Self]", splits: Mapping[str, "Dataset"]
    ) -> Callable[..., "GeneratorTrainer"] | None:
        """Return what makes the Trainer of the generator; None for a `GeneratorTrainer`."""
        return None

    def conclude(
        self, trained: "TrainedGenerator", training: "GeneratorTraining[Self]"
    ) -> "TrainedGenerator":
        """Return what was trained with what the method adds to it."""
        return trained

    @property
    def is_judged_by_its_filter(self) -> bool:
        """Whether the classifier that measures is the one that the filter asks."""
        own = self.parallel.classifier
        both = [Path(name).resolve() for name in (own, self.judge) if name is not None]
        return len(both) == 2 and both[0] == both[1]

    def models(self) -> Iterator[str]:
        """Yield the Hub ids and folders of all models that it is trained by."""
        yield from self.parallel.models(self.steps)
        yield from (str(name) for name in (self.model, self.encoder) if name is not None)

    def settings(self) -> dict[str, Any]:
        """Return all that the model depends on, as JSON data: all but where things are saved."""
        settings = super().settings()
        del settings["pairs"]
        return settings

    def of_training(self) -> Self:
        """Return the same without what measures: whoever measures otherwise trains nothing anew."""
        return dataclasses.replace(self, judge=None, judge_classes=(), causal=None)

    def of_denoising(self) -> TrainingConfig:
        """Return the settings of the training that fills gaps."""
        return dataclasses.replace(self, epochs=1)


Settings = TypeVar("Settings", bound=GeneratorConfig)
_STEPS = {
    "filter": "the swap, corrected by the detector and the infiller, and filtered",
    "repair": "the swap, corrected by the detector and the infiller, without a filter",
    "swap": "the swap as it is",
}


@dataclass(frozen=True)
class TrainedGenerator(Trained):
    """A generator of counterfactuals that was trained.

    Attributes:
        rows: Split name to the number of its texts, and `pairs` to that of the pairs that the
            generator was trained on.
    """

    attributes: tuple[str, str]
    evaluated: Evaluated

    of: ClassVar[str] = "texts with an attribute"

    def lines(self) -> list[str]:
        """Return what it does to the test texts."""
        return self.evaluated.lines()

    def measured(self, rows: str) -> list[Measured]:
        """Return the measures of the generator, and of the originals before it."""
        return self.evaluated.measured(rows)

    def evaluation(self, config: GeneratorConfig) -> list[str]:
        """Write the table of the versions, and what becomes of texts without anything to change."""
        return evaluation_lines(self.evaluated, config, self.rows["test"], self.attributes)

    def training(self, config: GeneratorConfig, counts: str, left_out: str) -> str:
        """Return what it was trained on."""
        one, other = (escaped(name) for name in self.attributes)
        return (
            f"The pairs are {_STEPS[config.steps]}.\n\n"
            f"Between {one} and {other}. Texts: {counts}.{left_out}"
        )


@dataclass(frozen=True)
class GeneratorTraining(Generic[Settings]):
    """A training that has its work folder for itself; each step is done once and kept there.

    Attributes:
        corpus: Texts that a method reads beside the rows; None for none.
    """

    config: Settings
    rows: AttributedRows
    splits: "DatasetDict"
    work: Path
    judge: Judge | None
    corpus: "Dataset | None"

    def by(self, config: Settings) -> Self:
        """Return the same training by words that were found in its training rows.

        Returns:
            It, without the validation and test rows whose counterfactuals by these words are
            training texts.
        """
        splits = without_swaps(config, self.splits)
        _refuse_few(config, splits, self.rows.names)
        return replace(self, config=config, splits=splits)

    def pairs(self) -> Parallel:
        """Give the training texts their counterfactuals."""
        config, train = self.config, self.splits["train"]
        classifier = config.parallel.classifier
        if classifier is None and config.steps == "filter":
            classifier = linear_classifier(train, self.work / "classifier")
        return parallel_rows(
            config.parallel, train, self.work / "train", steps=config.steps,
            classifier=classifier)  # fmt: skip

    def start(self) -> "Start[Settings]":
        """Make the model that trainings begin with."""
        return make_start(self.config, self.splits["train"][TEXT][:], self.work)

    def trained(
        self, start: "Start[Settings]", pairs: Parallel, trainer: Callable[..., Any] | None
    ) -> TrainedGenerator:
        """Train the generator and measure it."""
        config, splits = self.config, self.splits
        model, fitting = generator_of(start, pairs.rows, trainer)
        long = len(pairs.rows) - len(fitting)
        judge = self.judge or Judge(linear_classifier(splits["validation"], self.work / "judge"))
        measured = evaluated(config, model, splits, judge, self.rows.names, self.work)
        if config.pairs is not None:
            content = BytesIO()
            pairs.rows.select(fitting).to_parquet(content)
            write_noted(self.work, Path(config.pairs), content.getvalue())
        rows = {str(name): len(each) for name, each in splits.items()}
        left_out = self.rows.dropped | pairs.dropped
        return TrainedGenerator(
            Path(config.out), rows | {"pairs": len(pairs.rows) - long},
            left_out | ({f"more than {config.max_length} tokens": long} if long else {}),
            self.rows.names, measured,
        )  # fmt: skip


def train_generator(
    config: GeneratorConfig, dataset: "Dataset", *, corpus: "Dataset | None" = None, key: str = "",
    source: str = "", command: str = "",
) -> Any:  # fmt: skip
    """Train a model to write counterfactuals; the class of the settings determines the method.

    Rows are split by text. Each step is kept in `<out>.work`, whole or not at all, and the
    trainings keep checkpoints there; the same call goes on from the last, and on a CPU writes what
    it would have written without the interrupt. When all is done that folder is removed. The
    checkpoints hold pickles of transformers (the states of the optimizer and of the draws), which
    it reads as data alone, never as code, and which are not published; what is left in the end are
    safetensors. The model is asked by `ModelRewrite(control="plain")`.

    Args:
        corpus: Texts that the method reads beside the rows; None for none.
        key: What stands for these.

    Returns:
        The `TrainedGenerator` of the method.

    Raises:
        InputError: The rows cannot be used, a model cannot be read or does not suit, no pair is
            left, the folder holds something already, or the work folder is of other settings or
            rows.
    """
    with open_training(config, dataset, corpus=corpus, key=key) as training:
        training = config.prepare(training)
        pairs, start = training.pairs(), training.start()
        generator = training.trained(start, pairs, config.trainer(start, training.splits))
        trained = config.conclude(generator, training)
        finish(training.work / "model", trained.card(config, source, command), Path(config.out))
    return trained


@contextmanager
def open_training(
    config: Settings, dataset: "Dataset", *, corpus: "Dataset | None" = None, key: str = ""
) -> Iterator[GeneratorTraining[Settings]]:
    """Read what a generator is trained on, and open its work folder, or refuse before any work."""
    out = Path(config.out)
    refuse_taken(out)
    if config.is_judged_by_its_filter:
        warn(
            "judge is also the classifier of the filter, and would judge its own "
            "choice; name one that was trained on other texts."
        )
    data = config.parallel
    attributed = attributed_rows(
        dataset, text=data.text, attribute=data.attribute, names=data.attributes,
        classifier=data.classifier, label=config.label)  # fmt: skip
    judge = _judge(config, attributed.names)
    work = work_of(out)
    refuse_files(config.files, out, work)
    # Files that are missing are told before a model is opened.
    data_key = _key(config, attributed.rows, key)
    refuse_unfit_models(data, steps=config.steps)
    if config.causal is not None:
        load_model(config.causal, "causal")
    with fixed_seed(config.seed), claim_work_folder(work, config.of_training(), data_key):
        splits = split_by_text(config, attributed.rows)
        _refuse_few(config, splits, attributed.names)
        yield GeneratorTraining(config, attributed, splits, work, judge, corpus)


def _judge(config: GeneratorConfig, names: tuple[str, str]) -> Judge | None:
    """Return the classifier that was named for the measures, if one was."""
    if config.judge is None:
        return None
    model = str(config.judge)
    classes = class_numbers(model, names, config.judge_classes, parameter="judge_classes")
    return Judge(model, classes)


def _refuse_few(config: GeneratorConfig, splits: "DatasetDict", names: tuple[str, str]) -> None:
    """Raise unless each split has texts, and what is learnt from has those of both attributes."""
    for name, rows in splits.items():
        if not len(rows):
            raise invalid(
                f"no row is left for {name}: there are too few texts; give more, or other shares."
            )
    for name in ("train", "validation"):
        with error_context(f"{caller_name()} ({name} rows)"):
            refuse_one_class(splits[name][ATTRIBUTE][:], names)
    if config.label is not None:
        # What cannot be measured in the end is told before anything is trained.
        with error_context(f"{caller_name()} (train rows)"):
            read_labels(splits["train"], config.label)
        test = named_rows(splits["test"], names)
        with error_context(f"{caller_name()}, test"):
            JudgedRows.read(test, TEXT, config.label, ATTRIBUTE, names)


def _key(config: GeneratorConfig, rows: "Dataset", more: str) -> str:
    """Return a key of the rows, and of the files here of all models, the lexicon and the reader."""
    files = [file_digests(folder_files(name)) for name in config.models()]
    swap = CounterfactualSwap(columns=TEXT, **config.parallel.reading)
    files.append(swap.digests)
    labels = [] if config.label is None else rows[config.label][:]
    return row_key(
        [*rows[TEXT], *rows[ATTRIBUTE], *labels, *(part for parts in files for part in parts), more]
    )


_GROUP = "group"


def split_by_text(config: GeneratorConfig, rows: "Dataset") -> "DatasetDict":
    """Split rows so that a text and what the swap makes of it are never in two splits."""
    texts = rows[TEXT][:]
    group = [min(pair) for pair in zip(texts, _swapped(config.parallel, rows), strict=True)]
    splits = pair_split(
        rows.add_column(_GROUP, group), config.sizes, seed=config.seed, family_column=_GROUP
    )
    return splits.remove_columns(_GROUP)


def without_swaps(config: GeneratorConfig, splits: "DatasetDict") -> "DatasetDict":
    """Leave out of what is measured on the texts that the swap makes of training texts.

    Where the words of the swap are found in the training rows, the rows were split before.
    """
    made = set(_swapped(config.parallel, splits["train"]))
    of_training = made | set(splits["train"][TEXT])
    remaining = type(splits)(splits)
    for name in ("validation", "test"):
        rows = splits[name]
        pairs = zip(rows[TEXT], _swapped(config.parallel, rows), strict=True)
        selected = [place for place, pair in enumerate(pairs) if not of_training & {*pair}]
        remaining[name] = rows.select(selected)
    return remaining


def _swapped(config: ParallelConfig, rows: "Dataset") -> list[str]:
    """Return what the swap makes of the texts of rows."""
    swap = CounterfactualSwap(columns=TEXT, mode="pair", **config.reading)
    texts: list[str] = swap.apply(rows)[COUNTERFACTUAL][:]
    return texts


# What a loss passes over.
_NONE = -100


class Start(NamedTuple, Generic[Settings]):
    """What all trainings begin with."""

    config: Settings
    work: Path
    model: Path

    def read(self) -> tuple[Any, Any]:
        """Return the model that trainings start from, as it was, and its tokenizer."""
        return read_model(self.model)


def make_start(config: Settings, texts: Sequence[str], work: Path) -> Start[Settings]:
    """Make the model that trainings start from."""
    signs = (MASK,) if config.denoising else ()
    with fixed_seed(config.seed):
        model, tokenizer = starting_point(config, texts, work, signs=signs)
    start = Start(config, work, work / "start")
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
        with fixed_seed(config.seed):
            trainer.resume()
        save_whole(trainer.model, tokenizer, done)
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
        with fixed_seed(config.seed):
            training.resume()
        save_whole(training.model, tokenizer, folder)
    return folder, fitting


def numbered_tokens(
    start: Start[Any], tokenizer: Any, texts: Sequence[str], others: Sequence[str],
    numbers: Sequence[int], name: str,
) -> tuple[list[dict[str, Any]], list[int]]:  # fmt: skip
    """Return the token ids of rows with a number each."""
    selected, tokens = pairs_within(texts, others, tokenizer, start.config.max_length, name)
    both = zip(selected, tokens, strict=True)
    return [{**row, ATTRIBUTE: numbers[number]} for number, row in both], selected


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
