"""Tests of voting, of the rows of a lexicon, and of the review by people."""

import csv
import dataclasses
from pathlib import Path

import pytest

from fair_datasets import CounterfactualSwap
from fair_datasets.lexicons import Lexicon
from fair_datasets.rewriters.fairflow import FoundLexicon, FoundPair, read_review
from fair_datasets.rewriters.fairflow.build import surest
from fair_datasets.rewriters.fairflow.review import Proposal, count_votes

PROPOSED = [
    *[("king", "queen", 1, 4.0)] * 3, *[("king", "witch", 1, 5.0)] * 2, ("queen", "king", 0, 4.0),
    ("witch", "king", 0, 3.0), ("witch", "wizard", 0, 4.0), ("wizard", "witch", 1, 3.0),
    ("cook", "cook", 0, 9.0), ("maid", "butler", 0, 4.0), ("it", "queen", 0, 4.0),
    ("it", "queen", 1, 4.0),
]  # fmt: skip


def voted(mutual: bool = True) -> dict[str, tuple[str, int, int, int]]:
    """Count the votes of `PROPOSED`."""
    found = count_votes([Proposal(*each) for each in PROPOSED], mutual=mutual)
    return {p.original: (p.counterfactual, p.votes, p.margin, p.places) for p in found}


def test_the_majority_of_mutual_proposals_wins() -> None:
    """A tie by the logits; itself, and what stands on both sides, is none."""
    assert voted() == {
        "king": ("queen", 3, 1, 5), "queen": ("king", 1, 1, 1), "witch": ("wizard", 1, 0, 2),
        "wizard": ("witch", 1, 1, 1),
    }  # fmt: skip
    assert set(voted(mutual=False)) == {"king", "queen", "witch", "wizard", "maid"}


def test_words_of_one_side_are_no_counterparts() -> None:
    """Of a word whose state became one of its own attribute, the next one wins, or none."""
    given = [("her", "she", 0), ("she", "her", 0), ("her", "his", 0), ("his", "her", 1)]
    found = count_votes([Proposal(*each, logit=5.0) for each in given])
    assert [each[:2] for each in found] == [("her", "his"), ("his", "her")]


def pair(original: str, counterfactual: str, side: int, example: str = "") -> FoundPair:
    """Return a pair with some votes."""
    return FoundPair(original, counterfactual, side, 9, 5, 10, example)


FAMILY = FoundLexicon(
    ("woman", "man"),
    (("she", "he"),),
    (pair("mother", "father", 0, "… my [mother] left …"), pair("father", "mother", 1),
     pair("mom", "father", 0), pair("him", "her", 1), pair("his", "her", 1),
     pair("mary", "john", 0), pair("monk", "her", 1)),
    {"mary": "Mary", "john": "John"},
)  # fmt: skip


def test_our_reader_takes_the_lexicon_as_it_is(tmp_path: Path) -> None:
    """One-way pairs, shared counterparts, names, pronouns by their case."""
    path = tmp_path / "mine.tsv"
    FAMILY.save(path)
    lexicon = Lexicon.from_tsv(path)
    assert lexicon.attributes == ("woman", "man")
    assert "mom\tfather[target]" in path.read_text()
    assert "mother > father: 9 of 10 votes, margin 5, e.g. … my [mother] left …" in path.read_text()
    swap = CounterfactualSwap(columns="text", axis=str(path), mode="replace")
    rows = {
        "I saw him with his dog": "I saw her with her dog",
        "She gave her son her book.": "He gave his son his book.",
        "My mom and her father left": "My father and his mother left",
        "A monk met Mary.": "A monk met John.",
        "That dog is hers": "That dog is his",
    }
    assert swap({"text": list(rows)})["text"] == list(rows.values())


def test_names_are_swapped_with_the_attributes_of_names(tmp_path: Path) -> None:
    """The header decides: the words of the first pair are no attributes of names."""
    for attributes, swapped in ((("woman", "man"), True), (("she", "he"), False)):
        lexicon = FoundLexicon(attributes, (("she", "he"),), ())
        lexicon.save(tmp_path / "mine.tsv")
        swap = CounterfactualSwap(columns="text", axis=str(tmp_path / "mine.tsv"), mode="replace")
        text = swap({"text": ["Then Mary said that she left."]})["text"][0]
        assert text.endswith("said that he left.")
        assert ("Mary" not in text) == swapped


def test_a_pair_of_other_words_gets_no_pronouns(tmp_path: Path) -> None:
    """Nor do words of another language."""
    lexicon = FoundLexicon(("femme", "homme"), (("elle", "il"),), (pair("reine", "roi", 0),))
    lexicon.save(tmp_path / "french.tsv")
    assert [entry.kind for entry in Lexicon.from_tsv(tmp_path / "french.tsv").entries] == ["", ""]


def test_a_review_comes_back(tmp_path: Path) -> None:
    """Untouched as it was; then accepted, rejected and edited."""
    path = tmp_path / "mine.review.csv"
    FAMILY.save_review(path)
    assert read_review(path).text() == FAMILY.text()
    with path.open(newline="") as file:
        rows = list(csv.DictReader(file))
    decisions = {"mother": "accept", "mom": "edit", "monk": "Reject"}
    for row in rows:
        row["decision"] = decisions.get(row["original"], row["decision"])
        row["edited"] = "dad" if row["original"] == "mom" else ""
    with path.open("w", newline="", encoding="utf-8-sig") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    text = read_review(path).text()
    assert "mom\tdad[target]" in text
    assert "monk" not in text
    assert "mother\tfather" in text


def test_a_pair_with_too_few_votes_is_a_proposal(tmp_path: Path) -> None:
    """The lexicon leaves it out unless people accept it in the review."""
    weak = FoundPair("woman", "men", 0, votes=5, margin=1, places=25)
    found = dataclasses.replace(FAMILY, proposals=(weak,))
    assert found.text() == FAMILY.text()
    path = tmp_path / "mine.review.csv"
    found.save_review(path)
    assert "proposal,,woman,men,woman,5,1,25," in path.read_text()
    assert read_review(path).text() == FAMILY.text()
    path.write_text(path.read_text().replace("proposal,,woman", "accept,,woman"))
    assert "woman\tmen[target]" in read_review(path).text()


@pytest.mark.parametrize(("mark", "end"), [(";", "\r\n"), ("\t", "\n")])
def test_what_a_spreadsheet_makes_of_a_review(mark: str, end: str, tmp_path: Path) -> None:
    """Another mark between cells, a byte order mark, empty rows, other orders, breaks in cells."""
    path = tmp_path / "mine.review.csv"
    FAMILY.save_review(path)
    with path.open(newline="") as file:
        header, *rows = csv.reader(file)
    rows[1][-1] = "my [mother]\n\tleft"
    with path.open("w", newline="", encoding="utf-8-sig") as file:
        writer = csv.writer(file, delimiter=mark, lineterminator=end)
        writer.writerows([header, *rows[:1:-1], [""] * len(header), rows[1], rows[0]])
    read_review(path).save(tmp_path / "kept.tsv")
    assert "e.g. my [mother] left" in (tmp_path / "kept.tsv").read_text()
    kept = Lexicon.from_tsv(tmp_path / "kept.tsv")
    words = {
        form.text: attribute
        for entry in kept.entries for attribute, forms in entry.forms.items() for form in forms
    }  # fmt: skip
    assert [words[word] for word in ("she", "he", "mother", "father")] == ["woman", "man"] * 2


def test_the_surest_pairs_begin_a_later_round() -> None:
    """Those with nearly all votes; where none has, those with half of them; one-way pairs never."""

    def both(first: str, second: str, votes: int, back: int) -> list[FoundPair]:
        return [
            FoundPair(first, second, 0, votes, 1, 10), FoundPair(second, first, 1, back, 1, 10)
        ]  # fmt: skip

    half = [*both("aunt", "uncle", 5, 9), *both("mom", "dad", 4, 9), pair("nun", "monk", 0)]
    assert surest(half) == [("aunt", "uncle")]
    assert surest([*half, *both("queen", "king", 9, 10)]) == [("queen", "king")]
    assert surest([pair("nun", "monk", 0)]) == []
    many = [each for k in range(12) for each in both(f"a{k}", f"b{k}", 9 + k // 11, 10)]
    assert len(surest(many)) == 10
    assert surest(many)[0] == ("a11", "b11")


def test_a_review_of_words_of_one_attribute_names_both(tmp_path: Path) -> None:
    """And is read as the lexicon that it was written from."""
    lexicon = FoundLexicon(("femme", "homme"), (("elle", "il"),), (pair("reine", "roi", 0),))
    lexicon.save_review(tmp_path / "words.csv")
    assert read_review(tmp_path / "words.csv") == lexicon
