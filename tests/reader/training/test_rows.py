"""What is drawn by the texts themselves, and what they are cut into."""

import gzip
import json
import string
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fair_datasets import InputError
from fair_datasets.reader.matching.tokens import tokenize
from fair_datasets.reader.tags import CASES, FAMILY, GIVEN, NONE, ORGANISATION, TAGS
from fair_datasets.reader.training.rows import (
    FILES,
    MOST,
    Names,
    Row,
    Span,
    both_known,
    is_held_back,
    lower_cased,
    made_rows,
    pieces,
    pronoun_rows,
    renamed,
    share,
    tagged_rows,
    templated_rows,
)

TEXTS = [f"Text {number}" for number in range(4000)]


def test_a_share_of_texts_is_held_back() -> None:
    """About one of twenty, the same ones each time."""
    held = [text for text in TEXTS if is_held_back(text)]
    assert 150 < len(held) < 250
    assert all(map(is_held_back, held))


def test_draws_are_even() -> None:
    """As many texts have a low number as a high one."""
    low = sum(share(text) < 0.5 for text in TEXTS)
    assert 1850 < low < 2150


def test_other_texts_are_in_lower_case_in_another_epoch() -> None:
    """A share of them; one that would become longer is never."""
    drawn = [{t for t in TEXTS if lower_cased(t, epoch, 0.1) != t} for epoch in (0, 1)]
    assert all(300 < len(each) < 500 for each in drawn)
    assert drawn[0] != drawn[1]
    assert lower_cased("İstanbul", 0, 1.0) == "İstanbul"


def test_pieces_are_short_and_nothing_is_lost() -> None:
    """But for the spaces between sentences."""
    text = "One is here. " * 20 + "\n\nAnd then? " * 5 + "word " * 100
    found = list(pieces(text))
    assert " ".join(found).split() == text.split()
    assert all(len(piece.split()) <= MOST // 4 for piece in found[:-1])
    assert list(pieces(" \n ")) == []


def cases(row: Row) -> list[tuple[str, str]]:
    """Return the pronouns of a row with their cases."""
    pairs = zip(tokenize(row.text).words, row.allowed, strict=True)
    return [(word, TAGS[bits.bit_length() - 1]) for word, bits in pairs if bits]


@pytest.mark.parametrize(
    ("text", "made", "expected"),
    [
        ("They saw us.", "They saw her.", [("her", "object")]),
        ("Mine is red.", "His is red.", [("His", "alone")]),
        ("It was theirs, not ours!", "It was his, not his!", [("his", "alone"), ("his", "alone")]),
    ],
)
def test_pronouns_that_show_their_case_are_written_anew(
    text: str, made: str, expected: list[tuple[str, str]]
) -> None:
    """With all else as it was, and a capital where one was."""
    (row,) = made_rows([text])
    assert row.text == made
    assert cases(row) == expected


def test_determiners_become_both_pronouns() -> None:
    """Which of the two is drawn by the text."""
    rows = list(made_rows(f"Here is my book number {number}." for number in range(40)))
    assert {cases(row)[0] for row in rows} == {("her", "determiner"), ("his", "determiner")}


@pytest.mark.parametrize(
    "text", ["He came.", "They saw her with us.", "In the US", "A gold mine", "us " * 70]
)
def test_other_texts_are_left_out(text: str) -> None:
    """Those without such a pronoun, with a "her" of unknown case, and long ones."""
    assert list(made_rows([text])) == []
    assert [len(list(made_rows(["now " * words + "us"]))) for words in (59, 60)] == [1, 0]


def test_templates_are_made_and_some_are_held_back() -> None:
    """All sentences of a template are on one side; both cases are on both."""
    found = list(templated_rows([], 3))
    sides = [[row for row, held in found if held is side] for side in (False, True)]
    assert len(sides[1]) > 30
    assert len(sides[0]) > 2 * len(sides[1])
    for rows in sides:
        assert {tag for row in rows for _, tag in cases(row)} == {"alone", "determiner"}
    assert all(found[k][1] == found[k - k % 3][1] for k in range(len(found)))


def read(folder: Path, source: str, text: str, *spans: tuple[str, str]) -> dict[str, str]:
    """Write a tagged text, read it, and return the tags that each of its words may have."""
    places = [[text.index(part), text.index(part) + len(part), kind] for part, kind in spans]
    path = folder / "tagged" / FILES[source][0]
    path.parent.mkdir(exist_ok=True)
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.write(json.dumps({"source": source, "text": text, "spans": places}) + "\n")
    (row,) = tagged_rows(folder, source)
    pairs = zip(tokenize(text).words, row.allowed, strict=True)
    return {word: named(bits) for word, bits in pairs}


def named(bits: int) -> str:
    """Name tags by their bits."""
    return " or ".join(tag for number, tag in enumerate(TAGS) if bits >> number & 1)


@pytest.mark.parametrize(
    ("text", "person", "expected"),
    [
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
    ],
)  # fmt: skip
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
        (row,) = tagged_rows(tmp_path, source)
        assert named(row.allowed[2]) == "none"
        assert ("work" in named(row.considered[2])) is tells_works
        assert named(row.allowed[4]) == "place"


def test_peoples_are_other_names_and_what_else_has_no_kind_may_be_a_work(tmp_path: Path) -> None:
    """As Wikigold marks both alike."""
    found = read(
        tmp_path, "wikigold", "the French Babylon", ("French", "MISC"), ("Babylon", "MISC")
    )
    assert (found["French"], found["Babylon"]) == ("other name", "work or other name")


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    """By its name, with the option that names the folder."""
    with pytest.raises(InputError, match=r"lack 'person_names_tweets.jsonl.gz'; .* --data"):
        [*tagged_rows(tmp_path, "tweets")]


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
    (row,) = pronoun_rows(path, "ewt")
    tags = list(map(named, row.allowed))
    assert tags == ["", "", "object", "", "determiner", "", "alone", "", "", "object"]
    read(tmp_path, "ewt", row.text)
    (both,) = both_known(tagged_rows(tmp_path, "ewt"), [row])
    assert list(map(named, both.allowed)) == [tag or "none" for tag in tags]
    assert [bool(bits & CASES) for bits in both.considered] == [bool(tag) for tag in tags]


NAMES = Names(["Zelda", "Ottokar"], ["Quux", "Xanthos"])
BITS = {GIVEN: {"zelda", "ottokar"}, FAMILY: {"quux", "xanthos"}}


def row_of(text: str, spans: list[Span]) -> Row:
    """Return a row in which each word of a span may be a given name, and any other is none."""
    starts = tokenize(text).starts
    inside = [any(begin <= start < end for begin, end, _ in spans) for start in starts]
    allowed = [1 << (GIVEN if held else NONE) for held in inside]
    return Row("tweets", text, allowed, [0b111] * len(allowed))


def written(text: str, *parts: tuple[str, str]) -> Row | None:
    """Write other names into a text, of which some parts are names of a kind."""
    spans = [(text.index(part), text.index(part) + len(part), kind) for part, kind in parts]
    found = [*renamed(tokenize(text), spans, row_of(text, spans), NAMES)]
    return found[0] if found else None


def told(row: Row) -> list[tuple[str, str]]:
    """Return the words of a row with the names of their tags."""
    tags = [TAGS[bits.bit_length() - 1] for bits in row.allowed]
    return list(zip(tokenize(row.text).lower, tags, strict=True))


@given(st.text(string.ascii_letters, min_size=1, max_size=8), st.integers(1, 3), st.integers(0, 9))
def test_the_words_of_drawn_names_have_their_tags(word: str, count: int, salt: int) -> None:
    """Whatever form is drawn; the other words keep theirs, and the same text gives the same."""
    person = " ".join([word.title()] * count)
    text = f"we saw {person} {salt} times."
    row = written(text, (person, "PER"))
    assert row == written(text, (person, "PER"))
    assert row is not None
    assert row.text.startswith("we saw ")
    assert row.text.endswith(f" {salt} times.")
    assert f" {person} " not in row.text or word.title() in NAMES.given
    for name, tag in told(row):
        assert (name in BITS[GIVEN]) <= (tag == TAGS[GIVEN])
        assert (name in BITS[FAMILY]) == (tag == TAGS[FAMILY])
        assert name not in ("we", "saw", "times") or tag == TAGS[NONE]
        assert tag == TAGS[GIVEN] or len(name) > 1 or name.isdigit()


@pytest.mark.parametrize(
    ("text", "tag"),
    [("Mr. Smith left.", FAMILY), ("My uncle Bob left.", GIVEN), ("Dr. Jones' car", FAMILY)],
)
def test_what_stands_before_a_name_decides_its_form(text: str, tag: int) -> None:
    """Behind a title stands no given name by itself, and behind a relative no family name."""
    person = next(word for word in tokenize(text).words if word in ("Smith", "Bob", "Jones"))
    row = written(text, (person, "PER"))
    assert row is not None
    names = [found for word, found in told(row) if word in BITS[GIVEN] | BITS[FAMILY]]
    assert names[-1 if tag == FAMILY else 0] == TAGS[tag]


def test_a_name_is_written_as_the_old_one_was() -> None:
    """In small letters, or in capitals."""
    small, large = written("then anna left", ("anna", "PER")), written("ANNA LEFT", ("ANNA", "PER"))
    assert small is not None
    assert small.text.islower()
    assert large is not None
    assert large.text.isupper()


def test_some_organisations_are_called_like_people() -> None:
    """All of their words are words of an organisation, and others stay as they are."""
    rows = [written(f"{k} people sued Acme Steel.", ("Acme Steel", "ORG")) for k in range(20)]
    changed = [row for row in rows if row is not None]
    assert 0 < len(changed) < len(rows)
    for row in changed:
        tags = {tag for word, tag in told(row) if word in BITS[GIVEN] | BITS[FAMILY]}
        assert tags == {TAGS[ORGANISATION]}


@pytest.mark.parametrize(
    ("text", "part", "kind"),
    [("RT @Anna hi", "Anna", "PER"), ("R2D2 left", "R2D2", "PER"), ("We left", "", "PER"),
     ("She is Dutch", "Dutch", "MISC")],
)  # fmt: skip
def test_what_is_no_plain_name_stays(text: str, part: str, kind: str) -> None:
    """Handles, codes, empty spans, and what is no name of people, places or firms."""
    assert written(text, (part, kind)) is None
