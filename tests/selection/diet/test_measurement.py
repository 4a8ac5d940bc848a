"""What is measured on a classifier, on cases that can be worked out by hand."""

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from datasets import Dataset
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from fair_datasets import CounterfactualSwap
from fair_datasets.evaluation.templates import identity_templates
from fair_datasets.selection.diet import DietConfig
from fair_datasets.selection.diet.measurement import Pairs, Templates
from fair_datasets.selection.objectives import OBJECTIVES

CONFIG = DietConfig(columns="text")


def pairs(texts: Sequence[str]) -> Pairs:
    """Pair texts with their counterfactuals; their labels take turns."""
    rows = Dataset.from_dict({"text": texts, "label": [k % 2 for k in range(len(texts))]})
    return Pairs.read(
        CounterfactualSwap(columns="text", axis="gender", mode="pair").apply(rows), CONFIG
    )


def says_1(if_true: Callable[[str], bool]) -> Callable[..., NDArray[np.float64]]:
    """Return a classifier that predicts 1 for some texts."""

    def predict(rows: Sequence[tuple[str, ...]]) -> NDArray[np.float64]:
        share = np.array([float(if_true(text)) for (text,) in rows])
        return np.stack([1 - share, share], axis=1)

    return predict


# Those that need no placebos, which need many rows.
PLAIN = [name for name in OBJECTIVES if name != "flip_rate_excess"]
HE = [f"He came on day {day}." for day in range(10)]
SHE = [f"She came on day {day}." for day in range(10, 20)]
RAIN = [f"It rained on day {day}." for day in range(80)]


def test_flips_that_cancel_show_in_the_flip_rate_and_by_attribute() -> None:
    """A classifier that calls women 1 and men 0, on as many rows with a man as with a woman."""
    found = pairs(HE + SHE + RAIN).measure(says_1(lambda text: "She" in text))
    assert {name: found[name] for name in (*PLAIN, "changed_rows", "rows_by_attribute")} == {
        "demographic_parity": 1.0,
        "demographic_parity_changed": 1.0,
        "demographic_parity_by_attribute": 0.0,
        "flip_rate": 1.0,
        "changed_rows": 20,
        "rows_by_attribute": 20,
    }


def test_rows_that_do_not_change_dilute_parity_over_all_rows_alone() -> None:
    """The same classifier where all rows with anybody speak of women."""
    found = pairs(SHE + RAIN[:30]).measure(says_1(lambda text: "She" in text))
    assert {name: found[name] for name in PLAIN} == {
        "demographic_parity": 0.75,
        "demographic_parity_changed": 0.0,
        "demographic_parity_by_attribute": 0.0,
        "flip_rate": 1.0,
    }


def test_flips_of_both_kinds_for_an_attribute_show_in_the_flip_rate_alone() -> None:
    """A classifier that calls women 1 early and men 1 late favours neither on the whole."""
    early = [f"He came on day {day}." for day in (1, 2, 3, 4)]
    late = [f"He left on day {day}." for day in (1, 2, 3, 4)]

    def favours(text: str) -> bool:
        return ("She" in text) == ("came" in text)

    found = pairs(early + late).measure(says_1(favours))
    assert {name: found[name] for name in PLAIN} == {
        "demographic_parity": 1.0,
        "demographic_parity_changed": 1.0,
        "demographic_parity_by_attribute": 1.0,
        "flip_rate": 1.0,
    }


def test_a_classifier_that_does_not_look_at_gender_is_at_parity() -> None:
    """In every measure."""
    found = pairs(HE + SHE + RAIN).measure(says_1(lambda text: "day 1" in text))
    assert [found[name] for name in PLAIN] == [0.0, 1.0, 1.0, 1.0]


def test_by_attribute_is_of_rows_with_one_attribute_and_flips_are_of_all_that_change() -> None:
    """A row with both has no version of one alone."""
    found = pairs(["He saw her.", "She came.", "Rain."]).measure(says_1(lambda t: "He saw" in t))
    assert (found["changed_rows"], found["rows_by_attribute"]) == (2, 1)
    assert found["flip_rate"] == 0.5
    assert found["demographic_parity_by_attribute"] == 1.0


def test_what_any_name_does_is_no_excess() -> None:
    """A classifier that goes by a name for women alone, and one that goes by how long names are."""
    rows = pairs([f"Mary came on day {day}." for day in range(10)])
    by_gender = rows.measure(says_1(lambda text: "Mary" in text))
    assert (by_gender["flip_rate"], by_gender["flip_rate_excess"]) == (1, 1)
    assert (by_gender["flip_rate_control"], by_gender["rows_with_placebos"]) == (0, 10)
    by_length = rows.measure(says_1(lambda text: len(text.split()[0]) > 6))
    assert by_length["flip_rate"] == 0
    assert by_length["flip_rate_control"] > 0
    assert by_length["flip_rate_excess"] == -by_length["flip_rate_control"]


def test_without_placebos_nothing_is_told_of_them() -> None:
    """Whether none were asked for, or there are no words like those that the swap changes."""
    swapped = CounterfactualSwap(columns="text", axis="gender", mode="pair").apply(
        Dataset.from_dict({"text": ["Mary came.", "Rain."], "label": [1, 0]})
    )
    without = DietConfig(columns="text", placebo_draws=0)
    for found in (Pairs.read(swapped, without), pairs(SHE)):
        assert not {"flip_rate_control", "flip_rate_excess"} & set(found.measures)
        assert found.measure(says_1(lambda text: "She" in text)).keys() == set(found.measures)


def test_without_a_row_that_changes_the_measures_of_pairs_are_undefined() -> None:
    """And never parity; over all rows there is nothing to tell apart."""
    found = pairs(RAIN).measure(says_1(lambda text: "day 1" in text))
    undefined = ("flip_rate", "demographic_parity_changed", "demographic_parity_by_attribute")
    assert all(np.isnan(found[name]) for name in undefined)
    assert found["demographic_parity"] == 1.0
    assert found["changed_rows"] == found["rows_by_attribute"] == 0


def test_on_an_axis_of_several_attributes_the_farthest_are_compared() -> None:
    """Each row is written for all of them, and the target of a pair is drawn."""
    config = DietConfig(columns="text", axis="religion")
    texts = [f"A {who} teacher came." for who in ("Muslim", "Hindu", "Sikh", "Jewish")]
    rows = Dataset.from_dict({"text": [*texts, "Rain."], "label": [0, 1, 0, 1, 0]})
    read = Pairs.read(
        CounterfactualSwap(columns="text", axis="religion", mode="pair").apply(rows), config
    )
    found = read.measure(says_1(lambda text: "Muslim" in text or "Buddhist" in text))
    assert found["rows_by_attribute"] == 4
    assert found["demographic_parity_by_attribute"] == 0.0
    assert found["demographic_parity_changed"] > 0
    blind = read.measure(says_1(lambda text: "teacher" in text))
    assert [blind[name] for name in PLAIN] == [0.0, 1.0, 1.0, 1.0]


PEOPLE = st.sampled_from(["He", "She", "He and her", "It", "The waiter"])


@given(st.lists(st.tuples(PEOPLE, st.integers(0, 3)), min_size=2, max_size=12), st.data())
@settings(deadline=None, max_examples=50)
def test_no_difference_is_larger_than_the_flip_rate(
    people: list[tuple[str, int]], data: st.DataObject
) -> None:
    """Over the same rows; and parity over the changed rows is that over all, undiluted."""
    read = pairs([f"{who} came on day {day}." for who, day in people])
    chosen = data.draw(st.sets(st.sampled_from(read.texts)))
    found = read.measure(says_1(lambda text: (text,) in chosen))
    changed = found["changed_rows"]
    if not changed:
        return
    score = found["demographic_parity_changed"]
    assert 1 - score <= found["flip_rate"] + 1e-12
    share = changed / len(people)
    assert 1 - found["demographic_parity"] == pytest.approx(share * (1 - score))
    compared = found["rows_by_attribute"]
    if compared:
        flips = found["flip_rate"] * changed
        assert (1 - found["demographic_parity_by_attribute"]) * compared <= flips + 1e-9


def test_templates_have_groups_and_no_pairs() -> None:
    """Their demographic parity is by attribute as it is."""
    templates = Templates.read(identity_templates("gender", size=40, seed=0))
    found = templates.measure(says_1(lambda text: "man" in text.split()))
    assert set(found) == set(Templates.measures)
    assert not set(found) & {"flip_rate", "changed_rows"}


def test_each_text_is_predicted_once() -> None:
    """The swap leaves most rows as they are."""
    asked = []

    def predict(rows: Sequence[tuple[str, ...]]) -> NDArray[np.float64]:
        asked.extend(rows)
        return np.tile([0.5, 0.5], (len(rows), 1))

    read = pairs([*HE, *HE, *RAIN])
    assert set(read.measure(predict)) == set(read.measures)
    assert len(asked) == len(set(asked)) == 10 + 10 + 80
