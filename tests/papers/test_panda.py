"""Tests of the tables of PANDA, with the models left out."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from hub_scripts.papers import panda, paper_named
from hub_scripts.papers.frame import Work


def work_of(table: str, out: Path, **options: Any) -> Work:
    """Return the work on a table."""
    return Work(paper=paper_named("panda"), table=table, out=out, **options)


@pytest.mark.parametrize(("options", "run"), [
    ({}, {"FairBERTa 16GB", "RoBERTa 160GB"}),
    ({"scale": "small"}, {"FairBERTa 16GB", "RoBERTa 160GB"}),
    ({"models": {"roberta-3gb": "mine"}}, {"FairBERTa 16GB", "RoBERTa 160GB", "RoBERTa 3GB"}),
])  # fmt: skip
def test_models_that_are_released_or_given_are_run(
    options: Any, run: set[str], tmp_path: Path
) -> None:
    """The others stand in the table with the reason."""
    for table in ("3", "4"):
        runs = [*work_of(table, tmp_path, **options).paper.tables[table](
            work_of(table, tmp_path, **options))]  # fmt: skip
        assert {each.row.partition(",")[0] for each in runs if not each.skip_reason} == run
        assert {each.skip_reason for each in runs} == {"", "not released"}


def test_the_share_of_tests_that_are_significant(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """And their mean size without its sign; a test without a value counts for nothing."""
    rows = [("C6", -0.5, 0.04), ("C6 of words", 0.9, 0.05), ("C7", None, None), ("C8", 0.3, 0.001),
            ("C10", 0.2, 0.5), ("C3", 0.8, 0.01)]  # fmt: skip
    found = SimpleNamespace(
        rows=[{"test": test, "value": value, "p_value": p} for test, value, p in rows]
    )
    asked: dict[str, Any] = {}
    monkeypatch.setattr(panda, "evaluate_encoders",
                        lambda models, tests, pooling: asked.update(tests) or found)  # fmt: skip
    values = panda._associations("roberta", work_of("3", tmp_path, models={"roberta": "mine"}))
    assert values == pytest.approx({
        "significant %, age": 0.0, "effect, age": None, "significant %, gender": 200 / 3,
        "effect, gender": 0.4, "significant %, race": 100.0, "effect, race": 0.8,
        "significant %, total": 60.0, "effect, total": 1.6 / 3,
    })  # fmt: skip
    assert asked["C6"] is None
    assert set(asked["C6 of words"]["sets"]) == {"X", "Y", "A", "B"}
    assert len(asked["C6 of words"]["texts"]) == len(asked["C6 of words"]["sets"]) > 30


@pytest.mark.parametrize(("share", "few", "many"), [(1.0, 24, 54), (0.5, 12, 27)])
def test_a_trial_reads_few_sentences(
    share: float, few: int, many: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The first templates, the first descriptors of each axis, and of a trial a share of them."""
    sentences = [{"text": f"{axis} {template} {n}", "axis": axis, "template": template,
                  "descriptor": f"{axis}{n}"}
                 for template in "tuv" for axis in (*panda._AXES.values(), "ability")
                 for n in range(6)]  # fmt: skip
    read: list[str] = []
    monkeypatch.setattr(panda, "build_holistic_sentences", lambda *files, faulty: sentences)
    monkeypatch.setattr(panda, "sentence_values",
                        lambda texts, model: (np.zeros(read.extend(texts) or 1), None))  # fmt: skip
    monkeypatch.setattr(panda, "likelihood_bias",
                        lambda *columns: SimpleNamespace(axes={"age": 0.5}))  # fmt: skip
    for name in ("descriptors", "nouns"):
        (tmp_path / f"{name}.json").write_text("{}")
    for templates, descriptors, count in ((2, 4, few), (0, 0, many)):
        read.clear()
        work = work_of("3", tmp_path, data={"holistic": str(tmp_path)}, share=share,
                       models={"roberta": "mine"},
                       settings={"templates": templates, "descriptors": descriptors})  # fmt: skip
        values = panda._holistic("roberta", work)
        assert len(read) == count
    assert values == {"HolisticBias, age": 0.5, "HolisticBias, gender": None,
                      "HolisticBias, race": None}  # fmt: skip
