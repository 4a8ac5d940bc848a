"""Names of other things than people: places, teams, works, brands, institutions."""

from fair_datasets.matching.neighbours import LISTS
from fair_datasets.matching.tokens import APOSTROPHES, Tokens

_HYPHENS = frozenset({"-", "‐", "‑", "–"})


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
    if follower and (
        _begins_other_name(tokens, index, follower) or _is_of_team(tokens, index, follower, flags)
    ):
        return True
    gap = tokens.gap(index + 1)
    if gap == " ":
        return _begins_verse_or_title(tokens, index)
    if gap == ", ":
        return _is_region(tokens, index + 1)
    if gap in APOSTROPHES:
        return _is_brand(tokens, index)
    return gap == " & " and _is_brand(tokens, index + 1)  # "Ben & Jerry's"


def _begins_verse_or_title(tokens: Tokens, index: int) -> bool:
    """Tell "John 3:16" and "Charlie and the Chocolate Factory" by what is behind the name."""
    lower, end = tokens.lower, len(tokens.lower)
    if index + 2 >= end:
        return False
    if lower[index + 1] != "and":
        return (
            lower[index + 1].isdigit()
            and lower[index + 2].isdigit()
            and tokens.gap(index + 2) == ":"
        )
    return (
        index + 4 < end
        and lower[index + 2] == "the"
        and tokens.is_capitalised(index + 3)
        and tokens.is_capitalised(index + 4)
        and not word_is_upper(tokens, index)
    )


def is_written_otherwise(tokens: Tokens, index: int) -> bool:
    """Tell whether a capitalised word is written as no first name is.

    Args:
        tokens: The text.
        index: Which word it is.

    Returns:
        True for "HoPE", "X-Mark" and "the UN".

    Example:
        >>> from fair_datasets.matching.tokens import tokenize
        >>> is_written_otherwise(tokenize("X-Mark"), 1), is_written_otherwise(tokenize("Mark"), 0)
        (True, False)
    """
    word, lower = tokens.word(index), tokens.lower[index]
    if word[1:] != lower[1:] and word not in (word.capitalize(), word.upper()):
        return True
    if lower in LISTS.particles or (word.isupper() and _is_acronym(tokens, index)):
        return True
    text, start = tokens.text, tokens.starts[index]
    # A look at the one sign before and behind spares most words the rest.
    before, behind = text[start - 1 : start], text[start + len(word) : start + len(word) + 1]
    return (before in _HYPHENS and index > 0 and tokens.gap(index) == before) or (
        behind in _HYPHENS and index + 1 < len(tokens.lower) and tokens.gap(index + 1) == behind
    )


def _is_acronym(tokens: Tokens, index: int) -> bool:
    """Tell whether a short word in capitals stands among words that are not."""
    if not word_is_upper(tokens, index) or len(tokens.word(index)) > 4:
        return False
    beside = [place for place in (index - 1, index + 1) if 0 <= place < len(tokens.lower)]
    return not any(word_is_upper(tokens, place) for place in beside)


def _is_of_team(tokens: Tokens, index: int, follower: str, flags: frozenset[str]) -> bool:
    """Tell whether a name before a team's is a place: "the Carolina Panthers"."""
    if follower not in LISTS.teams:
        return False
    return "place" in flags or (index > 0 and tokens.lower[index - 1] in LISTS.articles)


def _begins_other_name(tokens: Tokens, index: int, follower: str) -> bool:
    """Tell whether a name and the capitalised words behind it name a place, a team or a work."""
    if follower in LISTS.after_other_name:
        return True
    if follower in LISTS.after_place_or_surname:
        # "on Hill Lane", but "Diane Lane".
        before = tokens.lower[index - 1] if index else ""
        is_before_place = before in LISTS.before_location or before == "on"
        return is_before_place and before not in LISTS.before_anything
    if word_is_upper(tokens, index) or tokens.is_headline(index):
        return False
    place = index + 2
    while place < min(index + 5, len(tokens.lower)) and tokens.gap(place) == " ":
        if not tokens.is_capitalised(place):
            return tokens.lower[place] in LISTS.works  # "the Nancy Drew series"
        if tokens.lower[place] in LISTS.after_other_name:
            return True  # "Simon Fraser University"
        place += 1
    return False


def _is_region(tokens: Tokens, index: int) -> bool:
    """Tell whether a word begins the name of a region: "Raymond, Maine", "Victoria, New York"."""
    if index >= len(tokens.lower) or not tokens.is_capitalised(index):
        return False
    if tokens.lower[index] in LISTS.before_region:
        return next_in_phrase(tokens, index) in LISTS.regions
    if word_is_upper(tokens, index) and len(tokens.word(index)) == 2:
        return tokens.lower[index] in LISTS.states
    return tokens.lower[index] in LISTS.regions


def _is_brand(tokens: Tokens, index: int) -> bool:
    """Tell whether a possessive is a brand or a restaurant: "ate at Wendy's", "Wendy's burgers"."""
    if not _is_possessive(tokens, index):
        return False
    owned = next_in_phrase(tokens, index + 1)
    if owned in LISTS.goods:
        return True
    if owned in LISTS.after_other_name and tokens.is_capitalised(index + 2):
        return True  # "Prince George's County"
    is_alone = not owned or owned in LISTS.after_noun
    if tokens.gap(index) == " & ":
        return is_alone
    if tokens.lower[index] not in LISTS.brands:
        return False
    before = tokens.lower[index - 1] if index and tokens.gap(index) == " " else ""
    if before in LISTS.articles:
        return True
    # "These are Levi's", but "It is Levi's"
    return is_alone and (before == "are" or before not in LISTS.after_subject)


def _is_possessive(tokens: Tokens, index: int) -> bool:
    """Tell whether an apostrophe and an s follow a word."""
    return (
        index + 1 < len(tokens.lower)
        and tokens.lower[index + 1] == "s"
        and tokens.gap(index + 1) in APOSTROPHES
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
    word = tokens.word(index)
    if not word[0].isupper() or (len(word) > 1 and word.isupper()) or tokens.is_headline(index):
        return False
    return _continues_name(tokens, index) or _begins_name(tokens, index)


def _continues_name(tokens: Tokens, index: int) -> bool:
    """Tell whether a capitalised word ends the name of something else: "Iron Man"."""
    lower = tokens.lower
    if index and tokens.gap(index) == " " and tokens.is_capitalised(index - 1):
        before = lower[index - 1]
        if len(before) == 1 or before in LISTS.before_surname | LISTS.nobility:
            return False  # "Queen Mother"
        if before.endswith(("an", "ish", "ese")) or _is_for_one_gender(tokens, index):
            return False  # "Indian Women", "Sydney Girls High School"
        # "Scissor Sisters sang", but "Young Girls sang"
        return not tokens.opens_sentence(index - 1) or not (
            before in LISTS.common_words
            or before in LISTS.surname_words
            or before in LISTS.after_object
        )
    if index > 1 and lower[index - 1] == "and" and tokens.is_capitalised(index - 2):
        return lower[index] in LISTS.partners  # "Sanford and Son"
    return False


def _begins_name(tokens: Tokens, index: int) -> bool:
    """Tell whether a capitalised word begins the name of something else: "Men in Black"."""
    lower = tokens.lower
    if index + 1 >= len(lower) or tokens.gap(index + 1) != " ":
        return False
    is_before_capital = tokens.is_capitalised(index + 1)
    if is_before_capital and lower[index + 1] in LISTS.after_other_name:
        return not _is_for_one_gender(tokens, index)  # "Duke Road"
    if lower[index] in LISTS.before_name or _is_for_one_gender(tokens, index):
        return False
    if is_before_capital:
        return len(lower[index + 1]) > 1 and lower[index + 1] not in LISTS.pronouns
    if tokens.opens_sentence(index) or lower[index - 1] == "for":
        return False  # "Sherborne School for Girls in Dorset"
    if lower[index + 1] not in LISTS.inside_titles:
        return False
    after = [place for place in (index + 2, index + 3) if place < len(lower)]
    return any(
        lower[place] not in LISTS.spans_of_time
        and tokens.is_capitalised(place)
        and tokens.gap(place) == " "
        for place in after
    )


def _is_for_one_gender(tokens: Tokens, index: int) -> bool:
    """Tell whether an institution is named after those it is for: "the Women's World Cup"."""
    gap = tokens.gap(index + 1)
    if gap.startswith(tuple(APOSTROPHES)):
        return True
    follower = tokens.lower[index + 1 : index + 2]
    return gap == " " and not LISTS.after_gendered_name.isdisjoint(follower)


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
    place, last = index + 1, len(tokens.lower) - 1
    while place < last and place < index + 3 and tokens.lower[place] in LISTS.particles:
        place += 1
    if place > last or not tokens.is_capitalised(place):
        return ""
    if any(tokens.gap(between) != " " for between in range(index + 1, place + 1)):
        return ""
    lower = tokens.lower[place]
    if len(lower) == 1:
        return lower if tokens.gap(place + 1)[:1] == "." else ""
    return "" if lower in LISTS.determiners or lower in LISTS.after_object else lower


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
    if index + 1 >= len(tokens.lower) or tokens.gap(index + 1) != " ":
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
    word = tokens.word(index)
    return len(word) > 1 and word.isupper()
