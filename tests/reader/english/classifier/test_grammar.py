"""Contexts that a small grammar makes: its classes of words and its templates."""

import gzip
from pathlib import Path

import pytest

from fair_datasets.reader.english.classifier import grammar


@pytest.mark.parametrize("question", ["her", "his"])
def test_each_context_is_about_the_pronoun(question: str) -> None:
    """The position is that of the pronoun, both answers occur, and no blank is left."""
    contexts = [*grammar.made_contexts(question, [], 3)]
    for tokens, position, _ in contexts:
        assert tokens.lower[position] == question
        assert not {"{", "}", "[", "]"} & {*tokens.text}
    assert {answer for _, _, answer in contexts} == {True, False}
    assert len({tokens.text for tokens, _, _ in contexts}) > 0.9 * len(contexts)


def test_the_same_contexts_are_made_again() -> None:
    """More of them begin with the same ones for each template."""
    first, second = (
        [(tokens.text, *rest) for tokens, *rest in grammar.made_contexts("her", [], 2)]
        for _ in range(2)
    )
    assert first == second
    few, more = (
        {tokens.text for tokens, *_ in grammar.made_contexts("his", [], count)} for count in (1, 3)
    )
    assert few < more


def test_there_are_templates_about_pronouns_alone() -> None:
    """Nothing is made for the other questions."""
    assert [*grammar.made_contexts("has", [], 3)] == []


def test_nouns_of_the_treebank_fill_blanks(tmp_path: Path) -> None:
    """A noun that no list has stands in the contexts."""
    path = tmp_path / "sentences.conllu.gz"
    rows = ["# text = a zither", "1\ta\ta\t_\tDT\t_\t0\tdet\t_\t_"]
    rows.append("2\tzither\tzither\t_\tNN\t_\t0\troot\t_\t_")
    path.write_bytes(gzip.compress("\n".join(rows).encode()))
    contexts = grammar.made_contexts("his", [*grammar.read_treebank(path)], 1)
    assert any("zither" in tokens.lower for tokens, _, _ in contexts)


def test_forms_of_a_verb_share_its_classes() -> None:
    """All forms of a verb are listed, and a verb may be in several classes."""
    verbs = grammar.verb_classes()
    assert verbs["give"] == verbs["gives"] == verbs["gave"] == verbs["given"] == verbs["giving"]
    assert {*verbs["made"]} >= {"n", "s", "c"}


def test_a_word_may_be_of_several_kinds() -> None:
    """Lunch is given and belongs to someone; interjections are a kind as well."""
    kinds = grammar.word_kinds()
    assert {*kinds["lunch"]} == {"t", "b"}
    assert all("U" in kinds[word] for word in grammar.interjections())
