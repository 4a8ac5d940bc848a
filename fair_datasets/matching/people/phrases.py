"""Noun phrases about persons: where one ends, and what the subject of a verb is."""

from functools import cache, lru_cache

from fair_datasets.matching.classifier.decide import decide
from fair_datasets.matching.neighbours import neighbours
from fair_datasets.matching.people.person_nouns import (
    is_people,
    is_person_noun,
    people_words,
    unambiguous_first_names,
)
from fair_datasets.matching.tokens import APOSTROPHES, Tokens

CONJUNCTIONS = frozenset({"and", "but", "or"})
# How many words away a noun or a subject may be.
REACH = 8
_ADJECTIVE_ENDINGS = (
    *("ative", "esque", "ful", "ible", "ical"),
    *("ional", "ish", "istic", "less", "ous"),
)
_STOPS = frozenset(".!?;:")
_VERB_ENDINGS = ("ed", "ing")


def subject_is_person(tokens: Tokens, verb: int) -> bool:
    """Tell whether the subject of a verb is a person.

    Args:
        tokens: The text.
        verb: The word of the verb, or the first word of what is said of the subject.

    Returns:
        True behind a personal pronoun, a noun for persons or a first name; False if in doubt.

    Example:
        >>> from fair_datasets.matching.tokens import tokenize
        >>> subject_is_person(tokenize("The man in the car was white."), 5)
        True
        >>> subject_is_person(tokenize("The walls are white."), 2)
        False
    """
    head = head_of_subject(tokens, verb)
    return head >= 0 and names_person(tokens, head)


def head_of_subject(tokens: Tokens, verb: int) -> int:
    """Return the head of the noun phrase before a verb; -1 if there is none."""
    lower = tokens.lower
    floor = max(-1, verb - 1 - REACH)
    index = verb - 1
    while index > floor and _is_skipped(tokens, index):
        index -= 1
    head = index
    if head > floor and lower[head] in people_words("personal_subjects"):
        return head
    while index > floor and _is_in_clause(tokens, index):
        if lower[index] == "of" and index and lower[index - 1] in people_words("quantities"):
            break
        if lower[index] in people_words("prepositions"):
            head = index - 1
        elif lower[index] in people_words("determiners"):
            if index < 1 or lower[index - 1] not in people_words("prepositions"):
                break
        elif index < head and is_function_word(lower[index]):
            break
        index -= 1
    return head if head > floor else -1


def _is_skipped(tokens: Tokens, index: int) -> bool:
    """Tell whether a word stands between a subject and what is said of it."""
    word = tokens.lower[index]
    if word == "who" or not _is_in_clause(tokens, index):
        return False
    return is_between(word) or word in people_words("linking_verbs")


def _is_in_clause(tokens: Tokens, index: int) -> bool:
    """Tell whether nothing but a space, an apostrophe or a hyphen stands behind a word."""
    gap = tokens.gaps[index + 1]
    return gap.isspace() or gap in APOSTROPHES or gap == "-"


def names_person(tokens: Tokens, index: int) -> bool:
    """Tell whether the head of a noun phrase is a person."""
    word = tokens.lower[index]
    if word in people_words("personal_subjects") or is_person_noun(word):
        return True
    if word in ("them", "us", "who"):
        return True
    if word in people_words("peoples") or not tokens.words[index][0].isupper():
        return is_people(word) and word.endswith("s")
    return any(
        opens_name(tokens, place) and (place == index or tokens.gaps[index] in (" ", ". "))
        for place in (index, index - 1)
        if place >= 0
    )


def opens_name(tokens: Tokens, index: int) -> bool:
    """Tell whether a word is a title or a first name."""
    return tokens.words[index] in unambiguous_first_names() or (
        tokens.lower[index] in people_words("titles") and tokens.words[index][0].isupper()
    )


def ends_phrase(tokens: Tokens, index: int, depth: int = 3) -> bool:
    """Tell whether a noun phrase ends behind a word."""
    gap = tokens.gaps[index + 1]
    if index + 1 == len(tokens.lower) or gap.strip() not in ("", ",", "/", "-"):
        return True
    after = tokens.lower[index + 1]
    if gap.strip() in ("/", "-"):
        return False
    goes_on = index + 2 < len(tokens.lower) and _STOPS.isdisjoint(tokens.gaps[index + 2])
    if depth and after in CONJUNCTIONS and goes_on:
        after = tokens.lower[index + 2]
        if is_people(after) or is_modifier(after):
            return ends_phrase(tokens, index + 2, depth - 1)
        if "," in gap or is_function_word(after) or is_person_noun(after):
            return True
        is_verb = after in people_words("verbs") or _is_form_with_s(after)
        return is_verb and _is_before_complement(tokens, index + 2)
    if _is_verb(tokens, index + 1) or ("," in gap and after.endswith("ed")):
        return True
    if goes_on and _has_object(tokens, index + 1):
        return True
    if tokens.gaps[index + 2] == "-":
        return "," in gap
    if is_people(after) or is_modifier(after):
        return "," in gap and depth > 0 and ends_phrase(tokens, index + 1, depth - 1)
    return "," in gap or is_function_word(after)


def _has_object(tokens: Tokens, verb: int) -> bool:
    """Tell whether an unknown word is a verb, as its object follows: "share the kitchen"."""
    word = tokens.lower[verb]
    if is_people(word) or is_modifier(word) or is_person_noun(word) or is_function_word(word):
        return False
    opens_object = tokens.lower[verb + 1] in people_words("object_openers")
    return tokens.words[verb].islower() and tokens.gaps[verb + 1] == " " and opens_object


def ends_at_person(tokens: Tokens, noun: int) -> bool:
    """Tell whether a phrase ends behind its noun for persons, as it does where they act.

    Args:
        tokens: The text.
        noun: The noun.

    Returns:
        False where another noun follows, which names something else: "a family home".

    Example:
        >>> from fair_datasets.matching.tokens import tokenize
        >>> ends_at_person(tokenize("an old couple kissing"), 2)
        True
        >>> ends_at_person(tokenize("an old family gathering"), 2)
        False
    """
    if ends_phrase(tokens, noun):
        return True
    word = tokens.lower[noun + 1]
    if "," in tokens.gaps[noun + 1] or word in CONJUNCTIONS:
        goes_on = tokens.gaps[noun + 2].isspace()
        following = tokens.lower[noun + 1 : noun + 2 + goes_on]
        is_noun = not is_modifier(tokens.lower[noun])
        return is_noun and people_words("fields").isdisjoint(following)
    if not tokens.gaps[noun + 1].isspace() or tokens.gaps[noun + 2] == "-":
        return False
    if len(word) > 4 and word.endswith(_VERB_ENDINGS):
        return word not in people_words("gerund_nouns") and not word.endswith("eed")
    if word not in people_words("verbs") and not _is_form_with_s(word):
        return False
    if word in people_words("verbs") and _is_before_complement(tokens, noun + 1):
        return True
    return _is_only_verb(tokens, noun + 1) or decide("verb", tokens, noun + 1) > 0


def opens_predicate(tokens: Tokens, index: int) -> bool:
    """Tell whether a verb behind the name of a group says what they do: "the Irish drink tea".

    Args:
        tokens: The text.
        index: The word behind the name of the group, which opens a clause.

    Returns:
        False where the word is a noun ("the Irish drink industry grows"): a clause has one verb.

    Example:
        >>> from fair_datasets.matching.tokens import tokenize
        >>> opens_predicate(tokenize("The elderly need better buses."), 2)
        True
    """
    lower, gaps = tokens.lower, tokens.gaps
    if index + 1 >= len(lower) or lower[index] not in people_words("verbs"):
        return False
    if not (gaps[index].isspace() and gaps[index + 1].isspace()):
        return False
    if is_function_word(lower[index + 1]) or is_modifier(lower[index + 1]):
        return _is_before_complement(tokens, index)
    return _is_only_verb(tokens, index)


def _is_only_verb(tokens: Tokens, index: int) -> bool:
    """Tell whether no other word of a clause looks like its verb."""
    lower, gaps = tokens.lower, tokens.gaps
    for step in (-1, 1):
        for place in range(index + step, index + step * (REACH + 1), step):
            gap = gaps[place + (step < 0)] if 0 <= place < len(lower) else "."
            if not (gap.isspace() or gap == ","):
                break
            word = lower[place]
            is_listed = word in people_words("linking_verbs") or word in people_words("verbs")
            is_past = word.endswith("ed") and not tokens.opens_sentence(place)
            is_form = _is_form_with_s(word) or is_past or word in _auxiliaries()
            if is_listed or is_form:
                return False
    return True


def _is_before_complement(tokens: Tokens, verb: int) -> bool:
    """Tell whether what stands behind a word follows a verb sooner than a noun."""
    gap = tokens.gaps[verb + 1]
    if verb + 1 == len(tokens.lower) or not gap.isspace():
        return False
    after = tokens.lower[verb + 1]
    if after in CONJUNCTIONS or after in _auxiliaries() or after == "of":
        return False
    return is_function_word(after) or is_modifier(after)


@lru_cache(maxsize=20_000)
def _is_form_with_s(word: str) -> bool:
    """Tell whether a word looks like a verb for the third person: "lives", "goes"."""
    verbs = people_words("verbs")
    return word.endswith("s") and (word[:-1] in verbs or word.removesuffix("es") in verbs)


@cache
def _auxiliaries() -> frozenset[str]:
    """Return the verbs that no other verb in the present stands directly before."""
    return (neighbours("auxiliaries") | people_words("be_forms")) - people_words("determiners")


def _is_verb(tokens: Tokens, index: int) -> bool:
    """Tell whether a word looks like a verb and what cannot follow an adjective is behind it."""
    word = tokens.lower[index]
    past = len(word) > 4 and word.endswith("ed") and not word.endswith("eed")
    gap = tokens.gaps[index + 1]
    if index + 1 >= len(tokens.lower) or not gap.isspace():
        return past and word not in people_words("modifiers") and gap.strip() != "-"
    after = tokens.lower[index + 1]
    if after in CONJUNCTIONS or after in _auxiliaries() or not is_function_word(after):
        return False
    return word in neighbours("base_verbs") or (len(word) > 4 and word.endswith(_VERB_ENDINGS))


@lru_cache(maxsize=20_000)
def is_modifier(word: str) -> bool:
    """Tell whether a word may stand between an adjective and its noun."""
    return (
        word in people_words("modifiers")
        or is_people(word)
        or (len(word) > 4 and word.endswith(_ADJECTIVE_ENDINGS))
        or (len(word) > 4 and word.endswith("ed") and not word.endswith("eed"))
        or (len(word) > 4 and word.endswith("ly") and word not in neighbours("no_adverbs"))
    )


@lru_cache(maxsize=20_000)
def is_between(word: str) -> bool:
    """Tell whether a word is an adverb or an auxiliary verb."""
    return word in people_words("between") or (len(word) > 4 and word.endswith("ly"))


@lru_cache(maxsize=20_000)
def is_function_word(word: str) -> bool:
    """Tell whether a word is no part of the noun phrase before it."""
    return (
        word in people_words("after_phrase")
        or word in people_words("determiners")
        or word in people_words("prepositions")
        or word in people_words("linking_verbs")
        or word in people_words("personal_subjects")
        or word in neighbours("after_noun")
    )
