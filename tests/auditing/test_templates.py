"""Templates of findings: each code has one, and each is used."""

import re
import tomllib
from importlib.resources import files

import pytest

from fair_datasets.auditing.findings import LIKELY, NEAR, Figure
from fair_datasets.auditing.templates import _templates, make_finding

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


@pytest.mark.parametrize("wrong", [
    r"\bintervals?\b(?! of| to tell)",
    r"(?<! difference of)(?<! excess of) \{\{ figure \| (points|signed_points|excess) \}\}",
    r"hardly better",
])  # fmt: skip
def test_an_interval_is_of_a_figure_and_worse_is_not_better(wrong: str) -> None:
    """A sentence says of which one; and what is worse, or may be, is not called better."""
    text = " ".join(
        PACKAGE.joinpath("texts.en.toml").read_text("utf-8").replace("\\\n", " ").split()
    )
    assert re.findall(rf".{{30}}{wrong}.{{30}}", text) == []


@pytest.mark.parametrize(("value", "usual", "is_one", "end"), [
    (0.4, 0.6, False, "is worse than always giving one answer."),
    (0.62, 0.6, False, "is not clearly better than always giving one answer."),
    (0.99, 0.9, True, "gives nearly all rows one answer."),
])  # fmt: skip
def test_a_weak_classifier_is_called_what_it_is(
    value: float, usual: float, is_one: bool, end: str
) -> None:
    """Worse, not clearly better, or one that gives one answer."""
    figure = Figure(measure="accuracy", value=value, rows=100)
    found = make_finding("accuracy", [figure], severity="medium", name="It", usual=usual,
                         majority=1.0, is_near=not is_one, is_one=is_one, of_whom="")  # fmt: skip
    assert found.headline == f"It {end}"
    assert ("which is more" in found.sentence) == (value < usual)


@pytest.mark.parametrize(("p_value", "end"), [
    (0.045, "not told apart from the control (p = 0.045, above the threshold of 0.02)."),
    (0.3, "not told apart from the control (p = 0.3)."),
    (0.02, "p = 0.02."),
])  # fmt: skip
def test_a_control_has_a_threshold_of_its_own(p_value: float, end: str) -> None:
    """It is told where p is beyond it, and would be small enough elsewhere."""
    figure = Figure(measure="score_shift", value=0.5, rows=100, label="good", p_value=p_value)
    found = make_finding(
        "control_shift",
        [figure],
        first="man",
        second="woman",
        are_two=True,
        control=0.1,
        likely=LIKELY,
        near=NEAR[1],
        by_refits=False,
        draws=99,
        without=0,
        lacking=(),
        of_whom="",
    )
    assert found.sentence.endswith(end)


def test_data_in_a_sentence_stay_as_they_are() -> None:
    """Neither what looks like a template nor what looks like HTML is taken for it."""
    figure = Figure(measure="duplicate_share", value=0.5, rows=1234)
    found = make_finding(
        "duplicates", [figure], severity="medium", count=617, split="{{ 7 * 7 }}<b>"
    )
    assert found.sentence.startswith("617 rows of {{ 7 * 7 }}<b> (50.0% of 1,234) repeat the texts")
    assert (found.code, found.severity, found.about) == ("duplicates", "medium", "limitation")
    one = make_finding("duplicates", [figure], count=1, split="a")
    assert one.headline == "1 row of a is a duplicate."
