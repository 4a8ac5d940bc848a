"""Tests of the words of texts, beside NLTK's."""

import csv
from io import StringIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fair_datasets.models.word_vectors import word_spans, words_of
from fair_datasets.scores.bilstm.schedule import SPECIAL, tokenizer_of

SPLITTER = tokenizer_of(SPECIAL, is_lower=False, markers=False).backend_tokenizer


@pytest.mark.parametrize(("text", "words"), [("", ""), ("?! -- … - ='", ""),
    ("Zoë's café_no 5", "Zoë 's café_no 5"),
    ("don’t 'quote' rock'n'roll, mothers'.", "do n’t quote rock'n'roll mothers"),
    ("I WON'T; she'd've (can't)", "I WO N'T she'd 've ca n't"),
    ("He cannot. We're gonna, I wanna", "He can not We 're gon na I wan na"),
    ("mother-in-law\r\nПривет 🙂", "mother-in-law Привет"),
    ("It rained. He left the U.S. at 4:30 p.m.", "It rained He left the U.S. at 4:30 p.m."),
    ('"$1,000"--50%:yes...no #tag and/or', "1,000 50 yes no tag and/or"),
    ("'Tis Mr. Don's [dog].", "Tis Mr Don 's dog")])  # fmt: skip
def test_words(text: str, words: str) -> None:
    """Contractions are cut, and signs at the edges left out."""
    assert words_of([text]) == [words.split()]


# Python alone takes these four signs of control for spaces.
@given(
    st.text(st.characters(codec="utf-8", exclude_characters="\x1c\x1d\x1e\x1f"))
    | st.text(" '’.,-:dontsNT1")
)
def test_spans_and_an_encoders_tokens_are_the_words(text: str) -> None:
    """In characters of the text; of a fast tokenizer, which has the same pattern."""
    (words,) = words_of([text])
    assert [text[start:end] for start, end in word_spans(text)] == words
    straight = SPLITTER.normalizer.normalize_str(text)
    tokens = [token for token, _ in SPLITTER.pre_tokenizer.pre_tokenize_str(straight)]
    tokens = [token.removeprefix("▁") for token in tokens if any(map(str.isalnum, token))]
    assert tokens == [word.replace("’", "'") for word in words]


@pytest.mark.slow
def test_the_words_are_those_of_nltk(data_directory: Path) -> None:
    """In real sentences, but that it leaves a dot at every word that is not the last one."""
    from nltk.tokenize import NLTKWordTokenizer

    tokenizer = NLTKWordTokenizer()
    rows: list[list[str]] = []
    for name in ("snli_subset_dev.tsv", "stsb_en_dev.csv", "stsb_en_test.csv"):
        text = (data_directory / "sentence_pairs" / name).read_text("utf-8")
        is_table = name.endswith(".tsv")
        rows += csv.reader(StringIO(text), delimiter="\t" if is_table else ",",
            quoting=csv.QUOTE_NONE if is_table else csv.QUOTE_MINIMAL)  # fmt: skip
    lines = [text.replace("’", "'") for row in rows for text in row[:2]]
    # NLTK takes two apostrophes for a quotation mark, also in "It''s".
    lines = [line for line in lines if "''" not in line]
    assert len(lines) > 4000
    for line, words in zip(lines, words_of(lines), strict=True):
        tokens = [each for each in tokenizer.tokenize(line) if any(map(str.isalnum, each))]
        assert [word.rstrip(".") for word in words] == [token.rstrip(".") for token in tokens]
