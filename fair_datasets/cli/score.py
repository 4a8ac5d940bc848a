"""The commands `score`, which gives pairs importance scores, and `select`, which reads these."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from datasets import Dataset, Features, Value
from pyarrow import ArrowInvalid

from fair_datasets.cards.dataset import plain_card
from fair_datasets.cards.statements import FAMILY_LINE
from fair_datasets.cli.columns import check_splits_texts, refuse_other_separators
from fair_datasets.cli.groups import (
    Axis,
    Input,
    Model,
    Processes,
    RequiredOut,
    Seed,
    Shards,
    Text,
    Work,
)
from fair_datasets.cli.option_types import COL
from fair_datasets.cli.outputs import work_folder
from fair_datasets.cli.pipeline import opened
from fair_datasets.jobs.rewriting import ApplyToShard
from fair_datasets.rows.text_fields import counterfactual_field, field_columns, is_there
from fair_datasets.scores.probes import train_probes
from fair_datasets.selection.diet import ProbeTrainer
from fair_datasets.selection.diet.scoring import (
    classes_of,
    needed_epochs,
    refuse_unswapped,
    score_techniques,
    with_classes,
)
from fair_datasets.selection.rankings import (
    COUNTERFACTUAL,
    RANKINGS,
    SCORES,
    select,
    unchanged_counterfactuals,
)
from fair_datasets.swap.counterfactual import CounterfactualSwap
from fair_datasets.system.checks import InputError, counted, error_context, invalid, one_of
from fair_datasets.system.validate import Count, OneOf, Share
from fair_datasets.technique.contract import Technique


class Score(Input, Model, Axis, Seed, Shards, Work, RequiredOut):
    """Score which rows and counterfactuals matter to a classifier.

    The counterfactual of each row is put beside it, probes are trained on the rows of the training
    split, and every split is written with the scores. The probes are kept, and an interrupted run
    goes on from them.

    Attributes:
        score: Equity (the default), el2n, grand or forgetting; repeat it for several.
        probes: How many probes are trained.
        epochs: How many epochs the probes are trained for forgetting; the other scores are taken
            after the first epoch (default: 5).
        train_split: The split to train on.
        work: Where the probes are kept (default: OUT.work).
    """

    COMMON = "text label axis score model out"

    score: tuple[Annotated[str, OneOf(SCORES)], ...] = ()
    probes: Count = 5
    epochs: Count | None = None
    train_split: Annotated[str, "SPLIT"] = "train"
    work: Annotated[Path, "DIR"] | None = None

    def run(self) -> None:
        """Run the command."""
        scores = self.score or ["equity"]
        self.epochs = _epochs(self.epochs, scores)
        trainer = self.trainer()
        rows = opened(self, self.text)
        with error_context(self.input):
            one_of(self.train_split, rows.splits, parameter="--train-split")
        check_splits_texts(self, rows.splits)
        with error_context(self.input):
            splits = with_classes(rows.splits, self.label)
        train = splits[self.train_split]
        swap = CounterfactualSwap(
            columns=self.text, roles=self.roles, axis=self.axis, names=self.names,
            pipeline=self.pipeline, reader=self.reader, mode="pair", protect=(),
        )  # fmt: skip
        settings = {
            "swap": swap.config(), "trainer": trainer.settings(), "scores": scores,
            "probes": [self.probes, self.epochs, self.seed, self.train_split],
        }  # fmt: skip
        task = rows.task(settings, keeps_more=True)
        if task is None:
            return
        if "equity" in scores:
            refuse_unswapped(train, swap)
        command = rows.again(score=scores)
        # Opened first, so that a place that cannot be written is told before anything is trained.
        with work_folder(self.work, rows.out, self.input) as work, task.begun() as job:
            steps = [swap, *_techniques(self, trainer, scores, train, work)]
            features = {split: _features(each, steps) for split, each in splits.items()}
            apply = ApplyToShard(tuple(steps))
            task.write(job, splits, dict.fromkeys(splits, apply), features, title="Scoring")
            source = rows.source
            card = plain_card(rows.out.title, source.shown, source.metadata, command)
            task.write_beside(job, card, {})
        counts = "\n".join(
            f"{split}: {len(each):,} pairs scored." for split, each in splits.items()
        )
        classes = classes_of(train.features, self.label)
        print(
            "\n\n".join(
                filter(None, [counts, classes, rows.out.written(), f"The probes are in {work}."])
            )
        )


def _features(rows: Dataset, steps: Sequence[Technique]) -> Features:
    """Return the columns of the result."""
    features = rows.features
    for step in steps:
        features = step.features(features)
    return features


def _epochs(given: int | None, scores: Sequence[str]) -> int | None:
    """Return how many epochs the forget score reads; None where it is not asked for."""
    if "forgetting" in scores:
        return 5 if given is None else given
    if given is not None:
        raise invalid(
            "--epochs is for the forget score alone, because the other scores are taken "
            "after the first epoch; add --score forgetting, or leave it out."
        )
    return None


def _techniques(
    options: Score, trainer: ProbeTrainer, scores: Sequence[str], train: Dataset, work: Path
) -> list[Technique]:
    epochs = needed_epochs(scores, options.epochs or 1)
    seeds = tuple(range(options.seed, options.seed + options.probes))
    paths = train_probes(trainer.probes(work / "probes", seeds, epochs), train)
    return score_techniques(scores, trainer, paths, train.column_names, axis=options.axis)


class Select(Input, Text, Processes, Shards, RequiredOut):
    """Choose factual rows and counterfactuals by their scores.

    A share of the factual rows and a share of the counterfactuals of a dataset that `fair-datasets
    score` wrote are chosen, and written.

    Attributes:
        a: The share of factual rows, 0 to 1.
        b: The share of counterfactuals.
        ranking: The order in which rows are taken: {RANKINGS}; `fair-datasets docs diet` says what
            they are.
        score_column: The column of the equity score (default: the one that ends in _equity).
        split: The split to choose from.
    """

    COMMON = "text a b ranking split out"

    a: Share
    b: Share
    ranking: Annotated[str, OneOf(RANKINGS), "NAME"] = "healthy_random"
    score_column: COL | None = None
    split: Annotated[str, "SPLIT"] = "train"

    def run(self) -> None:
        """Run the command."""
        rows = opened(self, self.text, split=self.split)
        scored = rows.splits[self.split]
        refuse_other_separators(self.text, scored.column_names, self.input)
        known = scored.column_names
        with error_context(self.input):
            field_columns(self.text, known)
        beside = {name: counterfactual_field(name, known) for name in self.text}
        missing = [name for name, new in beside.items() if not is_there(new, scored.column_names)]
        if missing:
            raise InputError(
                f"{self.input}: there is no column '{beside[missing[0]]}'; give what "
                f"`fair-datasets score --text {missing[0]}` wrote."
            )
        column = self.score_column or equity_column(scored, self.input)
        settings = {
            "columns": self.text, "a": self.a, "b": self.b, "ranking": self.ranking,
            "score": column, "seed": self.seed,
        }  # fmt: skip
        task = rows.task(settings)
        if task is None:
            return
        scored = _with_numbers(scored, column)
        chosen = select(
            scored, self.a, self.b, columns=self.text, ranking=self.ranking,
            seed=self.seed, score_columns={"equity": column},
        )  # fmt: skip
        if not len(chosen):
            raise InputError(
                f"{self.input}: a={self.a:g} and b={self.b:g} of {len(scored):,} pairs come "
                "to less than one row; raise a or b."
            )
        with task.begun() as job:
            task.copy(job, {self.split: chosen})
            card = (
                rows.out.title,
                rows.source.shown,
                rows.source.metadata,
                rows.again(),
                FAMILY_LINE,
            )
            task.write_beside(job, plain_card(*card), {})
        swapped = sum(chosen[COUNTERFACTUAL][:])
        same = unchanged_counterfactuals(scored, chosen, columns=self.text)
        print(
            f"{counted(len(scored), 'pair')} in, {counted(len(chosen) - swapped, 'factual row')} "
            f"and {counted(swapped, 'counterfactual')} out ({same:,} of these equal their "
            f"original).\n{FAMILY_LINE}\n{rows.out.written()}"
        )


def _with_numbers(scored: Dataset, column: str) -> Dataset:
    """Read a column of a CSV file as numbers where it holds nothing else, such as 1 and 0.5."""
    if scored.features.get(column) != Value("string"):
        return scored
    try:
        return scored.cast_column(column, Value("float64"))
    except ArrowInvalid:
        # The sentence of `select` names the row.
        return scored


def equity_column(scored: Dataset, where: str) -> str:
    """Return the column of the equity score.

    Returns:
        The one column whose name ends in `_equity`; `gender_equity` if there is none, for the
        sentence of `select`.
    """
    columns = [column for column in scored.column_names if column.endswith("_equity")]
    if len(columns) > 1:
        raise InputError(
            f"{where}: there are several equity scores ({', '.join(map(repr, columns))}); name one "
            "with --score-column."
        )
    return columns[0] if columns else "gender_equity"
