"""Training on a selection once per seed and measuring, each time written down when it is done."""

import json
import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fair_datasets.checks import InputError
from fair_datasets.diet.measurement import MEASURES, Evaluation, mean_and_deviation
from fair_datasets.selection.trainers import Trainer

if TYPE_CHECKING:
    from datasets import Dataset


class Records:
    """Finished trials, in a file of JSON lines that is never half-written.

    A trial is found again if it has the same name and everything else it depends on is the same.
    """

    def __init__(self, path: Path | None, settings: Mapping[str, Any]) -> None:
        """Read the file, if there is one.

        Args:
            path: The file; None to keep nothing.
            settings: What all trials depend on, as JSON data.

        Raises:
            InputError: The file holds something else.
        """
        self._path = path
        self._settings = json.loads(json.dumps(settings))
        self._lines = path.read_text("utf-8").splitlines() if path and path.exists() else []
        self._found: dict[str, Any] = {}
        for number, line in enumerate(self._lines, start=1):
            try:
                record = json.loads(line)
                if record["settings"] == self._settings:
                    self._found[record["trial"]] = record["measured"]
            except (ValueError, KeyError, TypeError) as error:
                raise InputError(
                    f"{path}, line {number} is no finished trial; remove the line, or name another "
                    "work folder."
                ) from error

    def get(self, trial: str) -> Any:
        """Return what was measured in a trial; None if it is not done.

        Args:
            trial: Its name.

        Returns:
            The record.
        """
        return self._found.get(trial)

    def add(self, trial: str, measured: Any) -> None:
        """Write down what was measured; an interrupt leaves the old file or the new one.

        Args:
            trial: The trial's name.
            measured: JSON data.
        """
        self._found[trial] = measured
        if self._path is None:
            return
        record = {"trial": trial, "measured": measured, "settings": self._settings}
        self._lines.append(json.dumps(record))
        self._path.parent.mkdir(parents=True, exist_ok=True)
        partial = self._path.with_name(self._path.name + ".part")
        partial.write_text("\n".join(self._lines) + "\n", "utf-8")
        os.replace(partial, self._path)


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
            name: Its name, which names its record.
            make: Seed to the rows to train on.
            kind: What the method is, for pictures.

        Returns:
            The means and deviations over the seeds.
        """
        done = []
        for seed in self.seeds:
            trial = f"{self.name}: {name}, seed {seed}"
            measured = self.records.get(trial)
            if measured is None:
                measured = self._measure(make(seed), seed)
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
            undefined = dict.fromkeys(MEASURES, float("nan"))
            cost = {"rows": len(dataset), "seconds": 0.0}
            return {"cost": cost, **dict.fromkeys(self.evaluations, undefined)}
        start = time.perf_counter()
        predict = self.trainer(dataset.shuffle(seed=seed), seed)
        cost = {"rows": len(dataset), "seconds": time.perf_counter() - start}
        measured = {name: rows.measure(predict) for name, rows in self.evaluations.items()}
        return {"cost": cost, **measured}
