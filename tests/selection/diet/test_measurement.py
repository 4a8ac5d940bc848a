"""What is measured on a classifier, on cases that can be worked out by hand."""

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from datasets import Dataset, Features, Value
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from fair_datasets import CounterfactualSwap, MentionedAttribute
from fair_datasets.evaluation.templates import identity_templates
from fair_datasets.lexicons import load_lexicon
from fair_datasets.selection.diet import DietConfig
from fair_datasets.selection.diet.measurement import Pairs, Templates, attribute_versions
from fair_datasets.selection.search import OBJECTIVES
from fair_datasets.swap.directions import plan_targets

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
    assert {name: found[name]
        for name in (*PLAIN, "changed_rows", "rows_by_attribute")} == {"demographic_parity": 1.0,
        "demographic_parity_changed": 1.0, "demographic_parity_by_attribute": 0.0, "flip_rate": 1.0,
        "changed_rows": 20, "rows_by_attribute": 20}  # fmt: skip


def test_rows_that_do_not_change_dilute_parity_over_all_rows_alone() -> None:
    """The same classifier where all rows with anybody speak of women."""
    found = pairs(SHE + RAIN[:30]).measure(says_1(lambda text: "She" in text))
    assert {name: found[name] for name in PLAIN} == {"demographic_parity": 0.75,
        "demographic_parity_changed": 0.0, "demographic_parity_by_attribute": 0.0,
        "flip_rate": 1.0}  # fmt: skip


def test_flips_of_both_kinds_for_an_attribute_show_in_the_flip_rate_alone() -> None:
    """A classifier that calls women 1 early and men 1 late favours neither on the whole."""
    early = [f"He came on day {day}." for day in (1, 2, 3, 4)]
    late = [f"He left on day {day}." for day in (1, 2, 3, 4)]

    def favours(text: str) -> bool:
        return ("She" in text) == ("came" in text)

    found = pairs(early + late).measure(says_1(favours))
    assert {name: found[name] for name in PLAIN} == {"demographic_parity": 1.0,
        "demographic_parity_changed": 1.0, "demographic_parity_by_attribute": 1.0,
        "flip_rate": 1.0}  # fmt: skip


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
@settings(deadline=None, max_examples=20)
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


WORDS = ["He", "she", "her", "waiter", "Mary", "rain", "saw", "and", "men", "boyfriend", "."]


def config(axis: str = "gender", **options: object) -> DietConfig:
    """Return the settings of a diet on an axis."""
    return DietConfig(**{"columns": "text", "axis": axis, **options})  # type: ignore[arg-type]


@given(st.lists(st.lists(st.sampled_from(WORDS), max_size=4).map(" ".join), max_size=6))
@settings(deadline=None)
def test_on_a_paired_axis_the_versions_are_a_row_and_its_counterfactual(texts: list[str]) -> None:
    """Of every changed row that mentions men alone or women alone, each beside its attribute."""
    found = attribute_versions([(text,) for text in texts], config())
    versions = list(zip(*found.values(), strict=True))
    assert list(found) == ["man", "woman"]
    rows = Dataset.from_dict({"text": texts}, Features(text=Value("string")))
    grouped = rows.map(MentionedAttribute(columns="text"), batched=True,
                       features=Features(text=Value("string"), group=Value("string")))  # fmt: skip
    expected = [
        ((row["text"],), (row["text_counterfactual"],))[:: 1 if row["group"] == "man" else -1]
        for row in CounterfactualSwap(columns="text", axis="gender", mode="pair").apply(grouped)
        if row["group"] in found and row["text"] != row["text_counterfactual"]
    ]
    assert versions == expected


def test_rows_with_both_or_neither_are_left_out() -> None:
    """No version of theirs would be that of one attribute alone."""
    rows = [("He saw her.",), ("Rain.",), ("Boys and girls.",), ("",), ("She won.",)]
    assert attribute_versions(rows, config()) == {"man": [("He won.",)], "woman": [("She won.",)]}


def test_the_texts_of_a_row_are_read_together() -> None:
    """A man in one column and a woman in the other are two attributes."""
    rows = [("He won.", "She lost."), ("He won.", "A waiter saw it."), ("Rain.", "His hat.")]
    assert attribute_versions(rows, config(columns=("premise", "hypothesis"))) == {
        "man": [rows[1], rows[2]],
        "woman": [("She won.", "A waitress saw it."), ("Rain.", "Her hat.")],
    }


@pytest.mark.parametrize("axis", ["race", "nationality"])
def test_without_counterparts_a_row_is_written_for_every_attribute(axis: str) -> None:
    """All attributes are compared on the same rows, not each drawn pair on its own."""
    texts = {"race": "A Black teacher smiled.", "nationality": "French people smiled."}
    found = attribute_versions([(texts[axis],), ("Rain.",)], config(axis))
    attributes = plan_targets(load_lexicon(axis), (), ())
    assert list(found) == list(attributes)
    versions = [row for (row,) in found.values()]
    assert (texts[axis],) in versions
    assert len(set(versions)) == len(attributes)


def test_a_term_without_a_form_for_each_attribute_is_left_out() -> None:
    """There is no lesbian version of a gay man, and none of a church for atheists."""
    assert not any(attribute_versions([("A gay man smiled.",)], config("orientation")).values())
    assert not any(attribute_versions([("The church is old.",)], config("religion")).values())


def test_names_are_read_where_the_swap_reads_them() -> None:
    """By default first names of men and women."""
    rows = [("Mary smiled.",)]
    assert attribute_versions(rows, config())["woman"] == rows
    assert attribute_versions(rows, config(names=False))["woman"] == []


def test_names_are_those_that_a_reader_tells(nameless: str) -> None:
    """The diet asks the same as the swap."""
    rows = [("Mary smiled.",), ("She smiled.",)]
    assert attribute_versions(rows, config(reader=nameless))["woman"] == rows[1:]


def test_an_axis_of_ones_own(tmp_path: Path) -> None:
    """With three attributes each row has three versions."""
    lexicon = tmp_path / "team.tsv"
    lexicon.write_text("home\taway\tneutral\nhosts\tguests\tvisitors\n")
    assert attribute_versions([("The guests won.",)], config(str(lexicon))) == {
        "home": [("The hosts won.",)],
        "away": [("The guests won.",)],
        "neutral": [("The visitors won.",)],
    }


@pytest.mark.parametrize(("axis", "text"), [("religion", "The Pope met a Catholic."),
    ("nationality", "The German cook is from Berlin, Germany."),
    ("age", "Aged 12, she was born in 1990 and died in 2002.")])  # fmt: skip
def test_rows_that_the_swap_leaves_as_a_whole_have_no_versions(axis: str, text: str) -> None:
    """For whichever attribute; others of the same attribute have."""
    plain = {"religion": "A Catholic left.", "nationality": "A German left.", "age": "A girl ran."}
    found = attribute_versions([(text,), (plain[axis],), (text,)], config(axis))
    assert {len(rows) for rows in found.values()} == {1}
    assert (plain[axis],) in next(zip(*found.values(), strict=True))
