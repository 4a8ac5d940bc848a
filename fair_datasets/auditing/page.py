"""The page of an audit: one file of HTML with its style and its pictures, and nothing else."""

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from importlib.resources import files
from typing import TYPE_CHECKING

from fair_datasets.auditing.cards import Answer, Card, answer_of, cards_of, cautions, change_cards
from fair_datasets.auditing.change_findings import written_change, written_value
from fair_datasets.auditing.changes import Change, Changes
from fair_datasets.auditing.findings import (
    MEASURES,
    RATIOS,
    Figure,
    Finding,
    Part,
    Sample,
    counted,
    percent,
)
from fair_datasets.auditing.markup import (
    RATES,
    card_element,
    command_element,
    control_table,
    details,
    finding_list,
    group_table,
    listed,
    marked,
    measure_table,
    measure_title,
    name,
    sentence,
    table,
    table_element,
    visible,
)
from fair_datasets.system.files import indented
from fair_datasets.version import __version__

if TYPE_CHECKING:
    from fair_datasets.auditing.dataset import Audit


_WIDTH, _MARGIN = 420, 8
_ROW, _TEXT, _BOTTOM = 38, 14, 28
"""Of each figure a line of text and, below it, the picture: so that a phone can show both."""
_SHOWN = 25
_SQUARE = 260
"""How high a picture of two scales is."""
_LEGEND = (
    "Dots are values, lines are their 95% intervals, and the number of rows is in parentheses."
)
_LETTERS = 34


def interval_plot(
    title: str, figures: Sequence[Figure], name: Callable[[Figure], str], *, ratios: bool = False
) -> str:
    """Draw figures below one another: a dot for the value and a line for the interval.

    Args:
        figures: The figures; those that are not defined are left out, and of many the first are
            drawn.
        ratios: Whether they are ratios, which are drawn by their logarithm with a line at 1;
            else they are shares or differences, drawn from 0.
    """
    able = [figure for figure in figures if _is_drawable(figure, ratios)]
    drawn = able[:_SHOWN]
    if not drawn:
        return ""
    place = math.log if ratios else float
    ends = [place(end) for figure in drawn for end in (figure.value, *_ends(figure))]
    first, last = (min(0.0, *ends), max(0.0, *ends))
    if not ratios and last <= 1:
        last = min(1.0, max(last * 1.1, 0.02))
    scale = (_WIDTH - 2 * _MARGIN) / ((last - first) or 1.0)

    def across(value: float) -> float:
        return round(_MARGIN + (min(max(place(value), first), last) - first) * scale, 1)

    bottom = _ROW * len(drawn) + 6
    told = "; ".join(f"{name(figure)}: {figure}" for figure in drawn)
    none, end = across(1.0 if ratios else 0.0), _WIDTH - _MARGIN
    parts = [
        f'<figure><svg viewBox="0 0 {_WIDTH} {bottom + _BOTTOM}" role="img" '
        f'aria-label="{visible(title)}. {visible(told)}">',
        f'<line class="axis" x1="{_MARGIN}" y1="{bottom}" x2="{end}" y2="{bottom}"/>',
        f'<line class="reference" x1="{none}" y1="0" x2="{none}" y2="{bottom}"/>',
        *(
            _mark(across(mark), bottom, _short(mark, ratios))
            for mark in _marks(first, last, ratios)
        ),
    ]
    for number, figure in enumerate(drawn):
        base = _ROW * number + _TEXT
        low, high = (across(value) for value in _ends(figure))
        parts.append(
            f'<text x="{_MARGIN}" y="{base}">{visible(_cut(name(figure)))}</text>'
            f'<text x="{end}" y="{base}" text-anchor="end">{_short(figure.value, ratios)}'
            f'<tspan class="dim"> ({figure.rows:,})</tspan></text>'
            f'<line class="interval" x1="{low}" y1="{base + 12}" x2="{high}" y2="{base + 12}"/>'
            f'<circle class="value" cx="{across(figure.value)}" cy="{base + 12}" r="5"/>'
        )
    more = f" The first {_SHOWN} of {len(able):,}." if len(able) > _SHOWN else ""
    parts.append(f"</svg><figcaption>{visible(title)}. {_LEGEND}{more}</figcaption></figure>\n")
    return "".join(parts)


def trade_off_plot(
    right: Sequence[Figure], apart: Sequence[Figure], names: Sequence[str], measure: str
) -> str:
    """Draw how right classifiers are against how far apart they put people."""
    drawn = [each for each in zip(right, apart, names, strict=True)
             if all(math.isfinite(figure.value) for figure in each[:2])]  # fmt: skip
    if not drawn:
        return ""
    highest = min(1.0, max(1.1 * _ends(figure)[1] for _, figure, _ in drawn)) or 1.0
    lowest = max(0.0, 0.95 * min(_ends(figure)[0] for figure, _, _ in drawn))
    # Names stand to the left of their points.
    left, bottom = 8 * _MARGIN, _SQUARE - _BOTTOM
    width = _WIDTH - _MARGIN - left

    def across(value: float) -> float:
        return round(left + (value - lowest) / ((1 - lowest) or 1.0) * width, 1)

    def up(value: float) -> float:
        return round(bottom - value / highest * (bottom - _ROW), 1)

    place = f" of {apart[0].axis}" if apart[0].axis else ""
    title = f"Accuracy (to the right) against the {measure}{place} (upward)"
    told = "; ".join(f"{name}: {one}, {other}" for one, other, name in drawn)
    parts = [
        f'<figure><svg viewBox="0 0 {_WIDTH} {_SQUARE}" role="img" '
        f'aria-label="{visible(title)}. {visible(told)}">',
        f'<line class="axis" x1="0" y1="{bottom}" x2="{_WIDTH - _MARGIN}" y2="{bottom}"/>',
        f'<line class="axis" x1="1" y1="{_MARGIN}" x2="1" y2="{bottom}"/>',
        f'<text class="dim" x="{_MARGIN}" y="{_TEXT}">{percent(highest)}</text>',
        *(_mark(across(mark), bottom, percent(mark)) for mark in (lowest, 1.0)),
    ]
    for one, other, whose in drawn:
        x, y = across(one.value), up(other.value)
        (west, east), (south, north) = map(across, _ends(one)), map(up, _ends(other))
        parts.append(
            f'<line class="interval" x1="{west}" y1="{y}" x2="{east}" y2="{y}"/>'
            f'<line class="interval" x1="{x}" y1="{south}" x2="{x}" y2="{north}"/>'
            f'<circle class="value" cx="{x}" cy="{y}" r="5"/>'
            f'<text x="{x - 8}" y="{y - 8}" text-anchor="end">{visible(whose)}</text>'
        )
    legend = "Lower and further to the right is better; lines are 95% intervals."
    return f"{''.join(parts)}</svg><figcaption>{visible(title)}. {legend}</figcaption></figure>\n"


def _mark(place: float, bottom: float, text: str) -> str:
    """Write a number below the picture, inside of its edges."""
    side = "start" if place < _WIDTH / 4 else "end" if place > 3 * _WIDTH / 4 else "middle"
    return f'<text class="dim" x="{place}" y="{bottom + 18}" text-anchor="{side}">{text}</text>'


def _is_drawable(figure: Figure, ratios: bool) -> bool:
    """Tell whether a figure has a place on the scale."""
    numbers = (figure.value, *_ends(figure))
    return all(math.isfinite(number) and (number > 0 or not ratios) for number in numbers)


def _ends(figure: Figure) -> tuple[float, float]:
    """Return the ends of the interval; the value itself where there is none."""
    if math.isnan(figure.low):
        return figure.value, figure.value
    return figure.low, figure.high


def _marks(first: float, last: float, ratios: bool) -> list[float]:
    """Choose the numbers that are written below."""
    if not ratios:
        return [0.0, (first + last) / 2, last]
    marks = [1.0] + [math.exp(end) for end in (first, last) if abs(end) > 0.2]
    return sorted(set(marks))


def _short(value: float, ratios: bool) -> str:
    """Write a number of the scale."""
    return f"{value:.3g}" if ratios else percent(value)


def _cut(text: str) -> str:
    """Cut a name that is too long for the margin."""
    return text if len(text) <= _LETTERS else f"{text[: _LETTERS - 1]}…"


_TOPICS = {
    "dropped": "Whom the change dropped",
    "impact": "Impact tables",
    "reference": "The rows beside a population",
    "predictions": "What a classifier makes of the rows",
    "association": "What the labels go with",
    "leaks": "Duplicate rows",
    "sentences": "Rows whose words lean most",
    "representation": "Whom the rows speak of",
    "coverage": "What was read, and what was left alone",
}
_PLOTTED = ("flip_rate", "demographic_parity_difference", "equal_opportunity_difference",
            "false_positive_rate_difference", "precision_difference", "accuracy_difference",
            "equalized_odds_difference", *RATIOS, "mention_share", "mention_balance",
            "population_gap", "drop_rate_difference", "leak_share", "duplicate_share",
            "contradiction_share", "read_share", "changed_share")  # fmt: skip
_ONE_PLOT = 8
"""Up to so many figures of a measure stand in one picture; else each axis has its own."""
_READING = (
    "Intervals are 95% intervals: Wilson's for shares, Woolf's for odds ratios, Agresti and "
    "Caffo's for differences between groups, Bonett and Price's for differences between versions "
    "of the same rows. With more than two groups or versions, the end that is closest to no "
    "difference holds for all pairs together. Intervals say how much a figure would vary with "
    "other rows of the same kind, not whether the rows are of the right kind. Holm's method "
    "adjusts p-values for the number of tests of one analysis; those of labels between "
    "counterparts are adjusted by the largest figure of each permutation of the labels. Findings "
    "are ordered by the end of their interval that is closest to no difference, so a few rows "
    "alone put nothing first. Rows in two splits are ordered by their share. Findings from a "
    "probe that is not clearly better than the most frequent label come last. No figure here "
    "shows that a dataset or a model is fair: there may be more than was found."
)


def page(found: "Audit", *, first: str = "", last: str = "") -> str:
    """Write the page of an audit."""
    style = files("fair_datasets.auditing").joinpath("style.css").read_text("utf-8")
    compared = ""
    if found.changes:
        before = found.changes.before
        compared = f"<p>Compared with {name(before.title)}: rows {_rows(before)}.</p>\n"
    cards, others = cards_of(found)
    sections = [
        first,
        _answer(answer_of(found)),
        changes_section(found.changes) if found.changes else "",
        _cards(cards, f"What to look at in {found.title}" if found.changes else "What to look at"),
        '<section aria-labelledby="behind">\n<h2 id="behind">What is behind it</h2>\n',
        *_topics(found.parts),
        _record(others, cards),
        _unmeasured(found.unmeasured),
        _reading(found),
        "</section>\n",
        last,
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
<p class="dim">Rows: {_rows(found)}.</p>
{compared}</header>
<main>
{"".join(sections)}</main>
<footer><p class="dim">Made by fair_datasets {__version__}.</p></footer>
</body>
</html>
"""


def _rows(found: "Audit") -> str:
    """Write how many rows each split has."""
    return ", ".join(f"{name(split)} {count:,}" for split, count in found.rows.items())


def _answer(answer: Answer) -> str:
    """Write the three lines for who has half a minute."""
    lines = (
        ("What is wrong", sentence(answer.wrong)),
        ("How sure is that", sentence(answer.sure)),
        ("What to do", sentence(answer.to_do) + command_element(answer.command)),
    )
    items = "".join(f"<dt>{question}</dt><dd>{told}</dd>\n" for question, told in lines)
    return (
        '<section id="answer" aria-labelledby="answer-title">\n'
        f'<h2 id="answer-title">In short</h2>\n<dl class="answer">{items}</dl>\n</section>\n'
    )


def _cards(cards: Sequence[Card], title: str) -> str:
    """Write a card for each cause; what holds for several stands below them once."""
    if not cards:
        return ""
    counts = Counter(caution for card in cards for caution in cautions(card.findings))
    common = [caution for caution, count in counts.items() if count > 1]
    items = "".join(card_element(card, set(common)) for card in cards)
    below = f"<h3>What none of these shows</h3>\n{listed(common, 'dim')}" if common else ""
    return (
        '<section id="findings" aria-labelledby="findings-title">\n'
        f'<h2 id="findings-title">{visible(title)}</h2>\n{items}{below}</section>\n'
    )


def _topics(parts: Sequence[Part]) -> Iterator[str]:
    """Write what each analysis measured."""
    by_topic = {part.topic: part for part in parts if part.figures or part.tables}
    for topic, title in _TOPICS.items():
        if topic in by_topic:
            yield details(title, _topic(by_topic[topic]), topic)


def _topic(part: Part) -> str:
    """Write what one analysis measured: rates of groups, controls, pictures, figures and rows."""
    body = [f"<p>{sentence(note)}</p>\n" for note in part.notes]
    body += map(table_element, part.tables)
    for title, written in (
        ("Groups", "" if part.tables else group_table(part.figures)),
        ("Controls", control_table(part.figures)),
    ):
        body += [f"<h4>{title}</h4>\n{written}"] if written else []
    for measure in MEASURES:
        # Rates of groups stand in the table of all of them.
        is_told = measure in RATES and not part.tables
        own = [each for each in part.figures
               if each.measure == measure and not (is_told and each.attribute)]  # fmt: skip
        if own:
            body.append(f"<h4>{measure_title(measure)}</h4>\n<p>{visible(MEASURES[measure])}</p>\n")
            body += _plots(measure, own)
            body.append(measure_table(measure, own))
    return "".join([*body, _samples(part.samples)])


def _plots(measure: str, figures: Sequence[Figure]) -> Iterator[str]:
    """Draw the figures of a measure: those of all rows, as parts of them are in the table."""
    if measure not in _PLOTTED:
        return
    if measure in ("mention_share", "mention_balance"):
        figures = [figure for figure in figures if not figure.split and not figure.label]
    is_ratio = measure in RATIOS
    title = measure_title(measure)
    if len(figures) <= _ONE_PLOT:
        yield interval_plot(title, figures, lambda figure: figure.place or "all", ratios=is_ratio)
        return
    order = sorted(figures, key=lambda figure: -figure.value if figure.value == figure.value else 0)
    for axis in dict.fromkeys(figure.axis for figure in figures):
        own = [figure for figure in order if figure.axis == axis]
        yield interval_plot(f"{title}: {axis}", own, _within, ratios=is_ratio)


def _samples(samples: Sequence[Sample]) -> str:
    """Write rows that show something, by what they show."""
    if not samples:
        return ""
    by_note: dict[tuple[str, str], list[Sample]] = {}
    for sample in samples:
        note = sample.kind or sample.note
        by_note.setdefault((sample.axis, note), []).append(sample)
    parts = ["<h4>Rows that show it</h4>\n"]
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


def _record(findings: Sequence[Finding], cards: Sequence[Card]) -> str:
    """Write the findings of no card; a caution that a card has is not told again."""
    if not findings:
        return ""
    told = {caution for card in cards for caution in cautions(card.findings)}
    own = [caution for caution in cautions(findings) if caution not in told]
    body = finding_list(findings) + listed(own, "dim")
    return details("For the record", body, "record")


def _unmeasured(unmeasured: dict[str, str]) -> str:
    """Say what could not be measured, and why."""
    rows = [[(f"<code>{visible(measure)}</code>", False), (sentence(why), False)]
            for measure, why in unmeasured.items()]  # fmt: skip
    if not rows:
        return ""
    written = table("What could not be measured, and why.", ["measure", "why"], rows)
    return details("Not measured", written, "unmeasured")


def _reading(found: "Audit") -> str:
    """Say how figures are meant, and with which settings they were taken."""
    taken = dict.fromkeys(figure.measure for figure in found.figures)
    items = "".join(
        f"<dt><code>{measure}</code></dt><dd>{visible(text)}</dd>"
        for measure, text in MEASURES.items()
        if measure in taken
    )
    settings = indented(dict(found.settings))
    body = (
        f"<p>{visible(_READING)}</p>\n<dl>{items}</dl>\n<h4>Settings</h4>\n"
        f"<pre><code>{_block(settings)}</code></pre>\n"
    )
    return details("How to read this", body, "reading")


def _within(figure: Figure) -> str:
    """Name a figure of one axis by its other places."""
    return ", ".join(filter(None, figure.places[1:])) or "all"


def _block(text: str) -> str:
    """Escape lines that stay lines."""
    return "\n".join(map(visible, text.split("\n")))


_APART = ("flip_rate", "equalized_odds_difference", "demographic_parity_difference")
"""What is drawn against accuracy: of each axis, the first of these that there is."""
_DRAWN = 8
"""How many figures of a measure a picture has, each before and after."""
_CHANGES_READING = (
    "Each figure of all rows stands beside the one before. The 95% interval of a change comes "
    "from what changes row by row if both classifiers were asked about the same rows (Bonett and "
    "Price), and otherwise from the intervals of the two figures (Newcombe; Zou and Donner). "
    "Holm's method adjusts p for the number of comparisons. A figure is better if it is closer to "
    "no difference between people, to no leak, or to right predictions; other measures are "
    "neither better nor worse."
)


def changes_section(changes: Changes) -> str:
    """Write what changed."""
    cards, others = change_cards(changes)
    by_measure: dict[str, list[Change]] = {}
    for pair in changes.pairs:
        by_measure.setdefault(pair.before.measure, []).append(pair)
    counts = Counter(each for card in cards for each in cautions(card.findings))
    common = [caution for caution in cautions(changes.findings) if counts[caution] != 1]
    told = finding_list(others) + listed(common, "dim")
    figures = f"<p>{visible(_CHANGES_READING)}</p>{_trade_off(changes.pairs)}"
    figures += "".join(_measure(*each) for each in by_measure.items())
    return (
        '<section id="changes" aria-labelledby="changes-title">\n'
        '<h2 id="changes-title">What the change bought, and what it cost</h2>\n'
        f"{''.join(card_element(card, common) for card in cards)}"
        f"{details('What else differs, and what no change shows', told, 'differences')}"
        f"{details('Before and after', figures, 'before-after')}"
        "</section>\n"
    )


def _trade_off(pairs: Sequence[Change]) -> str:
    """Draw how right and how even-handed the two classifiers are, of each axis or column."""
    right = [pair for pair in pairs if pair.before.measure == "accuracy" and not pair.before.axis]
    apart = [pair for measure in _APART for pair in pairs
             if pair.before.measure == measure and not pair.before.attribute]  # fmt: skip
    by_axis = {pair.before.axis: pair for pair in reversed(apart)}
    return "".join(
        trade_off_plot(
            (right[0].before, right[0].after), (pair.before, pair.after),
            ("before", "after"), pair.before.measure.replace("_", " "),
        )
        for pair in reversed(by_axis.values())
        if right
    )  # fmt: skip


def _measure(measure: str, pairs: Sequence[Change]) -> str:
    """Draw and list the changes of a measure."""
    words = measure.replace("_", " ")
    title = f"{words[0].upper()}{words[1:]}, before and after"
    first = sorted(pairs, key=lambda pair: not pair.is_sure)[:_DRAWN]
    drawn = [
        replace(figure, split=", ".join(filter(None, (figure.split, side))))
        for pair in first
        for side, figure in (("before", pair.before), ("after", pair.after))
    ]
    plot = interval_plot(title, drawn, _place, ratios=measure in RATIOS)
    head = ["of", "before", "after", "change", "p, adjusted", "which is"]
    written = table(title, head, map(_cells, pairs))
    summary = f"{title}: {counted(len(pairs), 'comparison')}"
    return f"{plot}<details><summary>{summary}</summary>\n{written}</details>\n"


def _cells(pair: Change) -> list[tuple[str, bool]]:
    """Write a row of the table."""
    p_value = pair.figure.p_value
    verdict = pair.direction if pair.is_sure else "not sure"
    return [
        (name(_place(pair.before) or "all"), False),
        (written_value(pair.before), True),
        (written_value(pair.after), True),
        (written_change(pair), True),
        ("" if math.isnan(p_value) else f"{p_value:.3g}", True),
        ("different" if verdict == "other" else verdict, False),
    ]


def _place(figure: Figure) -> str:
    return figure.place
