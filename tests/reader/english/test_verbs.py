"""Tests of the verb table."""

import csv
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fair_datasets.reader.english import verbs
from fair_datasets.reader.english.verbs import behind_adverbs, ends_before, is_verb, verb_from
from fair_datasets.reader.matching.tokenizer import tokenize
from fair_datasets.system.checks import InputError

TABLE = Path(verbs.__file__).with_name("verbs.tsv")


@pytest.mark.parametrize(("third_person", "plural"), [
    *[("is", "are"), ("was", "were"), ("has", "have"), ("does", "do"), ("doesnt", "dont")],
    *[("isn", "aren"), ("wasn", "weren"), ("hasn", "haven"), ("doesn", "don")],
    *[("likes", "like"), ("tries", "try"), ("lies", "lie"), ("goes", "go"), ("uses", "use")],
    *[("kisses", "kiss"), ("focuses", "focus"), ("watches", "watch"), ("aches", "ache")],
    *[("fulfills", "fulfill"), ("fulfils", "fulfil"), ("realizes", "realize")],
    *[("liked", ""), ("like", ""), ("can", ""), ("", ""), ("always", "")],
])  # fmt: skip
def test_the_plural_of_a_third_person(third_person: str, plural: str) -> None:
    """Auxiliaries and verbs have their plural; what is no third person has none."""
    assert verbs.plural_form(third_person) == plural


@pytest.mark.parametrize(("third_person", "plural"), [
    *[("retweets", "retweet"), ("yeets", "yeet"), ("snaphopries", "snaphopry")],
    *[("frobnishes", "frobnish"), ("defoxes", "defox"), ("regoogles", "regoogle")],
    *[("unboss", ""), ("us", ""), ("bus", ""), ("this", ""), ("ran", ""), ("2s", "")],
])  # fmt: skip
def test_a_verb_that_the_table_lacks_is_formed_by_rule(third_person: str, plural: str) -> None:
    """New verbs end regularly; words in -ss, -us and -is are no third person."""
    assert verbs.guessed_plural_form(third_person) == plural


@given(st.text(max_size=12))
def test_any_word_may_be_asked_for(word: str) -> None:
    """No spelling raises, and the guess never contradicts the table."""
    known = verbs.plural_form(word)
    assert verbs.guessed_plural_form(word) == known or not known
    assert isinstance(verbs.is_past_participle(word), bool)


def test_past_participles() -> None:
    """Also where they are spelt like another form; adjectives, pasts and nothing are none."""
    words = ("been", "taken", "gone", "got", "gotten", "liked", "put", "left")
    assert all(map(verbs.is_past_participle, words))
    assert not any(map(verbs.is_past_participle, ("ready", "went", "taking", "a", "")))


def test_the_table_tells_verbs_that_are_also_nouns() -> None:
    """Dances may be a noun; sings is a verb alone."""
    assert verbs.verbs()["dances"].is_plural_noun
    assert not verbs.verbs()["begins"].is_plural_noun


def test_the_table_is_small_sorted_and_regular() -> None:
    """Less than 250 KB, each third person once and in order, all cells in lower case."""
    assert TABLE.stat().st_size < 250_000
    with TABLE.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    names = [row["third_person"] for row in rows]
    assert names == sorted(set(names))
    assert len(names) > 5000
    assert all(row["third_person"].endswith("s") and row["base"].isalpha() for row in rows)
    assert {row["plural_noun"] for row in rows} == {"", "noun"}


def test_an_altered_table_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The digest in the description has to fit."""
    (tmp_path / "verbs.tsv").write_text("third_person\tbase\n", encoding="utf-8")
    (tmp_path / "verbs.toml").write_bytes(TABLE.with_suffix(".toml").read_bytes())
    monkeypatch.setattr(verbs, "_TABLE", tmp_path / "verbs.tsv")
    for cached in (verbs.verbs, verbs._description):
        cached.cache_clear()
    try:
        with pytest.raises(InputError, match=r"does not have the SHA-256"):
            verbs.verbs()
    finally:
        for cached in (verbs.verbs, verbs._description):
            cached.cache_clear()


def test_adverbs_are_passed_within_the_sentence() -> None:
    """The first word that is no adverb, or none where the sentence ends."""
    assert behind_adverbs(tokenize("very often of course sings"), 0) == 4
    assert behind_adverbs(tokenize("She family-tests"), 1) == 2
    assert behind_adverbs(tokenize("very often. She"), 0) is None
    assert behind_adverbs(tokenize("very"), 5) is None


@pytest.mark.parametrize(("text", "verb"), [
    ("sings", 0),
    ("really, truly sings", 2),
    ("(my boss) is", 2),
    ("-- a doctor -- was", 2),
    (", however, is", 1),
    ("and sings", None),
    ("yesterday. Sings", None),
    ("(my boss", None),
    ("", None),
])  # fmt: skip
def test_the_verb_stands_behind_adverbs_and_insertions(text: str, verb: int | None) -> None:
    """The first word that may be the verb, or none before the sentence ends."""
    assert verb_from(tokenize(text), 0) == verb


@pytest.mark.parametrize(("gap", "ends"), [
    *[(" ", False), (", ", False), (" ... ", False), ("… ", False), ("\n", False)],
    *[(". ", True), ("?! ", True), ("; ", True), ("\n\n", True), ("\r\n \r\n", True)],
])  # fmt: skip
def test_where_a_sentence_ends(gap: str, ends: bool) -> None:
    """At marks that end it and between paragraphs, but not at an ellipsis or a broken line."""
    assert ends_before(tokenize(f"she{gap}is"), 1) is ends


def test_a_line_before_a_capital_is_another_sentence() -> None:
    """Titles, verses and lists need no full stop."""
    assert ends_before(tokenize("she\nIs"), 1)


@pytest.mark.parametrize("text", ["is she", "isn't he", "does it", "begins-with"])
def test_what_is_no_verb_of_the_subject_before_it(text: str) -> None:
    """An auxiliary before its own subject, and a part of a compound."""
    assert not is_verb(tokenize(text), 0)
