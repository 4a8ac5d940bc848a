"""The demo in a headless browser, as a visitor sees it."""

import csv
import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

pytestmark = pytest.mark.slow

DEMO = Path(__file__).parents[2] / "hub_scripts" / "demo"
FIRST = (
    "The waiter told John that his sister, a young actress, has a Bachelor's degree. "
    "He met her at the Prince Hotel."
)
# The elements that reach beyond the right edge, but for code and tabs, which scroll by themselves.
BEYOND = """[...document.querySelectorAll('#page *')]
    .filter(e => e.getClientRects().length && !e.closest('.cm-scroller, [role=tablist]'))
    .filter(e => e.getBoundingClientRect().right > innerWidth + 1).map(e => e.className)"""
INJECTION = "<img src=x onerror=alert(1)> <b>She</b> has a Bachelor's degree."


@pytest.fixture(scope="module")
def address(
    browser: Any, serve: Any, classifier: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    """Run the demo, whose owner named a model."""
    log = tmp_path_factory.mktemp("demo") / "log.txt"
    with serve(DEMO / "app.py", log, FAIR_DATASETS_DEMO_MODELS=str(classifier)) as found:
        yield found


@pytest.fixture
def page(visit: Callable[[str], Any], address: str) -> Iterator[Any]:
    """Open the demo, whose example is there before anything is pressed."""
    with visit(address) as found:
        found.locator("#after .highlighted").first.wait_for()
        yield found


def choose(page: Any, box: str, choice: str) -> None:
    """Choose in a box with a list."""
    page.locator(f"{box} input").click()
    page.get_by_role("option", name=choice, exact=True).click()


def check(page: Any, axis: str) -> None:
    """Choose an axis, or take it back."""
    page.locator("#text-axes").get_by_label(axis, exact=True).click()


def edits(page: Any) -> list[tuple[str, str]]:
    """Return the highlighted pieces and their labels."""
    found = page.locator("#after .highlighted").evaluate_all(
        "found => found.map(e => ['.text', '.label'].map(k => e.querySelector(k).innerText))"
    )
    return [(text, label) for text, label in found]


def rewrite(page: Any, text: str, after: str) -> None:
    """Type a text, press the button, and wait for the counterfactual."""
    page.locator("#text textarea").fill(text)
    page.locator("#rewrite").click()
    expect_plain(page, after)


def expect_plain(page: Any, text: str) -> None:
    """Wait for the counterfactual without marks."""
    page.wait_for_function(
        "text => document.querySelector('#plain textarea').value == text", arg=text
    )


def upload(page: Any, name: str, content: bytes) -> None:
    """Choose a file on the second tab, and wait until its columns are offered."""
    page.get_by_role("tab", name="CSV file").click()
    file = {"name": name, "mimeType": "text/csv", "buffer": content}
    page.locator("#upload input[type=file]").set_input_files(file)
    # The report of the example is taken away then.
    page.wait_for_function("!document.querySelector('#report textarea').value.includes('in: 6.')")


def expect_report(page: Any, pattern: str) -> None:
    """Wait for a sentence in the box of messages."""
    page.wait_for_function(
        "pattern => RegExp(pattern).test(document.querySelector('#report textarea').value)",
        arg=pattern,
    )


def test_the_page_opens_with_an_example_and_its_result(page: Any) -> None:
    """All of it is there before anything is pressed, on both tabs."""
    assert ("young", "was “elderly”") in edits(page)
    expect_plain(page, FIRST)
    reasons = page.locator("#verdicts").inner_text()
    assert "waitress rewritten to “waiter” (gender: woman; characters 4–12)" in reasons
    assert "Bachelor's degree left alone: it belongs to a phrase" in reasons
    assert "CounterfactualSwap(" in page.locator("#code").inner_text()
    assert page.get_by_text("What this cannot show").is_visible()
    page.get_by_role("tab", name="CSV file").click()
    expect_report(page, "Rows in: 6. Counterfactuals added: 5.")
    chart = page.locator("#counts").inner_text()
    assert re.search(r"woman\s+before\s+\d+\s+after\s+\d+", chart)
    assert "load_dataset(" in page.locator("#csv-code").inner_text()


def test_nothing_is_wider_than_the_screen(page: Any) -> None:
    """No scrolling to the side, however long the words are."""
    long = "supercalifragilistic" * 12
    rewrite(page, f"The waitress said {long} to her.", f"The waiter said {long} to him.")
    for width in (320, 390, 768, 1280):
        page.set_viewport_size({"width": width, "height": 844})
        for tab, button in (("Text", "#rewrite"), ("CSV file", "#augment")):
            page.get_by_role("tab", name=tab).click()
            page.locator(button).wait_for()
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            assert page.evaluate(BEYOND) == []


def test_the_copy_buttons_give_what_is_shown(page: Any, address: str) -> None:
    """The text holds no label and no markup; the code runs, and prints the text."""
    page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=address)
    page.locator("#plain button").click()
    page.wait_for_function("text => navigator.clipboard.readText().then(t => t == text)", arg=FIRST)
    page.locator("#code button").first.click()
    page.wait_for_function("navigator.clipboard.readText().then(t => t.includes('print(swap('))")
    code = page.evaluate("navigator.clipboard.readText()")
    ran = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, encoding="utf-8", check=True
    )
    assert ran.stdout.strip() == FIRST


def test_a_typed_text_is_shown_rewritten(page: Any) -> None:
    """The edits are highlighted with what stood there, and the text stands there without them."""
    text = "The waitress told Mary about her Bachelor's degree."
    rewrite(page, text, "The waiter told John about his Bachelor's degree.")
    assert edits(page) == [
        ("waiter", "was “waitress”"), ("John", "was “Mary”"), ("his", "was “her”"),
    ]  # fmt: skip


def test_axes_and_targets(page: Any) -> None:
    """The groups are those of the axes, and a choice is shown at once."""
    check(page, "age")
    check(page, "gender")
    page.locator("#message textarea").wait_for()
    assert "No axis is chosen" in page.locator("#message textarea").input_value()
    check(page, "race")
    page.locator("#text textarea").fill("Her white neighbours poured white wine.")
    page.locator("#rewrite").click()
    page.locator("#after").get_by_text("was “white”").wait_for()
    choose(page, "#text-targets", "asian")
    expect_plain(page, "Her Asian neighbours poured white wine.")
    verdicts = page.locator("#verdicts").inner_text()
    assert "white left alone: it does not describe people here" in verdicts
    check(page, "gender")
    expect_plain(page, "His Asian neighbours poured white wine.")


def test_names_pronouns_and_protection(page: Any) -> None:
    """The examples fill the settings in, and each can be changed."""
    page.get_by_role("button", name="Other pronouns").click()
    expect_plain(page, "Anna said that xe hurt xemself when xyr sibling drove xyr car.")
    choose(page, "#text-pronouns", "fae")
    expect_plain(page, "Anna said that fae hurt faerself when faer sibling drove faer car.")
    page.get_by_role("button", name="A protected name").click()
    page.locator("#verdicts").get_by_text("protected name").first.wait_for()
    plain, protect = page.locator("#plain textarea"), page.locator("#text-protect textarea")
    assert plain.input_value().startswith("Lily Novak")
    protect.fill("")
    protect.press("Enter")
    page.wait_for_function("!document.querySelector('#plain textarea').value.includes('Lily')")
    page.get_by_label("Swap names, too").first.click()
    page.wait_for_function("document.querySelector('#plain textarea').value.startsWith('Lily')")


def test_a_classifier_scores_both(page: Any) -> None:
    """The scores stand side by side, and go when the text changes."""
    page.locator("#score").click()
    page.locator("#scores").get_by_text("difference").first.wait_for()
    shown = page.locator("#scores").inner_text()
    assert all(label in shown for label in ("negative", "neutral", "positive"))
    rewrite(page, "It rained on her.", "It rained on him.")
    page.wait_for_function("!document.querySelector('#scores').innerText.includes('difference')")


def test_markup_is_shown_as_text(page: Any) -> None:
    """What a visitor types is never part of the page."""
    rewrite(page, INJECTION, INJECTION.replace("She", "He").replace("her", "his"))
    assert edits(page) == [("He", "was “She”")]
    assert "<img src=x onerror=alert(1)> <b>" in page.locator("#after").inner_text()
    assert page.locator("img[src=x]").count() == 0
    assert page.locator("#after b").count() == 0


def test_nothing_is_called_by_name(address: str) -> None:
    """The page offers no endpoints, so that all goes through its own components."""
    with urlopen(f"{address}/gradio_api/info") as answered:
        assert json.load(answered)["named_endpoints"] == {}


def test_a_visitor_reads_no_file_of_the_machine(address: str) -> None:
    """A path in place of a file is refused."""
    with pytest.raises(HTTPError, match=r"403|404"):
        urlopen(f"{address}/gradio_api/file={DEMO / 'app.py'}")


@pytest.mark.parametrize(("content", "sentence"), [
    (b"\x89PNG\r\n\x1a\n\x00", "The file is no text in UTF-8"),
    (b"text,label\nShe left, he stayed,1\n", "row 1 has 3 cells"),
    (b"text,<img src=x onerror=alert(1)>,<img src=x onerror=alert(1)>\na,b,c\n", "named '<img"),
    (b"text\n" + b"a" * 1_000_000, "The file has 1.0 MB"),
])  # fmt: skip
def test_a_bad_file_is_answered_by_a_sentence(page: Any, content: bytes, sentence: str) -> None:
    """The page says what is wrong with it as soon as it is there."""
    upload(page, "bad.csv", content)
    expect_report(page, sentence)
    assert page.locator("img[src=x]").count() == 0


def test_a_file_comes_back_augmented(page: Any, tmp_path: Path) -> None:
    """The download holds each row, then its counterfactual."""
    upload(page, "good.csv", '\ufeffid,text\n7,"She said: ""Hi"""\n8,Rain\n'.encode())
    page.wait_for_function("document.querySelector('#column input').value == 'text'")
    page.locator("#augment").click()
    expect_report(page, "Rows in: 2. Counterfactuals added: 1.")
    with page.expect_download() as download:
        page.locator("#download a[download]").first.click()
    assert download.value.suggested_filename == "augmented.csv"
    download.value.save_as(tmp_path / "got.csv")
    with (tmp_path / "got.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [(row["id"], row["text"], row["counterfactual"]) for row in rows] == [
        ("7", 'She said: "Hi"', "False"), ("7", 'He said: "Hi"', "True"), ("8", "Rain", "False"),
    ]  # fmt: skip


def test_pasted_rows_are_counted(page: Any) -> None:
    """The columns are those of the rows, and the chart has their groups."""
    page.get_by_role("tab", name="CSV file").click()
    page.locator("#rows textarea").fill("id;said\n1;She left.\n2;Her aunt sang.\n")
    page.locator("#rows textarea").blur()
    page.wait_for_function("document.querySelector('#column input').value == 'id'")
    choose(page, "#column", "said")
    page.locator("#augment").click()
    expect_report(page, "Rows in: 2. Counterfactuals added: 2.")
    chart = page.locator("#counts").inner_text()
    for name, before in (("woman", 3), ("man", 0)):
        assert re.search(rf"\b{name}\s+before\s+{before}\s+after\s+3\b", chart)
    assert "sep=';'" in page.locator("#csv-code").inner_text()


def test_a_page_without_a_model_says_so(visit: Any, serve: Any, tmp_path: Path) -> None:
    """The owner who wants none names none."""
    log = tmp_path / "log.txt"
    with (
        serve(DEMO / "app.py", log, FAIR_DATASETS_DEMO_MODELS="") as address,
        visit(address) as page,
    ):
        page.locator("#after .highlighted").first.wait_for()
        assert "No classifier is set up here" in page.locator("#scores").inner_text()
        assert page.locator("#score").count() == 0
