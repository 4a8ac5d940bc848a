"""Names that are written for first names that no list has: of their cultures, or of the list."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple, TypeVar

from fair_datasets.lexicons import Entry, Form
from fair_datasets.reader.matching.letters import without_accents
from fair_datasets.reader.matching.mentions import MentionTable
from fair_datasets.reader.matching.terms import Term
from fair_datasets.reader.names.given_names import known
from fair_datasets.rows import draws

RULE = "names.unlisted"
"""The rule that reads such names."""
# Among how many names of the list, from the commonest on, one is drawn.
_DRAWN = 400

_T = TypeVar("_T")


class Draw(NamedTuple):
    """How a name of a row is read, and what is written for it.

    Attributes:
        mentions: What is found in the rows.
        axis: The axis of the names.
        seed: The seed of the draw.
        key: The key of the draw: the row and the name.
        gender: Who bears the name.
        target: Who is to bear the other.
        taken: What nobody may be called, in small letters without accents; what is drawn is added.
    """

    mentions: MentionTable
    axis: str
    seed: int
    key: str
    gender: str
    target: str
    taken: set[str]

    def listed(self) -> Term | None:
        """Draw a listed name as which the name is read, whose counterpart nobody bears."""
        for number in self._in_turn(self._drawable()):
            term = self.mentions.terms.readings[number]
            both = {term.entry.forms[each][0].text.lower() for each in (self.gender, self.target)}
            if self.taken.isdisjoint(both):
                self.taken.update(both)
                return term
        return None

    def of_cultures(self, names: Sequence[str], spelling: str) -> Term | None:
        """Read the name as itself, with another one of the same cultures that nobody bears."""
        plain = spelling.isascii() and bool(known(spelling.lower()))
        for name in self._in_turn(names):
            if without_accents(name) not in self.taken:
                self.taken.add(without_accents(name))
                written = without_accents(name).capitalize() if plain else name
                forms = {self.gender: (Form(spelling),), self.target: (Form(written),)}
                return Term(
                    self.gender, Entry(forms), is_name=True, axis=self.axis, spelling=spelling
                )
        return None

    def _in_turn(self, several: Sequence[_T]) -> Iterator[_T]:
        """Give each of several once, from one that is drawn by the key on."""
        start = int(draws.uniform(self.seed, self.key, RULE) * len(several))
        yield from several[start:]
        yield from several[:start]

    def _drawable(self) -> Sequence[int]:
        """Return the readings of common names with a counterpart that mean nothing else."""
        axis, gender, target = self.axis, self.gender, self.target
        numbers = (
            number
            for number, term in enumerate(self.mentions.terms.readings)
            if (term.axis, term.attribute) == (axis, gender)
            and term.is_name
            and not term.is_surname
            and {gender, target} <= term.entry.forms.keys()
            and not any(form.flags for f in term.entry.forms.values() for form in f[:1])
        )
        key = ("drawable", axis, gender, target)
        return self.mentions.terms.noted(key, lambda: list(islice(numbers, _DRAWN)))
