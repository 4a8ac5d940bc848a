"""What reading texts asks of a language: questions about words, each answered by a table of rules.

A language is a folder beside `english/`, whose module `questions` holds a `Language`. A lexicon
that ships names the language of its texts by a code, in its `.toml`.
Beside it stands how often the rules were right.
"""

import csv
import math
import tomllib
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum
from functools import cache
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fair_datasets.reader.load import BEHIND_NOUN, SENSE, TAGGED, Tags
from fair_datasets.reader.matching.estimates import estimated
from fair_datasets.reader.matching.mentions import MentionTable, Reason
from fair_datasets.reader.matching.predicates import (
    ALWAYS,
    NEVER,
    Predicate,
    Rule,
    first_matching_rule,
    in_columns,
)
from fair_datasets.reader.matching.token_batch import Candidates, Mask, Places, TokenBatch
from fair_datasets.reader.matching.token_refs import TokenRef

LANGUAGES = {"en": "fair_datasets.reader.english"}
"""The package of each language, by the code that lexicons state."""


class Verdict(Enum):
    """What the neighbours say about an occurrence of a first name."""

    ACCEPT = "it is a first name"
    UNSURE = "it is a first name if another occurrence in the row is one"
    REJECT = "it is none"
    SURE = "it is a first name, whatever the word looks like"


class Age(NamedTuple):
    """An age in numbers.

    Attributes:
        text: The number of its text.
        first: Its first word.
        last: Its last word, inclusive.
        attribute: The demographic attribute of people of that age.
        forms: Attribute to what is written instead of the characters from the first word's start
            to the last word's end.
        rule: The rule that read it.
    """

    text: int
    first: int
    last: int
    attribute: str
    forms: Mapping[str, str]
    rule: str


class TiedWord(NamedTuple):
    """A word, or a pair of words, that ties its text to groups.

    Attributes:
        text: The number of the text.
        words: How it is written there.
        groups: The attributes to which it is tied.
        never: Those that nobody becomes beside it.
    """

    text: int
    words: str
    groups: frozenset[str]
    never: frozenset[str]


class StatedFact(NamedTuple):
    """A fact that texts tell of people of one attribute.

    Attributes:
        begin: The place of the first word of the sentence that tells it.
        stop: The place behind its last word.
        attribute: The attribute of whoever it is told of.
        never: The attributes of which it reads as a contradiction.
        is_name: Whether it is the name of somebody whom everybody knows.
    """

    begin: int
    stop: int
    attribute: str
    never: frozenset[str]
    is_name: bool


def _unasked(verdict: Any) -> tuple[Rule[Any], ...]:
    """Return the table of a question that a language does not ask."""
    return (Rule("language.unasked", verdict, ALWAYS, "its language has no rule about it"),)


def _against_nobody(axis: str) -> Mapping[str, int]:
    """No words speak against becoming anybody."""
    return {}


def _is_none(word: str) -> bool:
    """Return False for every word."""
    return False


class AgeQuestions(NamedTuple):
    """What is asked about ages.

    Attributes:
        stage: Why a word for a stage of life tells no age that could be another; None if it does.
        tag: Whether a word that is an age and the letter of a gender is of a person: "[F31]".
        gendered: Attribute to the letters that stand for it there; empty where nobody writes so.
        years: The ages that are told there.
        read: Finds the ages in numbers; None where none are read.
        rules: The rules that decide of them, for their reasons.
        others: Finds the ages that are not read, given the places of those that are: the place of
            the last word of each, and of the noun for who is so old.
        fit: Tells whether the ages at some places of a text may be rewritten.
        described: The noun for whom a word for a stage, or an age, is said of; nowhere if there
            is none.
    """

    stage: Sequence[Rule[Reason | None]] = _unasked(None)
    tag: Predicate = NEVER
    gendered: Mapping[str, str] = MappingProxyType({})
    years: range = range(0)
    read: Callable[[TokenBatch], Sequence[Age]] | None = None
    rules: Sequence[Rule[Any]] = ()
    others: Callable[[TokenBatch, Mask], Sequence[tuple[int, int]]] | None = None
    fit: Callable[[str, Sequence[tuple[int, int]]], bool] | None = None
    described: TokenRef | None = None


class RowQuestions(NamedTuple):
    """What is asked about rows, some of which are left alone as a whole.

    Attributes:
        groups: The axes whose attributes are groups, whose words are said of their things as well:
            "the Jewish faith".
        contrasted: Those of them whose groups texts set against each other, so that no two of a
            row may become one.
        thing: Whether a word for people is said of a thing behind it.
        may_describe: Whether a reader may tell that a word describes people, beside others of
            their group.
        means_group: Whether a word that describes no people is about a group all the same.
        named: Whether a word for what a group has is part of a name: "Trinity Church".
        named_house: Whether a building bears the name before it: "Finsbury Park mosque".
        named_group: Whether a word for a group or a faith is part of one: "Silver Jews".
        office: Whether a word for what somebody is has no article, as an office: "he was pastor".
        called: Whether a word for a relative is used like a name, or stands before one.
        beings: Words for animals and gods that people call he or she.
        compared: Whether a group is set against another that is told before it.
        of_gender: Whether what is said of a group is about its gender.
        tied: Finds what ties texts to groups of an axis, at the places that are free.
        speaking_against: Returns how many words speak against becoming each attribute of an axis;
            those without any are left out.
        facts: Finds the facts that are told of people of one of several attributes.
    """

    groups: frozenset[str] = frozenset()
    contrasted: frozenset[str] = frozenset()
    thing: Predicate = NEVER
    may_describe: Predicate = NEVER
    means_group: Predicate = ALWAYS
    named: Predicate = NEVER
    named_house: Predicate = NEVER
    named_group: Predicate = NEVER
    office: Predicate = NEVER
    called: Predicate = NEVER
    beings: Callable[[], frozenset[str]] = frozenset
    compared: Predicate = NEVER
    of_gender: Predicate = NEVER
    tied: Callable[[TokenBatch, str, Mask], Iterable[TiedWord]] | None = None
    speaking_against: Callable[[str], Mapping[str, int]] = _against_nobody
    facts: Callable[[TokenBatch, tuple[str, ...]], Iterable[StatedFact]] | None = None


class Language(NamedTuple):
    """The questions about words, and where they are answered.

    A question that a language does not ask is answered so that the words of lexicons are read.

    What is asked of first names may look at the facts `word`, `place`, `proper` and `surname` (what
    the list says of the name), `man` and `woman`, `follows a name`, and `without capitals` (where
    the reader takes a word for a name in a text without capitals).

    Attributes:
        name: Whether what is spelt like a first name is one.
        tags: The reader that is asked about first names, listed or not; None where none is.
        doubted: The axes on which it is asked as well whether what rules read describes people.
        surname: Whether a capitalised term is a surname where it stands: "Debra Monk".
        name_part: Whether a term that is a name as well is joined to a name: "Islam Karimov".
        title: Whether a word is a title before a name: "Miss Woodhouse".
        quoted: Whether a word stands in the title of a work.
        foreign: Returns those of some texts that are in another language; None where nobody asks.
        of_deity: Whether a pronoun is about God: "what He wills".
        verb: Whether a word that may be a verb ("host") is one.
        person: Whether a word that often denotes a thing ("king") denotes a person; where no rule
            says so, the reader does.
        used: How a word describes people: "adjective", "singular", "plural"; empty if it does not.
        finer: Uses of a word for people that only some lexicons tell apart, to the use of which
            each is a part, and to where it is that one.
        cases: The cases that one spelling may have, as the lexicon names them, to the rules that
            tell which it is.
        either_gender: Whether a first name is now and then one of the other gender.
        of_both_genders: Whether some culture gives a first name to the other gender.
        goes_with_name: Whether a title goes with the first name behind it, so that both are
            rewritten or none is.
        unlisted_name: Whether a capitalised word that no list has may be a first name by what
            stands around it.
        acts: Whether a word that nothing is known of does something, or owns something.
        tells_gender: Whether a part of a name that is never rewritten tells a gender: "Amrit Kaur".
        titled: Whether a title or a word for a relative stands before a name.
        inapt: Whether a word for people says of its noun what is no trait: "old friend".
        other_sense: Whether a phrase for people has another sense: "a straight man", an honest one.
        is_person: Tells whether a word is a noun or a pronoun for a person.
        is_singular_determiner: Tells whether a word stands before a noun for one.
        for_them: Whether an institution is named after whom it is for: "the Women's World Cup".
        alike: The words that are left alone wherever they stand in a row in which they are once.
        read_alike: Those that are read wherever they stand in a row in which they are read once.
        ages: What is asked about ages.
        rows: What is asked about rows.
        standing: How a name stands, by which it is more or less sure to be one.
        reliability: Returns how often decisions were right; None where nobody counted.
    """

    name: Sequence[Rule[Verdict]] = _unasked(Verdict.ACCEPT)
    tags: Tags | None = None
    doubted: frozenset[str] = frozenset()
    surname: Sequence[Rule[bool]] = _unasked(False)
    name_part: Predicate = NEVER
    title: Sequence[Rule[bool]] = _unasked(True)
    quoted: Predicate = NEVER
    foreign: Callable[[TokenBatch, Places], Places] | None = None
    of_deity: Predicate = NEVER
    verb: Sequence[Rule[bool]] = _unasked(False)
    person: Sequence[Rule[bool]] = _unasked(True)
    used: Sequence[Rule[str]] = _unasked("adjective")
    finer: Mapping[str, tuple[str, Predicate]] = MappingProxyType({})
    cases: Mapping[tuple[str, str], Sequence[Rule[str]]] = MappingProxyType({})
    either_gender: Predicate = NEVER
    of_both_genders: Predicate = NEVER
    goes_with_name: Predicate = NEVER
    unlisted_name: Predicate = NEVER
    acts: Predicate = NEVER
    tells_gender: Predicate = NEVER
    titled: Predicate = NEVER
    inapt: Predicate = NEVER
    other_sense: Predicate = NEVER
    is_person: Callable[[str], bool] = _is_none
    is_singular_determiner: Callable[[str], bool] = _is_none
    for_them: Predicate = NEVER
    alike: Callable[[], frozenset[str]] = frozenset
    read_alike: Callable[[], frozenset[str]] = frozenset
    ages: AgeQuestions = AgeQuestions()
    rows: RowQuestions = RowQuestions()
    standing: Sequence[Rule[str]] = _unasked("")
    reliability: "Callable[[], Reliability] | None" = None


@cache
def language(code: str = "en") -> Language:
    """Return a language.

    Args:
        code: Its code, one of `LANGUAGES`.
    """
    instance: Any = import_module(f"{LANGUAGES[code]}.questions").LANGUAGE
    assert isinstance(instance, Language)
    return instance


_LEAST = 1e-3
NAMES = "names"
"""What names are told by in place of an axis: whether a word is one is the same on all of them."""
_VERDICTS = {"read": True, "left": False}


class Decision(NamedTuple):
    """A kind of decisions.

    Attributes:
        axis: The demographic axis; `NAMES` for names.
        rule: The name of the rule that decided.
        detail: The word in lower case; of a name how it stands.
        is_read: Whether it is read as a mention; otherwise it is left alone.
    """

    axis: str
    rule: str
    detail: str
    is_read: bool

    def kinds(self) -> Sequence[tuple[bool | str, ...]]:
        """Return the kinds that it belongs to, the widest first."""
        table = self.rule.split(".")[0]
        whole = (self.is_read, self.axis, table, self.rule, self.detail)
        return [whole[:length] for length in range(1, len(whole) + 1)]


# Above it, a tag's probability of people says no more: words that are never asked have it too.
SURELY_PEOPLE = 0.99


class RowCurve(NamedTuple):
    """How the log odds that a row is rewritten rightly go with what is known of it.

    Attributes:
        product: By those of the product over its decisions.
        people: By those that each mention of people that changes does name people.
        capitals: By the logarithm of one more than the number of its capitalised words.
        names: The same of those that may be first names and stay beside a pronoun that changes.
        axes: What is added on each axis; the mean of them on any other.
    """

    product: float
    people: float
    capitals: float
    names: float
    axes: Mapping[str, float]


class Reliability:
    """How often decisions were right.

    Args:
        counts: How many decisions of each kind were right, and how many there were.
        models: The rules that ask a model, each to the intercept and the slope of the log odds that
            it is right, by how far its own log odds are from 0.
        tags: How the log odds that a decision about a first name is right go with those of its tag
            and of its rule: an intercept and two slopes, of names that are read and that are left.
        rows: How the figures of a row go together; None for their product alone.

    Example:
        >>> known = Reliability({Decision("gender", "terms.listed", "king", True): (8, 10)}, {})
        >>> round(known.of(Decision("gender", "terms.listed", "king", True)), 2)
        0.8
    """

    def __init__(
        self,
        counts: Mapping[Decision, tuple[int, int]],
        models: Mapping[str, tuple[float, float]],
        tags: Mapping[bool, tuple[float, float, float]] | None = None,
        rows: RowCurve | None = None,
    ) -> None:
        """Add the figures up, kind by kind."""
        self.counts, self.models, self.tags, self.rows = counts, models, tags or {}, rows
        self._sums: dict[tuple[bool | str, ...], tuple[int, int]] = defaultdict(lambda: (0, 0))
        for decision, (right, seen) in counts.items():
            for kind in decision.kinds():
                before = self._sums[kind]
                self._sums[kind] = (before[0] + right, before[1] + seen)
        self._known: dict[Decision, float] = {}

    def of(self, decision: Decision) -> float:
        """Return how likely it is that a decision of a kind is right, above 0 and below 1."""
        reliability = self._known.get(decision)
        if reliability is None:
            reliability = estimated(self._sums.get(kind, (0, 0)) for kind in decision.kinds())
            # What words there are is unbounded, and most were never seen.
            if decision in self.counts:
                self._known[decision] = reliability
        return reliability

    def of_model(self, rule: str, log_odds: float) -> float:
        """Return how likely it is that a model is right whose log odds are as they are."""
        intercept, slope = self.models[rule]
        return 1 / (1 + math.exp(-(intercept + slope * abs(log_odds))))

    def of_tag(self, is_read: bool, given: float, share: float) -> float:
        """Return how likely it is that a decision about a first name is right.

        Args:
            given: The probability that a reader gives to a given name.

        Returns:
            The probability, above 0 and below 1; that of the rule where nobody counted.
        """
        if is_read not in self.tags:
            return share
        intercept, by_tag, by_rule = self.tags[is_read]
        odds = by_tag * _log_odds(given if is_read else 1 - given) + by_rule * _log_odds(share)
        return 1 / (1 + math.exp(-(intercept + odds)))

    def of_row(
        self, axis: str, product: float, people: float, capitals: int, names: int = 0
    ) -> float:
        """Return how likely it is that a row is rewritten rightly.

        Args:
            product: How likely all decisions are to be right, if each were by itself.
            people: How likely the least likely mention of people that changes is to name people;
                of no account on axes of which no rows were read.
            capitals: How many of its words are capitalised.
            names: How many of those may be first names, and stay beside a pronoun that changes.

        Returns:
            The probability, above 0 and below 1; the product where no rows were read.
        """
        if self.rows is None:
            return product
        axes = self.rows.axes
        odds = axes.get(axis, sum(axes.values()) / len(axes))
        held = min(people, SURELY_PEOPLE) if axis in axes else SURELY_PEOPLE
        odds += self.rows.product * _log_odds(product) + self.rows.people * _log_odds(held)
        odds += self.rows.capitals * math.log1p(capitals) + self.rows.names * math.log1p(names)
        return 1 / (1 + math.exp(-odds))

    def knows(self, decision: Decision) -> bool:
        """Whether any decision of its rule was seen."""
        return decision.kinds()[-2] in self._sums


@cache
def read_reliability(path: Path) -> Reliability:
    """Read the figures of a language, once per process.

    Args:
        path: The table; the models are in the file of that name that ends with `.toml`.

    Returns:
        The figures; those of several sources are added up.
    """
    counts: dict[Decision, tuple[int, int]] = {}
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            verdict = _VERDICTS[row["verdict"]]
            decision = Decision(row["axis"], row["rule"], row["detail"], verdict)
            right, seen = counts.get(decision, (0, 0))
            counts[decision] = (right + int(row["right"]), seen + int(row["seen"]))
    stated = tomllib.loads(path.with_suffix(".toml").read_text(encoding="utf-8"))
    models = {
        rule: (float(each["intercept"]), float(each["slope"]))
        for rule, each in stated["models"].items()
    }
    tags = {
        is_read: (float(each["intercept"]), float(each["tag"]), float(each["rule"]))
        for verdict, is_read in _VERDICTS.items()
        if (each := stated.get("tags", {}).get(verdict))
    }
    return Reliability(
        counts, models, tags, RowCurve(**stated["rows"]) if "rows" in stated else None
    )


def decisions_on(
    mentions: MentionTable, asked: NDArray[np.int64], language: Language
) -> Sequence[Decision]:
    """Return the kinds of the decisions about some candidates.

    Args:
        asked: The numbers of the candidates. Shape (N,).

    Returns:
        The kind of each.
    """
    terms = [mentions.terms.readings[number] for number in mentions.readings[asked].tolist()]
    facts = {
        gender: np.array([gender in (term.attribute, term.entry.kind) for term in terms], np.bool_)
        for gender in ("man", "woman")
    }
    candidates = Candidates(mentions.words, mentions.firsts[asked], facts, mentions.lasts[asked])
    stands = in_columns(language.standing).verdicts[
        first_matching_rule(language.standing, candidates)
    ]
    words = mentions.words
    starts, ends = (
        words.start[mentions.firsts[asked]].tolist(),
        words.end[mentions.lasts[asked]].tolist(),
    )
    return [
        Decision(NAMES, rule, stand, is_read)
        if term.is_name
        else Decision(term.axis, rule, words.joined[start:end].lower(), is_read)
        for term, rule, stand, is_read, start, end in zip(
            terms,
            mentions.rules[asked].tolist(),
            stands.tolist(),
            mentions.is_mention[asked].tolist(),
            starts,
            ends,
            strict=True,
        )
    ]


def reliabilities(
    mentions: MentionTable, asked: NDArray[np.int64], language: Language
) -> NDArray[np.float64]:
    """Return how likely it is that the decisions about some candidates are right.

    Args:
        asked: The numbers of the candidates. Shape (N,).

    Returns:
        The probability of each, above 0 and below 1; 1 where the language has no figures.
        Shape (N,).
    """
    if language.reliability is None:
        return np.ones(len(asked))
    known = language.reliability()
    likely = np.array([known.of(each) for each in decisions_on(mentions, asked, language)])
    if language.tags is not None:
        named = _are_asked(mentions, asked, language).nonzero()[0]
        places = mentions.firsts[asked[named]]
        given = language.tags.given(mentions.words, places)
        read = mentions.is_mention[asked[named]].tolist()
        for number, share, is_read in zip(named.tolist(), given.tolist(), read, strict=True):
            likely[number] = known.of_tag(is_read, share, likely[number])
    asks = {rule.name: rule.log_odds for rules in language.cases.values() for rule in rules}
    for name in known.models:
        several, log_odds = (mentions.rules[asked] == name).nonzero()[0], asks.get(name)
        if log_odds is not None and len(several):
            own = asked[several]
            odds = log_odds(
                Candidates(mentions.words, mentions.firsts[own], {}, mentions.lasts[own])
            )
            likely[several] = [known.of_model(name, each) for each in odds.tolist()]
    return likely


def never_people(
    words: TokenBatch,
    places: Places,
    axis: str,
    language: Language,
    rules: NDArray[Any] | None = None,
) -> Mask:
    """Return which words a reader takes for no people, on an axis where it is asked. Shape (W,).

    Args:
        rules: Which rule says that each describes people: `SENSE` where the reader has to be sure,
            `BEHIND_NOUN` where it is not asked, as another word is the noun for people.
    """
    tags, is_sense = language.tags, np.zeros(len(places), np.bool_)
    if rules is not None:
        is_sense = rules == SENSE
    if tags is None:
        return is_sense
    least = np.where(is_sense, tags.surely, tags.never * (axis in language.doubted))
    if rules is not None:
        least[rules == BEHIND_NOUN] = 0
    held, asked = is_sense.copy(), least.nonzero()[0]
    if len(asked):
        held[asked] = tags.people(words, places[asked]) < least[asked]
    return held


def _are_asked(mentions: MentionTable, asked: NDArray[np.int64], language: Language) -> Mask:
    """Return which candidates are listed first names of which a reader and the rules decided."""
    names = {TAGGED, *(rule.name for rule in language.name)}
    held: Mask = np.array([rule in names for rule in mentions.rules[asked]], np.bool_)
    return held


def _log_odds(share: float) -> float:
    """Return the log odds of a probability that may be 0 or 1."""
    share = min(max(share, _LEAST), 1 - _LEAST)
    return math.log(share / (1 - share))
