"""Splitting texts into words and gaps."""

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fair_datasets.reader.matching import tokenizer as module


@given(st.text())
def test_words_start_where_they_say(text: str) -> None:
    """Each word stands in the text from its start to its end."""
    tokens = module.tokenize(text)
    for index, word in enumerate(tokens.words):
        assert text[tokens.starts[index] : tokens.end(index)] == word


@given(st.text())
def test_lower_case_words_line_up(text: str) -> None:
    """There is one lower-case word for each word, of the same length."""
    tokens = module.tokenize(text)
    for lower, word in zip(tokens.lower, tokens.words, strict=True):
        assert len(lower) == len(word)
        assert lower == word.lower() or len(word.lower()) != len(word)


@given(st.text() | st.text(alphabet=st.characters(max_codepoint=0x370)))
def test_every_text_is_split_the_same(text: str) -> None:
    """The fast way for Latin letters finds what the general expression does; marks are letters."""
    assert module.tokenize(text).gaps == re.split(r"(?:[^\W_]|[\u0300-\u036f])+", text)
    assert module.tokenize(text).words == re.findall(r"(?:[^\W_]|[\u0300-\u036f])+", text)


@given(st.text() | st.text(alphabet=st.characters(max_codepoint=300)))
def test_one_word_or_gap_is_that_of_all(text: str) -> None:
    """A word or a gap that is asked for by itself is the one in the list."""
    tokens = module.tokenize(text)
    assert [tokens.gap(index) for index in range(len(tokens.lower) + 1)] == tokens.gaps
    assert [tokens.word(index) for index in range(len(tokens.lower))] == tokens.words
    assert [tokens.is_capitalised(index) for index in range(len(tokens.lower))] == [
        word[0].isupper() for word in tokens.words
    ]


@given(st.characters())
def test_letters_beyond_latin_are_seen(letter: str) -> None:
    """A text is taken for Latin only if all its letters and digits are of Latin-1."""
    if module.is_latin(letter):
        assert letter <= "\u00ff" or not letter.isalnum()


# Texts with more signs in them than letters.
SIGNS = st.text(alphabet="@#`<>=\"'/\\.~:_- \nhe1A", max_size=80)


def _found(text: str) -> list[str]:
    return [text[start:end] for start, end in module.protected_spans(text)]


PROTECTED = [
    # Addresses, mentions and tags, and no lone signs.
    ("see https://her.example/he now", ["https://her.example/he"]),
    ("www.his.example", ["www.his.example"]), ("mail her@example.com.", ["her@example.com."]),
    ("ask @him or #her", ["@him", "#her"]), ("a @ b, 5 # 6", []), ("no address", []),
    # Code, and no backticks as quotes and apostrophes.
    ("set `he = 1` now", ["`he = 1`"]), ("``he ` she`` too", ["``he ` she``"]),
    ("`` ` ``", ["`` ` ``"]), ("one ` is no code", []), ("I don`t know, she can`t", []),
    ("`he' and `she'", []), ("``he'' and ``she''", []),
    ("``in his words`` and ``her = 1``", ["``her = 1``"]), ("`` he said so ``", []),
    ("` he said so `", []), ("`he\n\nshe`", []),
    ("a\n```py\nhe = 1\n```\nshe", ["```py\nhe = 1\n```"]),
    ("~~~\nhe\n```\n~~~\nshe", ["~~~\nhe\n```\n~~~"]), ("she\n```\nhe", ["```\nhe"]),
    ("`he` and ```` she", ["`he`"]),
    # Tags with their attributes.
    ("a <man> tag", ["<man>"]), ('<p class="mother">She</p>', ['<p class="mother">', "</p>"]),
    ("<a title='he > she' href=her>x", ["<a title='he > she' href=her>"]),
    ("<br/>he<br />", ["<br/>", "<br />"]), ("5 < 6 men > 4", []), ("<3 him", []),
    ("a <b and her> c", []), ("<he", []), ("<-- her", []),
    # Paths and dotted names.
    ("user.he is set", ["user.he"]),
    ("open man.txt, HER.TXT or him.txt.", ["man.txt", "HER.TXT", "him.txt"]),
    ("in r/women, /r/men and u/queen_bee", ["r/women", "/r/men", "u/queen_bee"]),
    ("in /home/man/ or ~/man", ["/home/man/", "~/man"]), ("src/man", ["src/man"]),
    ("at C:\\man", ["C:\\man"]), ("at C:/Users/man", ["C:/Users/man"]),
    ("on t.co/she and bit.ly/him.", ["t.co/she", "bit.ly/him"]),
    ("see example.com?she=1&he=2 now", ["example.com?she=1&he=2"]),
    ("the old-man.tar.gz file", ["old-man.tar.gz"]), ("he/she, his/her and/or man/woman", []),
    ("a mother/daughter talk, w/ him, b/c he", []), ("He left.She stayed.", []),
    ("told him.he left", []), ("told him.he/she left", []),
    ("is it man.com? She left", ["man.com"]), ("wait...he left", []),
    ("e.g.her car, p.m.he left", []), ("1.he 10.she", []), ("she /her/hers", []),
    ("s/he, (s)he, n/a", []), ("He said\\n she", []),
]  # fmt: skip


def test_protected_text_is_found() -> None:
    """No apostrophe, comparison, paired words or missing space is any."""
    assert [(text, _found(text)) for text, _ in PROTECTED] == PROTECTED


@given(st.text() | SIGNS)
def test_spans_are_in_order(text: str) -> None:
    """The spans lie in the text, and one ends before the next begins."""
    spans = module.protected_spans(text)
    assert all(0 <= start < end <= len(text) for start, end in spans)
    assert all(one[1] < other[0] for one, other in pairwise(spans))


@given(st.text() | SIGNS)
def test_the_cheap_test_misses_nothing(text: str) -> None:
    """Where the cheap test says no, nothing is found."""
    assert module.may_be_protected(text) or not module.protected_spans(text)


@given(st.text() | SIGNS, st.data())
def test_any_character_can_be_asked_for_in_any_order(text: str, data: st.DataObject) -> None:
    """The answers about words are those of the spans of the whole text."""
    protected, spans = module.ProtectedText(text), module.protected_spans(text)
    words = [offset for offset, letter in enumerate(text) if letter.isalnum()]
    for offset in data.draw(st.permutations(words)):
        assert protected.covers(offset) == any(start <= offset < end for start, end in spans)


def test_plain_prose_need_not_be_searched() -> None:
    """Sentences with their periods pass the cheap test."""
    assert not module.may_be_protected("He left. She stayed, he's gone.")


@pytest.mark.parametrize(
    "row",
    ["@bob he saw. ", "https://x.example/he?a=b he ", "a@", "#a", "www.", "://", "@", "<", "<a ",
     "<a='", "`", "` ", "`` ` ", "a", "a-", "/", "a/", ".", "a.", "aa.", "\\", "```\n", "-", "_."],
)  # fmt: skip
def test_long_texts_are_searched_to_the_end(row: str) -> None:
    """On 20,000 repetitions the spans are in order and do not overlap."""
    spans = module.protected_spans(f"{row * 20_000} .x <x `y` @z")
    assert all(start < end for start, end in spans)
    assert all(one[1] < other[0] for one, other in pairwise(spans))
