"""Named entities of a text: by a spaCy pipeline, else by capital letters and lists of names."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from fair_datasets.lexicons import lexicon_files, name_lexicons
from fair_datasets.matching.letters import listed_names, looked_up
from fair_datasets.matching.pipeline import parse
from fair_datasets.matching.tokens import TITLES, Tokens
from fair_datasets.system.checks import InputError

# Words that are capitalised wherever they stand.
_PRONOUNS = frozenset({"i"})
# A period behind these is within a name.


def entities_by_pipeline(pipeline: str, text: str) -> list[str]:
    """Return the named entities that a trained spaCy pipeline finds.

    Args:
        pipeline: Its name or path.
        text: Any text.

    Returns:
        The entities of all kinds that the pipeline knows, as they are written.

    Raises:
        InputError: The pipeline recognises no entities, or not in a text of this length.
    """
    doc = parse(pipeline, text)
    if len(doc) and not doc.has_annotation("ENT_IOB"):
        raise InputError(
            f"The pipeline {pipeline!r} recognises no named entities in a text of {len(text)} "
            "characters; use one with a component 'ner', split long texts, or leave out the "
            "pipeline to count capitalised names."
        )
    return [entity.text for entity in doc.ents]


def entities_by_capitals(tokens: Tokens) -> list[str]:
    """Guess the named entities of a text: capitalised words that stand together.

    A single word where any is capitalised (at the start of a sentence, in a headline) is taken for
    a name only if a list of names has it.

    Args:
        tokens: The text.

    Returns:
        The names, as they are written.

    Example:
        >>> from fair_datasets.matching.tokens import tokenize
        >>> entities_by_capitals(tokenize("Yesterday Mr. Gray left New York. Mary and I stayed."))
        ['Mr. Gray', 'New York', 'Mary']
    """
    return [tokens.text[tokens.starts[first] : tokens.end(last)] for first, last in _names(tokens)]


def name_files() -> Mapping[str, Path]:
    """Name the files of the lists of names.

    Returns:
        Resource name to path.
    """
    return {key: path for name in name_lexicons() for key, path in lexicon_files(name).items()}


def _names(tokens: Tokens) -> Iterator[tuple[int, int]]:
    """Find the first and last words of the capitalised names of a text."""
    index, count = 0, len(tokens.lower)
    while index < count:
        if not _may_be_name(tokens, index):
            index += 1
            continue
        # What opens a sentence is no part of the name behind it, unless it is one itself.
        if _says_nothing(tokens, index) and not _is_listed(tokens, index):
            index += 1
            continue
        last = index
        while last + 1 < count and _may_be_name(tokens, last + 1) and _are_joined(tokens, last):
            last += 1
        yield index, last
        index = last + 1


def _is_listed(tokens: Tokens, index: int) -> bool:
    """Tell whether a word is a title, or a name of the shipped lists."""
    return tokens.lower[index] in TITLES or looked_up(tokens.word(index)) in listed_names()


def _may_be_name(tokens: Tokens, index: int) -> bool:
    """Tell whether a word is capitalised prose."""
    return (
        tokens.is_capitalised(index)
        and tokens.lower[index] not in _PRONOUNS
        and tokens.is_alone(index)
        and not tokens.is_protected(index)
    )


def _says_nothing(tokens: Tokens, index: int) -> bool:
    """Tell whether the capital of a word says nothing about it."""
    if index and tokens.lower[index - 1] in TITLES:
        return False
    return tokens.opens_sentence(index) or tokens.is_headline(index)


def _are_joined(tokens: Tokens, index: int) -> bool:
    """Tell whether a word and the next are parts of one name."""
    gap, word = tokens.gap(index + 1), tokens.lower[index]
    return gap in (" ", "-") or (gap == ". " and (len(word) == 1 or word in TITLES))
