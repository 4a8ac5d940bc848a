"""Sentences that teach a reader."""

from pathlib import Path

import pytest

from fair_datasets.reader.matching.tokens import tokenize
from fair_datasets.reader.tags import TAGS
from fair_datasets.reader.training.taught import read_taught
from fair_datasets.system.checks import InputError


def known(tmp_path: Path, *lines: str) -> dict[str, dict[str, str]]:
    """Return the texts of a file, with what is known of their words."""
    path = tmp_path / "mine.txt"
    path.write_text("\n".join(lines), "utf-8")
    return {
        row.text: {
            word: TAGS[bits.bit_length() - 1]
            for word, bits in zip(tokenize(row.text).words, row.allowed, strict=True)
            if bits
        }
        for row in read_taught(path).rows
    }


def test_marked_words_are_known(tmp_path: Path) -> None:
    """And no others; spaces around a tag, and capitals in it, say nothing."""
    found = known(
        tmp_path,
        "He gave [[her = determiner]] books to the library.",
        "",
        "[[Mary=Given name]] saw [[Anna Karenina =work]] twice.",
    )
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


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        (["", "She flew [[Delta = firm]]."], "line 2: 'Delta' has the tag 'firm'. The tags of"),
        (["She flew [[Delta = firm]]."], "none, given name, family name, place, organisation, wo"),
        (["I saw [[her = work]]."], "'her' has the tag 'work'. The tags of 'her' are: object, d"),
        (["It is [[his = object]]."], "The tags of 'his' are: determiner, alone."),
        (["I saw [[Ann = object]]."], "'Ann' has the tag 'object'"),
        (["I saw [[her]]."], "[[her]] has no tag; write the word, = and its tag"),
        (["I saw her."], "line 1 marks no word; write a word and its tag between [[ and ]]"),
        (["I saw [[her = object]], [[Ann"], "line 1 has a mark that does not end"),
        (["I saw [[Ann = given name]]a."], "'Ann' is a part of the word 'Anna'; mark the whole"),
        (["I saw [[... = work]]."], "'...' has no word; mark a word"),
        (
            ["I saw [[her = object]].", "I saw [[her = determiner]]."],
            "line 2: 'her' has the tag 'determiner', but 'object' in",
        ),
        ([" "], "has no sentence; write one a line"),
    ],
)
def test_what_cannot_be_taught_is_told(tmp_path: Path, lines: list[str], told: str) -> None:
    """With the line, the word, and the tags that there are."""
    with pytest.raises(InputError) as error:
        known(tmp_path, *lines)
    assert told in str(error.value)
    assert "mine.txt" in str(error.value)
