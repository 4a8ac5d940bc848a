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
from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fair_datasets.reader.english.classifier.decide import MAPPINGS, WEIGHTS, Classifier, Weights
from fair_datasets.reader.english.classifier.evaluate import (
    Example,
    as_table,
    batches,
    evaluate,
    nouns_and_verbs,
    spelled_examples,
    treebank_examples,
)
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
from fair_datasets.reader.matching.tokens import Tokens
from fair_datasets.reader.matching.vocabulary import Hashes
from fair_datasets.reader.matching.words import Mask
from fair_datasets.system.checks import InputError

# Of the optimiser: how many steps, how many of them it remembers, when a step gains too little,
# and which sizes of a step are tried.
STEPS, MEMORY, TOLERANCE = 200, 8, 1e-7
SIZES = [0.5**halvings for halvings in range(20)]

Vector = NDArray[np.float64]


def fit(rows: Any, signs: Vector, counts: Vector, penalty: float) -> Vector:
    """Fit the weights of features by L-BFGS.

    Sums are NumPy's, as those of a BLAS depend on how many threads it has.

    Args:
        rows: The features of the examples, a sparse matrix of SciPy with a row for each.
        signs: The answers: 1 for yes, -1 for no.
        counts: How much each example counts.
        penalty: What half the sum of the squared weights is multiplied by.

    Returns:
        The weight of each feature.

    Example:
        >>> from scipy.sparse import csr_matrix
        >>> rows = csr_matrix([[1.0, 0.0], [0.0, 1.0]])
        >>> fit(rows, np.array([1.0, -1.0]), np.ones(2), 1.0).round(2).tolist()
        [0.4, -0.4]
    """
    from scipy.special import expit

    columns = rows.T.tocsr()

    def loss(weights: Vector) -> tuple[float, Vector]:
        margins = signs * (rows @ weights)
        gradient = columns @ (-signs * counts * expit(-margins)) + penalty * weights
        return _dot(counts, np.logaddexp(0, -margins)) + penalty / 2 * _dot(
            weights, weights
        ), gradient

    weights = np.zeros(rows.shape[1])
    value, gradient = loss(weights)
    history: deque[tuple[Vector, Vector]] = deque(maxlen=MEMORY)
    for _ in range(STEPS):
        direction = _direction(gradient, history)
        slope = _dot(direction, gradient)
        for size in SIZES:
            next_value, next_gradient = loss(weights + size * direction)
            if next_value <= value + 1e-4 * size * slope:
                break
        else:
            break
        history.append((size * direction, next_gradient - gradient))
        weights, gradient = weights + size * direction, next_gradient
        if value - next_value <= TOLERANCE * value:
            break
        value = next_value
    return weights


def _direction(gradient: Vector, history: Sequence[tuple[Vector, Vector]]) -> Vector:
    """Return where to go from the last steps and what they changed in the gradient."""
    direction = -gradient
    if not history:
        return direction / max(1.0, float(np.abs(gradient).sum()))
    shares = []
    for step, change in reversed(history):
        shares.append(_dot(step, direction) / _dot(step, change))
        direction = direction - shares[-1] * change
    step, change = history[-1]
    direction = direction * (_dot(step, change) / _dot(change, change))
    for (step, change), share in zip(history, reversed(shares), strict=True):
        direction = direction + (share - _dot(change, direction) / _dot(step, change)) * step
    return direction


def _dot(left: Vector, right: Vector) -> float:
    """Return the scalar product."""
    return float((left * right).sum())


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
        kept = np.flatnonzero(rows.getnnz(axis=0) >= LEAST_COUNT)
        weights = fit(rows[:, kept], signs, counts, penalty)
        kept = np.sort(kept[np.argsort(-np.abs(weights), kind="stable")[:features]])
        weights = fit(rows[:, kept], signs, counts, penalty)
        scale = float(np.abs(weights).max(initial=0)) / 127 or 1.0
        whole = np.rint(weights / scale).astype(np.int8)
        of_weights = np.flatnonzero(whole)
        of_weights = of_weights[np.argsort(keys[kept][of_weights])]
        return Weights(keys[kept][of_weights], whole[of_weights], scale)


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
        found = _training_examples(question, model, texts, treebank)
        for batch in batches(question, found, model):
            keys = model.features.keys(question, batch.found)
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
