"""Where mentions stand in a text: its sentences, phrases and clauses, by the words beside them.

Without a parser: signs, articles, auxiliaries and the words that join clauses are what is read.
"""

import re
from bisect import bisect
from collections.abc import Iterator

from fair_datasets.reader.matching.found import Mention
from fair_datasets.reader.matching.tokens import Tokens, is_abbreviated

INDEFINITE = frozenset({"a", "an", "another"})
OWNERS = frozenset({"my", "your", "our", "their", "its", "his", "her"})
NAME_GAPS = (" ", ". ", ".")
ARTICLES = INDEFINITE | {"the", "no"}
_SENTENCE_END = re.compile(
    # Begun at a word or a run of signs, never within one: long runs would take squared time.
    r"(?:(?<!\w)(?P<word>\w+)|(?<![\w.!?…]))[.!?…]+[\"'”’)\]]*\s+(?=[\"'“‘(\[]*[A-Z0-9])|\n\s*\n"
)
_BE = frozenset({
    "is", "was", "be", "been", "being", "am", "are", "were", "s", "re", "m", "become", "became",
    "becomes", "becoming", "remain", "remained", "remains", "as",
})  # fmt: skip
_AUXILIARIES = frozenset({
    "is", "was", "are", "were", "do", "does", "did", "has", "have", "had", "can", "could", "will",
    "would", "should", "might", "must",
})  # fmt: skip
_ADDITION = frozenset({"nor", "neither", "so"})
RELATIVE = frozenset({"who", "whom", "whose", "which", "that"})
SUBORDINATING = RELATIVE | {
    "after", "although", "as", "because", "before", "how", "if", "once", "since", "though",
    "unless", "until", "what", "when", "where", "while", "why",
}  # fmt: skip
_JOINING = SUBORDINATING | {"and", "but", "or", "so", "then"}
_ENDS = frozenset(".;!?")
_SIGNS = _ENDS | frozenset(",:–—()")


class Clauses:
    """The sentences, phrases and clauses of a text."""

    def __init__(self, tokens: Tokens) -> None:
        """Find where the sentences of a text end."""
        self._tokens = tokens
        self._ends = list(_sentence_ends(tokens.text))

    def sentence(self, offset: int) -> int:
        """Return the number of the sentence that a character of the text stands in."""
        return bisect(self._ends, offset)

    def opening(self, mention: Mention) -> int:
        """Return the article or owner that opens the phrase of a noun, or the noun itself."""
        return mention.first if mention.term.is_name else self.opening_before(mention.first)

    def opening_before(self, index: int) -> int:
        """Return the article or owner some words before a word, or the word itself."""
        lower = self._tokens.lower
        for place in range(index - 1, max(index - 4, -1), -1):
            if self._tokens.gap(place + 1) != " ":
                break
            if lower[place] in ARTICLES or lower[place] in OWNERS:
                return place
        return index

    def is_predicate(self, index: int) -> bool:
        """Tell whether a noun says what someone is: "is a good actress", "as an actress"."""
        lower = self._tokens.lower
        for place in range(index - 1, max(index - 4, 0), -1):
            if lower[place] in ARTICLES:
                return lower[place - 1] in _BE
        return False

    def is_at_start(self, mention: Mention) -> bool:
        """Tell whether a mention opens its sentence: "She left", "Then she left"."""
        first = mention.first
        if self._begins_sentence(first):
            return True
        is_second = self._begins_sentence(first - 1)
        return is_second and self._tokens.lower[first - 1] not in SUBORDINATING

    def _begins_sentence(self, index: int) -> bool:
        """Tell whether a word is the first of its sentence."""
        starts = self._tokens.starts
        return not index or self.sentence(starts[index - 1]) < self.sentence(starts[index])

    def is_within_clause(self, subject: Mention, other: Mention) -> bool:
        """Tell whether a mention stands in the clause of a subject before it, and opens none.

        "He saw Tom", but neither "He knew that Tom left" nor "He saw Tom, who left".
        """
        tokens = self._tokens
        between = range(subject.last + 1, other.first + 1)
        if any(_SIGNS.intersection(tokens.gap(place)) for place in between):
            return False
        following = tokens.lower[other.last + 1 : other.last + 2]
        joining = _JOINING.intersection(tokens.lower[subject.last + 1 : other.first])
        return not joining and not RELATIVE.intersection(following)

    def is_elliptical(self, mention: Mention) -> bool:
        """Tell whether a name or noun and an auxiliary stand for a clause: "Nor did Mary."."""
        tokens, opening, end = self._tokens, self.opening(mention), mention.last + 1
        lower, size = tokens.lower, len(tokens.lower)
        while end < size and tokens.gap(end) == " " and self._is_surname(end):
            end += 1
        if opening > 1 and lower[opening - 1] in _AUXILIARIES and lower[opening - 2] in _ADDITION:
            behind = end
        elif end + 1 < size and tokens.gap(end) == " " and self._is_short_answer(end):
            behind = end + 2
        else:
            return False
        return behind >= size or bool(_ENDS.intersection(tokens.gap(behind)))

    def _is_surname(self, index: int) -> bool:
        """Tell whether a word behind a name may belong to it."""
        return self._tokens.is_capitalised(index) and self._tokens.lower[index] != "i"

    def _is_short_answer(self, index: int) -> bool:
        """Tell whether two words are an auxiliary with "not" or "too"."""
        tokens = self._tokens
        if tokens.lower[index + 1] == "t":
            return tokens.gap(index + 1) in ("'", "’")
        return tokens.lower[index] in _AUXILIARIES and tokens.lower[index + 1] in ("not", "too")


def _sentence_ends(text: str) -> Iterator[int]:
    """Give where sentences end, in characters; a title's or an initial's period ends none."""
    for match in _SENTENCE_END.finditer(text):
        if not is_abbreviated(match["word"] or ""):
            yield match.end()
