"""What is decided of candidates."""

import numpy as np

from fair_datasets.matching.conditions import ALWAYS, Rule
from fair_datasets.matching.decisions import Decisions, names_of, verdicts_of
from fair_datasets.matching.find import table_of
from fair_datasets.matching.found import Reason
from fair_datasets.matching.places import HERE
from fair_datasets.matching.words import Words

TABLE = table_of("gender", owner="test")
RULES: tuple[Rule[Reason | None], ...] = (
    Rule("large", Reason.THING, HERE.is_capital),
    Rule("small", None, ALWAYS),
)


def decisions(text: str) -> Decisions:
    """Return the candidates of a text."""
    words = Words([text])
    return Decisions(words, TABLE.columns.places(words), TABLE.columns)


def test_rules_decide_of_some_candidates() -> None:
    """The others stay open."""
    decided = decisions("He saw her King")
    decided.decide(np.array([0, 1]), RULES)
    assert decided.reasons.tolist() == [Reason.THING, None, None]
    assert decided.rules.tolist() == ["large", "small", ""]
    assert decided.is_open.tolist() == [False, False, True]
    decided.decide(np.array([], np.int64), RULES)
    decided.leave(np.array([2]), Reason.VERB, "own")
    decided.read(np.array([0]), "again")
    assert decided.rules.tolist() == ["again", "small", "own"]
    assert not decided.is_open.any()


def test_candidates_can_be_forgotten() -> None:
    """With all that is decided of them."""
    decided = decisions("He saw her King")
    decided.leave(np.array([2]), Reason.VERB, "own")
    decided.keep(np.array([True, False, True]))
    assert decided.words.lower(decided.places[1]) == "king"
    assert (decided.rules[1], decided.reasons[1]) == ("own", Reason.VERB)
    assert len(decided.terms) == len(decided.lasts) == len(decided.is_open) == 2


def test_a_table_has_names_and_verdicts() -> None:
    """In the order of its rules."""
    assert names_of(RULES).tolist() == ["large", "small"]
    assert verdicts_of(RULES).tolist() == [Reason.THING, None]
    assert verdicts_of([Rule("one", (1, 2), ALWAYS)]).tolist() == [(1, 2)]
