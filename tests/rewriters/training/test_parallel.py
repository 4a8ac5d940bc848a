"""The pairs that a rewriter is trained on."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from datasets import Dataset

from fair_datasets.rewriters.training.parallel import (
    COUNTERFACTUAL,
    Parallel,
    ParallelConfig,
    corrected_rows,
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
    return parallel_rows(config, rows, work, steps=steps, owner="train", classifier=classifier)


def test_names_are_those_that_a_reader_tells(tmp_path: Path, nameless: str) -> None:
    """Or a pipeline, where there is one."""
    config = ParallelConfig(attribute="gender", detector="a/b", infiller="c/d", reader=nameless)
    rows = Dataset.from_dict({"text": ["Mary left.", "He ran."], "attribute": [1, 0]})
    found = parallel_rows(config, rows, tmp_path / "work", steps="swap", owner="train").rows
    assert found["text"][:] == ["He ran."]
    with pytest.raises(InputError, match="'en_no_such' is neither an installed spaCy pipeline"):
        replace(config, reader=None, pipeline="en_no_such")


@pytest.mark.parametrize(
    ("neutral", "kept"),
    [
        ("drop", [("He is an cook.", "She is a cook.")]),
        (
            "copy",
            [
                ("He is an cook.", "She is a cook."),
                ("The guests have an boat.", "The guests have an boat."),
                ("It rained.", "It rained."),
            ],
        ),
    ],
)
def test_the_swap_says_whether_there_is_something_to_change(
    work: Path, neutral: str, kept: Sequence[tuple[str, str]]
) -> None:
    """A repair makes no pair of a text that mentions nobody, and no copy of one that does."""
    found = pairs(work, neutral)
    assert [(row["text"], row[COUNTERFACTUAL]) for row in found.rows] == kept
    dropped = {"the repair undoes the swap": 1} | (
        {"nothing changes": 2} if neutral == "drop" else {}
    )
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


@pytest.mark.parametrize("names", [("man",), ("man", "man"), ("man", "woman", "man")])
def test_there_are_two_attributes(names: tuple[str, ...]) -> None:
    """Neither fewer nor more, nor one twice."""
    with pytest.raises(InputError, match="attributes must name two"):
        ParallelConfig(attribute="gender", attributes=names)
