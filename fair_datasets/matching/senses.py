"""Telling a term from the verb or the thing that is spelt like it, by its neighbours.

A word that is marked as often denoting a thing is of one of two sorts. "Count", "king" and the like
denote a person only where the neighbours speak for it; "man", "sister" and the like denote one
unless the neighbours speak against it: "sister company", "oh man", "Iron Man".
"""

from functools import cache

from fair_datasets.matching.determiners import has_determiner, next_word, word_before
from fair_datasets.matching.exclamations import is_exclaimed
from fair_datasets.matching.neighbours import LISTS, neighbours
from fair_datasets.matching.other_names import is_of_other_name
from fair_datasets.matching.tokens import APOSTROPHES, Tokens

# How many words around a term are searched for those of a game or a plug.
_WINDOW = 12


def is_verb(tokens: Tokens, index: int) -> bool:
    """Tell whether a word that may be a verb ("host", "fathers") is one here.

    Args:
        tokens: The text.
        index: Which word it is.

    Returns:
        True for "to host a party", False for "the host".

    Example:
        >>> from fair_datasets.matching.tokens import tokenize
        >>> is_verb(tokenize("to host a party"), 1), is_verb(tokenize("the host spoke"), 1)
        (True, False)
    """
    if tokens.lower[index].endswith(("ed", "ing")):
        return True  # "fathered"
    if _follows_article(tokens, index):
        return False
    before = word_before(tokens, index)
    follower = next_word(tokens, index)
    if before == "to" and (not follower or follower in LISTS.after_noun):
        return False  # "talked to mother and left"
    if before in LISTS.before_verb:
        return True
    has_object = follower in LISTS.determiners
    if tokens.lower[index].endswith("s") and before in LISTS.before_third_person:
        return has_object or before != "and"
    return (
        has_object
        and before not in LISTS.determiners
        and (not tokens.is_capitalised(index) or _is_order(tokens, index))
    )


def _is_order(tokens: Tokens, index: int) -> bool:
    """Tell whether a capitalised verb may open a sentence: "Man the lifeboats"."""
    return tokens.opens_sentence(index) and tokens.lower[index] not in LISTS.relatives


def is_person(tokens: Tokens, index: int) -> bool:
    """Tell whether a word that often denotes a thing ("king", "sister") denotes a person here.

    Args:
        tokens: The text.
        index: Which word it is.

    Returns:
        True for "the king said" and "King James", False for "king size".

    Example:
        >>> from fair_datasets.matching.tokens import tokenize
        >>> is_person(tokenize("the king said"), 1), is_person(tokenize("a king size bed"), 1)
        (True, False)
    """
    word = tokens.lower[index]
    if word in LISTS.abbreviations and _is_beside_number(tokens, index):
        return False
    if word in LISTS.persons_by_default:
        is_plain = word not in LISTS.exclamations and not tokens.is_capitalised(index)
        is_plain = is_plain or _follows_article(tokens, index)
        return (is_plain and not _may_be_compound(tokens, index, word)) or not _is_thing(
            tokens, index, word
        )
    if word not in LISTS.needs_name and is_title(tokens, index):
        return True
    if tokens.is_hyphenated(index) or _is_in_game(tokens, index, word):
        return False
    if word in LISTS.deities and tokens.is_capitalised(index):
        return False
    if word in LISTS.needs_owner:
        return _is_owned(tokens, index)
    if word in LISTS.needs_name:
        return is_title(tokens, index) or _acts(tokens, index)
    if is_of_other_name(tokens, index):
        return False
    return _is_noun_of_a_person(tokens, index)


def _is_noun_of_a_person(tokens: Tokens, index: int) -> bool:
    """Tell whether a word stands where the noun of a person does: "a young king", "as king"."""
    is_noun = has_determiner(tokens, index)
    follower = next_word(tokens, index)
    if follower == "s" and tokens.gap(index + 1) in APOSTROPHES:
        # "the king's daughter", but "a bachelor's from Leeds"
        owned = next_word(tokens, index + 1)
        is_degree = tokens.lower[index] in LISTS.degrees
        return is_noun and not (
            is_degree and (not owned or owned in LISTS.after_noun or owned == "degree")
        )
    before = word_before(tokens, index)
    if tokens.lower[index] in LISTS.degrees and (
        before in LISTS.singular_determiners or follower in LISTS.after_degree
    ):
        return tokens.lower[index] == "bachelor" and follower not in LISTS.after_degree
    if tokens.is_capitalised(index) and before == "the":
        return not tokens.is_capitalised(index + 1) if follower else True
    if (
        is_noun
        and tokens.word(index).islower()
        and tokens.lower[index] in LISTS.before_name
        and (follower and tokens.word(index + 1).istitle())
    ):
        return True  # "the god Apollo"
    # "the king agreed", but "a king bed".
    is_verb_form = len(follower) > 4 and follower.endswith(("ed", "ing"))
    is_adverb = follower.endswith("ly") and follower not in LISTS.no_adverbs
    ends_phrase = is_verb_form or is_adverb or follower in LISTS.after_noun
    return (not follower or ends_phrase) and (is_noun or before in LISTS.before_role)


def _acts(tokens: Tokens, index: int) -> bool:
    """Tell whether a word behind an article does what only people do: "the count smiled"."""
    follower = next_word(tokens, index)
    if follower == "s" and tokens.gap(index + 1) in APOSTROPHES:
        follower = ""
        owns = tokens.gap(index + 2) == " "
    else:
        owns = False
    before, lower = word_before(tokens, index), tokens.lower
    if before == "of" and lower[index - 2] in LISTS.ranks:
        return True
    is_noun = has_determiner(tokens, index)
    if is_noun and not LISTS.royalty.isdisjoint(lower[max(0, index - _WINDOW) : index + _WINDOW]):
        return True
    is_name = tokens.is_capitalised(index) and not tokens.opens_sentence(index)
    return is_noun and (owns or is_name or follower in LISTS.after_person)


def _is_owned(tokens: Tokens, index: int) -> bool:
    """Tell "my mummy" and "Mummy said" from "the mummy of a pharaoh"."""
    before = word_before(tokens, index)
    if before in LISTS.owners or (before == "s" and tokens.gap(index - 1) in APOSTROPHES):
        return True
    if before in ("and", "or") and tokens.lower[index - 2] in LISTS.needs_owner:
        return True  # "my ma and pa"
    word = tokens.word(index)
    is_name = word.istitle() and before not in LISTS.determiners
    is_name = is_name and not tokens.gap(index + 1).startswith(tuple(APOSTROPHES))
    return is_name and not is_of_other_name(tokens, index)


def _is_thing(tokens: Tokens, index: int, word: str) -> bool:
    """Tell whether a word that mostly denotes a person is none: a part of a compound or a name."""
    follower = next_word(tokens, index)
    if follower and follower in _heads(word):
        return True
    if word in LISTS.exclamations and not _is_marked(tokens, index) and is_exclaimed(tokens, index):
        return True
    if tokens.is_capitalised(index):
        before = word_before(tokens, index)
        if word in LISTS.deities:
            return not is_title(tokens, index)
        if word == "son" and before in ("his", "the"):
            return True  # "God and His Son"
        if word in LISTS.names_too:
            return follower != "of" and before not in LISTS.before_nobility
        return is_of_other_name(tokens, index)
    if follower == "one" and word in LISTS.plugs:
        around = tokens.lower[max(0, index - _WINDOW) : index + _WINDOW]
        return not LISTS.heads_of_plugs.isdisjoint(around)
    # "to lord it over them", "to man up"
    return (word, follower) in (("lord", "it"), ("man", "up"))


def _is_marked(tokens: Tokens, index: int) -> bool:
    """Tell whether a determiner stands directly before a word."""
    return word_before(tokens, index) in LISTS.determiners


def _is_beside_number(tokens: Tokens, index: int) -> bool:
    """Tell whether a word is an abbreviation with a number: "5 gal", "chap. 4"."""
    if index and tokens.lower[index - 1].isdigit():
        return True
    is_dotted = tokens.gap(index + 1) == ". " and index + 1 < len(tokens.lower)
    return is_dotted and tokens.lower[index + 1].isdigit()


def _follows_article(tokens: Tokens, index: int) -> bool:
    """Tell quickly whether a word in lower case follows a determiner: "a man", "her mother"."""
    start = tokens.starts[index]
    if not index or tokens.text[start - 1] != " " or not tokens.text[start].islower():
        return False
    before = tokens.lower[index - 1]
    return before != "that" and before in LISTS.determiners


def _may_be_compound(tokens: Tokens, index: int, word: str) -> bool:
    """Tell quickly whether the next word may make a thing or a verb of a word."""
    if index + 1 == len(tokens.lower):
        return False
    follower = tokens.lower[index + 1]
    return follower in _heads(word) or follower in ("one", "it", "up")


@cache
def _heads(word: str) -> frozenset[str]:
    """List the nouns that make a thing of a word before them: "sister company"."""
    kinds = ("relatives", "plugs", "youths", "ropes", "animals")
    lists = [neighbours(f"heads_of_{kind}") for kind in kinds if word in neighbours(kind)]
    return frozenset().union(*lists)


def _is_in_game(tokens: Tokens, index: int, word: str) -> bool:
    """Tell whether a king or a queen is a card or a piece: "king of hearts", "queen takes d5"."""
    if word not in LISTS.pieces:
        return False
    lower = tokens.lower
    if lower[index + 1 : index + 2] == ["of"] and index + 2 < len(lower):
        return lower[index + 2] in LISTS.suits
    if not LISTS.chess.isdisjoint(lower[max(0, index - _WINDOW) : index + _WINDOW]):
        return True
    return any(
        len(other) == 2 and other[0] in "abcdefgh" and other[1] in "12345678"
        for other in lower[max(0, index - 4) : index + 5]
    )


def is_title(tokens: Tokens, index: int) -> bool:
    """Tell whether a capitalised word stands directly before another one ("Miss Woodhouse").

    Args:
        tokens: The text.
        index: Which word it is.

    Returns:
        True where both words are capitalised, without being all in capitals.

    Example:
        >>> from fair_datasets.matching.tokens import tokenize
        >>> is_title(tokenize("Miss Smith"), 0), is_title(tokenize("I Miss you"), 1)
        (True, False)
    """
    word = tokens.word(index)
    if not word[0].isupper():
        return False
    is_noble = tokens.lower[index] in LISTS.nobility
    if is_noble and word_before(tokens, index) in LISTS.ordinals:
        return True  # "the fifth Lord"
    if index + 1 >= len(tokens.lower) or tokens.gap(index + 1) not in (" ", ". "):
        return False
    name = tokens.word(index + 1)
    if is_noble and tokens.lower[index + 1] == "of":
        return _is_title_of_place(tokens, index)
    if not name[0].isupper():
        return False
    if word.isupper() and not (name.isupper() and tokens.gap(index + 1) == ". "):
        return False  # "MISS YOU", "MS Society", but "MS. CHEN"
    # "King Street" is no king, and "I Miss You" a headline.
    return not any(
        name.lower() in neighbours(kind)
        for kind in ("after_other_name", "after_object", "determiners")
    )


def _is_title_of_place(tokens: Tokens, index: int) -> bool:
    """Tell whether a title of nobility belongs to a place: "Lady of Beilstein"."""
    after = [place for place in (index + 2, index + 3) if place < len(tokens.lower)]
    return any(tokens.is_capitalised(place) for place in after)
