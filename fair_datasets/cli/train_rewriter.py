"""The trainings of `train` that read a file of settings: those of models that rewrite texts."""

import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from fair_datasets.cli import option_types
from fair_datasets.cli.groups import Dialect
from fair_datasets.cli.inputs import load_input, refuse_dialect
from fair_datasets.cli.option_types import FILE
from fair_datasets.cli.outputs import Output, work_folder
from fair_datasets.cli.sources import source_of
from fair_datasets.rewriters.fairflow import FairFlowRewriterConfig, train_fairflow
from fair_datasets.rewriters.mbcda import MbcdaConfig, train_mbcda
from fair_datasets.rewriters.perturber.data import COLUMNS, Perturbations
from fair_datasets.rewriters.perturber.swapped import (
    swap_perturbations,
    two_person_perturbations,
)
from fair_datasets.rewriters.perturber.train import PerturberConfig, RowsConfig, train_perturber
from fair_datasets.rewriters.training.config import RowsSource, TrainingConfig, read_plan
from fair_datasets.rewriters.training.generator import GeneratorConfig
from fair_datasets.rewriters.training.work import Trained
from fair_datasets.rows import column_checks
from fair_datasets.system.checks import error_context

if TYPE_CHECKING:
    from datasets import Dataset


class Rewriter(Dialect):
    """A rewriter that is trained by a file of settings."""

    config: FILE
    settings: ClassVar[type[TrainingConfig]]

    def run(self) -> None:
        """Run a training."""
        config, tables = read_plan(self.config, self.settings)
        with _work_folder(config, tables["rows"].source, self) as out:
            trained = self.trained(config, tables)
        counts = [f"{count:>10,}  {name}" for name, count in trained.rows.items()]
        counts += [f"{count:>10,}  left out: {why}" for why, count in trained.left_out.items()]
        place = shlex.quote(str(out))
        written = f"Written to {out}. To publish it: fair-datasets push model {place} user/name"
        print("\n".join([*counts, "", *trained.lines(), "", written]))

    def trained(self, config: Any, tables: Mapping[str, Any]) -> Trained:
        """Train it on labelled rows."""
        return _train_generator(config, tables, self)


class Perturber(Rewriter):
    """Train a perturber, which rewrites what a text says about one person.

    Attributes:
        config: The settings, as TOML: those of `fair_datasets.rewriters.PerturberConfig`, and under
            [rows] where the rows come from; `fair-datasets docs rewriting` shows some.
    """

    config: FILE
    settings = PerturberConfig

    def trained(self, config: Any, tables: Mapping[str, Any]) -> Trained:
        """Train it on rows that say who is meant."""
        return _train_perturber(config, tables, self)


class Mbcda(Rewriter):
    """Train a generator, which writes the counterfactual of a text, on corrected swaps (MBCDA).

    Attributes:
        config: The settings, as TOML: those of `fair_datasets.rewriters.MbcdaConfig`, and under
            [rows] where the rows come from; `fair-datasets docs mbcda` shows some.
    """

    config: FILE
    settings = MbcdaConfig


class FairFlow(Rewriter):
    """Train a generator with words that are found from one pair, without a filter (FairFlow).

    Attributes:
        config: The settings, as TOML: those of
            `fair_datasets.rewriters.fairflow.FairFlowRewriterConfig`, and under [rows] where the
            rows come from; `fair-datasets docs mbcda` shows some.
    """

    config: FILE
    settings = FairFlowRewriterConfig


def _train_perturber(
    config: PerturberConfig, tables: Mapping[str, Any], options: Rewriter
) -> Trained:
    rows = tables["rows"]
    selection = _rows(rows, config.seed, options.dialect)
    trained = train_perturber(
        config, selection.rows, pipeline=rows.pipeline, reader=rows.reader,
        **_card_source(rows.source, options),
    )  # fmt: skip
    return replace(trained, left_out={**selection.dropped, **trained.left_out})


def _train_generator(
    config: GeneratorConfig, tables: Mapping[str, Any], options: Rewriter
) -> Trained:
    """Train a generator on labelled rows."""
    rows, dialect, more = tables["rows"], options.dialect, dict[str, Any]()
    columns = (config.parallel.text, config.parallel.attribute, config.label)
    given = _loaded(rows, rows.source, list(dict.fromkeys(filter(None, columns))), dialect)
    train: Callable[..., Trained] = train_mbcda
    if isinstance(config, FairFlowRewriterConfig):
        train, texts = train_fairflow, tables.get("corpus")
        if texts is not None and config.dictionary is not None:
            more["corpus"] = _loaded(texts, texts.source, config.dictionary.columns, dialect)
    return train(config, given, **more, **_card_source(rows.source, options))


@contextmanager
def _work_folder(config: TrainingConfig, source: str | None, options: Rewriter) -> Iterator[Path]:
    """Give the folder of a model; tell what is kept if its training ends early."""
    out = option_types.folder(str(config.out))
    Output(out).refuse_taken()
    given = source or str(options.config)
    with work_folder(None, Output(out), given):
        yield out


def _card_source(source: str | None, options: Rewriter) -> dict[str, str]:
    """Return what a card says of the rows and of the command."""
    return {
        "source": "" if source is None else source_of(source).shown,
        "command": options.again("", options.config.name),
    }


def _loaded(
    rows: RowsSource | RowsConfig, source: str, columns: Sequence[str], dialect: Mapping[str, Any]
) -> "Dataset":
    """Read some columns of all splits of a source, one after the other."""
    from datasets import concatenate_datasets

    splits = load_input(source, tuple(columns), rows.split, config=rows.config, **dialect)
    with error_context(source):
        for each in splits.values():
            column_checks.present(columns, each.column_names)
    return concatenate_datasets([each.select_columns(list(columns)) for each in splits.values()])


def _rows(rows: RowsConfig, seed: int, dialect: Mapping[str, Any]) -> Perturbations:
    """Read the rows of a training, or have the swap make them."""
    from datasets import concatenate_datasets

    parts: list[Dataset] = []
    dropped: dict[str, int] = {}
    if rows.source is None:
        refuse_dialect(dialect, "[rows]")
    else:
        given = _loaded(rows, rows.source, rows.text or COLUMNS, dialect)
        if rows.text:
            made = swap_perturbations(
                given, rows.text, axis=rows.axis, names=rows.names, pipeline=rows.pipeline,
                reader=rows.reader, targets=rows.targets, joined=rows.joined, seed=seed,
            )  # fmt: skip
            given, dropped = made.rows, made.dropped
        parts.append(given)
    if rows.two_people:
        parts.append(two_person_perturbations(rows.two_people, seed=seed))
    return Perturbations(
        concatenate_datasets([part.select_columns(COLUMNS) for part in parts]), dropped
    )
