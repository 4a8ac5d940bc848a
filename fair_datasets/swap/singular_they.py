"""Agreement of verbs with singular "they": "she is" becomes "they are"."""

from typing import NamedTuple

from fair_datasets.english.classifier.decide import decide_one
from fair_datasets.english.finite_verbs import behind_adverbs, is_contracted, is_negated
from fair_datasets.english.subject_verbs import verbs_of
from fair_datasets.english.verbs import guessed_plural_form, is_past_participle
from fair_datasets.matching.lettercase import match_case
from fair_datasets.matching.tokens import Tokens

# Follow the 's that stands for "has", and never the one that stands for "is".
_AFTER_HAS = frozenset({"been", "become", "got", "gotten", "had"})


class VerbEdit(NamedTuple):
    """A verb that is rewritten.

    Attributes:
        start: Where it starts in the text, in characters.
        end: Where it ends.
        before: What stands there.
        after: What has to stand there.
    """

    start: int
    end: int
    before: str
    after: str


def agree(tokens: Tokens, index: int) -> list[VerbEdit]:
    """Find the verbs that have to change when their subject becomes "they".

    Args:
        tokens: The text.
        index: Which word is the subject, "he" or "she"; of "he or she" the last word.

    Returns:
        The edits, in the order of the text.

    Example:
        >>> from fair_datasets.matching.tokens import tokenize
        >>> [(edit.before, edit.after) for edit in agree(tokenize("She sings and is happy."), 0)]
        [('sings', 'sing'), ('is', 'are')]
        >>> [(edit.before, edit.after) for edit in agree(tokenize("Doesn't she sing?"), 2)]
        [("Doesn't", "Don't")]
    """
    edits = (_edit(tokens, position, index) for position in verbs_of(tokens, index))
    return [edit for edit in edits if edit is not None]


def _edit(tokens: Tokens, position: int, subject: int) -> VerbEdit | None:
    """Rewrite one verb, if it is in the third person singular."""
    word, end = tokens.lower[position], tokens.end(position)
    if is_contracted(tokens, position):
        if word != "s":
            return None
        after = "ve" if _stands_for_has(tokens, position, subject) else "re"
        # A single capital letter would read as a capitalised word.
        after = after.upper() if tokens.words[position].isupper() else after
    else:
        after = guessed_plural_form(word)
        if after and is_negated(tokens, position):
            end = tokens.end(position + 1)
            after += tokens.text[tokens.end(position) : end].lower()
        after = match_case(tokens.text[tokens.starts[position] : end], after)
    start = tokens.starts[position]
    before = tokens.text[start:end]
    if not after or after == before or tokens.is_protected(position):
        return None
    return VerbEdit(start, end, before, after)


def _stands_for_has(tokens: Tokens, position: int, subject: int) -> bool:
    """Tell whether the s of "she's" stands for "has"."""
    follower = behind_adverbs(tokens, max(position, subject) + 1)
    word = tokens.lower[follower] if follower is not None else ""
    if word in _AFTER_HAS:
        return True
    return is_past_participle(word) and decide_one("has", tokens, position) > 0
