"""Mistakes in spelling, which a model mends unasked."""

from functools import cache

from rapidfuzz.distance import OSA

from fair_datasets.lexicons import available_lexicons, load_lexicon
from fair_datasets.matching.neighbours import LISTS
from fair_datasets.swap.verbs import verbs
from fair_datasets.verification.units import Units, is_word, split_units

# From this length on a word may have two mistakes.
_LONG = 8


def is_misspelt(old: Units, index: int, after: str) -> bool:
    """Tell whether a word is a mistake in spelling, of which another is the right spelling.

    Args:
        old: A text.
        index: Which unit of it is the word.
        after: The other word, folded.

    Returns:
        Whether no list knows the word, but the other one, which is a letter or two away.

    Example:
        >>> is_misspelt(split_units("I recieve it"), 1, "receive")
        True
        >>> is_misspelt(split_units("It was now"), 2, "not")
        False
    """
    before = old.folded[index]
    if min(len(before), len(after)) < 3 or not (before.isalpha() and after.isalpha()):
        return False
    allowed = 2 if len(before) >= _LONG else 1
    if OSA.distance(before, after, score_cutoff=allowed) > allowed:
        return False
    # A capital letter within a sentence is that of a name, of which the lists know few.
    is_name = old.text[old.starts[index]].isupper() and index and is_word(old.folded[index - 1])
    return not is_name and not _is_known(before) and _is_known(after)


def _is_known(word: str) -> bool:
    """Tell whether a word is listed anywhere as an everyday word."""
    return word in LISTS.common_words or word in LISTS.surname_words or word in _listed_words()


@cache
def _listed_words() -> frozenset[str]:
    """Return the verbs in the third person, their bases, and the words of the shipped axes."""
    entries = (entry for axis in available_lexicons() for entry in load_lexicon(axis).entries)
    cells = (forms for entry in entries for forms in entry.forms.values())
    texts = (form.text for forms in cells for form in forms)
    words = (unit for text in texts for unit in split_units(text).folded)
    return frozenset({*words, *verbs(), *(verb.base for verb in verbs().values())})
