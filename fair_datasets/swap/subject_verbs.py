"""Finding the finite verbs of a subject pronoun.

A subject's verb stands behind it ("she, however, likes"), or before it if it is an auxiliary in a
question ("does she like"). Further verbs may be joined to it ("she sings and dances").
"""

import re
from collections.abc import Iterator

from fair_datasets.matching.tokens import Tokens
from fair_datasets.swap.finite_verbs import (
    behind_adverbs,
    ends_before,
    is_contracted,
    is_finite,
    is_modal,
    is_verb,
    verb_from,
    words,
)
from fair_datasets.swap.verbs import auxiliaries, plural_form

# How many words may stand behind the verb of "she who laughs" before the main verb, and between two
# joined verbs.
_REACH = 12
_JOINED_REACH = 20
_BEFORE_SUBJECT = re.compile(r"\s+[\"“‘'*_(\[]*")


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
        is_question = position > 0 and lower[position - 1] in words("question_words")
        return position if is_question and lower[position] == "s" else None
    if lower[position] not in auxiliaries() or _has_own_subject(tokens, position, behind):
        return None
    return position


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
    yield from _joined_verbs(tokens, position, is_embedded)


def _joined_verbs(tokens: Tokens, position: int, is_embedded: bool) -> Iterator[int]:
    """Yield the verbs that are joined to a verb and share its subject.

    Args:
        tokens: The text.
        position: The verb.
        is_embedded: Whether it is that of a clause such as "what she said".

    Yields:
        The verbs, in the order of the text.
    """
    lower, last, current = tokens.lower, position, position + 1
    while current < min(last + _JOINED_REACH, len(lower)) and not ends_before(tokens, current):
        candidate = None
        if lower[current] in words("coordinators"):
            candidate = verb_from(tokens, current + 1)
        elif "," in tokens.gaps[current]:
            candidate = behind_adverbs(tokens, current)
            between = lower[last + 1 : current]
            is_other = is_embedded or not words("clause_openers").isdisjoint(between)
            if is_other and candidate is not None and lower[candidate] in auxiliaries():
                return  # "What she said, was wrong."
        if candidate is not None and _is_joined(tokens, candidate, current, last):
            if plural_form(lower[candidate]):
                yield candidate
            last, current = candidate, candidate + 1
        elif lower[current] in words("subjects") or is_modal(tokens, current):
            return  # Another clause begins.
        else:
            current += 1


def _is_joined(tokens: Tokens, position: int, joint: int, last: int) -> bool:
    """Tell whether a word is a finite verb that shares the subject of a verb before it.

    Args:
        tokens: The text.
        position: The word.
        joint: The coordinator before it, or the first word behind a comma.
        last: The verb before it.

    Returns:
        True for the "has" of "is tall and has red hair".
    """
    word = tokens.lower[position]
    is_direct = joint == last + 1
    if tokens.words[position][0].isupper() and tokens.words[last][0].islower():
        return False
    if tokens.lower[joint] in words("coordinators"):
        # "She sings and dances": what has no object before it can be no second object.
        is_certain = is_direct and bool(plural_form(word)) and not is_modal(tokens, position)
        return is_certain or is_finite(tokens, position)
    # "This, she says, is true."; "She is right, says Tom."
    is_frame = is_direct and word in auxiliaries()
    return not is_frame and word not in words("reporting_verbs") and is_finite(tokens, position)
