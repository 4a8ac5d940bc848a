"""What is drawn by the texts themselves, and what they are cut into."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fair_datasets.reader.matching.tokenizer import tokenize
from fair_datasets.reader.tags import FAMILY, GIVEN, NONE, ORGANISATION, TAGS
from fair_datasets.reader.training import rows as module

TEXTS = [f"Text {number}" for number in range(4000)]


def test_a_share_of_texts_is_held_back() -> None:
    """About one of twenty, the same ones each time."""
    held = [text for text in TEXTS if module.is_held_back(text)]
    assert 150 < len(held) < 250
    assert all(map(module.is_held_back, held))


def test_draws_are_even() -> None:
    """As many texts have a low number as a high one."""
    low = sum(module.share(text) < 0.5 for text in TEXTS)
    assert 1850 < low < 2150


def test_other_texts_are_in_other_letters_in_another_epoch() -> None:
    """A share of them; one that would become longer is never."""
    drawn = [{t for t in TEXTS if module.recased(t, epoch, 0.1) != t} for epoch in (0, 1)]
    assert all(200 < len(each) < 400 for each in drawn)
    assert drawn[0] != drawn[1]
    assert {module.recased("İz", epoch, 1.0) for epoch in range(99)} == {"İz", "İZ"}


def test_pieces_are_short_and_nothing_is_lost() -> None:
    """But for the spaces between sentences."""
    text = "One is here. " * 20 + "\n\nAnd then? " * 5 + "word " * 100
    found = list(module.pieces(text))
    assert " ".join(found).split() == text.split()
    assert all(len(piece.split()) <= module.MOST // 4 for piece in found[:-1])
    assert list(module.pieces(" \n ")) == []


def cases(row: module.Row) -> list[tuple[str, str]]:
    """Return the pronouns of a row with their cases."""
    pairs = zip(tokenize(row.text).words, row.allowed, strict=True)
    return [(word, TAGS[bits.bit_length() - 1]) for word, bits in pairs if bits]


@pytest.mark.parametrize(("text", "made", "expected"), [
    ("They saw us.", "They saw her.", [("her", "object")]),
    ("Mine is red.", "His is red.", [("His", "alone")]),
    ("It was theirs, not ours!", "It was his, not his!", [("his", "alone"), ("his", "alone")]),
])  # fmt: skip
def test_pronouns_that_show_their_case_are_written_anew(
    text: str, made: str, expected: list[tuple[str, str]]
) -> None:
    """With all else as it was, and a capital where one was."""
    (row,) = module.made_rows([text])
    assert row.text == made
    assert cases(row) == expected


def test_determiners_become_both_pronouns() -> None:
    """Which of the two is drawn by the text."""
    rows = list(module.made_rows(f"Here is my book number {number}." for number in range(40)))
    assert {cases(row)[0] for row in rows} == {("her", "determiner"), ("his", "determiner")}


@pytest.mark.parametrize(
    "text", ["He came.", "They saw her with us.", "In the US", "A gold mine", "us " * 70]
)
def test_other_texts_are_left_out(text: str) -> None:
    """Those without such a pronoun, with a "her" of unknown case, and long ones."""
    assert list(module.made_rows([text])) == []
    assert [len(list(module.made_rows(["now " * words + "us"]))) for words in (59, 60)] == [1, 0]


def test_templates_are_made_and_some_are_held_back() -> None:
    """All sentences of a template are on one side; both cases are on both."""
    found = list(module.templated_rows([], 3))
    sides = [[row for row, held in found if held is side] for side in (False, True)]
    assert len(sides[1]) > 30
    assert len(sides[0]) > 2 * len(sides[1])
    for rows in sides:
        assert {tag for row in rows for _, tag in cases(row)} == {"alone", "determiner"}
    assert all(found[k][1] == found[k - k % 3][1] for k in range(len(found)))


NAMES = module.Names(["Zelda", "Ottokar"], ["Quux", "Xanthos"])
BITS = {GIVEN: {"zelda", "ottokar"}, FAMILY: {"quux", "xanthos"}}


def row_of(text: str, spans: list[module.Span]) -> module.Row:
    """Return a row in which each word of a span may be a given name, and any other is none."""
    starts = tokenize(text).starts
    inside = [any(begin <= start < end for begin, end, _ in spans) for start in starts]
    allowed = [1 << (GIVEN if held else NONE) for held in inside]
    return module.Row("tweets", text, allowed, [0b111] * len(allowed))


def written(text: str, *parts: tuple[str, str]) -> module.Row | None:
    """Write other names into a text, of which some parts are names of a kind."""
    spans = [(text.index(part), text.index(part) + len(part), kind) for part, kind in parts]
    found = [*module.renamed(tokenize(text), spans, row_of(text, spans), NAMES)]
    return found[0] if found else None


def told(row: module.Row) -> list[tuple[str, str]]:
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
