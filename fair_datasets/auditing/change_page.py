"""The section of a page that tells what changed."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from fair_datasets.auditing.cards import cautions, change_cards
from fair_datasets.auditing.change_findings import written_change, written_value
from fair_datasets.auditing.changes import RATIOS, Change, Changes
from fair_datasets.auditing.findings import Figure
from fair_datasets.auditing.markup import (
    card_element,
    details,
    finding_list,
    listed,
    name,
    table,
    visible,
)
from fair_datasets.auditing.plots import interval_plot, trade_off_plot
from fair_datasets.auditing.wording import counted

_APART = ("flip_rate", "equalized_odds_difference", "demographic_parity_difference")
"""What is drawn against accuracy: of each axis, the first of these that there is."""
_DRAWN = 8
"""How many figures of a measure a picture has, each before and after."""
_READING = (
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
    figures = _trade_off(changes.pairs) + "".join(_measure(*each) for each in by_measure.items())
    return (
        '<section id="changes" aria-labelledby="changes-title">\n'
        '<h2 id="changes-title">What the change bought, and what it cost</h2>\n'
        f"{''.join(card_element(card, common) for card in cards)}"
        f"{details('What else differs, and what no change shows', told, 'differences')}"
        f"{details('Before and after', f'<p>{visible(_READING)}</p>{figures}', 'before-after')}"
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
