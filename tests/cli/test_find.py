"""The command that shows what is read in a text, and why."""

import json
from typing import Any

from fair_datasets import find_terms

TEXT = "They host a party. I saw her."


def test_each_term_is_told_with_the_rule_that_decided(run: Any) -> None:
    """Two lines for each; the log odds are there where the model decided."""
    outcome = run("find", TEXT)
    her = find_terms(TEXT)[-1]
    assert outcome.code == 0
    assert outcome.out.splitlines() == [
        "host (5 to 9): left alone: it is a verb here",
        "    verbs.before_verb: a word that stands before verbs stands before it",
        "her (25 to 28): woman",
        f"    {her.rule}: {her.rule_reason}",
    ]
    assert her.rule.startswith("model.her -")


def test_a_reason_is_not_told_twice(run: Any) -> None:
    """Where the rule says no more than the verdict, its name is enough."""
    assert run("find", "see @her").out.splitlines()[1] == "    text.protected"


def test_a_text_without_terms(run: Any) -> None:
    """A sentence says so."""
    assert run("find", "It rains.").out == "No word of the text is listed on the axis gender.\n"


def test_the_same_as_json(run: Any) -> None:
    """With the options of the reader."""
    found = json.loads(run("find", "Emily met Juan.", "--axis", "race", "--names", "--json").out)
    assert found == [term._asdict() for term in find_terms("Emily met Juan.", "race", names=True)]
    assert [term["rule"] for term in found] == ["lists.no_group", "names.unmarked"]
    assert json.loads(run("find", "It rains.", "--json").out) == []


def test_names_are_protected(run: Any) -> None:
    """Several of them."""
    told = run("find", "Mary met John.", "--protect", "Mary", "--protect", "John").out
    assert told.count("names.protected") == 2


def test_known_people_are_protected(run: Any) -> None:
    """Whatever is said of one of them is left alone, with the reason."""
    told = run("find", "Toni Morrison said she won.", "--protect", "known_people").out
    assert told.count("left alone: the row names a known person, of whom it would become") == 2
    assert told.count("rows.known_person") == 2


def test_an_axis_that_there_is_not_is_refused(run: Any) -> None:
    """With a sentence."""
    outcome = run("find", TEXT, "--axis", "height")
    assert outcome.code == 2
    assert "height" in outcome.err
