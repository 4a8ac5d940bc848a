"""Judges the classifier on sentences and texts that it was not trained on, and reads them."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fair_datasets.reader.english.classifier.decide import Classifier
from fair_datasets.reader.english.classifier.grammar import Sentence, Text
from fair_datasets.reader.matching.tokens import Tokens
from fair_datasets.reader.matching.vocabulary import vocabulary
from fair_datasets.reader.matching.words import Candidates, Mask, Words

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
# How many characters are read at once.
_BATCH = 1 << 20
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


class Batch(NamedTuple):
    """Examples of many texts.

    Attributes:
        found: The words.
        answers: Whether each answer is yes. Shape (C,).
        weights: How much each counts. Shape (C,).
    """

    found: Candidates
    answers: Mask
    weights: NDArray[np.float64]


def spelled_examples(question: str, tokens: Tokens, model: Classifier) -> Iterator[Example]:
    """Find the words of a text whose spelling answers a question.

    Args:
        question: One of the questions; a text's spelling says nothing about "verb".

    Yields:
        The examples; of "her" also each "his", of which `batches` leaves out some.
    """
    lower = tokens.lower
    for index, word in enumerate(lower):
        if question == "her":
            if word in _OBJECTS and tokens.words[index] != "US":
                yield Example(index, False, _OBJECTS[word])
            elif word in _DETERMINERS:
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


def batches(
    question: str, examples: Iterable[tuple[Tokens, Example]], model: Classifier
) -> Iterator[Batch]:
    """Put examples of many texts together.

    Args:
        examples: The examples with their texts, those of a text one after the other.
        model: If it has weights for "his", a "his" that it holds for no determiner is no example
            of "her".

    Yields:
        Examples, in the same order.
    """
    texts: list[str] = []
    rows: list[tuple[int, Example]] = []
    size, last = 0, None
    for tokens, example in examples:
        if tokens is not last:
            if size > _BATCH:
                yield _batch(question, texts, rows, model)
                texts, rows, size = [], [], 0
            texts.append(tokens.text)
            size, last = size + len(tokens.text), tokens
        rows.append((len(texts) - 1, example))
    if rows:
        yield _batch(question, texts, rows, model)


def _batch(
    question: str, texts: Sequence[str], rows: Sequence[tuple[int, Example]], model: Classifier
) -> Batch:
    """Read texts, and leave out each "his" that may not stand for "her"."""
    words = Words(texts)
    found = Candidates(
        words, np.array([words.first[text] + example.position for text, example in rows])
    )
    answers = np.array([example.answer for _, example in rows])
    weights = np.array([example.weight for _, example in rows])
    if question != "her" or "his" not in model.weights:
        return Batch(found, answers, weights)
    of_his = np.flatnonzero(words.number[found.places] == vocabulary().number("his"))
    is_kept = np.ones(len(rows), np.bool_)
    is_kept[of_his] = model.decide("his", found.part(of_his)) <= 0
    kept = np.flatnonzero(is_kept)
    return Batch(found.part(kept), answers[kept], weights[kept])


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


QUESTIONS = ("her", "his", "has", "verb")
_NOUNS = ("NN", "NNS", "NNP", "NNPS")


class Score(NamedTuple):
    """How often the model was right.

    Attributes:
        yes: How many answers are yes.
        right_yes: How many of those the model gave.
        no: How many answers are no.
        right_no: How many of those the model gave.
    """

    yes: int
    right_yes: int
    no: int
    right_no: int

    @property
    def accuracy(self) -> float:
        """The share of right answers, from 0 to 1; 1 where there was no question."""
        count = self.yes + self.no
        return (self.right_yes + self.right_no) / count if count else 1.0


def evaluate(
    model: Classifier, texts: Iterable[Text], treebank: Iterable[Sentence], both: frozenset[str]
) -> dict[tuple[str, str], Score]:
    """Judge a model.

    Args:
        texts: The texts, of which those that are held out are looked at. Their him and his
            stand for her, their my and mine for his, their "he has" and "he is" for "he's".
        treebank: Sentences with gold tags that the model was not trained on.
        both: The words that are nouns as well as verbs, see `nouns_and_verbs`.

    Returns:
        The score of each question and group of examples.
    """
    scores = {}
    for question in QUESTIONS:
        groups = _examples(question, model, texts, treebank, both)
        for group, examples in groups.items():
            scores[question, group] = _score(question, model, examples)
    return scores


def _examples(
    question: str,
    model: Classifier,
    texts: Iterable[Text],
    treebank: Iterable[Sentence],
    both: frozenset[str],
) -> dict[str, list[tuple[Tokens, Example]]]:
    """Find the examples that are judged, in groups."""
    groups: dict[str, list[tuple[Tokens, Example]]] = defaultdict(list)
    for sentence in treebank:
        for example in treebank_examples(question, sentence):
            if example.weight < 1:
                continue
            told = sentence.tokens, example
            groups["treebank"].append(told)
            if question in ("her", "his") and sentence.tags.get(example.position + 1) in _NOUNS:
                groups["treebank, before a noun"].append(told)
            if question == "verb" and sentence.tokens.lower[example.position] in both:
                groups["treebank, noun or verb"].append(told)
    for text in texts:
        if text.is_held_out:
            for example in spelled_examples(question, text.tokens, model):
                if example.weight == 1:
                    groups[text.corpus].append((text.tokens, example))
    return groups


def _score(question: str, model: Classifier, examples: Iterable[tuple[Tokens, Example]]) -> Score:
    """Count how often the model was right."""
    score = np.zeros(4, np.int64)
    for found, answers, _ in batches(question, examples, model):
        is_right = (model.decide(question, found) > 0) == answers
        held = (answers, answers & is_right, ~answers, ~answers & is_right)
        score += [np.count_nonzero(each) for each in held]
    return Score(*score.tolist())


def nouns_and_verbs(treebank: Iterable[Sentence]) -> frozenset[str]:
    """Find the words that a treebank tags as a noun here and as a verb there."""
    answers: dict[str, set[bool]] = defaultdict(set)
    for sentence in treebank:
        for index, answer, _ in treebank_examples("verb", sentence):
            answers[sentence.tokens.lower[index]].add(answer)
    return frozenset(word for word, seen in answers.items() if len(seen) > 1)


def as_table(scores: Mapping[tuple[str, str], Score]) -> str:
    """Write scores as a Markdown table.

    Args:
        scores: The score of each question and group.

    Example:
        >>> print(as_table({("her", "novels"): Score(3, 3, 2, 1)}), end="")
        | question | words of | words | right | yes | right | no | right |
        |---|---|--:|--:|--:|--:|--:|--:|
        | her | novels | 5 | 80.0 % | 3 | 100.0 % | 2 | 50.0 % |
    """
    lines = [
        "| question | words of | words | right | yes | right | no | right |",
        "|---|---|--:|--:|--:|--:|--:|--:|",
    ]
    for (question, group), score in scores.items():
        yes = _percent(score.right_yes, score.yes)
        no = _percent(score.right_no, score.no)
        lines.append(
            f"| {question} | {group} | {score.yes + score.no} | {100 * score.accuracy:.1f} % "
            f"| {score.yes} | {yes} | {score.no} | {no} |"
        )
    return "".join(f"{line}\n" for line in lines)


def _percent(part: int, whole: int) -> str:
    """Write a share."""
    return f"{100 * part / whole:.1f} %" if whole else "-"
