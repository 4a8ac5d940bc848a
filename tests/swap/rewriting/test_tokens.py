"""Lists of tokens are read as the text that they make, and their number stays."""

from collections import Counter
from typing import Any

import numpy as np
import pytest
from datasets import Dataset

from fair_datasets import CounterfactualSwap, MentionedAttribute
from fair_datasets.rows import texts_of
from fair_datasets.swap.rewriting.counterfactuals import undo
from fair_datasets.swap.rewriting.rewriter import TOKENS_CHANGE
from fair_datasets.swap.rewriting.skipped import collect_skip_reasons

CASES = [
    # tokens, what they become, options
    ("Her cat saw her .", "His cat saw him .", {}),
    ("That is his coat .", "That is her coat .", {}),
    ("She has a hat .", "They have a hat .", {"target": "non-binary"}),
    ("She 's late .", "They 're late .", {"target": "non-binary"}),
    ("a white man", "a Black man", {"axis": "race", "target": "black"}),
    ("King Street is long .", "King Street is long .", {}),
    ("Lady Gaga sang .", "Lady Gaga sang .", {}),
    ("Mr. Smith 's wife left .", "Mrs. Smith 's husband left .", {}),
    ("an actress ran", "an actor ran", {}),
    ("He", "She", {}),
    ("It rains .", "It rains .", {}),
    ("The policeman left .", "The policeman left .", {"target": "non-binary"}),
]
LEFT = {"The policeman left ."}


@pytest.mark.parametrize(("text", "right", "options"), CASES)
@pytest.mark.parametrize("mode", ["replace", "pair"])
def test_tokens_are_read_together(
    text: str, right: str, options: dict[str, Any], mode: str
) -> None:
    """As the text, in a table and in a batch of lists, tuples or arrays."""
    tokens = text.split()
    swap = CounterfactualSwap("tokens", mode=mode, **options)
    column = "tokens_counterfactual" if mode == "pair" else "tokens"
    rows = Dataset.from_dict({"tokens": [tokens, None, []], "tags": [[0] * len(tokens), None, []]})
    counts = Counter[str]()
    with collect_skip_reasons(counts=counts):
        found = swap.apply(rows)
    assert found[column][:] == [right.split(), None, []]
    assert found["tags"][:] == rows["tags"][:]
    assert counts[TOKENS_CHANGE] == (text in LEFT)
    assert swap.skip_reasons(rows[:]) == ({0: TOKENS_CHANGE} if text in LEFT else {})
    for kind in (list, tuple, np.array):
        assert [*swap({"tokens": [kind(tokens)]})[column][0]] == right.split()


def test_edits_of_tokens_are_those_of_the_text() -> None:
    """So that they can be undone in it."""
    swap = CounterfactualSwap("tokens", mode="replace", provenance=True)
    row = swap({"tokens": [["He", "saw", "her", "."]]})
    (edits,) = row["edits"]
    assert {edit["column"] for edit in edits} == {"tokens"}
    assert undo(" ".join(row["tokens"][0]), edits) == "He saw her ."


def test_scores_and_counts_read_the_text() -> None:
    """And sentences of tokens are several texts."""
    rows = Dataset.from_dict({"tokens": [["His", "coat", "."]], "two": [[["He", "."], ["A", "b"]]]})
    assert MentionedAttribute("tokens").apply(rows)["group"][:] == ["man"]
    assert texts_of(rows, "tokens") == ["His coat ."]
    assert texts_of(rows, "two[]") == ["He .\nA b"]
    swapped = CounterfactualSwap("two[]", mode="replace").apply(rows)
    assert swapped["two"][:] == [[["She", "."], ["A", "b"]]]


@pytest.mark.parametrize("values", [["Mary", "John", "Ada"], ["Yes", "he"], ["He ran.", "A b."]])
def test_names_and_answers_are_read_one_by_one(values: list[str]) -> None:
    """Whoever writes `[]` means each of them."""
    expected = CounterfactualSwap("text", mode="replace")({"text": values})["text"]
    assert CounterfactualSwap("values[]", mode="replace")({"values": [values]})["values"] == [
        expected
    ]
