"""The words that name an attribute of an axis by their meaning."""

from functools import lru_cache

from fair_datasets.lexicons.shipped import load_lexicon, name_lexicons, names_fit


@lru_cache(maxsize=8)
def listed_words(
    axis: str, names: bool, terms: tuple[str, ...], digests: tuple[tuple[str, str], ...]
) -> frozenset[str]:
    """Return the words that name an attribute of an axis by their meaning: their part is 0.

    Args:
        axis: A shipped lexicon's name, or the path of a `.tsv` file.
        names: Whether the names that have the axis's attributes are among them.
        digests: The digests of the lexicon's files, so that an edited one is read anew.

    Returns:
        The words; common ones in lower case, names as they are written.
    """
    lexicons = [load_lexicon(name) for name in listing_lexicons(axis, names)]
    found = {
        form.text
        for each in lexicons
        for entry in each.entries
        for forms in entry.forms.values()
        for form in forms
        if form.is_read
    }
    return frozenset({*found, *terms})


def listing_lexicons(axis: str, names: bool) -> list[str]:
    """Return the lexicons whose words name an attribute of an axis by their meaning.

    Args:
        axis: A shipped lexicon's name, or the path of a `.tsv` file.
        names: Whether the lists of names that have the axis's attributes are among them.
    """
    if not names:
        return [axis]
    lexicon = load_lexicon(axis)
    return [axis, *(name for name in name_lexicons() if names_fit(name, lexicon, paired=False))]
