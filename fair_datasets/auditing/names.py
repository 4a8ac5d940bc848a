"""What a classifier makes of the same rows under other names."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fair_datasets.auditing.audit_input import AuditInput
from fair_datasets.auditing.classifiers import Classifier, drawn_rows
from fair_datasets.auditing.controls import FEWEST, ROWS, Logits
from fair_datasets.auditing.findings import Figure, Finding, Part, Severity, severity_of
from fair_datasets.auditing.intervals import share_of
from fair_datasets.auditing.paired import HIGH, MEDIUM
from fair_datasets.auditing.parity import targets
from fair_datasets.auditing.settings import AuditSettings
from fair_datasets.auditing.templates import make_finding
from fair_datasets.measures.inputs import nan_is_enough
from fair_datasets.measures.name_sensitivity import (
    NameContrast,
    NameSensitivity,
    name_sensitivity,
)
from fair_datasets.swap.name_versions import NamedRow, NameVersions, name_versions

NAMED = (
    *("any_name_flip_rate", "name_flip_rate", "name_flip_rate_control", "name_flip_rate_excess"),
    *("name_score_shift", "name_spread", "name_spread_95", "name_spread_control", "named_share"),
)
"""The measures of names."""
CULTURES, GENDERS = "culture of a name", "gender of a name"
"""What figures of names call their axes."""
TOO_FEW = "fewer than 30 of the rows asked about name just one person whose name can be changed"
_PROBED = 1000
"""How many rows a probe is asked about, each under more than 200 names; a model is asked half."""
_BATCH_SIZE = 50
"""The versions of how many rows are asked about at once."""


class _Shift(NamedTuple):
    """How far scores of a label shift with a group of names."""

    figure: Figure
    contrast: NameContrast

    @property
    def severity(self) -> Severity:
        """The colour of the finding: by its rank alone, as of other shifts."""
        return severity_of(math.inf, HIGH, MEDIUM, self.figure.p_value)


def names_part(data: AuditInput, settings: AuditSettings, classifier: Classifier) -> Part:
    """Ask a classifier about rows with one named person under names of many cultures."""
    rows = drawn_rows(data.has_text & classifier.asked, settings.model_rows, settings.seed)
    # One row of each family: the others would say the same once more.
    rows = np.sort(rows[np.unique(data.families[rows], return_index=True)[1]])
    texts = data.texts(rows, settings)
    versions = name_versions(texts, settings.name_swap(), seed=settings.seed)
    share = share_of("named_share", len(versions.rows), len(rows))
    if len(versions.rows) < FEWEST:
        return Part(topic="predictions", figures=(share,))
    most = ROWS if classifier.probe is None else _PROBED
    drawn = drawn_rows(np.ones(len(versions.rows), np.bool_), most, settings.seed)
    asked = replace(versions, rows=[versions.rows[place] for place in drawn.tolist()])
    several = _measured(asked, _scores(classifier, asked.rows), classifier, settings.seed)
    figures, shifts = [share], list[_Shift]()
    for label, stats in several.items():
        shifts += _shifts(label, stats, len(several))
        figures += _spreads(label, stats)
    first = next(iter(several.values()))
    figures += _flips(first)
    return Part(
        topic="predictions", figures=(*figures, *(each.figure for each in shifts)),
        findings=tuple(_findings(classifier, versions, several, shifts)),
    )  # fmt: skip


def _scores(classifier: Classifier, rows: Sequence[NamedRow]) -> Logits:
    """Return what a classifier says of all versions. Shape (V, C)."""
    probe, logits = classifier.probe, []
    for first in range(0, len(rows), _BATCH_SIZE):
        texts = [text for row in rows[first : first + _BATCH_SIZE] for text in row.texts()]
        # A probe answers sooner than one could look up what it said.
        logits.append(
            classifier.scores(texts) if probe is None else probe.spread(probe.linear.logits(texts))
        )
    return np.concatenate(logits)


def _measured(
    versions: NameVersions, logits: Logits, classifier: Classifier, seed: int
) -> dict[str, NameSensitivity]:
    """Compare the answers under all names, for one label after another against the rest."""
    columns, by_label = versions.columns(texts=False), {}
    for target in targets(classifier.classes):
        scores: NDArray[np.float64] = logits[:, target]
        if len(classifier.classes) == 2:
            scores = scores - logits[:, 1 - target]
        if np.isfinite(scores).all():
            with nan_is_enough():
                by_label[classifier.classes[target]] = name_sensitivity(
                    logits.argmax(axis=1), **columns, scores=scores, seed=seed
                )
    return by_label


def _contrasts(stats: NameSensitivity) -> Iterator[tuple[dict[str, Any], NameContrast]]:
    """Give each culture, and the second gender, with the place of its figures."""
    for culture, contrast in stats.cultures.items():
        yield {"axis": CULTURES, "attribute": str(culture)}, contrast
    if stats.gender is not None:
        yield {"axis": GENDERS, "attribute": "woman"}, stats.gender


def _shifts(label: str, stats: NameSensitivity, labels: int) -> Iterator[_Shift]:
    """Give the shifts of a label; of several labels, p is adjusted for their number as well."""
    for place, contrast in _contrasts(stats):
        if contrast.score_shift is not None and contrast.p_value is not None:
            figure = Figure(
                measure="name_score_shift", value=contrast.score_shift, rows=stats.rows,
                label=label, p_value=min(1.0, labels * contrast.p_value), **place,
            )  # fmt: skip
            yield _Shift(figure, contrast)


def _spreads(label: str, stats: NameSensitivity) -> Iterator[Figure]:
    """Give how far the scores of a label spread within rows."""
    for name in ("spread", "spread_95", "spread_control"):
        value = getattr(stats, name)
        yield Figure(measure=f"name_{name}", value=value, rows=stats.rows, axis=CULTURES,
                     label=label)  # fmt: skip


def _flips(stats: NameSensitivity) -> Iterator[Figure]:
    """Give how often predictions change with names, beside names of one culture and gender."""
    flips = round(stats.any_flip_rate * stats.rows)
    yield share_of("any_name_flip_rate", flips, stats.rows, axis=CULTURES)
    pairs: list[tuple[dict[str, Any], NameSensitivity | NameContrast]] = [
        ({"axis": CULTURES}, stats), *_contrasts(stats)
    ]  # fmt: skip
    for place, each in pairs:
        given: dict[str, Any] = {"rows": stats.rows, **place}
        yield Figure(measure="name_flip_rate", value=each.flip_rate, **given)
        yield Figure(measure="name_flip_rate_control", value=each.flip_rate_control, **given)
        yield Figure(measure="name_flip_rate_excess", value=each.flip_rate_excess, low=each.low,
                     high=each.high, **given)  # fmt: skip


def _findings(
    classifier: Classifier,
    versions: NameVersions,
    several: dict[str, NameSensitivity],
    shifts: Sequence[_Shift],
) -> Iterator[Finding]:
    """Report which names shift scores as no others do, the furthest first; then the tails."""
    of_whom, are_two = classifier.caution, len(classifier.classes) == 2
    coloured = [each for each in shifts if each.severity != "low"]
    for each in sorted(coloured, key=lambda each: -abs(each.figure.value)):
        yield make_finding(
            "name_shift", [each.figure], severity=each.severity, flips=each.contrast,
            is_gender=each.figure.axis == GENDERS, of_whom=of_whom, are_two=are_two,
        )  # fmt: skip
    label, stats = next(iter(several.items()))
    yield make_finding(
        "names", [next(_flips(stats))], stats=stats, label=label, of_whom=of_whom, are_two=are_two,
        skipped=list(versions.skipped.items()), cultures=len(versions.cultures),
        rest=len(shifts) - len(coloured),
    )  # fmt: skip
