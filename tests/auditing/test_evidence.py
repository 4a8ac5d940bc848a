"""The evidence of an audit: scenarios that people write, tables, and flat figures."""

import csv
import json
import math
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest
from datasets import Dataset

from fair_datasets import audit
from fair_datasets.auditing import Audit
from fair_datasets.auditing.evidence import Outcome, Scenario
from fair_datasets.auditing.findings import Figure, Part
from fair_datasets.system.checks import InputError

FILLED = """\
[[scenario]]
group = "nurses who are women"
harm = "they are found less often"
measure = "mention_share(gender, woman)"
must_be = "at least"
threshold = 0.4
threshold_set_by = "the team"
control = "more rows"
left = "names"
look_again = 2020-01-31
"""


@pytest.fixture(scope="module")
def found() -> Audit:
    """Audit a few rows, before and after one of them was swapped."""
    before = Dataset.from_dict({"text": ["He ran.", "He won.", "She sat.", "It rained."]})
    after = Dataset.from_dict({"text": ["He ran.", "She won.", "She sat.", "It rained."]})
    return audit(after, "text", before=audit(before, "text"))


def rows_of(path: Path) -> list[dict[str, str]]:
    """Read a table."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_a_draft_is_written_first_and_kept_once_it_is_filled_in(
    found: Audit, tmp_path: Path
) -> None:
    """The page then begins with its scenarios, beside what was measured."""
    place = tmp_path / "evidence"
    found.save_evidence(place, card={"license": "mit"})
    assert sorted(path.name for path in place.iterdir()) == [
        "audit.html", "audit.json", "audit.parquet", "croissant.json", "scenarios.toml", "tables",
    ]  # fmt: skip
    draft = tomllib.loads((place / "scenarios.toml").read_text("utf-8"))["scenario"][0]
    assert draft["measure"].startswith("mention_balance(gender")
    assert draft["harm"] == draft["threshold"] == draft["threshold_set_by"] == ""
    assert "is a draft" in (place / "audit.html").read_text("utf-8")
    with pytest.raises(InputError, match=r"scenario 1: still empty: harm \(how, where"):
        found.save_evidence(place)
    (place / "scenarios.toml").write_text(FILLED)
    found.save_evidence(place, card={"license": "mit"})
    assert (place / "scenarios.toml").read_text() == FILLED
    (row,) = rows_of(place / "tables" / "scenarios.csv")
    assert row["before"].startswith("0.25 [")
    assert row["after"].startswith("0.5 [")
    assert row["threshold is"] == "kept, but not surely"
    assert row["look again"] == "2020-01-31 (overdue)"
    page = (place / "audit.html").read_text("utf-8")
    assert page.index("nurses who are women") < page.index("In short")
    assert "It does not prove compliance" in page
    assert page.index("How to read this") < page.index("rai:dataUseCases")
    data = json.loads((place / "croissant.json").read_text("utf-8"))
    assert data["license"] == "mit"
    told, *_ = data["rai:personalSensitiveInformation"]
    assert told == "Of 4 rows, 25.0% have words for man and 50.0% have words for woman (gender)."


def test_every_figure_is_in_a_table(found: Audit, tmp_path: Path) -> None:
    """One for each analysis, and those before beside them; stale ones go."""
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables" / "old.csv").write_text("a\n")
    found.save_evidence(tmp_path)
    tables = {path.stem: rows_of(path) for path in (tmp_path / "tables").iterdir()}
    own = [part for part in found.parts if part.figures]
    assert found.changes is not None
    assert tables.keys() == {
        *(part.topic for part in own), *(f"{part.topic}_before" for part in own), "changes",
        "findings", "not_measured", "form_ai_act_4a", "form_california_ab_2013",
        "form_california_employment", "form_colorado_sb_26_189",
    }  # fmt: skip
    for part in own:
        assert len(tables[part.topic]) == len(part.figures)
    balance = next(row for row in tables["changes"] if row["measure"] == "mention_balance_change")
    assert float(balance["after"]) == pytest.approx(2 / 3)


def test_tables_that_are_handed_in_are_there_as_they_stand(tmp_path: Path) -> None:
    """With the sentences below them; a scenario is drafted on the side that is too low."""
    rows = Dataset.from_dict(
        {"sex": ["f"] * 40 + ["m"] * 40 + [None], "hired": [0] * 40 + [1] * 41}
    )
    (tmp_path / "all.csv").write_text("sex,share\nf,0.9\nm,0.1\n")
    found = audit(rows, table="impact", groups="sex", selected="hired",
                  reference=str(tmp_path / "all.csv"))  # fmt: skip
    place = tmp_path / "evidence"
    found.save_evidence(place)
    first, second = rows_of(place / "tables" / "impact_table_by_sex.csv")
    assert (first["category"], first["assessed"], first["impact ratio"]) == ("f", "40", "0.0")
    assert (second["category"], second["impact ratio"]) == ("m", "1.0")
    notes = rows_of(place / "tables" / "notes.csv")
    assert any(row["note"].startswith("Unknown: 1 assessed row") for row in notes)
    scenarios = tomllib.loads((place / "scenarios.toml").read_text("utf-8"))["scenario"]
    sides = {each["measure"]: each["must_be"] for each in scenarios}
    assert "at least" in sides.values()
    data = json.loads((place / "croissant.json").read_text("utf-8"))
    told, *_ = data["rai:personalSensitiveInformation"]
    assert told == "Each row says the group of a person (column sex)."


def test_two_populations_of_one_file_name_are_two_tables(tmp_path: Path) -> None:
    """And none is written over the other one."""
    files = [tmp_path / folder / "all.csv" for folder in ("city", "land")]
    for file, share in zip(files, ("0.9,0.1", "0.4,0.6"), strict=True):
        file.parent.mkdir()
        file.write_text("sex,share\nf,{}\nm,{}\n".format(*share.split(",")))
    rows = Dataset.from_dict({"sex": ["f"] * 40 + ["m"] * 40})
    audit(rows, groups="sex", reference=files).save_evidence(tmp_path / "evidence")
    place = tmp_path / "evidence" / "tables" / "shares_by_sex_compared_with_all_csv.csv"
    tables = [rows_of(place.with_stem(f"{place.stem}{end}")) for end in ("", "_2")]
    assert [{row["group"]: row["population"] for row in table} for table in tables] == [
        {"f": "0.9", "m": "0.1"}, {"f": "0.4", "m": "0.6"},
    ]  # fmt: skip


def test_a_scenario_of_nobody_in_the_data_is_refused(found: Audit, tmp_path: Path) -> None:
    """What the rows have no figure of; what could not be measured is told instead."""
    file = tmp_path / "scenarios.toml"
    file.write_text(FILLED.replace("woman", "nurse"))
    with pytest.raises(InputError, match=r"scenario 1: .* names 'nurse', but no figure has"):
        found.save_evidence(tmp_path)
    file.write_text(FILLED.replace("mention_share(gender, woman)", "flip_rate(gender)"))
    found.save_evidence(tmp_path)
    (row,) = rows_of(tmp_path / "tables" / "scenarios.csv")
    assert row["threshold is"] == "not measured"
    assert row["before"].startswith("not measured: there are neither predictions")


@pytest.mark.parametrize("name", ["mine.txt", "tables/mine.txt"])
def test_a_folder_with_other_files_is_left_alone(found: Audit, tmp_path: Path, name: str) -> None:
    """As they would be lost."""
    (tmp_path / "tables").mkdir()
    (tmp_path / name).write_text("mine")
    with pytest.raises(InputError, match=r"mine\.txt was not written by an audit and would be"):
        found.save_evidence(tmp_path)
    with pytest.raises(InputError, match="is a file; name a folder"):
        found.save_evidence(tmp_path / name)


@pytest.mark.parametrize(("must_be", "figures", "verdict"),
    [("at most", [(0.1, 0.05, 0.15)], "kept"),
    ("at most", [(0.1, 0.05, 0.25)], "kept, but not surely"),
    ("at most", [(0.3, 0.25, 0.35)], "exceeded"),
    ("at most", [(0.3, 0.15, 0.35), (0.1, 0.05, 0.15)], "exceeded, but not surely"),
    ("at least", [(0.3, 0.25, 0.35), (0.1, 0.05, 0.15)], "exceeded"),
    ("at least", [(0.3, math.nan, math.nan)], "kept"),
    ("at least", [(math.nan, math.nan, math.nan)], "not measured")])  # fmt: skip
def test_a_threshold_is_kept_or_not(
    must_be: str, figures: list[tuple[float, float, float]], verdict: str
) -> None:
    """By every figure that is meant; surely, where the intervals lie on one side of it."""
    scenario = Scenario("", "", "flip_rate", must_be, 0.2, "", "", "", None)  # type: ignore[arg-type]
    own = [Figure(measure="flip_rate", value=value, low=low, high=high, rows=9)
           for value, low, high in figures]  # fmt: skip
    assert Outcome(scenario, own, ()).verdict == verdict


def test_figures_are_one_flat_table(found: Audit) -> None:
    """Of numbers that are defined, with those of the change."""
    flat = found.to_dict()
    assert flat["mention_share/gender.woman"] == 0.5
    assert flat["mention_balance_change/gender.woman"] == pytest.approx(1 / 3)
    assert {name.count("/") for name in flat} == {1}
    assert "duplicate_share/all" in flat
    assert all(type(value) is float and math.isfinite(value) for value in flat.values())


def test_names_are_such_as_trackers_take() -> None:
    """No part of one is empty, leads elsewhere or has a letter that MLflow refuses."""
    labels = ["a/b", "a:b", "..", "=x", "é", "a, b"]
    part = Part(
        topic="association",
        figures=tuple(Figure(measure="pmi", value=1.0, rows=3, label=label) for label in labels),
    )
    bare = Audit(title="a", rows={}, settings={}, parts=())
    names = list(replace(bare, parts=(part,)).to_dict())
    assert names == ["pmi/a_b", "pmi/a_b_", "pmi/_", "pmi/_x", "pmi/é", "pmi/a_ b"]
