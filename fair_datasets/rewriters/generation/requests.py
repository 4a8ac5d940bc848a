"""Which rows a model is asked to rewrite, and for whom in each."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from fair_datasets.lexicons import Lexicon
from fair_datasets.reader.matching.found import Mention, Reading, Reason
from fair_datasets.reader.matching.rows import found_in_rows
from fair_datasets.reader.matching.table import TermTable
from fair_datasets.reader.person import Asked, PersonReader
from fair_datasets.rewriters.generation.writing import Ask
from fair_datasets.rows import draws
from fair_datasets.rows.row_texts import Row
from fair_datasets.swap.directions import Targets, draw_targets
from fair_datasets.swap.rewrite import swap_row
from fair_datasets.swap.rewriting import Rows
from fair_datasets.swap.rewriting.counterfactuals import apply_edits
from fair_datasets.swap.verification.people import mentions_of_person
from fair_datasets.swap.whole_rows import left_rows


class Request(NamedTuple):
    """A row that a model is asked to rewrite.

    Attributes:
        number: The row.
        places: Which of its texts have any words; the others stay as they are.
        ask: What the model is asked.
        swapped: The texts of the row as the swap writes them; its own where the swap leaves it.
        left: Why the swap leaves the row as a whole; None where it does not.
    """

    number: int
    places: Sequence[int]
    ask: Ask
    swapped: Row
    left: Reason | None = None

    def written(self, row: Row, new: Sequence[str]) -> Row:
        """Put what was written into the row, whose other texts stay."""
        texts = list(row)
        for place, text in zip(self.places, new, strict=True):
            texts[place] = text
        return tuple(texts)


class Direction(NamedTuple):
    """From which attributes to which the people of an axis are rewritten.

    Attributes:
        table: The terms that are read.
        lexicon: The axis.
        plan: Each attribute that is rewritten, with those that it may become.
        seed: The seed of the draws.
        of_one: Whether one person is asked for in each row, not everybody.
        persons: What tells whose mention it is; None for what is sure by itself.
    """

    table: TermTable
    lexicon: Lexicon
    plan: Mapping[str, Sequence[str]]
    seed: int
    of_one: bool
    persons: PersonReader | None = None

    def requests(self, rows: Rows) -> Iterator[Request]:
        """Ask for the first person of each row who may be rewritten.

        Yields:
            A request for each row that mentions somebody.
        """
        targets: dict[int, Targets] = {}
        requests, people = [], []
        for number, readings in found_in_rows(rows.texts, [self.table]):
            found = self._request(rows, number, readings, targets)
            if found is not None:
                requests.append(found[0])
                people.append(found[1])
        if self.persons is not None and self.of_one:
            theirs = self.persons.mentions_in_rows(people)
            requests = [
                self._of_person(request, rows.texts[request.number], each.readings, own, targets)
                for request, each, own in zip(requests, people, theirs, strict=True)
            ]
        left = left_rows(rows.texts, lambda number: targets.get(number, {}), self.table)
        for request in requests:
            number = request.number
            if number in left:
                request = request._replace(swapped=rows.texts[number], left=left[number])
            yield request

    def _request(
        self,
        rows: Rows,
        number: int,
        readings: Sequence[Reading | None],
        all_targets: dict[int, Targets],
    ) -> tuple[Request, Asked] | None:
        """Ask for the first person of a row; None where nobody may be rewritten."""
        row = rows.texts[number]
        places = [place for place, text in enumerate(row) if text and text.strip()]
        texts = [row[place] or "" for place in places]
        found = [list(self._mentions(readings[place])) for place in places]
        first = next((k for k, mentions in enumerate(found) if mentions), None)
        if first is None:
            return None
        key, axis = rows.key(number), self.table.axis
        targets = draw_targets(axis, self.lexicon, self.plan, self.seed, key)
        person = Asked(readings, places[first], found[first][0][1])
        attribute = person.mention.term.attribute
        if self.of_one:
            targets = {(axis, attribute): targets[axis, attribute]}
            of_row = [readings[place] for place in places]
            theirs = mentions_of_person(of_row, first, person.mention)
            found = [
                [(span, mention) for span, mention in own if mention in same]
                for own, same in zip(found, theirs, strict=True)
            ]
        all_targets[number] = targets
        spans = [[span for span, _ in own] for own in found]
        swapped = tuple(
            text and apply_edits(text, edits)
            for text, edits in zip(row, swap_row(readings, targets), strict=True)
        )
        start, end = spans[first][0]
        ask = Ask(
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
        readings: Sequence[Reading | None],
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

    def _mentions(self, reading: Reading | None) -> Iterator[tuple[tuple[int, int], Mention]]:
        """Yield the mentions of a text that may be rewritten, and where they stand."""
        if reading is None:
            return
        for mention in reading.mentions:
            if mention.term.attribute in self.plan:
                tokens = reading.tokens
                yield (tokens.starts[mention.first], tokens.end(mention.last)), mention
