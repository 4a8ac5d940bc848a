"""Rows written for each attribute of an axis, so that attributes are compared on the same rows."""

from pathlib import Path

import pytest
from datasets import Dataset, Features, Value
from hypothesis import given, settings
from hypothesis import strategies as st

from fair_datasets import CounterfactualSwap, MentionedAttribute
from fair_datasets.lexicons import load_lexicon
from fair_datasets.selection.diet import DietConfig
from fair_datasets.selection.diet.versions import attribute_versions
from fair_datasets.swap.directions import plan_targets

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


@pytest.mark.parametrize("axis", ["race", "religion", "age", "orientation", "nationality"])
def test_without_counterparts_a_row_is_written_for_every_attribute(axis: str) -> None:
    """All attributes are compared on the same rows, not each drawn pair on its own."""
    texts = {
        "race": "A Black teacher smiled.", "religion": "A Muslim teacher smiled.",
        "age": "An elderly teacher smiled.", "orientation": "Gay people smiled.",
        "nationality": "French people smiled.",
    }  # fmt: skip
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


@pytest.mark.parametrize(
    ("axis", "text"),
    [
        ("religion", "The Pope met a Catholic."),
        ("nationality", "The German cook is from Berlin, Germany."),
        ("age", "Aged 12, she was born in 1990 and died in 2002."),
    ],
)
def test_rows_that_the_swap_leaves_as_a_whole_have_no_versions(axis: str, text: str) -> None:
    """For whichever attribute; others of the same attribute have."""
    plain = {"religion": "A Catholic left.", "nationality": "A German left.", "age": "A girl ran."}
    found = attribute_versions([(text,), (plain[axis],), (text,)], config(axis))
    assert {len(rows) for rows in found.values()} == {1}
    assert (plain[axis],) in next(zip(*found.values(), strict=True))
