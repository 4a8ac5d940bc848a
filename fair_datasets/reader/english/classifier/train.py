"""Trains the model that `classifier` ships, and judges it.

A log-linear model (logistic regression) with a penalty on the squared weights is fitted to all
features, cut down to the features with the largest weights and fitted again. The same data give
the same file.

    python -m fair_datasets.reader.english.classifier.train --data DIR --out FILE
    python -m fair_datasets.reader.english.classifier.train --data DIR --evaluate
"""

import argparse
import hashlib
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from fair_datasets.reader.english.classifier.decide import MAPPINGS, WEIGHTS, Classifier, Weights
from fair_datasets.reader.english.classifier.grammar import (
    Sentence,
    Text,
    interjections,
    made_contexts,
    read_texts,
    read_treebank,
    verb_classes,
    word_kinds,
)
from fair_datasets.reader.matching.token_batch import Candidates, Mask, TokenBatch
from fair_datasets.reader.matching.tokenizer import Tokens
from fair_datasets.reader.matching.vocabulary import Hashes, vocabulary
from fair_datasets.system.checks import InputError

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
        candidates: The words.
        answers: Whether each answer is yes. Shape (C,).
        weights: How much each counts. Shape (C,).
    """

    candidates: Candidates
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
    words = TokenBatch(texts)
    candidates = Candidates(
        words, np.array([words.first[text] + example.position for text, example in rows])
    )
    answers = np.array([example.answer for _, example in rows])
    weights = np.array([example.weight for _, example in rows])
    if question != "her" or "his" not in model.weights:
        return Batch(candidates, answers, weights)
    of_his = np.flatnonzero(words.number[candidates.places] == vocabulary().number("his"))
    is_selected = np.ones(len(rows), np.bool_)
    is_selected[of_his] = model.decide("his", candidates.part(of_his)) <= 0
    selected = np.flatnonzero(is_selected)
    return Batch(candidates.part(selected), answers[selected], weights[selected])


def _partners(tokens: Tokens, index: int) -> list[str]:
    """Return the "him" or "his" that "her" is joined to by "or", which has its case."""
    lower = tokens.lower
    before = lower[max(0, index - 2) : index][::-1]
    pairs = (before, lower[index + 1 : index + 3])
    return [pair[1] for pair in pairs if pair in (["or", "him"], ["or", "his"])]


def _may_contract(tokens: Tokens, index: int) -> bool:
    """Whether "has" or "is" stands behind a word to which it may be joined as 's."""
    if index == 0 or tokens.gaps[index] != " ":
        return False
    is_name = tokens.words[index - 1].istitle() and not tokens.opens_sentence(index - 1)
    return is_name or tokens.lower[index - 1] in _BEFORE_S


def _is_full_form(sentence: Sentence, index: int) -> bool:
    """Whether a word is "is", or the auxiliary "has", where 's might stand as well."""
    word = sentence.tokens.lower[index]
    is_form = word == "is" or (word == "has" and sentence.relations.get(index) == "aux")
    return is_form and _may_contract(sentence.tokens, index)


def _is_before_participle(tokens: Tokens, index: int, model: Classifier) -> bool:
    """Whether "has" is an auxiliary: only that is shortened to 's."""
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
            pair = sentence.tokens, example
            groups["treebank"].append(pair)
            if question in ("her", "his") and sentence.tags.get(example.position + 1) in _NOUNS:
                groups["treebank, before a noun"].append(pair)
            if question == "verb" and sentence.tokens.lower[example.position] in both:
                groups["treebank, noun or verb"].append(pair)
    for text in texts:
        if text.is_held_out:
            for example in spelled_examples(question, text.tokens, model):
                if example.weight == 1:
                    groups[text.corpus].append((text.tokens, example))
    return groups


def _score(question: str, model: Classifier, examples: Iterable[tuple[Tokens, Example]]) -> Score:
    """Count how often the model was right."""
    score = np.zeros(4, np.int64)
    for candidates, answers, _ in batches(question, examples, model):
        is_right = (model.decide(question, candidates) > 0) == answers
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


# Of the optimiser: how many steps, how many of them it remembers, when a step gains too little.
_OPTIONS = {"maxiter": 200, "maxcor": 8, "ftol": 1e-7}

Vector = NDArray[np.float64]


def fit(
    rows: Any, signs: Vector, counts: Vector, penalty: float, offsets: Vector | float = 0.0
) -> Vector:
    """Fit the weights of features by L-BFGS.

    Args:
        rows: The features of the examples, a sparse matrix of SciPy with a row for each.
        signs: The answers: 1 for yes, -1 for no.
        counts: How much each example counts.
        penalty: What half the sum of the squared weights is multiplied by.
        offsets: The log odds of each example to which the weights add.

    Returns:
        The weight of each feature.

    Example:
        >>> from scipy.sparse import csr_matrix
        >>> rows = csr_matrix([[1.0, 0.0], [0.0, 1.0]])
        >>> fit(rows, np.array([1.0, -1.0]), np.ones(2), 1.0).round(2).tolist()
        [0.4, -0.4]
    """
    from scipy.optimize import minimize
    from scipy.special import expit

    columns = rows.T.tocsr()

    def loss(weights: Vector) -> tuple[float, Vector]:
        margins = signs * (rows @ weights + offsets)
        gradient = columns @ (-signs * counts * expit(-margins)) + penalty * weights
        lost = counts * np.logaddexp(0, -margins)
        return float(lost.sum() + penalty / 2 * (weights * weights).sum()), gradient

    begun = np.zeros(rows.shape[1])
    # The last bits of a sum depend on how many threads it has.
    with threadpool_limits(1):
        solution: Vector = minimize(loss, begun, jac=True, method="L-BFGS-B", options=_OPTIONS).x
    return solution


# How many features each question keeps. "his" is first: it says which "his" teaches "her".
FEATURES = {"his": 10_000, "her": 60_000, "has": 8_000, "verb": 25_000}

# How much an example counts. Chosen, as the penalty was, on a fifth of the training sentences,
# six books and a fifth of the other texts.
CORPUS_WEIGHTS = {
    "novels": 1.0,
    "bold": 2.0,
    "imdb": 2.0,
    "snli": 2.0,
    "stsb": 2.0,
    "comments": 3.0,
}
TREEBANK_SPELLED, TREEBANK_TAGGED = 3.0, 10.0
# How much a made context counts, and how many each template makes.
MADE, MADE_COUNT = 0.5, 200
PENALTY = {"his": 2.0, "her": 0.7, "has": 0.7, "verb": 10.0}
LEAST_COUNT = 2

# What the tags of the Penn Treebank are merged into; words of other tags are their own class.
_CLASSES = {
    **dict.fromkeys(("NN", "FW"), "N"),
    **dict.fromkeys(("NNP", "NNPS"), "P"),
    **dict.fromkeys(("VB", "VBP"), "V"),
    **dict.fromkeys(("JJ", "JJS"), "J"),
    **dict.fromkeys(("RB", "RBR", "RBS"), "R"),
    "NNS": "NS",
    "VBZ": "VS",
    "VBD": "D",
    "VBN": "E",
    "VBG": "G",
    "JJR": "JR",
    "CD": "C",
    "UH": "U",
}
_LONGEST_ENDING, _LEAST_WORDS, _SECOND_SHARE = 4, 8, 0.2


class Examples:
    """Examples of one question: the keys of their features."""

    def __init__(self) -> None:
        """Start without examples."""
        self._keys: list[Hashes] = []
        self._answers: list[Mask] = []
        self._weights: list[Vector] = []

    def __len__(self) -> int:
        """Return how many examples there are."""
        return sum(map(len, self._answers))

    def add(self, keys: Hashes, answers: Mask, weights: Vector) -> None:
        """Add examples.

        Args:
            keys: The keys of what stands around the words. Shape (F, C).
            answers: Whether the answers are yes. Shape (C,).
            weights: How much each counts. Shape (C,).
        """
        self._keys.append(keys.T)
        self._answers.append(answers)
        self._weights.append(weights)

    def train(self, features: int, penalty: float) -> Weights:
        """Fit the weights.

        Args:
            penalty: What half the sum of the squared weights is multiplied by.

        Returns:
            The weights, whole numbers from -127 to 127.
        """
        from scipy.sparse import csr_matrix

        keys, columns = _numbered(np.concatenate(self._keys).ravel())
        ends = np.arange(len(self) + 1) * self._keys[0].shape[1]
        ones = np.ones(len(columns), dtype=np.float32)
        rows = csr_matrix((ones, columns, ends), shape=(len(self), len(keys)))
        signs = np.where(np.concatenate(self._answers), 1.0, -1.0)
        counts = np.concatenate(self._weights)
        selected = np.flatnonzero(rows.getnnz(axis=0) >= LEAST_COUNT)
        weights = fit(rows[:, selected], signs, counts, penalty)
        selected = np.sort(selected[np.argsort(-np.abs(weights), kind="stable")[:features]])
        weights = fit(rows[:, selected], signs, counts, penalty)
        return in_whole_numbers(keys[selected], weights)


def in_whole_numbers(keys: Hashes, weights: Vector) -> Weights:
    """Write weights as whole numbers from -127 to 127, without those that are none."""
    scale = float(np.abs(weights).max(initial=0)) / 127 or 1.0
    whole = np.rint(weights / scale).astype(np.int8)
    of_weights = np.flatnonzero(whole)
    of_weights = of_weights[np.argsort(keys[of_weights])]
    return Weights(keys[of_weights], whole[of_weights], scale)


def _numbered(keys: Hashes) -> tuple[Hashes, NDArray[np.int64]]:
    """Number keys in the order in which they are first seen.

    Of features that weigh the same the one seen first is kept, not the one of the lower key.
    """
    known, first, numbers = np.unique(keys, return_index=True, return_inverse=True)
    order = np.argsort(first)
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    return known[order], place[numbers]


def word_classes(treebank: Iterable[Sentence]) -> dict[str, str]:
    """Count which class the words of a treebank have, and which most words with an ending have.

    Returns:
        The class of each word that its ending does not tell, and of each ending (`-ness`). A
        word that has another class often is of both (`NV`).
    """
    tags: dict[str, Counter[str]] = defaultdict(Counter)
    for sentence in treebank:
        for index, tag in sentence.tags.items():
            word = sentence.tokens.lower[index]
            tags[word][_CLASSES.get(tag, word)] += 1
    words: dict[str, str] = {}
    endings: dict[str, Counter[str]] = defaultdict(Counter)
    for word in sorted(tags):
        first, *others = sorted(tags[word], key=lambda name: (-tags[word][name], name))
        least = _SECOND_SHARE * tags[word].total()
        second = [name for name in others[:1] if tags[word][name] >= least and name != word]
        class_ = word if first == word else "".join(sorted([first, *second]))
        if tags[word].total() > 1 + (class_ == word):
            words[word] = class_
        if class_ not in ("P", word):
            for length in range(1, min(_LONGEST_ENDING, len(word) - 1) + 1):
                endings["-" + word[-length:]][class_] += 1
    classes = {
        ending: min(counts, key=lambda name: (-counts[name], name))
        for ending, counts in sorted(endings.items())
        if counts.total() >= _LEAST_WORDS
    }
    # What has no vowel, such as "smh", is seldom a word of a sentence.
    classes |= {"-": "U"} | {word: "U" for word in interjections() if word not in tags}
    guess = Classifier(dict(classes), {}, {}).class_of
    return classes | {word: name for word, name in words.items() if guess(word) != name}


def train(texts: Sequence[Text], treebank: Sequence[Sentence]) -> Classifier:
    """Train a model.

    Args:
        texts: The texts; those that are held out are not looked at.

    Returns:
        The model.

    Raises:
        InputError: There is no example of a question.
    """
    weights: dict[str, Weights] = {}
    # The model knows each question as soon as its weights are there.
    model = Classifier(word_classes(treebank), weights, verb_classes(), word_kinds())
    for question, features in FEATURES.items():
        examples = Examples()
        samples = _training_examples(question, model, texts, treebank)
        for batch in batches(question, samples, model):
            keys = model.features.keys(question, batch.candidates)
            examples.add(keys, batch.answers, batch.weights)
        if not len(examples):
            raise InputError(f'The data have no example of the question "{question}".')
        weights[question] = examples.train(features, PENALTY[question])
    return model


def _training_examples(
    question: str, model: Classifier, texts: Iterable[Text], treebank: Iterable[Sentence]
) -> Iterator[tuple[Tokens, Example]]:
    """Find the examples of a question, with their weights."""
    for sentence in treebank:
        for example in treebank_examples(question, sentence):
            yield sentence.tokens, _counting(example, TREEBANK_TAGGED)
        if question in ("her", "his"):
            for example in spelled_examples(question, sentence.tokens, model):
                yield sentence.tokens, _counting(example, TREEBANK_SPELLED)
    for tokens, position, answer in made_contexts(question, treebank, MADE_COUNT):
        yield tokens, Example(position, answer, MADE)
    for text in texts:
        if not text.is_held_out:
            for example in spelled_examples(question, text.tokens, model):
                yield text.tokens, _counting(example, CORPUS_WEIGHTS[text.corpus])


def _counting(example: Example, times: float) -> Example:
    """Return an example that counts so many times as much."""
    return example._replace(weight=example.weight * times)


def save(model: Classifier, path: Path) -> None:
    """Write a model; equal models are equal files."""
    arrays: dict[str, Any] = {}
    mappings = (model.classes, model.verbs, model.kinds)
    for name, mapping in zip(MAPPINGS, mappings, strict=True):
        arrays[f"{name}.words"], arrays[name] = _bytes(mapping), _bytes(mapping.values())
    for question, weights in model.weights.items():
        arrays[f"{question}.keys"] = weights.keys
        arrays[f"{question}.weights"] = weights.weights
        arrays[f"{question}.scale"] = np.array(weights.scale)
    with path.open("wb") as file:
        np.savez_compressed(file, **arrays)


def _bytes(lines: Iterable[str]) -> NDArray[np.uint8]:
    """Return lines as bytes, which a NumPy file stores in the fewest."""
    return np.frombuffer("\n".join(lines).encode("utf-8"), dtype=np.uint8)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the script.

    Args:
        arguments: The command line's, without the program.
    """
    parser = argparse.ArgumentParser(description="Train the classifier of words by context.")
    parser.add_argument("--data", type=Path, required=True, help="the folder of the shared data")
    task = parser.add_mutually_exclusive_group(required=True)
    task.add_argument("--out", type=Path, help="the file to write")
    task.add_argument("--evaluate", action="store_true", help="print how often the model is right")
    options = parser.parse_args(arguments)
    texts = [*read_texts(options.data)]
    treebank = [*read_treebank(options.data / "tagged/ud_ewt_train.conllu.gz")]
    if options.evaluate:
        unseen = [*read_treebank(options.data / "tagged/ud_ewt_dev.conllu.gz")]
        model = Classifier.load(WEIGHTS)
        sys.stdout.write(as_table(evaluate(model, texts, unseen, nouns_and_verbs(treebank))))
        return
    try:
        save(train(texts, treebank), options.out)
    except InputError as error:
        parser.error(str(error))
    digest = hashlib.sha256(options.out.read_bytes()).hexdigest()
    sys.stdout.write(f"{options.out}: {options.out.stat().st_size} bytes, SHA-256 {digest}\n")


if __name__ == "__main__":
    main()
