"""How masked models fill slots, by a model whose probabilities are written down."""

from types import SimpleNamespace
from typing import Any, ClassVar

import numpy as np
import pytest
from numpy.typing import NDArray

from fair_datasets.rewriters.error_correction.infillers import MaskedInfiller
from fair_datasets.rewriters.error_correction.slots import Part, Slot

WORDS = ("<mask>", "</s>", "Ġhe", "Ġa", "Ġdoc", "tor", "ĠNew", "ĠYork", ".", "be")
Shares = dict[tuple[int, int], float]
MASK, END, HE, A, DOC, TOR, NEW, YORK, DOT, BE = range(len(WORDS))


class Tokenizer:
    """Words by number, of which those with a sign before them begin behind a space."""

    mask_token_id = MASK
    all_special_ids = (MASK, END)

    def __len__(self) -> int:
        """Return how many tokens there are."""
        return len(WORDS)

    def __call__(self, texts: list[str], verbose: bool) -> dict[str, list[list[int]]]:
        """Return the numbers of the tokens of texts."""
        tokens = [text.replace("<mask>", " <mask> ").split() for text in texts]
        return {"input_ids": [[_number(each) for each in row] for row in tokens]}

    def convert_ids_to_tokens(self, ids: list[int]) -> list[str]:
        """Return tokens as they are kept."""
        return [WORDS[each] for each in ids]

    def decode(self, ids: list[int]) -> str:
        """Return the text of tokens."""
        return "".join(WORDS[each] for each in ids).replace("Ġ", " ")


def _number(word: str) -> int:
    """Return the number of a word, which stands behind a space or not."""
    return WORDS.index(word if word in WORDS else f"Ġ{word}")


class Told(MaskedInfiller):
    """Says what is written down of each token that follows another; all else is unlikely."""

    shares: ClassVar[Shares] = {}
    read: ClassVar[list[list[int]]] = []

    def _log_probabilities(self, rows: list[list[int]], places: list[int]) -> NDArray[np.float64]:
        self.read.extend(rows)
        found = np.full((len(rows), len(WORDS)), 1e-9)
        for number, (row, place) in enumerate(zip(rows, places, strict=True)):
            before = row[place - 1] if place else END
            for token in range(len(WORDS)):
                found[number, token] = self.shares.get((before, token), 1e-9)
        return np.log(found)


def infiller_of(limit: int, tokens: int) -> Told:
    """Return an infiller that reads so many tokens, and writes so many for a mask."""
    loaded: Any = SimpleNamespace(tokenizer=Tokenizer(), refuse_no_memory=None)
    return Told(loaded, limit, tokens, 8, "float32")


def filled(text: str, *slots: Slot, shares: Shares, tokens: int = 2) -> list[str | None]:
    """Return what is written in the slots of a text."""
    Told.shares, Told.read = shares, []
    (row,) = infiller_of(99, tokens).fill([Part(text, slots)])
    return [each.text for each in row.fills]


@pytest.mark.parametrize(("goes_on", "fill"), [(0.9, "doctor"), (0.6, "doctor"), (0.4, "doc")])
def test_the_likeliest_by_the_mean_of_its_tokens_is_taken(goes_on: float, fill: str) -> None:
    """Of one token and of two: by the sum it would always be the one."""
    shares = {(HE, DOC): 0.5, (HE, A): 0.4, (DOC, TOR): goes_on}
    assert filled("he <mask>", Slot(3, 9, 1, None), shares=shares) == [fill]
    assert filled("he <mask>", Slot(3, 9, 1, None), shares=shares, tokens=1) == ["doc"]


@pytest.mark.parametrize(("limit", "fits"), [(6, True), (5, False)])
def test_a_text_fits_with_all_that_may_be_written(limit: int, fits: bool) -> None:
    """Two tokens, and two masks of up to two."""
    assert infiller_of(limit, 2).fits("he <mask> <mask> .") is fits


def test_slots_are_filled_from_left_to_right() -> None:
    """Each is read with what was written before it, and with masks for what follows."""
    slots = [Slot(3, 9, 1, None), Slot(10, 23, 2, None)]
    shares = {(HE, A): 0.9, (A, NEW): 0.9, (NEW, YORK): 0.9}
    found = filled("he <mask> <mask> <mask> .", *slots, shares=shares, tokens=1)
    assert found == ["a", "New York"]
    assert Told.read == [
        [HE, MASK, MASK, MASK, DOT], [HE, A, MASK, MASK, DOT], [HE, A, NEW, MASK, DOT],
    ]  # fmt: skip


@pytest.mark.parametrize(("text", "start", "fill"), [("<mask>", 0, "be"), ("he <mask>", 3, "a")])
def test_a_word_begins_as_it_does_in_the_text(text: str, start: int, fill: str) -> None:
    """Behind a space, but at the beginning of a text in whatever way; no sign is a word."""
    shares = {(END, BE): 0.6, (END, A): 0.2, (HE, BE): 0.4, (HE, A): 0.3, (HE, DOT): 0.5}
    assert filled(text, Slot(start, start + 6, 1, None), shares=shares, tokens=1) == [fill]
