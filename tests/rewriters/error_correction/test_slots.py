"""Slots: runs of masks, what a model wrote in them, and texts with that and nothing else."""

from collections.abc import Sequence

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from fair_datasets.rewriters.error_correction.slots import (
    NOT_ALIGNED,
    Fill,
    Slot,
    Token,
    aligned_fills,
    filled,
    replaced,
    runs,
    word_logits,
    word_spans,
)

MASK = "<mask>"


def slots_of(text: str, words: Sequence[str | None] = ()) -> list[Slot]:
    """Return the slots of a text with masks; what they hid is not known unless it is given."""
    masks, start = [], text.find(MASK)
    while start >= 0:
        masks.append((start, start + len(MASK)))
        start = text.find(MASK, start + 1)
    known = [*words, *[None] * len(masks)][: len(masks)]
    return runs(text, list(zip(masks, known, strict=True)))


def repaired(text: str, written: str) -> str:
    """Fill a text by what a model wrote; what is not aligned becomes a question mark."""
    slots = slots_of(text)
    fills = aligned_fills(text, slots, written)
    return filled(text, slots, ["?" if fill.text is None else fill.text for fill in fills])[0]


def test_masks_side_by_side_are_one_slot() -> None:
    """White space joins them, and what they hid has it too; a sign or an empty line parts them."""
    text = "<mask>  <mask>, <mask>\n<mask>\n\n<mask>-<mask>"
    slots = slots_of(text, ["a", "b", "c", "d", "e", "f"])
    assert [(slot.before, slot.masks) for slot in slots] == [
        ("a  b", 2), ("c\nd", 2), ("e", 1), ("f", 1),
    ]  # fmt: skip
    assert [slot.before for slot in slots_of(text, ["a", None])][:2] == [None, None]


@pytest.mark.parametrize(("text", "written", "expected"), [
    # One word for one mask, several for one, one for several, and none.
    ("He <mask> late.", "He was late.", "He was late."),
    ("He <mask> late.", "He may have been late.", "He may have been late."),
    ("He <mask> <mask> late.", "He was late.", "He was late."),
    ("He <mask> ran.", "He ran.", "He ran."),
    ("He ran <mask>.", "He ran.", "He ran."),
    ("The king (<mask>) ran.", "The king () ran.", "The king () ran."),
    ("The king (<mask> old) ran.", "The king (old) ran.", "The king (old) ran."),
    ("<mask> ran.", "ran.", "ran."),
    # What was written elsewhere is not taken, nor another case, other spaces or signs.
    ("He <mask> LATE ,so.", "he was late, so", "He was LATE ,so."),
    ("The <mask> ran  home.", "The old king also ran home!", "The old king also ran  home."),
    # Signs at the ends of a fill are none of a word's.
    ("He <mask> left.", "He, too, left.", "He too left."),
    ("She <mask>n't go.", "She does n't go.", "She doesn't go."),
    ("<mask>'s late.", "she's late.", "she's late."),
    # A word that stands on both sides.
    ("the <mask> the", "the king the", "the king the"),
    ("He saw <mask> and <mask> left.", "He saw her and she left.", "He saw her and she left."),
    # Where a neighbour was rewritten, nobody knows what is whose.
    ("The <mask> ran.", "A dog walks.", "The ? ran."),
    ("A <mask> ran, and <mask> sat.", "A king ran, and so did I.", "A king ran, and ? sat."),
    ("He <mask>.", "", "He ?."),
])  # fmt: skip
def test_a_text_is_filled_by_alignment(text: str, written: str, expected: str) -> None:
    """Only the masks change, and with an empty fill the space that would be one too many."""
    assert repaired(text, written) == expected


def test_why_nothing_is_taken_is_told() -> None:
    """The fault is of the slot whose neighbour was rewritten."""
    text = "The <mask> ran, and <mask> sat."
    assert aligned_fills(text, slots_of(text), "The king ran, and so did I.") == [
        Fill("king"), Fill(None, NOT_ALIGNED),
    ]  # fmt: skip


def test_a_fill_is_capitalised_as_what_it_replaces() -> None:
    """At the start of a sentence alone, where a word in capitals stood."""
    text = "<mask> ran. <mask> sat by <mask>."
    slots = slots_of(text, ["He", "she", "Her"])
    new, places = filled(text, slots, ["she", "he", "him"])
    assert new == "She ran. he sat by him."
    assert [new[start:end] for start, end in places] == ["She", "he", "him"]


WORDS = st.text("ab .,'\n-é", max_size=12)


@given(st.lists(WORDS, min_size=2, max_size=5), st.lists(st.text("ab", max_size=3), min_size=4))
def test_outside_of_the_slots_nothing_changes(between: list[str], words: list[str]) -> None:
    """Whatever is written in the slots, all the rest is there; but for a space at an empty one."""
    text = MASK.join(between)
    slots = slots_of(text)
    fills = words[: len(slots)]
    assume(len(fills) == len(slots))
    new, places = filled(text, slots, fills)
    assert [new[start:end] for start, end in places] == fills
    rest = replaced(new, [Slot(*place, 1, None) for place in places], [MASK] * len(places))[0]
    if all(fills):
        assert rest == replaced(text, slots, [MASK] * len(slots))[0]
    else:
        bare, whole = "".join(rest.split()), replaced(text, slots, [MASK] * len(slots))[0]
        assert bare == "".join(whole.split())
        assert len(whole) - len(rest) <= fills.count("")


@given(st.lists(WORDS, min_size=2, max_size=5), WORDS)
def test_whatever_is_written_each_slot_has_an_answer(between: list[str], written: str) -> None:
    """Words, none, or a fault; and words are what was written."""
    text = MASK.join(between)
    slots = slots_of(text)
    fills = aligned_fills(text, slots, written)
    assert len(fills) == len(slots)
    assert all((fill.text is None) == bool(fill.fault) for fill in fills)
    assert all(fill.text is None or fill.text in written for fill in fills)


@given(st.lists(st.text("abc", min_size=1), min_size=3, max_size=9, unique=True), st.data())
def test_a_faithful_copy_fills_every_slot(words: list[str], data: st.DataObject) -> None:
    """Where the model copies all the rest, each slot gets what was written for it."""
    hidden = data.draw(st.sets(st.integers(0, len(words) - 1), min_size=1))
    new = [f"{word}x" if k in hidden else word for k, word in enumerate(words)]
    text = " ".join(MASK if k in hidden else word for k, word in enumerate(words))
    written = " ".join(new)
    assert repaired(text, written) == written


def words(text: str) -> list[str]:
    """Return the words of a text."""
    return [text[start:end] for start, end in word_spans(text)]


@pytest.mark.parametrize(("text", "expected"), [
    ("", []), ("?! …", []), ("“Don’t”, she said.", ["Don", "t", "she", "said"]),
    ("mother-in-law (HIS)", ["mother", "in", "law", "HIS"]),
    ("snake_case 42nd", ["snake", "case", "42nd"]), ("Zoe\u0308 Zoë", ["Zoe\u0308", "Zoë"]),
    ("लड़का आया।", ["लड़का", "आया"]), ("שָׁלוֹם עולם", ["שָׁלוֹם", "עולם"]),
    ("مُحَمَّد.", ["مُحَمَّد"]), ("น้ำดี ครับ", ["น้ำดี", "ครับ"]),
    ("\u0301 a\u0301_b", ["a\u0301", "b"]),
])  # fmt: skip
def test_signs_are_no_part_of_words(text: str, expected: list[str]) -> None:
    """Apostrophes, hyphens and quotes stay outside; an accent stays with its letter."""
    assert words(text) == expected


PIECES = [Token(0, 4, -1.0), Token(4, 8, 2.0), Token(9, 12, None), Token(12, 14, 3.0)]


def test_any_token_or_the_first_decides() -> None:
    """A word whose second piece alone is flagged is flagged by one trigger and not by the other."""
    assert word_logits([(0, 8)], PIECES) == [2.0]
    assert word_logits([(0, 8)], PIECES, "head") == [-1.0]


def test_a_word_that_the_tokenizer_does_not_know_has_no_logit() -> None:
    """Nor has one without a token, or one of whose pieces one is not known."""
    assert word_logits([(9, 14), (20, 22)], PIECES) == [None, None]


def test_a_token_over_two_words_counts_for_both() -> None:
    """As with tokens that hold a space."""
    assert word_logits([(0, 2), (3, 5)], [Token(0, 5, 1.0)]) == [1.0, 1.0]


@given(st.text(), st.data())
def test_what_is_not_masked_stays(text: str, data: st.DataObject) -> None:
    """The pieces between the words that are masked are those between the masks, sign for sign."""
    spans = word_spans(text)
    chosen = sorted(data.draw(st.sets(st.sampled_from(spans)))) if spans else []
    new = replaced(text, list(chosen), ["\0"] * len(chosen))[0]
    borders = [0, *(place for span in chosen for place in span), len(text)]
    between = [text[a:b] for a, b in zip(borders[::2], borders[1::2], strict=True)]
    assert new == "\0".join(between)
