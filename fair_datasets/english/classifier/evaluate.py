"""Judges the classifier on sentences and texts that it was not trained on."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from fair_datasets.english.classifier.corpora import Sentence, Text
from fair_datasets.english.classifier.decide import Classifier
from fair_datasets.english.classifier.examples import Example, spelled_examples, treebank_examples
from fair_datasets.matching.conditions import Candidates
from fair_datasets.matching.tokens import Tokens
from fair_datasets.matching.words import Words

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
    answers: dict[tuple[str, str], Counter[tuple[bool, bool]]] = defaultdict(Counter)
    for question in QUESTIONS:
        for sentence in treebank:
            examples = [each for each in treebank_examples(question, sentence) if each.weight == 1]
            for index, answer, is_right in _judged(model, question, sentence.tokens, examples):
                answers[question, "treebank"][answer, is_right] += 1
                if question in ("her", "his") and sentence.tags.get(index + 1) in _NOUNS:
                    answers[question, "treebank, before a noun"][answer, is_right] += 1
                if question == "verb" and sentence.tokens.lower[index] in both:
                    answers[question, "treebank, noun or verb"][answer, is_right] += 1
        for text in texts:
            if text.is_held_out:
                spelled = spelled_examples(question, text.tokens, model)
                examples = [each for each in spelled if each.weight == 1]
                for _, answer, is_right in _judged(model, question, text.tokens, examples):
                    answers[question, text.corpus][answer, is_right] += 1
    return {
        group: Score(
            count[True, True] + count[True, False],
            count[True, True],
            count[False, True] + count[False, False],
            count[False, True],
        )
        for group, count in answers.items()
    }


def _judged(
    model: Classifier, question: str, tokens: Tokens, examples: Sequence[Example]
) -> Iterator[tuple[int, bool, bool]]:
    """Tell of the examples of a text where they are, the answer, and whether the model is right."""
    if examples:
        places = np.array([example.position for example in examples])
        told = model.decide(question, Candidates(Words([tokens.text]), places)) > 0
        for example, says_yes in zip(examples, told.tolist(), strict=True):
            yield example.position, example.answer, says_yes == example.answer


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
