"""Judges the classifier on sentences and texts that it was not trained on."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np

from fair_datasets.english.classifier.corpora import Sentence, Text
from fair_datasets.english.classifier.decide import Classifier
from fair_datasets.english.classifier.examples import (
    Example,
    batches,
    spelled_examples,
    treebank_examples,
)
from fair_datasets.matching.tokens import Tokens

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
        model: The model.
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
    """Find the words that a treebank tags as a noun here and as a verb there.

    Args:
        treebank: The sentences.

    Returns:
        The words, in lower case.
    """
    answers: dict[str, set[bool]] = defaultdict(set)
    for sentence in treebank:
        for index, answer, _ in treebank_examples("verb", sentence):
            answers[sentence.tokens.lower[index]].add(answer)
    return frozenset(word for word, seen in answers.items() if len(seen) > 1)


def as_table(scores: Mapping[tuple[str, str], Score]) -> str:
    """Write scores as a Markdown table.

    Args:
        scores: The score of each question and group.

    Returns:
        The table.

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
