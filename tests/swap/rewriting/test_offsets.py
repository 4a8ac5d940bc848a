"""Places in a text move with its changes, and columns that would be wrong are told of."""

import re
import warnings
from typing import Any

import pytest
from datasets import Dataset
from hypothesis import given
from hypothesis import strategies as st

from fair_datasets import Blindness, CounterfactualSwap
from fair_datasets.swap.rewriting import Edit
from fair_datasets.swap.rewriting.counterfactuals import apply_edits
from fair_datasets.swap.rewriting.offsets import move_offset

TEXT = "His brother saw Mary in Paris."
SWAPPED = "Her sister saw John in Paris."


@given(st.text("ab ", min_size=1, max_size=12), st.data())
def test_what_stays_is_found_again(text: str, data: st.DataObject) -> None:
    """A span around changes holds what they made of it; one with a border inside one is lost."""
    borders = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=6)))
    spans = list(zip(borders[::2], borders[1::2], strict=False))
    words = data.draw(st.lists(st.text("XY", max_size=3), min_size=len(spans), max_size=len(spans)))
    edits = [
        Edit(start, end, text[start:end], word, "", "")
        for (start, end), word in zip(spans, words, strict=True)
    ]
    edits = [e for k, e in enumerate(edits) if not k or edits[k - 1].end < e.start]
    after = apply_edits(text, edits)
    for start in range(len(text) + 1):
        for end in range(start + 1, len(text) + 1):
            places = move_offset(start, edits), move_offset(end, edits, is_end=True)
            cut = any(e.start < place < e.end for e in edits for place in (start, end))
            assert (None in places) == cut
            if not cut:
                # What is put in at a border of the span is no part of it.
                inner = [
                    e._replace(start=e.start - start, end=e.end - start)
                    for e in edits
                    if start <= e.start and e.end <= end
                    and (e.start < e.end or start < e.start < end)
                ]  # fmt: skip
                assert after[slice(*places)] == apply_edits(text[start:end], inner)


CASES = [
    # offsets, the column, what it becomes
    ("at", 24, 23),
    ("at", 0, 0),
    ("at", 30, 29),
    ("at", None, None),
    ("at", 6, None),
    ("starts[]", [4, 16, 24], [4, 15, 23]),
    ("span", [16, 20], [15, 19]),
    ("span", [6, 20], [None, None]),
    ("spans[]", [[0, 11], [4, 6], None, [24, 29]], [[0, 10], [None, None], None, [23, 28]]),
    ("spans[]", [], []),
]


@pytest.mark.parametrize(("path", "value", "moved"), CASES)
@pytest.mark.parametrize("mode", ["replace", "augment", "pair"])
def test_offsets_move(path: str, value: Any, moved: Any, mode: str) -> None:
    """In every mode, as whole numbers, lists of them, pairs and lists of pairs."""
    column = path.removesuffix("[]")
    rows = Dataset.from_list([{"text": TEXT, column: value}, {"text": None, column: value}])
    swap = CounterfactualSwap("text", mode=mode, offsets=path)
    found = swap.apply(rows)
    place = {
        "replace": (column, 0), "augment": (column, 1), "pair": (f"{column}_counterfactual", 0),
    }  # fmt: skip
    name, row = place[mode]
    assert found[row][name] == moved
    assert found[-1][name] == found[-1][column] == value
    assert found.features[name] == rows.features[column]
    assert (mode == "replace") or found[0][column] == value
    assert found[:] == rows.map(swap, batched=True)[:]
    assert CounterfactualSwap.from_config(swap.config()) == swap


@pytest.mark.parametrize("names", [("start", "end"), ("char_start", "char_end"), ("begin", "stop")])
def test_both_ends_of_a_span_are_lost_together(names: tuple[str, str]) -> None:
    """One that begins within a changed word has no end either."""
    start, end = names
    spans = [{start: 16, end: 20, "type": "a"}, {start: 6, end: 20, "type": "b"}]
    paths = tuple(f"spans[].{name}" for name in names)
    swap = CounterfactualSwap("text", mode="replace", offsets=paths)
    found = swap.apply(Dataset.from_list([{"text": TEXT, "spans": spans}]))
    assert found[0] == {
        "text": SWAPPED,
        "spans": [{start: 15, end: 19, "type": "a"}, {start: None, end: None, "type": "b"}],
    }


def test_an_offset_says_which_of_several_texts_it_points_into() -> None:
    """As the answer of a question, which is rewritten itself."""
    row = {"context": TEXT, "question": "Whom did he see?",
           "answers": {"text": ["Mary"], "answer_start": [16]}}  # fmt: skip
    columns = ("context", "question", "answers.text[]")
    for offsets in ({"answers.answer_start[]": "context"}, "answers.answer_start[]=context"):
        swap = CounterfactualSwap(columns, mode="pair", offsets=offsets)
        found = swap.apply(Dataset.from_list([row]))[0]
        assert found["answers_counterfactual"] == {"text": ["John"], "answer_start": [15]}
        assert found["answers"] == row["answers"]


def test_offsets_of_each_message() -> None:
    """Point into the text of their own message."""
    turns = [("He left.", [[3, 7]]), ("Did she leave him?", [[8, 13], [4, 7]])]
    talk = [{"content": text, "spans": spans} for text, spans in turns]
    swap = CounterfactualSwap("talk[].content", mode="replace", offsets="talk[].spans[]")
    found = swap.apply(Dataset.from_list([{"talk": talk}]))[0]["talk"]
    assert [each["spans"] for each in found] == [[[4, 8]], [[7, 12], [4, 6]]]


STALE = [
    # a column, its value, whether it is told of
    ("answer_start", 16, "answer_start"),
    ("charEnd", 20, "charEnd"),
    ("answers", {"answer_start": [16]}, "answers.answer_start[]"),
    ("entities", [{"begin": 1, "kind": "x"}], "entities[].begin"),
    ("spans", [[16, 20], [1, 2]], "spans[]"),
    ("offsets", [1, 2, 3], "offsets[]"),
    ("input_ids", [1, 2], "input_ids"),
    ("sentence_embedding", [0.5], "sentence_embedding"),
    ("prompt_attention_mask", [1], "prompt_attention_mask"),
    ("start_of_term", 2024, ""),
    ("answer_start", -1, ""),
    ("answer_start", None, ""),
    ("start", "16", ""),
    ("start", 0.5, ""),
    ("started", True, ""),
    *((name, 1, "") for name in ("weekend", "gender", "trend", "calendar", "attendance", "label")),
]


@pytest.mark.parametrize(("column", "value", "told"), STALE)
def test_what_is_not_named_is_told(column: str, value: Any, told: str) -> None:
    """Once in words, whether a table, a batch or another technique changes the texts."""
    rows = Dataset.from_list([{"text": TEXT, column: value}, {"text": "Rain.", column: value}])
    swap, blind = CounterfactualSwap("text"), Blindness("text")
    ways = [lambda: swap.apply(rows), lambda: swap(rows[:]), lambda: blind.apply(rows)]
    for way in ways:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            way()
        sentences = [str(warning.message) for warning in caught]
        assert len(sentences) == bool(told)
        assert all(f"column {told!r}" in sentence for sentence in sentences)


def test_texts_that_stay_need_no_warning() -> None:
    """Nor do columns that are named, or only a part of one."""
    rows = [{"text": TEXT, "entities": [{"start": 16, "end": 20}]}]
    CounterfactualSwap("text")({"text": ["Rain."], "start": [1]})
    named = CounterfactualSwap("text", offsets=("entities[].start", "entities[].end"))
    named.apply(Dataset.from_list(rows))
    with pytest.warns(UserWarning, match=re.escape("'entities[].end'")):
        CounterfactualSwap("text", offsets="entities[].start").apply(Dataset.from_list(rows))
