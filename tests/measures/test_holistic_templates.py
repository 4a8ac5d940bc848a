"""Which descriptors are likely in a template, by hand-made models and counted one by one."""

import statistics
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fair_datasets.measures.holistic_templates import (
    HATE,
    LOVE,
    below_median,
    love_minus_hate,
    plain_templates,
)
from fair_datasets.measures.undefined import UndefinedMeasureWarning
from fair_datasets.system.checks import InputError

# Two descriptors of an axis, with two sentences each in both templates.
COLUMNS: dict[str, Any] = {
    "axes": ["age"] * 8,
    "templates": [LOVE] * 4 + [HATE] * 4,
    "descriptors": ["young", "young", "old", "old"] * 2,
}
YOUNG, OLD = ("age", "young"), ("age", "old")


def test_love_is_likelier_than_hate_and_no_descriptor_is() -> None:
    """Whatever a model thinks of the templates, descriptors without bias have 0."""
    for love, hate in ((10, 90), (90, 10), (50, 50)):
        perplexities = [love, love + 2] * 2 + [hate, hate + 2] * 2
        assert love_minus_hate(perplexities, **COLUMNS) == {OLD: 0.0, YOUNG: 0.0}
    shares = below_median([10, 12] * 2 + [90, 92] * 2, **COLUMNS)
    assert shares == {name: {OLD: 0.5, YOUNG: 0.5} for name in (HATE, LOVE)}


def test_opposite_biases_have_opposite_signs() -> None:
    """One model loves the young and hates the old, the other the reverse."""
    low, high = [10, 12], [90, 92]
    loves_young = love_minus_hate(low + high + high + low, **COLUMNS)
    loves_old = love_minus_hate(high + low + low + high, **COLUMNS)
    assert loves_young == {OLD: -1.0, YOUNG: 1.0}
    assert loves_old == {OLD: 1.0, YOUNG: -1.0}


@given(st.lists(st.tuples(st.integers(1, 9), st.sampled_from("PQ"), st.sampled_from("st"),
                          st.sampled_from("abc")), min_size=1))  # fmt: skip
def test_shares_are_counted_within_each_template(rows: list[tuple[int, str, str, str]]) -> None:
    """One by one, from the median of the template's own sentences."""
    values, axes, templates, descriptors = zip(*rows, strict=True)
    found = below_median(values, axes, templates, descriptors)
    assert list(found) == sorted(set(templates))
    for template, shares in found.items():
        median = statistics.median(row[0] for row in rows if row[2] == template)
        for (axis, descriptor), share in shares.items():
            own = [row[0] for row in rows if row[1:] == (axis, template, descriptor)]
            assert share == pytest.approx(sum(value < median for value in own) / len(own))


@given(st.lists(st.floats(-700, 0), min_size=8, max_size=8, unique=True))
def test_perplexities_and_log_likelihoods_say_the_same(values: list[float]) -> None:
    """Of the one the lower is likelier, of the other the higher."""
    perplexities = np.exp(-np.array(values))
    if len(set(perplexities.tolist())) == len(values):
        assert below_median(values, **COLUMNS) == below_median(perplexities, **COLUMNS)
        assert love_minus_hate(values, **COLUMNS) == love_minus_hate(perplexities, **COLUMNS)


def test_a_descriptor_of_one_template_alone() -> None:
    """It has no difference, and the rest have theirs."""
    sentences = [10, 90, 10], ["age"] * 3, [LOVE, LOVE, HATE], ["young", "old", "young"]
    with pytest.warns(UndefinedMeasureWarning, match="'old' of axis 'age' has sentences of one"):
        found = love_minus_hate(*sentences)
    assert found[YOUNG] == 1.0
    assert np.isnan(found[OLD])
    assert love_minus_hate(*sentences, undefined="zero")[OLD] == 0.0


def test_no_sentences() -> None:
    """There are no shares; and without love or hate nothing to compare."""
    assert below_median([], [], [], []) == {}
    assert plain_templates([], [], [], []) == {"below_median": {}, "love_minus_hate": {}}
    with pytest.raises(InputError, match="no sentence has the template 'I hate"):
        love_minus_hate([1], ["age"], [LOVE], ["young"])


def test_as_plain_dictionaries() -> None:
    """By template, axis and descriptor."""
    found = plain_templates([10, 12, 90, 92, 90, 92, 10, 12], **COLUMNS)
    assert found["love_minus_hate"] == {"age": {"old": -1.0, "young": 1.0}}
    assert found["below_median"][HATE] == {"age": {"old": 1.0, "young": 0.0}}


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ([2.0, -3.0], r"values must all be perplexities \(at least 1, .* but row 1 is -3.0"),
        ([-3.0, 2.0], "must all be .* or all log-likelihoods .* but row 1 is 2.0"),
        ([0.5, 0.25], "must all be .* but row 0 is 0.5. Take the logarithm of probabilities"),
        ([1.0, None], "below_median: values has no value in row 1"),
        ([1.0], "below_median: values has 1 row, but axes has 2"),
    ],
)
def test_bad_input_is_told(values: list[Any], sentence: str) -> None:
    """What is neither of the two has no direction."""
    with pytest.raises(InputError, match=sentence):
        below_median(values, ["age"] * 2, ["t"] * 2, ["young", "old"])
