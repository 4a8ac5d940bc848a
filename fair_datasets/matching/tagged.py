"""What the tags of a reader decide: which words name people, and the case of "her" and "his"."""

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fair_datasets.matching.conditions import ALWAYS, Candidates, Condition, Rule
from fair_datasets.matching.words import Mask, Places, Words
from fair_datasets.reader.load import STUDENT, load_reader
from fair_datasets.reader.tags import (
    DETERMINER,
    GIVEN,
    OTHER,
    PEOPLE,
    PLACE,
    TITLE,
    Reader,
    Tagged,
)

if TYPE_CHECKING:
    from fair_datasets.matching.language import Language

Cases = Mapping[tuple[str, str], Sequence[Rule[str]]]

ACCEPT, UNSURE, REJECT = 1, 2, 3
"""The verdicts of the rules about first names, as numbers."""
TAGGED = "names.tagged"
"""The rule that is told where the tag of a name decided otherwise than the rules."""
SENSE = "senses.tagged"
"""The rule that is told where the sense of another word did."""
_OTHER_SENSE = "senses.other"


class Tags(NamedTuple):
    """A reader, and how its tags and the rules about first names go together.

    Attributes:
        load: Returns the reader, at the first question.
        keeps: From which probability of a given name on a word is read that the rules read.
        decides: From which on one is read of which they are unsure.
        overrules: From which on one is read that they reject; never if it is above 1.
        others: From which probability of a place, an organisation, a work or another name on a word
            is read as no given name.
        least: From which probability of naming people on a word is read that often names a thing.
        titles: From which probability of a title or a fixed phrase on a word of any axis is.
    """

    load: Callable[[], Reader]
    keeps: float = 0.1
    decides: float = 0.8
    overrules: float = 0.9
    others: float = 0.5
    least: float = 0.5
    titles: float = 0.7

    def verdicts(
        self, words: Words, places: Places, verdicts: NDArray[np.int8]
    ) -> NDArray[np.int8]:
        """Decide of words that are spelt like first names.

        Args:
            words: The words of texts.
            places: Which of them. Shape (W,).
            verdicts: What the rules say: `ACCEPT`, `UNSURE` or `REJECT`. Shape (W,).

        Returns:
            The verdicts; of those that change, all are sure. Shape (W,).
        """
        least = np.array((0.0, self.keeps, self.decides, self.overrules))[verdicts]
        found = verdicts.copy()
        # The reader knows the lists of names by their letters: "José" is "Jose" to the rules alone.
        is_spelt = words.vocabulary.hashes(words.number[places]) == words.hash[places]
        asked = np.flatnonzero(is_spelt & words.is_capital(places) & (least <= 1))
        shares = self.tagged(words, places[asked]).probabilities
        given = shares[:, GIVEN] >= least[asked]
        given &= shares[:, PLACE : OTHER + 1].sum(axis=1) < self.others
        found[asked[given]] = ACCEPT
        found[asked[~given & (verdicts[asked] == ACCEPT)]] = REJECT
        return found

    def people(self, words: Words, places: Places) -> NDArray[np.float64]:
        """Return how likely words are to name people. Shape (W,)."""
        found: NDArray[np.float64] = self.tagged(words, places).probabilities[:, PEOPLE]
        return found

    def titles_of(self, words: Words, places: Places) -> NDArray[np.float64]:
        """Return how likely words are to be of a title or a fixed phrase. Shape (W,)."""
        found: NDArray[np.float64] = self.tagged(words, places).probabilities[:, TITLE]
        return found

    def given(self, words: Words, places: Places) -> NDArray[np.float64]:
        """Return how likely words are to be given names. Shape (W,)."""
        return self.tagged(words, places).probabilities[:, GIVEN]

    def tagged(self, words: Words, places: Places) -> Tagged:
        """Tag words."""
        return self.load().tags(words, places)


def by_sense(rules: Sequence[Rule[bool]], tags: Tags) -> tuple[Rule[bool], ...]:
    """Let a reader tell whether words name people, where the rules do not.

    Args:
        rules: The rules, perhaps with another reader behind them.
        tags: The reader.

    Returns:
        The rules, of which the last two ask the reader.
    """

    def names_people(found: Candidates) -> Mask:
        held: Mask = tags.people(found.words, found.lasts) >= tags.least
        return held

    def told(found: Candidates) -> str:
        return tags.tagged(found.words, found.lasts).told(0, of_sense=True)

    return (
        *(rule for rule in rules if rule.name not in (SENSE, _OTHER_SENSE)),
        Rule(SENSE, True, Condition(names_people, is_costly=True), "its tag", told=told),
        Rule(_OTHER_SENSE, False, ALWAYS, "its tag", told=told),
    )


def with_reader(language: "Language", reader: str, owner: str) -> "Language":
    """Return a language of which a reader is asked: a token classifier about pronouns as well.

    Args:
        language: The language.
        reader: A folder, a file or the Hub id of a reader, which is loaded at the first question.
        owner: The class or function whose reader it is, for errors.

    Returns:
        The language, in which the tags decide.
    """
    load = partial(load_reader, reader, owner=owner)
    if reader.endswith(STUDENT):
        # It tells as much as the network that ships: first names beside the rules, and no cases.
        tags = Tags(load, overrules=math.inf)
        return language._replace(tags=tags, person=by_sense(language.person, tags))
    tags = Tags(load)
    return language._replace(
        tags=tags,
        person=by_sense(language.person, tags),
        cases=_cases_by_tag(language.cases, tags),
    )


def _cases_by_tag(cases: Cases, tags: Tags) -> Cases:
    """Let a reader tell the cases of "her" and "his"."""
    rules = dict(cases)

    def is_determiner(found: Candidates) -> Mask:
        held: Mask = tags.tagged(found.words, found.places).tags == DETERMINER
        return held

    def told(found: Candidates) -> str:
        return tags.tagged(found.words, found.places).told(0)

    asked = Condition(is_determiner, is_costly=True)
    for other in ("object", "possessive"):
        if ("determiner", other) in rules:
            rules["determiner", other] = (
                Rule("pronouns.tagged", "determiner", asked, "its tag", told=told),
                Rule("pronouns.tagged_other", other, ALWAYS, "its tag", told=told),
            )
    return rules
