"""The demo in a headless browser, as a visitor sees it."""

import csv
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

DEMO = Path(__file__).parents[2] / "hub_scripts" / "demo"
INJECTION = "<img src=x onerror=alert(1)> <b>She</b> has a Bachelor's degree."


@pytest.fixture(scope="module")
def address(
    browser: Any, serve: Callable[..., Any], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    """Run the demo."""
    with serve(DEMO / "app.py", tmp_path_factory.mktemp("demo") / "log.txt") as found:
        yield found


@pytest.fixture
def page(visit: Callable[[str], Any], address: str) -> Iterator[Any]:
    """Open the demo."""
    with visit(address) as found:
        yield found


def choose(page: Any, box: str, choice: str) -> None:
    """Choose in a box with a list."""
    page.locator(f"{box} input").click()
    page.get_by_role("option", name=choice, exact=True).click()


def edits(page: Any) -> list[tuple[str, str]]:
    """Return the highlighted pieces and their labels."""
    found = page.locator("#after .highlighted")
    found.first.wait_for()
    return [
        tuple(found.nth(k).locator(part).inner_text() for part in (".text", ".label"))
        for k in range(found.count())
    ]


def upload(page: Any, name: str, content: bytes) -> None:
    """Choose a file on the second tab."""
    page.get_by_role("tab", name="CSV file").click()
    file = {"name": name, "mimeType": "text/csv", "buffer": content}
    page.locator("#upload input[type=file]").set_input_files(file)
    page.locator("#upload").get_by_text(Path(name).stem).first.wait_for()


def expect_report(page: Any, pattern: str) -> None:
    """Wait for a sentence in the box of messages."""
    page.wait_for_function(
        "pattern => RegExp(pattern).test(document.querySelector('#report textarea').value)",
        arg=pattern,
    )


def test_a_typed_text_is_shown_rewritten(page: Any) -> None:
    """The edits are highlighted with what stood there, and each word has its reason."""
    page.locator("#text textarea").fill("The waitress told Mary about her Bachelor's degree.")
    page.locator("#rewrite").click()
    assert edits(page) == [
        ("waiter", "was “waitress”"),
        ("John", "was “Mary”"),
        ("his", "was “her”"),
    ]
    reasons = page.locator("#verdicts").inner_text()
    assert re.search(r"waitress\s+woman\s+rewritten to “waiter”", reasons)
    assert "left alone: it belongs to a phrase that is left alone" in reasons
    limits = page.get_by_text("What this cannot show")
    assert limits.is_visible()


def test_axis_and_target(page: Any) -> None:
    """The targets are those of the axis."""
    choose(page, "#axis", "race")
    page.wait_for_function("document.querySelector('#target input').value.startsWith('another')")
    choose(page, "#target", "asian")
    page.locator("#text textarea").fill("Her white neighbours poured white wine.")
    page.locator("#rewrite").click()
    assert edits(page) == [("Asian", "was “white”")]
    assert "white wine" in page.locator("#verdicts").inner_text()


def test_markup_is_shown_as_text(page: Any) -> None:
    """What a visitor types is never part of the page."""
    page.locator("#text textarea").fill(INJECTION)
    page.locator("#rewrite").click()
    assert edits(page) == [("He", "was “She”")]
    assert "<img src=x onerror=alert(1)> <b>" in page.locator("#after").inner_text()
    assert page.locator("img[src=x]").count() == 0
    assert page.locator("#after b").count() == 0


def test_no_text_is_answered_by_a_sentence(page: Any) -> None:
    """Nothing breaks, and nothing is shown but the sentence."""
    page.locator("#rewrite").click()
    page.locator("#message textarea").wait_for()
    assert "There is no text yet" in page.locator("#message textarea").input_value()


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"\x89PNG\r\n\x1a\n\x00", "The file is no text in UTF-8"),
        (b"text,label\nShe left, he stayed,1\n", "row 1 has 3 cells"),
        (b"text,<img src=x onerror=alert(1)>,<img src=x onerror=alert(1)>\na,b,c\n", "named '<img"),
        (b"text\n" + b"a" * 1_000_000, "The file has 1.0 MB"),
    ],
)
def test_a_bad_file_is_answered_by_a_sentence(page: Any, content: bytes, sentence: str) -> None:
    """The page says what is wrong with it as soon as it is there."""
    upload(page, "bad.csv", content)
    expect_report(page, sentence)
    assert page.locator("img[src=x]").count() == 0


def test_a_column_that_is_not_there(page: Any) -> None:
    """A name that was typed wrongly is answered with the names that exist."""
    upload(page, "good.csv", b"text,label\nShe left.,1\n")
    page.wait_for_function("document.querySelector('#column input').value == 'text'")
    page.locator("#column input").fill("txet")
    page.locator("#column input").press("Enter")
    page.locator("#augment").click()
    expect_report(page, "there is no column 'txet'.*Did you mean 'text'")


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
        ("7", 'She said: "Hi"', "False"),
        ("7", 'He said: "Hi"', "True"),
        ("8", "Rain", "False"),
    ]
