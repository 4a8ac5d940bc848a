"""Whether a demographic word is said of a person: "she is Muslim", "called him gay"."""

from fair_datasets.matching.people.person_nouns import is_people, is_person_noun, people_words
from fair_datasets.matching.people.phrases import (
    CONJUNCTIONS,
    REACH,
    ends_phrase,
    head_of_subject,
    is_between,
    is_function_word,
    is_modifier,
    names_person,
)
from fair_datasets.matching.tokens import APOSTROPHES, Tokens

# How many words before "they" those whom it means are looked for.
_REACH_OF_THEY = 12


def is_said_of_person(tokens: Tokens, first: int, last: int) -> bool:
    """Tell whether a term is said of a person.

    Args:
        tokens: The text.
        first: The first word of the term.
        last: Its last word, inclusive.

    Returns:
        True behind a verb or "as" that links it to a person; False if in doubt.

    Example:
        >>> from fair_datasets.matching.tokens import tokenize
        >>> is_said_of_person(tokenize("she was Latina"), 2, 2)
        True
        >>> is_said_of_person(tokenize("it was black"), 2, 2)
        False
    """
    lower = tokens.lower
    after = lower[last + 1] if last + 1 < len(lower) and tokens.gaps[last + 1].isspace() else ""
    if after in people_words("against_predicate") or _describes_mood(tokens, first, last):
        return False
    if not (ends_phrase(tokens, last) or after in CONJUNCTIONS):
        return False
    for index in range(first - 1, max(-1, first - REACH), -1):
        word, gap = lower[index], tokens.gaps[index + 1]
        if not (gap.isspace() or gap in APOSTROPHES or gap == ", "):
            return False
        if word == "as":
            return index > 0 and lower[index - 1] in people_words("before_as")
        if word in people_words("linking_verbs"):
            return _links_person(tokens, index, lower[last])
        if index and _is_named(tokens, index, lower[last]):
            return True
        if index and names_person(tokens, index):
            return _is_asked(tokens, index)
        if not (is_between(word) or is_modifier(word) or word in CONJUNCTIONS):
            return False
    return False


def _describes_mood(tokens: Tokens, first: int, last: int) -> bool:
    """Tell whether "gay" is cheerful, or "straight" upright, by the adjectives beside it."""
    lists = {"gay": "moods", "straight": "postures"}
    if tokens.lower[last] not in lists:
        return False
    start, stop = first, last
    while start > max(0, first - 2) and tokens.gaps[start] in (" ", ", "):
        start -= 1
    while stop + 1 < min(len(tokens.lower), last + 3) and tokens.gaps[stop + 1] in (" ", ", "):
        stop += 1
    around = tokens.lower[start : stop + 1]
    return not people_words(lists[tokens.lower[last]]).isdisjoint(around)


def _links_person(tokens: Tokens, verb: int, term: str) -> bool:
    """Tell whether a linking verb links a term to a person."""
    word, lower = tokens.lower[verb], tokens.lower
    before = lower[verb - 1] if verb else ""
    if word in ("s", "m", "re") and tokens.gaps[verb] not in APOSTROPHES:
        return False
    if term in people_words("face_colours") and word in people_words("face_changes"):
        return False  # "you looked so white", "he went white"
    if word in ("im", "hes", "shes", "theyre", "youre"):
        return True
    opens = not verb or not (tokens.gaps[verb].isspace() or tokens.gaps[verb] in APOSTROPHES)
    if word == "being" and (opens or before in people_words("prepositions")):
        return True
    is_of_things = term in people_words("also_of_things")
    is_infinitive = word == "be" and before == "to" and verb > 1
    if is_infinitive and not is_of_things and lower[verb - 2] in people_words("attitudes"):
        return True
    head = head_of_subject(tokens, verb)
    if head < 0 or not names_person(tokens, head):
        return False
    return lower[head] not in ("they", "them") or not is_of_things or _are_people(tokens, head)


def _are_people(tokens: Tokens, pronoun: int) -> bool:
    """Tell whether "they" are persons: whether such stand before it, and no things between."""
    for index in range(pronoun - 1, max(-1, pronoun - _REACH_OF_THEY), -1):
        if tokens.opens_sentence(index + 1):
            return False
        word = tokens.lower[index]
        if is_person_noun(word) or (is_people(word) and word.endswith("s")):
            return True
        if len(word) > 3 and word.endswith("s") and not is_function_word(word):
            return False
    return False


def _is_named(tokens: Tokens, index: int, term: str) -> bool:
    """Tell whether a word is a person who is called something: "called him gay"."""
    lower = tokens.lower
    if lower[index] == "them" and term in people_words("also_of_things"):
        return False
    is_person = lower[index] in people_words("named_persons")
    return is_person and lower[index - 1] in people_words("naming_verbs")


def _is_asked(tokens: Tokens, subject: int) -> bool:
    """Tell whether a question is what a person is: "Is your dentist Hindu?"."""
    lower = tokens.lower
    for index in range(subject - 1, max(-1, subject - REACH), -1):
        gap = tokens.gaps[index + 1]
        if not (gap.isspace() or gap in APOSTROPHES):
            return False
        word = lower[index]
        if word in people_words("be_forms") or word in ("isn", "aren", "wasn", "weren"):
            if tokens.opens_sentence(index) or not tokens.gaps[index].isspace():
                return True
            opens = lower[index - 1] in people_words("question_openers")
            return opens or lower[subject] in people_words("personal_subjects")
        is_inside = word in people_words("determiners") or is_modifier(word) or word in ("s", "t")
        if not (is_inside or is_person_noun(word) or tokens.words[index][0].isupper()):
            return False
    return False
