"""The pairs that a rewriter is trained on."""

from pathlib import Path
from typing import Any

import pytest
from datasets import ClassLabel, Dataset

from fair_datasets.rewriters.training.parallel import (
    COUNTERFACTUAL,
    AttributedRows,
    Parallel,
    ParallelConfig,
    attributed_rows,
    class_numbers,
    corrected_rows,
    linear_classifier,
    parallel_rows,
)
from fair_datasets.system.checks import InputError

# A text, what the swap makes of it, and what the repair makes of that.
ROWS = [
    ("He is an cook.", "She is an cook.", "She is a cook."),
    ("The guests have an boat.", "The guests have an boat.", "The guests has a boat."),
    ("It rained.", "It rained.", "It rained."),
    ("She sang.", "He sang.", "She sang."),
]


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """Give a folder in which the swap, the detector and the infiller are done."""
    for name, column in (("seed", 1), ("masked", 1), ("infilled", 2)):
        made = {"text": [row[0] for row in ROWS], "attribute": [0, 0, 1, 1],
                COUNTERFACTUAL: [row[column] for row in ROWS]}  # fmt: skip
        Dataset.from_dict(made).save_to_disk(str(tmp_path / name))
    return tmp_path


def pairs(
    work: Path, neutral: str, steps: str = "repair", classifier: str | None = None
) -> Parallel:
    """Return the pairs of the rows."""
    config = ParallelConfig(attribute="gender", detector="a/b", infiller="c/d", neutral=neutral)
    rows = Dataset.from_dict({"text": [row[0] for row in ROWS], "attribute": [0, 0, 1, 1]})
    return parallel_rows(config, rows, work, steps=steps, classifier=classifier)


def test_names_are_those_that_a_reader_tells(tmp_path: Path, nameless: str) -> None:
    """And by nobody else."""
    config = ParallelConfig(attribute="gender", detector="a/b", infiller="c/d", reader=nameless)
    rows = Dataset.from_dict({"text": ["Mary left.", "He ran."], "attribute": [1, 0]})
    found = parallel_rows(config, rows, tmp_path / "work", steps="swap").rows
    assert found["text"][:] == ["He ran."]


def test_the_swap_says_whether_there_is_something_to_change(work: Path) -> None:
    """A repair makes no pair of a text that mentions nobody, and no copy of one that does."""
    undone, cook = {"the repair undoes the swap": 1}, ("He is an cook.", "She is a cook.")
    copied = [(text, text) for text in ("The guests have an boat.", "It rained.")]
    for neutral, kept, dropped in (
        ("drop", [cook], undone | {"nothing changes": 2}), ("copy", [cook, *copied], undone),
    ):  # fmt: skip
        found = pairs(work, neutral)
        assert [(row["text"], row[COUNTERFACTUAL]) for row in found.rows] == kept
        assert found.dropped == dropped


def test_pairs_whose_attribute_stays_are_left_out(work: Path) -> None:
    """What the filter chose lies in the folder of its step, once it is done."""
    whole = pairs(work, "copy")
    whole.rows.select([0]).save_to_disk(str(work / "filtered"))
    found = pairs(work, "copy", "filter", "g/h")
    assert found.rows[:] == whole.rows[:1]
    assert found.dropped == {"the repair undoes the swap": 1, "its attribute stays": 2}


def test_rows_that_are_corrected_keep_their_order(work: Path) -> None:
    """Where the swap found nothing, the text stays as it is."""
    config = ParallelConfig(attribute="gender", detector="a/b", infiller="c/d")
    rows = Dataset.from_dict({"text": [row[0] for row in ROWS], "attribute": [0, 0, 1, 1]})
    found = corrected_rows(config, rows, work, steps="repair")
    assert found[COUNTERFACTUAL][:] == [
        "She is a cook.", "The guests have an boat.", "It rained.", "She sang."
    ]  # fmt: skip


def read(rows: list[dict[str, Any]], **changes: Any) -> AttributedRows:
    """Read rows."""
    given = {"text": "text", "attribute": "sex", "names": (), "classifier": None} | changes
    return attributed_rows(Dataset.from_list(rows), **given)


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
    found = attributed_rows(named, text="text", attribute="sex", names=(), classifier=None)
    assert (found.names, found.rows["attribute"][:]) == (("f", "m"), [0, 1])


def test_without_a_column_the_classifier_reads_the_attribute(tmp_path: Path) -> None:
    """A linear probe of rows whose attribute is known."""
    known = read([{**row, "text": f"{row['text']} {k}"} for row in PEOPLE for k in range(9)])
    probe = linear_classifier(known.rows, tmp_path)
    found = read([{"text": "She ran far."}, {"text": "He sat."}], attribute=None, classifier=probe)
    assert (found.names, found.rows["attribute"][:]) == (("0", "1"), [0, 1])
    assert linear_classifier(known.rows, tmp_path) == probe


def test_a_classifier_with_other_labels_than_asked(tmp_path: Path) -> None:
    """Its classes are told beside the values of the column; naming them mends it."""
    known = read([{**row, "text": f"{row['text']} {k}"} for row in PEOPLE for k in range(9)])
    probe = linear_classifier(known.rows, tmp_path)
    with pytest.raises(InputError, match="trained on two values, '0', '1' here; drop"):
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
    options: dict[str, Any] = {"parameter": "judge_classes"}
    assert class_numbers(probe, ("F", "M"), ("M", "F"), **options) == (1, 0)
    assert class_numbers(probe, ("0", "1"), (), **options) == (0, 1)
    assert class_numbers(probe, ("1", "0"), (), **options) == (1, 0)
    for given in ((), ("M", "W"), ("M",)):
        with pytest.raises(InputError, match="use judge_classes to say which attribute each"):
            class_numbers(probe, ("F", "M"), given, **options)
