"""The search for the best trade-off of fairness and performance over shares a and b."""

import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from numbers import Integral, Real
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from fair_datasets import checks
from fair_datasets.checks import InputError

if TYPE_CHECKING:
    from datasets import Dataset

Metrics = Mapping[str, float]
Point = TypeVar("Point", bound=Mapping[str, Any])
_OWNER = "grid_search"
_JUDGED = ("auc", "demographic_parity")


@dataclass(frozen=True, kw_only=True)
class TradeOff:
    """What `grid_search` returns.

    Attributes:
        table: One row per cell: `a`, `b`, the metrics that were measured, `auc_change` and
            `demographic_parity_change` (per cent of the baseline, not rounded; negative is worse)
            and `qualifies`: whether the AUC falls no more than it may.
        chosen: The row of the chosen cell; None if no cell qualifies.
        reason: Why no cell is chosen; empty if one is.
    """

    table: tuple[Mapping[str, Any], ...]
    chosen: Mapping[str, Any] | None
    reason: str = ""

    def to_dataset(self) -> "Dataset":
        """Return the table as a dataset.

        Returns:
            One row per cell.
        """
        from datasets import Dataset

        return Dataset.from_list([dict(row) for row in self.table])


def grid_search(
    evaluate: Callable[[float, float], Metrics],
    baseline: Metrics,
    *,
    a_values: Sequence[float] = (0.3, 0.4, 0.5),
    b_values: Sequence[float] = (0, 0.1, 0.2, 0.3, 0.4, 0.5),
    max_auc_drop: float = 3.0,
    done: str | Path | None = None,
    settings: Mapping[str, Any] | None = None,
) -> TradeOff:
    """Find the cell with the largest gain in demographic parity whose AUC hardly falls.

    Among the cells whose AUC is at most `max_auc_drop` per cent below the baseline's, the one with
    the highest demographic parity is chosen; of equal ones that with the higher AUC, then that with
    fewer rows, then the first. The gain of the chosen cell can be negative: look at the row. Choose
    on validation rows, and report on others.

    Args:
        evaluate: Trains on the selection with shares (a, b) and measures the model on validation
            rows; returns at least `auc`, `demographic_parity` (the score: higher is fairer) and
            `rows` (the number of training rows). For a trainer see `trainers.Trainer`.
        baseline: The same metrics of the model without any selection; `rows` may be left out.
        a_values: The shares of factual rows.
        b_values: The shares of counterfactuals. The cell with a = b = 0 is left out.
        max_auc_drop: How much the AUC may fall, in per cent of the baseline's.
        done: A JSON-lines file: each finished cell is added to it, and is not evaluated again if it
            is there with equal settings. Searches that run one
            after another can share it.
        settings: What else the metrics depend on (ranking, model, seeds), as JSON data.

    Returns:
        The table and the chosen cell.

    Raises:
        InputError: A metric is missing or no number, the baseline is not positive, there is no
            cell, or the file holds something else.

    Example:
        >>> def evaluate(a, b):
        ...     return {"auc": 0.9 - 0.1 * b, "demographic_parity": 0.8 + 0.2 * b, "rows": 10 * a}
        >>> found = grid_search(evaluate, {"auc": 0.9, "demographic_parity": 0.8})
        >>> len(found.table), found.chosen["a"], found.chosen["b"]
        (18, 0.3, 0.2)

    Source:
        Zayed et al. (2023), "Deep Learning on a Healthy Data Diet".
    """
    from datasets.utils import tqdm

    _check_baseline(baseline)
    max_auc_drop = _number(max_auc_drop, "max_auc_drop")
    cells = _cells(a_values, b_values)
    log = _Log(Path(done) if done else None, settings or {})
    table = []
    for a, b in tqdm(cells, desc="Cells", unit="cell"):
        metrics = log.found(a, b)
        if metrics is None:
            metrics = _measured(evaluate(a, b), f"evaluate({a}, {b})")
            log.add(a, b, metrics)
        change = {f"{name}_change": _change(metrics, baseline, name) for name in _JUDGED}
        # Without the allowance, 0.97 would be more than 3 per cent below 1.
        qualifies = bool(change["auc_change"] >= -max_auc_drop - 1e-9)
        table.append({"a": a, "b": b, **metrics, **change, "qualifies": qualifies})
    return _chosen(table, max_auc_drop)


def pareto_frontier(points: Iterable[Point]) -> list[Point]:
    """Return the points that no other point beats in both fairness and performance.

    A point is beaten by one that is at least as good in both and better in one. Points without a
    value (NaN) are left out.

    Args:
        points: Mappings with `auc` and `demographic_parity` (higher is better in both), and
            whatever else describes the point.

    Returns:
        The points on the frontier, from the lowest AUC to the highest.

    Example:
        >>> points = [
        ...     {"name": "fair", "auc": 0.8, "demographic_parity": 0.9},
        ...     {"name": "sharp", "auc": 0.9, "demographic_parity": 0.8},
        ...     {"name": "poor", "auc": 0.8, "demographic_parity": 0.8}]
        >>> [point["name"] for point in pareto_frontier(points)]
        ['fair', 'sharp']
    """
    known = [point for point in points if all(point[name] == point[name] for name in _JUDGED)]

    def beats(one: Point, other: Point) -> bool:
        gains = [one[name] - other[name] for name in _JUDGED]
        return bool(min(gains) >= 0 and max(gains) > 0)

    frontier = [point for point in known if not any(beats(other, point) for other in known)]
    return sorted(frontier, key=lambda point: point["auc"])


def preference(cell: Metrics) -> tuple[float, float, float]:
    """Return what cells are compared by: demographic parity, then the AUC, then fewer rows.

    Means of the same values in another order differ in their last digits; those are taken as equal.

    Args:
        cell: The metrics of a cell.

    Returns:
        A key that is higher for a better cell.

    Example:
        >>> one = {"demographic_parity": 0.1 + 0.2, "auc": 0.8, "rows": 10}
        >>> preference(one) < preference({**one, "demographic_parity": 0.3, "auc": 0.9})
        True
    """
    return round(cell["demographic_parity"], 12), round(cell["auc"], 12), -cell["rows"]


class _Log:
    """The file of finished cells; without a path nothing is kept."""

    def __init__(self, path: Path | None, settings: Mapping[str, Any]) -> None:
        """Read the file, if there is one."""
        self._path = path
        try:
            # As it will be read back: tuples as lists, keys as strings.
            self._settings = json.loads(json.dumps(settings))
        except (TypeError, ValueError) as error:
            raise InputError(f"{_OWNER}: settings must be JSON data: {error}.") from error
        self._lines = path.read_text("utf-8").splitlines() if path and path.exists() else []
        self._cells: dict[tuple[float, float], Metrics] = {}
        for number, line in enumerate(self._lines, start=1):
            try:
                cell = json.loads(line)
                if cell["settings"] == self._settings:
                    self._cells[cell["a"], cell["b"]] = cell["metrics"]
            except (ValueError, KeyError, TypeError) as error:
                raise InputError(
                    f"{_OWNER}: {path}, line {number} is no finished cell; name another file, or "
                    "remove the line."
                ) from error

    def found(self, a: float, b: float) -> Metrics | None:
        """Return the metrics of a cell, if it is finished."""
        return self._cells.get((a, b))

    def add(self, a: float, b: float, metrics: Metrics) -> None:
        """Add a finished cell; an interrupt leaves the old file or the new one."""
        if self._path is None:
            return
        cell = {"settings": self._settings, "a": a, "b": b, "metrics": metrics}
        self._lines.append(json.dumps(cell))
        self._path.parent.mkdir(parents=True, exist_ok=True)
        partial = self._path.with_name(self._path.name + ".part")
        partial.write_text("\n".join(self._lines) + "\n", "utf-8")
        os.replace(partial, self._path)


def _cells(a_values: Sequence[float], b_values: Sequence[float]) -> list[tuple[float, float]]:
    """Return the cells of the grid."""
    for name, values in (("a_values", a_values), ("b_values", b_values)):
        for value in values:
            checks.fraction(value, owner=_OWNER, parameter=f"each of {name}")
    cells = [(float(a), float(b)) for a in a_values for b in b_values if a or b]
    if not cells:
        raise InputError(
            f"{_OWNER}: the grid has no cell; give a_values and b_values, not both 0 alone."
        )
    return cells


def _check_baseline(baseline: Metrics) -> None:
    """Raise unless the baseline's metrics are positive, so that changes have a meaning."""
    for name in _JUDGED:
        value = _measured(baseline, "the baseline", needed=_JUDGED)[name]
        if not (isfinite(value) and value > 0):
            raise InputError(
                f"{_OWNER}: {name!r} of the baseline must be above 0, as changes are in per cent "
                f"of it, but it is {value!r}."
            )


def _measured(
    metrics: Metrics, what: str, needed: Sequence[str] = (*_JUDGED, "rows")
) -> dict[str, float]:
    """Return metrics as plain numbers, or raise."""
    if not isinstance(metrics, Mapping) or not set(needed) <= metrics.keys():
        raise InputError(
            f"{_OWNER}: {what} must be a mapping with {', '.join(map(repr, needed))}, but it is "
            f"{metrics!r}."
        )
    return {name: _number(value, f"{name!r} of {what}") for name, value in metrics.items()}


def _number(value: Any, what: str) -> float:
    """Return a plain number, or raise."""
    if isinstance(value, bool) or not isinstance(value, Real):
        raise InputError(f"{_OWNER}: {what} must be a number, but it is {value!r}.")
    return int(value) if isinstance(value, Integral) else float(value)


def _change(metrics: Metrics, baseline: Metrics, name: str) -> float:
    """Return by how many per cent of the baseline a metric differs from it."""
    return 100 * (metrics[name] - baseline[name]) / float(baseline[name])


def _chosen(table: list[dict[str, Any]], max_auc_drop: float) -> TradeOff:
    """Choose among the cells that qualify; a metric that is undefined (NaN) never does."""
    qualified = [
        row
        for row in table
        if row["qualifies"] and row["demographic_parity"] == row["demographic_parity"]
    ]
    if not qualified:
        changes = [row["auc_change"] for row in table if row["auc_change"] == row["auc_change"]]
        best = f"{max(changes):+.2f} %" if changes else "undefined"
        return TradeOff(
            table=tuple(table),
            chosen=None,
            reason=f"In none of the {len(table)} cells does the AUC fall by at most "
            f"{max_auc_drop:g} % while demographic parity is defined; the smallest change of the "
            f"AUC is {best}.",
        )
    chosen = max(qualified, key=preference)
    return TradeOff(table=tuple(table), chosen=chosen)
