"""The page of an audit: one file of HTML with its style and its pictures, and nothing else."""

import json
import math
from collections.abc import Iterator, Sequence
from importlib.resources import files
from typing import TYPE_CHECKING

from fair_datasets.auditing.change_page import changes_section
from fair_datasets.auditing.findings import MEASURES, SEVERITIES, Figure, Finding, Part, Sample
from fair_datasets.auditing.markup import (
    finding_item,
    marked,
    name,
    sentence,
    table,
    visible,
)
from fair_datasets.auditing.plots import interval_plot
from fair_datasets.auditing.wording import counted, percent, verb
from fair_datasets.version import __version__

if TYPE_CHECKING:
    from fair_datasets.auditing.result import Audit

_TOPICS = {
    "predictions": "What a classifier makes of the rows",
    "leaks": "Rows that are there twice",
    "association": "What the labels go with",
    "sentences": "Rows whose words lean most",
    "representation": "Whom the rows speak of",
    "coverage": "What was read, and what was left alone",
}
_RATIOS = ("odds_ratio",)
_NUMBERS = ("odds_ratio", "pmi", "bias_score", "bias_score_95")
_UNITS = {"left_share": "words"}
_NAMED = {"pmi": "PMI", "bias_score_95": "Bias score, 95th percentile"}
_PLOTTED = ("flip_rate", "demographic_parity_difference", "equal_opportunity_difference",
            "false_positive_rate_difference", "precision_difference", "accuracy_difference",
            "equalized_odds_difference", "selection_rate", "odds_ratio", "mention_share",
            "mention_balance", "leak_share", "duplicate_share", "contradiction_share", "read_share",
            "changed_share")  # fmt: skip
_ONE_PLOT = 8
"""Up to so many figures of a measure stand in one picture; else each axis has its own."""
_MOST = 300
"""How many figures of a measure a table shows."""
_OPEN = 12
"""Up to so many, a table of what is not drawn is open from the start."""
_READING = (
    "Intervals are of 95%: Wilson's for shares, Woolf's for odds ratios, Newcombe's for "
    "differences between groups, Bonett and Price's for differences between versions of the same "
    "rows; of more than two groups or versions, they hold for all pairs together. Intervals say "
    "how much a figure would vary with other rows of the same kind, and not whether the rows are "
    "of the right kind. "
    "p-values are adjusted for the number of tests of one analysis by Holm's method. A finding is "
    "put first by the end of its interval that is nearest to no difference, so that few rows alone "
    "put nothing first; rows in two splits are counted, and put first by their share; what a probe "
    "says that is not surely better than the most frequent label is put last. "
    "No figure here shows that a dataset or a model is fair: what was not found may be there."
)


def page(found: "Audit") -> str:
    """Write the page of an audit.

    Args:
        found: The audit.

    Returns:
        The HTML, which loads nothing and runs nothing.
    """
    parts = {part.topic: part for part in found.parts}
    shown = [topic for topic in _TOPICS if topic in parts and parts[topic].figures]
    links = {"changes": "What changed"} if found.changes else {}
    links |= {"findings": "Findings", **{topic: _TOPICS[topic] for topic in shown}}
    links |= {"unmeasured": "Not measured"} if found.unmeasured else {}
    links["reading"] = "How to read this"
    items = "".join(f'<li><a href="#{anchor}">{title}</a></li>' for anchor, title in links.items())
    style = files("fair_datasets.auditing").joinpath("style.css").read_text("utf-8")
    compared = ""
    if found.changes:
        before = found.changes.before
        compared = f"<p>Compared with {name(before.title)}: rows {_rows(before)}.</p>\n"
    sections = [
        changes_section(found.changes) if found.changes else "",
        _findings(found.findings),
        *(_section(parts[topic]) for topic in shown),
        _unmeasured(found.unmeasured),
        _reading(found),
    ]
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Audit of {visible(found.title)}</title>
<style>
{style}</style>
</head>
<body>
<header>
<h1>Audit of {name(found.title)}</h1>
<p>Rows: {_rows(found)}.</p>
{compared}<nav aria-label="Sections"><ul>{items}</ul></nav>
</header>
<main>
{"".join(sections)}</main>
<footer><p class="dim">Made by fair_datasets {__version__}.</p></footer>
</body>
</html>
"""


def _rows(found: "Audit") -> str:
    """Write how many rows each split has."""
    return ", ".join(f"{name(split)} {count:,}" for split, count in found.rows.items())


def _findings(findings: Sequence[Finding]) -> str:
    """Write the findings, the first ones first."""
    parts = ['<section id="findings" aria-labelledby="findings-title">\n'
             '<h2 id="findings-title">Findings</h2>\n']  # fmt: skip
    for severity, title in SEVERITIES.items():
        own = [finding for finding in findings if finding.severity == severity]
        if own:
            items = "".join(map(finding_item, own))
            parts.append(
                f'<h3 class="{severity}">{title}</h3>\n<ol class="findings">{items}</ol>\n'
            )
    return "".join([*parts, "</section>\n"])


def _section(part: Part) -> str:
    """Write what one analysis found: pictures, samples, and all figures."""
    title = _TOPICS[part.topic]
    body = [f"<p>{sentence(note)}</p>\n" for note in part.notes]
    for measure in MEASURES:
        own = [figure for figure in part.figures if figure.measure == measure]
        if own:
            body.append(f"<h3>{_title(measure)}</h3>\n<p>{visible(MEASURES[measure])}</p>\n")
            body += _plots(measure, own)
            body.append(_table(measure, own))
    body.append(_samples(part.samples))
    return (
        f'<section id="{part.topic}" aria-labelledby="{part.topic}-title">\n'
        f'<h2 id="{part.topic}-title">{title}</h2>\n{"".join(body)}</section>\n'
    )


def _plots(measure: str, figures: Sequence[Figure]) -> Iterator[str]:
    """Draw the figures of a measure: those of all rows, as parts of them are in the table."""
    if measure not in _PLOTTED:
        return
    if measure in ("mention_share", "mention_balance"):
        figures = [figure for figure in figures if not figure.split and not figure.label]
    is_ratio = measure in _RATIOS
    title = _title(measure)
    if len(figures) <= _ONE_PLOT:
        yield interval_plot(title, figures, _place, ratios=is_ratio)
        return
    order = sorted(figures, key=lambda figure: -figure.value if figure.value == figure.value else 0)
    for axis in dict.fromkeys(figure.axis for figure in figures):
        own = [figure for figure in order if figure.axis == axis]
        yield interval_plot(f"{title}: {axis}", own, _within, ratios=is_ratio)


def _table(measure: str, figures: Sequence[Figure]) -> str:
    """Write all figures of a measure as a table, folded where it is long."""
    held = [place for place in ("axis", "attribute", "label", "split")
            if any(getattr(figure, place) for figure in figures)]  # fmt: skip
    has_p = any(not math.isnan(figure.p_value) for figure in figures)
    write = (lambda value: f"{value:.3g}") if measure in _NUMBERS else percent

    def cells(figure: Figure) -> list[tuple[str, bool]]:
        places = [(name(getattr(figure, place) or "all"), False) for place in held]
        interval = "" if math.isnan(figure.low) else f"{write(figure.low)} to {write(figure.high)}"
        value = "undefined" if math.isnan(figure.value) else write(figure.value)
        found = [*(places or [("all", False)]), (value, True), (interval, True)]
        found.append((f"{figure.rows:,}", True))
        if has_p:
            written = "" if math.isnan(figure.p_value) else f"{figure.p_value:.3g}"
            found.append((written, True))
        return found

    unit = _UNITS.get(measure, "rows")
    head = [*(held or ["of"]), "value", "interval", unit, *(["p, adjusted"] if has_p else [])]
    caption = _title(measure)
    if len(figures) > _MOST:
        caption += f": the first {_MOST:,} of {len(figures):,}; audit.parquet has all"
    written = table(visible(caption), head, map(cells, figures[:_MOST]))
    # A picture has told what a short table tells.
    is_open = " open" if measure not in _PLOTTED and len(figures) <= _OPEN else ""
    summary = f"{counted(len(figures), 'figure')} with {verb(len(figures), 'its', 'their')}"
    return f"<details{is_open}><summary>{summary} {unit}</summary>\n{written}</details>\n"


def _samples(samples: Sequence[Sample]) -> str:
    """Write rows that show something, by what they show."""
    if not samples:
        return ""
    by_note: dict[tuple[str, str], list[Sample]] = {}
    for sample in samples:
        # A score is of each row by itself.
        note = "the highest bias scores" if sample.note.startswith("bias score") else sample.note
        by_note.setdefault((sample.axis, note), []).append(sample)
    parts = ["<h3>Rows that show it</h3>\n"]
    for (axis, note), own in by_note.items():
        items = "".join(
            f'<li><span class="dim">{name(sample.split)}, row {sample.row:,}'
            f"{': ' + visible(sample.note) if sample.note != note else ''}</span>"
            f"{''.join(map(marked, sample.texts))}</li>\n"
            for sample in own
        )
        title = sentence(": ".join(filter(None, (axis, note))))
        parts.append(
            f"<details><summary>{title} ({len(own):,})</summary>\n"
            f'<ul class="samples">{items}</ul></details>\n'
        )
    return "".join(parts)


def _unmeasured(unmeasured: dict[str, str]) -> str:
    """Say what could not be measured, and why."""
    rows = [[(f"<code>{visible(measure)}</code>", False), (sentence(why), False)]
            for measure, why in unmeasured.items()]  # fmt: skip
    if not rows:
        return ""
    written = table("What could not be measured, and why.", ["measure", "why"], rows)
    return (
        '<section id="unmeasured" aria-labelledby="unmeasured-title">\n'
        f'<h2 id="unmeasured-title">Not measured</h2>\n{written}</section>\n'
    )


def _reading(found: "Audit") -> str:
    """Say how figures are meant, and with which settings they were taken."""
    taken = dict.fromkeys(figure.measure for figure in found.figures)
    items = "".join(
        f"<dt><code>{measure}</code></dt><dd>{visible(text)}</dd>"
        for measure, text in MEASURES.items()
        if measure in taken
    )
    settings = json.dumps(dict(found.settings), indent=2)
    return (
        '<section id="reading" aria-labelledby="reading-title">\n'
        f'<h2 id="reading-title">How to read this</h2>\n<p>{visible(_READING)}</p>\n'
        f"<dl>{items}</dl>\n<h3>Settings</h3>\n<pre><code>{_block(settings)}</code></pre>\n"
        "</section>\n"
    )


def _title(measure: str) -> str:
    """Write the name of a measure as words."""
    words = measure.replace("_", " ")
    return _NAMED.get(measure, f"{words[0].upper()}{words[1:]}")


def _place(figure: Figure) -> str:
    """Name a figure by all its places."""
    return figure.place or "all"


def _within(figure: Figure) -> str:
    """Name a figure of one axis by its other places."""
    return ", ".join(filter(None, figure.places[1:])) or "all"


def _block(text: str) -> str:
    """Escape lines that stay lines."""
    return "\n".join(map(visible, text.split("\n")))
