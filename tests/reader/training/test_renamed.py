"""Tagged texts with other names in them."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fair_datasets.matching.tokens import tokenize
from fair_datasets.reader.tags import FAMILY, GIVEN, NONE, ORGANISATION, TAGS
from fair_datasets.reader.training.renamed import Names, Span, renamed
from fair_datasets.reader.training.rows import Row

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
