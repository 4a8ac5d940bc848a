"""English verbs: from the third person singular to the form behind "they", and participles."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from fair_datasets.reader.english.classifier.decide import decide_one
from fair_datasets.reader.english.lists import SUBJECT_PRONOUNS, words
from fair_datasets.reader.matching.tokenizer import APOSTROPHES, Tokens
from fair_datasets.reader.matching.vocabulary import read_cells
from fair_datasets.system.checks import InputError
from fair_datasets.system.collection import uncollected
from fair_datasets.system.portable import file_digest

_TABLE = Path(__file__).with_name("verbs.tsv")
_SIBILANT = re.compile(r"(?:[sxz]|ch|sh|[^aeiou]o)es")
_NO_THIRD_PERSON = re.compile(r".*(?:ss|us|is)|.{0,2}")


class Verb(NamedTuple):
    """A verb of the table.

    Attributes:
        base: The base form.
        is_plural_noun: Whether the third person is spelt like the plural of a noun ("dances").
    """

    base: str
    is_plural_noun: bool


@cache
@uncollected(stays=True)
def verbs() -> Mapping[str, Verb]:
    """Return the verbs of the table by their third person, read once per process.

    Raises:
        InputError: The table is not the one that `verbs.toml` describes.

    Example:
        >>> verbs()["dances"]
        Verb(base='dance', is_plural_noun=True)
    """
    return {third: Verb(base, bool(noun)) for third, base, _, noun in _rows()}


@cache
def auxiliaries() -> Mapping[str, str]:
    """Return the singular auxiliaries with their plurals; "isn't" is listed as "isn".

    Example:
        >>> auxiliaries()["does"], auxiliaries()["hasn"]
        ('do', 'haven')
    """
    table: Mapping[str, str] = _description()["auxiliaries"]
    return table


def plural_form(word: str) -> str:
    """Return what stands behind "they" in the place of a third person singular.

    Returns:
        The form behind "they"; empty if the table has no such third person.

    Example:
        >>> plural_form("was"), plural_form("tries"), plural_form("tried")
        ('were', 'try', '')
    """
    if word in auxiliaries():
        return auxiliaries()[word]
    verb = verbs().get(word)
    return verb.base if verb else ""


def guessed_plural_form(word: str) -> str:
    """Return what stands behind "they" in the place of a third person that the table may lack.

    Returns:
        The form of the table, or the one by rule; empty if it cannot be a third person.

    Example:
        >>> guessed_plural_form("retweets"), guessed_plural_form("vlogged")
        ('retweet', '')
    """
    known = plural_form(word)
    if known or not word.endswith("s") or not word.isalpha() or _NO_THIRD_PERSON.fullmatch(word):
        return known
    if word.endswith("ies"):
        return word[:-3] + "y"
    return word[: -2 if _SIBILANT.search(word, len(word) - 4) else -1]


@cache
def _bases() -> frozenset[str]:
    """Return the base forms of the table."""
    return frozenset(verb.base for verb in verbs().values())


def is_base(word: str) -> bool:
    """Whether a word is the base form of a verb.

    Returns:
        True also where the word is a noun as well.

    Example:
        >>> is_base("sing"), is_base("sings")
        (True, False)
    """
    return word in _bases()


def is_past_participle(word: str) -> bool:
    """Whether a word may be a past participle.

    Returns:
        True for "taken" and "liked", also where the word is a past or an adjective as well.

    Example:
        >>> [word for word in ("taken", "liked", "taking", "ready") if is_past_participle(word)]
        ['taken', 'liked']
    """
    return word.endswith("ed") or word in _irregular_participles()


@cache
def _irregular_participles() -> frozenset[str]:
    """Return the past participles that do not end in "ed"."""
    cells = (participles for _, _, participles, _ in _rows())
    return frozenset(form for cell in cells if cell for form in cell.split("|")) | {"been"}


@cache
def _description() -> Mapping[str, Any]:
    """Read what `verbs.toml` says."""
    return tomllib.loads(_TABLE.with_suffix(".toml").read_text("utf-8"))


def _rows() -> list[list[str]]:
    """Read the table, whose digest has to be the one stated."""
    stated = _description()["digests"][_TABLE.name]
    if file_digest(_TABLE) != stated:
        raise InputError(
            f"{_TABLE} does not have the SHA-256 that verbs.toml states ({stated}); reinstall "
            "fair-datasets."
        )
    return read_cells(_TABLE)


# How many words may stand between a subject and its verb.
_REACH = 12

_SENTENCE_END = re.compile(r"[.!?;:]|[\r\n]\s*[\r\n]")
_NO_SENTENCE_END = re.compile(r"\.\.+|…")
_LINE_END = re.compile(r"[\r\n]")
_APOSTROPHES = frozenset({*APOSTROPHES, "`", "´"})
# Where something is put in between, and where it ends.
_BRACKETS = {
    **dict.fromkeys("([", re.compile(r"[)\]]")),
    ",": re.compile(","),
    **dict.fromkeys(("--", "—", "–", " - "), re.compile(r"--|[—–]|\s-\s")),
}


def verb_from(tokens: Tokens, start: int) -> int | None:
    """Find where the verb stands, at a word or behind adverbs and what is put in between.

    Args:
        start: The first word that may be it.

    Returns:
        Which word it is, in whatever form; None if there is none.

    Example:
        >>> from fair_datasets.reader.matching.tokenizer import tokenize
        >>> verb_from(tokenize("She, however, is right."), 1)
        2
    """
    position = behind_adverbs(tokens, start)
    if position is None:
        return None
    if not any(sign in tokens.gaps[position] for sign in _BRACKETS):
        return None if tokens.lower[position] in words("no_verbs") else position
    # "She ... sings", but "said she, hands folded"
    word, is_list = tokens.lower[position], position == start and "," in tokens.gaps[start]
    is_noun = is_list and word not in auxiliaries() and word in verbs() and verbs()[word][1]
    if plural_form(word) and not is_noun and is_verb(tokens, position):
        return position
    return next((place for place in closings(tokens, position) if is_finite(tokens, place)), None)


def closings(tokens: Tokens, start: int) -> Iterator[int]:
    """Yield the words behind each sign that may end what is put in between, within the sentence.

    Args:
        start: The first word of what is put in between, behind a bracket, a comma or a dash.

    Example:
        >>> from fair_datasets.reader.matching.tokenizer import tokenize
        >>> list(closings(tokenize("She, like me, really works."), 1))
        [4]
    """
    gap = tokens.gaps[start]
    closing = next((end for sign, end in _BRACKETS.items() if sign in gap), None)
    if closing is None:
        return
    for end in range(start + 1, min(start + _REACH, len(tokens.words))):
        if ends_before(tokens, end):
            return
        behind = behind_adverbs(tokens, end) if closing.search(tokens.gaps[end]) else None
        if behind is not None:
            yield behind


def behind_adverbs(tokens: Tokens, start: int) -> int | None:
    """Find the first word that is no adverb, within the sentence.

    Args:
        start: Where to begin; of words joined by hyphens the last one is found.

    Returns:
        Which word it is; None if the sentence ends before, or the text.

    Example:
        >>> from fair_datasets.reader.matching.tokenizer import tokenize
        >>> behind_adverbs(tokenize("really never sings"), 0)
        2
    """
    position, lower = start, tokens.lower
    limit = min(start + _REACH, len(lower))
    while position < limit and not ends_before(tokens, position):
        word = lower[position]
        if " ".join(lower[position : position + 2]) in words("adverbial_phrases"):
            position += 2
        elif is_adverb(word):
            position += 1
        else:
            # "she co-stars", "she double-checks"
            while position + 1 < limit and tokens.gaps[position + 1] == "-":
                position += 1
            return position
    return None


def is_adverb(word: str) -> bool:
    """Whether a word is an adverb that may stand between a subject and its verb.

    Example:
        >>> is_adverb("always"), is_adverb("sweetly"), is_adverb("family")
        (True, True, False)
    """
    return word in words("adverbs") or (word.endswith("ly") and word not in words("no_adverbs"))


def is_verb(tokens: Tokens, position: int) -> bool:
    """Whether a word that is spelt like a third person is one, and no noun.

    Args:
        position: The word, which `plural_form` knows.

    Returns:
        True for the "is" of "she is", False for that of "is she" and for "two drinks".

    Example:
        >>> from fair_datasets.reader.matching.tokenizer import tokenize
        >>> is_verb(tokenize("She begins."), 1), is_verb(tokenize("and is she ill"), 1)
        (True, False)
    """
    word = tokens.lower[position]
    if tokens.is_hyphenated(position):
        return False
    if word in auxiliaries():
        is_one = not _is_before_subject(tokens, position)
    else:
        is_one = not verbs()[word].is_plural_noun or decide_one("verb", tokens, position) > 0
    return is_one and not tokens.is_protected(position)


def _is_before_subject(tokens: Tokens, position: int) -> bool:
    """Whether an auxiliary stands before its own subject: "... and is she", "doesn't it"."""
    behind = position + 1 + is_negated(tokens, position)
    if behind >= len(tokens.words) or not tokens.gaps[behind].isspace():
        return False
    follower = tokens.lower[behind]
    return follower in SUBJECT_PRONOUNS or (follower == "it" and tokens.lower[position] != "has")


def is_finite(tokens: Tokens, position: int) -> bool:
    """Whether a word is surely a finite verb.

    Returns:
        True for a third person, a modal verb and the like.

    Example:
        >>> from fair_datasets.reader.matching.tokenizer import tokenize
        >>> is_finite(tokenize("will sing"), 0), is_finite(tokenize("will sing"), 1)
        (True, False)
    """
    if plural_form(tokens.lower[position]):
        return is_verb(tokens, position)
    return is_modal(tokens, position)


def is_modal(tokens: Tokens, position: int) -> bool:
    """Whether a word is an auxiliary that is always finite; no name ("Will") or month.

    Returns:
        True for "will" and "did", False for "Will".

    Example:
        >>> from fair_datasets.reader.matching.tokenizer import tokenize
        >>> is_modal(tokenize("Will will"), 0), is_modal(tokenize("Will will"), 1)
        (False, True)
    """
    if tokens.lower[position] not in words("finite_verbs"):
        return False
    word = tokens.words[position]
    return word.islower() or word.isupper()


def is_contracted(tokens: Tokens, position: int) -> bool:
    """Whether a word is a contracted verb: the s of "she's", the ll of "he'll".

    Returns:
        True if an apostrophe joins it to the word before it.

    Example:
        >>> from fair_datasets.reader.matching.tokenizer import tokenize
        >>> is_contracted(tokenize("she's"), 1)
        True
    """
    is_tail = tokens.lower[position] in ("s", "d", "ll", "ve", "re")
    return is_tail and tokens.gaps[position].strip() in _APOSTROPHES


def is_negated(tokens: Tokens, position: int) -> bool:
    """Whether a word is the isn of "isn't".

    Returns:
        True if the word behind it is its "'t".

    Example:
        >>> from fair_datasets.reader.matching.tokenizer import tokenize
        >>> is_negated(tokenize("isn't"), 0)
        True
    """
    behind = position + 1
    is_stem = tokens.lower[position].endswith("n") and behind < len(tokens.words)
    if not is_stem or tokens.lower[behind] != "t" or tokens.gaps[behind] not in _APOSTROPHES:
        return False
    return not tokens.is_protected(behind)


def ends_before(tokens: Tokens, position: int) -> bool:
    """Whether a sentence ends before a word.

    Returns:
        True if the sentence before it is another one, or another paragraph.

    Example:
        >>> from fair_datasets.reader.matching.tokenizer import tokenize
        >>> ends_before(tokenize("Yes. Or no"), 1), ends_before(tokenize("Yes. Or no"), 2)
        (True, False)
    """
    gap = tokens.gaps[position]
    if gap == " " or gap == ", ":
        return False
    if _SENTENCE_END.search(_NO_SENTENCE_END.sub("", gap)):
        return True
    # Lines may be broken within a sentence.
    return _LINE_END.search(gap) is not None and not tokens.words[position][0].islower()
