"""What differs between two audits, beside published intervals."""

import json
import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from datasets import Dataset, DatasetDict
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats.contingency import odds_ratio

from fair_datasets import audit
from fair_datasets.auditing.cards import answer_of
from fair_datasets.auditing.changes import changes_of, difference, unpaired
from fair_datasets.auditing.dataset import Audit
from fair_datasets.auditing.findings import MEASURES, Figure
from fair_datasets.auditing.intervals import wilson
from fair_datasets.system.checks import InputError

# Newcombe 1998, table II, method 10: two shares, and the interval of their difference.
PUBLISHED = [((56, 70), (48, 80), (0.0524, 0.3339)), ((9, 10), (3, 10), (0.1705, 0.8090)),
    ((6, 7), (2, 7), (0.0582, 0.8062)), ((5, 56), (0, 29), (-0.0381, 0.1926)),
    ((0, 10), (0, 20), (-0.1611, 0.2775)), ((10, 10), (0, 20), (0.6791, 1.0))]  # fmt: skip


def share(measure: str, count: int, rows: int, **place: str) -> Figure:
    """Return a share with its interval."""
    low, high = wilson(count, rows)
    return Figure(measure=measure, value=count / rows, rows=rows, low=low, high=high, **place)


def change(before: Figure, after: Figure) -> Any:
    """Return the one change between two figures."""
    (found,) = changes_of((before,), (after,))
    return found


@pytest.mark.parametrize(("after", "before", "ends"), PUBLISHED)
def test_differences_of_shares_have_the_published_intervals(
    after: tuple[int, int], before: tuple[int, int], ends: tuple[float, float]
) -> None:
    """As Newcombe prints them."""
    found = change(share("flip_rate", *before), share("flip_rate", *after)).figure
    assert (found.low, found.high) == pytest.approx(ends, abs=6e-5)


@given(st.lists(st.tuples(st.integers(0, 40), st.integers(40, 90)), min_size=2, max_size=2))
def test_the_other_way_round_the_change_is_the_opposite(drawn: list[tuple[int, int]]) -> None:
    """With the same p-value, which is below 0.05 where the interval leaves out 0."""
    one, other = ((count / rows, *wilson(count, rows)) for count, rows in drawn)
    value, low, high, p_value = difference(one, other)
    assert difference(other, one) == pytest.approx((-value, -high, -low, p_value))
    assert low <= value <= high
    if min(abs(low), abs(high)) > 1e-9:
        assert (p_value < 0.05) == (low > 0 or high < 0)


def test_odds_ratios_change_by_a_factor_with_the_interval_of_their_logarithms() -> None:
    """That of their distances from 1; Woolf's variances add up."""
    tables = [[[30, 20], [15, 45]], [[22, 30], [25, 28]]]
    figures, variance = [], 0.0
    for table in tables:
        ratio = odds_ratio(table, kind="sample").statistic
        own = sum(1 / cell for row in table for cell in row)
        reach = math.exp(1.959963984540054 * own**0.5)
        variance += own
        figures.append(
            Figure(measure="odds_ratio", value=ratio, low=ratio / reach, high=ratio * reach,
                   rows=50, axis="gender", attribute="man", label="y")
        )  # fmt: skip
    found = change(*figures)
    assert figures[0].value > 1 > figures[1].value
    factor = 1 / figures[1].value / figures[0].value
    reach = math.exp(1.959963984540054 * variance**0.5)
    got = (found.figure.value, found.figure.low, found.figure.high)
    assert got == pytest.approx((factor, factor / reach, factor * reach))
    assert found.direction == "better"


@pytest.mark.parametrize(("measure", "before", "after", "direction"),
    [("flip_rate", 40, 10, "better"), ("equalized_odds_difference", 10, 40, "worse"),
    ("accuracy", 40, 10, "worse"), ("accuracy", 10, 40, "better"),
    ("mention_share", 40, 10, "other"), ("selection_rate", 40, 10, "other"),
    ("mention_balance", 90, 52, "better"), ("leak_share", 0, 1, "worse"),
    ("flip_rate", 40, 40, "other")])  # fmt: skip
def test_each_measure_has_its_better_and_worse_or_none(
    measure: str, before: int, after: int, direction: str
) -> None:
    """A larger share of one group in the rows is neither."""
    found = change(share(measure, before, 100), share(measure, after, 100))
    assert found.direction == direction
    assert found.is_sure == (before != after)


def test_a_balance_that_tips_over_is_told_of_the_same_attribute() -> None:
    """Of a balance, the attribute is the one that is mentioned more."""
    before = share("mention_balance", 60, 100, axis="gender", attribute="man")
    after = share("mention_balance", 90, 100, axis="gender", attribute="woman")
    found = change(before, after)
    assert (found.before.attribute, found.before.value) == ("woman", pytest.approx(0.4))
    assert found.figure.value == pytest.approx(0.5)
    assert found.direction == "worse"


def test_from_one_side_to_the_other_is_better_only_where_that_is_beyond_chance() -> None:
    """A change may be sure, and what it is worth may not be."""
    before = share("mention_balance", 312, 500, axis="gender", attribute="man")
    for count, direction in ((300, "other"), (265, "better"), (400, "worse")):
        after = share("mention_balance", count, 500, axis="gender", attribute="woman")
        found = change(before, after)
        assert (found.is_sure, found.direction) == (True, direction)
    ratios = [Figure(measure="odds_ratio", value=value, low=value / 1.3, high=value * 1.3, rows=99)
              for value in (2.0, 1 / 1.9, 1 / 1.1)]  # fmt: skip
    assert change(ratios[0], ratios[1]).direction == "other"
    assert change(ratios[0], ratios[2]).direction == "better"


def test_tests_are_adjusted_for_their_number() -> None:
    """What one test alone finds is no finding among twenty."""
    before = [share("flip_rate", 20, 100, axis=str(number)) for number in range(20)]
    after = [share("flip_rate", 20, 100, axis=str(number)) for number in range(19)]
    after.append(share("flip_rate", 9, 100, axis="19"))
    assert change(before[-1], after[-1]).is_sure
    assert not any(each.is_sure for each in changes_of(tuple(before), tuple(after)))


def test_counts_have_no_test_and_figures_without_a_width_say_nothing() -> None:
    """Neither is called sure by chance."""
    leak = change(share("leak_share", 0, 9), share("leak_share", 1, 9))
    assert leak.is_sure
    assert math.isnan(leak.figure.p_value)
    bare = [Figure(measure="bias_score", value=value, rows=9) for value in (0.5, 0.1)]
    assert not change(*bare).is_sure


def test_what_one_side_lacks_is_told() -> None:
    """And so is what is not defined."""
    undefined = Figure(measure="odds_ratio", value=math.nan, rows=0, axis="b")
    before = (share("flip_rate", 1, 9), share("accuracy", 1, 9), undefined)
    after = (share("flip_rate", 1, 9), share("selection_rate", 1, 9), undefined)
    found = {figure.measure: why for figure, why in
             unpaired(before, after, changes_of(before, after))}  # fmt: skip
    assert found == {"accuracy": "measured before only", "selection_rate": "measured after only",
        "odds_ratio": "not defined on both sides"}  # fmt: skip


def test_parts_of_the_rows_are_not_compared() -> None:
    """Nor is what another measure tells with an interval."""
    figures = (share("mention_share", 1, 9, axis="gender", label="y"),
        share("mention_share", 1, 9, axis="gender", split="train"),
        Figure(measure="pmi", value=1, rows=9))  # fmt: skip
    assert changes_of(figures, figures) == ()


@pytest.fixture(scope="module")
def sides() -> tuple[Audit, Audit]:
    """Audit rows of which women are praised less often, and rows where all are praised alike."""
    found: list[Audit] = []
    for fair in (False, True):
        rows = [{"text": f"{who} {what} {day}.",
            "label": int(good and (who == "He" or day % 8 > 4))} for day in range(80)
            for who in ("She", "He") for what, good in (("won", True), ("lost", False),
            ("sang", True))]  # fmt: skip
        if fair:
            # Of this side, each row of a man is there as one of a woman, which are more then.
            men = [row for row in rows if row["text"].startswith("He")]
            rows = men + 2 * [{**row, "text": row["text"].replace("He", "She")} for row in men]
        before = found[0] if found else None
        title = f"fair: {fair}"
        found.append(
            audit(Dataset.from_list(rows), "text", label="label", title=title, before=before)
        )
    return found[0], found[1]


def test_two_audits_say_what_the_change_bought_and_cost(sides: tuple[Audit, Audit]) -> None:
    """On the page, in the terminal, as JSON and as a table."""
    audit = sides[1]
    assert audit.changes is not None
    sentences = [finding.sentence for finding in audit.changes.findings]
    assert any(each.startswith("Better: flip rate (gender") for each in sentences)
    assert any(each.startswith("Worse: mention balance (gender, woman) was 50.0%")
               for each in sentences)  # fmt: skip
    assert any("no change beyond chance, adjusted for" in each for each in sentences)
    assert all(finding.caution for finding in audit.changes.findings)
    shown = str(audit)
    assert "Compared with fair: False: train 480 rows." in shown
    assert sentences[0][:60] in shown
    data = json.loads(audit.to_json())
    assert data["title"] == "fair: True"
    assert data["changes"]["before"]["title"] == "fair: False"
    assert [each["sentence"] for each in data["changes"]["findings"]] == sentences
    page = audit.page()
    assert 'id="changes"' in page
    assert page.index('id="changes"') < page.index('id="findings"')
    rows = audit.to_dataset()
    assert set(rows["side"]) == {"before", "after", "change"}
    own = {row["side"]: row["value"] for row in rows
           if row["measure"] in ("accuracy", "accuracy_change") and not row["axis"]}  # fmt: skip
    assert own["change"] == pytest.approx(own["after"] - own["before"])


def test_rules_are_about_the_second_side_or_about_what_differs(sides: tuple[Audit, Audit]) -> None:
    """Without a first one, nothing differs, and the rule is broken."""
    audit = sides[1]
    (line,) = audit.check("flip_rate_change(gender) < 0")
    assert line.startswith("flip_rate_change(gender) < 0: it is -")
    assert audit.check(["flip_rate_change > 0", "mention_balance > 0.7"]) == []
    (line,) = audit.check("leak_share_change > 0")
    assert line.endswith(
        "could not be measured: there is only one split, and rows leak between splits"
    )
    for name in MEASURES:
        (line,) = sides[0].check(f"{name}_change > 0")
        assert line.endswith("there is nothing to compare with (--against)")
    with pytest.raises(InputError, match="names, but it is 'speed_change'"):
        audit.check("speed_change > 1")


def test_an_audit_differs_in_nothing_from_itself() -> None:
    """Nor does one that was compared before keep what it was compared with."""
    rows = Dataset.from_dict({"text": ["He ran.", "She won."] * 60, "label": [0, 1] * 60})
    found = audit(rows, "text", label="label", before=audit(rows, "text", label="label"))
    found = audit(rows, "text", label="label", before=found)
    assert found.changes is not None
    assert found.changes.before.changes is None
    assert all(pair.figure.value in (0, 1) and not pair.is_sure for pair in found.changes.pairs)


def test_other_settings_are_told_and_nothing_in_common_is_refused() -> None:
    """As a difference may be theirs."""
    rows = Dataset.from_dict({"text": ["He ran.", "She ran."] * 30})
    first = audit(rows, "text", title="a", seed=1)
    found = audit(DatasetDict({"train": rows}), "text", title="b", seed=2, before=first)
    assert found.changes is not None
    told = [finding.sentence for finding in found.changes.findings]
    assert "The two audits have different settings: seed 1 before and 2 after." in told


def ratio(value: float, reach: float = 1.2) -> Figure:
    """Return an odds ratio with its interval."""
    return Figure(measure="odds_ratio", value=value, low=value / reach, high=value * reach,
                  rows=50, axis="gender", attribute="man", label="y")  # fmt: skip


def test_ratios_change_by_their_distance_from_1() -> None:
    """From 0.34 to 1 is nearer, and no growth; from 0.2 to 5 is surely another side."""
    nearer = change(ratio(0.34), ratio(1.0))
    assert nearer.figure.value == pytest.approx(0.34)
    assert (nearer.direction, nearer.holds_by_construction) == ("better", True)
    assert change(ratio(1.5), ratio(0.25)).figure.value == pytest.approx(4 / 1.5)
    other = change(ratio(0.2), ratio(5.0))
    assert (other.direction, other.is_sure, other.is_turned) == ("other", True, True)


def test_attributes_that_grow_alike_are_not_worse() -> None:
    """Of a ratio that both have against rows of nobody, after a swap that makes them alike."""
    woman = {"attribute": "woman"}
    before = (ratio(1.2, 1.1), replace(ratio(7.6, 1.1), **woman))
    after = (ratio(2.6, 1.1), replace(ratio(2.7, 1.1), **woman))
    grown, fallen = changes_of(before, after)
    assert (grown.is_sure, grown.direction, grown.is_shared) == (True, "other", True)
    assert fallen.direction == "better"
    (alone,) = changes_of(before[:1], after[:1])
    assert (alone.direction, alone.is_shared) == ("worse", False)
    apart = changes_of(before, (after[0], replace(ratio(40.0, 1.1), **woman)))
    assert [each.direction for each in apart] == ["worse", "worse"]


def test_a_classifier_that_collapsed_is_told_first_and_not_praised() -> None:
    """Who says one thing of everybody treats everybody alike, and that is no gain."""
    texts = [f"{who} {what} {day}." for who in ("He", "She") for day in range(60)
             for what in ("led", "ran late on")]  # fmt: skip
    labels = [int("led" in text) for text in texts]
    rows = {"text": texts, "y": labels, "p": labels, "who": [text[:2] for text in texts]}
    sided = [int(text.startswith("He led")) for text in texts]
    before = after = None
    for said in (sided, [0] * len(texts)):
        given = Dataset.from_dict({**rows, "p": said})
        before, after = (after, audit(given, "text", label="y", predictions="p", groups="who",
            before=after))  # fmt: skip
    findings = after.changes.findings
    assert findings[0].sentence.startswith("The classifier collapsed after:")
    assert "75.0%" in findings[0].sentence
    assert "50.0%" in findings[0].sentence
    starts = {each.sentence.split(":")[0] for each in findings if "parity" in each.sentence}
    assert starts == {"Different"}
    assert after.check("collapsed") == ["collapsed: it is 1 (240 rows)"]
    assert before.check("collapsed") == []


def test_a_probe_that_learns_nothing_is_a_note_unless_it_learned_before() -> None:
    """Of rows that teach nothing, nothing is wrong; of rows whose labels were lost, it is told."""
    texts = [f"{who} {what} on day {day}." for who in ("He", "She") for day in range(90)
             for what in ("led", "ran late", "sang", "slept")]  # fmt: skip
    taught = [int("led" in text or "sang" in text) for text in texts]
    chance = np.random.default_rng(0).permutation(taught).tolist()
    sides = {"taught": taught, "chance": chance, "again": chance[::-1]}
    audits = {name: audit(Dataset.from_dict({"text": texts, "y": labels}), "text", label="y",
        draws=9) for name, labels in sides.items()}  # fmt: skip
    assert not [each for each in audits["chance"].findings if each.figures[0].measure == "accuracy"]
    assert "its answers count for little" in " ".join(audits["chance"].data()["notes"])
    assert "its answers count for little" in " ".join(str(audits["chance"]).split())
    assert answer_of(audits["chance"]).wrong == "Nothing was found that calls for action."
    for before, after, severity, start in (
        ("chance", "again", "low", "The probe learned nothing before and after"),
        ("taught", "chance", "high", "The classifier collapsed after"),
    ):
        rows = Dataset.from_dict({"text": texts, "y": sides[after]})
        found = audit(rows, "text", label="y", draws=9, before=audits[before])
        first, *others = found.changes.findings
        assert (first.severity, first.sentence.partition(":")[0]) == (severity, start)
        assert (first.headline in answer_of(found).wrong) == (severity == "high")
        assert not [each for each in others if each.sentence.startswith(("Better: flip", "Worse"))]
