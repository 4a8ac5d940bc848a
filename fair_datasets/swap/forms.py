"""What readings are written as: the forms of their counterparts, by number."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fair_datasets.matching.found import Terms
from fair_datasets.matching.letters import capitalised
from fair_datasets.matching.terms import Term
from fair_datasets.matching.vocabulary import vocabulary
from fair_datasets.matching.words import Mask
from fair_datasets.swap.directions import Targets
from fair_datasets.swap.pronoun_sets import THEY
from fair_datasets.swap.rewrite import changes_dot

Numbers = NDArray[np.int64]


class Form(NamedTuple):
    """What a reading is written as, for one target.

    Attributes:
        text: How the lexicon writes it; empty where the reading stays.
        axis: The demographic axis.
        target: The attribute that is written.
        is_hard: Whether more than its own letters has to be settled: the verbs of "they", what is
            said already before "Hindu priest", the capitals of "McDonald".
        changes_dot: Whether the dot of a title has to be settled: "Miss" becomes "Mr.".
        has_capital: Whether the lexicon writes the reading itself with a capital letter.
        is_plural: Whether it is a noun in the plural.
        name: The number of the name that is written, in the vocabulary; 0 if it is no name.
    """

    text: str
    axis: str = ""
    target: str = ""
    is_hard: bool = False
    changes_dot: bool = False
    has_capital: bool = False
    is_plural: bool = False
    name: int = 0


class Forms:
    """The forms of readings, of which each is looked up once.

    Attributes:
        variants: Each form as the lexicon writes it, capitalised, in capitals, and in small
            letters. Shape (F, 4).
    """

    def __init__(self, terms: Terms) -> None:
        """Know no form yet but that of what stays."""
        self._terms = terms
        self._numbers: dict[tuple[int, str], int] = {}
        self._forms = [Form("")]
        entries: dict[int, int] = {}
        self.entry = np.array(
            [entries.setdefault(id(term.entry), len(entries)) for term in terms.readings], np.int64
        )
        self._collect()

    @classmethod
    def of(cls, terms: Terms) -> "Forms":
        """Return the forms of readings, which are kept with them."""
        found = terms.notes.get(cls)
        if not isinstance(found, Forms):
            found = terms.notes[cls] = cls(terms)
        return found

    def numbers(self, readings: Numbers, targets: "list[Targets]", which: Numbers) -> Numbers:
        """Return the number of the form that each reading is written as; 0 where it stays.

        Args:
            readings: The numbers of the readings. Shape (M,).
            targets: Axis and attribute to the attribute that its terms are rewritten to.
            which: Which of these holds for each reading. Shape (M,).

        Returns:
            The numbers. Shape (M,).
        """
        pairs, inverse = np.unique(readings * len(targets) + which, return_inverse=True)
        found = [
            self._number(reading, targets[k])
            for reading, k in zip(
                *(c.tolist() for c in np.divmod(pairs, len(targets))), strict=True
            )
        ]
        if len(self._forms) > len(self.variants):
            self._collect()
        numbers: Numbers = np.array(found, np.int64)[inverse]
        return numbers

    def _number(self, reading: int, targets: Targets) -> int:
        """Return the number of one form."""
        term = self._terms.readings[reading]
        target = targets.get((term.axis, term.attribute), "")
        if not target:
            return 0
        number = self._numbers.get((reading, target))
        if number is None:
            forms = term.entry.forms.get(target)
            number = len(self._forms) if forms else 0
            if forms:
                self._forms.append(_form(term, target, forms[0].text))
            self._numbers[reading, target] = number
        return number

    def _collect(self) -> None:
        """Put what is known of the forms into columns."""
        forms = self._forms
        self.variants = np.empty((len(forms), 4), object)
        self.variants[:, 0] = [form.text for form in forms]
        self.variants[:, 1] = [capitalised(form.text) for form in forms]
        self.variants[:, 2] = [form.text.upper() for form in forms]
        self.variants[:, 3] = [form.text.lower() for form in forms]
        self.axis = np.array([form.axis for form in forms], object)
        self.target = np.array([form.target for form in forms], object)
        self.name = np.array([form.name for form in forms], np.int64)
        self.is_hard = self._those("is_hard")
        self.changes_dot = self._those("changes_dot")
        self.has_capital = self._those("has_capital")
        self.is_plural = self._those("is_plural")
        self.begins_small = np.array([form.text[:1].islower() for form in forms])
        self.ends_in_s = np.array([form.text[-1:] in ("s", "S") for form in forms])

    def _those(self, flag: str) -> Mask:
        """Tell for which forms a flag is set."""
        return np.array([getattr(form, flag) for form in self._forms])


def _form(term: Term, target: str, text: str) -> Form:
    """Describe what a reading is written as."""
    is_they = term.entry.kind == "pronoun" and text in THEY
    small = term.spelling.lower()
    return Form(
        text,
        term.axis,
        target,
        is_hard=is_they or " " in text or term.spelling not in (small, capitalised(small)),
        changes_dot=changes_dot(term, text),
        has_capital=term.spelling != small,
        is_plural=term.entry.is_plural,
        name=int(vocabulary().add([text.lower()])[0]) if term.is_name else 0,
    )
