"""Whether a demographic word ("white", "old", "Asian") describes people, and how.

The rules look at classes of words (`people.toml`) at most eight words away, within the sentence. In
case of doubt a word is no description of people.
"""

from fair_datasets.matching.people.person_nouns import (
    is_people,
    is_person_noun,
    people_words,
    unambiguous_first_names,
)
from fair_datasets.matching.people.phrases import (
    CONJUNCTIONS,
    REACH,
    ends_at_person,
    ends_phrase,
    is_function_word,
    is_modifier,
    names_person,
    opens_name,
    opens_predicate,
    subject_is_person,
)
from fair_datasets.matching.people.predicates import is_said_of_person
from fair_datasets.matching.tokens import APOSTROPHES, Tokens

__all__ = ["described_noun", "how_used", "is_person_noun", "subject_is_person"]

# Every people whose name ends so is named by its adjective: "the British", "the Chinese".
_NOMINAL_ENDINGS = ("ch", "ese", "sh")
_QUOTES = "\"'“”‘’"
_BLANKS_AND_QUOTES = " \n\t" + _QUOTES
_NOTHING_PLURAL = ("ous", "ss", "us")


def how_used(tokens: Tokens, first: int, last: int) -> str:
    """Say how a demographic word is used about people.

    Args:
        tokens: The text.
        first: The first word of the term.
        last: Its last word, inclusive.

    Returns:
        "adjective" before a noun for persons or said of a person, "singular" or "plural" for a
        noun, and empty where the word is not about people or that is in doubt.

    Example:
        >>> from fair_datasets.matching.tokens import tokenize
        >>> how_used(tokenize("white neighbours"), 0, 0), how_used(tokenize("white wine"), 0, 0)
        ('adjective', '')
        >>> how_used(tokenize("an Asian"), 1, 1), how_used(tokenize("for the elderly"), 2, 2)
        ('singular', 'plural')
    """
    if _belongs_to_other_word(tokens, first, last) or _belongs_to_name(tokens, first, last):
        return ""
    if _is_plural_noun(tokens, first, last):
        return "plural"
    noun = described_noun(tokens, last)
    if noun >= 0:
        return "adjective" if is_apt(tokens, last, noun) else ""
    if _says_origin(tokens, first, last) or is_said_of_person(tokens, first, last):
        return "adjective"
    return _as_noun(tokens, first, last)


def _belongs_to_other_word(tokens: Tokens, first: int, last: int) -> bool:
    """Tell whether a hyphen joins the term to a word of another kind, or it tells an age."""
    before = tokens.lower[first - 1] if first else ""
    if before in people_words("before_measures") and tokens.lower[first] == "old":
        return True
    if first and tokens.gaps[first] == "-" and not is_people(before):
        return True
    after = tokens.lower[last + 1] if last + 1 < len(tokens.lower) else ""
    return bool(after) and tokens.gaps[last + 1] == "-" and not is_people(after)


def _belongs_to_name(tokens: Tokens, first: int, last: int) -> bool:
    """Tell whether a capitalised term is part of a name: "Jack Black", "the White House"."""
    if not tokens.words[first][0].isupper() or tokens.is_headline(first):
        return False
    shouted = tokens.words[last].isupper()
    if first and tokens.gaps[first] in (" ", ". ", " & "):
        before = tokens.words[first - 1]
        if tokens.lower[first - 1] in people_words("titles"):
            return True
        lower = tokens.lower[first - 1]
        is_word = is_function_word(lower) or is_modifier(lower) or _is_number(lower)
        if before[0].isupper() and tokens.gaps[first] != ". " and not is_word and not shouted:
            return True
    if last + 1 < len(tokens.words) and tokens.gaps[last + 1] in (" ", " & "):
        after = tokens.words[last + 1]
        if after[0].isupper() and not (shouted and after.isupper()):
            lower = after.lower()
            is_name = after in unambiguous_first_names() or lower in people_words("titles")
            is_nation = tokens.lower[last] not in people_words("also_of_things")
            is_name = is_name or (is_nation and lower in people_words("offices"))
            is_name = is_name or (is_nation and _is_all_of_them(tokens, last + 1))
            return not (is_name or is_people(lower) or lower == "i")
    return False


def _is_all_of_them(tokens: Tokens, noun: int) -> bool:
    """Tell whether a capitalised noun is no part of a longer name: "the Portuguese People"."""
    if tokens.lower[noun] not in ("men", "people", "women"):
        return False
    is_last = noun + 1 == len(tokens.words) or tokens.gaps[noun + 1] != " "
    return tokens.gaps[noun + 1] not in APOSTROPHES and (
        is_last or tokens.words[noun + 1].islower()
    )


def _is_plural_noun(tokens: Tokens, first: int, last: int) -> bool:
    """Tell whether the term is a plural: "whites", "Nigerians"."""
    word = tokens.lower[last]
    if word.endswith(("men", "women", "folk", "people")):
        return True
    if not word.endswith("s") or word.endswith(_NOTHING_PLURAL) or is_people(word + "s"):
        return False
    before = tokens.lower[first - 1] if first else ""
    after = tokens.lower[last + 1] if last + 1 < len(tokens.lower) else ""
    thing = word[:-1] in people_words("also_of_things")
    return not (thing and (after == "of" or before in people_words("before_plural_things")))


def described_noun(tokens: Tokens, last: int) -> int:
    """Return the noun for persons that an adjective stands before; -1 if there is none."""
    lower = tokens.lower
    index, in_fields, paused = last + 1, False, False
    while index < min(len(lower), last + 1 + REACH):
        gap = tokens.gaps[index]
        if gap.strip(_BLANKS_AND_QUOTES) not in ("", ",", "/", "&", "-") or gap.count("\n") > 1:
            return -1
        paused = paused or gap.strip() in (",", "/", "&") or lower[index] in CONJUNCTIONS
        if lower[index] in CONJUNCTIONS:
            index += 1
            continue
        end = _compound_end(tokens, index)
        word = lower[index]
        if paused and in_fields and end == index and not _is_field(word):
            return -1
        if _is_noun_here(tokens, index, end) or opens_name(tokens, index):
            return -1 if paused or _is_quoted_apart(tokens, last, index) else index
        if end > index or _is_modifier_here(word) or (paused and _is_number(word)):
            if not paused and _may_be_noun(word) and ends_at_person(tokens, index):
                return index
            paused = False
        elif not _is_field(word) or (paused and not in_fields):
            return -1
        else:
            in_fields, paused = True, False
        index = end + 1
    return -1


def _is_quoted_apart(tokens: Tokens, last: int, noun: int) -> bool:
    """Tell whether a noun stands inside of a quotation that opens behind the term and goes on."""
    before, behind = tokens.gaps[last + 1], tokens.gaps[noun + 1]
    opens = before[:1].isspace() and bool(before.strip()) and before.strip() in _QUOTES
    return opens and behind.isspace()


def _is_modifier_here(word: str) -> bool:
    """Tell whether a word may stand between an adjective and its noun: "a young aspiring actor"."""
    is_participle = len(word) > 5 and word.endswith("ing")
    return is_modifier(word) or (is_participle and word not in people_words("gerund_nouns"))


def _is_field(word: str) -> bool:
    """Tell whether a word may stand before a noun for who works or acts there: "bus driver"."""
    return word in people_words("fields") or is_person_noun(word)


def _compound_end(tokens: Tokens, index: int) -> int:
    """Return the last word of a hyphenated compound."""
    end = index
    while end < min(len(tokens.lower) - 1, index + 4) and tokens.gaps[end + 1] == "-":
        end += 1
    return end


def _is_noun_here(tokens: Tokens, index: int, end: int) -> bool:
    """Tell whether a word or a hyphenated compound is a noun for persons, and no modifier."""
    word = tokens.lower[index]
    if end > index:
        family = tokens.lower[index + 1] == "in"
        return is_person_noun(word) and (family or is_person_noun(tokens.lower[end]))
    if not is_person_noun(word):
        return word.endswith("s") and is_people(word)
    if word in people_words("often_before_nouns") or is_modifier(word):
        return ends_at_person(tokens, index)
    return True


def is_apt(tokens: Tokens, last: int, noun: int) -> bool:
    """Tell whether a noun is described: no "old friend", and no teacher of French."""
    word, described = tokens.lower[last], tokens.lower[noun]
    numbers = {described, described.removesuffix("s")}
    if word == "christian":
        return people_words("christian_things").isdisjoint(tokens.lower[last + 1 : noun + 1])
    if word == "old":
        return not numbers & people_words("known_for_long")
    if word in people_words("languages") and noun == last + 1:
        return not numbers & people_words("language_nouns")
    return True


def _says_origin(tokens: Tokens, first: int, last: int) -> bool:
    """Tell whether the term says where someone's forebears are from: "of Asian descent"."""
    lower = tokens.lower
    end = last + 1
    while end < min(len(lower), last + 4) and (lower[end] in CONJUNCTIONS or is_people(lower[end])):
        end += 1
    if end >= len(lower) or lower[end] not in people_words("origins"):
        return False
    index = first - 1
    while index > max(0, first - 5) and (lower[index] in CONJUNCTIONS or is_modifier(lower[index])):
        index -= 1
    if index < 1 or lower[index] not in ("of", "from"):
        return False
    if lower[index - 1] in people_words("linking_verbs"):
        return subject_is_person(tokens, index)
    return names_person(tokens, index - 1)


def _as_noun(tokens: Tokens, first: int, last: int) -> str:
    """Say whether the term is a noun without another noun: "an Asian", "the elderly"."""
    word, lower = tokens.lower[last], tokens.lower
    index = _before_age(tokens, first - 1)
    while index > max(0, first - 4) and is_modifier(lower[index]) and tokens.gaps[index + 1] == " ":
        index -= 1
    if index < 0 or not tokens.gaps[index + 1].isspace():
        return ""
    determiner = lower[index]
    ends = ends_phrase(tokens, last)
    if word in people_words("nominal") or (is_people(word) and word.endswith(_NOMINAL_ENDINGS)):
        acts = ends or (_opens_clause(tokens, index) and opens_predicate(tokens, last + 1))
        return "plural" if acts and _names_group(tokens, determiner, last) else ""
    is_adjective = word in people_words("never_nouns") or (
        word.endswith("ic") and not is_people(word)
    )
    if not ends or is_adjective or word.endswith("s"):
        return ""
    if word in people_words("languages") and determiner in people_words("owners"):
        return ""
    is_noun = determiner in people_words("singular_determiners")
    is_noun = is_noun or (index == first - 1 and _follows_any_adjective(tokens, first, word))
    return "singular" if is_noun else ""


def _before_age(tokens: Tokens, index: int) -> int:
    """Return the word before an age that ends at a word: "a 40-year-old Muslim"."""
    if index > 1 and tokens.lower[index] == "old" and tokens.gaps[index] == "-":
        while index > 0 and tokens.gaps[index] == "-":
            index -= 1
        return index - 1
    return index


def _follows_any_adjective(tokens: Tokens, first: int, noun: str) -> bool:
    """Tell whether an article and one word of any kind stand before a noun: "a heroic Muslim"."""
    if first < 2 or tokens.lower[first - 2] not in ("a", "an") or tokens.gaps[first - 1] != " ":
        return False
    is_adjective = tokens.words[first - 1].islower() and not is_function_word(
        tokens.lower[first - 1]
    )
    return is_adjective and (is_people(noun) or is_person_noun(noun))


def _opens_clause(tokens: Tokens, index: int) -> bool:
    """Tell whether a subject may begin at a word."""
    if tokens.opens_sentence(index) or not tokens.gaps[index].isspace():
        return True
    before = tokens.lower[index - 1]
    return before in CONJUNCTIONS or before in people_words("question_openers")


def _names_group(tokens: Tokens, determiner: str, last: int) -> bool:
    """Tell whether an adjective names a group: "the elderly", and no language or "the old"."""
    lower = tokens.lower
    following = lower[last + 1 : last + 4]
    is_language = determiner in people_words("owners") or following[:1] in (["of"], ["for"])
    if is_language and lower[last] in people_words("languages"):
        return False
    return determiner in people_words("plural_determiners") and "new" not in following


def _may_be_noun(word: str) -> bool:
    """Tell whether a modifier is a noun for a person where no noun follows: "a young American"."""
    if word in people_words("nouns_too"):
        return True
    return is_people(word) and word not in people_words("never_nouns")


def _is_number(word: str) -> bool:
    """Tell whether a word counts what follows."""
    return word in people_words("numbers") or word.isdigit()
