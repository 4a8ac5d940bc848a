"""Tests of the questions that a pipeline's annotations answer."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
import spacy
from spacy.tokens import Doc

from fair_datasets import InputError
from fair_datasets.reader.matching.conditions import Rule, deciding
from fair_datasets.reader.matching.language import Language, Verdict, language
from fair_datasets.reader.matching.pipeline import ask_first
from fair_datasets.reader.matching.tokens import tokenize
from fair_datasets.reader.matching.words import Candidates, Words
from tests.reader.english.asking import FACTS, every_word

VOCABULARY = spacy.blank("en").vocab
HER, HIS = ("determiner", "object"), ("determiner", "possessive")


def tables(asked: Language) -> dict[str, Sequence[Rule[Any]]]:
    """Return the rules that answer each question."""
    return {
        "her": asked.cases[HER],
        "his": asked.cases[HIS],
        "verb": asked.verb,
        "person": asked.person,
        "title": asked.title,
        "surname": asked.surname,
        "name": asked.name,
        "used": asked.used,
    }


def annotated(sentence: str) -> Doc:
    """Return a sentence of words, each with its tag, label and head, and its entity if any."""
    lines = [word.split("|") for word in sentence.split()]
    words, tags, labels, heads = zip(*[line[:4] for line in lines], strict=True)
    return Doc(
        VOCABULARY,
        words=words,
        spaces=[
            word != "-" and after not in (".", "'s", "-") for word, after in pairwise((*words, "."))
        ],
        tags=tags,
        deps=labels,
        heads=list(map(int, heads)),
        ents=[line[4] if len(line) > 4 else "O" for line in lines],
    )


def rule_of(question: str, sentence: str, word: str) -> Rule[Any]:
    """Return the rule that decides of a word of a sentence."""
    doc = annotated(sentence)
    place = tokenize(doc.text).lower.index(word)
    told = {"word", "man", *(["follows a name"] if place else [])}
    facts = {name: np.array([name in told]) for name in FACTS}
    rules = tables(ask_first(language(), lambda text: doc))[question]
    found = Candidates(Words([doc.text]), np.array([place]), facts)
    return rules[int(deciding(rules, found)[0])]


def answer(question: str, sentence: str, word: str) -> object:
    """Ask a question about a word of a sentence."""
    return rule_of(question, sentence, word).verdict


CASES: dict[str, list[tuple[str, str, object]]] = {
    "her": [
        ("We|PRP|nsubj|1 saw|VBD|ROOT|1 her|PRP|nsubj|3 duck|VB|ccomp|1", "her", "object"),
        ("We|PRP|nsubj|1 saw|VBD|ROOT|1 her|PRP$|poss|3 duck|NN|dobj|1", "her", "determiner"),
        ("her|X|poss|1 duck|NN|ROOT|1", "her", "determiner"),
        ("saw|VBD|ROOT|0 her|X|dobj|0 often|RB|advmod|0", "her", "object"),
    ],
    "his": [
        ("his|PRP$|poss|1 is|VBZ|ROOT|1", "his", "determiner"),
        ("his|PRP$|nsubj|1 works|VBZ|ROOT|1", "his", "possessive"),
    ],
    "verb": [
        ("They|PRP|nsubj|1 man|VBP|ROOT|1 boats|NNS|dobj|1", "man", True),
        ("to|TO|prep|0 man|NN|pobj|0", "man", False),
    ],
    "person": [
        ("the|DT|det|2 Burger|NNP|compound|2|B-ORG King|NNP|ROOT|2|I-ORG", "king", False),
        ("King|NNP|compound|1 James|NNP|ROOT|1|B-PERSON", "king", True),
        ("the|DT|det|2 king|NN|compound|2 reed|NN|ROOT|2", "king", False),
        ("kings|VBZ|ROOT|0 it|PRP|dobj|0", "kings", False),
        ("the|DT|det|1 king|NN|nsubj|2 said|VBD|ROOT|2", "king", True),
    ],
    "title": [
        ("Miss|NNP|compound|1 Chen|NNP|ROOT|1|B-PERSON", "miss", True),
        ("Miss|NNP|compound|1 Chen|NNP|ROOT|1", "miss", True),
        ("I|PRP|nsubj|1 Miss|VBP|ROOT|1 Chocolate|NN|dobj|1", "miss", False),
        ("Miss|NNP|compound|1|B-EVENT World|NNP|ROOT|1|I-EVENT", "miss", False),
        ("miss|NN|compound|1 Chen|NNP|ROOT|1|B-PERSON", "miss", False),
    ],
    "surname": [
        ("Stephen|NNP|compound|1|B-PERSON King|NNP|ROOT|1|I-PERSON", "king", True),
        ("Dr.|NNP|compound|1 King|NNP|ROOT|1|B-PERSON", "king", True),
        ("Dr.|NNP|compound|1|B-ORG King|NNP|ROOT|1|I-ORG", "king", False),
        ("King|NNP|compound|1|B-PERSON James|NNP|ROOT|1|I-PERSON", "king", False),
    ],
    "name": [
        ("Will|NNP|nsubj|1|B-PERSON sang|VBD|ROOT|1", "will", Verdict.SURE),
        ("Will|NNP|compound|1|B-PERSON Mark|NNP|ROOT|1|I-PERSON", "mark", Verdict.REJECT),
        ("Mark|NNP|compound|1|B-GPE Lane|NNP|ROOT|1|I-GPE", "mark", Verdict.REJECT),
        ("Mark|NNP|nsubj|1 sang|VBD|ROOT|1", "mark", Verdict.REJECT),
        ("Mr.|NNP|compound|1 Mark|NNP|nsubj|2|B-PERSON sang|VBD|ROOT|2", "mark", Verdict.REJECT),
        (
            "King|NNP|compound|1|B-PERSON Mark|NNP|nsubj|2|I-PERSON sang|VBD|ROOT|2",
            "mark",
            Verdict.ACCEPT,
        ),
    ],
}


@pytest.mark.parametrize(
    ("question", "sentence", "word", "expected"),
    [(question, *case) for question, cases in CASES.items() for case in cases],
)
def test_each_question_is_answered_by_the_annotations(
    question: str, sentence: str, word: str, expected: object
) -> None:
    """By the tags, the entities and the parse."""
    assert answer(question, sentence, word) == expected


@pytest.mark.parametrize(
    ("sentence", "word", "used"),
    [
        ("Asian|JJ|amod|1|B-NORP drivers|NNS|nsubj|2 sang|VBD|ROOT|2", "asian", "adjective"),
        ("Asian|JJ|amod|2|B-NORP American|JJ|amod|2|I-NORP men|NNS|ROOT|2", "asian", "adjective"),
        ("Asian|JJ|amod|1|B-LANGUAGE drivers|NNS|nsubj|2 sang|VBD|ROOT|2", "asian", "adjective"),
        ("Asian|JJ|amod|1|B-NORP food|NN|nsubj|2 sells|VBZ|ROOT|2", "asian", ""),
        ("black|JJ|amod|3 and|CC|cc|0 white|JJ|conj|0 men|NNS|ROOT|3", "white", "adjective"),
        ("She|PRP|nsubj|1 is|VBZ|ROOT|1 Asian|NNP|attr|1|B-NORP", "asian", "adjective"),
        ("An|DT|det|1 Asian|NN|nsubj|2|B-NORP sang|VBD|ROOT|2", "asian", "singular"),
        ("Asians|NNS|nsubj|1|B-NORP sang|VBD|ROOT|1", "asians", "plural"),
        ("the|DT|det|2 White|NNP|compound|2|B-FAC House|NNP|ROOT|2|I-FAC", "white", ""),
        ("Jack|NNP|compound|1|B-PERSON Black|NNP|ROOT|1|I-PERSON", "black", ""),
        ("White|NNP|nsubj|1|B-PERSON sang|VBD|ROOT|1", "white", ""),
        ("an|DT|det|2 old|JJ|amod|2 friend|NN|ROOT|2", "old", ""),
        ("for|IN|ROOT|0 the|DT|det|2 elderly|JJ|pobj|0", "elderly", "plural"),
        ("non|JJ|amod|3 -|HYPH|punct|3 white|JJ|amod|3 voters|NNS|ROOT|3", "white", ""),
    ],
)
def test_how_a_word_describes_people_is_told_by_the_parse(
    sentence: str, word: str, used: str
) -> None:
    """Adjectives of persons, nouns and parts of names are told apart."""
    assert answer("used", sentence, word) == used


def test_the_pipeline_is_told_as_the_rule() -> None:
    """Where it has an answer; where it has none, a rule of ours decides."""
    sentence = "They|PRP|nsubj|1 man|VBP|ROOT|1 boats|NNS|dobj|1"
    assert rule_of("verb", sentence, "man").name == "pipeline"
    assert rule_of("person", "the|DT|det|1 king|NN|nsubj|2 said|VBD|ROOT|2", "king").name == (
        "senses.tagged"
    )


def test_a_word_is_found_in_the_tokens_of_a_pipeline() -> None:
    """The pipeline divides "mother-in-law" and "can't" in another way than we do."""
    text = "Anna's mother-in-law can't find her keys, and he's sad."
    doc = spacy.blank("en")(text)
    for token in doc:
        token.tag_ = "PRP$" if token.text == "her" else "XX"
    asked, found = ask_first(language(), lambda text: doc), every_word(text)
    place = tokenize(text).lower.index("her")
    her = asked.cases[HER]
    assert her[deciding(her, found)[place]] == her[0]
    assert not any(asked.verb[number].verdict for number in deciding(asked.verb, found))


def test_without_annotations_the_answers_are_ours() -> None:
    """A Doc that was only divided into tokens."""
    text = "Mr. King and Lady Will saw her host and his king, an old friend of his."
    doc = spacy.blank("en")(text)
    for facts in ((), ("word", "man", "follows a name")):
        found = every_word(text, facts=facts)
        ours, theirs = tables(language()), tables(ask_first(language(), lambda text: doc))
        for question, rules in ours.items():
            asked = theirs[question]
            told = [asked[number] for number in deciding(asked, found)]
            assert [rule.verdict for rule in told] == [
                rules[number].verdict for number in deciding(rules, found)
            ]


def test_each_text_is_annotated_once_and_only_where_it_is_asked() -> None:
    """All questions about the texts of a chunk share their annotations."""
    parsed = []

    def parse(text: str) -> Doc:
        parsed.append(text)
        return spacy.blank("en")(text)

    asked = ask_first(language(), parse)
    words = Words(["They host it.", "Nothing is asked here.", "She hosts us and I host you."])
    places = np.flatnonzero([words.lower(place).startswith("host") for place in range(len(words))])
    found = Candidates(words, places)
    deciding(asked.verb, found)
    deciding(asked.person, found)
    assert parsed == [words.texts[0], words.texts[2]]


def test_a_tokenizer_that_shortens_the_text_is_refused() -> None:
    """Offsets in another text than ours would be answers about other words."""
    asked = ask_first(language(), lambda text: Doc(VOCABULARY, words=["her"], spaces=[False]))
    with pytest.raises(InputError, match="use a pipeline whose tokenizer keeps the text as it is"):
        deciding(asked.verb, every_word("her own book"))
