"""The command `diet`: a labelled dataset in, the rows that train a fairer classifier out."""

import shutil
import sys
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Annotated

from datasets import Dataset

from fair_datasets.cards.croissant import Step
from fair_datasets.cards.report import save_picture, text_table
from fair_datasets.cards.statements import FAMILY_LINE
from fair_datasets.cli.audited import Audited
from fair_datasets.cli.columns import check_splits_texts, check_text_columns
from fair_datasets.cli.groups import Axis, Input, Model, Ranked, RequiredOut, Seed, Shards, Work
from fair_datasets.cli.inputs import is_on_hub, load_input
from fair_datasets.cli.option_types import INPUT, SHARES
from fair_datasets.cli.outputs import Output, output, work_folder
from fair_datasets.cli.pipeline import Pipeline, opened, source_files
from fair_datasets.cli.tasks import Task
from fair_datasets.evaluation.templates import identity_templates, template_axes
from fair_datasets.jobs.job import Job
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
from fair_datasets.system.checks import InputError, error_context, invalid, require
from fair_datasets.system.files import NOTES
from fair_datasets.system.portable import file_digest
from fair_datasets.system.validate import Count, Natural, OneOf

_TEMPLATE_ROWS = 8000


class Diet(Input, Axis, Ranked, Model, Seed, Shards, Work, RequiredOut, Audited):
    """Find out which rows and counterfactuals train a fairer classifier.

    Each training row is paired with its counterfactual, the pairs are scored by probes, classifiers
    are trained on shares of both, and the rows of the share are written that is fairest on the
    validation rows while its AUC hardly falls, with a report. Everything that is finished is kept,
    and an interrupted run goes on from there.

    Attributes:
        positive: With more than two classes: the class that becomes 1, while the others become 0;
            repeat it for several (default: of a rating, the classes above its middle); the column
            LABEL_given keeps each label as it was.
        epochs: How long the compared classifiers are trained.
        a: The shares of factual rows that are tried, 0 to 1; one alone is fixed (default:
            0.3,0.4,0.5).
        b: The shares of counterfactuals that are tried, 0 to 1; one alone is fixed (default:
            0,0.1,0.2,0.3,0.4,0.5).
        probes: How many probes score (default: 5).
        probe_epochs: How many epochs the probes are trained for the forget score; the other scores
            are taken after the first epoch (default: 5).
        pool: Other labelled rows, from which the baseline `balancing` takes negatives.
        pool_split: The split of --pool to read (default: train).
        out: The folder to write; or hf://datasets/user/name to publish on the Hub instead.
        work: Where probes and finished trainings are kept (default: OUT.work, which is removed when
            all is done).
    """

    LIKE = "fair_datasets.selection.diet.config:DietConfig"
    COMMON = "text label axis ranking model out"

    positive: tuple[Annotated[str, "CLASS"], ...] = ()
    epochs: Count = 10
    seeds: Count
    max_auc_drop: Annotated[float, "PERCENT"]
    optimise: Annotated[str, OneOf(OBJECTIVES)]
    placebo_draws: Natural
    a: tuple[SHARES, ...] = ()
    b: tuple[SHARES, ...] = ()
    probes: Count | None = None
    probe_epochs: int | None = None
    pool: INPUT | None = None
    pool_split: Annotated[str, "SPLIT"] | None = None
    out: Annotated[str, "DIR"]
    work: Annotated[Path, "DIR"] | None = None

    def run(self) -> None:
        """Run the command."""
        # The picture is drawn when all else is done, which may take hours.
        require("plots")
        out = output(self)
        if out.file:
            raise invalid(
                f"a report, a picture and three splits are written, but --out {self.out} is one "
                "file; name a folder."
            )
        config = _diet_config(self)
        audited = {"roles": self.roles, "label": config.label, "axis": config.axis}
        trainer = self.trainer(epochs=self.epochs)
        rows = opened(self, self.text, out=out, audited=audited)
        settings = {
            **config.settings(), "swap": CounterfactualSwap(**config.reading, mode="pair").config(),
            "trainer": trainer.settings(), "audit": self.audit is not None,
            "positive": list(self.positive),
            "pool": [file_digest(file) for file in _pool_files(self)],
            "pool of": [self.pool, self.pool_split],
        }  # fmt: skip
        task = rows.task(settings, keeps_more=True)
        if task is None:
            _remove_work(self, out)
            return
        splits, numbered = _splits(self, rows.splits)
        _resolve_probes(self, config, splits["train"])
        pool = _pool(self, numbered)
        # Opened first, so that a place that cannot be written is told before anything is trained.
        with work_folder(self.work, out, self.input) as work, task.begun() as job:
            diet = healthy_diet(splits, config, work=work, trainer=trainer, probe=trainer,
                                 templates=_templates(config, self.seed), pool=pool)  # fmt: skip
            if diet.chosen is None and not bool(rows.out.folder):
                raise InputError(f"No rows were chosen, and nothing is published. {verdict(diet)}")
            report = diet_report(
                diet, config, title=rows.out.title, source=rows.source.name, model=self.model,
                head=self.head, metadata=rows.source.metadata, has_picture=bool(rows.out.folder),
                command=rows.again(ranking=config.rankings, a=config.a_values, b=config.b_values),
                rows={name: len(split) for name, split in splits.items()},
                is_divided=len(rows.splits) == 1,
            )  # fmt: skip
            _write(diet, splits, config, task, job)
            if diet.dataset is not None:
                steps = _steps(diet, config)
                report += rows.audit.section(splits, job.folder, out, rows.source, steps)
            task.write_beside(job, report, {})
        _print_results(diet, config.label, rows)
        rows.audit.report()
        _remove_work(self, out)


def _splits(options: Diet, loaded: Mapping[str, Dataset]) -> tuple[dict[str, Dataset], Dataset]:
    """Return the three splits with two classes, and rows with the classes that there were."""
    check_splits_texts(options, loaded)
    with error_context(options.input):
        loaded = with_classes(loaded, options.label)
        given = options.positive
        options.positive = tuple(positive_classes(loaded, options.label, given))
    numbered = next(iter(loaded.values()))
    loaded = {
        name: with_two_classes(rows, options.label, options.positive)
        for name, rows in loaded.items()
    }
    if len(loaded) == 1:
        # Rows are named as they lie in the input, not as they will lie in the divided splits.
        (rows,) = loaded.values()
        with error_context(options.input):
            check_labelled(rows, options.text, options.label, roles=tuple(options.roles))
    families = partial(family_ids, columns=options.text, roles=options.roles)
    with error_context(options.input):
        return three_splits(loaded, families, seed=options.seed), numbered


def _steps(diet: DietResult, config: DietConfig) -> list[Step]:
    """Return how the rows were made that a diet chose."""
    chosen = diet.chosen or {}
    shares = f"a {chosen.get('a')}, b {chosen.get('b')}, seed {config.seed}"
    return [
        Step(f"CounterfactualSwap (axis {config.axis}): a counterfactual of each row", True),
        Step(f"healthy diet ({diet.ranking}, {shares}): rows and counterfactuals chosen", False),
    ]


def _remove_work(options: Diet, out: Output) -> None:
    """Remove what is kept meanwhile, once all is done; what the user named stays."""
    work = out.work
    if options.work is None and not (work / NOTES).exists():  # That is another command's.
        shutil.rmtree(work, ignore_errors=True)


def _pool_files(options: Diet) -> list[Path]:
    """Return the files of the pool that lie here."""
    if options.pool is None or is_on_hub(options.pool) or not Path(options.pool).exists():
        return []
    return source_files(Path(options.pool))


def _pool(options: Diet, train: Dataset) -> Dataset | None:
    """Load the rows of the baseline `balancing`, if they are given."""
    if options.pool is None:
        return None
    options.pool_split = options.pool_split or "train"
    (pool,) = load_input(options.pool, options.text, options.pool_split, **options.dialect).values()
    check_text_columns(pool, options.text, options.pool)
    with error_context(options.pool):
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
    diet: DietResult,
    splits: dict[str, Dataset],
    config: DietConfig,
    task: Task,
    job: Job,
) -> None:
    """Write the chosen rows and the picture."""
    points = trade_off_points(diet)
    if diet.dataset is not None:
        held_out = {
            name: _with_columns(splits[name], diet.dataset, config)
            for name in ("validation", "test")
        }
        rows = {"train": diet.dataset, **held_out}
        task.copy(job, rows)
    # Where no rows were chosen, load_dataset would take a .png file for the dataset.
    measured = [name for name in OBJECTIVES if name in points[0]]
    measures = list(dict.fromkeys([diet.optimise, *measured]))
    picture = trade_off_plot(points, measures, auc_limit=auc_limit(diet))
    save_picture(picture, job.folder / "trade-off.svg")


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


def _print_results(diet: DietResult, label: str, rows: Pipeline) -> None:
    """Print the results."""
    classes = classes_of(diet.scored.features, label)
    print(f"{classes}\n" if classes else "", end="")
    if diet.taken_over:
        print(f"Scores taken over from the training rows: {', '.join(diet.taken_over)}.\n")
    print(
        f"On the test rows, texts against their counterfactuals. {compared_rows(diet, 'test')}"
        f"\n\n{text_table(result_rows(diet.results, 'test'))}\n\n{LEGEND}\n"
    )
    if diet.chosen is None:
        print(verdict(diet), file=sys.stderr)
        print(f"No rows were chosen; the report is in {rows.out}.")
        return
    print(
        f"Chosen: {diet.ranking} with a={diet.chosen['a']:g}, b={diet.chosen['b']:g}, by the "
        f"{OBJECTIVES[diet.optimise].title} on the validation rows.\n{verdict(diet)}\n\n"
        f"{FAMILY_LINE}\n\n{rows.out.written()}"
    )


def _diet_config(options: Diet) -> DietConfig:
    """Return the settings that the arguments come to."""
    if options.pool is None and options.pool_split is not None:
        raise invalid("--pool-split needs --pool; add --pool, or leave --pool-split out.")
    given = options.settings_for(
        DietConfig, columns=options.text, rankings=options.ranking, a_values=sum(options.a, ()),
        b_values=sum(options.b, ()), probe_seeds=options.probes,
    )  # fmt: skip
    return DietConfig(**given)


def _resolve_probes(options: Diet, config: DietConfig, train: Dataset) -> None:
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
