"""Tests of the questions that a pipeline's annotations answer."""

from itertools import pairwise

import pytest
import spacy
from fair_datasets.matching.context import OWN
from fair_datasets.matching.pipeline_context import PipelineContext
from spacy.tokens import Doc

from fair_datasets import InputError
from fair_datasets.lexicons import Entry
from fair_datasets.matching.terms import Term
from fair_datasets.matching.tokens import tokenize

VOCABULARY = spacy.blank("en").vocab
QUESTIONS = (
    "her_is_determiner", "his_is_possessive", "is_verb", "is_person", "is_title", "is_surname",
)  # fmt: skip
NAME = Term("man", Entry({}), frozenset({"word"}), True, True)


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


def answer(question: str, sentence: str, word: str) -> object:
    """Ask a question about a word of a sentence."""
    doc = annotated(sentence)
    tokens = tokenize(doc.text)
    place = tokens.lower.index(word)
    context = PipelineContext(lambda text: doc)
    if question == "judge_name":
        return context.judge_name(tokens, place, NAME, place > 0).name
    if question == "how_used":
        return context.how_used(tokens, place, place)
    return getattr(context, question)(tokens, place)


CASES: dict[str, list[tuple[str, str, object]]] = {
    "her_is_determiner": [
        ("We|PRP|nsubj|1 saw|VBD|ROOT|1 her|PRP|nsubj|3 duck|VB|ccomp|1", "her", False),
        ("We|PRP|nsubj|1 saw|VBD|ROOT|1 her|PRP$|poss|3 duck|NN|dobj|1", "her", True),
        ("her|X|poss|1 duck|NN|ROOT|1", "her", True),
        ("saw|VBD|ROOT|0 her|X|dobj|0 often|RB|advmod|0", "her", False),
    ],
    "his_is_possessive": [
        ("his|PRP$|poss|1 is|VBZ|ROOT|1", "his", False),
        ("his|PRP$|nsubj|1 works|VBZ|ROOT|1", "his", True),
    ],
    "is_verb": [
        ("They|PRP|nsubj|1 man|VBP|ROOT|1 boats|NNS|dobj|1", "man", True),
        ("to|TO|prep|0 man|NN|pobj|0", "man", False),
    ],
    "is_person": [
        ("the|DT|det|2 Burger|NNP|compound|2|B-ORG King|NNP|ROOT|2|I-ORG", "king", False),
        ("King|NNP|compound|1 James|NNP|ROOT|1|B-PERSON", "king", True),
        ("the|DT|det|2 king|NN|compound|2 reed|NN|ROOT|2", "king", False),
        ("kings|VBZ|ROOT|0 it|PRP|dobj|0", "kings", False),
        ("the|DT|det|1 king|NN|nsubj|2 said|VBD|ROOT|2", "king", True),
    ],
    "is_title": [
        ("Miss|NNP|compound|1 Chen|NNP|ROOT|1|B-PERSON", "miss", True),
        ("Miss|NNP|compound|1 Chen|NNP|ROOT|1", "miss", True),
        ("I|PRP|nsubj|1 Miss|VBP|ROOT|1 Chocolate|NN|dobj|1", "miss", False),
        ("Miss|NNP|compound|1|B-EVENT World|NNP|ROOT|1|I-EVENT", "miss", False),
        ("miss|NN|compound|1 Chen|NNP|ROOT|1|B-PERSON", "miss", False),
    ],
    "is_surname": [
        ("Stephen|NNP|compound|1|B-PERSON King|NNP|ROOT|1|I-PERSON", "king", True),
        ("Dr.|NNP|compound|1 King|NNP|ROOT|1|B-PERSON", "king", True),
        ("Dr.|NNP|compound|1|B-ORG King|NNP|ROOT|1|I-ORG", "king", False),
        ("King|NNP|compound|1|B-PERSON James|NNP|ROOT|1|I-PERSON", "king", False),
    ],
    "judge_name": [
        ("Will|NNP|nsubj|1|B-PERSON sang|VBD|ROOT|1", "will", "ACCEPT"),
        ("Will|NNP|compound|1|B-PERSON Mark|NNP|ROOT|1|I-PERSON", "mark", "REJECT"),
        ("Mark|NNP|compound|1|B-GPE Lane|NNP|ROOT|1|I-GPE", "mark", "REJECT"),
        ("Mark|NNP|nsubj|1 sang|VBD|ROOT|1", "mark", "REJECT"),
        ("Mr.|NNP|compound|1 Mark|NNP|nsubj|2|B-PERSON sang|VBD|ROOT|2", "mark", "REJECT"),
        (
            "King|NNP|compound|1|B-PERSON Mark|NNP|nsubj|2|I-PERSON sang|VBD|ROOT|2",
            "mark",
            "ACCEPT",
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
    assert answer("how_used", sentence, word) == used


def test_a_word_is_found_in_the_tokens_of_a_pipeline() -> None:
    """The pipeline divides "mother-in-law" and "can't" in another way than we do."""
    text = "Anna's mother-in-law can't find her keys, and he's sad."
    doc = spacy.blank("en")(text)
    for token in doc:
        token.tag_ = "PRP$" if token.text == "her" else "XX"
    tokens = tokenize(text)
    context = PipelineContext(lambda text: doc)
    places = [index for index, word in enumerate(tokens.lower) if word == "her"]
    assert [context.her_is_determiner(tokens, index) for index in places] == [True]
    assert not any(context.is_verb(tokens, index) for index in range(len(tokens.words)))


def test_without_annotations_the_answers_are_ours() -> None:
    """A Doc that was only divided into tokens."""
    tokens = tokenize("Mr. King and Lady Will saw her host and his king, an old friend of his.")
    doc = spacy.blank("en")(tokens.text)
    context = PipelineContext(lambda text: doc)
    for place in range(len(tokens.words)):
        for question in QUESTIONS:
            ours = getattr(OWN, question)(tokens, place)
            assert getattr(context, question)(tokens, place) == ours
        assert context.judge_name(tokens, place, NAME, False) is OWN.judge_name(
            tokens, place, NAME, False
        )
        assert context.how_used(tokens, place, place) == OWN.how_used(tokens, place, place)


def test_a_tokenizer_that_shortens_the_text_is_refused() -> None:
    """Offsets in another text than ours would be answers about other words."""
    context = PipelineContext(lambda text: Doc(VOCABULARY, words=["her"], spaces=[False]))
    with pytest.raises(InputError, match="use a pipeline whose tokenizer keeps the text as it is"):
        context.is_verb(tokenize("her own book"), 2)
