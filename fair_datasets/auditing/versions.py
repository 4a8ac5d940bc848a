"""What a classifier makes of the same rows, written for each attribute of an axis."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fair_datasets.auditing.association import adjusted_p_values
from fair_datasets.auditing.classifiers import Places
from fair_datasets.auditing.findings import Figure, Finding
from fair_datasets.auditing.intervals import versions_difference
from fair_datasets.auditing.parity import (
    ACCURACY,
    FALSE_POSITIVES,
    OPPORTUNITY,
    SELECTION,
    Compared,
    Rate,
    odds_of,
    rates_of,
    share,
    shared_by,
)
from fair_datasets.auditing.wording import (
    about,
    counted,
    few_rows,
    percent,
    points,
    quoted,
    severity_of,
)

HIGH, MEDIUM = 0.05, 0.01
"""Of a difference between versions of the same rows, at the end that is near to none."""
_LEVEL = 0.05
_HEADLINES = {
    SELECTION: "The same rows are predicted {label} in",
    OPPORTUNITY: "Rows that are {label} are recognized in",
    FALSE_POSITIVES: "Rows that are not {label} are predicted to be in",
    ACCURACY: "Predictions are right in",
}
"""How a headline begins about rows as they are written for each attribute."""
_STARTS = {
    SELECTION: "The same rows, written for each attribute of {axis}, are predicted {label} in",
    OPPORTUNITY: "Of rows that have the label {label}, written for each attribute of {axis}, it is "
    "predicted in",
    FALSE_POSITIVES: "Of rows that have another label than {label}, written for each attribute of "
    "{axis}, it is predicted in",
    ACCURACY: "Of rows that are written for each attribute of {axis}, the prediction is the label "
    "in",
}


class Versions(NamedTuple):
    """Predictions for versions of rows.

    Attributes:
        name: The axis.
        groups: Its attributes, of which there is a version each. Length A.
        predictions: The class of each version of each row. Shape (N, A).
        references: The label of each row, -1 where it has none; None without labels. Shape (N,).
        classes: The names of the classes.
        caution: What the classifier's answers do not show.
        keys: A hash of the texts of each row, as it is. Shape (N,).
    """

    name: str
    groups: Sequence[str]
    predictions: Places
    references: Places | None
    classes: Sequence[str]
    caution: str
    keys: NDArray[np.uint64]

    def compared(self, targets: Sequence[int]) -> tuple[list[Figure], list[Finding]]:
        """Compare the versions, for one class after the other against the rest.

        Args:
            targets: The classes.

        Returns:
            The rates and the differences; a finding for each difference of weight, and one for the
            others together.
        """
        found = [each for target in targets for each in self._compared(target)]
        if self.references is not None:
            known = self.references >= 0
            is_right = self.predictions[known] == self.references[known, None]
            found.append(self._compare(ACCURACY, "", is_right))
        p_values = adjusted_p_values([each.figure.p_value for each in found])
        found = [
            each._replace(figure=replace(each.figure, p_value=p_value))
            for each, p_value in zip(found, p_values, strict=True)
        ]
        sure = [each for each in found if each.figure.p_value < _LEVEL]
        alike = [each.figure for each in found if each.figure.p_value >= _LEVEL]
        findings = [self._finding(each) for each in sorted(sure, key=lambda one: -one.figure.low)]
        figures = [*rates_of(found), *(each.figure for each in found), *odds_of(found)]
        return figures, [*findings, *self._alike(alike)]

    def _compared(self, target: int) -> Iterator[Compared]:
        """Compare the versions by each rate."""
        references = None if self.references is None else self.references[:, None]
        rates = (SELECTION, OPPORTUNITY, FALSE_POSITIVES)
        for rate in rates[:1] if references is None else rates:
            counted, among = shared_by(rate, target, self.predictions, references)
            yield self._compare(rate, self.classes[target], counted[among[:, 0]])

    def _compare(self, rate: Rate, label: str, counted: NDArray[np.bool_]) -> Compared:
        """Compare the versions of some rows by the share that is counted."""
        total = len(counted)
        counts = zip(self.groups, counted.sum(axis=0).tolist(), strict=True)
        versions = tuple(
            share(rate.name, count, total, axis=self.name, attribute=name, label=label)
            for name, count in counts
            if total
        )
        figure = Figure(
            measure=rate.difference, **versions_difference(counted)._asdict(), rows=total,
            axis=self.name, label=label,
        )  # fmt: skip
        return Compared(rate, figure, versions, (), versions_difference(counted, comparisons=2))

    def _finding(self, compared: Compared) -> Finding:
        """Tell a difference by the two versions that lie apart most."""
        figure, versions = compared.figure, compared.groups
        most, least = (pick(versions, key=lambda each: each.value) for pick in (max, min))
        start = _STARTS[compared.rate].format(axis=self.name, label=quoted(figure.label))
        return Finding(
            severity=severity_of(figure.low, HIGH, MEDIUM),
            sentence=f"{start} {percent(most.value)} as {most.attribute} and in "
            f"{percent(least.value)} as {least.attribute} ({counted(figure.rows, 'row')}): a "
            f"difference of {points(figure)}.",
            figures=(figure,),
            caution=f"{few_rows(figure)}{self._caution}",
            headline=f"{_HEADLINES[compared.rate].format(label=quoted(figure.label))} "
            f"{about(most.value)} when written as {most.attribute}, and in {about(least.value)} as "
            f"{least.attribute}.",
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
            f"each attribute of {self.name}, no difference is beyond chance; the intervals "
            f"reach up to {100 * widest:.1f} points.",
            figures=tuple(figures),
            caution=f"{few_rows(fewest)}{self._caution}",
        )

    @property
    def _caution(self) -> str:
        """What a difference between versions of rows does not show."""
        return (
            "Compared are rows that speak of one attribute alone; their labels are taken to hold "
            f"for each version. {self.caution}"
        )
