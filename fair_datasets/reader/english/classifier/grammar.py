"""What the classifier is trained and judged on: corpora, and contexts that a small grammar makes.

Texts have few sentences such as "they elected her president" or "miss her tho". Templates filled
from classes of words supply them; the classes also serve as features, see `classifier`.
"""

import csv
import gzip
import json
import re
import tomllib
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import IO, Any, NamedTuple

from fair_datasets.reader.matching.tokenizer import Tokens, tokenize


@dataclass(frozen=True, slots=True)
class Text:
    """A text of a corpus.

    Attributes:
        corpus: The corpus.
        tokens: The text.
        is_held_out: Whether it is kept for the evaluation.
    """

    corpus: str
    tokens: Tokens
    is_held_out: bool


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a treebank, as far as its words are divided as ours are.

    Attributes:
        tokens: The sentence.
        tags: The Penn Treebank tag of each such word.
        relations: The dependency relation of each.
        lemmas: The lemma of each, and that of the s of "he's".
    """

    tokens: Tokens
    tags: dict[int, str]
    relations: dict[int, str]
    lemmas: dict[int, str]


# Of each file the corpus, the columns with texts, by what the texts are held out, and which share.
_CORPORA: tuple[tuple[str, str, tuple[str, ...], str, float], ...] = (
    ("novels", "text/novels.jsonl.gz", ("text",), "book", 0.1),
    ("bold", "classification/bold_wikipedia_gender_race.csv.gz", ("text",), "person", 0.2),
    ("comments", "classification/wikipedia_toxicity_nonfuzzed.csv.gz", ("comment",), "", 0.0),
    ("imdb", "classification/imdb_counterfactual_train.tsv.gz", ("Text",), "", 0.0),
    ("imdb", "classification/imdb_counterfactual_dev.tsv.gz", ("Text",), "", 1.0),
    ("imdb", "classification/imdb_counterfactual_test.tsv.gz", ("Text",), "", 1.0),
    ("bug_gold", "classification/bug_gold.csv", ("text",), "", 1.0),
    ("snli", "sentence_pairs/snli_subset_train.tsv", ("sentence1", "sentence2"), "", 0.0),
)


def read_texts(data: Path) -> Iterator[Text]:
    """Read the texts, each once, in the order of the files.

    Whole books, persons and parts are held out, so that no held-out text is like a trained one.

    Args:
        data: The folder of the shared data; a corpus that is not there is left out.

    Yields:
        The texts.
    """
    seen: set[str] = set()
    for corpus, text, is_held_out in _rows(data):
        if text not in seen:
            seen.add(text)
            yield Text(corpus, tokenize(text), is_held_out)


def read_treebank(path: Path) -> Iterator[Sentence]:
    """Read the sentences of a treebank.

    Args:
        path: A file in the CoNLL-U format, gzipped or not; none is read if it is not there.

    Yields:
        The sentences.
    """
    if not path.exists():
        return
    with _open(path) as file:
        blocks = file.read().split("\n\n")
    mark = "# text = "
    for block in blocks:
        lines = block.split("\n")
        text = next((line.removeprefix(mark) for line in lines if line.startswith(mark)), None)
        if text is not None:
            yield _sentence(text, [line.split("\t") for line in lines if line[:1].isdigit()])


def _sentence(text: str, rows: Iterable[list[str]]) -> Sentence:
    """Find the treebank's words among ours, by their places in the text."""
    sentence = Sentence(tokenize(text), {}, {}, {})
    indices = {start: index for index, start in enumerate(sentence.tokens.starts)}
    cursor = 0
    for number, form, lemma, _, tag, _, _, relation, *_ in rows:
        start = text.find(form, cursor)
        if not number.isdigit() or start < 0:  # A range of words, or an empty node.
            continue
        cursor = start + len(form)
        if form.lower() in ("'s", "’s") and start + 1 in indices:
            sentence.lemmas[indices[start + 1]] = lemma
        elif start in indices and sentence.tokens.words[indices[start]] == form:
            index = indices[start]
            sentence.tags[index] = tag
            sentence.relations[index] = relation
            sentence.lemmas[index] = lemma
    return sentence


def _rows(data: Path) -> Iterator[tuple[str, str, bool]]:
    """Read corpus, text and whether it is held out."""
    for corpus, name, columns, key, part in _CORPORA:
        for entry in entries(data / name):
            is_held_out = (_share(entry[key]) if key else 0.0) < part
            yield from ((corpus, entry[column], is_held_out) for column in columns)
    for cells in csv.reader(_lines(data / "sentence_pairs/stsb_en_train.csv")):
        yield from (("stsb", text, False) for text in cells[:2])


def entries(path: Path) -> Iterator[dict[str, Any]]:
    """Read the entries of a file: a table with a header, or JSON lines.

    Args:
        path: A file that ends with `.csv`, `.tsv` or `.jsonl`, perhaps gzipped; none is read if it
            is not there.

    Yields:
        The entries, by column.
    """
    if ".jsonl" in path.suffixes:
        yield from map(json.loads, _lines(path))
    else:
        yield from csv.DictReader(_lines(path), delimiter="\t" if ".tsv" in path.suffixes else ",")


def _lines(path: Path) -> Iterator[str]:
    """Read the lines of a file, none if it is not there."""
    if path.exists():
        with _open(path) as file:
            yield from file


def _open(path: Path) -> IO[str]:
    """Open a text, gzipped or not."""
    opener: Callable[..., IO[str]] = gzip.open if path.suffix == ".gz" else open
    return opener(path, "rt", encoding="utf-8", newline="")


def _share(key: str) -> float:
    """Return a number from 0 to 1 that depends on a key alone."""
    return zlib.crc32(key.encode("utf-8")) / 2**32


GRAMMAR = Path(__file__).with_name("grammar.toml")

# The question that the templates of a group are about, and the answer to it.
_GROUPS = {
    "object": ("her", False),
    "determiner": ("her", True),
    "alone": ("his", True),
    "before_noun": ("his", False),
}
# How the features write the classes; a word of several has their letters side by side.
_VERB_LETTERS = {
    "giving": "g",
    "benefiting": "f",
    "naming": "n",
    "stating": "s",
    "causing": "c",
    "noting": "w",
    "meeting": "m",
    "owning": "o",
}
_WORD_LETTERS = {
    "things": "t",
    "roles": "r",
    "relatives": "k",
    "belongings": "b",
    "acts": "a",
    "states": "s",
    "chat": "U",
}
# Which of a verb's forms stand at which place.
_FORMS = {"base": 0, "third": 1, "past": 2, "ing": -1}
_TAGS = {"noun": "NN", "plural": "NNS", "adjective": "JJ"}
_BLANK = re.compile(r"\{([\w.]+)\}")


class Context(NamedTuple):
    """A made context.

    Attributes:
        tokens: The text.
        position: Which word the question is about.
        answer: Whether the answer is yes.
    """

    tokens: Tokens
    position: int
    answer: bool


def verb_classes() -> dict[str, str]:
    """Return the classes of the forms of verbs, by what stands behind them.

    Returns:
        The letters of each form's classes.

    Example:
        >>> verb_classes()["elected"]
        'n'
    """
    lists = {name: " ".join(verbs).split() for name, verbs in _grammar()["verbs"].items()}
    return _letters(lists, _VERB_LETTERS)


def word_kinds() -> dict[str, str]:
    """Return the classes of words that stand behind pronouns.

    Returns:
        The letters of each word's classes.

    Example:
        >>> word_kinds()["president"]
        'r'
    """
    return _letters({name: words.split() for name, words in _words().items()}, _WORD_LETTERS)


def interjections() -> list[str]:
    """Return the words of chats that stand outside a sentence, such as "lol".

    Returns:
        The words, in alphabetical order.

    Example:
        >>> "smh" in interjections()
        True
    """
    return sorted(_words()["chat"].split())


def alike(word: str) -> Sequence[str]:
    """Return the words that are of just the same classes as a word, and in the same form.

    Returns:
        The words in alphabetical order, with the word itself; none if it is of no class.

    Example:
        >>> "sent" in alike("gave"), "sends" in alike("gave"), alike("qwerty")
        (True, False, ())
    """
    words, classes = _alike()
    return words.get(classes.get(word, frozenset()), ())


def made_contexts(question: str, treebank: Iterable[Sentence], count: int) -> Iterator[Context]:
    """Fill the templates about a question.

    Args:
        count: How many texts each template makes.

    Yields:
        The contexts; the same arguments make the same ones.
    """
    fillers = _fillers(treebank)
    for group, (asked, answer) in _GROUPS.items():
        for template in _grammar()["templates"][group] if asked == question else ():
            for number in range(count):
                before, word, after = re.split(r"[\[\]]", _fill(template, number, fillers))
                yield Context(tokenize(before + word + after), len(tokenize(before).words), answer)


def _fill(template: str, number: int, fillers: Mapping[str, Sequence[str]]) -> str:
    """Fill the blanks of a template, in another way for each number."""

    def choose(blank: re.Match[str]) -> str:
        words = fillers.get(blank[1])
        # A treebank without such words leaves the blank's name, which is a word as well.
        key = f"{template}{number}{blank.start()}"
        return words[zlib.crc32(key.encode()) // 7 % len(words)] if words else blank[1]

    return _BLANK.sub(choose, template).replace(" 's", "'s")


def _fillers(treebank: Iterable[Sentence]) -> dict[str, Sequence[str]]:
    """Return what may fill each blank."""
    grammar = _grammar()
    words_of: dict[str, set[str]] = defaultdict(set)
    for sentence in treebank:
        for index, tag in sentence.tags.items():
            if sentence.tokens.words[index].islower():
                words_of[tag].add(sentence.tokens.words[index])
    forms = {
        f"{name}.{form}": [verb.split()[place] for verb in verbs]
        for name, verbs in grammar["verbs"].items()
        for form, place in _FORMS.items()
    }
    words = {name: words.split() for name, words in _words().items()}
    tagged = {name: sorted(words_of[tag]) for name, tag in _TAGS.items()}
    return {**forms, **words, **tagged, **grammar["fillers"]}


def _letters(lists: Mapping[str, Iterable[str]], letters: Mapping[str, str]) -> dict[str, str]:
    """Return the letters of all the lists that a word is in."""
    letters_of: dict[str, set[str]] = defaultdict(set)
    for name, words in lists.items():
        for word in words:
            letters_of[word].add(letters[name])
    return {word: "".join(sorted(letters_of[word])) for word in sorted(letters_of)}


@cache
def _alike() -> tuple[dict[frozenset[str], Sequence[str]], dict[str, frozenset[str]]]:
    """Return the words of each set of classes and forms, and the set of each word."""
    names_of: dict[str, set[str]] = defaultdict(set)
    for name, verbs in _grammar()["verbs"].items():
        for verb in verbs:
            for form, place in _FORMS.items():
                names_of[verb.split()[place]].add(f"{name}.{form}")
    for name, words in _words().items():
        for word in words.split():
            names_of[word].add(name)
    classes = {word: frozenset(names) for word, names in names_of.items()}
    words_of: dict[frozenset[str], list[str]] = defaultdict(list)
    for word in sorted(classes):
        words_of[classes[word]].append(word)
    return {names: tuple(several) for names, several in words_of.items()}, classes


def _words() -> dict[str, str]:
    """Return the words of each class, between spaces."""
    words: dict[str, str] = _grammar()["words"]
    return words


@cache
def _grammar() -> dict[str, Any]:
    """Read the grammar, once per process."""
    return tomllib.loads(GRAMMAR.read_text("utf-8"))
