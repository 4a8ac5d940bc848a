"""What a classifier makes of the same rows, written for each attribute of an axis."""

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fair_datasets.auditing.classifiers import Places
from fair_datasets.auditing.findings import Figure, Finding
from fair_datasets.auditing.intervals import versions_difference, wilson
from fair_datasets.auditing.wording import (
    counted,
    few_rows,
    percent,
    quoted,
    severity_of,
    shared,
)
from fair_datasets.measures.rate_parity import Criterion

HIGH, MEDIUM = 0.05, 0.01
"""Of a difference between versions of the same rows, at the end that is near to none."""
_CRITERIA = {
    "demographic_parity_difference": Criterion(("selection_rate",)),
    "equal_opportunity_difference": Criterion(("true_positive_rate",)),
    # The worse of the two rates, as fairlearn has it: a mean would hide half of a harm.
    "equalized_odds_difference": Criterion(
        ("true_positive_rate", "false_positive_rate"), "worst_case"
    ),
}
_STARTS = {
    "demographic_parity_difference": "The same rows, written for each attribute of {axis}, are "
    "predicted {label} in",
    "equal_opportunity_difference": "Of rows that have the label {label}, written for each "
    "attribute of {axis}, it is predicted in",
    "equalized_odds_difference": "Of rows that have another label than {label}, written for each "
    "attribute of {axis}, it is predicted in",
}


class Versions(NamedTuple):
    """Predictions for versions of rows.

    Attributes:
        axis: The axis.
        attributes: Its attributes, of which there is a version each. Length A.
        predictions: The class of each version of each row. Shape (N, A).
        references: The label of each row, -1 where it has none; None without labels. Shape (N,).
        classes: The names of the classes.
        caution: What the classifier's answers do not show.
    """

    axis: str
    attributes: Sequence[str]
    predictions: Places
    references: Places | None
    classes: Sequence[str]
    caution: str

    def compared(self, targets: Sequence[int], seed: int) -> tuple[list[Figure], list[Finding]]:
        """Compare the versions, for one class after the other against the rest.

        Args:
            targets: The classes.
            seed: The seed of the bootstrap.

        Returns:
            The rates and the differences; a finding for each difference of weight, and one for the
            others together.
        """
        figures: list[Figure] = []
        findings: list[Finding] = []
        alike: list[Figure] = []
        for target in targets:
            figures += self._rates(target)
            for measure in _CRITERIA:
                found, told_by = self._difference(target, measure, seed)
                if found is None:
                    continue
                figures.append(found)
                severity = severity_of(found.low, HIGH, MEDIUM)
                # Where the true positive rates differ more, equal opportunity has told so.
                rates = told_by.mean(axis=0) if len(told_by) else np.zeros(1)
                is_told = measure == "equalized_odds_difference" and np.ptp(rates) < found.value
                if severity == "low" and not math.isnan(found.high):
                    alike.append(found)
                elif severity != "low" and not is_told:
                    findings.append(self._finding(found, rates, len(told_by)))
        return figures, [*findings, *self._alike(alike)]

    def _rates(self, target: int) -> Iterator[Figure]:
        """Give how often the versions of each attribute are predicted to have a label."""
        total = len(self.predictions)
        counts = (self.predictions == target).sum(axis=0).tolist()
        for name, count in zip(self.attributes, counts, strict=True):
            low, high = wilson(count, total)
            yield Figure(
                measure="selection_rate", value=count / total, rows=total, low=low, high=high,
                axis=self.axis, attribute=name, label=self.classes[target],
            )  # fmt: skip

    def _difference(
        self, target: int, measure: str, seed: int
    ) -> tuple[Figure | None, NDArray[np.bool_]]:
        """Give the difference between the versions, and the predictions that it is told by."""
        predicted, references = self.predictions == target, None
        told_by = predicted
        if measure != "demographic_parity_difference":
            if self.references is None:
                return None, predicted
            known = self.references >= 0
            predicted, references = predicted[known], self.references[known] == target
            is_opportunity = measure == "equal_opportunity_difference"
            told_by = predicted[references if is_opportunity else ~references]
        value, low, high = versions_difference(predicted, references, _CRITERIA[measure], seed=seed)
        rows = len(told_by) if measure == "equal_opportunity_difference" else len(predicted)
        figure = Figure(
            measure=measure, value=value, rows=rows, low=low, high=high, axis=self.axis,
            label=self.classes[target],
        )  # fmt: skip
        return figure, told_by

    def _finding(self, figure: Figure, rates: NDArray[np.float64], rows: int) -> Finding:
        """Tell a difference."""
        most, least = int(rates.argmax()), int(rates.argmin())
        start = _STARTS[figure.measure].format(axis=self.axis, label=quoted(figure.label))
        return Finding(
            severity=severity_of(figure.low, HIGH, MEDIUM),
            sentence=f"{start} {percent(float(rates[most]))} as {self.attributes[most]} and in "
            f"{percent(float(rates[least]))} as {self.attributes[least]} "
            f"({counted(rows, 'row')}): a difference of {shared(figure)}.",
            figures=(figure,),
            caution=f"{few_rows(figure)}{self._caution}",
        )

    def _alike(self, figures: Sequence[Figure]) -> Iterator[Finding]:
        """Say of the other comparisons how far the versions may lie apart at most."""
        if not figures:
            return
        widest = max(figure.high for figure in figures)
        fewest = min(figures, key=lambda figure: figure.rows)
        yield Finding(
            severity="low",
            sentence=f"In {counted(len(figures), 'more comparison')} of the same rows, written for "
            f"each attribute of {self.axis}, the predictions do not surely differ; the intervals "
            f"reach up to {percent(widest)}.",
            figures=tuple(figures),
            caution=f"{few_rows(fewest)}{self._caution}",
        )

    @property
    def _caution(self) -> str:
        """What a difference between versions of rows does not show."""
        return (
            "Compared are rows that speak of one attribute alone; their labels are taken to hold "
            "for each version. A difference cannot be below 0, so that its interval does not reach "
            f"it by chance. {self.caution}"
        )
