"""The sentences that ship."""

from fair_datasets.matching.tokens import tokenize
from fair_datasets.reader.tags import TAGS
from fair_datasets.reader.training.rows import Row
from fair_datasets.reader.training.sentences import (
    BLANKS,
    fillers,
    name_sentences,
    pronoun_sentences,
)


def tags_of(row: Row) -> dict[str, str]:
    """Return the words of a row with their tags."""
    pairs = zip(tokenize(row.text).words, row.allowed, strict=True)
    return {word: TAGS[bits.bit_length() - 1] for word, bits in pairs if bits}


def test_names_have_the_tags_of_their_blanks() -> None:
    """All words of a name have it, and the words around have none."""
    row = next(name_sentences(1, {"work": ["Xyzzy Qux"]}))
    tags = tags_of(row)
    assert (tags["Xyzzy"], tags["Qux"]) == ("work", "work")
    assert {tag for word, tag in tags.items() if word.islower()} == {"none"}


def test_pronouns_are_known_by_their_template() -> None:
    """One in each sentence, in all four cases."""
    rows = [*pronoun_sentences(1)]
    assert {len(tags_of(row)) for row in rows} == {1}
    cases = {(word, tag) for row in rows for word, tag in tags_of(row).items()}
    assert cases == {
        ("her", "object"), ("her", "determiner"), ("his", "determiner"), ("his", "alone"),
    }  # fmt: skip


def test_no_blank_is_left() -> None:
    """Each has words."""
    texts = [row.text for row in (*name_sentences(3), *pronoun_sentences(3))]
    assert not [text for text in texts if "{" in text or "noun" in text or "plural" in text]


def test_what_is_held_back_is_not_trained_on() -> None:
    """By its template: about a third, with each tag and each case in both parts."""
    for made in (name_sentences, pronoun_sentences):
        parts = [[*made(20, held_back=is_held_back)] for is_held_back in (False, True)]
        trained, held_back = ({row.text for row in part} for part in parts)
        assert not trained & held_back
        assert 0.2 < len(held_back) / len(trained | held_back) < 0.45
        kinds = [{bits for row in part for bits in row.allowed} for part in parts]
        assert kinds[0] == kinds[1]


def test_names_are_listed_once() -> None:
    """A name stands for one thing."""
    for blank in BLANKS:
        assert len(set(fillers(blank))) == len(fillers(blank)) > 50
    places = set(fillers("place"))
    assert not places & (set(fillers("organisation")) | set(fillers("work")))
