"""Asking a model to rewrite the texts of rows: what it is given, and what it wrote.

Texts that are too long together are asked for apart, and a text that is too long alone sentence by
sentence; only pieces that surely mention who is asked for are. Whatever goes wrong with a row is
the fault of that row, and told.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from fair_datasets.lexicons import Lexicon
from fair_datasets.reader.coreference import CoreferenceModel, CoreferenceQuery
from fair_datasets.reader.matching.mentions import Annotation, Mention, Reason
from fair_datasets.reader.matching.rows import mentions_in_rows
from fair_datasets.reader.matching.table import TermTable
from fair_datasets.rewriters.generation.controls import SEPARATOR, Control, joined, parted
from fair_datasets.rewriters.generation.decoding import (
    NO_MEMORY,
    TOO_LONG,
    Decoded,
    Decoding,
    decode,
)
from fair_datasets.rewriters.generation.loading import load_writer
from fair_datasets.rows import draws
from fair_datasets.rows.row_texts import Row
from fair_datasets.scores.models import ScoringModel
from fair_datasets.swap.directions import Targets, draw_targets
from fair_datasets.swap.rewrite import swap_row
from fair_datasets.swap.rewriting import Rows
from fair_datasets.swap.rewriting.counterfactuals import apply_edits, sentence_starts
from fair_datasets.swap.verification.people import mentions_of_person
from fair_datasets.swap.whole_rows import skipped_rows

NO_WORD = "word not in the text"
SIGN_READ = "sign in the text"
LONG_SENTENCE = "sentence too long"
SIGN_WRITTEN = "sign written"
OTHER_COUNT = "other number of texts"
NOTHING = "nothing written"
LONG_TEXT = "text too long"
WITHHELD = "withheld by the server"
NO_ANSWER = "no answer"
CUT = "answer cut"
NOT_EDITS = "no edits in JSON"
ABSENT = "words not in the text"
OVERLAPPING = "edits overlap"

SENTENCES = {
    TOO_LONG: "The rewrite was still going when it was one and a half times as long as the text.",
    NO_MEMORY: "The GPU has no memory for the row, even alone.",
    NO_WORD: "The word that was asked for is not in the text.",
    SIGN_READ: "The text has a special token of the model, such as <SEP>, which it would misread.",
    LONG_SENTENCE: "A sentence is longer than the model reads.",
    SIGN_WRITTEN: "The model wrote a special token of its control into the text.",
    OTHER_COUNT: "The model wrote more or fewer texts than it was given.",
    NOTHING: "The model wrote nothing.",
    LONG_TEXT: "The text is longer than the model reads.",
    WITHHELD: "The server's filter withheld the answer.",
    NO_ANSWER: "The answer of the server holds no text.",
    CUT: "The answer was cut at max_length tokens.",
    NOT_EDITS: "The model did not answer with edits in JSON.",
    ABSENT: "The model edits words that are not in the text, or not that often.",
    OVERLAPPING: "Two edits of the model change the same words.",
}


def pieces(text: str, fits: Callable[[str], bool]) -> list[str] | None:
    """Split a text at sentence borders into pieces that a model reads whole.

    Returns:
        The pieces, which joined are the text, each as long as fits; None where a sentence alone
        is too long.
    """
    chunks: list[str] = []
    start = 0
    borders = [*sentence_starts(text)[1:], len(text)]
    while start < len(text):
        ahead = [border for border in borders if border > start]
        # What fits is longest before a border where it no longer does; found by halving.
        low, high = 0, len(ahead)
        while low < high:
            middle = (low + high + 1) // 2
            if fits(text[start : ahead[middle - 1]]):
                low = middle
            else:
                high = middle - 1
        if not low:
            return None
        chunks.append(text[start : ahead[low - 1]])
        start = ahead[low - 1]
    return chunks


Span = tuple[int, int]


class RewriteRequest(NamedTuple):
    """What is asked for one row.

    Attributes:
        spans: Where each text surely mentions who is asked for, in characters: of a row that is
            too long, only pieces that do are asked for.
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


class ModelOutput(NamedTuple):
    """What a model wrote for one row.

    Attributes:
        texts: As many texts as were asked for; None where there is a fault.
    """

    texts: tuple[str, ...] | None
    fault: str = ""

    @property
    def sentence(self) -> str:
        """The fault in a sentence; empty where there is none."""
        return SENTENCES[self.fault] if self.fault else ""


@dataclass(frozen=True, slots=True)
class Writer:
    """A model with the way in which it is asked."""

    loaded: ScoringModel
    control: Control
    limit: int
    decoding: Decoding = field(default_factory=Decoding)

    def write(self, asks: Sequence[RewriteRequest]) -> list[ModelOutput]:
        """Have the model rewrite rows."""
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
            ModelOutput(None, row) if isinstance(row, str) else self._put_together(row, decoded)
            for row in rows
        ]

    def _room(self, part: "_Part") -> int:
        """Return how many tokens may be written for a part: half as many again as it has."""
        return min(self.limit - 1, len(part.draft) + max(16, len(part.draft) // 2))

    def _parts(self, ask: RewriteRequest) -> "list[_Part] | str":
        """Return what the model is given for a row; or why it is given nothing."""
        fault = self._fault_of(ask)
        if fault:
            return fault
        whole = self._part(ask.texts, ask.word, ask, ask.draft or ask.texts)
        if len(whole.source) <= self.limit:
            return [whole]
        parts: list[_Part] = []
        for text, spans in zip(ask.texts, ask.spans, strict=True):
            split = self._split(text, spans, ask)
            if split is None:
                return LONG_SENTENCE
            parts += [part._replace(opens=not k) for k, part in enumerate(split)]
        return parts

    def _fault_of(self, ask: RewriteRequest) -> str:
        """Return why a row cannot be asked for, if that is so."""
        if self.control.asks_for_a_word and not any(ask.spans):
            return NO_WORD
        several = len(ask.texts) > 1
        # The tokenizer would take its own signs for what they stand for.
        signs = {*self.control.signs(several=several), *self.loaded.tokenizer.all_special_tokens}
        return SIGN_READ if any(sign in text for sign in signs for text in ask.texts) else ""

    def _split(self, text: str, spans: Sequence[Span], ask: RewriteRequest) -> "list[_Part] | None":
        """Return the pieces of a text, those that mention nobody without anything to read."""
        if not spans:
            return [_Part((text,))]

        def fits(piece: str) -> bool:
            return len(self._part([piece], ask.word, ask, [piece]).source) <= self.limit

        split = pieces(text, fits)
        if split is None:
            return None
        parts, start = [], 0
        for piece in split:
            end = start + len(piece)
            words = [text[a:b] for a, b in spans if start <= a and b <= end]
            if words:
                # The person is asked for by the same word where it is there, else by another one.
                word = ask.word if ask.word in words else words[0]
                parts.append(self._part([piece], word, ask, [piece]))
            else:
                parts.append(_Part((piece,)))
            start = end
        return parts

    def _part(
        self, texts: Sequence[str], word: str, ask: RewriteRequest, draft: Sequence[str]
    ) -> "_Part":
        """Return what the model is given for texts, without the white space around them."""
        bare = [text.strip() for text in texts]
        given = self.control.written(word, ask.attribute, bare)
        source, guess = self.loaded.tokenizer(
            [given, joined([text.strip() for text in draft])], verbose=False
        )["input_ids"]
        return _Part(tuple(texts), source, guess, ask.seed)

    def _put_together(self, row: Sequence["_Part"], decoded: Iterator[Decoded]) -> ModelOutput:
        """Put what was written for the parts of a row together; the first fault is the row's."""
        texts: list[str] = []
        fault = ""
        for part in row:
            new: Sequence[str] = part.texts
            if part.source:
                new, why = self._decode_part(next(decoded), part)
                fault = fault or why
            if part.opens:
                texts += new
            else:
                texts[-1] += new[0]
        return ModelOutput(None, fault) if fault else ModelOutput(tuple(texts))

    def _decode_part(self, decoded: Decoded, part: "_Part") -> tuple[Sequence[str], str]:
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
        source: What the model reads, as token ids; empty where it is not asked.
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

    Example:
        >>> between_same_spaces("She left.", "  He left. ")
        '  She left. '
    """
    bare = old.strip()
    before = old[: len(old) - len(old.lstrip())]
    return f"{before}{new}{old[len(before) + len(bare) :]}"


def rewrite_texts(
    asks: Sequence[RewriteRequest], model: str, *, control: str, revision: str | None = None
) -> list[str | None]:
    """Have a model rewrite texts, without a check of what it wrote."""
    loaded = load_writer(model, revision=revision)
    how = Control.read(control)
    how.refuse_tokenizer(loaded.tokenizer, model, several=False)
    limit = loaded.limit or loaded.model.generation_config.max_length or 512
    outputs = Writer(loaded, how, limit).write(asks)
    return [None if each.texts is None else each.texts[0] for each in outputs]


class Request(NamedTuple):
    """A row that a model is asked to rewrite.

    Attributes:
        swapped: The texts of the row as the swap writes them; its own where the swap leaves it.
    """

    number: int
    places: Sequence[int]
    ask: RewriteRequest
    swapped: Row
    skip_reason: Reason | None = None

    def written(self, row: Row, new: Sequence[str]) -> Row:
        """Put what was written into the row, whose other texts stay."""
        texts = list(row)
        for place, text in zip(self.places, new, strict=True):
            texts[place] = text
        return tuple(texts)


class Direction(NamedTuple):
    """From which attributes to which the people of an axis are rewritten.

    Attributes:
        of_one: Whether one person is asked for in each row, not everybody.
        persons: What tells whose mention it is; None for what is sure by itself.
    """

    table: TermTable
    lexicon: Lexicon
    plan: Mapping[str, Sequence[str]]
    seed: int
    of_one: bool
    persons: CoreferenceModel | None = None

    def requests(self, rows: Rows) -> Iterator[Request]:
        """Ask for the first person of each row who may be rewritten."""
        targets: dict[int, Targets] = {}
        requests, people = [], []
        for number, readings in mentions_in_rows(rows.texts, [self.table]):
            pair = self._request(rows, number, readings, targets)
            if pair is not None:
                requests.append(pair[0])
                people.append(pair[1])
        if self.persons is not None and self.of_one:
            theirs = self.persons.mentions_in_rows(people)
            requests = [
                self._of_person(request, rows.texts[request.number], each.readings, own, targets)
                for request, each, own in zip(requests, people, theirs, strict=True)
            ]
        skipped = skipped_rows(rows.texts, lambda number: targets.get(number, {}), self.table)
        for request in requests:
            number = request.number
            if number in skipped:
                request = request._replace(swapped=rows.texts[number], skip_reason=skipped[number])
            yield request

    def _request(
        self,
        rows: Rows,
        number: int,
        readings: Sequence[Annotation | None],
        all_targets: dict[int, Targets],
    ) -> tuple[Request, CoreferenceQuery] | None:
        """Ask for the first person of a row; None where nobody may be rewritten."""
        row = rows.texts[number]
        places = [place for place, text in enumerate(row) if text and text.strip()]
        texts = [row[place] or "" for place in places]
        all_mentions = [list(self._mentions(readings[place])) for place in places]
        first = next((k for k, mentions in enumerate(all_mentions) if mentions), None)
        if first is None:
            return None
        key, axis = rows.key(number), self.table.axis
        targets = draw_targets(axis, self.lexicon, self.plan, self.seed, key)
        person = CoreferenceQuery(readings, places[first], all_mentions[first][0][1])
        attribute = person.mention.term.attribute
        if self.of_one:
            targets = {(axis, attribute): targets[axis, attribute]}
            of_row = [readings[place] for place in places]
            theirs = mentions_of_person(of_row, first, person.mention)
            all_mentions = [
                [(span, mention) for span, mention in own if mention in same]
                for own, same in zip(all_mentions, theirs, strict=True)
            ]
        all_targets[number] = targets
        spans = [[span for span, _ in own] for own in all_mentions]
        swapped = tuple(
            text and apply_edits(text, edits)
            for text, edits in zip(row, swap_row(readings, targets), strict=True)
        )
        start, end = spans[first][0]
        ask = RewriteRequest(
            texts=texts,
            spans=spans,
            word=texts[first][start:end],
            attribute=targets[axis, attribute],
            seed=draws.drawn_seed(self.seed, key, "tokens"),
            draft=[swapped[place] or "" for place in places],
            where=(first, start),
        )
        return Request(number, places, ask, swapped), person

    def _of_person(
        self,
        request: Request,
        row: Row,
        readings: Sequence[Annotation | None],
        theirs: Sequence[list[Mention]],
        targets: Mapping[int, Targets],
    ) -> Request:
        """Restrict the swap of a row to the mentions of the person who is asked for."""
        own = [
            reading and reading._replace(mentions=mentions)
            for reading, mentions in zip(readings, theirs, strict=True)
        ]
        edits = swap_row(own, targets[request.number])
        swapped = tuple(text and apply_edits(text, e) for text, e in zip(row, edits, strict=True))
        draft = [swapped[place] or "" for place in request.places]
        return request._replace(swapped=swapped, ask=request.ask._replace(draft=draft))

    def _mentions(self, reading: Annotation | None) -> Iterator[tuple[tuple[int, int], Mention]]:
        """Yield the mentions of a text that may be rewritten, and where they stand."""
        if reading is None:
            return
        for mention in reading.mentions:
            if mention.term.attribute in self.plan:
                tokens = reading.tokens
                yield (tokens.starts[mention.first], tokens.end(mention.last)), mention
