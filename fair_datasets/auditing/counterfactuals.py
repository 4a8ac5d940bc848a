"""What a classifier makes of rows whose words are swapped."""

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fair_datasets.auditing.audit_input import AuditInput, AxisReading
from fair_datasets.auditing.classifiers import (
    Classifier,
    Places,
    TextRows,
    drawn_rows,
)
from fair_datasets.auditing.controls import (
    FEWEST,
    NO_CONTROL,
    ROWS,
    AxisControl,
    Measured,
    finding_of_rest,
    judged,
)
from fair_datasets.auditing.findings import (
    COLLAPSED,
    Figure,
    Finding,
    Marked,
    Part,
    Sample,
)
from fair_datasets.auditing.intervals import independent_rows, share_of
from fair_datasets.auditing.names import NAMED, TOO_FEW, names_part
from fair_datasets.auditing.paired import Answers, Flips, Versions
from fair_datasets.auditing.parity import (
    ACCURACY,
    CONTROLLED,
    FALSE_POSITIVES,
    NEED_LABELS,
    OPPORTUNITY,
    PRECISION,
    SELECTION,
    Predicted,
    accuracy_of,
    parity_part,
    targets,
)
from fair_datasets.auditing.settings import AuditSettings, Commands
from fair_datasets.auditing.templates import make_finding
from fair_datasets.measures.flip_rate import counterfactual_flip_rate
from fair_datasets.selection.diet.measurement import versions_of_rows
from fair_datasets.swap.placebos import RowDivider
from fair_datasets.swap.rewriting import Edit, Rows

_CHANCE = (
    "The probe is not clearly better than always giving the most frequent label, so this may be "
    "chance. "
)


class _Asked(NamedTuple):
    """Rows that a classifier is asked about: their numbers and their texts, none of them empty."""

    rows: Places
    texts: list[tuple[str, ...]]


def counterfactual_part(
    data: AuditInput, settings: AuditSettings, classifier: Classifier, commands: Commands
) -> Part:
    """Ask a classifier about rows as they are and swapped, and written for each attribute."""
    first = _rows_as_they_are(data, settings, classifier)
    parts = [first]
    axes = [_Axis(data, settings, classifier, axis) for axis in data.axes]
    controls = {axis: axis.controls() for axis in axes}
    measured = iter(judged([each for several in controls.values() for each in several]))
    for axis, several in controls.items():
        parts.append(axis.part(commands, [(each, next(measured)) for each in several]))
    if settings.name_sensitivity:
        parts.append(names_part(data, settings, classifier))
    findings, notes = [finding for part in parts for finding in part.findings], [classifier.note]
    if classifier.probe is not None and _is_weak(first):
        # That these rows teach a simple classifier nothing is no fault of theirs, nor of a user's.
        notes += [each.sentence for each in findings if _is_of_accuracy(each)]
        findings = [_by_chance(each) for each in findings if not _is_of_accuracy(each)]
    why = "it compares groups of different rows, and no column of groups is named (--groups)"
    unmeasured = {} if data.groups else dict.fromkeys(PRECISION[:2], why)
    if classifier.references is None:
        unmeasured |= dict.fromkeys(NEED_LABELS, classifier.lacking)
    taken = {figure.measure for part in parts for figure in part.figures}
    unmeasured |= {name: NO_CONTROL for name in CONTROLLED if name not in taken}
    if settings.name_sensitivity:
        unmeasured |= {name: TOO_FEW for name in NAMED if name not in taken}
    return Part(
        topic="predictions",
        figures=tuple(figure for part in parts for figure in part.figures),
        findings=tuple(replace(finding, about="classifier") for finding in findings),
        samples=tuple(sample for part in parts for sample in part.samples),
        unmeasured=unmeasured,
        notes=tuple(notes),
        answers=tuple(answer for part in parts for answer in part.answers),
    )


def _is_weak(part: Part) -> bool:
    """Whether a classifier is found not to be better than saying one label."""
    return any(each.measure == COLLAPSED and each.value > 0 for each in part.figures)


def _is_of_accuracy(finding: Finding) -> bool:
    """Whether a finding is how often a classifier is right."""
    return any(figure.measure == "accuracy" for figure in finding.figures)


def _by_chance(finding: Finding) -> Finding:
    """Put back what is said of a probe that may have learned nothing."""
    return replace(
        finding, severity="low", caution=f"{_CHANCE}{finding.caution}", advice="", command=""
    )


def _ask(data: AuditInput, settings: AuditSettings, rows: Places) -> _Asked:
    """Read the texts of rows; rows in which one is missing are left out."""
    texts = data.texts(rows, settings)
    whole = [all(map(str.strip, row)) for row in texts]
    whole_rows = rows[np.array(whole, np.bool_)]
    return _Asked(whole_rows, [row for row, is_whole in zip(texts, whole, strict=True) if is_whole])


def _rows_as_they_are(data: AuditInput, settings: AuditSettings, classifier: Classifier) -> Part:
    """Measure how often the classifier is right, and compare the groups of columns."""
    selected = data.has_text & classifier.asked
    if classifier.references is not None:
        selected &= classifier.references >= 0
    elif not data.groups:
        return Part(topic="predictions")
    asked = _ask(data, settings, drawn_rows(selected, settings.model_rows, settings.seed))
    if not asked.texts:
        return Part(topic="predictions")
    predictions = classifier.predict(asked.texts)
    references = None if classifier.references is None else classifier.references[asked.rows]
    keys, families = data.hashes[asked.rows], data.families[asked.rows]
    several = [
        Predicted(
            grouping.name, grouping.attributes, grouping.alone[asked.rows], predictions,
            references, classifier.classes, keys, families,
        )
        for grouping in data.groupings[len(data.axes) :]
    ]  # fmt: skip
    part = parity_part("predictions", several)
    if references is None:
        return part
    all_rows = Predicted.of_all(predictions, references, classifier.classes, keys, families)
    figures, finding = accuracy_of(
        classifier.name, predictions, references, families, caution=classifier.caution
    )
    return Part(
        topic="predictions", figures=(*part.figures, *figures), findings=(*part.findings, finding),
        answers=(*part.answers, all_rows),
    )  # fmt: skip


class _Axis:
    """A classifier along one axis."""

    def __init__(
        self,
        data: AuditInput,
        settings: AuditSettings,
        classifier: Classifier,
        axis: AxisReading,
    ) -> None:
        """Draw the rows that are asked about among those that the swap changes."""
        self.material, self.settings, self.classifier = data, settings, classifier
        self.axis, self.name = axis, axis.grouping.name
        selected = np.zeros(len(data.has_text), np.bool_)
        selected[axis.changed] = True
        drawn = drawn_rows(selected & classifier.asked, settings.model_rows, settings.seed)
        self.asked = _ask(data, settings, drawn)
        self.families = data.families[self.asked.rows]
        self.divider = axis.divider

    def controls(self) -> list[AxisControl]:
        """Ask about placebo versions of the rows as well; nothing where there are few rows.

        Of more than two attributes, all are controlled together, and two at a time.
        """
        references = self.classifier.references
        known = None if references is None else references[self.asked.rows]
        asked = (self.name, self.asked.texts, known, self.families, self.classifier, self.divider,
                 self.settings.draws)  # fmt: skip
        whole = AxisControl.of(*asked)
        alone = self.axis.grouping.alone[self.asked.rows]
        pairs = controls_of_pairs(*asked, alone, self.axis.grouping.attributes)
        return [*([] if whole is None else [whole]), *pairs]

    def part(
        self, commands: Commands, controls: Sequence[tuple[AxisControl, Sequence[Measured]]]
    ) -> Part:
        """Return the flip rate and the parity between the versions of rows, with their controls."""
        texts = self.asked.texts
        swapped = {row.number: row.swapped(texts[row.number]) for row in self.divider.rows(texts)}
        if not swapped:
            return self._nothing()
        numbers = np.fromiter(swapped, np.int64, len(swapped))
        factual = self.classifier.predict([texts[number] for number in numbers])
        counterfactual = self.classifier.predict(list(swapped.values()))
        flips = list(self._flips(numbers, factual, counterfactual))
        differences, versions = self._versions()
        rows = self.asked.rows[numbers]
        alone = self.axis.grouping.alone[rows]
        flipping = Flips(
            self.name, self.axis.grouping.attributes, alone, factual != counterfactual,
            self.material.hashes[rows], self.families[numbers],
        )  # fmt: skip
        flipped = [int(number) for number in numbers[factual != counterfactual]]
        whole = [each for each in controls if not each[0].pair]
        pairs = [each for each in controls if each[0].pair]
        controlled = [figure for control, tests in controls for figure in control.figures(tests)]
        beside = [each for control, tests in whole for each in control.findings(tests)]
        return Part(
            topic="predictions",
            figures=(*flips, *differences, *controlled),
            findings=(
                self._flip_finding(flips[0], beside[:1], commands),
                *beside[1:],
                *pair_findings(pairs),
            ),
            samples=tuple(self._samples(flipped[: self.settings.samples])),
            answers=(flipping, *versions),
        )

    def _nothing(self) -> Part:
        """Return the part for no row to ask about."""
        names = ["flip_rate", *SELECTION[:2]]
        if self.classifier.references is not None:
            names += [*OPPORTUNITY[:2], *FALSE_POSITIVES[:2], ACCURACY.difference]
            names += ["false_negative_rate", "equalized_odds_difference"]
        figures = [Figure(measure=name, value=math.nan, rows=0, axis=self.name) for name in names]
        finding = make_finding("not_swapped", figures)
        return Part(topic="predictions", figures=tuple(figures), findings=(finding,))

    def _flips(self, numbers: Places, factual: Places, counterfactual: Places) -> Iterator[Figure]:
        """Give the flip rate of all rows, and of those that mention one attribute alone."""
        codes = self.axis.grouping.alone[self.asked.rows[numbers]]
        result = counterfactual_flip_rate(factual, counterfactual, groups=codes, undefined="nan")
        flips, families = factual != counterfactual, self.families[numbers]
        for code, rates in ((None, result.all), *result.groups.items()):
            if code == -1:
                continue
            name = "" if code is None else self.axis.grouping.attributes[int(str(code))]
            own = np.ones_like(flips) if code is None else codes == code
            yield share_of(
                "flip_rate", rates.flips, rates.rows, axis=self.name, attribute=name,
                independent=independent_rows(flips[own], families[own]),
            )  # fmt: skip

    def _flip_finding(
        self, figure: Figure, controlled: Sequence[Finding], commands: Commands
    ) -> Finding:
        """Return the finding of how often predictions change, and how much exceeds the control."""
        (finding,) = controlled or (None,)
        severity = finding.severity if finding else "low"
        return make_finding(
            "flips", [figure, *(finding.figures if finding else ())], severity=severity,
            name=self.classifier.name, controlled=finding, of_whom=self.classifier.caution,
            no_control=NO_CONTROL, **commands.to_augment(self.axis.grouping.axis, severity),
        )  # fmt: skip

    def _versions(self) -> tuple[list[Figure], tuple[Answers, ...]]:
        """Compare the predictions for rows that are written for each attribute."""
        written = list(versions_of_rows(self.asked.texts, self.divider.swap))
        if not written:
            return [], ()
        attributes = list(written[0][1])
        # Many attributes make many versions: as many texts are asked about as of two attributes.
        written = written[: max(1, 2 * self.settings.model_rows // len(attributes))]
        classifier, numbers = self.classifier, [number for number, _ in written]
        predictions = [
            classifier.predict([versions[name] for _, versions in written]) for name in attributes
        ]
        references = classifier.references
        known = None if references is None else references[self.asked.rows[numbers]]
        answers = Versions(
            self.name, attributes, np.column_stack(predictions), known, classifier.classes,
            self.material.hashes[self.asked.rows[numbers]], self.families[numbers],
        )  # fmt: skip
        return answers.compared(targets(classifier.classes)), (answers,)

    def _samples(self, flipped: Sequence[int]) -> Iterator[Sample]:
        """Show rows whose prediction changes, as they are and swapped."""
        rows = [self.asked.texts[number] for number in flipped]
        for place, new in self.divider.swap.rewrite(Rows(rows, [None] * len(rows))):
            split, row = self.material.place_of(int(self.asked.rows[flipped[place]]))
            before, texts = rows[place], []
            for text, after, edits in zip(before, new.texts, new.edits_from(before), strict=True):
                texts += [
                    Marked(text, tuple((edit.start, edit.end, "before") for edit in edits)),
                    Marked(str(after), tuple(_places_after(edits))),
                ]
            yield Sample(
                axis=self.name, split=split, row=row, texts=tuple(texts),
                note="the prediction changes when it is swapped",
            )  # fmt: skip


def _places_after(edits: Sequence[Edit]) -> Iterator[tuple[int, int, str]]:
    """Give where what edits wrote stands in the text after them."""
    moved = 0
    for edit in edits:
        yield edit.start + moved, edit.start + moved + len(edit.after), "after"
        moved += len(edit.after) - (edit.end - edit.start)


_ATTRIBUTES = 5
"""How many attributes are compared in pairs."""


def controls_of_pairs(
    name: str,
    texts: TextRows,
    references: Places | None,
    families: NDArray[np.intp],
    classifier: Classifier,
    divider: RowDivider,
    draws: int,
    alone: Places,
    attributes: Sequence[str],
) -> Iterator[AxisControl]:
    """Ask a classifier about rows that mention one of two attributes, for pairs of them.

    Args:
        alone: The attribute that each row mentions alone, else -1. Shape (N,).

    Yields:
        The answers for each pair of the most frequent attributes that enough rows mention; nothing
        on an axis of two.
    """
    swap, swapped = divider.swap, divider.attributes
    if len(swapped) < 3:
        return
    pairs = [
        pair
        for pair in itertools.combinations(_frequent(alone, attributes, list(swapped)), 2)
        if np.isin(alone, pair).sum() >= FEWEST
    ]
    for pair in pairs:
        rows = np.flatnonzero(np.isin(alone, pair))
        names = attributes[pair[0]], attributes[pair[1]]
        control = AxisControl.of(
            name, [texts[row] for row in rows.tolist()],
            None if references is None else references[rows], families[rows], classifier,
            RowDivider(replace(swap, source=names, target=names)), draws,
            most=ROWS // len(pairs), pair=" and ".join(names),
        )  # fmt: skip
        if control is not None:
            yield control


def _frequent(alone: Places, attributes: Sequence[str], swapped: Sequence[str]) -> list[int]:
    """Return the attributes that most rows mention, in their own order."""
    counts = np.bincount(alone[alone >= 0], minlength=len(attributes))
    known = [code for code, each in enumerate(attributes) if each in swapped and counts[code]]
    return sorted(sorted(known, key=lambda code: -counts[code])[:_ATTRIBUTES])


def pair_findings(controls: Sequence[tuple[AxisControl, Sequence[Measured]]]) -> Iterator[Finding]:
    """Report what exceeds the control of a pair; then sum up the others."""
    every = [(control, each) for control, tests in controls for each in tests]
    rest = [(control, each) for control, each in every if control.severity(each) == "low"]
    yield from (control.finding(each) for control, each in every if (control, each) not in rest)
    yield from finding_of_rest(rest)
