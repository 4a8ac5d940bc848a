"""The healthy data diet: which rows and which counterfactuals to train on."""

import hashlib
import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from math import nan
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from fair_datasets.rows import column_checks
from fair_datasets.rows.given import one_dataset
from fair_datasets.rows.text_fields import (
    counterfactual_column,
    field_columns,
    is_there,
    text_field,
)
from fair_datasets.scores.probes.train import ProbeTrainer, Trainer
from fair_datasets.selection.diet.config import DietConfig
from fair_datasets.selection.diet.measurement import PAIR_MEASURES, Evaluation, Pairs, Templates
from fair_datasets.selection.diet.scoring import (
    check_labelled,
    paired,
    ready_scores,
    refuse_unchanged,
    scored_rows,
)
from fair_datasets.selection.rankings import COUNTERFACTUAL, select
from fair_datasets.selection.search import Records, TradeOff, grid_search, preference
from fair_datasets.swap.balancing import Blindness, MentionedAttribute, balance_groups
from fair_datasets.swap.counterfactual import CounterfactualSwap
from fair_datasets.system import interrupts
from fair_datasets.system.checks import caller_name, error_context, invalid, with_article

if TYPE_CHECKING:
    from datasets import Dataset


@dataclass(frozen=True)
class Result:
    """What trials of one method gave.

    Attributes:
        mean: Name of the evaluation rows to the mean of each measure over the seeds.
        deviation: The same for the standard deviation (ddof=1).
        kind: What the method is, for pictures: `baseline` or the ranking's name.
    """

    name: str
    rows: float
    seconds: float
    mean: Mapping[str, Mapping[str, float]]
    deviation: Mapping[str, Mapping[str, float]]
    kind: str = "baseline"


@dataclass(frozen=True)
class Trials:
    """Trains on what a method selects and measures, once per seed.

    Attributes:
        name: What the trials are for; it begins the names of their records.
        label: The label column. Rows of one class only train nothing: all measures are NaN.
    """

    name: str
    trainer: Trainer
    evaluations: Mapping[str, Evaluation]
    seeds: Sequence[int]
    label: str = "label"
    records: Records = field(default_factory=lambda: Records(None, {}))

    def run(self, name: str, make: "Callable[[int], Dataset]", *, kind: str = "baseline") -> Result:
        """Measure a method."""
        done = []
        for seed in self.seeds:
            trial = f"{self.name}: {name}, seed {seed}"
            measured = self.records.get(trial)
            if measured is None:
                dataset = make(seed)
                # An interrupt waits until the trial is written down, and is obeyed then.
                with interrupts.defer_signals():
                    measured = self._measure(dataset, seed)
                    self.records.add(trial, measured)
            done.append(measured)
        mean, deviation = {}, {}
        for rows in self.evaluations:
            mean[rows], deviation[rows] = mean_and_deviation([each[rows] for each in done])
        cost, _ = mean_and_deviation([each["cost"] for each in done])
        return Result(name, cost["rows"], cost["seconds"], mean, deviation, kind)

    def _measure(self, dataset: "Dataset", seed: int) -> dict[str, Any]:
        """Train on a dataset and measure on all evaluation rows."""
        if len(set(dataset.with_format(None)[self.label][:])) < 2:
            cost = {"rows": len(dataset), "seconds": 0.0}
            undefined = {
                name: dict.fromkeys(rows.measures, nan) for name, rows in self.evaluations.items()
            }
            return {"cost": cost, **undefined}
        start = time.perf_counter()
        predict = self.trainer(dataset.shuffle(seed=seed), seed)
        cost = {"rows": len(dataset), "seconds": time.perf_counter() - start}
        measured = {name: rows.measure(predict) for name, rows in self.evaluations.items()}
        return {"cost": cost, **measured}


def mean_and_deviation(
    measured: Sequence[Mapping[str, float]],
) -> tuple[dict[str, float], dict[str, float]]:
    """Return the means and the standard deviations (ddof=1) over seeds.

    Example:
        >>> mean_and_deviation([{"auc": 0.5}, {"auc": 0.7}])
        ({'auc': 0.6}, {'auc': 0.14142135623730948})
    """
    values = {name: np.array([each[name] for each in measured]) for name in measured[0]}
    mean = {name: float(numbers.mean()) for name, numbers in values.items()}
    if len(measured) < 2:
        return mean, dict.fromkeys(mean, float("nan"))
    return mean, {name: float(numbers.std(ddof=1)) for name, numbers in values.items()}


SPLITS = ("train", "validation", "test")


@dataclass(frozen=True)
class DietResult:
    """What `healthy_diet` found.

    Attributes:
        dataset: The training rows of the chosen cell, drawn with the first seed; None if no
            cell of any ranking qualifies.
        ranking: The ranking of the chosen cell; empty if there is none.
        chosen: The row of the chosen cell, with `a` and `b`; None if there is none.
        searches: Ranking to its search.
        results: The baselines, then the chosen cell of each ranking that has one.
        scored: The training rows in pairs, with their scores.
        taken_over: The columns of scores that the training rows had already.
    """

    dataset: "Dataset | None"
    ranking: str
    chosen: Mapping[str, Any] | None
    searches: Mapping[str, TradeOff]
    results: Sequence[Result]
    scored: "Dataset"
    optimise: str
    taken_over: tuple[str, ...] = ()


def healthy_diet(
    splits: "Mapping[str, Dataset]",
    config: DietConfig,
    *,
    work: str | Path,
    trainer: Trainer | None = None,
    templates: "Mapping[str, Dataset] | None" = None,
    probe: ProbeTrainer | None = None,
    pool: "Dataset | None" = None,
) -> DietResult:
    """Search for the shares of factual rows and counterfactuals that train a fairer classifier.

    The training rows are paired with their counterfactuals and scored by probes; scores that the
    training rows have already, in the columns that the techniques and `fair-datasets score` write
    (`gender_equity`, `el2n`, `grand`, `forgetting`), are taken over. For each ranking
    the grid of shares is searched, and each cell measured on the validation rows; of the chosen
    cells the fairest wins, by the same measure (`DietConfig.optimise`). The test rows and the
    templates are measured too and never chosen by. `fair_datasets.selection.diet.report.verdict`
    says in words whether plain CDA would have been better.

    Args:
        splits: `train`, `validation` and `test`, with the text columns and the label.
        work: The folder of the probes and of the finished trials, from which an interrupted search
            goes on.
        trainer: Trains the classifiers that are compared; None for logistic regression. A finished
            trial is found again by the trainer's `repr`: give one of your own a `__repr__` that
            tells its settings, as that of a plain function is another in each process.
        templates: Name to rows made from templates, with `text`, `group` and `label`; they need
            one text column.
        probe: How the probes are trained; None for logistic regression.
        pool: Other labelled rows, from which `balancing` (Dixon et al., 2018) adds negatives; None
            to leave that baseline out.

    Raises:
        InputError: A split, a column or a value is missing, a column would be overwritten, a score
            that is taken over is missing in a row or is no number, a label
            is neither 0 nor 1, a split has rows of one class only, the swap changes none of the
            training or of the validation rows, or none of these can be compared by attribute though
            that is what is optimised.

    Example:
        >>> import tempfile
        >>> from datasets import Dataset
        >>> rows = Dataset.from_dict({
        ...     "text": ["He is kind.", "She is rude.", "A kind man.", "A rude woman."] * 8,
        ...     "label": [0, 1, 0, 1] * 8})
        >>> config = DietConfig(columns="text", a_values=(0.5,), b_values=(0.0, 0.5), seeds=1,
        ...                     max_auc_drop=100)
        >>> with tempfile.TemporaryDirectory() as work:
        ...     found = healthy_diet(dict.fromkeys(["train", "validation", "test"], rows), config,
        ...                          work=Path(work))
        >>> [result.name for result in found.results]
        ['vanilla', 'CDA', 'CDS', 'blindness', 'healthy_random']

    Source:
        Zayed et al. (2023), "Deep Learning on a Healthy Data Diet".
    """
    work = Path(work)
    _check_splits(splits, config)
    _check_free(splits["train"], config)
    if pool is not None:
        with error_context(f"{caller_name()}, pool"):
            pool = one_dataset(pool)
            check_labelled(
                pool, tuple(config.columns), config.label, roles=tuple(config.roles), both=False
            )
    probe = probe or ProbeTrainer(
        columns=tuple(config.columns), roles=tuple(config.roles), label=config.label
    )
    taken_over = ready_scores(splits["train"], config)
    pairs = {name: paired(splits[name], config, name) for name in SPLITS}
    compared = {name: Pairs.read(pairs[name], config, pairs["train"]) for name in SPLITS[1:]}
    _check_comparable(pairs, compared["validation"], config)
    evaluations: dict[str, Evaluation] = {**compared}
    evaluations |= {name: Templates.read(rows) for name, rows in (templates or {}).items()}
    trainer = trainer or probe
    scored = scored_rows(pairs["train"], config, probe, work / "probes")
    settings = _settings(config, trainer, probe, {**pairs, **(templates or {}), "pool": pool})
    records = Records(work / "trials.jsonl", settings)
    report = Trials(
        "report", trainer, evaluations, config.training_seeds, label=config.label, records=records
    )
    # A search sees nothing but the validation rows.
    search = replace(report, name="search", evaluations={"validation": evaluations["validation"]})
    results = [
        report.run(name, make) for name, make in baselines(pairs["train"], config, pool).items()
    ]
    searches = {
        ranking: _search(search, scored, config, ranking, results[0]) for ranking in config.rankings
    }
    for ranking, trade_off in searches.items():
        if trade_off.chosen:
            results.append(_cell(report, scored, config, ranking, trade_off.chosen))
    result = _result(scored, config, searches, results)
    return replace(result, taken_over=tuple(map(config.score_column, taken_over)))


def _search(
    trials: Trials, scored: "Dataset", config: DietConfig, ranking: str, vanilla: Result
) -> TradeOff:
    """Search the grid of one ranking on the validation rows."""

    def evaluate(a: float, b: float) -> dict[str, float]:
        result = _cell(trials, scored, config, ranking, {"a": a, "b": b})
        return {**result.mean["validation"], "rows": result.rows}

    return grid_search(
        evaluate,
        vanilla.mean["validation"],
        a_values=config.a_values,  # type: ignore[arg-type]
        b_values=config.b_values,  # type: ignore[arg-type]
        max_auc_drop=config.max_auc_drop,
        optimise=config.optimise,
    )


def _cell(
    trials: Trials, scored: "Dataset", config: DietConfig, ranking: str, cell: Mapping[str, Any]
) -> Result:
    """Measure one cell of the grid."""
    a, b = cell["a"], cell["b"]
    make = partial(selected, scored, config, ranking, a, b)
    result = trials.run(f"{ranking}, a={a}, b={b}", make, kind=ranking)
    return replace(result, name=ranking)


def _result(
    scored: "Dataset",
    config: DietConfig,
    searches: Mapping[str, TradeOff],
    results: Sequence[Result],
) -> DietResult:
    """Choose among the chosen cells of the rankings, as among the cells of one."""
    qualified = {ranking: search.chosen for ranking, search in searches.items() if search.chosen}
    if not qualified:
        return DietResult(None, "", None, searches, results, scored, config.optimise)
    best = max(qualified, key=lambda ranking: preference(qualified[ranking], config.optimise))
    cell = qualified[best]
    rows = selected(scored, config, best, cell["a"], cell["b"], config.seed)
    return DietResult(rows, best, cell, searches, results, scored, config.optimise)


def _check_splits(splits: "Mapping[str, Dataset]", config: DietConfig) -> None:
    if not isinstance(splits, Mapping):
        raise invalid(
            f"splits must be a DatasetDict or another mapping with "
            f"{', '.join(map(repr, SPLITS))}, but it is "
            f"{with_article(type(splits).__name__)}; divide one dataset by train_test_split."
        )
    for name in SPLITS:
        if name not in splits:
            raise invalid(f"there is no split {name!r}; give {', '.join(map(repr, SPLITS))}.")
        with error_context(f"{caller_name()}, split {name}"):
            rows = one_dataset(splits[name])
            check_labelled(rows, tuple(config.columns), config.label, roles=tuple(config.roles))


def _check_free(train: "Dataset", config: DietConfig) -> None:
    """Raise if a column that will be added is there, as in what another diet wrote."""
    with error_context(f"{caller_name()}, split train"):
        column_checks.free([COUNTERFACTUAL], train.column_names)


def _check_comparable(
    pairs: "Mapping[str, Dataset]", validation: Pairs, config: DietConfig
) -> None:
    """Raise unless there are counterfactuals to choose among and to choose by."""
    columns = tuple(config.columns)
    for name, split in (("train", "training"), ("validation", "validation")):
        refuse_unchanged(pairs[name], columns, config.axis, split=split)
    is_compared = any(map(len, validation.versions.values()))
    if config.optimise == "demographic_parity_by_attribute" and not is_compared:
        raise invalid(
            f"none of the {len(validation.labels)} validation rows mentions one "
            f"attribute of the axis {config.axis!r} alone that can be rewritten to all others, so "
            "the attributes cannot be compared; optimise 'flip_rate'."
        )
    if config.optimise == "flip_rate_excess" and validation.placebos is None:
        raise invalid(
            f"none of the {len(validation.labels)} validation rows has placebos, "
            "because the training rows have too few words like those that the swap changes; "
            "optimise 'flip_rate'."
        )


def _settings(
    config: DietConfig,
    trainer: Trainer,
    probe: ProbeTrainer,
    datasets: "Mapping[str, Dataset | None]",
) -> dict[str, Any]:
    """Return what a finished trial depends on, beside its name; the grid is in the names."""
    settings = config.settings()
    for name in ("a_values", "b_values", "rankings", "max_auc_drop", "optimise", "seeds"):
        del settings[name]
    how = asdict(trainer) if isinstance(trainer, ProbeTrainer) else repr(trainer)
    digest = hashlib.sha256()
    for name, rows in datasets.items():
        read = {} if rows is None else _read_columns(rows, config)
        digest.update(json.dumps([name, read], ensure_ascii=False).encode("utf-8", "replace"))
    record = {**settings, "trainer": how, "probe": asdict(probe), "data": digest.hexdigest(),
             "measures": PAIR_MEASURES}  # fmt: skip
    return dict(json.loads(json.dumps(record)))


def _read_columns(rows: "Dataset", config: DietConfig) -> dict[str, Any]:
    """Return the columns that a trial reads: texts, labels, groups, and scores that are ready."""
    read = [config.label, "text", "label", "group", *map(config.score_column, config.scores)]
    for name in config.columns:
        if not is_there(name, rows.column_names):
            continue  # Templates have the texts of their own.
        column = text_field(name, rows.column_names).column
        read += [column, counterfactual_column(column)]
    plain = rows.with_format(None)
    return {name: plain[name][:] for name in dict.fromkeys(read) if name in rows.column_names}


_GROUP = "group"


def baselines(
    train: "Dataset", config: DietConfig, pool: "Dataset | None" = None
) -> "dict[str, Callable[[int], Dataset]]":
    """Return the methods that need no score.

    Args:
        pool: Other rows, with the text columns and the label; None for no balancing.

    Returns:
        The name of each to a function from a seed to the rows to train on: `vanilla` (the factual
        rows), `CDA` (2N rows: each and its counterfactual, as in the paper also where the two are
        equal), `CDS` (each row or its counterfactual, by a fair coin), `blindness` (the words of
        the axis are removed) and, with a pool, `balancing` (negatives that mention an attribute
        are added).
    """
    held = field_columns(config.columns, train.column_names)
    factual = train.remove_columns(list(map(counterfactual_column, held)))

    def substituted(seed: int) -> "Dataset":
        swap = CounterfactualSwap(**config.reading, mode="substitute", seed=seed)
        return swap.apply(factual, desc="Substituting")

    def blind(seed: int) -> "Dataset":
        blindness = Blindness(**config.reading)
        return blindness.apply(factual, desc="Removing terms")

    methods: dict[str, Callable[[int], Dataset]] = {
        "vanilla": lambda seed: factual,
        "CDA": partial(_both, train, config),
        "CDS": substituted,
        "blindness": blind,
    }
    if pool is not None:
        methods["balancing"] = partial(_balanced, factual, pool, config)
    return methods


def selected(
    scored: "Dataset", config: DietConfig, ranking: str, a: float, b: float, seed: int
) -> "Dataset":
    """Select rows by a ranking; see `fair_datasets.selection.rankings`."""
    return select(scored, a, b, columns=config.columns, ranking=ranking, seed=seed,
                  score_columns={"equity": config.equity_column})  # fmt: skip


def _balanced(factual: "Dataset", pool: "Dataset", config: DietConfig, seed: int) -> "Dataset":
    """Add negatives from a pool to the groups that have more positives than the whole."""
    mentioned = MentionedAttribute(**config.reading)
    selected = [
        *field_columns(config.columns, factual.column_names),
        config.label,
    ]
    rows, others = (mentioned.apply(each.select_columns(selected)) for each in (factual, pool))
    balanced = balance_groups(
        rows, others, group_column=_GROUP, label_column=config.label, seed=seed
    )
    return balanced.dataset.remove_columns(_GROUP)


def _both(train: "Dataset", config: DietConfig, seed: int) -> "Dataset":
    """Return all factual rows and all counterfactuals."""
    return selected(train, config, "random", 1, 1, seed)
