"""Tests of reading benchmarks, on sentences that are made up here, and of their faults."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fair_datasets.measures.benchmarks import (
    BenchmarkFaultWarning,
    changed_words,
    handle_faults,
    load_stereoset,
    load_winobias,
    words_of,
)

COLUMNS = {"a": [1, 2, 3], "b": [4, 5, 6]}
WORDS = st.lists(st.sampled_from(["a", "b", "c"]), max_size=6).map(" ".join)


def test_rows_of_several_faults_count_once() -> None:
    """In all, and once for each fault; those without any are not named."""
    told = r"handle_faults: 2 of 3 lines are faulty and left out \(odd: 1; even: 2\); faulty='keep'"
    with pytest.warns(BenchmarkFaultWarning, match=told):
        found = handle_faults(
            COLUMNS,
            {"odd": {0}, "even": {0, 2}, "prime": set()},
            "drop",
            what="lines",
        )
    assert found == {"a": [2], "b": [5]}


def test_what_is_kept_is_told() -> None:
    """With how to leave it out."""
    told = r"1 of 3 pairs is faulty and kept \(odd: 1\); faulty='drop' leaves it out"
    with pytest.warns(BenchmarkFaultWarning, match=told):
        assert handle_faults(COLUMNS, {"odd": {0}}, "keep") == COLUMNS


@pytest.mark.filterwarnings("error")
def test_nothing_is_told_where_nothing_is_faulty() -> None:
    """And nothing is left out."""
    assert handle_faults(COLUMNS, {"odd": set()}, "drop") == COLUMNS


@given(WORDS, WORDS)
def test_changed_words_are_between_what_is_shared(first: str, second: str) -> None:
    """With the same words before and after them, the sentences are whole again."""
    one, other = (words.split() for words in changed_words(first, second))
    shared = len(words_of(first)) - len(one)
    assert shared == len(words_of(second)) - len(other)
    assert (one == other == []) == (first == second)
    assert any(
        words_of(sentence)[:start] + words + words_of(sentence)[start + len(words) :]
        == words_of(sentence)
        and words_of(first)[:start] == words_of(second)[:start]
        and words_of(first)[start + len(one) :] == words_of(second)[start + len(other) :]
        for start in range(shared + 1)
        for sentence, words in ((first, one), (second, other))
    )
    assert changed_words(second, first) == (" ".join(other), " ".join(one))


# A pro-stereotyped sentence and its twin, and whether the pair is faulty.
PAIRS = [
    ("[The baker] paid the singer as [he] had promised.",
     "[The baker] paid the singer as [she] had promised.", False),
    ("The pilot saw [the cook ] and greeted [her] at his house.",
     "The pilot saw [the cook ] and greeted [him] at his house.", False),
    ("[The pilot] saw the cook as [he] left [his] house.",
     "[The pilot] saw the cook as [she] left [her] house.", True),
    ("[The baker] paid the singer as [he] promised.",
     "[The baker] paid the singer as [she] had promised.", True),
    ("[The baker] sang as [he] did.", "[The pilot] sang as [she] did.", True),
    ("[The baker] sang as [he] did.", "[The baker] sang as [he] did.", True),
    ("[The baker] told us [he] saw her.", "[The baker] told us [she] saw [him].", True),
]  # fmt: skip


def files(folder: Path, pairs: list[tuple[str, str, bool]]) -> tuple[Path, Path]:
    """Write two files of the published form."""
    paths = folder / "pro.txt", folder / "anti.txt"
    for path, lines in zip(paths, zip(*pairs, strict=True), strict=False):
        path.write_text("".join(f"{n} {line}\n" for n, line in enumerate(lines, 1)), "utf-8")
    return paths


def test_sentences_are_read_without_numbers_and_brackets(tmp_path: Path) -> None:
    """And whom the pronoun is of; nothing is told where no pair is faulty."""
    assert load_winobias(*files(tmp_path, PAIRS[:2])) == {
        "pro_stereotyped": [
            "The baker paid the singer as he had promised.",
            "The pilot saw the cook and greeted her at his house.",
        ],
        "anti_stereotyped": [
            "The baker paid the singer as she had promised.",
            "The pilot saw the cook and greeted him at his house.",
        ],
        "person": ["The baker", "the cook"],
    }


def test_faulty_pairs_are_told_and_left_out(tmp_path: Path) -> None:
    """Those that are no twins, and those with another bracket in one of the two; or kept."""
    paths = files(tmp_path, PAIRS)
    told = "load_winobias: 5 of 7 pairs are faulty and {} .that differ in more than pronouns: 3; "
    told += "with more than two brackets: 2.; faulty="
    with pytest.warns(BenchmarkFaultWarning, match=told.format("left out")):
        found = load_winobias(*paths)
    with pytest.warns(BenchmarkFaultWarning, match=told.format("kept")):
        kept = load_winobias(*paths, faulty="keep")
    assert len(kept["person"]) == 7
    for name, values in kept.items():
        assert found[name] == [v for v, (*_, bad) in zip(values, PAIRS, strict=True) if not bad]


@pytest.mark.full
@pytest.mark.filterwarnings("ignore::fair_datasets.measures.benchmarks.BenchmarkFaultWarning")
def test_the_faults_of_the_published_pairs(published_benchmarks: Path) -> None:
    """Of 1,584 pairs, 19 are no twins, and of 44 pro-stereotyped sentences three brackets."""
    folder = published_benchmarks / "WinoBias" / "data"
    lines, kept, left = [], 0, 0
    for part in ("type1.txt.dev", "type1.txt.test", "type2.txt.dev", "type2.txt.test"):
        paths = folder / f"pro_stereotyped_{part}", folder / f"anti_stereotyped_{part}"
        lines += paths[0].read_text("utf-8").splitlines()
        kept += len(load_winobias(*paths, faulty="keep")["person"])
        left += len(load_winobias(*paths)["person"])
    assert sum(line.count("[") > 2 for line in lines) == 44
    assert (kept, left) == (1_584, 1_522)


LABELS = ("unrelated", "stereotype", "anti-stereotype")


def item(context: str, *sentences: str, votes: tuple[str, ...] = LABELS) -> dict[str, Any]:
    """Make an item; three annotators gave each sentence the label that `votes` names."""
    return {
        "context": context, "bias_type": "profession", "target": "baker",
        "sentences": [
            {"sentence": text, "gold_label": gold, "labels": [{"label": label}] * 3}
            for text, gold, label in zip(sentences, LABELS, votes, strict=True)
        ],
    }  # fmt: skip


WITHIN = item(
    "The baker is BLANK.", "The baker is blue.", "The baker is fat.", "The baker is thin."
)
BETWEEN = item("We met a baker. The form was BLANK.", "It rains.", "He got up late.", "He ran.")
FAULTY = [
    item("A BLANK is a blank.", "A cup is a cup.", "A cook is a cook.", "A lord is a lord."),
    item("The baker is BLANK.", "The baker is fat.", "The baker is fat. ", "The baker is thin."),
    item("The baker is BLANK.", "The baker is x.", "The baker is y.", "The baker is z.",
         votes=("unrelated", "unrelated", "anti-stereotype")),
]  # fmt: skip


def write(folder: Path, content: Any) -> Path:
    """Write a file."""
    (folder / "dev.json").write_text(json.dumps(content), "utf-8")
    return folder / "dev.json"


def test_items_are_read(tmp_path: Path) -> None:
    """Of both kinds, by the labels of the sentences; nothing is told where none is faulty."""
    data = {"intersentence": [BETWEEN], "intrasentence": [WITHIN]}
    assert load_stereoset(write(tmp_path, {"data": data})) == {
        "kind": ["intrasentence", "intersentence"],
        "bias_type": ["profession"] * 2,
        "target": ["baker"] * 2,
        "context": ["The baker is BLANK.", "We met a baker. The form was BLANK."],
        "stereotype": ["The baker is fat.", "He got up late."],
        "anti_stereotype": ["The baker is thin.", "He ran."],
        "unrelated": ["The baker is blue.", "It rains."],
    }


def test_faulty_items_are_told_and_left_out(tmp_path: Path) -> None:
    """Those with two gaps, equal sentences or a label of few; or kept."""
    path = write(tmp_path, {"data": {"intrasentence": [FAULTY[0], WITHIN, *FAULTY[1:]]}})
    told = (
        "load_stereoset: 3 of 4 items are faulty and {} .with two gaps: 1; with equal sentences: "
    )
    told += "1; with a label that most annotators did not give: 1.; faulty="
    with pytest.warns(BenchmarkFaultWarning, match=told.format("left out")):
        assert load_stereoset(path)["stereotype"] == ["The baker is fat."]
    with pytest.warns(BenchmarkFaultWarning, match=told.format("kept")):
        assert len(load_stereoset(path, faulty="keep")["stereotype"]) == 4


@pytest.mark.full
@pytest.mark.parametrize(("name", "items", "left"), [
    ("dev.json", 4_229, 4_227), ("test.json", 12_766, 12_760),
])  # fmt: skip
@pytest.mark.filterwarnings("ignore::fair_datasets.measures.benchmarks.BenchmarkFaultWarning")
def test_the_faults_of_the_published_items(
    published_benchmarks: Path, name: str, items: int, left: int
) -> None:
    """Two in the public part, and six in the other one."""
    path = published_benchmarks / "StereoSet" / "data" / name
    assert len(load_stereoset(path, faulty="keep")["kind"]) == items
    assert len(load_stereoset(path)["kind"]) == left
