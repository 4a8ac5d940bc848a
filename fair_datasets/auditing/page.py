"""The page of an audit: one file of HTML with its style and its pictures, and nothing else."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from importlib.resources import files
from typing import Any

from fair_datasets.auditing.cards import Card, answer_of, cards_of, cautions, change_cards
from fair_datasets.auditing.change_findings import written_change, written_value
from fair_datasets.auditing.changes import Change
from fair_datasets.auditing.findings import MEASURES, RATIOS, Figure, Part, Sample, counted
from fair_datasets.auditing.markup import rendered
from fair_datasets.auditing.plots import interval_plot, plots_of, trade_off_plot
from fair_datasets.auditing.record import AuditRecord, Changes
from fair_datasets.auditing.tables import (
    RATES,
    Cell,
    Grid,
    control_grid,
    grid_of,
    group_grid,
    measure_grid,
    measure_title,
    p_value,
)
from fair_datasets.auditing.texts import catalogue
from fair_datasets.system.files import indented
from fair_datasets.version import __version__

_GAPS = ("flip_rate", "equalized_odds_difference", "demographic_parity_difference")
"""What is drawn against accuracy: of each axis, the first of these that there is."""
_DRAWN = 8
"""How many figures of a measure a picture has, each before and after."""


def page(audit: AuditRecord, *, first: str = "", last: str = "") -> str:
    """Write the page of an audit."""
    cards, others = cards_of(audit)
    taken = {figure.measure for figure in audit.figures}
    why = [[Cell(measure, "code"), Cell(reason, "sentence")]
           for measure, reason in audit.unmeasured.items()]  # fmt: skip
    return rendered(
        "page.html.jinja", audit=audit, first=first, last=last, version=__version__,
        style=files("fair_datasets.auditing").joinpath("style.css").read_text("utf-8"),
        answer=answer_of(audit), changes=_changes(audit.changes) if audit.changes else None,
        cards=cards, common=_common(cards), others=others, topics=_topics(audit.parts),
        # A caution that a card has is not told again.
        shown={caution for card in cards for caution in cautions(card.findings)},
        unmeasured=Grid("What could not be measured, and why.", ["measure", "why"], why),
        measures={name: text for name, text in MEASURES.items() if name in taken},
        settings=indented(dict(audit.settings)),
    ) + "\n"  # fmt: skip


def _common(cards: Iterable[Card]) -> list[str]:
    """Return what cannot be concluded from several cards, which stands below them once."""
    counts = Counter(caution for card in cards for caution in cautions(card.findings))
    return [caution for caution, count in counts.items() if count > 1]


def _topics(parts: Sequence[Part]) -> Iterator[dict[str, Any]]:
    """Give what each analysis measured: rates of groups, controls, pictures, figures and rows."""
    by_topic = {part.topic: part for part in parts if part.figures or part.tables}
    for topic, title in catalogue()["topics"].items():
        if topic in by_topic:
            part = by_topic[topic]
            yield {
                "name": topic, "title": title, "notes": part.notes,
                "tables": list(map(grid_of, part.tables)),
                "groups": group_grid(() if part.tables else part.figures),
                "controls": control_grid(part.figures), "measures": _measures(part),
                "samples": _samples(part.samples),
            }  # fmt: skip


def _measures(part: Part) -> Iterator[dict[str, Any]]:
    """Give the pictures and the table of each measure."""
    for measure in MEASURES:
        # Rates of groups stand in the table of all of them.
        is_in_table = measure in RATES and not part.tables
        own = [each for each in part.figures
               if each.measure == measure and not (is_in_table and each.attribute)]  # fmt: skip
        if own:
            summary, grid = measure_grid(measure, own)
            yield {
                "title": measure_title(measure), "text": MEASURES[measure],
                "plots": list(map(_html, plots_of(measure, own))), "summary": summary,
                "table": grid,
            }  # fmt: skip


def _html(text: str) -> Any:
    """Mark a picture as HTML."""
    from markupsafe import Markup

    return Markup(text)


def _samples(samples: Sequence[Sample]) -> dict[tuple[str, str], list[Sample]]:
    """Return rows that show something, by axis and what they show."""
    groups: dict[tuple[str, str], list[Sample]] = {}
    for sample in samples:
        groups.setdefault((sample.axis, sample.kind or sample.note), []).append(sample)
    return groups


def _changes(changes: Changes) -> dict[str, Any]:
    """Return what changed."""
    cards, others = change_cards(changes)
    by_measure: dict[str, list[Change]] = {}
    for pair in changes.pairs:
        by_measure.setdefault(pair.before.measure, []).append(pair)
    counts = Counter(each for card in cards for each in cautions(card.findings))
    return {
        "before": changes.before, "cards": cards, "others": others,
        "common": [each for each in cautions(changes.findings) if counts[each] != 1],
        "plots": list(map(_html, _trade_offs(changes.pairs))),
        "measures": [_measure(*each) for each in by_measure.items()],
    }  # fmt: skip


def _trade_offs(pairs: Sequence[Change]) -> Iterator[str]:
    """Draw how right and how even-handed the two classifiers are, of each axis or column."""
    right = [pair for pair in pairs if pair.before.measure == "accuracy" and not pair.before.axis]
    gaps = [pair for measure in _GAPS for pair in pairs
             if pair.before.measure == measure and not pair.before.attribute]  # fmt: skip
    by_axis = {pair.before.axis: pair for pair in reversed(gaps)}
    for pair in reversed(by_axis.values()) if right else ():
        yield trade_off_plot(
            (right[0].before, right[0].after), (pair.before, pair.after), ("before", "after"),
            pair.before.measure.replace("_", " "),
        )  # fmt: skip


def _measure(measure: str, pairs: Sequence[Change]) -> dict[str, Any]:
    """Draw and list the changes of a measure."""
    words = measure.replace("_", " ")
    title = f"{words[0].upper()}{words[1:]}, before and after"
    first = sorted(pairs, key=lambda pair: not pair.is_sure)[:_DRAWN]
    drawn = [
        replace(figure, split=", ".join(filter(None, (figure.split, side))))
        for pair in first
        for side, figure in (("before", pair.before), ("after", pair.after))
    ]
    head = ["of", "before", "after", "change", "p, adjusted", "which is"]
    return {
        "plot": _html(interval_plot(title, drawn, _place, ratios=measure in RATIOS)),
        "summary": f"{title}: {counted(len(pairs), 'comparison')}",
        "table": Grid(title, head, list(map(_cells, pairs))),
    }


def _cells(pair: Change) -> list[Cell]:
    """Write a row of the table."""
    verdict = pair.direction if pair.is_sure else "not sure"
    numbers = (
        written_value(pair.before), written_value(pair.after), written_change(pair),
        p_value(pair.figure),
    )  # fmt: skip
    return [
        Cell(_place(pair.before) or "all", "name"),
        *(Cell(number, "number") for number in numbers),
        Cell("different" if verdict == "other" else verdict),
    ]


def _place(figure: Figure) -> str:
    return figure.place
