"""Agreement of the words around an edit: the indefinite article."""

import re

from fair_datasets.matching.lettercase import match_case
from fair_datasets.matching.tokens import Tokens

ARTICLES = frozenset({"a", "an"})

# Written with a vowel but spoken with a consonant, and the other way round.
_LIKE_CONSONANT = re.compile(
    r"(?:eu|ew|one\b|once\b|u(?:ni[^dmn]|nanim|s[aeiu]|t[ai]|bi|k[ru]|ga|yg|r[aeiou]))"
)
_FIGURES = re.compile(r"[0-9]+")
_LIKE_VOWEL = re.compile(r"(?:heir|hon(?:est|or|our)|hour)")


def takes_an(word: str) -> bool:
    """Tell whether a word is spoken with a vowel first, so that "an" stands before it.

    Args:
        word: The word, in any letter case.

    Returns:
        True for "uncle", "heir" and "8-year-old", False for "niece" and "unicorn".

    Example:
        >>> words = ("actor", "heiress", "unit", "waiter", "80-year-old", "17-year-old")
        >>> [word for word in words if takes_an(word)]
        ['actor', 'heiress', '80-year-old']
    """
    word = word.lower()
    figures = _FIGURES.match(word)
    if figures:
        return figures[0][0] == "8" or figures[0] in ("11", "18")
    if _LIKE_VOWEL.match(word):
        return True
    return word[:1] in set("aeiouáéíóú") and not _LIKE_CONSONANT.match(word)


def article_before(tokens: Tokens, index: int, before: str, after: str) -> str:
    """Return the article that has to stand before an edited word, if it changes.

    Args:
        tokens: The text before the edit.
        index: The first word that is edited.
        before: What stood there.
        after: What stands there now.

    Returns:
        "a" or "an" in the letter case of the article in the text; empty where there is none, where
        it was not the right one before, or where it stays.

    Example:
        >>> from fair_datasets.matching.tokens import tokenize
        >>> article_before(tokenize("An actress"), 1, "actress", "performer")
        'A'
    """
    article = tokens.lower[index - 1] if index else ""
    if article not in ARTICLES or not tokens.gap(index).isspace():
        return ""
    needs_an = takes_an(after)
    if needs_an == takes_an(before) or needs_an == (article == "an"):
        return ""
    written = tokens.word(index - 1)
    if len(written) == 1:
        # One capital letter may open a sentence or be part of one in capitals.
        return ("AN" if before.isupper() else "An") if written.isupper() else "an"
    return match_case(written, "a") if written != "AN" else "A"
