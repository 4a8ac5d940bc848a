"""How reliable decisions about words are: how often those of each kind were right.

Every decision is told by the rule that made it. Of words that somebody tagged it is known how often
each rule was right; of a rule that was seldom seen the figures of its kind tell more than its own.
So each figure is drawn to that of the kind above it: what a rule says of a word to the rule, the
rule to its table, the table to the axis, and the axis to all axes together.
"""

import csv
import math
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fair_datasets.matching.conditions import Candidates, deciding
from fair_datasets.matching.decisions import verdicts_of
from fair_datasets.matching.found import Found
from fair_datasets.matching.language import Language
from fair_datasets.matching.tagged import TAGGED
from fair_datasets.matching.words import Mask

_LEAST = 1e-3
NAMES = "names"
"""What names are told by in place of an axis: whether a word is one is the same on all of them."""
STRENGTH = 4.0
"""How many cases of its own outweigh what is known of the kind above."""
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


def estimated(counts: Iterable[tuple[int, int]], strength: float = STRENGTH) -> float:
    """Estimate how often decisions are right, from what was seen of their kind and of wider ones.

    Each kind has the mean of a Beta distribution whose prior is worth so many cases and has the
    mean of the next wider kind; the widest is drawn to one half.

    Args:
        counts: How many decisions were right, and how many there were, of the widest kind first.
        strength: How many cases the prior is worth.

    Returns:
        The probability that such a decision is right, above 0 and below 1.

    Example:
        >>> round(estimated([(90, 100), (1, 5)]), 2)
        0.5
    """
    share = 0.5
    for right, seen in counts:
        share = (right + strength * share) / (seen + strength)
    return share


class RowCurve(NamedTuple):
    """How the log odds that a row is rewritten rightly go with what is known of it.

    Attributes:
        product: By those of the product over its decisions.
        title: By those that a mention that changes is of a title.
        capitals: By the logarithm of one more than the number of its capitalised words.
        axes: What is added on each axis; the mean of them on any other.
    """

    product: float
    title: float
    capitals: float
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
        found = self._known.get(decision)
        if found is None:
            found = estimated(self._sums.get(kind, (0, 0)) for kind in decision.kinds())
            # What words there are is unbounded, and most were never seen.
            if decision in self.counts:
                self._known[decision] = found
        return found

    def of_model(self, rule: str, log_odds: float) -> float:
        """Return how likely it is that a model is right whose log odds are as they are."""
        intercept, slope = self.models[rule]
        return 1 / (1 + math.exp(-(intercept + slope * abs(log_odds))))

    def of_tag(self, is_read: bool, given: float, share: float) -> float:
        """Return how likely it is that a decision about a first name is right.

        Args:
            is_read: Whether it is read as a name.
            given: The probability that a reader gives to a given name.
            share: How often such decisions of its rule were right.

        Returns:
            The probability, above 0 and below 1; that of the rule where nobody counted.
        """
        if is_read not in self.tags:
            return share
        intercept, by_tag, by_rule = self.tags[is_read]
        odds = by_tag * _log_odds(given if is_read else 1 - given) + by_rule * _log_odds(share)
        return 1 / (1 + math.exp(-(intercept + odds)))

    def of_row(self, axis: str, product: float, title: float, capitals: int) -> float:
        """Return how likely it is that a row is rewritten rightly.

        Args:
            axis: The axis along which it is.
            product: How likely all decisions are to be right, if each were by itself.
            title: How likely any mention that changes is to be of a title.
            capitals: How many of its words have a capital.

        Returns:
            The probability, above 0 and below 1; the product where no rows were read.
        """
        if self.rows is None:
            return product
        axes = self.rows.axes
        odds = axes.get(axis, sum(axes.values()) / len(axes))
        odds += self.rows.product * _log_odds(product) + self.rows.title * _log_odds(title)
        odds += self.rows.capitals * math.log1p(capitals)
        return 1 / (1 + math.exp(-odds))

    def knows(self, decision: Decision) -> bool:
        """Tell whether any decision of its rule was seen."""
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


def decisions_on(found: Found, asked: NDArray[np.int64], language: Language) -> Sequence[Decision]:
    """Return the kinds of the decisions about some candidates.

    Args:
        found: What was found, and what was left alone.
        asked: The numbers of the candidates. Shape (N,).
        language: Tells how names stand.

    Returns:
        The kind of each.
    """
    terms = [found.terms.readings[number] for number in found.readings[asked].tolist()]
    facts = {
        gender: np.array([gender in (term.attribute, term.entry.kind) for term in terms], np.bool_)
        for gender in ("man", "woman")
    }
    candidates = Candidates(found.words, found.firsts[asked], facts, found.lasts[asked])
    stands = verdicts_of(language.standing)[deciding(language.standing, candidates)]
    words = found.words
    starts, ends = words.start[found.firsts[asked]].tolist(), words.end[found.lasts[asked]].tolist()
    return [
        Decision(NAMES, rule, stand, is_read)
        if term.is_name
        else Decision(term.axis, rule, words.joined[start:end].lower(), is_read)
        for term, rule, stand, is_read, start, end in zip(
            terms, found.rules[asked].tolist(), stands.tolist(), found.is_mention[asked].tolist(),
            starts, ends, strict=True,
        )
    ]  # fmt: skip


def reliabilities(
    found: Found, asked: NDArray[np.int64], language: Language
) -> NDArray[np.float64]:
    """Return how likely it is that the decisions about some candidates are right.

    Args:
        found: What was found, and what was left alone.
        asked: The numbers of the candidates. Shape (N,).
        language: Holds the figures, and asks the models.

    Returns:
        The probability of each, above 0 and below 1; 1 where the language has no figures.
        Shape (N,).
    """
    if language.reliability is None:
        return np.ones(len(asked))
    known = language.reliability()
    likely = np.array([known.of(each) for each in decisions_on(found, asked, language)])
    if language.tags is not None:
        named = np.flatnonzero(_are_asked(found, asked, language))
        places = found.firsts[asked[named]]
        given = language.tags.given(found.words, places)
        read = found.is_mention[asked[named]].tolist()
        for number, share, is_read in zip(named.tolist(), given.tolist(), read, strict=True):
            likely[number] = known.of_tag(is_read, share, likely[number])
    asks = {rule.name: rule.log_odds for rules in language.cases.values() for rule in rules}
    for name in known.models:
        several, log_odds = np.flatnonzero(found.rules[asked] == name), asks.get(name)
        if log_odds is not None and len(several):
            own = asked[several]
            odds = log_odds(Candidates(found.words, found.firsts[own], {}, found.lasts[own]))
            likely[several] = [known.of_model(name, each) for each in odds.tolist()]
    return likely


def _are_asked(found: Found, asked: NDArray[np.int64], language: Language) -> Mask:
    """Tell which candidates are listed first names of which a reader and the rules decided."""
    names = {TAGGED, *(rule.name for rule in language.name)}
    held: Mask = np.array([rule in names for rule in found.rules[asked]], np.bool_)
    return held


def _log_odds(share: float) -> float:
    """Return the log odds of a probability that may be 0 or 1."""
    share = min(max(share, _LEAST), 1 - _LEAST)
    return math.log(share / (1 - share))
