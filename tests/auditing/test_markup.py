"""Text of the data stays text, whatever it holds."""

import re
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fair_datasets.auditing.findings import Figure, Marked
from fair_datasets.auditing.markup import element
from fair_datasets.auditing.plots import interval_plot, plots_of, trade_off_plot
from fair_datasets.auditing.tables import Cell, Grid

TEXTS = st.text(max_size=40) | st.sampled_from(
    ["<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "&lt;b&gt;", "</style>", "'\"",
     "\u202eabc", "\0", "\x1b[31m", "two\r\nlines", "שלום", "]]>", "<!--", "&amp;"]
)  # fmt: skip


class Reader(HTMLParser):
    """What a browser makes of HTML: the elements and the text."""

    def __init__(self, text: str) -> None:
        """Read it."""
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[str] = []
        self.text = ""
        self.feed(str(text))
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep the element."""
        self.tags.append(tag)
        self.attributes += [key for key, _ in attrs]

    def handle_data(self, data: str) -> None:
        """Keep the text."""
        self.text += data


@given(TEXTS)
@settings(max_examples=50)
def test_names_are_shown_as_they_are(text: str) -> None:
    """On one line; what cannot be seen is written out."""
    read = Reader(element("name", text))
    assert read.tags == ["bdi"]
    assert read.text.isprintable()
    assert not (text.isprintable() and read.text != text)


@given(TEXTS, TEXTS, TEXTS)
@settings(max_examples=50)
def test_marked_texts_are_shown_as_they_are(before: str, word: str, after: str) -> None:
    """But for the mark, and the lines stay lines."""
    span = (len(before), len(before + word), "why <b>\"'")
    read = Reader(element("text_of", Marked(before + word + after, (span,))))
    assert read.tags == ["bdi", "mark"]
    assert set(read.attributes) == {"class", "dir", "title"}
    plain = (before + word + after).replace("\r\n", "\n")
    if all(line.isprintable() for line in plain.split("\n")):
        assert read.text == plain


def test_a_long_text_is_cut_around_what_is_marked() -> None:
    """Of ten thousand letters, about five hundred are shown."""
    text = "a" * 5000 + " HERE " + "b" * 5000
    read = Reader(element("text_of", Marked(text, ((5001, 5005, "x"),))))
    assert "HERE" in read.text
    assert len(read.text) < 600
    assert read.text[0] == read.text[-1] == "…"


@given(TEXTS)
@settings(max_examples=50)
def test_pictures_hold_names_as_text(text: str) -> None:
    """In the picture, and in what a screen reader says of it."""
    figure = Figure(measure="flip_rate", value=0.5, rows=3, low=0.1, high=0.9, axis=text)
    read = Reader(interval_plot(text, [figure], lambda figure: figure.axis))
    assert set(read.tags) == {"figure", "svg", "line", "text", "circle", "tspan", "figcaption"}
    assert not {"onload", "onerror", "href", "src"} & set(read.attributes)


def test_a_table_has_heads_for_its_columns_and_rows() -> None:
    """And scrolls by the keyboard where it is too wide."""
    grid = Grid("<what>", ["of", "rows"], [[Cell("<a>", "name"), Cell("1", "number")]])
    read = Reader(element("table", grid))
    assert read.tags.count("th") == 3
    assert read.attributes.count("scope") == 3
    assert {"tabindex", "aria-label"} <= set(read.attributes)
    assert "<what>" in read.text
    assert not element("table", Grid("", ["of"], []))


@pytest.mark.parametrize("ratios", [False, True])
def test_what_is_not_defined_is_not_drawn(ratios: bool) -> None:
    """Nor what has no logarithm; nothing is drawn of nothing."""
    odd = [float("nan"), 0.0 if ratios else float("nan"), float("inf")]
    figures = [Figure(measure="pmi", value=value, rows=0) for value in odd]
    assert not interval_plot("nothing", figures, str, ratios=ratios)


def test_ratios_are_drawn_by_their_logarithm() -> None:
    """A half lies as far from 1 as two."""
    figures = [Figure(measure="odds_ratio", value=value, rows=1) for value in (0.5, 1.0, 2.0)]
    text = interval_plot("odds", figures, str, ratios=True)
    places = [float(part.split('"')[0]) for part in text.split('<circle class="value" cx="')[1:]]
    assert places[1] - places[0] == pytest.approx(places[2] - places[1], abs=0.11)


@pytest.mark.parametrize("values", [(0.25, 0.5), (-0.5, -0.25), (-0.25, 0.5)])
def test_shares_and_differences_are_drawn_from_zero(values: tuple[float, float]) -> None:
    """The lengths from the line at 0 are as the values; below 0 it is to the left."""
    figures = [Figure(measure="flip_rate", value=value, rows=1) for value in values]
    text = interval_plot("flips", figures, str)
    parts = re.split('class="(?:reference" x1|value" cx)="', text)[1:]
    zero, first, second = (float(part.split('"')[0]) for part in parts)
    assert (first - zero) / (second - zero) == pytest.approx(values[0] / values[1], abs=0.01)
    assert (first > zero) is (values[0] > 0)


def test_classifiers_are_drawn_where_their_figures_are() -> None:
    """In the middle of their intervals, with the name up and to the left, within the picture."""
    right = [Figure(measure="accuracy", value=v, low=v - 0.1, high=v + 0.1, rows=1)
             for v in (0.5, 0.8)]  # fmt: skip
    apart = [Figure(measure="flip_rate", value=v, low=v - 0.02, high=v + 0.02, rows=1)
             for v in (0.06, 0.12)]  # fmt: skip
    drawn = ElementTree.fromstring(trade_off_plot(right, apart, ["old", "new"], "flips"))[0]
    *_, width, height = (float(part) for part in drawn.attrib["viewBox"].split())
    dots = [[float(each.attrib[end]) for end in ("cx", "cy")] for each in drawn.iter("circle")]
    lines = [[float(each.attrib[end]) for end in ("x1", "x2", "y1", "y2")]
             for each in drawn.iter("line") if each.attrib["class"] == "interval"]  # fmt: skip
    names = {each.text: each for each in drawn.iter("text") if each.text in ("old", "new")}
    assert list(names) == ["old", "new"]
    for (x, y), across, up, label in zip(
        dots, lines[::2], lines[1::2], names.values(), strict=True
    ):
        assert (sum(across[:2]) / 2, *across[2:]) == pytest.approx((x, y, y), abs=0.11)
        assert (*up[:2], sum(up[2:]) / 2) == pytest.approx((x, x, y), abs=0.11)
        assert across[1] - across[0] > 40 < up[2] - up[3]
        assert x - float(label.attrib["x"]) == y - float(label.attrib["y"]) > 5
        assert 0 < x < width
        assert 0 < y < height
    assert dots[0][0] < dots[1][0]
    assert dots[0][1] - dots[1][1] == pytest.approx(3 * (lines[1][2] - lines[1][3]) / 2, abs=0.2)


def test_pictures_stay_as_they_are() -> None:
    """Many figures, of which one has a long name; ratios, near and far from 1; three classifiers.

    Look at `pictures.html` beside this file after you change how they are drawn.
    """
    shares = [Figure(measure="flip_rate", value=k / 40, low=k / 50, high=k / 30, rows=1000 * k,
                     axis="an axis " * (k + 2)) for k in range(28)]  # fmt: skip
    ratios = [Figure(measure="odds_ratio", value=v, low=v / 1.5, high=v * 1.5, rows=40)
              for v in (0.9, 1.0, 1.1, 3.0)]  # fmt: skip
    near = [Figure(measure="odds_ratio", value=v, rows=40) for v in (0.9, 1.2)]
    mentions = [Figure(measure="mention_share", value=k / 9, rows=9, attribute=f"group {k}",
                       axis=("race", "age")[k % 2]) for k in range(9)]  # fmt: skip
    parts = [replace(mentions[0], split="test"), replace(mentions[1], label="spam")]
    drawn = [
        interval_plot("Flips", shares, lambda each: each.axis),
        interval_plot("Few", shares[:1], lambda each: each.measure),
        interval_plot("Odds", ratios, lambda each: each.measure, ratios=True),
        interval_plot("Near", near, lambda each: each.measure, ratios=True),
        trade_off_plot(shares[20:23], shares[1:4], ["a", "b", "c"], "flips"),
        *plots_of("mention_share", [*mentions[:8], *parts]),
        *plots_of("mention_share", mentions),
    ]
    assert "".join(drawn) == Path(__file__).with_name("pictures.html").read_text("utf-8")
