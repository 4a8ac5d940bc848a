"""Reading texts: each mention and each word left alone names its rule."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fair_datasets import CounterfactualSwap, find_terms
from fair_datasets.reader.matching.annotate import NamesInRows, annotate_batch, phrases_in
from fair_datasets.reader.matching.find import find_table
from fair_datasets.reader.matching.language import language
from fair_datasets.reader.matching.mentions import CandidateTable, Reason
from fair_datasets.reader.matching.rows import annotate_text, mentions_in_rows
from fair_datasets.reader.matching.table import TermTable
from fair_datasets.reader.matching.token_batch import TokenBatch


@cache
def table(axis: str, names: bool | None = None, protect: tuple[str, ...] = ()) -> TermTable:
    """Return the table of an axis."""
    return find_table(axis, names=names, protect=protect)


def told(table: TermTable, *texts: str) -> list[tuple[str, str, str]]:
    """Return the words of one row with the attribute or the reason, and the rule."""
    words, found = TokenBatch(texts), []
    read = annotate_batch(words, np.zeros(len(texts), np.int64), table)
    for _, (tokens, mentions, left) in read.by_text():
        each = [(m.first, m.last, m.term.attribute, m.rule) for m in mentions]
        each += [(one.first, one.last, one.reason.name, one.rule) for one in left]
        found += [
            (" ".join(tokens.words[first : last + 1]), verdict, rule)
            for first, last, verdict, rule in sorted(each)
        ]
    return found


@pytest.mark.parametrize(("axis", "text", "found"), [
    ("gender", "see `he` there", ("he", Reason.PROTECTED_TEXT.name, "text.protected")),
    ("gender", "a user_he there", ("he", Reason.PART_OF_WORD.name, "text.part_of_word")),
    ("gender", 'I saw "Girl with a Pearl Earring"',
     ("Girl", Reason.TITLE.name, "text.quoted_title")),
    ("gender", "a Bachelor's degree",
     ("Bachelor s degree", Reason.PHRASE.name, "terms.exception")),
    ("gender", "the maid of honor", ("maid of honor", "woman", "terms.phrase")),
    ("gender", "Mary left", ("Mary", "woman", "names.unmarked")),
    ("gender", "Mary Street", ("Mary", Reason.NOT_A_NAME.name, "names.other_name")),
    ("gender", "Will left", ("Will", Reason.UNSURE_NAME.name, "names.unsure")),
    ("gender", "the woman", ("woman", "woman", "terms.person")),
    ("gender", "the uncle", ("uncle", "man", "terms.listed")),
    ("gender", "this is her book", ("her", "woman", "model.her")),
    ("gender", "she/her", ("she", "woman", "terms.pronoun")),
    ("gender", "they host it", ("host", Reason.VERB.name, "terms.verb")),
    ("gender", "the platelet count", ("count", Reason.THING.name, "terms.thing")),
    ("religion", "Umar Islam left", ("Islam", Reason.SURNAME.name, "terms.surname")),
    ("race", "a black man", ("black", "black", "people.before_noun")),
    ("race", "a black car", ("black", Reason.NOT_PEOPLE.name, "people.other")),
    ("age", "a 40-year-old woman", ("40 year old", "young", "ages.old_person")),
    ("age", "a 6.5 yo girl", ("girl", Reason.OTHER_AGE.name, "ages.other")),
])  # fmt: skip
def test_what_is_found_names_its_rule(axis: str, text: str, found: tuple[str, str, str]) -> None:
    """Whether it is read or left alone."""
    assert found == told(table(axis), text)[0]


def test_protected_names_are_left_alone_with_their_rule() -> None:
    """Wherever a word of them stands in the row."""
    left = Reason.PROTECTED_NAME.name
    assert told(table("gender", protect=("Mary Smith",)), "Mary Smith left.", "Mary sang.") == [
        ("Mary Smith", left, "names.protected"),
        ("Mary", left, "names.protected"),
    ]


def test_a_name_by_group_names_its_rule() -> None:
    """A surname by its tag, or as another one of its row; without a reader by its place."""
    texts = ("Ms. Nguyen met him in Lopez Hall.", "Nguyen Hall", "Ann Lee left.")
    read = told(table("race", names=True), *texts)
    assert [(word, rule) for word, _, rule in read if word in ("Nguyen", "Lopez", "Lee")] == [
        ("Nguyen", "surnames.tagged"), ("Lopez", "surnames.unsure"), ("Nguyen", "surnames.unsure"),
    ]  # fmt: skip
    assert [reason for word, reason, _ in read if word == "Nguyen"] == ["asian", "asian"]
    own = table("race", names=True)
    without = replace(own, language=own.language._replace(tags=None))
    assert [rule for word, _, rule in told(without, "Ms. Nguyen met him. Nguyen left.")] == [
        "surnames.where_one_stands", "surnames.unsure"
    ]  # fmt: skip


SENTENCES = (
    "Mary Smith told her host that he is white.", "Mark left.", "Mark Smith sang.", "",
    "A 40-year-old woman of 60, aged 7.", "It was black.", "the maid of honor's (s)he `he` @him",
    "Islam Karimov is an old friend of Islam.", "Łukasz and Zoë, both Asian, saw Ned Mark.",
    'He saw "Girl with a Pearl Earring".', "The king's sister company, Oh man!", "Her. His?",
    "a six-month-old girl", "He died aged 90-95.",
)  # fmt: skip


@settings(deadline=None)
@given(
    st.lists(st.lists(st.none() | st.sampled_from(SENTENCES) | st.text(), max_size=2), max_size=6),
    st.sampled_from(["gender", "race", "age", "religion"]),
)
def test_rows_are_read_alike_alone_and_among_others(
    rows: Sequence[Sequence[str | None]], axis: str
) -> None:
    """Whatever stands beside a row in its chunk."""
    together = dict(mentions_in_rows(rows, [table(axis)]))
    for number, row in enumerate(rows):
        alone = dict(mentions_in_rows([row], [table(axis)])).get(0)
        here = together.get(number)
        assert (here is None) == (alone is None)
        for one, other in zip(here or (), alone or (), strict=True):
            assert one is None if other is None else _told(one) == _told(other)


def _told(reading: object) -> tuple[object, object]:
    return reading.mentions, reading.skipped  # type: ignore[attr-defined]


def test_chunks_are_cut_between_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small chunks give the same rows."""
    rows = [[sentence, None, "She left."] for sentence in SENTENCES] * 3
    whole = [
        (n, [_told(r) for r in row if r]) for n, row in mentions_in_rows(rows, [table("gender")])
    ]
    monkeypatch.setattr("fair_datasets.reader.matching.rows.MAX_CHUNK_CHARS", 50)
    parts = [
        (n, [_told(r) for r in row if r]) for n, row in mentions_in_rows(rows, [table("gender")])
    ]
    assert parts == whole
    assert [number for number, _ in whole] == list(range(len(rows)))


TABLE = find_table("gender", protect=("Mary Smith",))


def found(*texts: str) -> list[str]:
    """Return the phrases in texts."""
    words = TokenBatch(texts)
    decisions = CandidateTable(words, TABLE.columns.places(words), TABLE.columns)
    return [
        words.joined[words.start[first] : words.end[last]]
        for first, last, _ in phrases_in(decisions, TABLE.phrases)
    ]


@pytest.mark.parametrize(("text", "phrases"), [
    ("the maid of honor", ["maid of honor"]),
    ("the Maid of Honor and the Boy Scouts", ["Maid of Honor", "Boy Scouts"]),
    ("the lady of the manor", ["lady of the manor"]),
    ("heard Sir Mix-A-Lot", ["Sir Mix-A-Lot"]), ("heard Sir Mix A Lot", []),
    ("heard Sir Mix-A Lot", []), ("the maid of", []), ("maid", []),
    ("the maid of\nhonor", ["maid of\nhonor"]), ("maid of honors", []),
    ("a user_maid of honor", []), ("see `maid of honor`", []),
    ("Mary Smith and mary smith", ["Mary Smith"]),
    ("a Bachelor’s degree", ["Bachelor’s degree"]),
])  # fmt: skip
def test_phrases_are_found_by_their_words_and_signs(text: str, phrases: list[str]) -> None:
    """As words of their own, in the case that they need."""
    assert found(text) == phrases


def test_no_phrase_goes_beyond_its_text() -> None:
    """The next text of the chunk is no part of it."""
    assert found("the maid of", "honor", "maid", "of honor") == []
    assert found("maid of honor", "", "maid of honor") == ["maid of honor"] * 2


def test_phrases_do_not_overlap() -> None:
    """A word belongs to one phrase."""
    assert found("maid of honor maid of honor of honor") == ["maid of honor"] * 2


GENDER = find_table("gender")
NONE, SURE, UNSURE, REJECTED = range(4)


def judged(*texts: str) -> tuple[CandidateTable, NamesInRows]:
    """Judge the names of texts."""
    words = TokenBatch(texts)
    decisions = CandidateTable(words, GENDER.columns.places(words), GENDER.columns)
    rules = language()._replace(tags=None)
    return decisions, NamesInRows(decisions, rules, GENDER.surname_rules, np.zeros(0, np.int64))


@pytest.mark.parametrize(("text", "verdicts"), [
    ("Mary left", [SURE]), ("Mark left", [UNSURE]), ("Mary Street", [REJECTED]),
    ("Emily Scott said", [SURE, REJECTED]), ("Emily Scott Zuckerberg said", [SURE, SURE]),
    ("Emily, Scott said", [SURE, SURE]), ("she met a man", [NONE, NONE]),
    ("she met Mary", [NONE, SURE]),
])  # fmt: skip
def test_names_are_judged_by_what_stands_before(text: str, verdicts: list[int]) -> None:
    """Behind a name that is none stands no second name."""
    assert judged(text)[1].verdicts.tolist() == verdicts


@pytest.mark.parametrize(
    ("rows", "left"),
    [([0, 0, 0], [False] * 3), ([0, 1, 1], [True, False, False]), ([0, 1, 2], [True, False, True])],
)
def test_a_sure_name_speaks_for_its_row(rows: list[int], left: list[bool]) -> None:
    """And for no other row."""
    decisions, names = judged("Mark left.", "Mark Zuckerberg left.", "Mark left.")
    names.skip_unsure(np.array(rows), {})
    assert [reason is Reason.UNSURE_NAME for reason in decisions.reasons] == left


def test_protected_names_are_those_of_the_row() -> None:
    """The same name in another row is read."""
    decisions, names = judged("Mary left.", "Mary left.")
    names.skip_unsure(np.array([0, 1]), {1: {"mary", "smith"}})
    assert decisions.reasons.tolist() == [None, Reason.PROTECTED_NAME]
    assert decisions.rules[1] == "names.protected"


def test_a_name_of_either_gender_goes_by_the_only_pronouns() -> None:
    """It is left alone where the pronouns of another text are of the other gender."""
    swap = CounterfactualSwap(columns=["a", "b"], mode="replace")
    written = swap({"a": ["Gail left."], "b": ["He cried. Gail slept."]})
    assert written == {"a": ["Gail left."], "b": ["She cried. Gail slept."]}


@pytest.mark.parametrize(("axis", "text"), [
    ("age", "It has adult swimmers pools."),
    ("nationality", "It is one of the best New Zealand made movies around."),
])  # fmt: skip
def test_what_a_reader_takes_for_no_people_describes_none(axis: str, text: str) -> None:
    """Whatever the rules say, on the axes on which it is asked as well."""
    (left,) = find_terms(text, axis=axis)
    assert (left.reason, left.rule) == (Reason.NOT_PEOPLE.value, "senses.tagged")
    table = find_table(axis)
    deaf = replace(table, language=table.language._replace(doubted=frozenset()))
    assert annotate_text(text, deaf).mentions[0].rule.startswith("people.")
