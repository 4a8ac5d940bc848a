"""The most biased sentences: rows whose words lean most along an axis, by vectors or an encoder."""

import heapq
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fair_datasets.auditing.audit_input import AuditInput
from fair_datasets.auditing.classifiers import drawn_rows
from fair_datasets.auditing.findings import (
    Figure,
    Finding,
    Marked,
    Part,
    Sample,
    counted,
    format_list,
    format_percent,
)
from fair_datasets.auditing.settings import AuditSettings, Commands, axis_title
from fair_datasets.auditing.templates import make_finding
from fair_datasets.lexicons import load_lexicon
from fair_datasets.rows.given import batches
from fair_datasets.rows.row_texts import RowTexts
from fair_datasets.scores.bias.bias_score import (
    BiasScore,
    coverage_of,
    direction_notes,
    figure_name,
)
from fair_datasets.system import interrupts

_WORDS = 5
"""How many words of a text are marked."""
_COVERED = 5_000
"""In how many rows words are counted."""


def biased_part(data: AuditInput, settings: AuditSettings, commands: Commands) -> Part:
    """Score the rows along each axis, and show those with the highest scores."""
    name = figure_name(centred=settings.centred)
    names = (name, f"{name}_95")
    if settings.vectors is None and settings.encoder is None:
        why = "there are no vectors and no encoder to score words with (--vectors or --encoder)"
        return Part(topic="sentences", unmeasured=dict.fromkeys(names, why))
    figures: list[Figure] = []
    findings: list[Finding] = []
    samples: list[Sample] = []
    notes: list[str] = []
    lacking: list[str] = []
    scores_by_axis = scores_of(settings)
    for axis in settings.axis:
        title = axis_title(axis)
        score = scores_by_axis.get(axis)
        if score is None:
            lacking.append(title)
            figures += [Figure(measure=name, value=np.nan, rows=0, axis=title) for name in names]
            continue
        scores, highest = _scored(data, settings, score)
        if not scores.size:
            continue
        mean, high = (
            Figure(measure=measure, value=float(value), rows=scores.size, axis=title)
            for measure, value in zip(
                names, (scores.mean(), np.quantile(scores, 0.95)), strict=True
            )
        )
        figures += [mean, high]
        command = commands.correct(axis)
        findings.append(
            make_finding("bias_scores", [mean, high], command=command, score=_score_name(settings))
        )
        samples += _samples(data, settings, axis, highest)
        notes += _notes(data, settings, score)
    unmeasured = {}
    if lacking:
        why = f"there is no pair of attributes to compare vectors with on {format_list(lacking)}"
        unmeasured = dict.fromkeys(names, why)
    return Part(
        topic="sentences", figures=tuple(figures), findings=tuple(findings),
        samples=tuple(samples), unmeasured=unmeasured, notes=tuple(notes),
    )  # fmt: skip


def scores_of(settings: AuditSettings) -> dict[str, BiasScore]:
    """Return what scores the rows along each axis that has a pair of attributes.

    Returns:
        Axis to technique; nothing without vectors and encoder.

    Example:
        >>> scores_of(AuditSettings(columns="text"))
        {}
    """
    if settings.vectors is None and settings.encoder is None:
        return {}
    paired = [axis for axis in settings.axis if load_lexicon(axis).counterparts]
    return {axis: _score(settings, axis) for axis in paired}


def _score(settings: AuditSettings, axis: str, *, explain: bool = False) -> BiasScore:
    """Return what scores rows along an axis, and explains the scores by the words."""
    return BiasScore(
        columns=settings.columns,
        roles=settings.roles,
        vectors=settings.vectors,
        encoder=settings.encoder,
        direction=settings.direction,
        axis=axis,
        pipeline=settings.pipeline,
        reader=settings.reader,
        centred=settings.centred,
        explain=explain,
    )


def _scored(
    data: AuditInput, settings: AuditSettings, score: BiasScore
) -> tuple[NDArray[np.float64], list[int]]:
    """Return the scores of the rows, and the rows with the highest, the first ones first."""
    from datasets.utils import tqdm

    is_scored = data.has_text
    if settings.encoder is not None:
        rows = drawn_rows(is_scored, settings.model_rows, settings.seed)
        is_scored = np.zeros_like(is_scored)
        is_scored[rows] = True
    scores: list[float] = []
    highest: list[tuple[float, int]] = []
    with tqdm(total=int(is_scored.sum()), desc="Scoring words", unit=" examples") as progress:
        for split, start in data.starts.items():
            own = np.flatnonzero(is_scored & data.rows_of(split)) - start
            rows = data.splits[split]
            if len(own) < len(rows):
                rows = rows.select(own)
            for batch in batches(rows, settings.columns):
                interrupts.raise_if_interrupted()
                values = score(batch)[str(score.output_column)]
                numbered = zip(values, (own[: len(values)] + start).tolist(), strict=True)
                own = own[len(values) :]
                known = [(value, -row) for value, row in numbered if value is not None]
                scores += [value for value, _ in known]
                highest = heapq.nlargest(settings.samples, [*highest, *known])
                progress.update(len(values))
    return np.array(scores, np.float64), [-row for value, row in highest if value > 0]


def _samples(
    data: AuditInput, settings: AuditSettings, axis: str, highest: Sequence[int]
) -> list[Sample]:
    """Show rows with the words that lean, and how far each does."""
    explain = _score(settings, axis, explain=True)
    samples = []
    for row in highest:
        split, number = data.place_of(row)
        dataset = data.splits[split].select([number])
        (batch,) = batches(dataset, settings.columns)
        columns = explain(batch)
        texts = RowTexts.read(batch, settings.columns, roles=tuple(settings.roles))
        words = columns[f"{explain.output_column}_words"][0]
        marked = [
            Marked(text, _spans([word for word in words if word["column"] == label]))
            for label, text in zip(texts.labels(0), texts.rows[0], strict=True)
            if text
        ]
        samples.append(
            Sample(
                axis=axis,
                split=split,
                row=number,
                texts=tuple(marked),
                kind="the highest bias scores",
                note=f"{_score_name(settings)} {columns[str(explain.output_column)][0]:.3g}",
            )
        )
    return samples


def _score_name(settings: AuditSettings) -> str:
    """Call the score by its name."""
    return "centred bias score" if settings.centred else "bias score"


def _notes(data: AuditInput, settings: AuditSettings, score: BiasScore) -> Iterator[str]:
    """Yield what has to be known of the scores before they are believed."""
    yield from direction_notes(score)
    rows = drawn_rows(data.has_text, _COVERED, settings.seed)
    covered = coverage_of(score, [text for row in data.texts(rows, settings) for text in row])
    if covered is not None:
        share, words = covered
        yield (
            f"Of {counted(words, 'word')} of {counted(len(rows), 'row')}, {format_percent(share)} "
            "have a vector or are listed; the scores say nothing about the others."
        )


def _spans(words: Sequence[Mapping[str, Any]]) -> tuple[tuple[int, int, str], ...]:
    """Mark the words that lean most, with how far and to which side."""
    most = sorted(words, key=lambda word: -abs(word["product"]))[:_WORDS]
    return tuple(
        (word["start"], word["end"], f"{word['product']:+.3f}")
        for word in words
        if word in most and abs(word["product"]) >= 0.0005
    )
