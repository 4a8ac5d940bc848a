"""What the spans of tagged texts say of their words."""

import gzip
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from fair_datasets.reader.matching.tokenizer import tokenize
from fair_datasets.reader.tags import CASES, TAGS
from fair_datasets.reader.training import gold


def write(folder: Path, source: str, *texts: str, spans: Sequence[Any], **more: str) -> None:
    """Write tagged texts: of each span the part, its kind, and its form where there is one."""
    path = folder / "tagged" / gold.FILES[source][0]
    path.parent.mkdir(exist_ok=True)
    with gzip.open(path, "wt", encoding="utf-8") as file:
        for text in texts:
            places = [[text.index(part), text.index(part) + len(part), *kinds]
                      for part, *kinds in spans]  # fmt: skip
            entry = {"source": source, "text": text, "spans": places, **more}
            file.write(json.dumps(entry) + "\n")


def read(folder: Path, source: str, text: str, *spans: tuple[str, ...]) -> dict[str, str]:
    """Write a tagged text, read it, and return the tags that each of its words may have."""
    write(folder, source, text, spans=spans, **({"book": "1"} if source == "litbank" else {}))
    (row,) = gold.tagged_rows(folder, source)
    pairs = zip(tokenize(text).words, row.allowed, strict=True)
    return {word: named(bits) for word, bits in pairs}


def named(bits: int) -> str:
    """Name tags by their bits."""
    return " or ".join(tag for number, tag in enumerate(TAGS) if bits >> number & 1)


@pytest.mark.parametrize(("text", "person", "expected"), [
    ("Then Mary Jane Watson left", "Mary Jane Watson",
     {"Then": "none", "Mary": "given name", "Jane": "given name",
      "Watson": "family name", "left": "none"}),
    ("Mr. Paul Smith's car", "Mr. Paul Smith's",
     {"Mr": "none", "Paul": "given name", "Smith": "family name", "s": "none"}),
    ("Dr. Joseph came", "Dr. Joseph", {"Dr": "none", "Joseph": "family name"}),
    ("Prince William came", "Prince William", {"Prince": "none", "William": "given name"}),
    ("Townsend, George", "Townsend, George",
     {"Townsend": "family name", "George": "given name"}),
    ("John F. Kennedy Jr.", "John F. Kennedy Jr",
     {"John": "given name", "F": "given name", "Kennedy": "family name", "Jr": "family name"}),
    ("Charles de Gaulle", "Charles de Gaulle",
     {"Charles": "given name", "de": "family name", "Gaulle": "family name"}),
    ("we saw Emily", "Emily", {"Emily": "given name"}),
    ("we saw Xyzzyx", "Xyzzyx", {"Xyzzyx": "given name or family name"}),
])  # fmt: skip
def test_the_words_of_a_person_are_given_and_family_names(
    tmp_path: Path, text: str, person: str, expected: dict[str, str]
) -> None:
    """By their order, titles and commas; of one word alone, what the lists say."""
    found = read(tmp_path, "tweets", text, (person, "PER"))
    assert {word: found[word] for word in expected} == expected


def test_a_name_alone_is_what_it_is_elsewhere_in_the_text(tmp_path: Path) -> None:
    """A name that may be either is a family name if it stands behind a first name as well."""
    text = "Tom Wadey ran; Wadey's fast"
    found = read(tmp_path, "tweets", text, ("Tom Wadey", "PER"), ("Wadey's", "PER"))
    assert found["Wadey"] == "family name"


def test_sources_tell_apart_what_they_mark(tmp_path: Path) -> None:
    """No work is marked in tweets, so that a word in no span may be in a work there."""
    for source, tells_works in (("tweets", False), ("wnut17", True), ("wikigold", True)):
        read(tmp_path, source, "we saw Titanic in London", ("London", "LOC"))
        (row,) = gold.tagged_rows(tmp_path, source)
        assert named(row.allowed[2]) == "none"
        assert ("work" in named(row.considered[2])) is tells_works
        assert named(row.allowed[4]) == "place"


def test_peoples_are_other_names_and_what_else_has_no_kind_may_be_a_work(tmp_path: Path) -> None:
    """As Wikigold marks both alike."""
    found = read(
        tmp_path, "wikigold", "the French Babylon", ("French", "MISC"), ("Babylon", "MISC")
    )
    assert (found["French"], found["Babylon"]) == ("other name", "work or other name")


_TREE = """\
# text = She saw her and her dog; his barked at him.
1\tShe\tshe\tPRON\tPRP\t_\t2\tnsubj\t_\t_
2\tsaw\tsee\tVERB\tVBD\t_\t0\troot\t_\t_
3\ther\tshe\tPRON\tPRP\t_\t2\tobj\t_\t_
4\tand\tand\tCCONJ\tCC\t_\t6\tcc\t_\t_
5\ther\ther\tPRON\tPRP$\t_\t6\tnmod:poss\t_\t_
6\tdog\tdog\tNOUN\tNN\t_\t3\tconj\t_\t_
7\t;\t;\tPUNCT\t:\t_\t2\tpunct\t_\t_
8\this\this\tPRON\tPRP$\t_\t9\tnsubj\t_\t_
9\tbarked\tbark\tVERB\tVBD\t_\t2\tparataxis\t_\t_
10\tat\tat\tADP\tIN\t_\t11\tcase\t_\t_
11\thim\the\tPRON\tPRP\t_\t9\tobl\t_\t_

"""


def test_a_treebank_tells_the_cases(tmp_path: Path) -> None:
    """And nothing of other words; together with spans, both are known."""
    path = tmp_path / "treebank.conllu"
    path.write_text(_TREE)
    (row,) = gold.pronoun_rows(path, "ewt")
    tags = list(map(named, row.allowed))
    assert tags == ["", "", "object", "", "determiner", "", "alone", "", "", "object"]
    read(tmp_path, "ewt", row.text)
    (both,) = gold.both_known(gold.tagged_rows(tmp_path, "ewt"), [row])
    assert list(map(named, both.allowed)) == [tag or "none" for tag in tags]
    assert [bool(bits & CASES) for bits in both.considered] == [bool(tag) for tag in tags]


@pytest.mark.parametrize(("text", "spans", "expected"), [
    ("the old priest of black stones", [("the old priest", "PER", "NOM")],
     {"the": "none", "old": "none or people", "priest": "none or people",
      "black": "none or thing"}),
    ("a friend of the blacks", [("a friend of the blacks", "PER", "NOM")], {"blacks": "none"}),
    ("he was black and blue", [], {"black": "none"}),
    ("poor Mr. Dedlock sat", [("poor Mr. Dedlock", "PER", "PROP")],
     {"poor": "none", "Mr": "none", "Dedlock": "family name"}),
    ("Mr. and Mrs. Snagsby", [("Mr. and Mrs. Snagsby", "PER", "PROP")],
     {"Mr": "none", "Mrs": "none", "Snagsby": "family name"}),
    ("saw the Lord Chancellor there", [("the Lord Chancellor", "PER", "PROP")],
     {"Lord": "none", "Chancellor": ""}),
    ("Jane Eyre of Thornfield Hall", [("Jane Eyre of Thornfield Hall", "PER", "PROP"),
                                      ("Thornfield Hall", "LOC", "PROP")],
     {"Jane": "given name", "Eyre": "family name", "of": "none", "Hall": "place"}),
])  # fmt: skip
def test_mentions_in_novels_are_names_and_people(
    tmp_path: Path, text: str, spans: Sequence[tuple[str, str, str]], expected: dict[str, str]
) -> None:
    """Of a noun phrase its name, or the words of the lexicons that are its noun."""
    found = read(tmp_path, "litbank", text, *spans)
    assert {word: found[word] for word in expected} == expected


def test_kept_books_are_not_read(tmp_path: Path) -> None:
    """Nor is another field of the same file."""
    write(tmp_path, "litbank", "He sat.", spans=(), book=f"{min(gold.HELD_OUT_BOOKS)}_title")
    assert [*gold.tagged_rows(tmp_path, "litbank")] == []
    read(tmp_path, "crossner-ai", "He sat.")
    assert [*gold.tagged_rows(tmp_path, "crossner-music")] == []


def test_names_of_the_world_are_written_in_gold(tmp_path: Path) -> None:
    """Of one culture in each copy; a fifth of the names never."""
    texts = [f"then {n} people saw Mary Smith leave" for n in range(300)]
    write(tmp_path, "tweets", *texts, spans=[("Mary Smith", "PER")])
    rows = [*gold.renamed_rows(tmp_path, "tweets", (0, 1, 0))]
    given = {
        word
        for row in rows
        for word, bits in zip(tokenize(row.text).words, row.allowed, strict=True)
        if named(bits) == "given name" and len(word) > 1
    }
    several = gold.world_names(gold.NameCounts(tmp_path))
    assert len(given & {name for names in several for name in names.given}) > 100
    drawn = [name for names in several for name in names.given]
    assert all(map(gold.is_drawn, drawn))
