"""Encoder-decoders that fill slots: they write the whole text anew, as BART does."""

from collections.abc import Sequence
from dataclasses import dataclass

from fair_datasets.error_correction.parts import Filled, Infiller, Part
from fair_datasets.error_correction.slots import Fill, aligned_fills, without
from fair_datasets.generation.decoding import Decoded, Decoding, decode
from fair_datasets.generation.faults import SIGN_WRITTEN
from fair_datasets.generation.writing import between_same_spaces, frame_tokens

# How many tokens more than it is given a model may write at least.
ROOM = 16


@dataclass(frozen=True, slots=True)
class WritingInfiller(Infiller):
    """An encoder-decoder with the way in which it is asked.

    Attributes:
        loaded: The model and its tokenizer.
        limit: How many tokens it reads, and writes, at most.
        decoding: How it decodes.
    """

    decoding: Decoding

    def fits(self, text: str) -> bool:
        """Tell whether the model reads a text at once, and can write a few tokens more."""
        return len(self._ids([text])[0]) + ROOM <= self.limit

    def fill(self, parts: Sequence[Part]) -> list[Filled]:
        """Fill the slots of parts.

        Args:
            parts: The parts, each of which fits.

        Returns:
            What the model wrote, aligned with each part.

        Source:
            Lewis et al. (2020), "BART", text infilling.
        """
        if not parts:
            return []
        # What was masked is a good guess of what is written.
        guesses = [
            without(part.text, part.slots, [slot.before or "" for slot in part.slots])
            for part in parts
        ]
        sources = self._ids([part.text for part in parts])
        found = decode(
            self.loaded,
            sources,
            drafts=self._ids(guesses),
            limits=[self._room(len(ids)) for ids in sources],
            settings=self.decoding,
        )
        return [self._filled(part, decoded) for part, decoded in zip(parts, found, strict=True)]

    def _ids(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the tokens of texts, without the white space around them."""
        found: list[list[int]] = self.loaded.tokenizer(
            [text.strip() for text in texts], verbose=False
        )["input_ids"]
        return found

    def _room(self, length: int) -> int:
        """Return how many tokens may be written for so many: half as many again."""
        return min(self.limit - 1, length + max(ROOM, length // 2))

    def _filled(self, part: Part, decoded: Decoded) -> Filled:
        """Return what was written for a part."""
        tokenizer, frame = self.loaded.tokenizer, frame_tokens(self.loaded)
        ids = [token for token in decoded.ids if token not in frame]
        fault = decoded.fault
        if not fault and not frozenset(ids).isdisjoint(tokenizer.all_special_ids):
            fault = SIGN_WRITTEN
        if fault:
            return Filled([Fill(None, fault)] * len(part.slots))
        written = tokenizer.decode(ids, clean_up_tokenization_spaces=False).strip()
        fills = aligned_fills(part.text, part.slots, written)
        return Filled(fills, between_same_spaces(written, part.text))
