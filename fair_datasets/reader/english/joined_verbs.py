"""The verbs of a subject, of which some are joined to another one: "she bakes and brews".

What follows "and" or a comma may be a noun as well ("she sells drinks and snacks"). It is a verb if
it stands directly behind one ("swims, bikes and runs"), if it has an object of its own ("bakes
bread and brews beer"), if it stands among verbs ("cooks, washes dishes and cleans the house"), or
if the classifier says so.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from fair_datasets.reader.english.classifier.decide import decide_one, is_noun
from fair_datasets.reader.english.lists import SUBJECT_PRONOUNS, words
from fair_datasets.reader.english.parentheticals import is_frame, verb_behind_parenthetical
from fair_datasets.reader.english.verbs import (
    auxiliaries,
    behind_adverbs,
    ends_before,
    guessed_plural_form,
    is_adverb,
    is_base,
    is_contracted,
    is_finite,
    is_modal,
    is_verb,
    plural_form,
    verb_from,
)
from fair_datasets.reader.matching.tokenizer import Tokens

# How many words may stand between two joined verbs.
_REACH = 20
_COORDINATORS = ("and", "but", "n", "nor", "or", "then", "yet")
_QUESTION_OPENERS = ("how", "what", "when", "where", "which", "who", "why")
_INVERTERS = frozenset({"hardly", "neither", "never", "nor", "not", "only", "or", "so", "than"})
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
        is_embedded: Whether it is that of a clause such as "what she said".

    Yields:
        The verbs, in the order of the text.

    Example:
        >>> from fair_datasets.reader.matching.tokenizer import tokenize
        >>> list(joined_verbs(tokenize("She swims, bikes and runs."), 1, False))
        [2, 4]
        >>> list(joined_verbs(tokenize("She sells bikes and drinks."), 1, False))
        []
    """
    lower, gaps = tokens.lower, tokens.gaps
    last, current = position, position + 1
    waiting: list[_Joint] = []
    while current < min(last + _REACH, len(lower)) and not ends_before(tokens, current):
        is_joint = gaps[current] != " " or lower[current] in _COORDINATORS
        joint = _joint_at(tokens, current) if is_joint else None
        if joint is not None:
            if _opens_main_clause(tokens, joint, last, is_embedded):
                return
            if _is_joined(tokens, joint, last, waiting):
                yield from (each.verb for each in waiting)
                if guessed_plural_form(lower[joint.verb]):
                    yield joint.verb
                last, current, waiting = joint.verb, joint.verb + 1, []
                continue
            if _may_be_joined(tokens, joint, last, waiting):
                waiting.append(joint)
                current = joint.verb + 1
                continue
        if lower[current] in SUBJECT_PRONOUNS or is_modal(tokens, current):
            return  # Another clause begins.
        current += 1


def _joint_at(tokens: Tokens, current: int) -> _Joint | None:
    """Return the joint that a word is, or that is before it; None if there is none."""
    gap, is_coordinated = tokens.gaps[current], True
    if tokens.lower[current] in _COORDINATORS:
        verb = verb_from(tokens, current + 1)
    elif "," in gap:
        verb, is_coordinated = behind_adverbs(tokens, current), False
    else:
        verb = verb_from(tokens, current) if gap.strip() in ("&", "/") else None
    if verb is None or not _may_be_finite(tokens.lower[verb]):
        return None
    return _Joint(current, verb, is_coordinated)


def _may_be_finite(word: str) -> bool:
    """Return quickly whether a word has a form that is looked for."""
    return word.endswith("s") or word in words("finite_verbs") or word in auxiliaries()


def _opens_main_clause(tokens: Tokens, joint: _Joint, last: int, is_embedded: bool) -> bool:
    """Whether an auxiliary behind a comma belongs to a whole clause: "What she said, is"."""
    if joint.is_coordinated or tokens.lower[joint.verb] not in auxiliaries():
        return False
    between = tokens.lower[last + 1 : joint.start]
    return is_embedded or not words("clause_openers").isdisjoint(between)


def _is_joined(tokens: Tokens, joint: _Joint, last: int, waiting: Sequence[_Joint]) -> bool:
    """Whether a word is a verb that shares the subject of the verb before it.

    Args:
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
    """Whether the verb directly before a joint is of a clause in between: "who bakes and"."""
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
    """Whether a word stands where only verbs do: "gets up and leaves", "swims, bikes and"."""
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
    """Whether a word behind a comma is a verb if one behind a coordinator follows.

    Args:
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
    is_alone = tokens.gaps[verb + 1] != " " or tokens.lower[verb + 1] in _COORDINATORS
    if tokens.lower[verb] in words("reporting_verbs"):
        return is_alone and _is_directly_behind(tokens, before, joint.start)
    if _is_directly_behind(tokens, before, joint.start):
        return True
    return not is_alone and tokens.lower[verb + 1] != "of"


def _is_parallel(tokens: Tokens, joint: _Joint, last: int) -> bool:
    """Whether the verb before is in the third person as well, and no other one between."""
    if tokens.lower[last] == "was" or not guessed_plural_form(tokens.lower[last]):
        return False
    between = range(last + 1, joint.start)
    return not any(
        tokens.lower[place] in words("clause_openers")
        or (plural_form(tokens.lower[place]) and is_verb(tokens, place))
        for place in between
    )


def _is_third_person(tokens: Tokens, position: int) -> bool:
    """Whether a word may be the third person of a full verb."""
    word = tokens.lower[position]
    if word in auxiliaries() or not plural_form(word) or tokens.is_hyphenated(position):
        return False
    return tokens.words[position].islower() and not _is_state(tokens, position)


def _is_directly_behind(tokens: Tokens, verb: int, start: int) -> bool:
    """Whether no object and the like stands between a verb and a joint: "gets up and"."""
    return all(
        is_adverb(word) or word in words("no_verbs") for word in tokens.lower[verb + 1 : start]
    )


def _may_be_verb(tokens: Tokens, position: int) -> bool:
    """Whether a word that the table lacks has the form of a verb, and no verb behind it.

    "She codes and vlogs", but "She smiles and friends come".
    """
    word, behind = tokens.lower[position], tokens.lower[position + 1 : position + 2]
    if plural_form(word) or not tokens.words[position].islower():
        return False
    is_subject = bool(behind) and (
        behind[0] in _COORDINATORS or is_base(behind[0]) or plural_form(behind[0]) != ""
    )
    return guessed_plural_form(word) != "" and not is_subject


def _has_bare_object(tokens: Tokens, position: int) -> bool:
    """Whether a word is a verb as a noun stands directly behind it: "and brews beer"."""
    behind = position + 1
    if behind >= len(tokens.lower) or tokens.gaps[behind] != " ":
        return False
    word = tokens.lower[behind]
    if not _is_third_person(tokens, position) or not tokens.words[behind].islower():
        return False
    # "helps people", but "dogs bark"
    is_other = is_base(word) and decide_one("verb", tokens, behind) > 0
    is_other = is_other or is_adverb(word) or word.endswith(_PARTICIPLES)
    is_other = is_other or word in words("after_object") or word in words("after_phrase")
    return is_noun(word) and not is_other


def _is_state(tokens: Tokens, position: int) -> bool:
    """Whether a word is a noun with its state: the arms of "stands, arms folded"."""
    behind = position + 1
    if tokens.lower[position] in auxiliaries() or behind >= len(tokens.lower):
        return False
    if tokens.gaps[behind] != " " or not tokens.lower[behind].endswith(_PARTICIPLES):
        return False
    after = behind + 1
    if after == len(tokens.lower) or tokens.gaps[after] != " ":
        return True
    word = tokens.lower[after]
    return is_adverb(word) or word in words("no_verbs") or word in _COORDINATORS


# How many words may stand behind the verb of "she who laughs" before the main verb.
_REACH_OF_SUBJECT = 12
_BEFORE_SUBJECT = re.compile(r"\s+[\"“„«‘‚'`*_(\[]*")


def verbs_of(tokens: Tokens, index: int) -> list[int]:
    """Find the finite verbs whose subject a pronoun is.

    Args:
        index: Which word is the subject, "he" or "she"; of "he or she" the last word.

    Returns:
        Which words are the verbs, in the order of the text. Of a contraction it is the tail, the
        s of "she's"; of "isn't" it is isn. Verbs in other forms than the third person singular may
        be among them.

    Example:
        >>> from fair_datasets.reader.matching.tokenizer import tokenize
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
        is_question = position > 0 and lower[position - 1] in _QUESTION_OPENERS
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
    """Whether an auxiliary belongs to what stands before it: "it was she"."""
    if not position or not tokens.gaps[position].isspace() or ends_before(tokens, position):
        return False
    lower = tokens.lower
    if lower[position - 1] in ("he", "it", "she", "that", "there", "this"):
        return True
    if lower[position] not in ("is", "was", "isn", "wasn"):
        return False
    opening = position
    while opening > max(0, position - 6) and not ends_before(tokens, opening):
        opening -= 1
    before = lower[opening:position]
    if not _INVERTERS.isdisjoint(before) or not words("clause_openers").isdisjoint(before):
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
    main = verb_behind_parenthetical(tokens, index)
    position = verb_from(tokens, start + is_relative) if main is None or is_relative else main
    if position is None:
        return
    yield position
    if is_relative:
        # "She who has it is lucky": both verbs are hers.
        main = _main_verb(tokens, position) if main is None else main
    if main is not None and main > position:
        yield main
        position = main
    if is_frame(tokens, index, position):
        return
    is_embedded = index > 0 and lower[index - 1] in words("clause_openers")
    yield from joined_verbs(tokens, position, is_embedded)


def _main_verb(tokens: Tokens, position: int) -> int | None:
    """Find the verb behind that of "she who has"."""
    for main in range(position + 1, min(position + _REACH_OF_SUBJECT, len(tokens.lower))):
        if ends_before(tokens, main):
            return None
        if plural_form(tokens.lower[main]) and is_verb(tokens, main):
            return main
    return None
