"""Words for a stage of life that tell no age, and those that do."""

import pytest

from fair_datasets import CounterfactualSwap
from fair_datasets.matching.find import find_terms


def _swapped(text: str, target: str = "senior") -> str:
    swap = CounterfactualSwap(columns="text", axis="age", mode="replace", target=target)
    written: list[str] = swap({"text": [text]})["text"]
    return written[0]


@pytest.mark.parametrize(
    "text",
    [
        "She left her two very young children.",
        "My sister's kids sing.",
        "She was the youngest of five children.",
        "They have three lovely children.",
        "He has one child.",
        "The couple raised two kids.",
        "She bore him three children.",
        "A widow with two children came.",
        "The father and three young kids left.",
        "Women and children first!",
        "Every man, woman, and child sang.",
        "Children and their parents came.",
        "The child's mother left.",
        "She had two kids with her second husband.",
        "It opposes child marriage.",
        "He gave to the Children's Defense Fund.",
        "I saw The Green Girl.",
        "You are too young.",
        "He is a very young man.",
        "I know no younger man.",
        "Those kids shows are dull.",
        "They read a children's picture book.",
        "It is about a girl rat.",
        "Boy, was it hot.",
    ],
)
def test_a_word_that_tells_no_age_stays(text: str) -> None:
    """Sons and daughters, set phrases, names, degrees and comparisons."""
    assert _swapped(text) == text
    assert not any(term.attribute for term in find_terms(text, "age"))


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("As a child she sang.", "As an older adult she sang."),
        ("The children play.", "The older adults play."),
        ("A woman and two kids sit there.", "A woman and two older adults sit there."),
        ("THE BOYS LEFT", "THE ELDERLY MEN LEFT"),
        ("Girls sing.", "Elderly women sing."),
        ("A 17-year-old boy left.", "A 90-year-old elderly man left."),
        ("A 17 yo girl left.", "A 90 yo elderly woman left."),
        ("A young man left.", "An elderly man left."),
    ],
)
def test_a_word_that_tells_an_age_is_rewritten(text: str, after: str) -> None:
    """Where it describes whoever is so old."""
    assert _swapped(text) == after
