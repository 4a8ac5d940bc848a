"""Finding the finite verbs of a subject pronoun.

A subject's verb stands behind it ("she, however, likes"), or before it if it is an auxiliary in a
question ("does she like"). Further verbs may be joined to it ("she sings and dances").
"""

import re
from collections.abc import Iterator

from fair_datasets.english.finite_verbs import (
    ends_before,
    is_contracted,
    is_verb,
    verb_from,
)
from fair_datasets.english.joined_verbs import joined_verbs
from fair_datasets.english.lists import words
from fair_datasets.english.verbs import auxiliaries, plural_form
from fair_datasets.matching.tokens import Tokens

# How many words may stand behind the verb of "she who laughs" before the main verb.
_REACH = 12
_BEFORE_SUBJECT = re.compile(r"\s+[\"“„«‘‚'`*_(\[]*")


def verbs_of(tokens: Tokens, index: int) -> list[int]:
    """Find the finite verbs whose subject a pronoun is.

    Args:
        tokens: The text.
        index: Which word is the subject, "he" or "she"; of "he or she" the last word.

    Returns:
        Which words are the verbs, in the order of the text. Of a contraction it is the tail, the
        s of "she's"; of "isn't" it is isn. Verbs in other forms than the third person singular may
        be among them.

    Example:
        >>> from fair_datasets.matching.tokens import tokenize
        >>> verbs_of(tokenize("She sings and is happy."), 0)
        [1, 3]
        >>> verbs_of(tokenize("Does she sing?"), 1)
        [0]
    """
    auxiliary = _auxiliary_before(tokens, index)
    return [auxiliary] if auxiliary is not None else list(_verbs_behind(tokens, index))


def _auxiliary_before(tokens: Tokens, index: int) -> int | None:
    """Find the auxiliary that a question or an inversion puts before its subject."""
    lower, behind = tokens.lower, index
    index = _first_of_pair(tokens, index)
    if not index or not _BEFORE_SUBJECT.fullmatch(tokens.gaps[index]) or ends_before(tokens, index):
        return None
    position = index - 1
    if lower[position] in ("t", "not", "nt") and position:
        position -= 1
        if lower[position] == "n" and position:  # "is n't she"
            position -= 1
    if is_contracted(tokens, position):
        is_question = position > 0 and lower[position - 1] in words("question_openers")
        return position if is_question and lower[position] == "s" else None
    if lower[position] not in auxiliaries() or _has_own_subject(tokens, position, behind):
        return None
    return None if tokens.is_protected(position) else position


def _first_of_pair(tokens: Tokens, index: int) -> int:
    """Return the first pronoun of "he or she" and "he/she", or the one that stands alone."""
    if index and tokens.gaps[index] == "/":
        return index - 1 if tokens.lower[index - 1] in ("he", "she", "s") else index
    is_pair = index > 1 and tokens.lower[index - 1] == "or"
    return index - 2 if is_pair and tokens.lower[index - 2] in ("he", "she") else index


def _has_own_subject(tokens: Tokens, position: int, index: int) -> bool:
    """Tell whether an auxiliary belongs to what stands before it: "it was she"."""
    if not position or not tokens.gaps[position].isspace() or ends_before(tokens, position):
        return False
    lower = tokens.lower
    if lower[position - 1] in words("singular_subjects"):
        return True
    if lower[position] not in ("is", "was", "isn", "wasn"):
        return False
    opening = position
    while opening > max(0, position - 6) and not ends_before(tokens, opening):
        opening -= 1
    before = lower[opening:position]
    if not words("inverters").isdisjoint(before):
        return False
    # "The winner is she", but "Here is she".
    behind = verb_from(tokens, index + 1)
    is_next_finite = behind is not None and bool(plural_form(lower[behind]))
    return is_next_finite or not words("determiners").isdisjoint(before)


def _verbs_behind(tokens: Tokens, index: int) -> Iterator[int]:
    """Yield the finite verbs behind their subject, also those that need no change."""
    if tokens.gaps[index + 1] == "-":
        return
    lower, start = tokens.lower, index + 1
    is_relative = start < len(lower) and lower[start] == "who" and not ends_before(tokens, start)
    position = verb_from(tokens, start + is_relative)
    if position is None:
        return
    yield position
    if is_relative:
        # "She who has it is lucky": both verbs are hers.
        for main in range(position + 1, min(position + _REACH, len(lower))):
            if ends_before(tokens, main):
                return
            if plural_form(lower[main]) and is_verb(tokens, main):
                yield main
                position = main
                break
    is_embedded = index > 0 and lower[index - 1] in words("clause_openers")
    yield from joined_verbs(tokens, position, is_embedded)
