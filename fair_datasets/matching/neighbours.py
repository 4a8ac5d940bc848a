"""Lists of words by what they say about the word beside them.

They are kept in `neighbours.toml` and, where they are counted, in `vocabulary.toml`.
"""

import tomllib
from functools import cache
from pathlib import Path


@cache
def neighbours(name: str) -> frozenset[str]:
    """Return a list of words, read once per process.

    Args:
        name: The list's name in one of the files.

    Returns:
        The words, in lower case.

    Example:
        >>> "the" in neighbours("determiners")
        True
    """
    if name.startswith("people."):
        from fair_datasets.matching.people.person_nouns import people_words

        return people_words(name.removeprefix("people."))
    return _lists()[name]


class _Lists:
    """The lists as attributes, all of which are read when one is first asked for.

    Example:
        >>> "the" in LISTS.determiners
        True
    """

    def __getattr__(self, name: str) -> frozenset[str]:
        """Return a list; later it is found without a call, which the reading of words relies on."""
        vars(self).update(_lists())
        if name not in vars(self):
            raise AttributeError(name)
        return frozenset(vars(self)[name])


LISTS = _Lists()


@cache
def _lists() -> dict[str, frozenset[str]]:
    """Read the files."""
    texts: dict[str, str] = {}
    for file in ("neighbours.toml", "vocabulary.toml"):
        texts |= tomllib.loads(Path(__file__).with_name(file).read_text("utf-8"))
    return {name: frozenset(text.split()) for name, text in texts.items()}
