"""Edits between two texts."""

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from fair_datasets import CounterfactualSwap
from fair_datasets.rows.row_texts import RowTexts
from fair_datasets.swap import undo
from fair_datasets.swap.rewriting import Counterfactual, Edit, counterfactuals

# What texts are put together from; all else is drawn letter by letter.
WORDS = st.lists(st.sampled_from(["he", "she", "a", "an", " ", "  ", ".", "\n", "é", "🙂"]))
TEXTS = st.one_of(st.text(), WORDS.map("".join))


@example("", "He ran.")
@example("He ran. He ran.", "He ran.")
@given(TEXTS, TEXTS)
def test_edits_lead_from_one_text_to_the_other(before: str, after: str) -> None:
    """They account for every difference, in order, and hold nothing that stays."""
    edits = counterfactuals.aligned_edits(before, after)
    assert counterfactuals.apply_edits(before, edits) == after
    assert all(before[edit.start : edit.end] == edit.before != edit.after for edit in edits)
    # Edits that touch would be one.
    assert all(one.end < other.start for one, other in pairwise(edits))
    assert bool(edits) == (before != after)


def test_edits_are_of_whole_words() -> None:
    """A word is replaced by a word, whatever letters they share."""
    edits = counterfactuals.aligned_edits(
        "An actor’s son, 5.", "An actress’s daughter, 5.", axis="gender"
    )
    assert [(edit.before, edit.after, edit.axis) for edit in edits] == [
        ("actor", "actress", "gender"),
        ("son", "daughter", "gender"),
    ]


def test_long_texts_with_few_edits_are_aligned() -> None:
    """Common words are no junk."""
    row = "the man saw the dog and the dog saw the man "
    edits = counterfactuals.aligned_edits(row * 500, row * 250 + "a woman saw " + row * 250)
    assert [(edit.before, edit.after) for edit in edits] == [("", "a woman saw ")]


def test_long_texts_with_many_edits_are_aligned() -> None:
    """Every fifth of 20,000 words is another one."""
    before = " ".join(f"word{number % 97}" for number in range(20_000)).split()
    after = [f"{word}x" if not number % 5 else word for number, word in enumerate(before)]
    edits = counterfactuals.aligned_edits(" ".join(before), " ".join(after))
    assert len(edits) == 4_000
    assert all(edit.after == f"{edit.before}x" for edit in edits)


PROVENANCE_WORDS = ["he", "She", "HIS", "her", "an", "actor", "a", "waitress", "ladies'", "John",
         "Mary’s", "is", "likes", "white", "women", "40-year-old", "İ", "“", "\n", ".", "or",
         "he or she"]  # fmt: skip
SWAPS = [
    CounterfactualSwap(columns=("text", "more"), mode="replace", provenance=True, **options)
    for options in (
        {}, {"target": "non-binary"}, {"axis": ("gender", "race", "age"), "joint": True},
        {"axis": ("age", "gender")},
    )
]  # fmt: skip


@pytest.mark.parametrize("swap", SWAPS)
@settings(deadline=None)
@given(text=st.lists(st.sampled_from(PROVENANCE_WORDS)).map(" ".join), more=st.text())
def test_edits_address_both_texts_and_can_be_undone(
    swap: CounterfactualSwap, text: str, more: str
) -> None:
    """Offsets hold in the text before and in the text after, and undo gives the text before."""
    result = swap({"text": [text], "more": [more]})
    edits = result["edits"][0]
    for column, before in (("text", text), ("more", more)):
        after = result[column][0]
        for edit in (edit for edit in edits if edit["column"] == column):
            assert before[edit["start"] : edit["end"]] == edit["before"] != edit["after"]
            assert after[edit["after_start"] : edit["after_end"]] == edit["after"]
        assert undo(after, edits, column=column) == before


def test_provenance_is_stated_for_each_row() -> None:
    """Each row has its own list of edits; a null has none."""
    batch = {"a": ["he", "it", "her"], "b": [None, "it", "him"]}
    texts = RowTexts.read(batch, ["a", "b"])
    edit = Edit(0, 2, "he", "she", "gender", "woman")
    changed = {
        1: Counterfactual(("she", None), [[edit], []]),
        4: Counterfactual(("his", "him"), axis="gender", attribute="man"),
        5: Counterfactual((None, "him")),
    }
    stated = counterfactuals.state_provenance(texts, [0, 0, 1, 2, 2, 2], changed)
    assert stated["counterfactual"] == [False, True, False, False, True, True]
    own = {"column": "a", **edit._asdict(), "after_start": 0, "after_end": 3}
    found = {**own, "end": 3, "before": "her", "after": "his", "attribute": "man"}
    assert stated["edits"] == [[], [own], [], [], [found], []]
    assert len({id(edits) for edits in stated["edits"]}) == 6


@given(
    st.lists(st.text(max_size=3), min_size=1, max_size=8),
    st.lists(st.none() | st.text(max_size=3), min_size=8, max_size=8),
)
def test_whatever_edits_stand_side_by_side_are_undone(parts: list[str], new: list[Any]) -> None:
    """Words that are gone beside others that were put in, too."""
    edits, start = [], 0
    for part, written in zip(parts, new, strict=False):
        if written is not None and part != written:
            edits.append(Edit(start, start + len(part), part, written, "gender", "man"))
        start += len(part)
    after = "".join(part if w is None else w for part, w in zip(parts, new, strict=False))
    assert undo(after, counterfactuals.trace("text", edits)) == "".join(parts)


PARTS = ["He", "ran.", "Mr.", "A.", "“No!”", "so", "\n\n", "\n", " ", "5.", "…", "etc."]


@pytest.mark.parametrize("sentences", [
    ["Mr. A. Gray left.  ", "Did he? ", "Yes, at 5 p.m. or so."],
    ["He ran. ", "“She sat.” ", "Then (they left.) ", "'No!' she said.\n\n", "New"],
    ["It was I. ", "He met Dr. Wood, the U.S. envoy, vs. me etc. and left..."],
    ["A title\n\n", "it begins in lower case. ", "End."],
    ["A line\nthat goes on. ", "Another."], ["They met etc.\nand left. ", "Another."],
    ["no end"], [],
])  # fmt: skip
def test_sentences_begin_behind_their_signs(sentences: list[str]) -> None:
    """Abbreviations, initials and the ends of lines are none."""
    text = "".join(sentences)
    expected = [sum(map(len, sentences[:k])) for k in range(len(sentences))]
    assert counterfactuals.sentence_starts(text) == expected


@given(st.lists(st.sampled_from(PARTS)).map(" ".join))
def test_no_sentence_is_empty(text: str) -> None:
    """The offsets grow, and each but the first stands before a sign and behind white space."""
    starts = counterfactuals.sentence_starts(text)
    assert starts == sorted(set(starts))
    assert starts[:1] == ([0] if text else [])
    assert all(text[k - 1].isspace() and not text[k].isspace() for k in starts[1:])
