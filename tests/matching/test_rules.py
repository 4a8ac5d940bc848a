"""Tables of rules."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from fair_datasets.matching.conditions import ALWAYS, Candidates, Condition
from fair_datasets.matching.places import Place
from fair_datasets.matching.rules import Rule, deciding, says
from fair_datasets.matching.words import Words

HERE = Place(lambda found: found.places)
CONDITIONS = (HERE.is_capital, HERE.longer(3), HERE.sign(" "), (HERE + 1).is_there, HERE.is_digits)


def candidates(*texts: str) -> Candidates:
    """Return all words of texts."""
    words = Words(texts)
    return Candidates(words, np.flatnonzero(~words.is_end))


def test_the_first_rule_that_holds_decides() -> None:
    """The last one holds always."""
    rules = (
        Rule("capital", "a", HERE.is_capital),
        Rule("long", "b", HERE.longer(3)),
        Rule("other", "c", ALWAYS),
    )
    assert deciding(rules, candidates("John left her", "Mary")).tolist() == [0, 1, 2, 0]
    assert deciding(rules, candidates()).tolist() == []


def test_a_table_says_where_it_says_yes() -> None:
    """It is a condition of its own."""
    rules = (
        Rule("capital", True, HERE.is_capital),
        Rule("long", False, HERE.longer(3)),
        Rule("other", True, ALWAYS),
    )
    found = candidates("John left her")
    assert found.holds(says(rules)).tolist() == [True, False, True]
    assert found.holds(~says(rules) & HERE.longer(3)).tolist() == [False, True, False]


def test_a_costly_rule_is_asked_where_no_other_decides() -> None:
    """What the rules before it decide costs nothing more."""
    asked: list[int] = []

    def test(found: Candidates) -> np.ndarray:
        asked.extend(found.places.tolist())
        return found.places > 1

    rules = (
        Rule("capital", "a", HERE.is_capital),
        Rule("costly", "b", Condition(test, is_costly=True)),
        Rule("other", "c", ALWAYS),
    )
    assert deciding(rules, candidates("John left her Mary")).tolist() == [0, 2, 1, 0]
    assert asked == [1, 2]
    asked.clear()
    yes = [Rule(rule.name, True, rule.condition) for rule in rules]
    candidates("John left her").holds(HERE.is_word("her") & says(yes))
    assert asked == [2]


@settings(deadline=None)
@given(
    st.lists(st.sampled_from(CONDITIONS).flatmap(lambda c: st.sampled_from([c, ~c, c.costly]))),
    st.lists(st.lists(st.sampled_from(["he", "John", "left", "12", ","])).map(" ".join)),
)
def test_each_candidate_is_decided_as_by_itself(
    conditions: list[Condition], texts: list[str]
) -> None:
    """Whatever else is asked at once."""
    rules = [Rule(str(k), k, each) for k, each in enumerate([*conditions, ALWAYS])]
    found = candidates(*texts)
    alone = [
        int(deciding(rules, Candidates(found.words, found.places[[row]]))[0])
        for row in range(len(found.places))
    ]
    assert deciding(rules, found).tolist() == alone
