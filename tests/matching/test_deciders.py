"""The rules that decide, by their names."""

from collections.abc import Sequence
from typing import Any

import pytest

from fair_datasets import available_lexicons, find_terms
from fair_datasets.matching.deciders import Deciders, rules_of
from fair_datasets.matching.find import table_of
from fair_datasets.matching.rules import Rule


def leaves(rules: Sequence[Rule[Any]]) -> list[Rule[Any]]:
    """Return the rules that decide, also of the tables that others ask."""
    return [leaf for rule in rules for leaf in (leaves(rule.asks) if rule.asks else [rule])]


@pytest.mark.parametrize("axis", available_lexicons())
def test_each_rule_is_known_by_its_name(axis: str) -> None:
    """One rule of a name is as good as another: they have one reason and one model."""
    rules = leaves([*rules_of(table_of(axis, names=True, owner="test")).values()])
    assert all(rule.reason for rule in rules)
    told = {(rule.name, rule.reason) for rule in rules}
    assert len(told) == len({rule.name for rule in rules})
    assert {rule.name for rule in rules if rule.log_odds} == {"model.her", "model.his"}


def test_what_has_no_condition_is_told_by_its_reason() -> None:
    """It is that of the verdict."""
    deciders = Deciders("see @her", table_of("gender", owner="test"))
    assert deciders.told("text.protected", 1, 1, "a handle") == ("text.protected", "a handle")


def test_phrases_and_exceptions_say_where_they_are_listed() -> None:
    """In the lexicon, and in its exceptions."""
    [term] = find_terms("Dear Sir,")
    assert term[-2:] == ("terms.phrase", "the list has these words together")
    [term] = find_terms("a bachelor's degree")
    assert term[-2:] == ("terms.exception", "it is listed among the exceptions of the axis")


def test_a_pipeline_is_named(tmp_path: Any) -> None:
    """It is asked before our own rules."""
    spacy = pytest.importorskip("spacy")
    spacy.blank("en").to_disk(tmp_path / "blank")
    her, miss = find_terms("I saw her, Miss", pipeline=str(tmp_path / "blank"))
    assert (miss.rule, miss.rule_reason) == ("pipeline", "what the pipeline is asked for says so")
    assert her.rule.startswith("model.her -")
