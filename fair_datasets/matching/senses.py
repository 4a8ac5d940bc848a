"""Telling a term from the verb or the thing that is spelt like it, by its neighbours.

A word that is marked as often denoting a thing is of one of two sorts. "Count", "king" and the like
denote a person only where the neighbours speak for it; "man", "sister" and the like denote one
unless the neighbours speak against it: "sister company", "oh man", "Iron Man".
"""

from fair_datasets.matching.neighbours import neighbours
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
    before = _word_before(tokens, index)
    follower = _next_word(tokens, index)
    if before == "to" and (not follower or follower in neighbours("after_noun")):
        return False  # "talked to mother and left"
    if before in neighbours("before_verb"):
        return True
    has_object = follower in neighbours("determiners")
    if tokens.lower[index].endswith("s") and before in neighbours("before_third_person"):
        return has_object or before != "and"
    return (
        has_object
        and before not in neighbours("determiners")
        and not tokens.words[index][0].isupper()
    )


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
    if word in neighbours("persons_by_default"):
        return not _is_thing(tokens, index, word)
    if word not in neighbours("needs_name") and is_title(tokens, index):
        return True
    if tokens.is_hyphenated(index) or _is_in_game(tokens, index, word):
        return False
    if word in neighbours("deities") and tokens.words[index][0].isupper():
        return False
    if word in neighbours("needs_owner"):
        return _is_owned(tokens, index)
    if word in neighbours("needs_name"):
        return is_title(tokens, index) or _acts(tokens, index)
    if _is_of_other_name(tokens, index):
        return False
    return _is_noun_of_a_person(tokens, index)


def _is_noun_of_a_person(tokens: Tokens, index: int) -> bool:
    """Tell whether a word stands where the noun of a person does: "a young king", "as king"."""
    has_determiner = _has_determiner(tokens, index)
    follower = _next_word(tokens, index)
    if follower == "s" and tokens.gaps[index + 1] in APOSTROPHES:
        # "the king's daughter", but "a bachelor's from Leeds"
        owned = _next_word(tokens, index + 1)
        is_degree = tokens.lower[index] in neighbours("degrees")
        return has_determiner and not (
            is_degree and (not owned or owned in neighbours("after_noun") or owned == "degree")
        )
    before = _word_before(tokens, index)
    if tokens.lower[index] in neighbours("degrees") and (
        before in neighbours("singular_determiners") or follower in neighbours("after_degree")
    ):
        return tokens.lower[index] == "bachelor" and follower not in neighbours("after_degree")
    if tokens.words[index][0].isupper() and before == "the":
        return not tokens.words[index + 1][0].isupper() if follower else True
    # "the king agreed", but "a king bed".
    is_verb_form = len(follower) > 4 and follower.endswith(("ed", "ing"))
    is_adverb = follower.endswith("ly") and follower not in neighbours("no_adverbs")
    ends_phrase = is_verb_form or is_adverb or follower in neighbours("after_noun")
    return (not follower or ends_phrase) and (has_determiner or before in neighbours("before_role"))


def _acts(tokens: Tokens, index: int) -> bool:
    """Tell whether a word behind an article does what only people do: "the count smiled"."""
    follower = _next_word(tokens, index)
    if follower == "s" and tokens.gaps[index + 1] in APOSTROPHES:
        follower = ""
        owns = tokens.gaps[index + 2] == " "
    else:
        owns = False
    before, lower = _word_before(tokens, index), tokens.lower
    if before == "of" and lower[index - 2] in neighbours("ranks"):
        return True
    is_noun = _has_determiner(tokens, index)
    if is_noun and not neighbours("royalty").isdisjoint(
        lower[max(0, index - _WINDOW) : index + _WINDOW]
    ):
        return True
    is_name = tokens.words[index][0].isupper() and not tokens.opens_sentence(index)
    return is_noun and (owns or is_name or follower in neighbours("after_person"))


def _is_owned(tokens: Tokens, index: int) -> bool:
    """Tell "my mummy" and "Mummy said" from "the mummy of a pharaoh"."""
    before = _word_before(tokens, index)
    if before in neighbours("owners") or (before == "s" and tokens.gaps[index - 1] in APOSTROPHES):
        return True
    word = tokens.words[index]
    is_name = word.istitle() and before not in neighbours("determiners")
    is_name = is_name and tokens.gaps[index + 1] not in APOSTROPHES
    return is_name and not _is_of_other_name(tokens, index)


def _is_thing(tokens: Tokens, index: int, word: str) -> bool:
    """Tell whether a word that mostly denotes a person is none: a part of a compound or a name."""
    if word in neighbours("exclamations") and _is_exclaimed(tokens, index):
        return True
    follower = _next_word(tokens, index)
    if follower and _is_compound(word, follower):
        return True
    if word in neighbours("abbreviations") and _is_beside_number(tokens, index):
        return True
    if tokens.words[index][0].isupper():
        if word in neighbours("deities"):
            return not is_title(tokens, index)
        return _is_of_other_name(tokens, index)
    if word in neighbours("plugs"):
        around = tokens.lower[max(0, index - _WINDOW) : index + _WINDOW]
        return follower == "one" and not neighbours("heads_of_plugs").isdisjoint(around)
    if follower == "it" and word == "lord":
        return True  # "to lord it over them"
    return word == "man" and follower == "up"


def _is_beside_number(tokens: Tokens, index: int) -> bool:
    """Tell whether a word is an abbreviation with a number: "5 gal", "chap. 4"."""
    if index and tokens.lower[index - 1].isdigit():
        return True
    is_dotted = tokens.gaps[index + 1] == ". " and index + 1 < len(tokens.words)
    return is_dotted and tokens.lower[index + 1].isdigit()


def _is_compound(word: str, head: str) -> bool:
    """Tell whether a word and the noun behind it are the name of a thing: "sister company"."""
    for kind in ("relatives", "plugs", "youths", "ropes", "animals"):
        if word in neighbours(kind) and head in neighbours(f"heads_of_{kind}"):
            return True
    return False


def _is_exclaimed(tokens: Tokens, index: int) -> bool:
    """Tell whether a word is a call that means nobody: "Oh man!", "Boy, was it hot", "hey dude"."""
    gap, end = tokens.gaps[index + 1], index + 1 == len(tokens.words)
    is_last = end or gap[:1] in ",.!?…)\n" or tokens.opens_sentence(index + 1)
    before = tokens.lower[index - 1] if index else ""
    if tokens.opens_sentence(index):
        if not end and gap == " ":
            return _is_inverted(tokens, index + 1)
        is_listed = not end and (
            tokens.lower[index + 1] in neighbours("persons_by_default")
            or tokens.lower[index + 1].isdigit()
        )
        if ":" in tokens.gaps[index] and tokens.words[index].islower():
            return False
        is_called = tokens.lower[index] not in neighbours("relatives")
        return gap[:1] in ",!" and gap != "" and is_called and not is_listed
    if tokens.gaps[index] in (" ", ", ", "... ") and before in neighbours("before_exclamation"):
        return tokens.gaps[index] != ", " or is_last
    if tokens.gaps[index] == ", ":
        return (
            is_last
            and before not in neighbours("persons_by_default")
            and not (
                not end
                and gap == ", "
                and tokens.lower[index + 1] in neighbours("persons_by_default")
            )
        )
    is_call = is_last and tokens.gaps[index] == " " and before in neighbours("before_call")
    return is_call and not _has_determiner(tokens, index)


def _is_inverted(tokens: Tokens, index: int) -> bool:
    """Tell whether a verb and its subject stand here: "(Boy) was it hot", or "(man) oh man"."""
    if tokens.lower[index] == "oh":
        return True
    return tokens.lower[index] in neighbours("auxiliaries") and _next_word(
        tokens, index
    ) in neighbours("subjects")


def _is_of_other_name(tokens: Tokens, index: int) -> bool:
    """Tell whether a capitalised word is part of a title, a band or a company: "Iron Man"."""
    word = tokens.words[index]
    if not word[0].isupper() or (len(word) > 1 and word.isupper()) or tokens.is_headline(index):
        return False
    return _continues_name(tokens, index) or _begins_name(tokens, index)


def _continues_name(tokens: Tokens, index: int) -> bool:
    """Tell whether a capitalised word ends the name of something else: "Iron Man"."""
    lower = tokens.lower
    if index and tokens.gaps[index] == " " and tokens.words[index - 1][0].isupper():
        before = lower[index - 1]
        if len(before) == 1 or before in neighbours("before_surname") | neighbours("nobility"):
            return False  # "Queen Mother"
        if before.endswith(("an", "ish", "ese")) or _is_for_one_gender(tokens, index):
            return False  # "Indian Women", "Sydney Girls High School"
        # "Scissor Sisters sang", but "Young Girls sang"
        return not tokens.opens_sentence(index - 1) or not (
            before in neighbours("common_words")
            or before in neighbours("surname_words")
            or before in neighbours("after_object")
        )
    if index > 1 and lower[index - 1] == "and" and tokens.words[index - 2][0].isupper():
        return lower[index] in neighbours("partners")  # "Sanford and Son"
    return False


def _begins_name(tokens: Tokens, index: int) -> bool:
    """Tell whether a capitalised word begins the name of something else: "Men in Black"."""
    words, lower, gaps = tokens.words, tokens.lower, tokens.gaps
    if index + 1 >= len(words) or gaps[index + 1] != " ":
        return False
    if words[index + 1][0].isupper() and lower[index + 1] in neighbours("after_other_name"):
        return not _is_for_one_gender(tokens, index)  # "Duke Road"
    if lower[index] in neighbours("before_name") or _is_for_one_gender(tokens, index):
        return False
    if words[index + 1][0].isupper():
        return len(words[index + 1]) > 1 and lower[index + 1] not in neighbours("pronouns")
    if tokens.opens_sentence(index) or lower[index - 1] == "for":
        return False  # "Sherborne School for Girls in Dorset"
    if lower[index + 1] not in neighbours("inside_titles"):
        return False
    after = [place for place in (index + 2, index + 3) if place < len(words)]
    return any(
        gaps[place] == " "
        and words[place][0].isupper()
        and lower[place] not in neighbours("spans_of_time")
        for place in after
    )


def _is_for_one_gender(tokens: Tokens, index: int) -> bool:
    """Tell whether an institution is named after those it is for: "the Women's World Cup"."""
    gap = tokens.gaps[index + 1]
    if gap[:1] in APOSTROPHES:
        return True
    return gap == " " and tokens.lower[index + 1] in neighbours("after_gendered_name")


def _is_in_game(tokens: Tokens, index: int, word: str) -> bool:
    """Tell whether a king or a queen is a card or a piece: "king of hearts", "queen takes d5"."""
    if word not in neighbours("pieces"):
        return False
    lower = tokens.lower
    if lower[index + 1 : index + 2] == ["of"] and index + 2 < len(lower):
        return lower[index + 2] in neighbours("suits")
    if not neighbours("chess").isdisjoint(lower[max(0, index - _WINDOW) : index + _WINDOW]):
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
    word = tokens.words[index]
    if not word[0].isupper():
        return False
    is_noble = tokens.lower[index] in neighbours("nobility")
    if is_noble and _word_before(tokens, index) in neighbours("before_nobility"):
        return True  # "the fifth Lord"
    if index + 1 >= len(tokens.words) or tokens.gaps[index + 1] not in (" ", ". "):
        return False
    name = tokens.words[index + 1]
    if is_noble and tokens.lower[index + 1] == "of":
        return _is_title_of_place(tokens, index)
    if not name[0].isupper():
        return False
    if word.isupper() and not (name.isupper() and tokens.gaps[index + 1] == ". "):
        return False  # "MISS YOU", "MS Society", but "MS. CHEN"
    # "King Street" is no king, and "I Miss You" a headline.
    return not any(
        name.lower() in neighbours(kind)
        for kind in ("after_other_name", "after_object", "determiners")
    )


def _is_title_of_place(tokens: Tokens, index: int) -> bool:
    """Tell whether a title of nobility belongs to a place: "Lady of Beilstein"."""
    after = [place for place in (index + 2, index + 3) if place < len(tokens.words)]
    return any(tokens.words[place][0].isupper() for place in after)


def _has_determiner(tokens: Tokens, index: int) -> bool:
    """Tell whether a determiner stands before a word, with up to two words between."""
    for place in range(index, max(0, index - 3), -1):
        if not _is_space(tokens.gaps[place]):
            return False
        word = tokens.lower[place - 1]
        # "Mary's king": the s of a possessive counts as a determiner.
        if word in neighbours("determiners") or (
            word == "s" and tokens.gaps[place - 1] in APOSTROPHES
        ):
            return True
        if word in neighbours("after_object"):
            return False
    return False


def _word_before(tokens: Tokens, index: int) -> str:
    """Return the word before in lower case if nothing but space lies between."""
    return tokens.lower[index - 1] if index and _is_space(tokens.gaps[index]) else ""


def _next_word(tokens: Tokens, index: int) -> str:
    """Return the next word in lower case if nothing but space or an apostrophe lies between."""
    if index + 1 >= len(tokens.words):
        return ""
    gap = tokens.gaps[index + 1]
    return tokens.lower[index + 1] if _is_space(gap) or gap in APOSTROPHES else ""


def _is_space(gap: str) -> bool:
    """Tell whether nothing but white space lies between two words."""
    return gap.isspace()
