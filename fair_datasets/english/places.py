"""Where conditions on English texts look: at a word, or the words around it."""

from collections.abc import Callable

from fair_datasets.english.lists import words
from fair_datasets.matching.conditions import Candidates, Place
from fair_datasets.matching.words import Places


def place_of(find: Callable[[Candidates], Places]) -> Place:
    """Return a place by what finds it for each candidate."""
    return Place(find, lists=words)


HERE = place_of(lambda found: found.places)
"""The word itself; of a phrase, its first word."""
LAST = place_of(lambda found: found.lasts)
"""The last word of a phrase."""
BEFORE = HERE - 1
NEXT = HERE + 1
