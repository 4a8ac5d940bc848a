"""Correcting a corpus."""

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from datasets import Dataset, DatasetDict
from hypothesis import given, settings
from hypothesis import strategies as st

from fair_datasets import InputError
from fair_datasets.models import load_word_vectors
from fair_datasets.selection import correct
from fair_datasets.selection.correction import Corrected

SCORES = st.lists(
    st.one_of(st.none(), st.floats(0, 1, width=32), st.sampled_from([0.0, 0.5])),
    min_size=1, max_size=25,
).filter(lambda scores: any(score is not None for score in scores))  # fmt: skip


def pairs(scores: list[float | None], **columns: Any) -> Dataset:
    """Make pairs of which every second has a word to swap, in the hypothesis alone."""
    return Dataset.from_dict({"premise": [f"Number {row} ran." for row in range(len(scores))],
        "hypothesis": ["He ran." if row % 2 else "It ran." for row in range(len(scores))],
        "row": list(range(len(scores))), "bias_score": scores, **columns})  # fmt: skip


def corrected(dataset: Any, correction: str, **options: Any) -> Corrected:
    """Correct pairs."""
    return correct(dataset, columns=("premise", "hypothesis"), correction=correction, **options)


@given(SCORES, st.floats(1, 99), st.sampled_from(["Sub", "Aug", "Rep"]), st.integers(0, 25))
@settings(deadline=None, max_examples=12)
def test_counts_add_up_and_rows_are_those_by_hand(
    scores: list[float | None], percentile: float, kind: str, cut: int
) -> None:
    """The threshold is numpy's percentile of all splits; each row is treated by it, in order."""
    whole = pairs(scores)
    cut = min(cut, len(scores) - 1)
    splits = DatasetDict(a=whole.select(range(cut)), b=whole.select(range(cut, len(scores))))
    found = corrected(splits, f"{kind}{percentile:.3f}")
    threshold = np.percentile([s for s in scores if s is not None], float(f"{percentile:.3f}"))
    assert found.threshold == threshold
    above = [score is not None and score > threshold for score in scores]
    expected = []
    for row, is_above in enumerate(above):
        is_swapped = is_above and row % 2 == 1 and kind != "Sub"
        if not (is_above and kind == "Sub") and not (is_swapped and kind == "Rep"):
            expected.append((row, "He ran." if row % 2 else "It ran."))
        if is_swapped:
            expected.append((row, "She ran."))
    made = [(row["row"], row["hypothesis"]) for split in found.dataset.values() for row in split]
    assert made == expected
    total = found.total
    assert total.above == sum(above)
    assert total.unscored == scores.count(None)
    assert total.rows_before == len(scores)
    assert total.rows_after == len(expected) == sum(found.rows.values())
    for split in (*found.splits.values(), total):
        more = split.rewritten if kind == "Aug" else 0
        assert split.rows_after == split.rows_before - split.unlabelled - split.dropped + more
        swappable = split.rewritten + split.unchanged
        assert (split.dropped if kind == "Sub" else swappable) == split.above
    assert found.highest_before == max(score for score in scores if score is not None)
    left = [score for score in scores if score is not None and score <= threshold]
    assert found.highest_after == (max(left) if kind == "Sub" else None)


def test_the_result_does_not_depend_on_order_or_processes() -> None:
    """Shuffled rows, and two processes, give the same rows and counts."""
    scores = [None if row % 7 == 0 else (row * 37 % 50) / 50 for row in range(50)]
    rows = pairs(scores)
    for name in ("Sub90", "Aug80"):
        expected = corrected(rows, name)
        shuffled = corrected(rows.shuffle(seed=1), name)
        assert shuffled.summary() == expected.summary()
        ordered = shuffled.dataset.to_pandas().sort_values("row", kind="stable")
        assert ordered.equals(expected.dataset.to_pandas().set_index(ordered.index))
        parallel = corrected(rows, name, num_proc=2)
        assert parallel.dataset.to_dict() == expected.dataset.to_dict()
        assert parallel.summary() == expected.summary()


def test_a_pair_and_its_copy_are_in_one_split() -> None:
    """And so are all rows with a premise of either, also where a copy has another row's premise."""
    people = ["A man", "A woman", "A boy", "A girl", "A dog", "A cat"]
    premises = [f"{who} on day {day} ran." for day in range(20) for who in people for _ in range(3)]
    rows = Dataset.from_dict({"premise": premises, "hypothesis": ["It ran."] * len(premises),
        "row": range(len(premises)),
        "bias_score": [row % 5 / 5 for row in range(len(premises))]})  # fmt: skip
    sizes = {"validation": 40, "test": 0.1}
    found = corrected(rows, "Aug60", sizes=sizes, seed=1)
    assert found.total.rewritten > 50
    assert found.dataset["train"].column_names == [*rows.column_names, "family_id"]
    assert sum(found.rows.values()) == found.total.rows_after
    for column in ("premise", "row", "family_id"):
        held = [set(split[column]) for split in found.dataset.values()]
        assert sum(map(len, held)) == len(set.union(*held))
    shuffled = corrected(rows.shuffle(seed=9), "Aug60", sizes=sizes, seed=1)
    for name, split in found.dataset.items():
        assert sorted(shuffled.dataset[name]["row"]) == sorted(split["row"])
    plain = corrected(rows, "Aug60", sizes=sizes, seed=1, group_split=False)
    assert plain.rows["validation"] == 40
    held = [set(split["row"]) for split in plain.dataset.values()]
    assert sum(map(len, held)) > len(set.union(*held))


def test_rows_are_scored_by_vectors(vectors: Path) -> None:
    """A pair has the score of the text where it is highest; the score's columns are gone again."""
    rows = Dataset.from_dict(
        {
            "premise": ["She wore the pink dress", "The truck fell", "The rain fell", None],
            "hypothesis": ["The rain fell", "The man ran", "The rain fell", "He ran"],
            "label": [0, 1, 2, 0],
        }
    )
    options: dict[str, Any] = {"columns": ("premise", "hypothesis"), "vectors": vectors}
    found = correct(rows, correction="Aug50", **options)
    # The cosines: 1 and .6 of five words, .6 of three.
    assert found.highest_before == pytest.approx(0.32)
    assert found.threshold == pytest.approx(0.2)
    assert found.dataset["premise"][:2] == ["She wore the pink dress", "He wore the pink dress"]
    assert found.dataset["label"][:] == [0, 0, 1, 2, 0]
    assert found.dataset.remove_columns("family_id").features == rows.features
    assert found.highest_after == pytest.approx(0.32)
    assert found.coverage == 1.0
    assert found.splits["train"].unscored == 1
    below = correct(rows, correction="Sub50", **options)
    assert below.dataset["label"][:] == [1, 2, 0]
    assert below.highest_after == pytest.approx(0.2)
    replaced = correct(rows, correction="Rep50", swap={"provenance": True}, **options)
    assert replaced.dataset["counterfactual"][:] == [True, False, False, False]
    assert [type(step).__name__ for step in replaced.techniques] == ["BiasScore", "SwapAbove"]


def test_the_score_and_the_swap_ask_one_reader(vectors: Path, nameless: str) -> None:
    """By which "Mary" is a word like others, that scores and is not swapped."""
    saved = load_word_vectors(vectors)
    load_word_vectors({**{word: saved[word] for word in saved}, "Mary": [-1.0, 0.0]}).save(vectors)
    rows = Dataset.from_dict({"text": ["Mary ran", *["The rain fell"] * 4]})
    ask = partial(correct, rows, columns="text", correction="Rep80", vectors=str(vectors))
    totals = [ask(**options).total for options in ({}, {"reader": nameless},
        {"reader": nameless, "swap": {"reader": None}})]  # fmt: skip
    assert [total.above for total in totals] == [0, 1, 1]
    assert [total.rewritten for total in totals] == [0, 0, 1]
    scored = rows.add_column("bias_score", [0.9, 0, 0, 0, 0])
    ask = partial(correct, scored, columns="text", reader=nameless)
    assert ask(correction="Rep80").total.unchanged == 1
    with pytest.raises(InputError, match="reader says how texts are read, but the rows have sco"):
        ask(correction="Sub80")


def test_only_the_most_biased_words_rows_are_left_out(vectors: Path) -> None:
    """RepSub: of the rows above, which are swapped, those go of which one word alone stands out."""
    texts = ["She wore pink", "He wore dress dress", *["The rain fell"] * 4, "The truck the rain"]
    rows = Dataset.from_dict({"text": texts})
    found = correct(rows, columns="text", correction="RepSub70", vectors=vectors)
    assert found.total.above == 2
    assert found.total.rewritten == 2
    # The most biased word of each row: 1/3, .6/4, 0 (four times), .6/4.
    assert found.word_threshold == pytest.approx(np.percentile([1 / 3, 0.15, 0, 0, 0, 0, 0.15], 70))
    assert found.total.dropped == 1 <= found.total.above
    assert found.dataset["text"][:] == ["She wore dress dress", *texts[2:]]
    assert found.highest_after == pytest.approx(0.3)
    assert found.dataset.column_names == ["text"]


def test_unlabelled_rows_go_before_the_percentile() -> None:
    """They have no part in the threshold."""
    rows = pairs([0.1, 0.2, 0.3, 0.9, 0.8], gold=["a", "b", "a", "-", None])
    found = corrected(rows, "Sub50", label="gold")
    assert found.threshold == 0.2
    assert found.total.unlabelled == 2
    assert found.dataset["row"][:] == [0, 1]
    assert corrected(rows, "Sub50").threshold == 0.3


def test_what_is_given_comes_back() -> None:
    """One dataset or several splits, an empty one too; rows keep their format and split."""
    rows = pairs([0.1, 0.9, 0.2, 0.3])
    one = corrected(rows.with_format("numpy"), "Sub70")
    assert isinstance(one.dataset, Dataset)
    assert one.dataset.format["type"] == "numpy"
    several = corrected(DatasetDict(train=rows, test=rows.select([])), "Aug70")
    assert several.rows == {"train": 5, "test": 0}
    assert several.splits["test"].rows_before == 0
    divided = corrected(rows, "Sub70", sizes={"test": 1})
    assert divided.rows == {"train": 2, "test": 1}


def test_texts_inside_lists() -> None:
    """A conversation is swapped where it is named by a path, and grouped by it."""
    talks = [[{"role": "user", "content": f"He said {number}."}] for number in range(4)]
    rows = Dataset.from_dict({"messages": talks, "bias_score": [0.1, 0.2, 0.3, 0.9]})
    found = correct(rows, columns="messages[].content", roles="user", correction="Aug90",
                    sizes={"test": 1})  # fmt: skip
    assert found.total.rewritten == 1
    texts = [row["messages"][0]["content"] for split in found.dataset.values() for row in split]
    assert sorted(texts)[-1] == "She said 3."


def test_splits_of_different_columns_are_not_pooled() -> None:
    """The sentence names the split."""
    rows = pairs([0.1, 0.2, 0.3])
    splits = DatasetDict(train=rows, test=rows.remove_columns("row"))
    assert corrected(splits, "Sub50").rows == {"train": 2, "test": 2}
