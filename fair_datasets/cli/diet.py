"""The command `diet`: a labelled dataset in, the rows that train a fairer classifier out."""

import argparse
import shutil
import sys
from collections.abc import Mapping
from functools import partial
from math import nan
from pathlib import Path
from typing import Any

from datasets import Dataset

from fair_datasets.cards.croissant import Step
from fair_datasets.cards.report import save_picture, text_table
from fair_datasets.cards.statements import TOLD
from fair_datasets.cli.audited import add_audit, audit_request
from fair_datasets.cli.columns import check_text_columns
from fair_datasets.cli.dialects import dialect_of
from fair_datasets.cli.inputs import add_input, is_on_hub, load_input
from fair_datasets.cli.outputs import (
    Draft,
    FolderOutput,
    add_out,
    folder_output,
    name_of,
    work_folder,
    work_of,
    written,
)
from fair_datasets.cli.parsers import (
    add_model,
    add_parameters,
    add_ranking,
    add_shared,
    command_again,
    option,
    trainer_of,
)
from fair_datasets.cli.sources import open_source
from fair_datasets.cli.tasks import Task, add_job, opened_task, source_files, task_of
from fair_datasets.evaluation.templates import identity_templates, template_axes
from fair_datasets.jobs.job import Job
from fair_datasets.jobs.rewriting import ApplyToShard
from fair_datasets.rows.draws import FAMILY, family_ids
from fair_datasets.selection.diet import DietConfig, DietResult, healthy_diet
from fair_datasets.selection.diet.report import (
    LEGEND,
    auc_limit,
    compared_rows,
    diet_report,
    result_rows,
    trade_off_plot,
    trade_off_points,
    verdict,
)
from fair_datasets.selection.diet.scoring import (
    check_labelled,
    classes_of,
    positive_classes,
    unscored,
    with_classes,
    with_classes_of,
    with_two_classes,
)
from fair_datasets.selection.rankings import COUNTERFACTUAL
from fair_datasets.selection.search import OBJECTIVES
from fair_datasets.selection.splits import three_splits
from fair_datasets.swap.counterfactual import CounterfactualSwap
from fair_datasets.system.checks import InputError, called_as, invalid, require
from fair_datasets.system.files import NOTES
from fair_datasets.system.portable import file_digest

_TEMPLATE_ROWS = 8000


def add_parser(commands: Any) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser(
        "diet",
        help="search which rows and counterfactuals train a fairer classifier",
        description="Pair each training row with its counterfactual, score the pairs by probes, "
        "train classifiers on shares of both, and write the rows of the share that is fairest on "
        "the validation rows while its AUC hardly falls, with a report. Everything that is "
        "finished is kept, and an interrupted run goes on from there.",
    )
    add_arguments(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Run the command."""
    # The picture is drawn when all else is done, which may take hours.
    require("plots")
    out = folder_output(options)
    unchanged = opened_task(options, out)
    config = _diet_config(options)
    ending = audit_request(
        options, out, config.columns, roles=options.roles, label=config.label, axis=config.axis
    )
    trainer = trainer_of(options, epochs=options.epochs)
    source, read, loaded = open_source(options, out, options.text)
    settings = {
        **config.settings(), "swap": CounterfactualSwap(**config.reading, mode="pair").config(),
        "trainer": trainer.settings(), "audit": options.audit is not None,
        "positive": options.positive,
        "pool": [file_digest(file) for file in _pool_files(options)],
        "pool of": [options.pool, options.pool_split],
    }  # fmt: skip
    task = task_of(options, out, source, settings, unchanged, keeps_more=True)
    if task is None:
        _remove_work(options, out)
        return
    splits, numbered = _splits(options, loaded)
    _settle_probes(options, config, splits["train"])
    pool = _pool(options, numbered)
    # Opened first, so that a place that cannot be written is told before anything is trained.
    with work_folder(options, out) as work, task.begun() as to:
        found = healthy_diet(splits, config, work=work, trainer=trainer, probe=trainer,
                             templates=_templates(config, options.seed), pool=pool)  # fmt: skip
        if found.chosen is None and not isinstance(out, Path):
            raise InputError(f"No rows were chosen, and nothing is published. {verdict(found)}")
        report = diet_report(
            found, config, title=name_of(out), source=source.name, model=options.model,
            head=options.head, command=_command(options, config, source.name, read),
            metadata=source.metadata, rows={name: len(split) for name, split in splits.items()},
            is_divided=len(loaded) == 1, has_picture=isinstance(out, Path),
        )  # fmt: skip
        _write(found, splits, config, task, to)
        if found.dataset is not None:
            report += ending.section(splits, to[0], out, source, _steps(found, config))
        to[0].write_card(report)
    _tell(found, config.label, out)
    ending.tell()
    _remove_work(options, out)


def _splits(
    options: argparse.Namespace, loaded: Mapping[str, Dataset]
) -> tuple[dict[str, Dataset], Dataset]:
    """Return the three splits with two classes, and rows with the classes that there were."""
    for split, dataset in loaded.items():
        check_text_columns(dataset, options.text, f"{options.input} (split {split})", options.roles)
    with called_as(options.input):
        loaded = with_classes(loaded, options.label)
        options.positive = positive_classes(loaded, options.label, options.positive)
    numbered = next(iter(loaded.values()))
    loaded = {
        name: with_two_classes(rows, options.label, options.positive)
        for name, rows in loaded.items()
    }
    if len(loaded) == 1:
        # Rows are named as they lie in the input, not as they will lie in the divided splits.
        (rows,) = loaded.values()
        with called_as(options.input):
            check_labelled(rows, options.text, options.label, roles=tuple(options.roles))
    families = partial(family_ids, columns=options.text, roles=options.roles)
    with called_as(options.input):
        return three_splits(loaded, families, seed=options.seed), numbered


def _command(options: argparse.Namespace, config: DietConfig, source: str, read: str | None) -> str:
    """Write the command anew, for the report."""
    return command_again(
        options, source, read, ranking=config.rankings, a=config.a_values, b=config.b_values
    )


def _steps(found: DietResult, config: DietConfig) -> list[Step]:
    """Say how the rows were made that a diet chose."""
    chosen = found.chosen or {}
    shares = f"a {chosen.get('a')}, b {chosen.get('b')}, seed {config.seed}"
    return [
        Step(f"CounterfactualSwap (axis {config.axis}): a counterfactual of each row", True),
        Step(f"healthy diet ({found.ranking}, {shares}): rows and counterfactuals chosen", False),
    ]


def _remove_work(options: argparse.Namespace, out: FolderOutput) -> None:
    """Remove what is kept meanwhile, once all is done; what the user named stays."""
    work = work_of(out)
    if options.work is None and not (work / NOTES).exists():  # That is another command's.
        shutil.rmtree(work, ignore_errors=True)


def _pool_files(options: argparse.Namespace) -> list[Path]:
    """Return the files of the pool that lie here."""
    if options.pool is None or is_on_hub(options.pool) or not Path(options.pool).exists():
        return []
    return source_files(Path(options.pool))


def _pool(options: argparse.Namespace, train: Dataset) -> Dataset | None:
    """Load the rows of the baseline `balancing`, if they are given."""
    if options.pool is None:
        return None
    options.pool_split = options.pool_split or "train"
    (pool,) = load_input(
        options.pool, options.text, options.pool_split, **dialect_of(options)
    ).values()
    check_text_columns(pool, options.text, options.pool)
    with called_as(options.pool):
        pool = with_classes_of(pool, train, options.label)
        pool = with_two_classes(pool, options.label, options.positive)
        check_labelled(pool, options.text, options.label, roles=tuple(options.roles), both=False)
    return pool


def _templates(config: DietConfig, seed: int) -> dict[str, Dataset]:
    """Return the templates of the axis, where there are some and the rows have one text."""
    if config.axis not in template_axes() or len(config.columns) != 1:
        return {}
    return {"templates": identity_templates(config.axis, size=_TEMPLATE_ROWS, seed=seed)}


def _write(
    found: DietResult,
    splits: dict[str, Dataset],
    config: DietConfig,
    task: Task,
    to: tuple[Draft, Job],
) -> None:
    """Write the chosen rows and the picture."""
    points = trade_off_points(found)
    if found.dataset is not None:
        held_out = {
            name: _with_columns(splits[name], found.dataset, config)
            for name in ("validation", "test")
        }
        rows = {"train": found.dataset, **held_out}
        features = dict.fromkeys(rows, found.dataset.features)
        task.write(to, rows, dict.fromkeys(rows, ApplyToShard()), features)
    # Where no rows were chosen, load_dataset would take a .png file for the dataset.
    measured = [name for name in OBJECTIVES if name in points[0]]
    measures = list(dict.fromkeys([found.optimise, *measured]))
    picture = trade_off_plot(points, measures, auc_limit=auc_limit(found))
    save_picture(picture, to[0].folder / "trade-off.svg")


def _with_columns(rows: Dataset, like: Dataset, config: DietConfig) -> Dataset:
    """Give rows that were not chosen from the columns of those that were: splits must be alike."""
    if FAMILY not in rows.column_names:
        families = family_ids(rows, config.columns, roles=config.roles)
        rows = rows.add_column(FAMILY, families)
    for name, feature in like.features.items():
        if name not in rows.features:
            value = False if name == COUNTERFACTUAL else None
            rows = rows.add_column(name, [value] * len(rows), feature=feature)
    return rows.select_columns(like.column_names).cast(like.features)


def _tell(found: DietResult, label: str, out: FolderOutput) -> None:
    """Print the results."""
    classes = classes_of(found.scored.features, label)
    print(f"{classes}\n" if classes else "", end="")
    if found.taken_over:
        print(f"Scores taken over from the training rows: {', '.join(found.taken_over)}.\n")
    print(
        f"On the test rows, texts against their counterfactuals. {compared_rows(found, 'test')}"
        f"\n\n{text_table(result_rows(found.results, 'test'))}\n\n{LEGEND}\n"
    )
    if found.chosen is None:
        print(verdict(found), file=sys.stderr)
        print(f"No rows were chosen; the report is in {out}.")
        return
    print(
        f"Chosen: {found.ranking} with a={found.chosen['a']:g}, b={found.chosen['b']:g}, by the "
        f"{OBJECTIVES[found.optimise].title} on the validation rows.\n{verdict(found)}\n\n"
        f"{TOLD}\n\n{written(out)}"
    )


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    add_input(parser)
    add_shared(parser, "text", "roles", "label")
    option(parser, "--positive CLASS", "with more than two classes: the class that becomes 1, "
           "while the others become 0; repeat it for several (default: of a rating, the classes "
           "above its middle); the column LABEL_given keeps each label as it was", list,
           default=[])  # fmt: skip
    add_shared(parser, "axis", "names", "pipeline", "reader")
    add_ranking(parser, "healthy_random; repeat it for several", action="append")
    add_model(parser)
    option(parser, "--epochs", "how long the compared classifiers are trained", int, 10)
    add_parameters(
        parser, DietConfig, seeds=None, max_auc_drop="PERCENT", optimise=tuple(OBJECTIVES)
    )
    for half, what, usual in (("a", "factual rows", DietConfig.a_values),
                              ("b", "counterfactuals", DietConfig.b_values)):  # fmt: skip
        parser.add_argument(
            f"-{half}", f"--{half}", type=_shares, action="extend", metavar="SHARE[,SHARE...]",
            help=f"the shares of {what} that are tried, 0 to 1; one alone is fixed (default: "
            f"{','.join(f'{share:g}' for share in usual)})",  # type: ignore[union-attr]
        )  # fmt: skip
    option(parser, "--probes", "how many probes score (default: 5)", int)
    option(parser, "--probe-epochs", "how many epochs the probes are trained for the forget score; "
           "the other scores are taken after the first epoch (default: 5)", int)  # fmt: skip
    add_parameters(parser, DietConfig, placebo_draws=None)
    option(parser, "--pool INPUT", "other labelled rows, from which the baseline `balancing` takes "
           "negatives")  # fmt: skip
    option(parser, "--pool-split SPLIT", "the split of --pool to read (default: train)")
    option(parser, "--work DIR", "where probes and finished trainings are kept (default: OUT.work, "
           "which is removed when all is done)", Path)  # fmt: skip
    add_shared(parser, "seed")
    add_job(parser)
    add_out(parser, files=False)
    add_audit(parser)


def _diet_config(options: argparse.Namespace) -> DietConfig:
    """Return the settings that the arguments come to."""
    if options.pool is None and options.pool_split is not None:
        raise invalid("--pool-split needs --pool; add --pool, or leave --pool-split out.")
    chosen = {
        name: value
        for name, value in (
            ("a_values", options.a), ("b_values", options.b), ("probe_seeds", options.probes),
            ("probe_epochs", options.probe_epochs),
        )
        if value is not None
    }  # fmt: skip
    same = ("label", "axis", "names", "pipeline", "reader", "max_auc_drop", "optimise",
            "placebo_draws", "seeds", "seed")  # fmt: skip
    return DietConfig(
        columns=tuple(options.text), roles=tuple(options.roles),
        rankings=tuple(options.ranking or ["healthy_random"]),
        **{name: getattr(options, name) for name in same}, **chosen,
    )  # fmt: skip


def _settle_probes(options: argparse.Namespace, config: DietConfig, train: Dataset) -> None:
    """State how the probes are trained, or raise where that is asked for and none is."""
    scores = unscored(config, train.column_names)
    for name, is_used, usual, why in (
        ("probes", bool(scores), config.probe_seeds, "no score is left to compute"),
        ("probe_epochs", "forgetting" in scores, config.probe_epochs,
         "only the forget score, which is not computed here, reads more than one epoch"),
    ):  # fmt: skip
        if is_used:
            setattr(options, name, usual)
        elif getattr(options, name) is not None:
            flag = name.replace("_", "-")
            raise invalid(f"--{flag} is for the probes that score, and {why}; leave it out.")


def _shares(given: str) -> list[float]:
    """Read shares that are separated by commas."""
    found = []
    for word in given.split(","):
        try:
            share = float(word)
        except ValueError:
            share = nan
        if not 0 <= share <= 1:
            in_per_cent = f"; {share:g} per cent is {share / 100:g}" if 1 < share <= 100 else ""
            raise argparse.ArgumentTypeError(f"{word!r} is not a share from 0 to 1{in_per_cent}")
        found.append(share)
    return found
