"""HTML by templates in which text from the data stays text."""

from collections.abc import Iterator
from functools import cache
from html import escape
from typing import Any

from fair_datasets.auditing.cards import cautions
from fair_datasets.auditing.findings import Marked
from fair_datasets.cards.statements import window

_LENGTH = 500
_LEAD = 120


def visible(text: Any) -> Any:
    r"""Write a text as HTML on one line: control characters, and those that turn it, are shown.

    HTML that a template made stays as it is.

    Example:
        >>> str(visible('<b> "a"\n'))
        '&lt;b&gt; &quot;a&quot;\\n'
    """
    from markupsafe import Markup

    if isinstance(text, Markup):
        return text
    shown = "".join(
        letter if letter.isprintable() else letter.encode("unicode_escape").decode("ascii")
        for letter in str(text)
    )
    return Markup(escape(shown))


def lines(text: str) -> Any:
    """Write a text whose lines stay lines; other control characters are shown."""
    from markupsafe import Markup

    return Markup("\n").join(map(visible, text.replace("\r\n", "\n").split("\n")))


def pieces(part: Marked) -> Iterator[tuple[str, str | None, str]]:
    """Divide a text of the data by its marks; a long one is cut around the first.

    Yields:
        A part of the text, the note on it if it is marked, and what of the note is shown beside it:
        a number, as that is what the mark is about.
    """
    text, spans = part.text, part.spans
    first = spans[0][0] if spans else 0
    begin, end = window(len(text), first, length=_LENGTH, lead=_LEAD)
    yield "…" if begin else "", None, ""
    position = begin
    for start, stop, note in spans:
        if stop > end:
            end = min(end, start)
            break
        if start < position:
            continue
        yield text[position:start], None, ""
        yield text[start:stop], note, note if note[:1] in "+-" else ""
        position = stop
    yield text[position:end], None, ""
    yield "…" if end < len(text) else "", None, ""


@cache
def _environment() -> Any:
    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup

    environment = Environment(
        loader=PackageLoader("fair_datasets.auditing", ""), autoescape=True, finalize=visible,
        undefined=StrictUndefined,
    )  # fmt: skip
    environment.filters |= {
        "cautions": cautions, "html": Markup, "lines": lines, "number": "{:,}".format,
        "pieces": pieces,
    }  # fmt: skip
    return environment


def element(kind: str, *given: Any, template: str = "elements.html.jinja") -> Any:
    """Write one part of a page: HTML, which a page takes as it is.

    Args:
        kind: The name of a macro of the template.

    Example:
        >>> str(element("name", "<b>"))
        '<bdi>&lt;b&gt;</bdi>'
    """
    return getattr(_environment().get_template(template).module, kind)(*given)


def rendered(template: str, **given: Any) -> str:
    """Write what a template of this package makes of some values."""
    return str(_environment().get_template(template).render(**given))
