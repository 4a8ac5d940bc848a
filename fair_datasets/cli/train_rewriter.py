"""The trainings of `train` that read a file of settings: those of models that rewrite texts."""

import argparse
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from fair_datasets.cards.report import text_table
from fair_datasets.cli.dialects import add_dialect, dialect_of
from fair_datasets.cli.inputs import load_input, refuse_dialect
from fair_datasets.cli.outputs import refuse_taken, work_folder
from fair_datasets.cli.parsers import command_again
from fair_datasets.cli.sources import source_of
from fair_datasets.jobs.file_outputs import local_folder
from fair_datasets.rewriters.fairflow.rewriter import (
    TrainedFairFlow,
    read_fairflow_plan,
    train_fairflow,
)
from fair_datasets.rewriters.mbcda.train import TrainedMbcda, read_mbcda_plan, train_mbcda
from fair_datasets.rewriters.perturber.data import COLUMNS, Perturbations, quality_table
from fair_datasets.rewriters.perturber.swapped import (
    swap_perturbations,
    two_person_perturbations,
)
from fair_datasets.rewriters.perturber.train import (
    RowsConfig,
    TrainedPerturber,
    read_plan,
    train_perturber,
)
from fair_datasets.rewriters.training.config import RowsSource, TrainingConfig
from fair_datasets.rewriters.training.generator_training import TrainedGenerator
from fair_datasets.rewriters.training.work import GeneratorConfig
from fair_datasets.rows import column_checks
from fair_datasets.system.checks import called_as

if TYPE_CHECKING:
    from datasets import Dataset


class Training(NamedTuple):
    """A rewriter that can be trained."""

    summary: str
    settings: str
    page: str
    run: Callable[[argparse.Namespace], str]


def add_parsers(kinds: Any) -> None:
    """Add the trainings to the command `train`."""
    for name, training in TRAININGS.items():
        described = f"{training.summary[0].upper()}{training.summary[1:]}."
        kind = kinds.add_parser(name, help=training.summary, description=described)
        kind.add_argument(
            "--config", type=Path, required=True, metavar="FILE",
            help="the settings, as TOML: those of "
            f"`fair_datasets.rewriters.{training.settings}`, and under [rows] where the rows come "
            f"from; `fair-datasets docs {training.page}` shows some",
        )  # fmt: skip
        add_dialect(kind)
        kind.set_defaults(run=run, training=training)


def run(options: argparse.Namespace) -> None:
    """Run a training.

    Raises:
        InputError: The file, a setting or the rows are wrong.
    """
    print(options.training.run(options))


def _train_perturber(options: argparse.Namespace) -> str:
    config, rows = read_plan(options.config)
    with _kept(config, rows.source, options) as out:
        found = _rows(rows, config.seed, dialect_of(options))
        trained = train_perturber(
            config, found.rows, pipeline=rows.pipeline, reader=rows.reader,
            **_told_of(rows.source, options),
        )  # fmt: skip
    return _told(trained, found, out)


def _train_mbcda(options: argparse.Namespace) -> str:
    """Train a generator of counterfactuals, and tell what came of it."""
    config, rows = read_mbcda_plan(options.config)
    with _kept(config, rows.source, options) as out:
        given = _labelled(config, rows, dialect_of(options))
        trained = train_mbcda(config, given, **_told_of(rows.source, options))
    return _told_mbcda(trained, out)


def _train_fairflow(options: argparse.Namespace) -> str:
    """Train a generator by words that are found, and tell what came of it."""
    config, rows, texts = read_fairflow_plan(options.config)
    dialect = dialect_of(options)
    with _kept(config, rows.source, options) as out:
        given, corpus = _labelled(config, rows, dialect), None
        if texts is not None and config.dictionary is not None:
            corpus = _loaded(texts, texts.source, config.dictionary.columns, dialect)
        trained = train_fairflow(config, given, corpus=corpus, **_told_of(rows.source, options))
    return _told_fairflow(trained, out)


def _labelled(config: GeneratorConfig, rows: RowsSource, dialect: Mapping[str, Any]) -> "Dataset":
    columns = (config.parallel.text, config.parallel.attribute, config.label)
    named = list(dict.fromkeys(name for name in columns if name))
    return _loaded(rows, rows.source, named, dialect)


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


def _told(trained: TrainedPerturber, found: Perturbations, out: Path) -> str:
    return "\n".join(
        [
            *_counts(trained.rows, {**found.dropped, **trained.left_out}), "",
            f"Best after {trained.steps:,} steps: BLEU {trained.bleu:.2f} on the validation rows. "
            "On the test rows:", "", text_table(quality_table(trained.quality)), "",
            _written_to(out),
        ]
    )  # fmt: skip


def _told_mbcda(trained: TrainedMbcda, out: Path) -> str:
    held = []
    if trained.held_out is not None:
        held = [
            "", f"The discriminator reads {trained.held_out.accuracy:.1%} of the validation texts "
            f"rightly; {trained.held_out.majority:.1%} are of the more frequent attribute.",
        ]  # fmt: skip
    return _told_generator(trained, held, out)


def _told_fairflow(trained: TrainedFairFlow, out: Path) -> str:
    lines = []
    if trained.dictionary is not None:
        found = trained.dictionary.found()
        lines = [
            "", f"{len(found.pairs):,} words have a counterpart. They are in "
            f"{trained.dictionary.lexicon}, a draft; {trained.dictionary.review} is for people to "
            "review.",
        ]  # fmt: skip
    return _told_generator(trained, lines, out)


def _told_generator(trained: TrainedGenerator, more: Sequence[str], out: Path) -> str:
    """Say what was trained, with what a method tells beside."""
    lines = [*_counts(trained.rows, trained.left_out), *more]
    copied = trained.evaluated.copied
    lines += [
        "", (
            f"Of {copied.texts:,} test texts without anything to change, {copied.exact:,} are "
            f"written again as they are, and nothing usable is written for {copied.unwritten:,}."
        ),
    ]  # fmt: skip
    if trained.evaluated.table:
        lines += ["", "On the other test texts:", "", text_table(trained.evaluated.table)]
    warning = [trained.evaluated.warning, ""] if trained.evaluated.warning else []
    return "\n".join([*lines, "", *warning, _written_to(out)])


def _counts(rows: Mapping[str, int], left_out: Mapping[str, int]) -> list[str]:
    """Say how many rows there were of what, and why others were left out."""
    lines = [f"{count:>10,}  {name}" for name, count in rows.items()]
    return lines + [f"{count:>10,}  left out: {why}" for why, count in left_out.items()]


def _written_to(folder: Path) -> str:
    """Say where a model is, and how it is published."""
    return (
        f"Written to {folder}. To publish it: fair-datasets push model "
        f"{shlex.quote(str(folder))} user/name"
    )


TRAININGS = {
    "perturber": Training(
        "a perturber, which rewrites what a text says about one person",
        "PerturberConfig",
        "rewriting",
        _train_perturber,
    ),
    "mbcda": Training(
        "a generator, which writes the counterfactual of a text, on corrected swaps (MBCDA)",
        "MbcdaConfig",
        "mbcda",
        _train_mbcda,
    ),
    "fairflow": Training(
        "the same, with words that are found from one pair of words, without a filter (FairFlow)",
        "fairflow.FairFlowRewriterConfig",
        "fairflow",
        _train_fairflow,
    ),
}
