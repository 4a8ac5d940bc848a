"""Finding the verbs that are joined to a verb and share its subject: "she bakes and brews".

What follows "and" or a comma may be a noun as well ("she sells drinks and snacks"). It is a verb if
it stands directly behind one ("swims, bikes and runs"), if it has an object of its own ("bakes
bread and brews beer"), if it stands among verbs ("cooks, washes dishes and cleans the house"), or
if the classifier says so.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from fair_datasets.english.classifier.decide import decide_one, is_noun
from fair_datasets.english.finite_verbs import (
    behind_adverbs,
    ends_before,
    is_adverb,
    is_finite,
    is_modal,
    is_verb,
    verb_from,
)
from fair_datasets.english.lists import words
from fair_datasets.english.verbs import auxiliaries, guessed_plural_form, is_base, plural_form
from fair_datasets.matching.tokens import Tokens

# How many words may stand between two joined verbs.
_REACH = 20
_PARTICIPLES = ("ed", "ing")


class _Joint(NamedTuple):
    """A word that may be a verb which is joined to one before it.

    Attributes:
        start: The coordinator before it, or the first word behind a comma.
        verb: The word.
        is_coordinated: Whether a coordinator stands there, and no comma alone.
    """

    start: int
    verb: int
    is_coordinated: bool


def joined_verbs(tokens: Tokens, position: int, is_embedded: bool) -> Iterator[int]:
    """Yield the verbs that are joined to a verb and share its subject.

    Args:
        tokens: The text.
        position: The verb.
        is_embedded: Whether it is that of a clause such as "what she said".

    Yields:
        The verbs, in the order of the text.

    Example:
        >>> from fair_datasets.matching.tokens import tokenize
        >>> list(joined_verbs(tokenize("She swims, bikes and runs."), 1, False))
        [2, 4]
        >>> list(joined_verbs(tokenize("She sells bikes and drinks."), 1, False))
        []
    """
    lower, gaps, coordinators = tokens.lower, tokens.gaps, words("coordinators")
    last, current = position, position + 1
    waiting: list[_Joint] = []
    while current < min(last + _REACH, len(lower)) and not ends_before(tokens, current):
        is_joint = gaps[current] != " " or lower[current] in coordinators
        joint = _joint_at(tokens, current) if is_joint else None
        if joint is not None:
            if _opens_main_clause(tokens, joint, last, is_embedded):
                return
            if _is_joined(tokens, joint, last, waiting):
                yield from (found.verb for found in waiting)
                if guessed_plural_form(lower[joint.verb]):
                    yield joint.verb
                last, current, waiting = joint.verb, joint.verb + 1, []
                continue
            if _may_be_joined(tokens, joint, last, waiting):
                waiting.append(joint)
                current = joint.verb + 1
                continue
        if lower[current] in words("subject_pronouns") or is_modal(tokens, current):
            return  # Another clause begins.
        current += 1


def _joint_at(tokens: Tokens, current: int) -> _Joint | None:
    """Return the joint that a word is, or that is before it; None if there is none."""
    gap, is_coordinated = tokens.gaps[current], True
    if tokens.lower[current] in words("coordinators"):
        verb = verb_from(tokens, current + 1)
    elif "," in gap:
        verb, is_coordinated = behind_adverbs(tokens, current), False
    else:
        verb = verb_from(tokens, current) if gap.strip() in ("&", "/") else None
    if verb is None or not _may_be_finite(tokens.lower[verb]):
        return None
    return _Joint(current, verb, is_coordinated)


def _may_be_finite(word: str) -> bool:
    """Tell quickly whether a word has a form that is looked for."""
    return word.endswith("s") or word in words("finite_verbs") or word in auxiliaries()


def _opens_main_clause(tokens: Tokens, joint: _Joint, last: int, is_embedded: bool) -> bool:
    """Tell whether an auxiliary behind a comma belongs to a whole clause: "What she said, is"."""
    if joint.is_coordinated or tokens.lower[joint.verb] not in auxiliaries():
        return False
    between = tokens.lower[last + 1 : joint.start]
    return is_embedded or not words("clause_openers").isdisjoint(between)


def _is_joined(tokens: Tokens, joint: _Joint, last: int, waiting: Sequence[_Joint]) -> bool:
    """Tell whether a word is a verb that shares the subject of the verb before it.

    Args:
        tokens: The text.
        joint: The word.
        last: The last word that surely is such a verb.
        waiting: The words behind commas between the two that may be such verbs.

    Returns:
        True for the "has" of "is tall and has red hair".
    """
    if tokens.words[joint.verb][0].isupper() and tokens.words[last][0].islower():
        return False
    word = tokens.lower[joint.verb]
    if not joint.is_coordinated:
        # "This, she says, is true."; "She is right, says Tom."
        is_frame = joint.start == last + 1 and word in auxiliaries()
        is_other = is_frame or word in words("reporting_verbs") or _is_state(tokens, joint.verb)
        return not is_other and is_finite(tokens, joint.verb)
    if is_finite(tokens, joint.verb):
        return not _is_of_clause(tokens, joint, last)
    if joint.start == last + 1 and plural_form(word) and not is_modal(tokens, joint.verb):
        return True
    return _is_parallel(tokens, joint, last) and (
        _has_bare_object(tokens, joint.verb) or _stands_among_verbs(tokens, joint, last, waiting)
    )


def _is_of_clause(tokens: Tokens, joint: _Joint, last: int) -> bool:
    """Tell whether the verb directly before a joint is of a clause in between: "who bakes and"."""
    before = joint.start - 1
    if before <= last or not plural_form(tokens.lower[before]):
        return False
    opening = tokens.lower[last + 1 : before]
    if words("clause_openers").isdisjoint(opening):
        return False
    # "while her brother cooks", of which a noun and its determiner are the subject
    is_behind_subject = len(opening) > 2 and (
        opening[-3] in words("clause_openers") and opening[-2] in words("determiners")
    )
    return is_behind_subject or is_verb(tokens, before)


def _stands_among_verbs(
    tokens: Tokens, joint: _Joint, last: int, waiting: Sequence[_Joint]
) -> bool:
    """Tell whether a word stands where only verbs do: "gets up and leaves", "swims, bikes and"."""
    if waiting:
        is_behind = _is_directly_behind(tokens, last, waiting[0].start)
        is_behind = is_behind or _is_directly_behind(tokens, waiting[-1].verb, joint.start)
        return is_behind and _is_third_person(tokens, joint.verb)
    if not (_is_third_person(tokens, joint.verb) or _may_be_verb(tokens, joint.verb)):
        return False
    if tokens.lower[last] in words("before_infinitive") and tokens.lower[last + 1] == "to":
        last = last + 2 if is_base(tokens.lower[last + 2]) else last  # "likes to bake and brews"
    return _is_directly_behind(tokens, last, joint.start)


def _may_be_joined(tokens: Tokens, joint: _Joint, last: int, waiting: Sequence[_Joint]) -> bool:
    """Tell whether a word behind a comma is a verb if one behind a coordinator follows.

    Args:
        tokens: The text.
        joint: The word.
        last: The last word that surely is a verb of the subject.
        waiting: The words behind commas between the two that may be such verbs.

    Returns:
        True for the "bikes" of "swims, bikes and runs" and the "washes" of "cooks, washes dishes".
    """
    verb, before = joint.verb, waiting[-1].verb if waiting else last
    if joint.is_coordinated or not _is_parallel(tokens, joint, last):
        return False
    if not _is_third_person(tokens, verb) or verb + 1 == len(tokens.lower):
        return False
    is_alone = tokens.gaps[verb + 1] != " " or tokens.lower[verb + 1] in words("coordinators")
    if tokens.lower[verb] in words("reporting_verbs"):
        return is_alone and _is_directly_behind(tokens, before, joint.start)
    if _is_directly_behind(tokens, before, joint.start):
        return True
    return not is_alone and tokens.lower[verb + 1] != "of"


def _is_parallel(tokens: Tokens, joint: _Joint, last: int) -> bool:
    """Tell whether the verb before is in the third person as well, and no other one between."""
    if tokens.lower[last] == "was" or not guessed_plural_form(tokens.lower[last]):
        return False
    between = range(last + 1, joint.start)
    return not any(
        tokens.lower[place] in words("clause_openers")
        or (plural_form(tokens.lower[place]) and is_verb(tokens, place))
        for place in between
    )


def _is_third_person(tokens: Tokens, position: int) -> bool:
    """Tell whether a word may be the third person of a full verb."""
    word = tokens.lower[position]
    if word in auxiliaries() or not plural_form(word) or tokens.is_hyphenated(position):
        return False
    return tokens.words[position].islower() and not _is_state(tokens, position)


def _is_directly_behind(tokens: Tokens, verb: int, start: int) -> bool:
    """Tell whether no object and the like stands between a verb and a joint: "gets up and"."""
    return all(
        is_adverb(word) or word in words("verb_particles")
        for word in tokens.lower[verb + 1 : start]
    )


def _may_be_verb(tokens: Tokens, position: int) -> bool:
    """Tell whether a word that the table lacks has the form of a verb, and no verb behind it.

    "She codes and vlogs", but "She smiles and friends come".
    """
    word, behind = tokens.lower[position], tokens.lower[position + 1 : position + 2]
    if plural_form(word) or not tokens.words[position].islower():
        return False
    is_subject = bool(behind) and (
        behind[0] in words("coordinators") or is_base(behind[0]) or plural_form(behind[0]) != ""
    )
    return guessed_plural_form(word) != "" and not is_subject


def _has_bare_object(tokens: Tokens, position: int) -> bool:
    """Tell whether a word is a verb as a noun stands directly behind it: "and brews beer"."""
    behind = position + 1
    if behind >= len(tokens.lower) or tokens.gaps[behind] != " ":
        return False
    word = tokens.lower[behind]
    if not _is_third_person(tokens, position) or not tokens.words[behind].islower():
        return False
    # "helps people", but "dogs bark"
    is_other = is_base(word) and decide_one("verb", tokens, behind) > 0
    is_other = is_other or is_adverb(word) or word.endswith(_PARTICIPLES)
    is_other = is_other or word in words("after_object") or word in words("after_noun")
    return is_noun(word) and not is_other


def _is_state(tokens: Tokens, position: int) -> bool:
    """Tell whether a word is a noun with its state: the arms of "stands, arms folded"."""
    behind = position + 1
    if tokens.lower[position] in auxiliaries() or behind >= len(tokens.lower):
        return False
    if tokens.gaps[behind] != " " or not tokens.lower[behind].endswith(_PARTICIPLES):
        return False
    after = behind + 1
    if after == len(tokens.lower) or tokens.gaps[after] != " ":
        return True
    word = tokens.lower[after]
    return is_adverb(word) or any(
        word in words(kind) for kind in ("verb_particles", "no_verbs", "coordinators")
    )
