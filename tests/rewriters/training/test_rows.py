"""Texts and the attribute of each, and what cannot be read as such."""

from pathlib import Path
from typing import Any

import pytest
from datasets import ClassLabel, Dataset

from fair_datasets import InputError
from fair_datasets.rewriters.training.rows import (
    AttributedRows,
    attributed_rows,
    class_numbers,
    linear_classifier,
)


def read(rows: list[dict[str, Any]], **changes: Any) -> AttributedRows:
    """Read rows."""
    given = {"text": "text", "attribute": "sex", "names": (), "classifier": None} | changes
    return attributed_rows(Dataset.from_list(rows), owner="test", **given)


PEOPLE = [{"text": "He ran.", "sex": "M"}, {"text": "She ran.", "sex": "F"}]


def test_rows_get_the_numbers_of_their_attributes() -> None:
    """By the order that is given, else as they sort; an unknown one is a null."""
    odd = [{"text": "It ran.", "sex": None}, {"text": None, "sex": "M"}, {"text": " ", "sex": "M"}]
    found = read([*PEOPLE, *odd])
    assert found.names == ("F", "M")
    assert found.rows[:] == {
        "text": ["He ran.", "She ran.", "It ran."], "attribute": [1, 0, None],
    }  # fmt: skip
    assert found.dropped == {"no text": 2}
    assert read([*PEOPLE, {"text": "It ran.", "sex": ""}]).rows["attribute"][2] is None
    assert read(PEOPLE, names=("M", "F")).rows["attribute"][:] == [0, 1]
    numbers = [{"text": "a", "sex": 1}, {"text": "b", "sex": 0}]
    assert read(numbers).rows["attribute"][:] == [1, 0]
    named = Dataset.from_list(numbers).cast_column("sex", ClassLabel(names=["m", "f"]))
    found = attributed_rows(
        named, text="text", attribute="sex", names=(), classifier=None, owner="test"
    )
    assert (found.names, found.rows["attribute"][:]) == (("f", "m"), [0, 1])


def test_without_a_column_the_classifier_reads_the_attribute(tmp_path: Path) -> None:
    """A linear probe of rows whose attribute is known."""
    known = read([{**row, "text": f"{row['text']} {k}"} for row in PEOPLE for k in range(9)])
    probe = linear_classifier(known.rows, tmp_path)
    found = read([{"text": "She ran far."}, {"text": "He sat."}], attribute=None, classifier=probe)
    assert (found.names, found.rows["attribute"][:]) == (("0", "1"), [0, 1])
    assert linear_classifier(known.rows, tmp_path) == probe


@pytest.mark.parametrize(
    ("rows", "changes", "sentence"),
    [
        ([], {}, "no rows"),
        (PEOPLE, {"text": "txt"}, "there is no column 'txt'"),
        (PEOPLE, {"attribute": "gender"}, "there is no column 'gender'"),
        ([{"text": "", "sex": "M"}], {}, "column 'text' holds no text"),
        ([{"text": 3, "sex": "M"}], {}, "3"),
        (PEOPLE[:1], {}, "column 'sex' holds 'M' alone, and training needs rows of two"),
        (PEOPLE[:1], {"names": ("M", "F")}, "column 'sex' holds 'M' alone"),
        ([*PEOPLE, {"text": "a", "sex": "X"}], {}, "column 'sex' holds 3 values ('F', 'M', 'X')"),
        (
            PEOPLE, {"names": ("M", "W")},
            "column 'sex' holds 'F' in row 1 (counted from 0), but attributes names 'M', 'W'",
        ),
        ([{"text": "a", "sex": None}], {}, "column 'sex' holds no attribute"),
        (
            [{"text": str(k), "sex": str(k)} for k in range(9)], {},
            "column 'sex' holds 9 values ('0', '1', '2', '3', '4' and 4 more)",
        ),
    ],
)  # fmt: skip
def test_rows_that_cannot_be_used(
    rows: list[dict[str, Any]], changes: dict[str, Any], sentence: str
) -> None:
    """One sentence each, with the column and the value."""
    with pytest.raises(InputError) as raised:
        read(rows, **changes)
    assert sentence in str(raised.value)


def test_a_classifier_with_other_labels_than_asked(tmp_path: Path) -> None:
    """Its classes are told beside the values of the column; naming them mends it."""
    known = read([{**row, "text": f"{row['text']} {k}"} for row in PEOPLE for k in range(9)])
    probe = linear_classifier(known.rows, tmp_path)
    with pytest.raises(InputError, match="but the classes of the classifier are '0', '1'; use"):
        read(PEOPLE, classifier=probe)
    assert read(PEOPLE, classifier=probe, names=("F", "M")).names == ("F", "M")
    three = Dataset.from_dict(
        {"text": ["a man", "a woman", "a cat"] * 4, "attribute": [0, 1, 2] * 4}
    )
    probe = linear_classifier(three, tmp_path / "three")
    with pytest.raises(InputError, match="has 3 classes, but there are two attributes"):
        read(PEOPLE, classifier=probe)


def test_a_judge_may_have_its_classes_in_another_order(tmp_path: Path) -> None:
    """By the names of its classes, or by what is said of them; else it is refused."""
    known = read([{**row, "text": f"{row['text']} {k}"} for row in PEOPLE for k in range(9)])
    probe = linear_classifier(known.rows, tmp_path)
    options: dict[str, Any] = {"parameter": "judge_classes", "owner": "test"}
    assert class_numbers(probe, ("F", "M"), ("M", "F"), **options) == (1, 0)
    assert class_numbers(probe, ("0", "1"), (), **options) == (0, 1)
    assert class_numbers(probe, ("1", "0"), (), **options) == (1, 0)
    for given in ((), ("M", "W"), ("M",)):
        with pytest.raises(InputError, match="use judge_classes to say which attribute each"):
            class_numbers(probe, ("F", "M"), given, **options)
