"""Training on a selection once per seed and measuring, each time written down when it is done."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import nan
from typing import TYPE_CHECKING, Any

import numpy as np

from fair_datasets.selection.diet.measurement import Evaluation
from fair_datasets.selection.records import Records
from fair_datasets.selection.trainers import Trainer
from fair_datasets.system import interrupts

if TYPE_CHECKING:
    from datasets import Dataset


@dataclass(frozen=True)
class Result:
    """What trials of one method gave.

    Attributes:
        name: The method.
        rows: How many rows it trained on, the mean over the seeds.
        seconds: How long a training took, the mean over the seeds.
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
        trainer: Trains a classifier from scratch.
        evaluations: Name to the rows on which it is measured.
        seeds: The seed of each training.
        label: The label column. Rows of one class only train nothing: all measures are NaN.
        records: Where finished trials are written down.
    """

    name: str
    trainer: Trainer
    evaluations: Mapping[str, Evaluation]
    seeds: Sequence[int]
    label: str = "label"
    records: Records = field(default_factory=lambda: Records(None, {}))

    def run(self, name: str, make: "Callable[[int], Dataset]", *, kind: str = "baseline") -> Result:
        """Measure a method.

        Args:
            kind: What the method is, for pictures.

        Returns:
            The means and deviations over the seeds.
        """
        done = []
        for seed in self.seeds:
            trial = f"{self.name}: {name}, seed {seed}"
            measured = self.records.get(trial)
            if measured is None:
                dataset = make(seed)
                # An interrupt waits until the trial is written down, and is obeyed then.
                with interrupts.held():
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

    Args:
        measured: The measures of each seed.

    Returns:
        Measure to its mean, and to its deviation; NaN for one seed.

    Example:
        >>> mean_and_deviation([{"auc": 0.5}, {"auc": 0.7}])
        ({'auc': 0.6}, {'auc': 0.14142135623730948})
    """
    values = {name: np.array([each[name] for each in measured]) for name in measured[0]}
    mean = {name: float(found.mean()) for name, found in values.items()}
    if len(measured) < 2:
        return mean, dict.fromkeys(mean, float("nan"))
    return mean, {name: float(found.std(ddof=1)) for name, found in values.items()}
