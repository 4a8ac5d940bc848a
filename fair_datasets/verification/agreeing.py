"""Which verbs have to agree with a subject that becomes "they", or was it.

They are those that the swap itself rewrites: no other word of the sentence may change its ending.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import cache

from fair_datasets.english.joined_verbs import verbs_of
from fair_datasets.english.verbs import auxiliaries
from fair_datasets.matching.tokens import Tokens, tokenize
from fair_datasets.swap.agreement import agree
from fair_datasets.swap.pronoun_sets import available_pronoun_sets, pronoun_set
from fair_datasets.verification.alignment import Change
from fair_datasets.verification.units import Units


def agreeing_verbs(old: Units, new: Units, changes: Iterable[Change]) -> Iterator[tuple[int, int]]:
    """Give the verbs that have to change, each where it stands on one of the two sides.

    A subject in the singular tells which words are its verbs: they are read in the text where it
    stands, be it the original or the rewrite.

    Args:
        old: The original.
        new: The rewrite.
        changes: What was rewritten.

    Yields:
        The unit of the original, or -1, and that of the rewrite, or -1.

    Example:
        >>> from fair_datasets.verification.units import split_units
        >>> old, new = split_units("He reads the news."), split_units("They read the news.")
        >>> they = Change(0, 1, 0, 1, None, "non-binary")
        >>> list(agreeing_verbs(old, new, [they])), list(agreeing_verbs(new, old, [they]))
        ([(1, -1)], [(-1, 1)])
    """
    subjects, were_they, they = [], [], []
    for change in changes:
        before = old.folded[change.first : change.end]
        after = new.folded[change.after_first : change.after_end]
        if _is_plural(after) and not _is_plural(before):
            subjects.append((change.first, change.end))
        elif _is_plural(before) and not _is_plural(after):
            they.append((change.first, change.end))
            were_they.append((change.after_first, change.after_end))
    yield from ((verb, -1) for verb in _verbs(old, subjects, _in_singular))
    yield from ((verb, -1) for verb in _verbs(old, they, _in_plural))
    yield from ((-1, verb) for verb in _verbs(new, were_they, _in_singular))


def _verbs(
    units: Units,
    subjects: Iterable[tuple[int, int]],
    read: Callable[[Tokens, int], Iterator[int]],
) -> Iterator[int]:
    """Give the units that are verbs of some subjects."""
    tokens = None
    for first, end in subjects:
        tokens = tokens or tokenize(units.text)
        start, behind = units.span(first, end)
        words = [k for k, place in enumerate(tokens.starts) if start <= place < behind]
        # "Is he or she": the verb stands before the pair.
        for word in {*words[:1], *words[-1:]}:
            yield from map(units.at, read(tokens, word))


def _in_singular(tokens: Tokens, subject: int) -> Iterator[int]:
    """Give where the verbs of a subject in the singular begin that the swap rewrites."""
    return (verb.start for verb in agree(tokens, subject))


def _in_plural(tokens: Tokens, subject: int) -> Iterator[int]:
    """Give where the verbs of a subject in the plural begin that surely are in the present."""
    plurals = auxiliaries().values()
    found = (verb for verb in verbs_of(tokens, subject) if tokens.lower[verb] in plurals)
    return (tokens.starts[verb] for verb in found)


def _is_plural(folded: list[str]) -> bool:
    """Tell whether units are a subject whose verbs are in the plural."""
    return len(folded) == 1 and folded[0] in _plural_subjects()


@cache
def _plural_subjects() -> frozenset[str]:
    """Return the pronouns of one person whose verbs are in the plural."""
    sets = map(pronoun_set, available_pronoun_sets())
    return frozenset(chosen.forms["subject"] for chosen in sets if chosen.verbs_are_plural)
