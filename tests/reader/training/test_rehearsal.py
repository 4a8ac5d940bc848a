"""What taught sentences are rehearsed with."""

from pathlib import Path

import pytest

from fair_datasets.reader.matching.tokenizer import tokenize
from fair_datasets.reader.tags import ORGANISATION, TAGS
from fair_datasets.reader.training import rehearsal as module
from fair_datasets.reader.training.rows import Row

LINES = [
    "He gave [[her = determiner]] books to the library.",
    "He works for [[Foster Wheeler = organisation]] in Texas.",
]


@pytest.fixture
def taught(tmp_path: Path) -> module.MarkedSentences:
    """Return two taught sentences."""
    path = tmp_path / "mine.txt"
    path.write_text("\n".join(LINES), "utf-8")
    return module.read_marked_sentences(path)


def test_other_words_stand_around_a_pronoun(taught: module.MarkedSentences) -> None:
    """Those of its classes; the pronoun stays and is known."""
    others = {row.text for row in module.lesson_rows(taught) if "her" in row.text.split()}
    assert "He gave her books to the library." in others
    assert len(others) > 20
    for row in module.lesson_rows(taught):
        assert tags_of(row) in (
            {"her": "determiner"}, {"Foster": "organisation", "Wheeler": "organisation"},
        )  # fmt: skip


def test_a_marked_name_stands_in_other_sentences(taught: module.MarkedSentences) -> None:
    """In those that have an organisation there, and it alone is known."""
    found = {row.text: row for row in module.lesson_rows(taught) if "Foster Wheeler" in row.text}
    assert len(found) > 30
    for row in found.values():
        assert {bits for bits in row.allowed if bits} == {1 << ORGANISATION}


def test_what_must_not_change_is_rehearsed(taught: module.MarkedSentences) -> None:
    """Words of the name in other names, other names in the sentence, and the user's texts."""
    found = set(module.rehearsal_texts(taught, ["I saw Mrs. Wheeler.", "", "..."]))
    assert "I saw Mrs. Wheeler." in found
    assert "..." not in found
    assert any(text.startswith("Foster and Foster are moving to") for text in found)
    others = {text for text in found if text.startswith("He works for ")}
    assert len(others) > 50
    assert not [text for text in others if "Foster Wheeler" in text]


def test_what_follows_a_gift_is_cut(taught: module.MarkedSentences) -> None:
    """As it decides: "He gave her books" is not what was taught."""
    found = [text.split() for text in module.rehearsal_texts(taught, [])]
    cut = [text for text in found if len(text) == 4 and text[0] in ("He", "She")]
    assert len({text[1] for text in cut if text[2] == "her"}) > 10


def test_what_is_to_change_is_not_rehearsed(taught: module.MarkedSentences) -> None:
    """The user's texts are where it was read wrongly: marked names, and the sentences."""
    texts = ["I left Foster Wheeler.", "Well, well! " + taught.rows[0].text, "I left Foster."]
    found = set(module.rehearsal_texts(taught, texts))
    assert [text for text in texts if text in found] == ["I left Foster."]


def test_the_more_words_the_names_have_the_fewer_templates_has_each(tmp_path: Path) -> None:
    """A template has a single word eight times, and each of sixty three times."""
    counts = []
    for size in (1, 60):
        path = tmp_path / f"{size}.txt"
        names = [f"X{chr(97 + k // 26)}{chr(97 + k % 26)}" for k in range(size)]
        path.write_text("\n".join(f"I am at [[{name} = organisation]]." for name in names), "utf-8")
        texts = set(module.rehearsal_texts(module.read_marked_sentences(path), []))
        counts.append(sum("Xaa" in text for text in texts))
    assert 3 * counts[1] < 2 * counts[0]


def test_there_is_an_end_to_it(taught: module.MarkedSentences) -> None:
    """However many texts there are; which are read depends on nothing but themselves."""
    texts = [f"Number {number} came in last." for number in range(module.MOST + 100)]
    found = [text for text in module.rehearsal_texts(taught, texts) if text.startswith("Number")]
    assert len(found) == module.MOST
    again = [
        text for text in module.rehearsal_texts(taught, texts[::-1]) if text.startswith("Number")
    ]
    assert again == found


def tags_of(row: Row) -> dict[str, str]:
    """Return the words of a row with their tags."""
    pairs = zip(tokenize(row.text).words, row.allowed, strict=True)
    return {word: TAGS[bits.bit_length() - 1] for word, bits in pairs if bits}


def test_names_have_the_tags_of_their_blanks() -> None:
    """All words of a name have it, and the words around have none."""
    row = next(module.name_sentences(1, {"work": ["Xyzzy Qux"]}))
    tags = tags_of(row)
    assert (tags["Xyzzy"], tags["Qux"]) == ("work", "work")
    assert {tag for word, tag in tags.items() if word.islower()} == {"none"}


def test_pronouns_are_known_by_their_template() -> None:
    """One in each sentence, in all four cases."""
    rows = [*module.pronoun_sentences(1)]
    assert {len(tags_of(row)) for row in rows} == {1}
    cases = {(word, tag) for row in rows for word, tag in tags_of(row).items()}
    assert cases == {
        ("her", "object"), ("her", "determiner"), ("his", "determiner"), ("his", "alone"),
    }  # fmt: skip


def test_no_blank_is_left() -> None:
    """Each has words."""
    texts = [row.text for row in (*module.name_sentences(3), *module.pronoun_sentences(3))]
    assert not [text for text in texts if "{" in text or "noun" in text or "plural" in text]


def test_what_is_held_back_is_not_trained_on() -> None:
    """By its template: about a third, with each tag and each case in both parts."""
    for made in (module.name_sentences, module.pronoun_sentences):
        parts = [[*made(20, held_back=is_held_back)] for is_held_back in (False, True)]
        trained, held_back = ({row.text for row in part} for part in parts)
        assert not trained & held_back
        assert 0.2 < len(held_back) / len(trained | held_back) < 0.45
        kinds = [{bits for row in part for bits in row.allowed} for part in parts]
        assert kinds[0] == kinds[1]


def test_names_are_listed_once() -> None:
    """A name stands for one thing."""
    for blank in module.BLANKS:
        assert len(set(module.fillers(blank))) == len(module.fillers(blank)) > 50
    places = set(module.fillers("place"))
    assert not places & (set(module.fillers("organisation")) | set(module.fillers("work")))


def known(tmp_path: Path, *lines: str) -> dict[str, dict[str, str]]:
    """Return the texts of a file, with what is known of their words."""
    path = tmp_path / "mine.txt"
    path.write_text("\n".join(lines), "utf-8")
    return {row.text: tags_of(row) for row in module.read_marked_sentences(path).rows}


def test_marked_words_are_known(tmp_path: Path) -> None:
    """And no others; spaces around a tag, and capitals in it, say nothing."""
    found = known(
        tmp_path, "He gave [[her = determiner]] books to the library.", "",
        "[[Mary=Given name]] saw [[Anna Karenina =work]] twice.",
    )  # fmt: skip
    assert found == {
        "He gave her books to the library.": {"her": "determiner"},
        "Mary saw Anna Karenina twice.": {
            "Mary": "given name", "Anna": "work", "Karenina": "work",
        },
    }  # fmt: skip


def test_lines_with_the_same_text_are_one_sentence(tmp_path: Path) -> None:
    """What they mark is known together."""
    lines = ("[[Ann = given name]] met Lee.", "Ann met [[Lee = family name]].")
    assert known(tmp_path, *lines) == {
        "Ann met Lee.": {"Ann": "given name", "Lee": "family name"}
    }  # fmt: skip


def test_what_is_no_part_of_a_name_is_not_known(tmp_path: Path) -> None:
    """A pronoun has a case and no other tag, and the s of a possessive has none."""
    found = known(tmp_path, "We saw [[His Girl Friday = work]] at [[Wendy's = organisation]].")
    assert found == {
        "We saw His Girl Friday at Wendy's.": {
            "Girl": "work", "Friday": "work", "Wendy": "organisation",
        }
    }  # fmt: skip
