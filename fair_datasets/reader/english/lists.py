"""The words of English by their classes: what they say about themselves and the words beside them.

They are kept in `words.tsv`, a row for each word with its classes and its sources; `classes.tsv`
says what each class means. Everyday words whose source is "corpora" were counted in the texts that
the classifier is trained on, see `classifier.grammar`.
"""

from functools import cache
from pathlib import Path

from fair_datasets.reader.matching.vocabulary import read_classes

WORDS = Path(__file__).with_name("words.tsv")
CLASSES = Path(__file__).with_name("classes.tsv")

# Closed classes that several rules ask for; those of open ones are in the table.
ABBREVIATIONS = ("chap", "gal", "ma", "pa")
BE_FORMS = ("am", "are", "is", "was", "were")
OBJECT_PRONOUNS = ("everybody", "everyone", "him", "it", "me", "them", "us", "you")
POSSESSIVE_DETERMINERS = ("her", "his", "my", "our", "their", "your")
SUBJECT_PRONOUNS = ("he", "i", "she", "they", "we")
YEARS = ("year", "years", "yr", "yrs")


def words(name: str) -> frozenset[str]:
    """Return the words of a class, which are read once per process.

    Raises:
        KeyError: There is no such class.

    Example:
        >>> "the" in words("determiners")
        True
    """
    return classes()[name]


@cache
def classes() -> dict[str, frozenset[str]]:
    """Return the words of all classes."""
    return read_classes(WORDS)
