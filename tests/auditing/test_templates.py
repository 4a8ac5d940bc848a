"""Templates of findings: each code has one, and each is used."""

import re
import tomllib
from importlib.resources import files

import pytest

from fair_datasets.auditing.findings import Figure
from fair_datasets.auditing.templates import _templates, told

PACKAGE = files("fair_datasets.auditing")
CATALOGUE = tomllib.loads(PACKAGE.joinpath("texts.en.toml").read_text("utf-8"))
OTHERS = (
    "answers", "cautions", "macros", "measures", "on_request", "plain", "rates", "starts", "texts",
    "topics",
)  # fmt: skip
CODES = [code for code in CATALOGUE if code not in OTHERS]
SOURCES = "".join(
    path.read_text("utf-8") for path in PACKAGE.iterdir() if path.name.endswith(".py")
)


@pytest.mark.parametrize("code", CODES)
def test_each_template_can_be_read_and_is_used(code: str) -> None:
    """It says what was found, and knows no field or caution that there is not."""
    entry = {**CATALOGUE.get(CATALOGUE[code].get("like"), {}), **CATALOGUE[code]}
    assert entry.keys() <= {"about", "advice", "caution", "headline", "like", "sentence", "start"}
    assert entry["sentence"]
    assert _templates(code)["sentence"]
    assert f'"{code}"' in SOURCES
    names = [each for each in entry.get("caution", ()) if re.fullmatch(r"\w+", each)]
    assert set(names) <= CATALOGUE["cautions"].keys()


def test_no_other_text_is_left_over() -> None:
    """Each answer and each text of several findings is asked for by its name."""
    names = [*CATALOGUE["answers"], *CATALOGUE["texts"]]
    assert [name for name in names if f'"{name}"' not in SOURCES] == []


def test_no_caution_is_left_over() -> None:
    """Each is named by a template."""
    named = {name for code in CODES for name in CATALOGUE[code].get("caution", ())}
    assert CATALOGUE["cautions"].keys() <= named


def test_data_in_a_sentence_stay_as_they_are() -> None:
    """Neither what looks like a template nor what looks like HTML is taken for it."""
    figure = Figure(measure="duplicate_share", value=0.5, rows=1234)
    found = told("duplicates", [figure], severity="medium", count=617, split="{{ 7 * 7 }}<b>")
    assert found.sentence.startswith("617 rows of {{ 7 * 7 }}<b> (50.0% of 1,234) repeat the texts")
    assert (found.code, found.severity, found.about) == ("duplicates", "medium", "limitation")
    one = told("duplicates", [figure], count=1, split="a")
    assert one.headline == "1 row of a is a duplicate."
