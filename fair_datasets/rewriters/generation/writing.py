"""Asking a model to rewrite the texts of rows: what it is given, and what it wrote.

Texts that are too long together are asked for apart, and a text that is too long alone sentence by
sentence; only pieces that surely mention who is asked for are. Whatever goes wrong with a row is
the fault of that row, and told.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from fair_datasets.rewriters.generation.controls import SEPARATOR, Control, joined, parted
from fair_datasets.rewriters.generation.decoding import Decoded, Decoding, decode
from fair_datasets.rewriters.generation.faults import (
    LONG_SENTENCE,
    NO_WORD,
    NOTHING,
    OTHER_COUNT,
    SENTENCES,
    SIGN_READ,
    SIGN_WRITTEN,
)
from fair_datasets.rewriters.generation.pieces import pieces
from fair_datasets.scores.scoring_model import ScoringModel

Span = tuple[int, int]


class Ask(NamedTuple):
    """What is asked for one row.

    Attributes:
        texts: Its texts, none empty.
        spans: Where each text surely mentions who is asked for, in characters: of a row that is
            too long, only pieces that do are asked for.
        word: The word that stands for the person who is asked for.
        attribute: What the person becomes.
        seed: The seed of the row's draws.
        draft: A guess of what is written, as many texts; None for the texts themselves.
        where: Where the word stands: in which of the texts, and at which character; None for the
            first that is read.
    """

    texts: Sequence[str]
    spans: Sequence[Sequence[Span]]
    word: str
    attribute: str
    seed: int = 0
    draft: Sequence[str] | None = None
    where: tuple[int, int] | None = None


class Written(NamedTuple):
    """What a model wrote for one row.

    Attributes:
        texts: As many texts as were asked for; None where there is a fault.
        fault: Why there is nothing to use, in a few words; empty where there is.
    """

    texts: tuple[str, ...] | None
    fault: str = ""

    @property
    def sentence(self) -> str:
        """The fault in a sentence; empty where there is none."""
        return SENTENCES[self.fault] if self.fault else ""


@dataclass(frozen=True, slots=True)
class Writer:
    """A model with the way in which it is asked.

    Attributes:
        loaded: The model and its tokenizer.
        control: How it is told what to do.
        limit: How many tokens it reads, and how many it may write, at most.
        decoding: How it decodes.
    """

    loaded: ScoringModel
    control: Control
    limit: int
    decoding: Decoding = field(default_factory=Decoding)

    def write(self, asks: Sequence[Ask]) -> list[Written]:
        """Have the model rewrite rows.

        Args:
            asks: What is asked for each row.

        Returns:
            What it wrote, in the order of the rows.
        """
        rows = [self._parts(ask) for ask in asks]
        parts = [part for row in rows if isinstance(row, list) for part in row if part.source]
        decoded = iter(
            decode(
                self.loaded,
                [part.source for part in parts],
                drafts=[part.draft for part in parts],
                limits=[self._room(part) for part in parts],
                seeds=[part.seed for part in parts],
                settings=self.decoding,
            )
        )
        return [
            Written(None, row) if isinstance(row, str) else self._put_together(row, decoded)
            for row in rows
        ]

    def _room(self, part: "_Part") -> int:
        """Return how many tokens may be written for a part: half as many again as it has."""
        return min(self.limit - 1, len(part.draft) + max(16, len(part.draft) // 2))

    def _parts(self, ask: Ask) -> "list[_Part] | str":
        """Return what the model is given for a row; or why it is given nothing."""
        fault = self._fault_of(ask)
        if fault:
            return fault
        whole = self._part(ask.texts, ask.word, ask, ask.draft or ask.texts)
        if len(whole.source) <= self.limit:
            return [whole]
        found: list[_Part] = []
        for text, spans in zip(ask.texts, ask.spans, strict=True):
            split = self._split(text, spans, ask)
            if split is None:
                return LONG_SENTENCE
            found += [part._replace(opens=not k) for k, part in enumerate(split)]
        return found

    def _fault_of(self, ask: Ask) -> str:
        """Return why a row cannot be asked for, if that is so."""
        if self.control.asks_for_a_word and not any(ask.spans):
            return NO_WORD
        several = len(ask.texts) > 1
        # The tokenizer would take its own signs for what they stand for.
        signs = {*self.control.signs(several=several), *self.loaded.tokenizer.all_special_tokens}
        return SIGN_READ if any(sign in text for sign in signs for text in ask.texts) else ""

    def _split(self, text: str, spans: Sequence[Span], ask: Ask) -> "list[_Part] | None":
        """Return the pieces of a text, those that mention nobody without anything to read."""
        if not spans:
            return [_Part((text,))]

        def fits(piece: str) -> bool:
            return len(self._part([piece], ask.word, ask, [piece]).source) <= self.limit

        split = pieces(text, fits)
        if split is None:
            return None
        found, start = [], 0
        for piece in split:
            end = start + len(piece)
            words = [text[a:b] for a, b in spans if start <= a and b <= end]
            if words:
                # The person is asked for by the same word where it is there, else by another one.
                word = ask.word if ask.word in words else words[0]
                found.append(self._part([piece], word, ask, [piece]))
            else:
                found.append(_Part((piece,)))
            start = end
        return found

    def _part(self, texts: Sequence[str], word: str, ask: Ask, draft: Sequence[str]) -> "_Part":
        """Return what the model is given for texts, without the white space around them."""
        bare = [text.strip() for text in texts]
        given = self.control.written(word, ask.attribute, bare)
        source, guess = self.loaded.tokenizer(
            [given, joined([text.strip() for text in draft])], verbose=False
        )["input_ids"]
        return _Part(tuple(texts), source, guess, ask.seed)

    def _put_together(self, row: Sequence["_Part"], decoded: Iterator[Decoded]) -> Written:
        """Put what was written for the parts of a row together; the first fault is the row's."""
        texts: list[str] = []
        fault = ""
        for part in row:
            new: Sequence[str] = part.texts
            if part.source:
                new, why = self._read(next(decoded), part)
                fault = fault or why
            if part.opens:
                texts += new
            else:
                texts[-1] += new[0]
        return Written(None, fault) if fault else Written(tuple(texts))

    def _read(self, decoded: Decoded, part: "_Part") -> tuple[Sequence[str], str]:
        """Return the texts that were written for a part, and what is wrong with them."""
        if decoded.fault:
            return part.texts, decoded.fault
        frame = frame_tokens(self.loaded)
        written = self.loaded.tokenizer.decode(
            [token for token in decoded.ids if token not in frame],
            skip_special_tokens=False,
            clean_up_tokenization_spaces=False,
        )
        for sign in self.control.signs(several=False):
            if sign != SEPARATOR and sign in written:
                return part.texts, SIGN_WRITTEN
        texts = parted(written)
        if len(texts) != len(part.texts):
            return part.texts, OTHER_COUNT
        if not all(text.strip() for text in texts):
            return part.texts, NOTHING
        return [
            between_same_spaces(new.strip(), old)
            for new, old in zip(texts, part.texts, strict=True)
        ], ""


class _Part(NamedTuple):
    """What the model is given at once.

    Attributes:
        texts: The texts as they are.
        source: What the model reads, as token ids; empty where it is not asked.
        draft: A guess of what it writes.
        seed: The seed of its draws.
        opens: Whether its text is another one than that of the part before.
    """

    texts: tuple[str, ...]
    source: Sequence[int] = ()
    draft: Sequence[int] = ()
    seed: int = 0
    opens: bool = True


def frame_tokens(loaded: ScoringModel) -> frozenset[Any]:
    """Return the tokens that frame what is written, and are no part of it."""
    tokenizer, settings = loaded.tokenizer, loaded.model.generation_config
    return frozenset(
        {
            tokenizer.bos_token_id, tokenizer.eos_token_id, tokenizer.pad_token_id,
            tokenizer.cls_token_id, settings.forced_bos_token_id, settings.decoder_start_token_id,
        }
    )  # fmt: skip


def between_same_spaces(new: str, old: str) -> str:
    """Put the white space around a text around another.

    Returns:
        The new text between the same white space.

    Example:
        >>> between_same_spaces("She left.", "  He left. ")
        '  She left. '
    """
    bare = old.strip()
    before = old[: len(old) - len(old.lstrip())]
    return f"{before}{new}{old[len(before) + len(bare) :]}"
