"""Counterfactual figures of a classifier beside their controls, and what is told of them.

A figure is taken of the two versions of rows, and in the same way of their placebo versions in each
draw. A finding has a colour only where the figure is beyond nearly all draws, of all figures
together, and for a probe beyond those of refits that learn nothing of the attributes as well.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fair_datasets.auditing.classifiers import (
    Classifier,
    Places,
    TextRows,
    linear_logits,
)
from fair_datasets.auditing.findings import (
    LIKELY,
    NEAR,
    Figure,
    Finding,
    Severity,
    severity_of,
)
from fair_datasets.auditing.intervals import versions_difference
from fair_datasets.auditing.paired import HIGH, MEDIUM
from fair_datasets.auditing.parity import (
    ACCURACY,
    FALSE_POSITIVES,
    OPPORTUNITY,
    SELECTION,
    Rate,
    shared_by,
    targets,
)
from fair_datasets.auditing.permutation import chance_of
from fair_datasets.auditing.templates import make_finding, render_text
from fair_datasets.measures.controls import flip_rate_control, max_t
from fair_datasets.swap.placebos import Placebos, RowDivider, placebos_of

FEWEST = 30
"""How many rows a figure has to rest on for a test of it."""
_DRAWS = 99
"""How many draws it takes for a colour: the smallest p is 1 / (draws + 1)."""
ROWS = 500
"""How many rows a model is asked about with placebos: each is asked about 200 times."""
KINDS = {"names": "names only", "words": "words only", "both": "names and words"}
"""Kinds of rows by what a swap changes in them, to what stands in the place of an attribute."""
_RATES = (SELECTION, OPPORTUNITY, FALSE_POSITIVES)
NO_CONTROL = "fewer than 30 of the changed rows have placebos, which need words like their own"

Logits = NDArray[np.float64]


class Measured(NamedTuple):
    """A counterfactual figure beside its placebo draws.

    Attributes:
        kind: What is compared: `flips`, `shift`, or a rate.
        value: What is ranked. A share, or a distance.
        draws: The same in each placebo draw. Shape (K,).
        p_value: Adjusted for all figures together; NaN where there is no test.
        by_refits: Whether it is what refits on permuted attributes give.
    """

    kind: Rate | str
    label: str
    figure: Figure
    value: float
    draws: NDArray[np.float64]
    p_value: float = math.nan
    by_refits: bool = False

    @property
    def control(self) -> float:
        """The mean of the draws."""
        return float(self.draws.mean())


@dataclass(frozen=True, eq=False)
class AxisControl:
    """A classifier's answers to the versions of rows along an axis, and to their placebos.

    Attributes:
        references: The label of each of these rows, -1 where it has none; None without labels.
            Shape (N,).
        families: The family of each row, from 0 on. Shape (N,).
        own: Its scores of their versions. Shape (N, 2, C).
        drawn: Its scores of the placebo versions of those that have them. Shape (M, 2, K, C).
    """

    name: str
    placebos: Placebos
    classifier: Classifier
    references: Places | None
    families: NDArray[np.intp]
    own: Logits
    drawn: Logits
    divider: RowDivider
    pair: str = ""

    @classmethod
    def of(
        cls,
        name: str,
        texts: TextRows,
        references: Places | None,
        families: NDArray[np.intp],
        classifier: Classifier,
        divider: RowDivider,
        draws: int,
        *,
        most: int = ROWS,
        pair: str = "",
    ) -> "AxisControl | None":
        """Ask a classifier about rows; None where the swap changes fewer rows than a test needs."""
        probe = classifier.probe
        swap = divider.swap
        placebos = placebos_of(
            texts, swap, training=None if probe is None else probe.texts, count=draws,
            seed=swap.seed, divider=divider,
        )  # fmt: skip
        if probe is None and len(placebos.rows) > most:
            places = np.random.default_rng(swap.seed).choice(
                len(placebos.rows), most, replace=False
            )
            placebos = replace(placebos, rows=[placebos.rows[place] for place in np.sort(places)])
        if placebos.controlled.sum() < FEWEST:
            return None
        if probe is None:
            own, drawn = placebos.asked(classifier.scores)
            own_rows = placebos.numbers
        else:
            own = np.stack([classifier.scores(each) for each in placebos.versions()], axis=1)
            drawn = probe.spread(linear_logits(placebos, probe.linear))
            own_rows = placebos.numbers
        known = None if references is None else references[own_rows]
        return cls(
            name, placebos, classifier, known, families[own_rows], own, drawn, divider, pair
        )  # fmt: skip

    @cached_property
    def has_placebos(self) -> NDArray[np.bool_]:
        """The rows that have placebos. Shape (N,)."""
        return self.placebos.controlled

    @cached_property
    def one(self) -> NDArray[np.bool_]:
        """Those of the rows with placebos that mention one of two attributes alone. Shape (M,)."""
        if len(self.placebos.attributes) != 2:
            return np.zeros(int(self.has_placebos.sum()), np.bool_)
        return self.placebos.own[self.has_placebos] >= 0

    @cached_property
    def _own(self) -> Logits:
        """The scores of the versions of the rows that have placebos. Shape (M, 2, C)."""
        return self.own[self.has_placebos]

    @cached_property
    def _known(self) -> Places | None:
        """The labels of the rows that have placebos. Shape (M,)."""
        return None if self.references is None else self.references[self.has_placebos]

    @cached_property
    def _families(self) -> NDArray[np.intp]:
        """The families of the rows that have placebos. Shape (M,)."""
        return self.families[self.has_placebos]

    def measured(self) -> list[Measured]:
        """Return every figure with its draws, those that rest on too few rows left out."""
        keys = [key for key, rows in self._rows().items() if rows.sum() >= FEWEST]
        own, drawn = self._figures(keys, self._own), self._figures(keys, self.drawn)
        return [
            Measured(*key, self._figure(key, value, draws), value, draws)
            for key, value, draws in zip(keys, own.tolist(), drawn, strict=True)
        ]  # fmt: skip

    def p_of_probe(self, results: Sequence[Measured]) -> NDArray[np.float64]:
        """Test some figures by refits of a probe on permuted attributes; of a model all are 0.

        Returns:
            Their p-values. Shape (J,).
        """
        probe = self.classifier.probe
        if probe is None or not results:
            return np.zeros(len(results))
        if len(self.placebos.attributes) != 2:
            return np.ones(len(results))
        keys = [(each.kind, each.label) for each in results]
        rows = np.flatnonzero(self.has_placebos).tolist()
        first, second = self.placebos.versions()
        versions = [first[row] for row in rows], [second[row] for row in rows]
        return chance_of(
            probe.texts, probe.labels, versions, self.divider,
            lambda logits: self._figures(keys, probe.spread(logits)), seed=self.divider.swap.seed,
        )  # fmt: skip

    def _rows(self) -> dict[tuple[Any, str], NDArray[np.bool_]]:
        """Return the rows that each figure rests on, among those with placebos. Shapes (M,)."""
        classes, known = self.classifier.classes, self._known
        rows: dict[tuple[Any, str], NDArray[np.bool_]] = {
            ("flips", ""): np.ones_like(self.one)
        }  # fmt: skip
        for target in targets(classes):
            label = classes[target]
            if np.isfinite(self._own[..., target]).all():
                rows["shift", label] = self.one
            for rate in _RATES[:1] if known is None else _RATES:
                rows[rate, label] = self.one & self._counted(rate, target)[1]
        if known is not None:
            rows[ACCURACY, ""] = self.one & (known >= 0)
        return rows

    def _counted(self, rate: Rate, target: int) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Which versions a rate counts, shape (M, 2), and which rows it is of, shape (M,)."""
        known = None if self._known is None else self._known[:, None]
        counted, among = shared_by(rate, target, self._own.argmax(axis=-1), known)
        return counted, among[:, 0]

    def _figures(self, keys: Sequence[tuple[Any, str]], logits: Logits) -> Logits:
        """Take figures of the scores of versions, shape (M, 2, ..., C). Shape (J, ...)."""
        classes, rows = logits.argmax(axis=-1), self._rows()
        figures = []
        for kind, label in keys:
            own = rows[kind, label]
            if kind == "flips":
                figures.append((classes[own, 0] != classes[own, 1]).mean(axis=0))
            elif kind == "shift":
                figures.append(np.abs(self._shift(logits[own], label)))
            else:
                target = self.classifier.classes.index(label) if label else 0
                known = self._known
                shape = (-1,) + (1,) * (classes.ndim - 1)
                counted, _ = shared_by(
                    kind, target, classes, None if known is None else known.reshape(shape)
                )
                rates = counted[own].mean(axis=0)
                figures.append(np.abs(rates[1] - rates[0]))
        return np.array(figures, np.float64)

    def _shift(self, logits: Logits, label: str) -> Logits:
        """Return the mean shift from the first to the second version; log odds of two classes."""
        target = self.classifier.classes.index(label)
        scores = logits[..., target]
        if logits.shape[-1] == 2:
            scores = scores - logits[..., 1 - target]
        shift: Logits = (scores[:, 1] - scores[:, 0]).mean(axis=0)
        return shift

    def _figure(self, key: tuple[Any, str], value: float, draws: NDArray[np.float64]) -> Figure:
        (kind, label), rows = key, self._rows()[key]
        size = int(rows.sum())
        if kind == "flips":
            return self._excess(rows, self.pair)
        if kind == "shift":
            shift = float(self._shift(self._own[rows], label))
            return Figure(measure="score_shift", value=shift, rows=size, axis=self.name,
                          attribute=self.pair, label=label)  # fmt: skip
        target = self.classifier.classes.index(label) if label else 0
        control, counted = float(draws.mean()), self._counted(kind, target)[0][rows]
        own = versions_difference(counted, families=self._families[rows])
        return Figure(
            measure=excess_of(kind), value=value - control, low=max(-1.0, own.low - control),
            high=own.high - control, rows=size, axis=self.name, attribute=self.pair, label=label,
        )  # fmt: skip

    def _excess(self, rows: NDArray[np.bool_], kind: str) -> Figure:
        """Return how much more often some rows flip than under placebos."""
        flips = self._flips(rows)
        return Figure(
            measure="flip_rate_excess", value=flips.flip_rate_excess, low=flips.low,
            high=flips.high, rows=flips.rows, axis=self.name, attribute=kind,
        )  # fmt: skip

    def _flips(self, rows: NDArray[np.bool_]) -> Any:
        """Compare the flips of some rows with those of their placebos."""
        own, drawn = self._own[rows].argmax(axis=-1), self.drawn[rows].argmax(axis=-1)
        return flip_rate_control(
            own[:, 0] != own[:, 1], drawn[:, 0] != drawn[:, 1], families=self._families[rows]
        )

    def figures(self, results: Sequence[Measured]) -> Iterator[Figure]:
        """Give all figures of the axis, with their controls, and the flips by kind of row."""
        for each in results:
            yield replace(each.figure, p_value=each.p_value)
            if each.kind in ("flips", "shift"):
                name = "flip_rate_control" if each.kind == "flips" else "score_shift_control"
                yield Figure(measure=name, value=each.control, rows=each.figure.rows,
                             axis=self.name, attribute=self.pair, label=each.label)  # fmt: skip
        for kind, title in () if self.pair else self._of_kinds():
            flips = self._flips(kind)
            place = {"rows": flips.rows, "axis": self.name, "attribute": title}
            yield Figure(measure="flip_rate", value=flips.flip_rate, **place)
            yield Figure(measure="flip_rate_control", value=flips.flip_rate_control, **place)
            yield self._excess(kind, title)

    def _of_kinds(self) -> Iterator[tuple[NDArray[np.bool_], str]]:
        """Give the rows in which names, words or both are changed, and what these are called."""
        kinds = self.placebos.kinds[self.has_placebos]
        for kind, title in KINDS.items():
            if (kinds == kind).any():
                yield kinds == kind, title

    def findings(self, results: Sequence[Measured]) -> Iterator[Finding]:
        """Report what exceeds the control, the surely largest first; then the others."""
        first = [each for each in results if each.kind in ("flips", "shift")]
        others = [each for each in results if each not in first]
        if len(targets(self.classifier.classes)) > 1:
            others += [each for each in first if each.kind == "shift"]
            first = [each for each in first if each.kind == "flips"]
        first += [each for each in others if self.severity(each) != "low"]
        yield from map(self.finding, first)
        yield from finding_of_rest(
            [(self, each) for each in others if self.severity(each) == "low"]
        )

    def finding(self, result: Measured) -> Finding:
        """Report a figure beside its control."""
        severity, figure = self.severity(result), replace(result.figure, p_value=result.p_value)
        first, second = self.placebos.attributes if len(self.placebos.attributes) == 2 else ("", "")
        code, given = "control_rates", self.caution
        if result.kind == "flips":
            code = "control_flips_of_pair" if self.pair else "control_flips"
            given["kinds"] = [(title, self._flips(rows)) for rows, title in self._of_kinds()]
        elif result.kind == "shift":
            code, given["are_two"] = "control_shift", len(self.classifier.classes) == 2
        elif isinstance(result.kind, Rate):
            given["what"] = render_text("rates", result.kind.difference, label=result.label)
            given["rates"] = self._rates((result.kind, result.label)).tolist()
        return make_finding(
            code, [figure], severity=severity, first=first, second=second, value=result.value,
            control=result.control, likely=LIKELY, near=NEAR[1], by_refits=result.by_refits,
            draws=self.placebos.draws, **given,
        )  # fmt: skip

    @property
    def caution(self) -> dict[str, Any]:
        """What is told of what the figures do not show."""
        return {
            "without": int((~self.has_placebos).sum()),
            "lacking": [word for word, _ in self.placebos.lacking[:3]],
            "of_whom": self.classifier.caution,
        }

    def severity(self, result: Measured) -> Severity:
        """Return the colour of a figure: by its p-value, and by the near end of its interval."""
        if self.placebos.draws < _DRAWS or not self._two_classes():
            return "low"
        near = math.inf if result.kind == "shift" else result.figure.low
        return severity_of(near, HIGH, MEDIUM, result.p_value)

    def _two_classes(self) -> bool:
        """Whether the classifier says more than one class of all versions."""
        return len(np.unique(self.own.argmax(axis=-1))) > 1

    def _rates(self, key: tuple[Rate, str]) -> NDArray[np.float64]:
        """Return a rate of the first and of the second versions. Shape (2,)."""
        kind, label = key
        target = self.classifier.classes.index(label) if label else 0
        rates: NDArray[np.float64] = self._counted(kind, target)[0][self._rows()[key]].mean(axis=0)
        return rates


def finding_of_rest(rest: Sequence[tuple[AxisControl, Measured]]) -> Iterator[Finding]:
    """Sum up the figures of an axis that have no colour; nothing where there are none."""
    if not rest:
        return
    control = rest[0][0]
    small = sum(each.p_value <= LIKELY for _, each in rest)
    yield make_finding(
        "control_rest", [replace(each.figure, p_value=each.p_value) for _, each in rest],
        axis=control.name, is_pair=bool(control.pair), small=small, **control.caution,
    )  # fmt: skip


def excess_of(rate: Rate) -> str:
    """Return the name of the figure of how much a rate's difference exceeds its control.

    Example:
        >>> excess_of(SELECTION)
        'demographic_parity_excess'
    """
    return rate.difference.replace("_difference", "_excess")


def judged(controls: Sequence[AxisControl]) -> list[list[Measured]]:
    """Test the figures of all axes and labels together, and those of a probe once more.

    Returns:
        The figures of each axis with their p-values: the larger one of the two. Refits are made
        only for figures that may have a colour by their draws.
    """
    several = [each.measured() for each in controls]
    pooled = [each for results in several for each in results]
    if not pooled:
        return several
    p_values = iter(
        max_t([each.value for each in pooled], [each.draws for each in pooled]).tolist()
    )
    several = [[each._replace(p_value=next(p_values)) for each in results] for results in several]
    return [
        _with_refits(control, results) for control, results in zip(controls, several, strict=True)
    ]  # fmt: skip


def _with_refits(control: AxisControl, results: list[Measured]) -> list[Measured]:
    """Put the p-values of refits in the place of smaller ones."""
    open_ = [each for each in results if each.p_value <= LIKELY]
    p_values = dict(zip(map(id, open_), control.p_of_probe(open_).tolist(), strict=True))
    return [
        each._replace(p_value=p_values[id(each)], by_refits=True)
        if p_values.get(id(each), 0.0) > each.p_value
        else each
        for each in results
    ]
