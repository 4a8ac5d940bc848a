"""What a model that fills slots is given at once, and what it gives back."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from fair_datasets.rewriters.error_correction.slots import Fill, Slot
from fair_datasets.rewriters.generation.pieces import pieces
from fair_datasets.scores.scoring_model import ScoringModel


class Part(NamedTuple):
    """A text with slots that a model reads at once.

    Attributes:
        text: The text, or a piece of one, with the model's own masks.
        slots: Its slots, with offsets into it.
        start: Where the piece begins in the text.
    """

    text: str
    slots: Sequence[Slot]
    start: int = 0


class Filled(NamedTuple):
    """What a model wrote for a part.

    Attributes:
        fills: One for each slot.
        written: The whole part as the model wrote it; None for one that writes masks alone, or
            where there is a fault.
    """

    fills: Sequence[Fill]
    written: str | None = None


@dataclass(frozen=True, slots=True)
class Infiller(ABC):
    """A model that fills slots.

    Attributes:
        loaded: The model and its tokenizer.
        limit: How many tokens it reads, and writes, at most.
    """

    loaded: ScoringModel
    limit: int

    @property
    def mask(self) -> str:
        """What the model reads as a mask."""
        return str(self.loaded.tokenizer.mask_token)

    @property
    def signs(self) -> Sequence[str]:
        """What the model takes for signs of its own, wherever it stands in a text."""
        return tuple(self.loaded.tokenizer.all_special_tokens)

    @abstractmethod
    def fits(self, text: str) -> bool:
        """Tell whether the model reads a text at once, and can write what it lacks."""

    @abstractmethod
    def fill(self, parts: Sequence[Part]) -> list[Filled]:
        """Fill the slots of parts, each of which fits."""


def with_own_masks(text: str, slots: Sequence[Slot], mask: str) -> Part:
    """Write a model's own masks in the slots of a text.

    Args:
        slots: Its slots, in order.

    Example:
        >>> with_own_masks("He <mask>.", [Slot(3, 9, 1, "are")], "[MASK]").text
        'He [MASK].'
    """
    written: list[str] = []
    found: list[Slot] = []
    position = length = 0
    for slot in slots:
        between = text[position : slot.start]
        masks = " ".join([mask] * slot.masks)
        start = length + len(between)
        length = start + len(masks)
        written += between, masks
        found.append(slot._replace(start=start, end=length))
        position = slot.end
    return Part("".join([*written, text[position:]]), found)


def parts_of(whole: Part, fits: Callable[[str], bool]) -> list[Part] | None:
    """Part a text at the borders of sentences into what a model reads at once.

    Returns:
        Those parts that have a slot, in order; None where a sentence alone is too long.

    Example:
        >>> whole = Part("It rains. <mask> left.", [Slot(10, 16, 1, None)])
        >>> (part,) = parts_of(whole, lambda text: len(text) < 15)
        >>> part.text, part.slots[0].start
        ('<mask> left.', 0)
    """
    if fits(whole.text):
        return [whole]
    split = pieces(whole.text, fits)
    if split is None:
        return None
    found: list[Part] = []
    start = 0
    for piece in split:
        end = start + len(piece)
        own = [
            slot._replace(start=slot.start - start, end=slot.end - start)
            for slot in whole.slots
            if start <= slot.start < end
        ]
        if own:
            found.append(Part(piece, own, start))
        start = end
    return found
