"""Names of other things than people: places, teams, works, brands, institutions."""

from fair_datasets.matching.neighbours import neighbours
from fair_datasets.matching.tokens import APOSTROPHES, Tokens


def names_something_else(tokens: Tokens, index: int, follower: str, flags: frozenset[str]) -> bool:
    """Tell by what follows a name whether it is part of a place, a work, a brand or a verse.

    Args:
        tokens: The text.
        index: Which word it is.
        follower: The next word in lower case if it may continue a name, else empty.
        flags: What `lexicons.lexicon.FLAGS` says about the name.

    Returns:
        True for "Thomas Street", "Raymond, Maine", "John 3:16" and "at Wendy's".

    Example:
        >>> from fair_datasets.matching.tokens import tokenize
        >>> names_something_else(tokenize("Thomas Street"), 0, "street", frozenset())
        True
    """
    gap = tokens.gaps[index + 1]
    if follower and (
        _begins_other_name(tokens, index, follower) or _is_of_team(tokens, index, follower, flags)
    ):
        return True
    if gap == ", ":
        return _is_region(tokens, index + 1)
    if gap in APOSTROPHES:
        return _is_brand(tokens, index)
    if gap == " & ":
        return _is_brand(tokens, index + 1)  # "Ben & Jerry's"
    lower, end = tokens.lower, len(tokens.lower)
    if gap != " " or index + 1 == end:
        return False
    if lower[index + 1].isdigit():
        return index + 2 < end and tokens.gaps[index + 2] == ":" and lower[index + 2].isdigit()
    # "Charlie and the Chocolate Factory"
    return (
        index + 4 < end
        and lower[index + 1 : index + 3] == ["and", "the"]
        and tokens.words[index + 3][0].isupper()
        and tokens.words[index + 4][0].isupper()
        and not word_is_upper(tokens, index)
    )


def _is_of_team(tokens: Tokens, index: int, follower: str, flags: frozenset[str]) -> bool:
    """Tell whether a name before a team's is a place: "the Carolina Panthers"."""
    if follower not in neighbours("teams"):
        return False
    return "place" in flags or (index > 0 and tokens.lower[index - 1] in neighbours("articles"))


def _begins_other_name(tokens: Tokens, index: int, follower: str) -> bool:
    """Tell whether a name and the capitalised words behind it name a place, a team or a work."""
    if follower in neighbours("after_other_name"):
        return True
    if follower in neighbours("after_place_or_surname"):
        # "on Hill Lane", but "Diane Lane".
        before = tokens.lower[index - 1] if index else ""
        is_before_place = before in neighbours("before_location") or before == "on"
        return is_before_place and before not in neighbours("before_anything")
    if word_is_upper(tokens, index) or tokens.is_headline(index):
        return False
    place = index + 2
    while place < min(index + 5, len(tokens.words)) and tokens.gaps[place] == " ":
        if not tokens.words[place][0].isupper():
            return tokens.lower[place] in neighbours("works")  # "the Nancy Drew series"
        if tokens.lower[place] in neighbours("after_other_name"):
            return True  # "Simon Fraser University"
        place += 1
    return False


def _is_region(tokens: Tokens, index: int) -> bool:
    """Tell whether a word begins the name of a region: "Raymond, Maine", "Victoria, New York"."""
    if index >= len(tokens.words) or not tokens.words[index][0].isupper():
        return False
    if tokens.lower[index] in neighbours("before_region"):
        return next_in_phrase(tokens, index) in neighbours("regions")
    if word_is_upper(tokens, index) and len(tokens.words[index]) == 2:
        return tokens.lower[index] in neighbours("states")
    return tokens.lower[index] in neighbours("regions")


def _is_brand(tokens: Tokens, index: int) -> bool:
    """Tell whether a possessive is a brand or a restaurant: "ate at Wendy's", "Wendy's burgers"."""
    if not _is_possessive(tokens, index):
        return False
    owned = next_in_phrase(tokens, index + 1)
    if owned in neighbours("goods"):
        return True
    if owned in neighbours("after_other_name") and tokens.words[index + 2][0].isupper():
        return True  # "Prince George's County"
    is_alone = not owned or owned in neighbours("after_noun")
    if tokens.gaps[index] == " & ":
        return is_alone
    if tokens.lower[index] not in neighbours("brands"):
        return False
    before = tokens.lower[index - 1] if index and tokens.gaps[index] == " " else ""
    if before in neighbours("articles"):
        return True
    # "These are Levi's", but "It is Levi's"
    return is_alone and (before == "are" or before not in neighbours("after_subject"))


def _is_possessive(tokens: Tokens, index: int) -> bool:
    """Tell whether an apostrophe and an s follow a word."""
    return (
        index + 1 < len(tokens.words)
        and tokens.lower[index + 1] == "s"
        and tokens.gaps[index + 1] in APOSTROPHES
    )


def is_of_other_name(tokens: Tokens, index: int) -> bool:
    """Tell whether a capitalised word is part of a title, a band or a company: "Iron Man".

    Args:
        tokens: The text.
        index: Which word it is.

    Returns:
        True for "Iron Man" and "Men in Black".

    Example:
        >>> from fair_datasets.matching.tokens import tokenize
        >>> is_of_other_name(tokenize("We saw Iron Man"), 3)
        True
    """
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
    if gap.startswith(tuple(APOSTROPHES)):
        return True
    follower = tokens.lower[index + 1 : index + 2]
    return gap == " " and not neighbours("after_gendered_name").isdisjoint(follower)


def next_capitalised(tokens: Tokens, index: int) -> str:
    """Return the next word in lower case if it is capitalised and only a space lies between.

    Args:
        tokens: The text.
        index: Which word it is.

    Returns:
        The word behind a particle, if there is one; empty where nothing continues a name.

    Example:
        >>> from fair_datasets.matching.tokens import tokenize
        >>> next_capitalised(tokenize("Bill de Blasio"), 0)
        'blasio'
    """
    place, last = index + 1, len(tokens.words) - 1
    while place < min(last, index + 3) and tokens.lower[place] in neighbours("particles"):
        place += 1
    if place > last or any(gap != " " for gap in tokens.gaps[index + 1 : place + 1]):
        return ""
    word, lower = tokens.words[place], tokens.lower[place]
    if len(word) == 1:
        return lower if word.isupper() and tokens.gaps[place + 1][:1] == "." else ""
    if not word[0].isupper() or lower in neighbours("determiners"):
        return ""
    if lower in neighbours("after_object"):
        return ""
    return lower


def next_in_phrase(tokens: Tokens, index: int) -> str:
    """Return the next word in lower case if only a space lies between.

    Args:
        tokens: The text.
        index: Which word it is.

    Returns:
        The word, or an empty string.

    Example:
        >>> from fair_datasets.matching.tokens import tokenize
        >>> next_in_phrase(tokenize("Mark left"), 0), next_in_phrase(tokenize("Mark, go"), 0)
        ('left', '')
    """
    if index + 1 >= len(tokens.words) or tokens.gaps[index + 1] != " ":
        return ""
    return tokens.lower[index + 1]


def word_is_upper(tokens: Tokens, index: int) -> bool:
    """Tell whether a word is written in capitals only.

    Args:
        tokens: The text.
        index: Which word it is.

    Returns:
        False for a single letter.

    Example:
        >>> from fair_datasets.matching.tokens import tokenize
        >>> word_is_upper(tokenize("MARK LEFT"), 0)
        True
    """
    return len(tokens.words[index]) > 1 and tokens.words[index].isupper()
