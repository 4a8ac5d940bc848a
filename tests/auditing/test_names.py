"""What an audit says of names."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from datasets import Dataset

from fair_datasets import InputError, audit
from fair_datasets.auditing import classifiers, names
from fair_datasets.auditing.names import CULTURES, GENDERS, NAMED
from fair_datasets.reader.names.given_names import drawn_names
from tests.auditing.planted_names import ONE, known_classifier, rows_of, shifting, told_of

IGBO = {name for names in drawn_names()[ONE].values() for name in names}
ROWS = rows_of(120, 0)


def asked(
    predict: Callable[[str], float], monkeypatch: pytest.MonkeyPatch, rows: Dataset = ROWS
) -> Any:
    """Audit the rows with a model that scores texts by a function."""

    class Model:
        """Answers with log odds."""

        classes = 2

        def logits(self, rows: Any, reading: Any) -> Any:
            return np.array([[0.0, predict(text)] for (text,) in rows])

    monkeypatch.setattr(classifiers, "load_probe", lambda name: Model())
    monkeypatch.setattr("fair_datasets.auditing.dataset.load_probe", lambda name: Model())
    return audit(rows, "text", label="label", model="it", name_sensitivity=True, draws=1)


def figures_of(found: Any, measure: str) -> dict[tuple[str, str], Any]:
    """Return the figures of a measure by axis and attribute."""
    return {(each.axis, each.attribute): each for each in found.figures
            if each.measure == measure}  # fmt: skip


def test_a_model_that_is_against_one_culture_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """And said in colour of that culture alone, with its tails."""
    found = asked(lambda text: 1.0 - 2.0 * (text.split()[0] in IGBO), monkeypatch)
    assert told_of(found) == {ONE}
    shifts = figures_of(found, "name_score_shift")
    assert shifts[CULTURES, ONE].value == pytest.approx(-2)
    assert shifts[CULTURES, ONE].p_value <= 0.01
    assert shifts[CULTURES, "Polish"].value == pytest.approx(0)
    assert figures_of(found, "any_name_flip_rate")[CULTURES, ""].value == 1
    assert figures_of(found, "name_flip_rate")[CULTURES, ONE].value == 1
    assert figures_of(found, "name_flip_rate_control")[CULTURES, ONE].value == 0
    assert figures_of(found, "name_flip_rate_excess")[CULTURES, ONE].value == 1
    spread, control = (
        figures_of(found, name)[CULTURES, ""].value
        for name in ("name_spread", "name_spread_control")
    )
    assert spread > control == 0
    (told,) = (each for each in found.findings if each.code == "name_shift")
    assert told.headline == (
        "With Igbo names, the same rows get a lower score for “1”, "
        "by more than other names explain."
    )
    (said,) = (each.sentence for each in found.findings if each.code == "names")
    assert "of 55 cultures" in said
    assert {name: name in str(found.to_dict()) for name in NAMED} == dict.fromkeys(NAMED, True)


def test_a_model_that_is_against_women_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """By each figure of the gender of names, in rows in which only the name tells a woman."""
    women = {name for lists in drawn_names().values() for name in lists["woman"]}
    women -= {name for lists in drawn_names().values() for name in lists["man"]}
    texts = [f"{('John', 'Mary')[row % 2]} ran on day {row}." for row in range(120)]
    rows = Dataset.from_dict({"text": texts, "label": [row // 2 % 2 for row in range(120)]})
    found = asked(lambda text: 1.0 - 2.0 * (text.split()[0] in women), monkeypatch, rows)
    flips, control, excess, shift = (
        figures_of(found, name)[GENDERS, "woman"]
        for name in ("name_flip_rate", "name_flip_rate_control", "name_flip_rate_excess",
                     "name_score_shift")
    )  # fmt: skip
    assert flips.value > 0.85
    assert control.value < 0.1
    assert excess.low > 0.7
    assert shift.value < -1.7
    assert shift.p_value <= 0.01
    first = next(each for each in found.findings if each.code == "name_shift")
    assert first.headline.startswith("With names of women, the same rows get a lower score for “1”")


def test_a_model_that_goes_by_pronouns_is_against_no_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """Genders are compared in rows that only a name tells apart, of which these have none."""
    found = asked(lambda text: 2.0 * (" her " in text) - 1.0, monkeypatch)
    assert told_of(found) == set()
    assert figures_of(found, "any_name_flip_rate")[CULTURES, ""].value == 0
    assert not any(axis == GENDERS for axis, _ in figures_of(found, "name_score_shift"))


def test_too_few_rows_are_said_to_be(tmp_path: Path) -> None:
    """Nothing is measured, and the reason stands there, also on the page."""
    rows = Dataset.from_dict({"text": [f"It rained {day} times." for day in range(200)],
                              "label": [0, 1] * 100})  # fmt: skip
    found = audit(rows, "text", label="label", name_sensitivity=True, draws=1)
    assert found.unmeasured["name_flip_rate"] == names.TOO_FEW
    assert figures_of(found, "named_share")["", ""].value == 0
    found.save(tmp_path)
    assert "name just one person" in (tmp_path / "audit.html").read_text("utf-8")


def test_without_a_classifier_or_names_nothing_is_asked() -> None:
    """And what contradicts it is refused."""
    found = audit(ROWS.remove_columns("label"), "text", name_sensitivity=True)
    assert "neither predictions" in found.unmeasured["name_score_shift"]
    plain = audit(ROWS, "text", label="label", draws=1)
    assert "names were not varied" in plain.check("any_name_flip_rate > 0")[0]
    with pytest.raises(InputError, match="no-names"):
        audit(ROWS, "text", names=False, name_sensitivity=True)
    with pytest.raises(InputError, match="a column of predictions says nothing"):
        audit(ROWS, "text", predictions="label", name_sensitivity=True)
    with pytest.raises(InputError, match="name_sensitivity is about texts"):
        audit(ROWS, table="impact", groups=["culture"], selected="label", name_sensitivity=True)


@pytest.mark.slow
def test_a_planted_bias_is_found_and_no_other(pytestconfig: pytest.Config) -> None:
    """At 1,000 rows, of a classifier whose names have weights by chance; the benchmark has more."""
    for seed in range(4):
        assert shifting(known_classifier(1000, seed, -0.4)) == {ONE}
        assert shifting(known_classifier(1000, seed)) == set()
