"""Write what is made: pages, pictures, the citation file, and the site.

    python -m fair_datasets.docs.build
    python -m fair_datasets.docs.build --site DIR
    python -m fair_datasets.docs.build --check-release

Run the first after a public name, a command, a measure or what the demo does has changed; a test
compares.
"""

import argparse
import textwrap
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

from fair_datasets.cli.demo import SAMPLE
from fair_datasets.cli.inputs import load_input
from fair_datasets.cli.preview import edited_rows
from fair_datasets.docs.addresses import citation, missing
from fair_datasets.docs.site import names_page, write_site
from fair_datasets.swap.counterfactual import CounterfactualSwap
from fair_datasets.swap.row_results import count_mentions
from fair_datasets.version import __version__

_ROWS = 4
_WIDTH, _MARGIN = 860, 28
_LETTER, _LINE = 7.2, 21
_LETTERS = 110
_INK, _FAINT, _FRAME = "#1f2328", "#59636e", "#d1d9e0"
# Okabe and Ito's orange and blue, which people with any colour vision can tell apart.
_SIDES = {"before": "#E69F00", "after": "#56B4E9"}
_ATTRIBUTES = ("#CC79A7", "#009E73", "#F0E442")
_BAR = 26

# A text and the parts of it that were removed or added: start and end.
_Marked = tuple[str, Sequence[tuple[int, int]]]


def demo_picture() -> str:
    """Draw the first rows that the demo rewrites, and its mentions before and after.

    Example:
        >>> demo_picture().startswith("<svg ")
        True
    """
    technique = CounterfactualSwap(columns="text", id_column="id")
    rows = load_input(str(SAMPLE), technique.columns, None)["train"]
    augmented = technique.apply(rows)
    changed = (row for row in edited_rows(rows[:], technique) if row)
    pairs = [(text, edits) for row in islice(changed, _ROWS) for text, edits in row]
    counts = {
        f"{len(dataset)} rows {side}": count_mentions(dataset, "text")
        for side, dataset in (("before", rows), ("after", augmented))
    }
    return _svg(pairs, counts)


def _svg(
    pairs: Sequence[tuple[str, Sequence[Mapping[str, Any]]]],
    counts: Mapping[str, Mapping[str, int]],
) -> str:
    """Draw texts with their edits above bars of counts."""
    drawn: list[str] = []
    top = _MARGIN + 12
    drawn.append(_text(_MARGIN, top, "$ fair-datasets demo", _FAINT))
    top += 14
    for text, edits in pairs:
        top += 10
        places = [(edit["start"], edit["end"]) for edit in edits]
        for side, marked in (("before", (text, places)), ("after", _added(text, edits))):
            drawn.append(_text(_MARGIN, top + _LINE, "-" if side == "before" else "+", _FAINT))
            for line in _lines(*marked):
                top += _LINE
                drawn += _marked(line, top, _SIDES[side])
    top += 26
    drawn.append(f'<path d="M{_MARGIN} {top}H{_WIDTH - _MARGIN}" stroke="{_FRAME}"/>')
    mentions: Counter[str] = Counter()
    for title, tally in counts.items():
        top += 18
        drawn += _bar(title, tally, top)
        top += _BAR
        mentions.update(tally)
    top += 30
    drawn += _legend(mentions, top)
    return _framed(drawn, top + _MARGIN - 6)


def _framed(drawn: Sequence[str], height: int) -> str:
    """Put what was drawn on a light ground, which is read on a dark page too."""
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{height}" '
        f'viewBox="0 0 {_WIDTH} {height}" role="img" aria-labelledby="title description">',
        '<title id="title">What fair-datasets demo does</title>',
        '<desc id="description">Comments before and after the swap with the changed words marked, '
        "and bars of how often each attribute is mentioned before and after.</desc>",
        f'<rect x="0.5" y="0.5" width="{_WIDTH - 1}" height="{height - 1}" rx="10" fill="#ffffff" '
        f'stroke="{_FRAME}"/>',
        "<g font-family=\"ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace\" "
        'font-size="12">',
        *drawn,
        "</g>",
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _added(text: str, edits: Sequence[Mapping[str, Any]]) -> _Marked:
    """Return a text after its edits, and where they are."""
    after, places, position = "", [], 0
    for edit in edits:
        after += text[position : edit["start"]]
        places.append((len(after), len(after) + len(edit["after"])))
        after += edit["after"]
        position = edit["end"]
    return after + text[position:], places


def _lines(text: str, places: Sequence[tuple[int, int]]) -> Iterator[_Marked]:
    """Break a text into lines, each with the marks that it has."""
    # Every white space becomes one space, so that places stay what they are.
    text = "".join(" " if letter.isspace() else letter for letter in text)
    start = 0
    for line in textwrap.wrap(text, _LETTERS):
        start = text.index(line, start)
        end = start + len(line)
        within = (range(max(first, start), min(last, end)) for first, last in places)
        yield line, [(mark.start - start, mark.stop - start) for mark in within if mark]
        start = end


def _marked(line: _Marked, top: float, colour: str) -> Iterator[str]:
    """Draw a line of text, its marked parts on colour."""
    text, places = line
    x = _MARGIN + 2 * _LETTER
    position = 0
    for start, end in places:
        yield from _run(text, position, start, x, top)
        width = (end - start) * _LETTER
        yield (
            f'<rect x="{x + start * _LETTER - 1:.1f}" y="{top - 14}" width="{width + 2:.1f}" '
            f'height="19" rx="3" fill="{colour}" fill-opacity="0.45"/>'
        )
        yield from _run(text, start, end, x, top)
        position = end
    yield from _run(text, position, len(text), x, top)


def _run(text: str, start: int, end: int, x: float, top: float) -> Iterator[str]:
    """Draw a part of a line, spaces at its ends left out."""
    part = text[start:end]
    start += len(part) - len(part.lstrip())
    if part.strip():
        yield _text(x + start * _LETTER, top, part.strip(), _INK)


def _text(x: float, top: float, text: str, colour: str) -> str:
    """Draw a text as wide as its letters are many, whatever font there is."""
    return (
        f'<text x="{x:.1f}" y="{top}" textLength="{len(text) * _LETTER:.1f}" '
        f'lengthAdjust="spacingAndGlyphs" fill="{colour}">{escape(text)}</text>'
    )


def _bar(title: str, counts: Mapping[str, int], top: float) -> Iterator[str]:
    """Draw counts side by side as shares of a bar."""
    yield _text(_MARGIN, top + 17, title, _FAINT)
    x = _MARGIN + 17 * _LETTER
    full = _WIDTH - _MARGIN - x
    total = sum(counts.values())
    for (_, count), colour in zip(counts.items(), _ATTRIBUTES, strict=True):
        if not count:
            continue
        width = full * count / total
        yield (
            f'<rect x="{x:.1f}" y="{top}" width="{width - 2:.1f}" height="{_BAR}" rx="4" '
            f'fill="{colour}" fill-opacity="0.45"/>'
        )
        yield _text(x + 10, top + 17, f"{count} ({100 * count / total:.1f} %)", _INK)
        x += width


def _legend(mentions: Mapping[str, int], top: float) -> Iterator[str]:
    """Yield which colour is which attribute, and which is never mentioned."""
    yield _text(_MARGIN, top, "mentions of", _FAINT)
    x = _MARGIN + 17 * _LETTER
    for (attribute, count), colour in zip(mentions.items(), _ATTRIBUTES, strict=True):
        name = attribute if count else f"{attribute} (none)"
        yield (
            f'<rect x="{x:.1f}" y="{top - 12}" width="14" height="14" rx="3" fill="{colour}" '
            'fill-opacity="0.45"/>'
        )
        yield _text(x + 22, top, name, _INK)
        x += 22 + (len(name) + 3) * _LETTER


FOLDER = Path(__file__).parent
ROOT = FOLDER.parents[1]
MADE: Mapping[str, Callable[[], str]] = {"names.md": names_page, "picture.svg": demo_picture}


def main() -> None:
    """Write the files."""
    parser = argparse.ArgumentParser(description="Write what is made of the documentation.")
    parser.add_argument(
        "--out", type=Path, default=FOLDER, help="the folder of the pages (default: this one)"
    )
    parser.add_argument("--site", type=Path, metavar="DIR", help="write the site into a folder")
    parser.add_argument(
        "--check-release", action="store_true", help="list what is missing for a release"
    )
    options = parser.parse_args()
    if options.check_release:
        changelog = Path("CHANGELOG.md")
        if not changelog.is_file():
            raise SystemExit("There is no CHANGELOG.md; run this in the folder of a checkout.")
        raise SystemExit("\n".join(missing(changelog.read_text("utf-8"), __version__)) or None)
    if options.site:
        write_site(options.site)
        return
    for name, make in MADE.items():
        (options.out / name).write_text(make(), "utf-8")
    if options.out == FOLDER and (ROOT / ".github").is_dir():
        (ROOT / ".github" / "CITATION.cff").write_text(citation(__version__), "utf-8")


if __name__ == "__main__":
    main()
