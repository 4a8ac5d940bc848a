"""Names in the texts of rows: each occurrence is judged, and the row decides of the unsure ones."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from fair_datasets.matching.conditions import ALWAYS, Condition, Rule, deciding, says
from fair_datasets.matching.decisions import Decisions, Rows, names_of
from fair_datasets.matching.found import Reason
from fair_datasets.matching.language import Language, Verdict
from fair_datasets.matching.places import Place
from fair_datasets.matching.tagged import ACCEPT, REJECT, TAGGED, UNSURE
from fair_datasets.matching.vocabulary import vocabulary
from fair_datasets.matching.words import Mask, Places

_HERE = Place(lambda found: found.places, code=lambda: "here")
_BEFORE = _HERE - 1
_CODES = {
    Verdict.SURE: ACCEPT, Verdict.ACCEPT: ACCEPT, Verdict.UNSURE: UNSURE, Verdict.REJECT: REJECT,
}  # fmt: skip


class NamesInRows:
    """What is decided of the names in a chunk of texts.

    Attributes:
        verdicts: The verdict on each candidate: 0 where it is no name. Shape (C,).
    """

    def __init__(
        self,
        decisions: Decisions,
        language: Language,
        surnames: Sequence[Rule[Verdict]],
        small_names: Places,
    ) -> None:
        """Judge the names.

        Args:
            decisions: The candidates.
            language: What judges first names.
            surnames: The rules that judge surnames, as `surname_rules` returns them.
            small_names: What a reader takes for first names in texts without capitals.
        """
        self._small_names = small_names
        self.decisions = decisions
        self.verdicts = np.zeros(len(decisions.places), np.int8)
        facts = decisions.columns.facts
        is_term = decisions.is_open & (decisions.terms >= 0)
        terms = np.maximum(decisions.terms, 0)
        names = np.flatnonzero(is_term & facts["name"][terms])
        is_first = facts["first name"][terms[names]]
        self._judge_first(names[is_first], language)
        self._judge_last(names[~is_first], surnames)

    def _judge_first(self, rows: Rows, language: Language) -> None:
        """Judge first names, of which one may stand behind another one."""
        if not len(rows):
            return
        codes = _codes_of(language.name)
        places = self.decisions.places[rows]
        # A word behind another candidate is judged as if that were a name, and as if it were none.
        behind = np.flatnonzero(np.diff(places, prepend=-2) == 1)
        follows = np.zeros(len(rows) + len(behind), np.bool_)
        follows[len(rows) :] = True
        asked = np.concatenate((rows, rows[behind]))
        is_small = np.zeros(len(asked), np.bool_)
        if len(self._small_names):
            is_small = np.isin(self.decisions.places[asked], self._small_names)
        beside = {"follows a name": follows, "without capitals": is_small}
        found = self.decisions.candidates(asked, beside)
        rules, as_second = np.split(deciding(language.name, found), [len(rows)])
        for row, rule in zip(behind.tolist(), as_second.tolist(), strict=True):
            if codes[rules[row - 1]] != REJECT:
                rules[row] = rule
        self.verdicts[rows] = codes[rules]
        self.decisions.read(rows, names_of(language.name)[rules])
        is_sure = np.array([rule.verdict is Verdict.SURE for rule in language.name])
        self._ask_reader(rows[~is_sure[rules]], language)
        rejected = rows[self.verdicts[rows] == REJECT]
        self.decisions.reasons[rejected] = Reason.NOT_A_NAME

    def _ask_reader(self, rows: Rows, language: Language) -> None:
        """Let a reader overrule the rules about first names where it is sure."""
        if language.tags is None:
            return
        verdicts, places = self.verdicts[rows], self.decisions.places[rows]
        found = language.tags.verdicts(self.decisions.words, places, verdicts)
        self.verdicts[rows] = found
        self.decisions.rules[rows[found != verdicts]] = TAGGED

    def _judge_last(self, rows: Rows, rules: Sequence[Rule[Verdict]]) -> None:
        """Judge surnames, which are sure where they stand behind a title or a first name."""
        if not len(rows):
            return
        found = deciding(rules, self.decisions.candidates(rows))
        self.verdicts[rows] = _codes_of(rules)[found]
        self.decisions.read(rows, names_of(rules)[found])

    @property
    def is_sure(self) -> Mask:
        """Whether each is surely a name. Shape (C,)."""
        held: Mask = self.verdicts == ACCEPT
        return held

    def stand_before(self, rows: Rows) -> Mask:
        """Tell which candidates stand behind what is read as a sure first name: "Art Monk"."""
        before, words = np.maximum(rows - 1, 0), self.decisions.words
        places = self.decisions.places
        held: Mask = (rows > 0) & (places[before] == places[rows] - 1)
        held &= (self.verdicts[before] == ACCEPT) | (self.verdicts[before] == UNSURE)
        asked = np.flatnonzero(held)
        if len(asked):
            keys = words.owner[places] * len(vocabulary()) + words.number[places]
            held[asked] = np.isin(keys[before[asked]], keys[self.is_sure])
        return held

    def unread_behind(self, rows: Rows) -> Mask:
        """Tell which candidates stand before what is read as no name, where names are read."""
        facts, decisions = self.decisions.columns.facts, self.decisions
        if not facts["first name"].any():
            return np.zeros(len(rows), np.bool_)
        is_name = (self.verdicts > 0) & (decisions.reasons == None)  # noqa: E711
        names = np.zeros(len(decisions.words) + 1, np.bool_)
        names[decisions.places[is_name]] = True
        held: Mask = ~names[decisions.lasts[rows] + 1]
        return held

    def settle(self, row_of: NDArray[np.int64], protected: Mapping[int, set[str]]) -> None:
        """Leave the unsure names alone of which no occurrence in the row is sure.

        Args:
            row_of: The row of each text. Shape (T,).
            protected: Row to the words of the protected names that occur in it.
        """
        decisions, words = self.decisions, self.decisions.words
        rows = row_of[words.owner[decisions.places]]
        unsure, sure = np.flatnonzero(self.verdicts == UNSURE), np.flatnonzero(self.is_sure)
        if len(unsure) and len(sure):
            keys = rows * len(vocabulary()) + words.number[decisions.places]
            unsure = unsure[~np.isin(keys[unsure], keys[sure])]
        decisions.reasons[unsure] = Reason.UNSURE_NAME
        if protected:
            for row in np.flatnonzero((self.verdicts > 0) & (self.verdicts < REJECT)).tolist():
                place = int(decisions.places[row])
                if words.looked_up(place) in protected.get(int(rows[row]), ()):
                    decisions.leave(np.array([row]), Reason.PROTECTED_NAME, "names.protected")

    def leave_against_pronouns(self, row_of: NDArray[np.int64], language: Language) -> None:
        """Leave a row's only name alone where the only gender that is told is the other one.

        Args:
            row_of: The row of each text. Shape (T,).
            language: What tells names that people of the other gender bear as well.
        """
        decisions, words = self.decisions, self.decisions.words
        facts, terms = decisions.columns.facts, np.maximum(decisions.terms, 0)
        numbers = words.number[decisions.places]
        is_read = (decisions.reasons == None) & (decisions.terms >= 0)  # noqa: E711
        is_name = is_read & facts["first name"][terms]
        is_pronoun = is_read & facts["pronoun"][terms]
        names = np.flatnonzero(is_name)
        if not len(names) or not is_pronoun.any():
            return
        names = names[decisions.candidates(names).holds(language.either_gender)]
        if not len(names):
            return
        rows = row_of[words.owner[decisions.places]]
        rows = rows - rows[0]
        count = int(rows[-1]) + 1
        size = len(vocabulary())
        several = np.unique(rows[is_name] * size + numbers[is_name])
        is_alone = np.bincount(several // size, minlength=count) == 1
        is_alone &= ~_among(rows[is_read & ~is_name & ~is_pronoun], count)
        names = names[is_alone[rows[names]]]
        for own, other in (("man", "woman"), ("woman", "man")):
            named = names[facts[own][terms[names]]]
            is_told = _among(rows[is_pronoun & facts[other][terms]], count)
            is_told &= ~_among(rows[is_pronoun & facts[own][terms]], count)
            decisions.leave(
                named[is_told[rows[named]]], Reason.OTHER_PRONOUNS, "names.other_pronouns"
            )


def _among(rows: Rows, count: int) -> Mask:
    """Tell of each of so many rows whether it is one of some."""
    held = np.zeros(count, np.bool_)
    held[rows] = True
    return held


def surname_rules(language: Language, given: frozenset[str]) -> tuple[Rule[Verdict], ...]:
    """Return the rules that decide of words that are listed as surnames.

    Args:
        language: What answers the questions about neighbours.
        given: The first names that a surname may stand behind.

    Returns:
        The rules.
    """
    accept, unsure = Verdict.ACCEPT, Verdict.UNSURE
    return (
        Rule("surnames.where_one_stands", accept, says(language.surname), asks=language.surname),
        Rule("surnames.behind_given", accept, _behind(given), "a listed first name is before it"),
        Rule("surnames.unsure", unsure, ALWAYS, "neither a title nor a first name is before it"),
    )


def _codes_of(rules: Sequence[Rule[Verdict]]) -> NDArray[np.int8]:
    """Return the verdicts of rules about names as numbers."""
    return np.array([_CODES[rule.verdict] for rule in rules], np.int8)


def _behind(given: frozenset[str]) -> Condition:
    """Tell whether a first name stands directly before."""
    return _HERE.sign(" ") & _BEFORE.is_capital & _BEFORE.that(given.__contains__)
