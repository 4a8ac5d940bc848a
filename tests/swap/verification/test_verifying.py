"""Tests of what verification accepts, and of the faults that it tells."""

import csv
import json
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from fair_datasets import verify
from fair_datasets.swap import Fault, restore, verify_all
from fair_datasets.swap.verification.forms import split_units

# Good rewrites have no reason. The columns at and now hold where the fault lies, in both texts.
VERDICTS = Path(__file__).with_name("verdicts.tsv")
with VERDICTS.open(encoding="utf-8", newline="") as file:
    ROWS = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


@pytest.mark.parametrize("row", ROWS, ids=[row["before"] for row in ROWS])
def test_a_rewrite_has_its_verdict(row: dict[str, str]) -> None:
    """The first fault is named, lies where it is said to, and its sentence quotes it."""
    verdict = verify(row["before"], row["after"], **json.loads(row["options"] or "{}"))
    assert (verdict.reason or "") == row["reason"], verdict.sentence
    assert row["before"][slice(*verdict.before)] == row["at"]
    assert row["after"][slice(*verdict.after)] == row["now"]
    if verdict.reason == "retyped":
        assert verify(row["before"], restore(row["before"], row["after"]).text).accepted
    if verdict.accepted:
        assert (verdict.before, verdict.after, verdict.sentence) == ((0, 0), (0, 0), "")
    else:
        assert verdict.sentence
    for stretch in filter(None, (row["at"], row["now"])):
        if repr(stretch) not in verdict.sentence:
            assert row["reason"] in ("empty", "truncated", "unchanged", "broken chain")


def test_every_fault_is_tested() -> None:
    """No kind of fault is without an example."""
    assert {row["reason"] for row in ROWS} == {"", *Fault}


def test_spaces_at_the_ends_of_lines_are_nothing() -> None:
    """Nobody sees them."""
    assert verify("He left. \r\nIt rained.", "She left.\nIt rained. \n").accepted
    assert verify(" He left.", "She left.").reason == "retyped"
    assert verify("He paid an\nEnglishman.", "She paid an Englishwoman.").reason == "retyped"


def test_the_occurrence_is_chosen_by_its_start() -> None:
    """A word may stand for several persons."""
    text = "The man saw the man from Rome."
    for start, accepted in ((4, True), (16, False)):
        verdict = verify(text, "The woman saw the man from Rome.", word="man", start=start)
        assert verdict.accepted is accepted


def test_names_are_left_alone_where_they_are_not_read() -> None:
    """Without names a name neither has to change nor may."""
    text, half = "John lost his hat.", "John lost her hat."
    assert verify(text, half).reason == "broken chain"
    assert verify(text, half, names=False).accepted
    assert verify(text, "Mary lost her hat.", names=False).reason == "reworded"
    assert verify(text, half, protect="John").accepted


def test_many_are_verified_as_each_alone() -> None:
    """The rows of a batch do not touch each other."""
    rows = [(row["before"], row["after"]) for row in ROWS] * 10
    many = verify_all(*zip(*rows, strict=True))
    assert many == [verify(*row) for row in rows[: len(rows) // 10]] * 10


def test_targets_and_words_may_differ_by_row() -> None:
    """Each row has its own request."""
    verdicts = verify_all(
        ["He left.", "He left.", "Ann saw Bob."], ["She left.", "She left.", "Ann saw Mary."],
        target=["woman", "non-binary", None], words=[None, "He", "Bob"], starts=[None, 0, None],
    )  # fmt: skip
    assert [verdict.accepted for verdict in verdicts] == [True, False, True]
    assert verify_all([], []) == []


def test_runs_of_letters_are_no_words() -> None:
    """What is too long for a word is compared as a whole, and never cut at each letter."""
    run = "a" * 20_000
    assert verify(f"He said {run}.", f"She said {run}.").accepted
    assert verify(f"He said {run}.", f"She said {run}b.").reason == "reworded"
    assert verify(f"A {run}boy", f"A {run}girl", target="woman").reason == "reworded"


WRITTEN = Path(__file__).with_name("written.tsv")
# Right ones that are refused have words and names that no list knows.
MOST_WRONG = {("seen", "wrong"): 1, ("seen", "right"): 5,
              ("held back", "wrong"): 0, ("held back", "right"): 5}  # fmt: skip


@pytest.mark.parametrize(("part", "verdict"), MOST_WRONG)
def test_written_rewrites_are_judged_rightly(part: str, verdict: str) -> None:
    """Both on what the rules were made on and on what was held back."""
    with WRITTEN.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    chosen = [row for row in rows if (row["part"], row["verdict"]) == (part, verdict)]
    assert len(chosen) > 70
    misjudged = []
    for row in chosen:
        before, after = (row[name].replace("\\n", "\n") for name in ("before", "after"))
        found = verify(before, after, row["axis"], row["target"] or None, word=row["word"] or None)
        if found.accepted is (verdict == "wrong"):
            misjudged.append((before, after, found.sentence))
    assert len(misjudged) <= MOST_WRONG[part, verdict], misjudged


WORDS = st.lists(
    st.sampled_from(
        ["he", "He", "She", "dont", "don", "'", "t", "a", "alot", "lot", "teh", "the", "-", "—",
         " ", "  ", "\n", "“", '"', ".", "...", "…", "Mary", "e", "\u0301", "\u00ad", "``", "''",
         "recieve", "receive"]
    )
).map("".join)  # fmt: skip
TEXTS = st.text() | WORDS


# Behind what was mended, faults that are no mistakes in spelling and stay.
with Path(__file__).with_name("restored.tsv").open(encoding="utf-8") as file:
    RESTORED = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


@pytest.mark.parametrize("row", RESTORED, ids=[row["before"] for row in RESTORED])
def test_what_was_mended_is_as_it_was(row: dict[str, str]) -> None:
    """Letter case, spelling, spaces, quotes and accents come back, and are counted."""
    before, after, restored = (row[name].replace("\\n", "\n") for name in list(row)[:3])
    assert restore(before, after) == (restored, int(row["mended"]))


@given(TEXTS, TEXTS)
def test_restoring_again_changes_nothing(before: str, after: str) -> None:
    """What is restored stays as it is."""
    once = restore(before, after)
    assert restore(before, once.text) == (once.text, 0)


@given(TEXTS, TEXTS)
def test_restoring_writes_only_what_stood_in_one_of_both(before: str, after: str) -> None:
    """Each unit is one of the rewrite, or stands so in the original; none is invented."""
    restored = set(split_units(restore(before, after).text).folded)
    assert restored <= {*split_units(before).folded, *split_units(after).folded}


@given(
    st.lists(
        st.sampled_from(
            ["She", "they", "not", "1990", "Paris", "sister", "met", ",", ".", "7", "unseen"]
        )
    )
)
@example(["met", "She", "She", "She", ".", ".", "She", "She", "She", "She"])
def test_restoring_never_changes_known_words(words: list[str]) -> None:
    """Whatever the original, words that are spelt right stay, in their order."""
    before = "He met his brother in London, not in 1991 ."
    after = " ".join(words)
    assert split_units(restore(before, after).text).folded == split_units(after).folded
