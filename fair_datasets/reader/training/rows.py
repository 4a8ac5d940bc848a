"""Rows to train on: texts whose words have the tags that they may have."""

import re
import zlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from fair_datasets.reader.english.classifier.grammar import Sentence, entries, made_contexts
from fair_datasets.reader.matching.tokens import Tokens, tokenize
from fair_datasets.reader.tags import ALONE, CASES, DETERMINER, OBJECT

HELD_BACK = 0.05
"""The share of the tagged texts that no training reads."""


class Row(NamedTuple):
    """A text and what is known of its words.

    Attributes:
        source: Where the text is from.
        text: The text.
        allowed: The tags that each word may have, a bit for each; 0 if nothing is known.
        considered: The tags that its source tells apart from these, a bit for each.
    """

    source: str
    text: str
    allowed: Sequence[int]
    considered: Sequence[int]

    @classmethod
    def of(cls, source: str, text: str, allowed: Sequence[int], group: int) -> "Row":
        """Return a row in which each known word is told apart from a group of tags."""
        return cls(source, text, allowed, [group if each else 0 for each in allowed])


def share(key: str) -> float:
    """Return a number from 0 to 1 that depends on a key alone.

    Example:
        >>> share("a") == share("a"), 0 <= share("b") < 1
        (True, True)
    """
    return zlib.crc32(key.encode("utf-8")) * 0x9E3779B1 % 2**32 / 2**32


def is_held_back(text: str) -> bool:
    """Tell whether a text is kept out of every training, for the calibration.

    Returns:
        True for one of twenty.
    """
    return share(f"held back {text}") < HELD_BACK


def lower_cased(text: str, epoch: int, rate: float) -> str:
    """Return a text, or a text in lower case for some: case is a hint, and no more.

    Args:
        epoch: How often the text was seen before; it draws anew each time.
        rate: The share of texts in lower case.

    Example:
        >>> lower_cased("Mary left.", 0, 1.0), lower_cased("Mary left.", 0, 0.0)
        ('mary left.', 'Mary left.')
    """
    lower = text.lower()
    is_drawn = share(f"{epoch} {text}") < rate and len(lower) == len(text)
    return lower if is_drawn else text


SOURCES = {
    "novels": ("text/novels.jsonl.gz", ("text",)),
    "wikipedia": ("text/wikipedia_sentences.jsonl.gz", ("text",)),
    "bold": ("classification/bold_wikipedia_gender_race.csv.gz", ("text",)),
    "sexism": ("classification/twitter_sexism_train.csv.gz", ("text",)),
    "reviews": ("classification/imdb_counterfactual_train.tsv.gz", ("Text",)),
    "comments": ("classification/wikipedia_toxicity_nonfuzzed.csv.gz", ("comment",)),
    "gap": ("coreference/gap_development.tsv", ("Text",)),
    "snli": ("sentence_pairs/snli_subset_train.tsv", ("sentence1", "sentence2")),
}
"""Source of texts to its file and the columns with the texts."""
LEAST, MOST = 3, 60
"""How many words a piece has at least and at most, as spaces divide them."""

_SENTENCE = re.compile(r"(?<=[.!?])[\"'”’]*\s+(?=[\"'“‘A-Z])|<br />|\n+")


def unlabelled_texts(folder: Path, source: str, most: int) -> Iterator[str]:
    """Read texts of a source, each once.

    Args:
        folder: The folder of the shared data; a source that is not there has no texts.
        source: One of `SOURCES`.
        most: How many at most; which they are is drawn by the texts themselves.

    Yields:
        The texts, in the order of the file.
    """
    found = dict.fromkeys(
        piece
        for text in whole_texts(folder, source)
        for piece in pieces(text)
        if LEAST <= len(piece.split()) <= MOST
    )
    if len(found) > most:
        least = sorted(map(share, found))[most]
        yield from (text for text in found if share(text) < least)
    else:
        yield from found


def pieces(text: str) -> Iterator[str]:
    """Divide a text at the ends of sentences, but keep short sentences together.

    Yields:
        Its pieces.

    Example:
        >>> for piece in pieces("He came. She saw. " + "They had to go on and on. " * 3):
        ...     print(piece)
        He came. She saw. They had to go on and on.
        They had to go on and on. They had to go on and on.
    """
    held: list[str] = []
    for sentence in _SENTENCE.split(text):
        if held and len(" ".join([*held, sentence]).split()) > MOST // 4:
            yield " ".join(held)
            held = []
        held += [sentence.strip()] if sentence.strip() else []
    if held:
        yield " ".join(held)


def whole_texts(folder: Path, source: str) -> Iterator[str]:
    """Read the texts of a file."""
    name, columns = SOURCES[source]
    for entry in entries(folder / name):
        yield from (entry[column] for column in columns if entry[column])


# The spellings that show a case, and what is written for them.
_SHOWN: dict[str, tuple[int, tuple[str, ...]]] = {
    **dict.fromkeys(("me", "him", "them", "us"), (OBJECT, ("her",))),
    **dict.fromkeys(("my", "our", "their"), (DETERMINER, ("her", "his"))),
    **dict.fromkeys(("mine", "ours", "theirs", "yours"), (ALONE, ("his",))),
}
# "a mine", "gold mine"
_BEFORE_NOUN = frozenset({"a", "the", "this", "that", "gold", "coal", "land", "silver", "salt"})
_LONGEST = 60


def made_rows(texts: Iterable[str]) -> Iterator[Row]:
    """Write "her" and "his" for the pronouns of texts that show their case.

    Args:
        texts: Any texts; one is left out if it is long or already has "her" or "his".

    Yields:
        A row for each text that has such a pronoun.

    Example:
        >>> for row in made_rows(["They saw us."]):
        ...     print(row.text)
        They saw her.
    """
    for text in texts:
        tokens = tokenize(text)
        is_fit = len(tokens.lower) <= _LONGEST and not {"her", "his"} & set(tokens.lower)
        asked = [k for k in range(len(tokens.lower)) if _is_shown(tokens, k)] if is_fit else []
        if asked:
            yield _made(tokens, asked)


def templated_rows(treebank: Sequence[Sentence], count: int) -> Iterator[tuple[Row, bool]]:
    """Make sentences with "his" alone and "his" before a noun from templates.

    Args:
        count: How many sentences each template makes.

    Yields:
        Rows, and whether their template is held back for the evaluation, as a fifth are.
    """
    for number, (tokens, index, is_alone) in enumerate(made_contexts("his", treebank, count)):
        allowed = [0] * len(tokens.lower)
        allowed[index] = 1 << (ALONE if is_alone else DETERMINER)
        words = [*tokens.words[:index], "his", *tokens.words[index + 1 :]]
        row = Row.of("templates", joined(tokens, words), allowed, CASES)
        yield row, share(f"t{number // count}") < 0.2


def _is_shown(tokens: Tokens, index: int) -> bool:
    """Tell whether a word is a pronoun that shows its case."""
    word = tokens.lower[index]
    if word not in _SHOWN or tokens.word(index) == "US" or not tokens.is_alone(index):
        return False
    is_alone = _SHOWN[word][0] == ALONE
    if not is_alone:
        return True
    is_greeting = word == "yours" and tokens.opens_sentence(index)
    return not is_greeting and not (index and tokens.lower[index - 1] in _BEFORE_NOUN)


def _made(tokens: Tokens, asked: Sequence[int]) -> Row:
    """Write pronouns anew; which of two is written is drawn by the text."""
    words = list(tokens.words)
    allowed = [0] * len(words)
    for index in asked:
        case, written = _SHOWN[tokens.lower[index]]
        word = written[int(share(f"{index} {tokens.text}") * len(written))]
        words[index] = word.title() if words[index][0].isupper() else word
        allowed[index] = 1 << case
    return Row.of("made", joined(tokens, words), allowed, CASES)


def is_possessive(tokens: Tokens, index: int) -> bool:
    """Tell whether a word is the end of a possessive."""
    return tokens.lower[index] == "s" and tokens.gap(index)[-1:] in "'’"


def joined(tokens: Tokens, words: Sequence[str]) -> str:
    """Put words together with what stood between them."""
    pairs = zip(tokens.gaps, [*words, ""], strict=True)
    return "".join(part for pair in pairs for part in pair)
