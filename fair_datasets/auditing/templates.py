"""What findings say: a template for each code, filled in with figures and names.

`texts.en.toml` holds the templates. An analysis gives a code, figures and a severity; terminals,
pages, cards and JSON show the finding that is made of them.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache, reduce
from operator import getitem
from typing import Any

from fair_datasets.auditing.findings import (
    Figure,
    Finding,
    Severity,
    counted,
    format_list,
    format_number,
    format_p_value,
    format_percent,
    format_points_ci,
    format_rounded_percent,
    format_share_ci,
    quoted,
)
from fair_datasets.auditing.texts import catalogue

_FIELDS = ("sentence", "caution", "advice", "headline", "about")
_FILTERS: Mapping[str, Callable[..., str]] = {
    "about": format_rounded_percent,
    "counted": counted,
    "joined": format_list,
    "number": "{:,}".format,
    "p_value": format_p_value,
    "percent": format_percent,
    "plain": format_number,
    "points": format_points_ci,
    "quoted": quoted,
    "shared": format_share_ci,
    "excess": lambda figure: _points(figure, ".1f"),
    "signed_points": lambda figure: _points(figure, "+.1f"),
}


def make_finding(
    code: str,
    figures: Sequence[Figure] = (),
    *,
    severity: Severity = "low",
    command: str = "",
    **values: Any,
) -> Finding:
    """Make a finding of its code, its figures, and what else its template names.

    Example:
        >>> make_finding("no_duplicates", several_splits=False).sentence
        'No row occurs twice.'
    """
    first = figures[0] if figures else None
    known = {
        **_entry(code), "code": code, "severity": severity, "command": command,
        "figures": figures, "figure": first,
    }  # fmt: skip
    written: dict[str, Any] = {
        field: " ".join(filter(None, (each.render(known, **values) for each in several)))
        for field, several in _templates(code).items()
    }
    return Finding(
        code=code, severity=severity, figures=tuple(figures), command=command,
        **{field: text for field, text in written.items() if text},
    )  # fmt: skip


def render_text(*place: str, **values: Any) -> str:
    """Write what is told of several findings, by the place of its template.

    Example:
        >>> render_text("texts", "group_of_each", axis="column sex")
        'Each row says the group of a person (column sex).'
    """
    return str(_template(reduce(getitem, place, catalogue())).render(values))


@cache
def _environment() -> Any:
    from jinja2 import Environment, StrictUndefined

    environment = Environment(undefined=StrictUndefined, autoescape=False)
    environment.filters |= _FILTERS
    return environment


@cache
def _template(text: str) -> Any:
    return _environment().from_string("".join([*catalogue()["macros"].values(), text]))


@cache
def _entry(code: str) -> Mapping[str, Any]:
    """Return the table of a code, with what it has from another one that it is like."""
    own = catalogue()[code]
    return {**catalogue()[own["like"]], **own} if "like" in own else own


@cache
def _templates(code: str) -> Mapping[str, Sequence[Any]]:
    """Return the templates of each field of a finding."""
    cautions, templates = catalogue()["cautions"], {}
    for field in _FIELDS:
        given = _entry(code).get(field, "")
        several = [given] if isinstance(given, str) else given
        texts = [cautions.get(each, each) for each in several]
        templates[field] = list(map(_template, texts))
    return templates


def _points(figure: Figure, digits: str) -> str:
    """Write a difference of shares in points, with its interval."""
    value, *ends = (f"{100 * each:{digits}}" for each in (figure.value, figure.low, figure.high))
    return f"{value} points [{', '.join(ends)}]"
