"""The search for the best trade-off of fairness and performance over shares a and b.

All measures of fairness compare what a classifier says of texts and of the same texts for other
attributes:

- `flip_rate`: the share of changed rows whose prediction changes.
- `flip_rate_excess`: of the changed rows that have placebos, that share less the one whose
  prediction changes when other words and names of their kind are written in the same places; see
  `fair_datasets.measures.flip_rate_control`. At most 0: no more than such words do.
- `demographic_parity_by_attribute`: rows that mention one attribute alone, each written for every
  attribute of the axis; 1 less how far the rates of predictions of 1 lie apart.
- `demographic_parity_changed`: the same between the changed rows as they are and swapped.
- `demographic_parity`: the same over all rows, equation 3 of Zayed et al. (2023), which the paper
  optimises.

Without such rows a measure is undefined (NaN). All are at their fairest for a classifier that says
the same of every text. In the last two, flips in opposite directions cancel, and a search takes the
best of many cells, and so finds those whose flips happen to cancel. In the flip rate nothing does:
that is why it is optimised unless another measure is asked for.
"""

import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite, isnan, nan
from numbers import Integral, Real
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from fair_datasets.system import checks, interrupts
from fair_datasets.system.checks import InputError, invalid, with_article

if TYPE_CHECKING:
    from datasets import Dataset


Metrics = Mapping[str, float]


class Objective(NamedTuple):
    """A measure of fairness.

    Attributes:
        is_score: Whether higher is fairer, with 1 for parity; otherwise 0 is fairest.
        rows: The name of the metric that tells of how many rows it is; empty for all.
    """

    title: str
    label: str
    is_score: bool = True
    rows: str = ""


OBJECTIVES: Mapping[str, Objective] = {
    "flip_rate": Objective(
        "flip rate",
        "flip rate over changed rows (0: none flips)",
        is_score=False,
        rows="changed_rows",
    ),
    "flip_rate_excess": Objective(
        "flip rate excess",
        "flip rate less that of placebos (0: no more than these)",
        is_score=False,
        rows="rows_with_placebos",
    ),
    "demographic_parity_by_attribute": Objective(
        "DP by attribute", "demographic parity by attribute (1 is parity)", rows="rows_by_attribute"
    ),
    "demographic_parity_changed": Objective(
        "DP changed", "demographic parity over changed rows (1 is parity)", rows="changed_rows"
    ),
    "demographic_parity": Objective("DP", "demographic parity over all rows (1 is parity)"),
}
DEFAULT_OBJECTIVE = "flip_rate"


def fairness(metrics: Metrics, optimise: str) -> float:
    """Return a measure so that higher is fairer.

    Returns:
        Its value; the negative one where lower is fairer, down to 0: below it, an excess is none,
        and none of two is fairer.

    Example:
        >>> fairness({"flip_rate": 0.25}, "flip_rate")
        -0.25
        >>> fairness({"flip_rate_excess": -0.1}, "flip_rate_excess")
        0.0
    """
    value = metrics[optimise]
    return value if OBJECTIVES[optimise].is_score else 0.0 - max(value, 0.0)


Point = TypeVar("Point", bound=Mapping[str, Any])


@dataclass(frozen=True, kw_only=True)
class TradeOff:
    """What `grid_search` returns.

    Attributes:
        table: One row per cell: `a`, `b`, the metrics that were measured, `auc_change` and the same
            for each of `OBJECTIVES` that was measured (per cent of the baseline, not rounded; NaN
            where that is 0) and `qualifies`: whether the AUC falls no more than it may.
        chosen: The row of the chosen cell; None if no cell qualifies.
        auc_limit: The lowest AUC with which a cell qualifies.
        reason: Why no cell is chosen; empty if one is.
    """

    table: tuple[Mapping[str, Any], ...]
    chosen: Mapping[str, Any] | None
    optimise: str
    auc_limit: float
    reason: str = ""

    def to_dataset(self) -> "Dataset":
        """Return the table as a dataset."""
        from datasets import Dataset

        return Dataset.from_list([dict(row) for row in self.table])


def grid_search(
    evaluate: Callable[[float, float], Metrics],
    baseline: Metrics,
    *,
    a_values: Sequence[float] = (0.3, 0.4, 0.5),
    b_values: Sequence[float] = (0, 0.1, 0.2, 0.3, 0.4, 0.5),
    max_auc_drop: float = 3.0,
    optimise: str = DEFAULT_OBJECTIVE,
    done: str | Path | None = None,
    settings: Mapping[str, Any] | None = None,
) -> TradeOff:
    """Find the fairest pair of shares (a, b) among those that hardly lower the AUC.

    Among the cells whose AUC is at most `max_auc_drop` per cent below the baseline's, the one with
    the best value of the measure that is optimised is chosen; of equal ones that with the higher
    AUC, then that with fewer rows, then the first. The chosen cell can be less fair than the
    baseline: look at its row. Choose on validation rows, and report on others.

    Args:
        evaluate: Trains on the selection with shares (a, b) and measures the model on validation
            rows; returns at least `auc`, the measure that is optimised and `rows` (the number of
            training rows). What else it returns stands in the table. For a trainer see
            `trainers.Trainer`.
        baseline: The same metrics of the model without any selection; `rows` may be left out.
        b_values: The shares of counterfactuals. The cell with a = b = 0 is left out.
        optimise: The measure of fairness: `flip_rate` (lower is fairer) or one of the scores
            `demographic_parity_by_attribute`, `demographic_parity_changed` and
            `demographic_parity`, the paper's; `fair_datasets.selection.search` says what they
            are and why the flip rate, in which nothing cancels, is the default.
        done: A JSON-lines file: each finished cell is added to it, and is not evaluated again if it
            is there with equal settings. Searches that run one after another can share it.
        settings: What else the metrics depend on (ranking, model, seeds), as JSON data.

    Raises:
        InputError: A metric is missing or no number, the baseline's AUC is not positive, there is
            no such measure or no cell, or the file holds something else.

    Example:
        >>> def evaluate(a, b):
        ...     return {"auc": 0.9 - 0.1 * b, "flip_rate": 0.3 - 0.2 * b, "rows": 10 * a}
        >>> found = grid_search(evaluate, {"auc": 0.9, "flip_rate": 0.3})
        >>> len(found.table), found.chosen["a"], found.chosen["b"]
        (18, 0.3, 0.2)

    Source:
        Zayed et al. (2023), "Deep Learning on a Healthy Data Diet".
    """
    from datasets.utils import tqdm

    checks.one_of(optimise, OBJECTIVES, parameter="optimise")
    _check_kinds(evaluate, done, settings)
    baseline = _checked_baseline(baseline, optimise)
    max_auc_drop = _number(max_auc_drop, "max_auc_drop")
    needed = ("auc", optimise, "rows")
    cells = _cells(a_values, b_values)
    records = Records(None if done is None else Path(done), settings or {}, kind="cell")
    table = []
    for a, b in tqdm(cells, desc="Cells", unit="cell"):
        interrupts.raise_if_interrupted()
        metrics = records.get(f"a={a}, b={b}")
        if metrics is None or not metrics.keys() >= set(needed):
            metrics = _measured(evaluate(a, b), f"evaluate({a}, {b})", needed)
            records.add(f"a={a}, b={b}", metrics)
        change = _changes(metrics, baseline)
        # Without the allowance, 0.97 would be more than 3 per cent below 1.
        qualifies = bool(change["auc_change"] >= -max_auc_drop - 1e-9)
        table.append({"a": a, "b": b, **metrics, **change, "qualifies": qualifies})
    return _chosen(table, baseline["auc"], max_auc_drop, optimise)


def pareto_frontier(points: Iterable[Point], optimise: str = DEFAULT_OBJECTIVE) -> list[Point]:
    """Return the points that no other point beats in both fairness and performance.

    A point is beaten by one that is at least as good in both and better in one. Points without a
    value (NaN) are left out.

    Args:
        points: Mappings with `auc` and the measure of fairness, and whatever else describes the
            point.

    Returns:
        The points on the frontier, from the lowest AUC to the highest.

    Example:
        >>> points = [
        ...     {"name": "fair", "auc": 0.8, "flip_rate": 0.1},
        ...     {"name": "sharp", "auc": 0.9, "flip_rate": 0.2},
        ...     {"name": "poor", "auc": 0.8, "flip_rate": 0.2}]
        >>> [point["name"] for point in pareto_frontier(points)]
        ['fair', 'sharp']
    """
    placed = [(point, (point["auc"], fairness(point, optimise))) for point in points]
    known = [(point, place) for point, place in placed if not any(map(isnan, place))]
    frontier = [
        point for point, place in known if not any(_beats(other, place) for _, other in known)
    ]
    return sorted(frontier, key=lambda point: point["auc"])


def preference(cell: Metrics, optimise: str = DEFAULT_OBJECTIVE) -> tuple[float, float, float]:
    """Return what cells are compared by: fairness, then the AUC, then fewer rows.

    Means of the same values in another order differ in their last digits; those are taken as equal.

    Example:
        >>> one = {"flip_rate": 0.1 + 0.2, "auc": 0.8, "rows": 10}
        >>> preference(one) < preference({**one, "flip_rate": 0.3, "auc": 0.9})
        True
    """
    return round(fairness(cell, optimise), 12), round(cell["auc"], 12), -cell["rows"]


def _check_kinds(evaluate: Any, done: Any, settings: Any) -> None:
    """Raise unless what is called, written to and compared with can be."""
    if not callable(evaluate):
        raise invalid(
            f"evaluate must be a function of a and b that trains and measures, but it is "
            f"a {type(evaluate).__name__}."
        )
    for name, value, kind, what in (
        ("done", done, str | Path, "a path"), ("settings", settings, Mapping, "a mapping"),
    ):  # fmt: skip
        if value is not None and not isinstance(value, kind):
            raise invalid(
                f"{name} must be {what} or None, but it is {with_article(type(value).__name__)}."
            )


def _cells(a_values: Sequence[float], b_values: Sequence[float]) -> list[tuple[float, float]]:
    for name, values in (("a_values", a_values), ("b_values", b_values)):
        if isinstance(values, str) or not isinstance(values, Iterable):
            raise invalid(f"{name} must be a list of shares, but it is {values!r}.")
        for value in values:
            checks.fraction(value, parameter=f"each of {name}")
    cells = [(float(a), float(b)) for a in a_values for b in b_values if a or b]
    if not cells:
        raise invalid("the grid is empty; give a_values and b_values that are not both 0.")
    return cells


def _checked_baseline(baseline: Metrics, optimise: str) -> dict[str, float]:
    """Return the baseline's metrics, or raise unless changes of them have a meaning."""
    metrics = _measured(baseline, "the baseline", ("auc", optimise))
    if not (isfinite(metrics["auc"]) and metrics["auc"] > 0):
        raise invalid(
            f"'auc' of the baseline must be above 0, because changes are percentages of "
            f"it, but it is {metrics['auc']!r}."
        )
    if not isfinite(metrics[optimise]):
        raise invalid(
            f"{optimise!r} of the baseline is {metrics[optimise]!r}, so there is nothing "
            "to compare with; optimise another measure, or measure on rows that the swap changes."
        )
    return metrics


def _measured(metrics: Metrics, what: str, needed: Sequence[str]) -> dict[str, float]:
    """Return metrics as plain numbers, or raise."""
    names = ", ".join(map(repr, needed))
    if not isinstance(metrics, Mapping):
        raise invalid(
            f"{what} must be a mapping with {names}, but it is a {type(metrics).__name__}."
        )
    if not set(needed) <= metrics.keys():
        raise invalid(
            f"{what} must be a mapping with {names}, but it has "
            f"{', '.join(map(repr, metrics)) or 'nothing'}."
        )
    return {name: _number(value, f"{name!r} of {what}") for name, value in metrics.items()}


def _number(value: Any, what: str) -> float:
    if isinstance(value, bool) or not isinstance(value, Real):
        raise invalid(f"{what} must be a number, but it is {value!r}.")
    return int(value) if isinstance(value, Integral) else float(value)


def _changes(metrics: Metrics, baseline: Metrics) -> dict[str, float]:
    """Return by how many per cent of the baseline the AUC and the fairness differ from it."""
    return {
        f"{name}_change": (
            100 * (metrics[name] - baseline[name]) / baseline[name] if baseline[name] > 0 else nan
        )
        for name in ("auc", *OBJECTIVES)
        if name in metrics and name in baseline
    }


def _beats(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    """Whether a place is at least as high in all and higher in one."""
    return one != other and all(ours >= theirs for ours, theirs in zip(one, other, strict=True))


def _chosen(
    table: list[dict[str, Any]], auc: float, max_auc_drop: float, optimise: str
) -> TradeOff:
    """Choose among the cells that qualify; a metric that is undefined (NaN) never does."""
    qualified = [row for row in table if row["qualifies"] and not isnan(row[optimise])]
    chosen = max(qualified, key=lambda row: preference(row, optimise), default=None)
    changes = [row["auc_change"] for row in table if not isnan(row["auc_change"])]
    best = f"{max(changes):+.2f} %" if changes else "undefined"
    reason = (
        f"In none of the {len(table)} cells does the AUC fall by at most {max_auc_drop:g} % while "
        f"{optimise!r} is defined; the smallest change of the AUC is {best}."
    )
    return TradeOff(
        table=tuple(table),
        chosen=chosen,
        optimise=optimise,
        auc_limit=auc * (1 - max_auc_drop / 100),
        reason="" if chosen else reason,
    )


class Records:
    """Finished work in a file of JSON lines that is never half-written.

    A record is found again if it has the same name and everything else it depends on is the same.

    Example:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = Path(folder, "trials.jsonl")
        ...     Records(path, {"seed": 1}).add("CDA", {"auc": 0.9})
        ...     Records(path, {"seed": 1}).get("CDA"), Records(path, {"seed": 2}).get("CDA")
        ({'auc': 0.9}, None)
    """

    def __init__(
        self, path: Path | None, settings: Mapping[str, Any], *, kind: str = "trial"
    ) -> None:
        """Read the file, if there is one.

        Args:
            path: The file; None to keep nothing.
            kind: What a record is of, for errors.

        Raises:
            InputError: The file holds something else, or the settings are no JSON data.
        """
        self._path = path
        try:
            # As it will be read back: tuples as lists, keys as strings.
            self._settings = json.loads(json.dumps(settings))
        except (TypeError, ValueError) as error:
            raise InputError(f"The settings of a {kind} must be JSON data: {error}.") from error
        self._kind = kind
        self._lines = _lines(path, kind) if path and path.exists() else []
        self._measured: dict[str, Any] = {}
        for number, line in enumerate(self._lines, start=1):
            try:
                record = json.loads(line)
                if record["settings"] == self._settings:
                    self._measured[record[kind]] = record["measured"]
            except (ValueError, KeyError, TypeError) as error:
                raise InputError(
                    f"{path}, line {number} is not a finished {kind}; remove the line, or name "
                    "another place."
                ) from error

    def get(self, name: str) -> Any:
        """Return what was measured; None if it is not done."""
        return self._measured.get(name)

    def add(self, name: str, measured: Any) -> None:
        """Write down what was measured; an interrupt leaves the old file or the new one."""
        self._measured[name] = measured
        if self._path is None:
            return
        record = {self._kind: name, "measured": measured, "settings": self._settings}
        self._lines.append(json.dumps(record))
        self._path.parent.mkdir(parents=True, exist_ok=True)
        partial = self._path.with_name(self._path.name + ".part")
        partial.write_text("\n".join(self._lines) + "\n", "utf-8")
        os.replace(partial, self._path)


def _lines(path: Path, kind: str) -> list[str]:
    try:
        return path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            f"{path} is not a file of finished {kind}s ({error}); name another place."
        ) from error
