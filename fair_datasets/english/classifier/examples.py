"""Words whose reading is known, for training the classifier and for judging it.

Most texts label themselves: what follows "him" or "his" would follow "her" just so, and me, my and
mine, us, our and ours, them, their and theirs spell the cases apart as well; "he has been" and "he
is here" show what stands around "he's". A treebank says the rest.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from fair_datasets.english.classifier.corpora import Sentence
from fair_datasets.english.classifier.decide import Classifier
from fair_datasets.matching.conditions import Candidates
from fair_datasets.matching.tokens import Tokens
from fair_datasets.matching.words import Words

# How much each spelling counts as an example of "her": contexts of the other persons differ a bit.
_OBJECTS = {"him": 1.0, "me": 0.5, "us": 0.5, "them": 0.5}
_DETERMINERS = {"his": 1.0, "my": 0.5, "our": 0.5, "their": 0.5}
_YOU_OR_IT = 0.4
_OF_HIS = {
    **dict.fromkeys(("my", "our", "their", "your"), False),
    **dict.fromkeys(("mine", "ours", "theirs", "yours", "hers"), True),
}
_BEFORE_MINE = frozenset({"a", "the", "this", "gold", "coal", "land", "colliery"})
_BEFORE_S = frozenset({"he", "she", "it", "who", "that", "what", "there", "here", "where", "how"})
_FULL_FORM = 0.5
_NOUNS_AND_VERBS = frozenset({"NN", "NNS", "VB", "VBP", "VBZ"})


class Example(NamedTuple):
    """A word and the answer to the question about it.

    Attributes:
        position: Which word.
        answer: Whether it is yes.
        weight: How much the example counts; 1 where it is of the very word that is asked about.
    """

    position: int
    answer: bool
    weight: float


def spelled_examples(question: str, tokens: Tokens, model: Classifier) -> Iterator[Example]:
    """Find the words of a text whose spelling answers a question.

    Args:
        question: One of the questions; a text's spelling says nothing about "verb".
        tokens: The text.
        model: Its classes tell participles; its weights, if it has any for "his", which "his" is
            no determiner.

    Yields:
        The examples.
    """
    lower = tokens.lower
    for index, word in enumerate(lower):
        if question == "her":
            if word in _OBJECTS and tokens.words[index] != "US":
                yield Example(index, False, _OBJECTS[word])
            elif word in _DETERMINERS and not _stands_alone(tokens, index, model):
                yield Example(index, True, _DETERMINERS[word])
            elif word == "her":
                for partner in _partners(tokens, index):
                    yield Example(index, partner == "his", 1.0)
        elif question == "his" and word in _OF_HIS:
            is_noun = word == "mine" and index > 0 and lower[index - 1] in _BEFORE_MINE
            is_greeting = word == "yours" and tokens.opens_sentence(index)
            if not (is_noun or is_greeting):
                yield Example(index, _OF_HIS[word], 1.0)
        elif question == "has" and word in ("has", "is") and _may_contract(tokens, index):
            is_auxiliary = word == "is" or _is_before_participle(tokens, index, model)
            if is_auxiliary:
                yield Example(index, word == "has", 1.0)


def treebank_examples(question: str, sentence: Sentence) -> Iterator[Example]:
    """Find the words of a sentence whose tags answer a question.

    Args:
        question: One of the questions.
        sentence: The sentence.

    Yields:
        The examples.
    """
    lower = sentence.tokens.lower
    for index, lemma in sentence.lemmas.items():
        word = lower[index]
        tag, relation = sentence.tags.get(index), sentence.relations.get(index)
        if question == "her" and word == "her" and tag in ("PRP", "PRP$"):
            yield Example(index, tag == "PRP$", 1.0)
        elif question == "her" and word in ("your", "its"):
            yield Example(index, True, _YOU_OR_IT)
        elif question == "her" and word in ("you", "it") and relation in ("obj", "iobj", "obl"):
            yield Example(index, False, _YOU_OR_IT)
        elif question == "his" and word == "his" and tag in ("PRP", "PRP$"):
            yield Example(index, tag == "PRP", 1.0)
        elif question == "has" and word == "s" and lemma in ("be", "have"):
            yield Example(index, lemma == "have", 1.0)
        elif question == "has" and _is_full_form(sentence, index):
            yield Example(index, word == "has", _FULL_FORM)
        elif question == "verb" and tag in _NOUNS_AND_VERBS and relation not in ("aux", "cop"):
            yield Example(index, tag[0] == "V", 1.0)


def _stands_alone(tokens: Tokens, index: int, model: Classifier) -> bool:
    """Tell whether "his" is no determiner, as far as the model knows already."""
    return tokens.lower[index] == "his" and (
        "his" in model.weights
        and model.decide("his", Candidates(Words([tokens.text]), np.array([index])))[0] > 0
    )


def _partners(tokens: Tokens, index: int) -> list[str]:
    """Return the "him" or "his" that "her" is joined to by "or", which has its case."""
    lower = tokens.lower
    before = lower[max(0, index - 2) : index][::-1]
    pairs = (before, lower[index + 1 : index + 3])
    return [pair[1] for pair in pairs if pair in (["or", "him"], ["or", "his"])]


def _may_contract(tokens: Tokens, index: int) -> bool:
    """Tell whether "has" or "is" stands behind a word to which it may be joined as 's."""
    if index == 0 or tokens.gaps[index] != " ":
        return False
    is_name = tokens.words[index - 1].istitle() and not tokens.opens_sentence(index - 1)
    return is_name or tokens.lower[index - 1] in _BEFORE_S


def _is_full_form(sentence: Sentence, index: int) -> bool:
    """Tell whether a word is "is", or the auxiliary "has", where 's might stand as well."""
    word = sentence.tokens.lower[index]
    is_form = word == "is" or (word == "has" and sentence.relations.get(index) == "aux")
    return is_form and _may_contract(sentence.tokens, index)


def _is_before_participle(tokens: Tokens, index: int, model: Classifier) -> bool:
    """Tell whether "has" is an auxiliary: only that is shortened to 's."""
    for word in tokens.lower[index + 1 : index + 3]:
        class_ = model.class_of(word)
        if word in ("been", "got", "had") or "E" in class_ or word.endswith("ed"):
            return True
        if "R" not in class_:
            return False
    return False
