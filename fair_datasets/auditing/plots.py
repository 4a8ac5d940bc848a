"""Pictures of figures: where their dots and lines are."""

import math
from collections.abc import Callable, Iterator, Sequence

from fair_datasets.auditing.findings import RATIOS, Figure, format_percent
from fair_datasets.auditing.markup import element
from fair_datasets.auditing.tables import measure_title

_WIDTH, _MARGIN = 420, 8
_ROW, _TEXT, _BOTTOM = 38, 14, 28
"""Of each figure a line of text and, below it, the picture: so that a phone can show both."""
_SHOWN = 25
_SQUARE = 260
"""How high a picture of two scales is."""
_LETTERS = 34
_PLOTTED = ("flip_rate", "demographic_parity_difference", "equal_opportunity_difference",
            "false_positive_rate_difference", "precision_difference", "accuracy_difference",
            "equalized_odds_difference", *RATIOS, "mention_share", "mention_balance",
            "population_gap", "drop_rate_difference", "leak_share", "duplicate_share",
            "contradiction_share", "read_share", "changed_share")  # fmt: skip
_ONE_PLOT = 8
"""Up to so many figures of a measure stand in one picture; else each axis has its own."""


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
    return str(element("interval_plot", {
        "title": title, "width": _WIDTH, "height": bottom + _BOTTOM, "bottom": bottom,
        "left": _MARGIN, "right": _WIDTH - _MARGIN, "none": across(1.0 if ratios else 0.0),
        "values": "; ".join(f"{name(figure)}: {figure}" for figure in drawn),
        "more": f" The first {_SHOWN} of {len(able):,}." if len(able) > _SHOWN else "",
        "marks": [(_mark(across(mark)), _short(mark, ratios))
                  for mark in _marks(first, last, ratios)],
        "figures": [
            {
                "y": _ROW * number + _TEXT, "name": _cut(name(figure)), "rows": f"{figure.rows:,}",
                "value": _short(figure.value, ratios), "x": across(figure.value),
                **dict(zip(("low", "high"), map(across, _ends(figure)), strict=True)),
            }
            for number, figure in enumerate(drawn)
        ],
    }))  # fmt: skip


def trade_off_plot(
    right: Sequence[Figure], gaps: Sequence[Figure], names: Sequence[str], measure: str
) -> str:
    """Draw how right classifiers are against how far apart they put people."""
    drawn = [each for each in zip(right, gaps, names, strict=True)
             if all(math.isfinite(figure.value) for figure in each[:2])]  # fmt: skip
    if not drawn:
        return ""
    highest = min(1.0, max(1.1 * _ends(figure)[1] for _, figure, _ in drawn)) or 1.0
    lowest = max(0.0, 0.95 * min(_ends(figure)[0] for figure, _, _ in drawn))
    # Names stand to the left of their points.
    start, bottom = 8 * _MARGIN, _SQUARE - _BOTTOM
    width = _WIDTH - _MARGIN - start

    def across(value: float) -> float:
        return round(start + (value - lowest) / ((1 - lowest) or 1.0) * width, 1)

    def up(value: float) -> float:
        return round(bottom - value / highest * (bottom - _ROW), 1)

    points = []
    for one, other, whose in drawn:
        (west, east), (south, north) = map(across, _ends(one)), map(up, _ends(other))
        points.append({
            "x": across(one.value), "y": up(other.value), "west": west, "east": east,
            "south": south, "north": north, "name": whose,
        })  # fmt: skip
    place = f" of {gaps[0].axis}" if gaps[0].axis else ""
    return str(element("trade_off_plot", {
        "title": f"Accuracy (to the right) against the {measure}{place} (upward)",
        "values": "; ".join(f"{name}: {one}, {other}" for one, other, name in drawn),
        "width": _WIDTH, "height": _SQUARE, "bottom": bottom, "right": _WIDTH - _MARGIN,
        "margin": _MARGIN, "text": _TEXT, "highest": format_percent(highest), "points": points,
        "marks": [(_mark(across(mark)), format_percent(mark)) for mark in (lowest, 1.0)],
    }))  # fmt: skip


def plots_of(measure: str, figures: Sequence[Figure]) -> Iterator[str]:
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


def _mark(place: float) -> dict[str, float | str]:
    """Return where a number stands below the picture, inside of its edges."""
    side = "start" if place < _WIDTH / 4 else "end" if place > 3 * _WIDTH / 4 else "middle"
    return {"x": place, "side": side}


def _is_drawable(figure: Figure, ratios: bool) -> bool:
    """Whether a figure has a place on the scale."""
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
    return f"{value:.3g}" if ratios else format_percent(value)


def _cut(text: str) -> str:
    """Cut a name that is too long for the margin."""
    return text if len(text) <= _LETTERS else f"{text[: _LETTERS - 1]}…"


def _within(figure: Figure) -> str:
    """Name a figure of one axis by its other places."""
    return ", ".join(filter(None, figure.places[1:])) or "all"
