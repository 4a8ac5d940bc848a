"""The command that shows what is read in a text, and why."""

import json
from pathlib import Path
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
        "    verbs.before_verb: a word that often precedes a verb stands before it",
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
    told = json.loads(run("find", "Emily met Juan.", "--axis", "race", "--names", "--json").out)
    found = told["terms"]
    assert found == [term._asdict() for term in find_terms("Emily met Juan.", "race", names=True)]
    assert [term["rule"] for term in found] == ["lists.no_group", "names.unmarked"]
    assert told["row"] == {"left": ""}
    nothing = json.loads(run("find", "It rains.", "--json", "--confidence").out)
    assert nothing == {"terms": [], "row": {"left": "", "confidence": None}}


def test_names_are_protected(run: Any) -> None:
    """Several of them."""
    told = run("find", "Mary met John.", "--protect", "Mary", "--protect", "John").out
    assert told.count("names.protected") == 2


def test_a_row_that_is_left_as_a_whole_is_told(run: Any) -> None:
    """With the reason, for the target that is named."""
    options = ("find", "Christians like Hindus.", "--axis", "religion", "--target")
    assert run(*options, "hindu").out.splitlines()[-1] == (
        "the row is left as a whole: two groups of the row would become one"
    )
    assert "as a whole" not in run(*options, "muslim", "--json").out
    told = json.loads(run(*options, "hindu", "--json").out)["row"]
    assert told == {"left": "two groups of the row would become one"}


def test_whom_augment_protects_is_told(run: Any) -> None:
    """As this command protects nobody unless it is told to."""
    told = run("find", "Angela Merkel lost her keys.").out.splitlines()[-1]
    assert told.startswith("augment leaves the row as a whole: the row names a known person")


def test_a_file_is_no_text(run: Any, here: Path) -> None:
    """Its name would be read else."""
    (here / "rows.csv").write_text("text\nHe ran.\n")
    assert "TEXT is the file rows.csv" in run("find", "rows.csv").refused()


def test_the_word_that_ties_a_row_is_named(run: Any) -> None:
    """With its group."""
    told = run("find", "Catholics met the Pope.", "--axis", "religion").out
    assert told.splitlines()[-1] == "the row is left as a whole: tied to 'christian' by 'Pope'"


def test_first_names_that_no_list_has_are_told(run: Any) -> None:
    """As they are rewritten with the row."""
    options = ("find", "Oprah Winfrey said that Oprah's brother lost her keys.")
    assert run(*options).out.splitlines()[-1] == "read as first names that no list has: Oprah"
    assert json.loads(run(*options, "--json").out)["row"]["unlisted_names"] == ["Oprah"]


def test_a_row_that_is_not_trusted_is_told(run: Any) -> None:
    """With its confidence, so that another threshold can be chosen."""
    options = ("find", TEXT, "--confidence", "--min-confidence")
    *_, left, share = run(*options, "1").out.splitlines()
    assert left == "the row is left as a whole: the confidence of the row is below min_confidence"
    assert share == run(*options, "0").out.splitlines()[-1]
    assert share.startswith("the confidence of the row: 0.")
    assert "as a whole" not in run(*options, "0").out
