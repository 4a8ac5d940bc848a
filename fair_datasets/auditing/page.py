"""The page of an audit: one file of HTML with its style and its pictures, and nothing else."""

import json
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from importlib.resources import files
from typing import TYPE_CHECKING

from fair_datasets.auditing.cards import Answer, Card, answer_of, cards_of, cautions, change_cards
from fair_datasets.auditing.change_findings import written_change, written_value
from fair_datasets.auditing.changes import RATIOS, Change, Changes
from fair_datasets.auditing.findings import MEASURES, Figure, Finding, Part, Sample, counted
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
from fair_datasets.auditing.plots import interval_plot, trade_off_plot
from fair_datasets.version import __version__

if TYPE_CHECKING:
    from fair_datasets.auditing.dataset import Audit

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
_RATIOS = ("odds_ratio",)
_PLOTTED = ("flip_rate", "demographic_parity_difference", "equal_opportunity_difference",
            "false_positive_rate_difference", "precision_difference", "accuracy_difference",
            "equalized_odds_difference", "odds_ratio", "mention_share", "mention_balance",
            "population_gap", "drop_rate_difference", "leak_share", "duplicate_share",
            "contradiction_share", "read_share", "changed_share")  # fmt: skip
_ONE_PLOT = 8
"""Up to so many figures of a measure stand in one picture; else each axis has its own."""
_READING = (
    "Intervals are 95% intervals: Wilson's for shares, Woolf's for odds ratios, Newcombe's for "
    "differences between groups, Bonett and Price's for differences between versions of the same "
    "rows. With more than two groups or versions, they hold for all pairs together. Intervals say "
    "how much a figure would vary with other rows of the same kind, not whether the rows are of "
    "the right kind. Holm's method adjusts p-values for the number of tests of one analysis. "
    "Findings are ordered by the end of their interval that is closest to no difference, so a few "
    "rows alone put nothing first. Rows in two splits are ordered by their share. Findings from a "
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
    is_ratio = measure in _RATIOS
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
        # A score is of each row by itself.
        note = "the highest bias scores" if sample.note.startswith("bias score") else sample.note
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
    settings = json.dumps(dict(found.settings), indent=2)
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
    """Name a figure by all its places."""
    return figure.place
