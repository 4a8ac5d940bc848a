"""What a classifier makes of the same rows, written for each attribute of an axis."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fair_datasets.auditing.classifiers import Places
from fair_datasets.auditing.findings import Figure
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

HIGH, MEDIUM = 0.05, 0.01
"""Of a difference between versions of the same rows, at the end that is near to none."""


class Versions(NamedTuple):
    """Predictions for versions of rows.

    Attributes:
        name: The axis.
        groups: Its attributes, of which there is a version each. Length A.
        predictions: The class of each version of each row. Shape (N, A).
        references: The label of each row, -1 where it has none; None without labels. Shape (N,).
        classes: The names of the classes.
        keys: A hash of the texts of each row, as it is. Shape (N,).
    """

    name: str
    groups: Sequence[str]
    predictions: Places
    references: Places | None
    classes: Sequence[str]
    keys: NDArray[np.uint64]

    def compared(self, targets: Sequence[int]) -> list[Figure]:
        """Compare the versions, for one class after the other against the rest.

        Returns:
            The rates and the differences. There is no test: over rows, any trained classifier
            would differ; see `fair_datasets.auditing.controls`.
        """
        found = [each for target in targets for each in self._compared(target)]
        if self.references is not None:
            known = self.references >= 0
            is_right = self.predictions[known] == self.references[known, None]
            found.append(self._compare(ACCURACY, "", is_right))
        return [*rates_of(found), *(each.figure for each in found), *odds_of(found)]

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
