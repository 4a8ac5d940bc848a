"""Forms of laws: what fills their fields, and that each says what it rests on."""

import re
import tomllib
from functools import cache
from pathlib import Path

import pytest
from datasets import Dataset

from fair_datasets.auditing import forms as module
from fair_datasets.auditing.dataset import Audit, audit
from fair_datasets.auditing.findings import MEASURES
from fair_datasets.auditing.forms import forms
from fair_datasets.cards.croissant import FIELDS, term

FILE = Path(module.__file__).with_suffix(".toml")
FORMS = tomllib.loads(FILE.read_text("utf-8"))
PAGE = (FILE.parents[1] / "docs" / "evidence.md").read_text("utf-8")


@cache
def audited() -> Audit:
    """Audit sixty rows."""
    texts = ["He ran.", "She sat.", "Rain."] * 20
    rows = Dataset.from_dict({"text": texts, "label": [0, 1, 1] * 20})
    return audit(rows, "text", label="label", draws=2)


@pytest.mark.parametrize("name", FORMS)
def test_what_fills_a_field_exists(name: str) -> None:
    """A field of Croissant, the rows, the day, or a measure; and what nobody measures is told."""
    known = {*map(term, FIELDS), *MEASURES, "rows", "date", "distribution", "recordSet"}
    assert FORMS[name].keys() == {"law", "as_of", "rests_on", "fields"}
    for field in FORMS[name]["fields"]:
        assert {*field.get("fills", ())} <= known
        assert field["asked"]
        assert field["yours"]


@pytest.mark.parametrize("name", FORMS)
def test_each_form_says_when_it_was_written_and_what_it_rests_on(name: str) -> None:
    """As the page does; a source that was not read is told, and nothing is called compliant."""
    form = FORMS[name]
    assert re.fullmatch(r"\d+ \w+ 20\d\d", form["as_of"])
    assert f"As of {form['as_of']}" in PAGE
    assert re.search("primary|secondary", form["rests_on"])
    assert re.search("not read|could not be opened", form["rests_on"])
    assert f"`form_{name}.csv`" in PAGE
    assert "complian" not in FILE.read_text("utf-8").lower()


def test_figures_and_statements_fill_fields() -> None:
    """Each is named; a field that nothing fills is empty, and what is yours stands beside it."""
    rows = Dataset.from_dict(
        {"text": ["He ran.", "She sat.", "Rain."] * 20, "label": [0, 1, 1] * 20}
    )
    found = audit(rows, "text", label="label", draws=2)
    said = {"license": "mit", "rai:dataUseCases": ["Teaching.", "Tests."],
            "prov:wasGeneratedBy": [{"@type": "prov:Activity", "prov:label": "a swap"}],
            "rai:hasSyntheticData": True}  # fmt: skip
    made = dict(forms(found, said, "2026-11-30"))
    assert made.keys() == {f"form_{name}" for name in FORMS}
    bill = {each["asked_for"]: each["known"] for each in made["form_california_ab_2013"]}
    assert bill["number of data points, which may be a range"] == "rows: train 60"
    assert bill["copyright, trademark, patent, or public domain"] == "license: mit"
    assert bill["how the datasets further the purpose of the system"] == (
        "rai:dataUseCases: Teaching.; Tests."
    )
    assert bill["synthetic data generation"] == (
        "rai:hasSyntheticData: true\nprov:wasGeneratedBy: a swap"
    )
    assert bill["aggregate consumer information"] == ""
    work = {each["asked_for"]: each["known"] for each in made["form_california_employment"]}
    shares = [each for each in found.figures if each.measure == "selection_rate"]
    assert shares
    for each in shares:
        assert (
            f"selection_rate({', '.join(filter(None, each.places))}): {each}"
            in (work["anti-bias testing: results"])
        )
    assert work["anti-bias testing: how recent it is"] == "date: 2026-11-30"
    assert {each["rests_on"] for each in made["form_ai_act_4a"]} == {
        FORMS["ai_act_4a"]["rests_on"]
    }  # fmt: skip


def test_many_figures_of_a_measure_are_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rest is in the other tables."""
    monkeypatch.setattr(module, "_MOST", 0)
    (field,) = (each for each in dict(forms(audited(), {}, ""))["form_california_employment"]
                if each["asked_for"] == "anti-bias testing: results")  # fmt: skip
    assert re.search(r"^selection_rate: \d+ more in the tables$", field["known"], re.MULTILINE)
