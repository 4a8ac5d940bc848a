"""Sentences with "her" and "his" whose case is known, made from pronouns that show theirs.

What stands around "me" would stand around an object "her" as well, what stands around "my" around
"her" and "his" before a noun, and what stands around "mine" around "his" alone. The last is rare in
texts, so that more is made from templates.
"""

from collections.abc import Iterable, Iterator, Sequence

from fair_datasets.english.classifier.corpora import Sentence
from fair_datasets.english.classifier.grammar import made_contexts
from fair_datasets.matching.tokens import Tokens, tokenize
from fair_datasets.reader.tags import ALONE, CASES, DETERMINER, OBJECT
from fair_datasets.reader.training.rows import Row, share

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
        treebank: Sentences whose nouns and adjectives fill the blanks.
        count: How many sentences each template makes.

    Yields:
        Rows, and whether their template is held back for the evaluation, as a fifth are.
    """
    for number, (tokens, index, is_alone) in enumerate(made_contexts("his", treebank, count)):
        allowed = [0] * len(tokens.lower)
        allowed[index] = 1 << (ALONE if is_alone else DETERMINER)
        considered = [CASES if each else 0 for each in allowed]
        words = [*tokens.words[:index], "his", *tokens.words[index + 1 :]]
        text = _joined(tokens, words)
        yield Row("templates", text, allowed, considered), share(f"t{number // count}") < 0.2


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
    considered = [CASES if each else 0 for each in allowed]
    return Row("made", _joined(tokens, words), allowed, considered)


def _joined(tokens: Tokens, words: Sequence[str]) -> str:
    """Put words together with what stood between them."""
    pairs = zip(tokens.gaps, [*words, ""], strict=True)
    return "".join(part for pair in pairs for part in pair)
