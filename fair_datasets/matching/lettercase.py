"""Letter case: a replacement is written the way the word it replaces was."""

from functools import lru_cache

_SMALL_WORDS = frozenset({"a", "an", "and", "at", "in", "of", "or", "the"})


@lru_cache(maxsize=1 << 16)
def match_case(before: str, after: str) -> str:
    """Write a replacement in the letter case of what it replaces.

    Lower stays as the lexicon writes it, UPPER becomes upper, Title becomes capitalised; where
    several words are all capitalised, so are the replacement's, but for the small ones, and where
    as many are written as there were, each is written like its own ("gay Women"). Any other mixture
    ("GrandMa") gives the lexicon's spelling (Hall Maudslay et al., 2019).

    Args:
        before: The word or words in the text.
        after: The replacement as the lexicon writes it.

    Returns:
        The replacement in the letter case of `before`.

    Example:
        >>> match_case("HIS", "her"), match_case("Best Man", "maid of honor")
        ('HER', 'Maid of Honor')
        >>> match_case("gay Women", "asexual women")
        'asexual Women'
    """
    if before.islower():
        return after
    if before.isupper() and len(before) > 1:
        return after.upper()
    first, *others = before.split(" ")
    if not _is_capitalised(first):
        words = after.split(" ")
        is_alike = bool(others) and len(words) == len(others) + 1
        return " ".join(map(match_case, before.split(" "), words)) if is_alike else after
    large = [word for word in others if word not in _SMALL_WORDS]
    if large and all(map(_is_capitalised, large)):
        words = after.split(" ")
        return " ".join([capitalised(words[0])] + [_unless_small(word) for word in words[1:]])
    return capitalised(after)


def _is_capitalised(word: str) -> bool:
    """Tell whether a word has one upper-case letter, its first."""
    return word[:1].isupper() and not any(letter.isupper() for letter in word[1:])


def capitalised(word: str) -> str:
    """Write a word with a capital first letter, the others as they are.

    Args:
        word: A word or several.

    Returns:
        The same with a capital.

    Example:
        >>> capitalised("older McDonald")
        'Older McDonald'
    """
    return word[:1].upper() + word[1:]


def _unless_small(word: str) -> str:
    """Capitalise a word of a title unless it is an article or the like."""
    return word if word in _SMALL_WORDS else capitalised(word)
