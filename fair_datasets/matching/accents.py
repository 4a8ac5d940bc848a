"""Names that texts write with accents and lists without: "José" is looked up as "Jose"."""

import unicodedata
from functools import cache, lru_cache

from fair_datasets.lexicons import load_lexicon, name_lexicons

#: The combining marks, which belong to the letter before them.
MARKS = "\u0300-\u036f"
# Many marks behind a letter take long to be put into order, and no name has them.
_LONGEST = 64
# What Unicode takes for letters of their own.
_LETTERS = str.maketrans("øłđ", "old")
# Words of their own, whose letters alone are a name.
_NO_NAMES = frozenset({"déjà", "está", "où", "rosé"})


def composed(word: str) -> str:
    """Write letters and the marks behind them as one letter, where there is one."""
    return unicodedata.normalize("NFC", word) if len(word) <= _LONGEST else word


@lru_cache(maxsize=1 << 14)
def without_accents(word: str) -> str:
    r"""Write a word in small letters without accents.

    Args:
        word: A word, whose accents may be part of its letters or stand behind them.

    Returns:
        Its letters.

    Example:
        >>> [without_accents(word) for word in ("Zoë", "Zoe\u0308", "SØREN")]
        ['zoe', 'zoe', 'soren']
    """
    if word.isascii() or len(word) > _LONGEST:
        return word.lower()
    letters = unicodedata.normalize("NFD", word.lower()).translate(_LETTERS)
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def looked_up(word: str) -> str:
    """Return how a word with a capital is looked up, unless some list has it with its accents.

    Args:
        word: The word.

    Returns:
        The word in small letters: without accents if it is a name of the shipped lists then.

    Example:
        >>> looked_up("José"), looked_up("Élan")
        ('jose', 'élan')
    """
    lower = composed(word.lower())
    name = without_accents(lower)
    return name if name in listed_names() and lower not in _NO_NAMES else lower


@cache
def listed_names() -> frozenset[str]:
    """Return all names of the shipped lists, in small letters."""
    return frozenset(
        form.text.lower()
        for lexicon in map(load_lexicon, name_lexicons())
        for entry in lexicon.entries
        for forms in entry.forms.values()
        for form in forms
    )
