"""HTML in which text from the data stays text."""

from collections.abc import Collection, Iterable, Sequence
from html import escape
from typing import Any

from fair_datasets.auditing.cards import Card, cautions
from fair_datasets.auditing.findings import Finding, Marked
from fair_datasets.cards.evidence import window

_LENGTH = 500
_LEAD = 120


def visible(text: Any) -> str:
    r"""Write a name as HTML on one line: control characters, and those that turn it, are shown.

    Returns:
        The escaped text.

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
    """Write a name apart from the direction of the text around it.

    Example:
        >>> name("a<b")
        '<bdi>a&lt;b</bdi>'
    """
    return f"<bdi>{visible(text)}</bdi>"


def sentence(text: str) -> str:
    """Write a sentence, in which there may be names of the data.

    Example:
        >>> sentence("1 < 2")
        '<bdi dir="ltr">1 &lt; 2</bdi>'
    """
    return f'<bdi dir="ltr">{visible(text)}</bdi>'


def marked(part: Marked) -> str:
    """Write a text of the data with its marked parts; a long one is cut around the first of them.

    Returns:
        The element; its lines stay lines.

    Example:
        >>> marked(Marked("<i>He ran.", ((3, 5, "man"),)))
        '<bdi class="text" dir="auto">&lt;i&gt;<mark title="man">He</mark> ran.</bdi>'
    """
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

    Args:
        common: What cannot be concluded and is told elsewhere.

    Returns:
        The element.

    Example:
        >>> card = Card("low", (Finding(severity="low", sentence="1 < 2"),))
        >>> card_element(card).splitlines()[:2]
        ['<article class="card low">', '<h3><bdi dir="ltr">1 &lt; 2</bdi></h3>']
    """
    own = [caution for caution in cautions(card.findings) if caution not in common]
    figures = finding_list(card.findings, [card.command])
    advice = f"<p>What to do: {sentence(card.advice)}</p>" if card.advice else ""
    return (
        f'<article class="card {card.severity}">\n<h3>{sentence(card.title)}</h3>\n'
        f"{listed(card.others, 'others')}"
        f'<p class="dim">{sentence(card.certainty)}</p>\n{advice}{command_element(card.command)}'
        "<details><summary>The figures, and what they do not show</summary>\n"
        f"{figures}{listed(own, 'dim')}</details>\n</article>\n"
    )


def finding_list(findings: Sequence[Finding], told: Sequence[str] = ()) -> str:
    """Write findings with their figures and their commands.

    Returns:
        The element; empty without findings.

    Example:
        >>> finding_list([Finding(severity="low", sentence="All is well.")])
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
    r"""Write sentences as a list of a class; nothing where there are none.

    Example:
        >>> listed([], "dim"), listed(["1 < 2"], "dim")
        ('', '<ul class="dim"><li><bdi dir="ltr">1 &lt; 2</bdi></li></ul>\n')
    """
    items = "".join(f"<li>{sentence(each)}</li>" for each in sentences)
    return f'<ul class="{kind}">{items}</ul>\n' if items else ""


def details(title: str, body: str, anchor: str) -> str:
    r"""Fold a part of the page behind its heading.

    Returns:
        The element.

    Example:
        >>> details("More", "<p>less</p>", "more")
        '<details id="more"><summary><h3>More</h3></summary>\n<p>less</p></details>\n'
    """
    return f'<details id="{anchor}"><summary><h3>{title}</h3></summary>\n{body}</details>\n'


def table(caption: str, head: Sequence[str], rows: Iterable[Sequence[tuple[str, bool]]]) -> str:
    """Write a table that scrolls by itself where it is too wide.

    Args:
        rows: Its cells, as HTML, and whether each is a number; the first is the head of its row.

    Returns:
        The element; empty without rows.

    Example:
        >>> '<th scope="row">a</th>' in table("Rows", ["of", "rows"], [[("a", False), ("1", True)]])
        True
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
    """Say that a cell is a number."""
    return ' class="number"' if is_number else ""


def _lines(text: str) -> str:
    """Escape a text whose lines stay lines; other control characters are shown."""
    return "\n".join(visible(line) for line in text.replace("\r\n", "\n").split("\n"))
