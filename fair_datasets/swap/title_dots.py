"""The dot of an abbreviated title: "Miss Smith" becomes "Mr. Smith" beside "Dr. Jones"."""

from fair_datasets.matching.abbreviations import GENDERED_TITLES, TITLES
from fair_datasets.matching.terms import Term
from fair_datasets.matching.tokens import Tokens


def changes_dot(term: Term, form: str) -> bool:
    """Tell whether a title is abbreviated and its counterpart is not, or the other way round.

    Args:
        term: The title.
        form: What is written instead.

    Returns:
        Whether the dot is another; False for what is no title.
    """
    is_title = term.entry.kind == "title"
    return is_title and (term.spelling.lower() in GENDERED_TITLES) != (
        form.lower() in GENDERED_TITLES
    )


def with_dot(tokens: Tokens, last: int, after: str) -> tuple[int, str]:
    """Write the dot behind a title that is abbreviated, or leave it out.

    Args:
        tokens: The text.
        last: The word that is a title.
        after: What is written instead.

    Returns:
        Where the edit ends, and what is written.

    Example:
        >>> from fair_datasets import CounterfactualSwap
        >>> swap = CounterfactualSwap(columns="text", mode="replace")
        >>> texts = ["Miss Ray left.", "Dr. Lee met Miss Ray.", "Miss Ray met Mr Lee."]
        >>> swap({"text": texts})["text"]
        ['Mr. Ray left.', 'Dr. Lee met Mr. Ray.', 'Mr Ray met Mrs Lee.']
    """
    end = tokens.end(last)
    is_before_name = tokens.gap(last + 1) in (" ", ". ")
    if after.lower() not in GENDERED_TITLES:
        has_dot = tokens.gap(last + 1) == ". " and tokens.lower[last] in GENDERED_TITLES
        return end + has_dot, after
    has_dot = tokens.text[end : end + 1] == "."
    return end, after + ("." if is_before_name and not has_dot and _has_dots(tokens) else "")


def _has_dots(tokens: Tokens) -> bool:
    """Tell whether the titles of a text have dots, as they have in most texts."""
    for index, word in enumerate(tokens.lower[:-1]):
        if word in TITLES and tokens.is_capitalised(index + 1):
            return tokens.gap(index + 1).startswith(".")
    return True
