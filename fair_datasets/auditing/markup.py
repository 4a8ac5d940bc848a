"""HTML in which text from the data stays text, and the tables of a page."""

import math
from collections.abc import Collection, Iterable, Sequence
from html import escape
from typing import Any

from fair_datasets.auditing.cards import Card, cautions
from fair_datasets.auditing.findings import (
    BIAS_SCORES,
    COLLAPSED,
    RATIOS,
    Figure,
    Finding,
    Marked,
    Table,
    counted,
    percent,
    shared,
    verb,
)
from fair_datasets.cards.statements import window

_LENGTH = 500
_LEAD = 120


def visible(text: Any) -> str:
    r"""Write a name as HTML on one line: control characters, and those that turn it, are shown.

    Example:
        >>> visible('<b> "a"\n')
        '&lt;b&gt; &quot;a&quot;\\n'
    """
    shown = "".join(
        letter if letter.isprintable() else letter.encode("unicode_escape").decode("ascii")
        for letter in str(text)
    )
    return escape(shown, quote=True)


def name(text: Any) -> str:
    """Write a name apart from the direction of the text around it."""
    return f"<bdi>{visible(text)}</bdi>"


def sentence(text: str) -> str:
    """Write a sentence, in which there may be names of the data."""
    return f'<bdi dir="ltr">{visible(text)}</bdi>'


def marked(part: Marked) -> str:
    """Write a text of the data with its marked parts; a long one is cut around the first."""
    text, spans = part.text, part.spans
    first = spans[0][0] if spans else 0
    begin, end = window(len(text), first, length=_LENGTH, lead=_LEAD)
    pieces, position = ["…" if begin else ""], begin
    for start, stop, note in spans:
        if stop > end:
            end = min(end, start)
            break
        if start < position:
            continue
        pieces.append(_lines(text[position:start]))
        # A number is what the mark is about; other notes are told beside the text.
        shown = f"<small>{visible(note)}</small>" if note[:1] in "+-" else ""
        pieces.append(f'<mark title="{visible(note)}">{_lines(text[start:stop])}{shown}</mark>')
        position = stop
    pieces += [_lines(text[position:end]), "…" if end < len(text) else ""]
    return f'<bdi class="text" dir="auto">{"".join(pieces)}</bdi>'


def card_element(card: Card, common: Collection[str] = ()) -> str:
    r"""Write what is wrong of one cause, how sure that is, what to do, and what is behind it.

    Example:
        >>> card = Card("low", (Finding(sentence="1 < 2"),))
        >>> card_element(card).splitlines()[:2]
        ['<article class="card low">', '<h3><bdi dir="ltr">1 &lt; 2</bdi></h3>']
    """
    own = [caution for caution in cautions(card.findings) if caution not in common]
    figures = finding_list(card.findings, [card.command])
    advice = f"<p>What to do: {sentence(card.advice)}</p>" if card.advice else ""
    return (
        f'<article class="card {card.severity}">\n<h3>{sentence(card.title)}</h3>\n'
        f'<p class="dim">{sentence(card.certainty)}</p>\n{listed(card.others, "others")}'
        f"{advice}{command_element(card.command)}"
        "<details><summary>The figures, and what they do not show</summary>\n"
        f"{figures}{listed(own, 'dim')}</details>\n</article>\n"
    )


def finding_list(findings: Sequence[Finding], told: Sequence[str] = ()) -> str:
    """Write findings with their figures and their commands; empty without findings.

    Example:
        >>> finding_list([Finding(sentence="All is well.")])
        '<ul><li><bdi dir="ltr">All is well.</bdi></li></ul>'
    """
    items = "".join(
        f"<li>{sentence(each.sentence)}"
        f"{command_element(each.command) if each.command not in told else ''}</li>"
        for each in findings
    )
    return f"<ul>{items}</ul>" if items else ""


def command_element(command: str) -> str:
    r"""Write a command of the shell; nothing where there is none.

    Example:
        >>> command_element("ls"), command_element("")
        ('<pre><code>ls</code></pre>\n', '')
    """
    return f"<pre><code>{visible(command)}</code></pre>\n" if command else ""


def listed(sentences: Iterable[str], kind: str) -> str:
    r"""Write sentences as a list of a class; nothing where there are none."""
    items = "".join(f"<li>{sentence(each)}</li>" for each in sentences)
    return f'<ul class="{kind}">{items}</ul>\n' if items else ""


def details(title: str, body: str, anchor: str) -> str:
    r"""Fold a part of the page behind its heading.

    Example:
        >>> details("More", "<p>less</p>", "more")
        '<details id="more"><summary><h3>More</h3></summary>\n<p>less</p></details>\n'
    """
    return f'<details id="{anchor}"><summary><h3>{title}</h3></summary>\n{body}</details>\n'


def table(caption: str, head: Sequence[str], rows: Iterable[Sequence[tuple[str, bool]]]) -> str:
    """Write a table that scrolls by itself where it is too wide; empty without rows.

    Args:
        rows: Its cells, as HTML, and whether each is a number; the first is the head of its row.
    """
    lines = list(rows)
    if not lines:
        return ""
    numbers = [is_number for _, is_number in lines[0]]
    heads = "".join(
        f'<th scope="col"{_kind(is_number)}>{title}</th>'
        for title, is_number in zip(head, numbers, strict=True)
    )
    body = "".join(
        f'<tr><th scope="row">{cells[0][0]}</th>'
        + "".join(f"<td{_kind(is_number)}>{cell}</td>" for cell, is_number in cells[1:])
        + "</tr>\n"
        for cells in lines
    )
    return (
        f'<div class="scroll" tabindex="0" role="group" aria-label="{caption}">\n<table><caption>'
        f"{caption}</caption>\n<thead><tr>{heads}</tr></thead>\n<tbody>\n{body}</tbody></table></div>\n"
    )


def _kind(is_number: bool) -> str:
    return ' class="number"' if is_number else ""


def _lines(text: str) -> str:
    """Escape a text whose lines stay lines; other control characters are shown."""
    return "\n".join(visible(line) for line in text.replace("\r\n", "\n").split("\n"))


RATES = ("selection_rate", "true_positive_rate", "false_negative_rate", "false_positive_rate",
         "precision", "accuracy")  # fmt: skip
"""What is told of each group, side by side."""
_CONTROLS = ("_control", "_excess")
"""What the names of figures end in that stand beside the one that they control."""
_NUMBERS = (*RATIOS, "pmi", "impact_ratio", COLLAPSED, *BIAS_SCORES)
_SHIFTS = ("score_shift",)
_UNITS = {"left_share": "words"}
_NAMED = {
    "pmi": "PMI",
    "bias_score_95": "Bias score, 95th percentile",
    "bias_score_centred_95": "Bias score centred, 95th percentile",
}
_MOST = 300
"""How many figures of a measure a table shows."""


def cell_text(cell: str | int | float) -> str:
    """Write a cell of a table that is read as it stands.

    Example:
        >>> cell_text(1390), cell_text(0.97928), cell_text(0.0), cell_text(1e-9)
        ('1,390', '0.979', '0.000', '1e-09')
    """
    if isinstance(cell, str):
        return cell
    if isinstance(cell, int):
        return f"{cell:,}"
    if math.isnan(cell):
        return ""
    return f"{cell:.2g}" if 0 < abs(cell) < 0.0005 else f"{cell:.3f}"


def table_element(given: Table) -> str:
    """Write a table that is read as it stands, with its notes."""
    rows = [
        [(name(cell) if isinstance(cell, str) else cell_text(cell), not isinstance(cell, str))
         for cell in row]
        for row in given.rows
    ]  # fmt: skip
    head = list(map(visible, given.head))
    return f"{table(visible(given.title), head, rows)}{listed(given.notes, 'dim')}"


def measure_title(measure: str) -> str:
    """Write the name of a measure as words.

    Example:
        >>> measure_title("flip_rate"), measure_title("pmi")
        ('Flip rate', 'PMI')
    """
    words = measure.replace("_", " ")
    return _NAMED.get(measure, f"{words[0].upper()}{words[1:]}")


def measure_table(measure: str, figures: Sequence[Figure]) -> str:
    """Write all figures of a measure, folded."""
    held = [place for place in ("axis", "attribute", "label", "split")
            if any(getattr(figure, place) for figure in figures)]  # fmt: skip
    has_p = any(not math.isnan(figure.p_value) for figure in figures)

    def cells(figure: Figure) -> list[tuple[str, bool]]:
        places = [(name(getattr(figure, place) or "all"), False) for place in held]
        interval = ""
        if not math.isnan(figure.low):
            interval = f"{_written(measure, figure.low)} to {_written(measure, figure.high)}"
        found = [*(places or [("all", False)]), (_written(measure, figure.value), True),
                 (interval, True), (f"{figure.rows:,}", True)]  # fmt: skip
        return [*found, (_p_value(figure), True)] if has_p else found

    unit = _UNITS.get(measure, "rows")
    head = [*(held or ["of"]), "value", "interval", unit, *(["p, adjusted"] if has_p else [])]
    caption = measure_title(measure)
    if len(figures) > _MOST:
        caption += f": the first {_MOST:,} of {len(figures):,}; audit.parquet has all"
    written = table(visible(caption), head, map(cells, figures[:_MOST]))
    summary = f"{counted(len(figures), 'figure')} with {verb(len(figures), 'its', 'their')} {unit}"
    return f"<details><summary>{summary}</summary>\n{written}</details>\n"


def group_table(figures: Sequence[Figure]) -> str:
    """Write what a classifier does with each group, or with the rows as written for it."""
    rates = [figure for figure in figures if figure.measure in RATES and figure.attribute]
    labels: dict[str, list[str]] = {}
    for figure in rates:
        own = labels.setdefault(figure.axis, [])
        if figure.label and figure.label not in own:
            own.append(figure.label)
    rows: dict[tuple[str, str, str], dict[str, Figure]] = {}
    for figure in rates:
        # Of one label, accuracy stands beside its other rates; of several, it is of all of them.
        only = labels[figure.axis][0] if len(labels[figure.axis]) == 1 else ""
        place = figure.axis, figure.attribute, figure.label or only
        rows.setdefault(place, {})[figure.measure] = figure
    taken = [rate for rate in RATES if any(rate in each for each in rows.values())]
    head = ["group", "of", "label", *(measure_title(rate).lower() for rate in taken)]
    cells = [
        [(name(group), False), (name(axis), False), (name(label or "all"), False)]
        + [(_rate(found.get(rate)), True) for rate in taken]
        for (axis, group, label), found in rows.items()
    ]
    caption = "All rates of each group, with intervals of 95% and the rows that each is a share of"
    return table(caption, head, cells[:_MOST])


def control_table(figures: Sequence[Figure]) -> str:
    """Write each figure beside what the same change does to words that stand for nobody."""
    known = {(figure.measure, figure.places): figure for figure in figures}
    rows = []
    for figure in figures:
        stem = figure.measure.removesuffix("_difference")
        beside = [known.get((f"{stem}{end}", figure.places)) for end in _CONTROLS]
        if not any(beside):
            continue
        tested = next((each for each in (*beside, figure)
                       if each is not None and not math.isnan(each.p_value)), figure)  # fmt: skip
        rows.append([
            (measure_title(figure.measure), False), (name(figure.place or "all"), False),
            *((_beside(each), True) for each in (figure, *beside)),
            (_p_value(tested), True), (f"{figure.rows:,}", True),
        ])  # fmt: skip
    head = ["figure", "of", "swapped", "control", "beyond the control", "p, adjusted", "rows"]
    return table("Figures beside their controls", head, rows)


def _written(measure: str, value: float) -> str:
    if math.isnan(value):
        return "undefined"
    return f"{value:.3g}" if measure in _NUMBERS or measure.startswith(_SHIFTS) else percent(value)


def _rate(figure: Figure | None) -> str:
    """Write a rate with its interval and its rows."""
    return "" if figure is None else f"{shared(figure)} of {figure.rows:,}"


def _beside(figure: Figure | None) -> str:
    """Write a figure with its interval."""
    if figure is None:
        return ""
    value, low, high = (
        _written(figure.measure, each) for each in (figure.value, figure.low, figure.high)
    )
    return value if math.isnan(figure.low) else f"{value} [{low}, {high}]"


def _p_value(figure: Figure) -> str:
    return "" if math.isnan(figure.p_value) else f"{figure.p_value:.3g}"
