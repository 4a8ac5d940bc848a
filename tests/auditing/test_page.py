"""The page in a browser: at three widths, light and dark, and with hostile names and texts."""

import re
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from datasets import Dataset, DatasetDict

from fair_datasets import audit

EVIL = "<script>document.title='run'</script><img src=x onerror=\"document.title='run'\">"
COLUMN = f'"><svg onload=1>{EVIL}\n\u202e'
# What reaches beyond the right edge, but for tables, which scroll by themselves.
BEYOND = """[...document.querySelectorAll('body *')].filter(e => !e.closest('.scroll'))
    .filter(e => e.getBoundingClientRect().right > innerWidth + 1).map(e => e.outerHTML)"""
ELEMENTS = "[...document.querySelectorAll('script, img, iframe, link, object')].length"


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write the audit of rows whose every name and text is hostile."""
    texts = [f"He {EVIL} is a nurse {number}" for number in range(30)]
    texts += [f"She ran\r\n\0 {number} " + "x" * 700 for number in range(30)]
    texts += ["\u05e9\u05dc\u05d5\u05dd he said", None, "Man the boats! \u202e"]
    labels = [EVIL] * 30 + ["</style></main>"] * 30 + ["a" * 500, "\u202eb", "b"]
    rows = Dataset.from_dict(
        {COLUMN: texts, f"l{COLUMN}": labels, "g": ["<i>" * 30, "y", "y"] * 21}
    )
    leaked = {COLUMN: [f"She {EVIL} is a nurse 7"], f"l{COLUMN}": [EVIL], "g": ["y"]}
    splits = DatasetDict({"train": rows, "te<st": Dataset.from_dict(leaked)})
    before = audit(rows, COLUMN, label=f"l{COLUMN}", axis=("gender", "race"), title=f"0 {EVIL}")
    found = audit(
        splits, COLUMN, label=f"l{COLUMN}", groups="g", axis=("gender", "race"), title=EVIL,
        source=EVIL, before=before,
    )  # fmt: skip
    folder = tmp_path_factory.mktemp("page")
    found.save(folder)
    return folder / "audit.html"


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (768, "dark"), (360, "light")])
def test_the_page_fits_and_nothing_in_it_runs(
    browser: Any, page: Path, width: int, scheme: str
) -> None:
    """It loads nothing besides, and shows hostile text as text."""
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
    shown, asked, said = context.new_page(), [], []
    shown.on("request", lambda request: asked.append(request.url))
    shown.on("console", lambda message: said.append(message.text))
    shown.goto(page.as_uri())
    shown.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
    assert asked == [page.as_uri()]
    assert said == []
    assert shown.title() == f"Audit of {EVIL}"
    assert shown.evaluate(ELEMENTS) == 0
    assert shown.evaluate("document.documentElement.scrollWidth") <= width
    assert shown.evaluate(BEYOND) == []
    assert EVIL in shown.locator("h1").inner_text()
    assert EVIL in shown.locator(".samples").first.inner_text().replace("\n", " ")
    ground = shown.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (ground == "rgb(255, 255, 255)") == (scheme == "light")
    context.close()


def test_the_page_can_be_read_by_keyboard_and_by_ear(browser: Any, page: Path) -> None:
    """One title, no heading left out, a name for each picture and table, headings that open."""
    shown = browser.new_page()
    shown.goto(page.as_uri())
    levels = shown.evaluate("[...document.querySelectorAll('h1,h2,h3,h4')].map(e => +e.tagName[1])")
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))
    assert shown.evaluate("document.documentElement.lang") == "en"
    assert shown.evaluate("[...document.querySelectorAll('svg')].every("
                          "e => e.role == 'img' && e.getAttribute('aria-label'))")  # fmt: skip
    assert shown.evaluate("[...document.querySelectorAll('table')].every("
                          "e => e.caption && e.querySelector('th[scope=col]'))")  # fmt: skip
    # What is behind a heading opens by the keyboard.
    shown.keyboard.press("Tab")
    assert shown.evaluate("document.activeElement.tagName") == "SUMMARY"
    shown.keyboard.press("Enter")
    assert shown.evaluate("document.activeElement.parentElement.open")
    shown.close()


def test_colours_are_told_apart_from_their_ground() -> None:
    """By a contrast of 4.5 to 1, as WCAG asks of text, light and dark."""
    style = files("fair_datasets.auditing").joinpath("style.css").read_text("utf-8")
    for block in re.findall(r":root \{([^}]*)\}", style):
        colours = dict(re.findall(r"--(\w+): #(\w+)", block))
        for name in ("ink", "dim", "high", "medium", "low", "bar"):
            for ground in ("ground", "card"):
                assert contrast(colours[name], colours[ground]) >= 4.5, (name, ground)
        assert contrast(colours["ink"], colours["mark"]) >= 4.5


def contrast(first: str, second: str) -> float:
    """Return the contrast of two colours, as WCAG 2 defines it."""
    lights = []
    for colour in (first, second):
        full = "".join(2 * digit for digit in colour) if len(colour) == 3 else colour
        parts = [int(full[place : place + 2], 16) / 255 for place in (0, 2, 4)]
        linear = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        weights = (0.2126, 0.7152, 0.0722)
        lights.append(sum(w * p for w, p in zip(weights, linear, strict=True)) + 0.05)
    return max(lights) / min(lights)


def test_without_samples_no_text_of_the_rows_is_in_what_is_written() -> None:
    """But for words of the lists."""
    rows = Dataset.from_dict({"text": ["He hid the xylophone.", "Man the xylophone!"] * 30,
                              "y": [0, 1] * 30})  # fmt: skip
    found = audit(rows, "text", label="y", samples=0)
    assert "xylophone" not in found.page()
    assert "xylophone" not in found.to_json()
    assert "xylophone" in audit(rows, "text", label="y").page()
