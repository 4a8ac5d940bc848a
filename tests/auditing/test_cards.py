"""What is told first: three lines, and a card for each cause."""

from typing import Any

import pytest
from datasets import Dataset, DatasetDict

from fair_datasets import audit
from fair_datasets.auditing.cards import (
    answer_of,
    audit_lines,
    cards_of,
    certainty,
    change_cards,
    responsibility,
)
from fair_datasets.auditing.dataset import Audit
from fair_datasets.auditing.findings import Figure, Finding, Part

PLACES = ("home", "work", "school", "town", "sea")


def rows_of(days: int, *, women: int = 1, twice: bool = False) -> dict[str, list[Any]]:
    """Return rows, none of them twice; those of women are praised each so manieth day."""
    found = [(f"{who} {what} at {place} on day {2 * day + late}.", int(good and day % often == 0))
        for day in range(days) for place in PLACES
        for who, late, often in (("He", 0, 1), ("She", 1, women))
        for what, good in (("won", True), ("lost", False))]  # fmt: skip
    found += [(f"Yes: {text}", label) for text, label in found if twice and text[0] == "S"]
    texts, labels = map(list, zip(*found, strict=True))
    return {"text": texts, "y": labels, "who": [text.split()[0] for text in texts]}


def test_one_axis_in_labels_predictions_and_mirrored_is_one_card() -> None:
    """So is a column of groups, whose two groups say the same; rows of three splits are another."""
    rows = rows_of(30, women=3)
    copied = {name: values[:40] for name, values in rows.items()}
    splits = {"train": rows, "test": copied, "validation": copied}
    found = audit(
        DatasetDict({name: Dataset.from_dict(each) for name, each in splits.items()}),
        "text", label="y", groups="who", label_names={1: "praise"}, source="rows.csv",
    )  # fmt: skip
    cards, others = cards_of(found)
    titles = [card.title for card in cards]
    assert len(titles) == 3
    assert (
        "Rows with words for man are labelled “praise” 50% of the time, other rows 18%." in titles
    )
    assert "Rows of He are labelled “praise” 50% of the time, other rows 18%." in titles
    assert "40 rows of test are in train as well." in titles
    assert sum(len(card.findings) for card in cards) + len(others) == len(found.findings)
    answer = answer_of(found)
    assert answer.wrong.endswith("2 more findings below.")
    assert answer.command == "fair-datasets augment rows.csv --text text --axis gender --out " \
        "dataset-gender-cda"  # fmt: skip
    shown, page = str(found), found.page()
    assert shown.index("What is wrong:") < shown.index("What to do:") < shown.index("* Rows")
    assert page.index('id="answer"') < page.index('class="card') < page.index('id="behind"')
    # Where a finding of a card has no advice of its own, none is announced.
    assert not [line for line in shown.splitlines() if line.strip() == "What to do:"]
    # A command stands in the three lines and on the card, a caution on the page once.
    assert page.count("<pre><code>fair-datasets augment") == 2
    assert page.count("An association is not a cause") == 2
    assert page.count("Rows that are nearly the same, or share a part") == 1
    assert page.index("<table>") > page.index('id="behind"')


def test_clean_data_say_so_plainly() -> None:
    """With what was tested, and what may have been missed; nothing is to be done."""
    answer = answer_of(audit(Dataset.from_dict(rows_of(40)), "text", label="y"))
    assert answer.wrong == "Nothing was found that calls for action."
    assert answer.to_do == "Nothing."
    assert answer.command == ""
    assert "tests on 800 rows found no difference that is large and sure enough" in answer.sure
    assert "times the odds of a label" in answer.sure
    bare = answer_of(audit(Dataset.from_dict(rows_of(40)), "text"))
    assert "no labels or predictions were compared" in bare.sure
    assert "--label" in bare.to_do


@pytest.mark.parametrize(("figure", "start"),
    [({"measure": "odds_ratio", "p_value": 1e-30}, "Very sure"),
    ({"measure": "odds_ratio", "p_value": 0.005}, "Sure"),
    ({"measure": "odds_ratio", "p_value": 0.03}, "Fairly sure"),
    ({"measure": "odds_ratio", "p_value": 0.048}, "Fairly sure"),
    ({"measure": "odds_ratio", "p_value": 0.052}, "Not sure"),
    ({"measure": "odds_ratio", "p_value": 0.3}, "Not sure"),
    ({"measure": "leak_share", "low": 0.1, "high": 0.9}, "Certain: the rows are counted"),
    ({"measure": "flip_rate", "low": 0.1, "high": 0.9}, "The 95% interval of answers that ch"),
    ({"measure": "left_share"}, "")])  # fmt: skip
def test_how_sure_a_finding_is_is_told_in_words(figure: dict[str, Any], start: str) -> None:
    """By its test, else by its interval; of what is counted there is no doubt."""
    known = Figure(**{"value": 0.5, "rows": 40, **figure})
    told = certainty(Finding(severity="high", sentence="It is so.", figures=(known,)))
    assert told.startswith(start)
    assert bool(told) == bool(start)
    assert ("below the threshold of 0.05" in told) == (0.04 <= known.p_value <= 0.06)


def test_what_became_worse_is_told_before_what_became_better() -> None:
    """Along one axis in one card each; where nothing did, nothing is to be done."""
    fair = Dataset.from_dict(rows_of(30, twice=True))
    rows = Dataset.from_dict(rows_of(30, women=3))
    first = audit(rows, "text", label="y", title="one")
    found = audit(fair, "text", label="y", title="two", before=first)
    assert found.changes is not None
    cards, others = change_cards(found.changes)
    starts = [card.title.partition(":")[0] for card in cards]
    assert starts == sorted(starts, reverse=True)
    assert set(starts) == {"Worse", "Better"}
    assert sum(len(card.findings) for card in cards) + len(others) == len(found.changes.findings)
    answer = answer_of(found)
    assert answer.to_do.startswith("Weigh what became worse")
    assert answer.wrong.casefold().count("accuracy") == 1
    same = audit(rows, "text", label="y", title="again", before=first)
    assert answer_of(same).wrong == "Nothing became surely worse."
    assert answer_of(same).to_do == "Nothing."
    assert 'id="changes"' in same.page()


@pytest.mark.parametrize("given", [{}, {"predictions": "p"}, {"axis": ("gender", "religion")}])
def test_metadata_state_what_was_measured_of_the_rows(given: dict[str, Any]) -> None:
    """In whole sentences: neither of a probe, nor of a change, nor what is only about the audit."""
    made = rows_of(20, women=3)
    rows = {**made, "text": [*made["text"][:-1], None], "p": made["y"]}
    whole = Dataset.from_dict(rows)
    splits = DatasetDict({"train": whole.take(300), "test": whole.skip(200)})
    settings: dict[str, Any] = {"label": "y", "groups": "who", "draws": 9, **given}
    first = audit(splits, "text", **settings)
    kept = splits.filter(lambda text: not text or "home" not in text, input_columns="text")
    found = audit(kept, "text", before=first, **settings)
    biases = {"representation", "association", "dropped", *given}
    limitations = {"leaks", "coverage", "dropped", "association"}
    for each in (first, found):
        said = responsibility(each)
        topics = {finding.sentence: part.topic for part in each.parts for finding in part.findings}
        assert {topics[statement] for statement in said.biases} <= biases
        assert {topics[statement] for statement in said.limitations[1:]} <= limitations
        assert {"representation", "association"} <= {topics[each] for each in said.biases}
        for statement in (*said.biases, *said.limitations, *said.sensitive, said.missing):
            assert statement[0].isupper() or statement[0].isdigit()
            assert statement.endswith(".")
            assert "the table" not in statement
    assert found.changes is not None
    changed = {each.sentence for each in found.changes.findings}
    assert not changed & {*responsibility(found).biases, *responsibility(found).limitations}
    lines = "\n".join(audit_lines(found))
    assert ("Of a probe" in lines) == ("predictions" not in given)


def test_a_figure_stands_beside_its_control_wherever_it_has_one() -> None:
    """Whatever the measure is."""
    place = {"axis": "gender", "rows": 90}
    figures = (Figure(measure="flip_rate", value=0.3, **place), Figure(measure="flip_rate_control",
        value=0.115, **place), Figure(measure="flip_rate_excess", value=0.185, low=-0.04, high=0.38,
        p_value=0.09, **place), Figure(measure="demographic_parity_difference", value=0.2,
        label="y", **place), Figure(measure="demographic_parity_excess", value=0.125, label="y",
        **place))  # fmt: skip
    part = Part(topic="predictions", figures=figures)
    page = Audit(title="t", rows={"train": 90}, settings={}, parts=(part,)).page()
    assert "18.5% [-4.0%, 38.0%]" in page
    table = page.split("<h4>Controls</h4>")[1].split("</table>")[0]
    assert table.count("<tr>") == 3
    assert "12.5%" in table
