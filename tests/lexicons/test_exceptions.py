"""Each phrase of a lexicon's exceptions has a sentence that is read otherwise without it.

`exceptions.tsv` has the columns axis, sentence and phrases: in the place of `{}` stands each of the
phrases, parted by `; `, in the letters that are needed there. For all others the sentence is
"They saw {}.".
"""

import csv
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import pytest

from fair_datasets.lexicons import available_lexicons, load_lexicon
from fair_datasets.lexicons.lexicon import exceptions_file
from fair_datasets.lexicons.shipped import DATA
from fair_datasets.reader.matching.find import find_table
from fair_datasets.reader.matching.rows import mentions_in_rows
from fair_datasets.reader.matching.table import TermTable
from fair_datasets.reader.matching.tokenizer import tokenize

USUAL = "They saw {}."
# A rule leaves the word alone as well, but what is told is the phrase, as the documentation shows.
TOLD_AS_A_PHRASE = frozenset({("gender", "bachelor's degree"), ("gender", "Iron Maiden")})


@cache
def _own_sentences(axis: str) -> dict[str, str]:
    """Return the sentences of the phrases that do not have the usual one."""
    with Path(__file__).with_name("exceptions.tsv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file, delimiter="\t") if row["axis"] == axis]
    listed = [(row["sentence"], phrase) for row in rows for phrase in row["phrases"].split("; ")]
    found = {phrase.casefold(): sentence.format(phrase) for sentence, phrase in listed}
    assert len(found) == len(listed)
    return found


def _sentence(axis: str, phrase: str) -> str:
    return _own_sentences(axis).get(phrase.casefold(), USUAL.format(phrase))


def _length(phrase: str) -> int:
    return len(tokenize(phrase).words)


def _without(axis: str, length: int, folder: Path) -> TermTable:
    """Return the terms of an axis without the exceptions that have so many words, or more."""
    copy = folder / str(length) / f"{axis}.tsv"
    copy.parent.mkdir()
    copy.write_bytes((DATA / copy.name).read_bytes())
    kept = [phrase for phrase in load_lexicon(axis).exceptions if _length(phrase) < length]
    lines = ["phrase\treason", *(f"{phrase}\tkept" for phrase in kept)]
    exceptions_file(copy).write_text("\n".join(lines), encoding="utf-8")
    return find_table(str(copy))


def _read(sentences: Sequence[str], table: TermTable) -> Iterator[list[tuple[int, int, str]]]:
    """Yield the first and the last word and the attribute of each mention, by sentence."""
    found = dict(mentions_in_rows([[sentence] for sentence in sentences], [table]))
    for number in range(len(sentences)):
        (reading,) = found.get(number, [None])
        mentions = reading.mentions if reading else []
        yield [(each.first, each.last, each.term.attribute) for each in mentions]


@pytest.mark.parametrize("axis", available_lexicons())
def test_each_exception_changes_the_reading_of_its_sentence(axis: str, tmp_path: Path) -> None:
    """Without it a word of the phrase is read, or another phrase; one that changes nothing goes."""
    phrases = load_lexicon(axis).exceptions
    needless = []
    for length in sorted(set(map(_length, phrases))):
        several = [phrase for phrase in phrases if _length(phrase) == length]
        sentences = [_sentence(axis, phrase) for phrase in several]
        kept = _read(sentences, find_table(axis))
        other = _read(sentences, _without(axis, length, tmp_path))
        needless += [
            phrase
            for phrase, here, there in zip(several, kept, other, strict=True)
            if here == there and (axis, phrase) not in TOLD_AS_A_PHRASE
        ]
    assert needless == []


@pytest.mark.parametrize("axis", available_lexicons())
def test_an_exception_is_left_alone_in_its_sentence(axis: str) -> None:
    """No word of the phrase is read there."""
    phrases = load_lexicon(axis).exceptions
    sentences = [_sentence(axis, phrase) for phrase in phrases]
    touched = []
    for phrase, sentence, mentions in zip(
        phrases, sentences, _read(sentences, find_table(axis)), strict=True
    ):
        words, inside = tokenize(sentence).lower, tokenize(phrase).lower
        first = next(k for k in range(len(words)) if words[k : k + len(inside)] == inside)
        if any(begin < first + len(inside) and end >= first for begin, end, _ in mentions):
            touched.append(phrase)
    assert touched == []


@pytest.mark.parametrize("axis", available_lexicons())
def test_each_own_sentence_belongs_to_an_exception(axis: str) -> None:
    """A phrase that is deleted takes its sentence along."""
    listed = {phrase.casefold() for phrase in load_lexicon(axis).exceptions}
    assert sorted(_own_sentences(axis).keys() - listed) == []
