"""The training of a generator, from texts to a folder: steps that a method puts into order."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Self

from fair_datasets.evaluation.trained import JudgedRows
from fair_datasets.evaluation.versions import read_labels
from fair_datasets.rewriters.training.generator_evaluation import (
    Evaluated,
    Judge,
    evaluated,
    named_rows,
)
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
    GeneratorConfig,
    Settings,
    Start,
    finish,
    generator_of,
    note_file,
    prepared,
    refuse_files,
    refuse_taken,
    undisturbed,
    work_of,
    working_in,
)
from fair_datasets.rows.draws import row_key
from fair_datasets.scores.models import load_model
from fair_datasets.selection.splits import pair_split
from fair_datasets.swap.counterfactual import CounterfactualSwap
from fair_datasets.system.checks import called, called_as, invalid, warn
from fair_datasets.system.files import write_file
from fair_datasets.system.portable import file_digests
from fair_datasets.system.pretrained import folder_files

if TYPE_CHECKING:
    from datasets import Dataset, DatasetDict


@dataclass(frozen=True)
class TrainedGenerator:
    """A generator of counterfactuals that was trained.

    Attributes:
        rows: Split name to the number of its texts, and `pairs` to that of the pairs that the
            generator was trained on.
    """

    folder: Path
    attributes: tuple[str, str]
    rows: Mapping[str, int]
    left_out: Mapping[str, int]
    evaluated: Evaluated


@dataclass(frozen=True)
class GeneratorTraining(Generic[Settings]):
    """A training that has its work folder for itself; each step is done once and kept there."""

    config: Settings
    found: AttributedRows
    splits: "DatasetDict"
    work: Path
    judge: Judge | None

    def by(self, config: Settings) -> Self:
        """Return the same training by words that were found in its training rows.

        Returns:
            It, without the validation and test rows whose counterfactuals by these words are
            training texts.
        """
        splits = without_swaps(config, self.splits)
        _refuse_few(config, splits, self.found.names)
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

    def start(self) -> Start[Settings]:
        """Make the model that trainings begin with."""
        return prepared(self.config, self.splits["train"][TEXT][:], self.work)

    def trained(
        self, start: Start[Settings], pairs: Parallel, trainer: Callable[..., Any] | None = None
    ) -> TrainedGenerator:
        """Train the generator and measure it."""
        config, splits = self.config, self.splits
        model, fitting = generator_of(start, pairs.rows, trainer)
        long = len(pairs.rows) - len(fitting)
        judge = self.judge or Judge(linear_classifier(splits["validation"], self.work / "judge"))
        measured = evaluated(config, model, splits, judge, self.found.names, self.work)
        if config.pairs is not None:
            content = BytesIO()
            pairs.rows.select(fitting).to_parquet(content)
            note_file(self.work, Path(config.pairs))
            write_file(Path(config.pairs), content.getvalue())
        rows = {str(name): len(each) for name, each in splits.items()}
        left_out = self.found.dropped | pairs.dropped
        return TrainedGenerator(
            Path(config.out), self.found.names, rows | {"pairs": len(pairs.rows) - long},
            left_out | ({f"more than {config.max_length} tokens": long} if long else {}), measured,
        )  # fmt: skip

    def finish(self, card: str) -> None:
        """Give the model its card and its place."""
        finish(self.work / "model", card, Path(self.config.out))


@contextmanager
def opened(
    config: Settings, dataset: "Dataset", *, made: Sequence[Path] = (), key: str = ""
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
    found = attributed_rows(
        dataset, text=data.text, attribute=data.attribute, names=data.attributes,
        classifier=data.classifier, label=config.label)  # fmt: skip
    judge = _judge(config, found.names)
    work = work_of(out)
    files = [] if config.pairs is None else [Path(config.pairs)]
    refuse_files([*files, *made], out, work)
    # Files that are missing are told before a model is opened.
    data_key = _key(config, found.rows, key)
    refuse_unfit_models(data, steps=config.steps)
    if config.causal is not None:
        load_model(config.causal, "causal")
    with undisturbed(config.seed), working_in(work, config.of_training(), data_key):
        splits = apart(config, found.rows)
        _refuse_few(config, splits, found.names)
        yield GeneratorTraining(config, found, splits, work, judge)


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
        with called_as(f"{called()} ({name} rows)"):
            refuse_one_class(splits[name][ATTRIBUTE][:], names)
    if config.label is not None:
        # What cannot be measured in the end is told before anything is trained.
        with called_as(f"{called()} (train rows)"):
            read_labels(splits["train"], config.label)
        test = named_rows(splits["test"], names)
        with called_as(f"{called()}, test"):
            JudgedRows.read(test, TEXT, config.label, ATTRIBUTE, names)


def _key(config: GeneratorConfig, rows: "Dataset", more: str) -> str:
    """Return a key of the rows, and of the files here of all models, the lexicon and the reader."""
    files = [file_digests(folder_files(name)) for name in config.models()]
    swap = CounterfactualSwap(columns=TEXT, **config.parallel.reading)
    files.append(swap.digests)
    labels = [] if config.label is None else rows[config.label][:]
    return row_key(
        [*rows[TEXT], *rows[ATTRIBUTE], *labels, *(part for found in files for part in found), more]
    )


_GROUP = "group"


def apart(config: GeneratorConfig, rows: "Dataset") -> "DatasetDict":
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
    found = type(splits)(splits)
    for name in ("validation", "test"):
        rows = splits[name]
        pairs = zip(rows[TEXT], _swapped(config.parallel, rows), strict=True)
        kept = [place for place, pair in enumerate(pairs) if not of_training & {*pair}]
        found[name] = rows.select(kept)
    return found


def _swapped(config: ParallelConfig, rows: "Dataset") -> list[str]:
    """Return what the swap makes of the texts of rows."""
    swap = CounterfactualSwap(columns=TEXT, mode="pair", **config.reading)
    found: list[str] = swap.apply(rows)[COUNTERFACTUAL][:]
    return found
