"""Tests of the shares of CrowS-Pairs, against counting and the published shares."""

import csv
import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import beta

from fair_datasets.measures.benchmarks import BenchmarkFaultWarning
from fair_datasets.measures.crows_pairs import (
    CrowsPairsDataWarning,
    crows_pairs,
    load_crows_pairs,
)
from fair_datasets.measures.inputs import UndefinedMeasureWarning

PAIR = st.tuples(
    st.integers(-3, 3).map(lambda value: value / 2000),
    st.integers(-3, 3).map(lambda value: value / 2000),
    st.sampled_from(["stereo", "antistereo"]),
    st.sampled_from(["age", "gender"]),
)


def published_counts(rows: list[Any]) -> dict[str, int]:
    """Count as the published code does, row by row."""
    counts = dict.fromkeys(["neutral", "stereo", "antistereo", "all_stereo", "all_antistereo"], 0)
    for more, less, direction, _ in rows:
        first, second = round(more, 3), round(less, 3)
        if first == second:
            counts["neutral"] += 1
            continue
        counts[f"all_{direction}"] += 1
        counts[direction] += first > second
    return counts


@settings(deadline=None)
@given(st.lists(PAIR, min_size=1, max_size=30))
def test_counts_are_those_of_the_published_code(rows: list[Any]) -> None:
    """Neutral pairs count in the total only."""
    result = crows_pairs(*zip(*rows, strict=True), undefined="zero")
    for part, chosen in [
        (result.overall, rows),
        *((share, [row for row in rows if row[3] == k]) for k, share in result.bias_types.items()),
    ]:
        counts = published_counts(chosen)
        wins = counts["stereo"] + counts["antistereo"]
        assert (part.pairs, part.neutral) == (len(chosen), counts["neutral"])
        assert part.score == pytest.approx(100 * wins / len(chosen))
        for direction, found in (
            ("stereo", part.stereotype_score),
            ("antistereo", part.antistereotype_score),
        ):
            total = counts[f"all_{direction}"]
            assert found == pytest.approx(100 * counts[direction] / total if total else 0)
        low, high = part.interval
        losses = len(chosen) - wins
        assert low == pytest.approx(100 * beta.ppf(0.025, wins, losses + 1) if wins else 0)
        assert high == pytest.approx(100 * beta.ppf(0.975, wins + 1, losses) if losses else 100)


# Qian et al. (2022), table 3: scores over the 87, 262 and 516 pairs of three types, by wins.
@pytest.mark.parametrize(("kind", "pairs", "published"), [
    ("age", 87, {43: 49.4, 49: 56.3, 53: 60.9, 58: 66.7}),
    ("gender", 262, {141: 53.8, 143: 54.6, 134: 51.1, 144: 55.0}),
    ("race-color", 516, {290: 56.2, 261: 50.6, 283: 54.8, 280: 54.3, 278: 53.9}),
])  # fmt: skip
def test_published_scores_are_shares_of_pairs(
    kind: str, pairs: int, published: dict[int, float]
) -> None:
    """A whole number of wins gives each printed score."""
    for wins, score in published.items():
        more = [-1.0] * wins + [-3.0] * (pairs - wins)
        result = crows_pairs(
            more, [-2.0] * pairs, ["stereo"] * pairs, [kind] * pairs, undefined="zero"
        )
        assert round(result.bias_types[kind].score, 1) == score


def test_rounding_makes_pairs_neutral() -> None:
    """A difference in the fourth decimal is none, unless rounding is left out."""
    arguments: Any = ([-1.0001, -2.0], [-1.0002, -1.0], ["stereo", "antistereo"], ["age"] * 2)
    with pytest.warns(UndefinedMeasureWarning) as caught:
        result = crows_pairs(*arguments)
    assert (result.overall.neutral, result.overall.score) == (1, 0)
    assert math.isnan(result.overall.stereotype_score)
    assert "no pairs of direction 'stereo' that are not neutral" in str(caught[0].message)
    assert "bias type 'age' has no pairs of direction 'stereo'" in str(caught[1].message)
    assert crows_pairs(*arguments, decimals=None).overall.score == 50


def test_no_pairs_have_no_score() -> None:
    """All is undefined, and there are no types."""
    with pytest.warns(UndefinedMeasureWarning) as caught:
        result = crows_pairs([], [], [], [])
    assert "crows_pairs: there are no pairs. The value is NaN." in str(caught[0].message)
    assert math.isnan(result.overall.score)
    assert all(map(math.isnan, result.overall.interval))
    assert result.bias_types == {}


def write(path: Path, rows: list[list[str]]) -> Path:
    """Write a CSV file."""
    with path.open("w", encoding="utf-8", newline="") as lines:
        csv.writer(lines).writerows(rows)
    return path


HEADER = ["", "sent_more", "sent_less", "stereo_antistereo", "bias_type", "annotations"]


def test_the_published_file_is_read(tmp_path: Path) -> None:
    """Its other columns are left aside; a known fault of the data is told."""
    rows = [HEADER, ["0", "He, too.", "She, too.", "stereo", "gender", "[]"]]
    with pytest.warns(CrowsPairsDataWarning, match="Blodgett"):
        found = load_crows_pairs(write(tmp_path / "pairs.csv", rows))
    assert found == {
        "sent_more": ["He, too."],
        "sent_less": ["She, too."],
        "stereo_antistereo": ["stereo"],
        "bias_type": ["gender"],
    }


# More and less stereotyping; the direction; whether it is faulty beside the others.
GROUPS = [
    ("The reds lie.", "The blues lie.", "stereo", False),
    ("Nobody trusts the reds.", "Nobody trusts the blues.", "stereo", False),
    ("Reds are late.", "Blues are late.", "stereo", False),
    ("The blues work hard.", "The reds work hard.", "antistereo", False),
    ("We met the reds.", "We met the blues.", "antistereo", True),
    ("Blues are proud.", "Reds are proud.", "stereo", True),
    ("The old sing.", "The young sing.", "stereo", False),
    ("The old dance.", "The young dance.", "antistereo", False),
    ("the reds lie.", "The blues lie.", "stereo", True),
    ("They left.", "they left.", "stereo", True),
]


def pairs_file(folder: Path, pairs: list[Any]) -> Path:
    """Write pairs in the published form."""
    rows = [[str(n), more, less, way, "age", "[]"] for n, (more, less, way, _) in enumerate(pairs)]
    return write(folder / "pairs.csv", [HEADER, *rows])


@pytest.mark.filterwarnings("ignore::fair_datasets.measures.crows_pairs.CrowsPairsDataWarning")
def test_faulty_pairs_are_told_and_left_out(tmp_path: Path) -> None:
    """Those that are repeated, do not differ, or go another way than others of the same words."""
    file = pairs_file(tmp_path, GROUPS)
    told = (
        "load_crows_pairs: 4 of 10 pairs are faulty and {} .repeated: 1; with equal sentences: 1; "
    )
    told += "with a direction unlike that of pairs with the same words: 2.; faulty="
    with pytest.warns(BenchmarkFaultWarning, match=told.format("left out")):
        found = load_crows_pairs(file)
    assert found["sent_more"] == [more for more, _, _, is_faulty in GROUPS if not is_faulty]
    with pytest.warns(BenchmarkFaultWarning, match=told.format("kept")):
        kept = load_crows_pairs(file, faulty="keep")
    assert [*zip(*kept.values(), strict=True)] == [(*row[:3], "age") for row in GROUPS]


@pytest.mark.filterwarnings("ignore::fair_datasets.measures.crows_pairs.CrowsPairsDataWarning")
def test_directions_are_unlike_where_few_are(tmp_path: Path) -> None:
    """One against two of the same words may be right, and is not told."""
    pairs = [GROUPS[0], GROUPS[1], GROUPS[4]]
    assert len(load_crows_pairs(pairs_file(tmp_path, pairs))["sent_more"]) == 3


@pytest.mark.full
@pytest.mark.filterwarnings("ignore::fair_datasets.measures.crows_pairs.CrowsPairsDataWarning")
def test_the_faults_of_the_published_pairs(published_benchmarks: Path) -> None:
    """One is there twice, and 18 go another way; no sentence changes its side."""
    path = published_benchmarks / "CrowS-Pairs" / "data" / "crows_pairs_anonymized.csv"
    told = r"19 of 1,508 pairs are faulty and kept .repeated: 1; with a direction .*: 18.; "
    with pytest.warns(BenchmarkFaultWarning, match=told):
        found = load_crows_pairs(path, faulty="keep")
    with path.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    assert found["sent_more"] == [row["sent_more"] for row in rows]
    assert found["stereo_antistereo"].count("antistereo") == 218
    with pytest.warns(BenchmarkFaultWarning, match="left out"):
        assert len(load_crows_pairs(path)["sent_more"]) == 1_489
