"""The trainings of `train` that read a file of settings: those of models that rewrite texts."""

import argparse
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from fair_datasets.cli.dialects import add_dialect, dialect_of
from fair_datasets.cli.inputs import load_input, refuse_dialect
from fair_datasets.cli.outputs import refuse_taken, work_folder
from fair_datasets.cli.parsers import command_again
from fair_datasets.cli.sources import source_of
from fair_datasets.jobs.file_outputs import local_folder
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
from fair_datasets.system.checks import called_as

if TYPE_CHECKING:
    from datasets import Dataset


class Training(NamedTuple):
    """A rewriter that can be trained."""

    summary: str
    settings: type[TrainingConfig]
    name: str
    page: str
    train: Callable[[Any, Mapping[str, Any], argparse.Namespace], Trained]


def add_parsers(kinds: Any) -> None:
    """Add the trainings to the command `train`."""
    for name, training in TRAININGS.items():
        described = f"{training.summary[0].upper()}{training.summary[1:]}."
        kind = kinds.add_parser(name, help=training.summary, description=described)
        kind.add_argument(
            "--config", type=Path, required=True, metavar="FILE",
            help="the settings, as TOML: those of "
            f"`fair_datasets.rewriters.{training.name}`, and under [rows] where the rows come "
            f"from; `fair-datasets docs {training.page}` shows some",
        )  # fmt: skip
        add_dialect(kind)
        kind.set_defaults(run=run, training=training)


def run(options: argparse.Namespace) -> None:
    """Run a training.

    Raises:
        InputError: The file, a setting or the rows are wrong.
    """
    config, tables = read_plan(options.config, options.training.settings)
    with _kept(config, tables["rows"].source, options) as out:
        trained: Trained = options.training.train(config, tables, options)
    counts = [f"{count:>10,}  {name}" for name, count in trained.rows.items()]
    counts += [f"{count:>10,}  left out: {why}" for why, count in trained.left_out.items()]
    written = (
        f"Written to {out}. To publish it: fair-datasets push model {shlex.quote(str(out))} "
        "user/name"
    )
    print("\n".join([*counts, "", *trained.lines(), "", written]))


def _train_perturber(
    config: PerturberConfig, tables: Mapping[str, Any], options: argparse.Namespace
) -> Trained:
    rows = tables["rows"]
    found = _rows(rows, config.seed, dialect_of(options))
    trained = train_perturber(
        config, found.rows, pipeline=rows.pipeline, reader=rows.reader,
        **_told_of(rows.source, options),
    )  # fmt: skip
    return replace(trained, left_out={**found.dropped, **trained.left_out})


def _train_generator(
    config: GeneratorConfig, tables: Mapping[str, Any], options: argparse.Namespace
) -> Trained:
    """Train a generator on labelled rows."""
    rows, dialect, more = tables["rows"], dialect_of(options), dict[str, Any]()
    columns = (config.parallel.text, config.parallel.attribute, config.label)
    given = _loaded(rows, rows.source, list(dict.fromkeys(filter(None, columns))), dialect)
    train: Callable[..., Trained] = train_mbcda
    if isinstance(config, FairFlowRewriterConfig):
        train, texts = train_fairflow, tables.get("corpus")
        if texts is not None and config.dictionary is not None:
            more["corpus"] = _loaded(texts, texts.source, config.dictionary.columns, dialect)
    return train(config, given, **more, **_told_of(rows.source, options))


@contextmanager
def _kept(
    config: TrainingConfig, source: str | None, options: argparse.Namespace
) -> Iterator[Path]:
    """Give the folder of a model; tell what is kept if its training ends early."""
    out = local_folder(str(config.out))
    refuse_taken(out)
    given = source or str(options.config)
    with work_folder(argparse.Namespace(input=given, work=None), out):
        yield out


def _told_of(source: str | None, options: argparse.Namespace) -> dict[str, str]:
    """Return what a card says of the rows and of the command."""
    return {
        "source": "" if source is None else source_of(source).shown,
        "command": command_again(options, "", options.config.name),
    }


def _loaded(
    rows: RowsSource | RowsConfig, source: str, columns: Sequence[str], dialect: Mapping[str, Any]
) -> "Dataset":
    """Read some columns of all splits of a source, one after the other."""
    from datasets import concatenate_datasets

    found = load_input(source, tuple(columns), rows.split, config=rows.config, **dialect)
    with called_as(source):
        for each in found.values():
            column_checks.present(columns, each.column_names)
    return concatenate_datasets([each.select_columns(list(columns)) for each in found.values()])


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


TRAININGS = {
    "perturber": Training(
        "a perturber, which rewrites what a text says about one person",
        PerturberConfig, "PerturberConfig", "rewriting", _train_perturber,
    ),
    "mbcda": Training(
        "a generator, which writes the counterfactual of a text, on corrected swaps (MBCDA)",
        MbcdaConfig, "MbcdaConfig", "mbcda", _train_generator,
    ),
    "fairflow": Training(
        "the same, with words that are found from one pair of words, without a filter (FairFlow)",
        FairFlowRewriterConfig, "fairflow.FairFlowRewriterConfig", "fairflow", _train_generator,
    ),
}  # fmt: skip
