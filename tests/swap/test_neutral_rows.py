"""Rows that lose their sense without a gender."""

import pytest

from fair_datasets import CounterfactualSwap
from fair_datasets.matching.found import Reason
from fair_datasets.rewriting import Rows


def _after(text: str, target: str | None = None) -> str:
    swap = CounterfactualSwap(columns="text", mode="replace", target=target)
    return str(swap({"text": [text]})["text"][0])


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Thanks, mom, he left.", Reason.CALL),
        ("I told dad about it.", Reason.CALL),
        ("He told Mother about it.", Reason.CALL),
        ("Aunt Mary and her son left.", Reason.CALL),
        ("Count Dracula bit her.", Reason.CALL),
        ("Men earn more than women.", Reason.GENDER),
        ("Two males and a female laid eggs.", Reason.THING),
        ("His father is a cook and his mother a plumber.", Reason.CONTRAST),
        ("His mom is a cook and his father a plumber.", Reason.CONTRAST),
        ("The husband should have listened to his wife.", Reason.CONTRAST),
        ("It is sexist to say that women drive badly.", Reason.GENDER),
        ("I read that women are paid less.", Reason.GENDER),
    ],
)
def test_a_row_is_left_that_loses_its_sense(text: str, reason: Reason) -> None:
    """There is no word without a gender by which a mother is called."""
    swap = CounterfactualSwap(columns="text", mode="replace", target="non-binary")
    (row,) = swap.read(Rows([(text,)], [None]))
    assert row.counterfactual is None
    assert {left.reason for reading in row.readings if reading for left in reading.left} == {reason}
    assert _after(text) != text


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("My mom left.", "My parent left."),
        ("His mother and his uncle left.", "Their parent and their relative left."),
        ("My brothers and sisters left.", "My siblings left."),
        ("Two women danced with other men.", "Two people danced with other people."),
        ("Women dancing on a stage.", "People dancing on a stage."),
        ("He met 3 men and 2 old women.", "They met 3 people and 2 old people."),
        ("He is a dad of two.", "They are a parent of two."),
        ("King Philip left.", "Monarch Philip left."),
        ("The man saw a taller woman.", "The person saw a taller person."),
        ("He is taller than his mother.", "They are taller than their parent."),
        ("She is a girl of 23.", "They are a young person of 23."),
        ("She is a girl of 5.", "They are a child of 5."),
        ("The girls at the office left.", "The young people at the office left."),
        ("He hired a call girl.", "They hired a sex worker."),
        ("A 49-year-old male, a cook, fell.", "A 49-year-old person, a cook, fell."),
        ("A male nurse fell.", "A nonbinary nurse fell."),
    ],
)
def test_a_row_is_rewritten_without_gender(text: str, after: str) -> None:
    """Where nobody is called, and girls may be grown up."""
    assert _after(text, "non-binary") == after
