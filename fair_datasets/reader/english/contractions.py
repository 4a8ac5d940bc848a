"""What the s of "she's" stands for: "has" ("she's hurt her knee") or "is" ("she's hurt").

Only the participle behind it leaves that open. Closed classes of participles and an object of their
own decide ("has"), or a state ("is"); the classifier decides the rest.
"""

from fair_datasets.reader.english.classifier.decide import decide_one, is_noun
from fair_datasets.reader.english.lists import OBJECT_PRONOUNS, POSSESSIVE_DETERMINERS, words
from fair_datasets.reader.english.verbs import behind_adverbs, ends_before, is_past_participle
from fair_datasets.reader.matching.tokenizer import Tokens

# Follow the 's that stands for "has", and never the one that stands for "is".
_AFTER_HAS = frozenset({"been", "become", "got", "gotten", "had"})
# What one is rather than has done, unless an object or the like stands behind: "she's done".
_STATES = frozenset({"done", "set"})
_BEHIND_STATE = frozenset({"and", "as", "because", "but", "for", "here", "if", "now", "to"})
_BEHIND_STATE |= {"when", "with"}
# Stand between a participle and its object: "he's set up a shop"; and the one that as a
# preposition stands before most articles: "he's put on the list", but "put on his hat".
_PARTICLES = frozenset({"away", "back", "down", "off", "on", "out", "up"})
_PREPOSITION = "on"
_GAINED = frozenset({"fat", "muscle", "pounds", "some", "weight"})
_OBJECTS = frozenset(
    {*OBJECT_PRONOUNS, "anything", "everything", "herself", "himself", "nothing", "something"}
)
# Open what tells when or how much, and no object: "she's paid every day", "he's hurt a lot".
_NO_OBJECTS = frozenset({"all", "both", "each", "no", "that"})
_AMOUNTS = frozenset({"bit", "little", "lot", "moment", "morning", "night", "time", "way"})


def stands_for_has(tokens: Tokens, position: int, subject: int) -> bool:
    """Whether the s of "she's" stands for "has".

    Args:
        position: The s.
        subject: Its subject, which stands behind it in a question: "Where's she been?".

    Returns:
        False where it stands for "is".

    Example:
        >>> from fair_datasets.reader.matching.tokenizer import tokenize
        >>> texts = "She's hurt her knee.", "She's hurt."
        >>> [stands_for_has(tokenize(text), 1, 0) for text in texts]
        [True, False]
    """
    participle = behind_adverbs(tokens, max(position, subject) + 1)
    if participle is None:
        return False
    word = tokens.lower[participle]
    if word in _AFTER_HAS:
        return True
    if word in words("active_participles"):
        return "by" not in tokens.lower[participle + 1 : participle + 3]
    if not is_past_participle(word) or _is_state(tokens, position, subject, participle):
        return False
    if _has_object(tokens, participle):
        return True
    return word not in words("stative_participles") and decide_one("has", tokens, position) > 0


def _next(tokens: Tokens, place: int) -> str:
    """Return the word behind a word; empty if a sign stands between, or the text ends."""
    behind = place + 1
    is_next = behind < len(tokens.lower) and tokens.gaps[behind].isspace()
    return tokens.lower[behind] if is_next and not ends_before(tokens, behind) else ""


def _is_state(tokens: Tokens, position: int, subject: int, participle: int) -> bool:
    """Whether someone is done or set: "she's done with it", but "all she's done"."""
    if tokens.lower[participle] not in _STATES or position < subject:
        return False
    behind = _next(tokens, participle)
    if behind and behind not in _BEHIND_STATE and not behind.endswith("ing"):
        return False
    opens_clause = subject == 0 or not tokens.gaps[subject].isspace()
    return opens_clause or tokens.lower[subject - 1] in words("before_clause")


def _has_object(tokens: Tokens, participle: int) -> bool:
    """Whether a participle has an object, as it has in the active voice."""
    word, place = _next(tokens, participle), participle + 1
    is_preposition = word == _PREPOSITION
    if word in _PARTICLES:
        word, place = _next(tokens, place), place + 1
    if is_preposition:
        return word in POSSESSIVE_DETERMINERS or word in _GAINED
    if word in _OBJECTS:
        return True
    if not word or tokens.lower[participle] in words("passive_with_object"):
        return False
    if word in words("determiners"):
        return not _tells_when(tokens, place)
    is_name = tokens.words[place].istitle() and tokens.words[participle].islower()
    return (is_name and word not in words("never_in_names")) or is_noun(word)


def _tells_when(tokens: Tokens, place: int) -> bool:
    """Whether a determiner opens what tells when or how much: "she's paid every day"."""
    if tokens.lower[place] in _NO_OBJECTS:
        return True
    several = tokens.lower[place + 1 : place + 3]
    return any(word in _AMOUNTS or word in words("spans") for word in several)
