"""Pictures of figures with their intervals, as SVG inside the page."""

import math
from collections.abc import Callable, Sequence

from fair_datasets.auditing.findings import Figure, percent
from fair_datasets.auditing.markup import visible

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

    Returns:
        The figure as HTML, with all values as text; empty if there is nothing to draw.
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
    """Draw how right classifiers are against how far apart they put people.

    Args:
        apart: How far apart each puts people: a share or a difference of shares.

    Returns:
        The figure as HTML, with all values as text; empty where nothing is defined.
    """
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
    for one, other, name in drawn:
        x, y = across(one.value), up(other.value)
        (west, east), (south, north) = map(across, _ends(one)), map(up, _ends(other))
        parts.append(
            f'<line class="interval" x1="{west}" y1="{y}" x2="{east}" y2="{y}"/>'
            f'<line class="interval" x1="{x}" y1="{south}" x2="{x}" y2="{north}"/>'
            f'<circle class="value" cx="{x}" cy="{y}" r="5"/>'
            f'<text x="{x - 8}" y="{y - 8}" text-anchor="end">{visible(name)}</text>'
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
