"""Where mentions stand in a text: its sentences, phrases and clauses, by the words beside them.

Without a parser: signs, articles, auxiliaries and the words that join clauses are what is read.
"""

import re
from bisect import bisect
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from fair_datasets.reader.english.lists import words
from fair_datasets.reader.english.neighbours import auxiliaries, is_between
from fair_datasets.reader.matching.mentions import Mention
from fair_datasets.reader.matching.tokenizer import APOSTROPHES, Tokens, is_abbreviated

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

    def sentence(self, index: int) -> int:
        """Return the number of the sentence that a word stands in."""
        return bisect(self._ends, self._tokens.starts[index])

    def opening(self, mention: Mention) -> int:
        """Return the article or owner that opens the phrase of a noun, or the noun itself."""
        return mention.first if mention.term.is_name else self.opening_before(mention.first)

    def opening_before(self, index: int) -> int:
        """Return the article or owner some words before a word, or the word itself."""
        lower = self._tokens.lower
        for place in _before(index):
            if self._tokens.gap(place + 1) != " ":
                break
            if lower[place] in ARTICLES or lower[place] in OWNERS:
                return place
        return index

    def is_predicate(self, index: int) -> bool:
        """Whether a noun says what someone is: "is a good actress", "as an actress"."""
        lower = self._tokens.lower
        article = next((place for place in _before(index) if lower[place] in ARTICLES), 0)
        return article > 0 and lower[article - 1] in _BE

    def is_at_start(self, mention: Mention) -> bool:
        """Whether a mention opens its sentence: "She left", "Then she left"."""
        first = mention.first
        return self._begins_sentence(first) or (
            self._begins_sentence(first - 1) and self._tokens.lower[first - 1] not in SUBORDINATING
        )

    def _begins_sentence(self, index: int) -> bool:
        """Whether a word is the first of its sentence."""
        return not index or self.sentence(index - 1) < self.sentence(index)

    def is_within_clause(self, subject: Mention, other: Mention) -> bool:
        """Whether a mention stands in the clause of a subject before it, and opens none.

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
        """Whether a name or noun and an auxiliary stand for a clause: "Nor did Mary."."""
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
        """Whether a word behind a name may belong to it."""
        return self._tokens.is_capitalised(index) and self._tokens.lower[index] != "i"

    def _is_short_answer(self, index: int) -> bool:
        """Whether two words are an auxiliary with "not" or "too"."""
        tokens = self._tokens
        if tokens.lower[index + 1] == "t":
            return tokens.gap(index + 1) in ("'", "’")
        return tokens.lower[index] in _AUXILIARIES and tokens.lower[index + 1] in ("not", "too")


def _before(index: int) -> range:
    """Return the places of the three words before a word, from the last to the first."""
    return range(index - 1, max(index - 4, -1), -1)


def _sentence_ends(text: str) -> Iterator[int]:
    """Give where sentences end, in characters; a title's or an initial's period ends none."""
    for match in _SENTENCE_END.finditer(text):
        if not is_abbreviated(match["word"] or ""):
            yield match.end()


_COORDINATING = frozenset({"and", "or", "but", "then"})
# Behind these a reflexive may be of whoever is named in the clause.
_BESIDE = _COORDINATING | {"nor", "not", "than", "as", "like", "except", "to"}
_SOMEBODY = frozenset(
    {"someone", "somebody", "anyone", "anybody", "everyone", "everybody", "nobody"}
)
_BREAKS = ";:"
_INSERTS = ",()–—"
# So many words lie at most in a clause before a word.
_REACH = 40
_REACH_OF_OWNER = 3
# So many words lie at most in what is put in between two commas, or behind an apposition's noun.
_LONGEST_INSERTION = 12
_LONGEST_TAIL = 6


class _Clause(NamedTuple):
    """What stands in a clause before a word: heads of phrases, the nearest first.

    Attributes:
        opener: The word that opens the clause; -1 where a sign or the sentence does.
        is_joined: Whether the verb shares its subject with one before: "Ann left and hurt herself".
    """

    heads: list[int]
    opener: int
    is_joined: bool


class Binding(Clauses):
    """The words of a clause that decide whom a mention speaks of.

    Attributes:
        is_stranger: Whether a word names somebody of whom the axis says nothing.
    """

    def __init__(
        self, tokens: Tokens, mentions: Sequence[Mention], is_stranger: Callable[[int], bool]
    ) -> None:
        """Look where sentences and phrases end."""
        super().__init__(tokens)
        self.is_stranger = is_stranger
        self._openings = {
            mention.last: self.opening(mention)
            for mention in mentions
            if mention.term.entry.inflection not in ("determiner", "reflexive", "adjective")
            and not mention.term.entry.is_plural
        }

    def head_of(self, mention: Mention) -> int | None:
        """Return the last word of whoever a reflexive or "her" is bound to; None where it is open.

        Returns:
            The word, which may be no mention: "Ann says that the manager blamed herself".
        """
        inflection = mention.term.entry.inflection
        if mention.term.entry.kind != "pronoun" or inflection not in ("determiner", "reflexive"):
            return None
        clause = self._clause_before(mention.first)
        if not clause.heads and clause.opener >= 0 and not clause.is_joined:
            head = self._antecedent(clause.opener)
        elif inflection == "determiner":
            head = self._only_subject(clause)
        else:
            return self._subject(clause, mention.first)
        # "Ann has a friend who knows her mother"
        return head if inflection == "reflexive" or head in self._openings else None

    def apposed_to(self, mention: Mention) -> int | None:
        """Return the last word of whom an apposition stands behind: "Mary, the queen, left".

        Returns:
            The word; None where the mention is no apposition, or may be the next of a list.
        """
        tokens, lower = self._tokens, self._tokens.lower
        opening = self.opening(mention)
        if opening == mention.first and not mention.term.is_name:
            return None
        # "A nurse and a mother"
        if opening > 1 and lower[opening - 1] == "and" and self._is_head(opening - 2):
            opening = self._opening(opening - 2)
        if not opening or not set(",(–—").intersection(tokens.gap(opening)):
            return None
        return self._name_or_noun(opening - 1) if self._is_closed(mention.last + 1) else None

    def owner_of(self, mention: Mention) -> int | None:
        """Return the last word of whose someone is: "Mary's old mother".

        Returns:
            The word; None where nobody is named.
        """
        for place in range(mention.first - 1, 0, -1)[:_REACH_OF_OWNER]:
            if self._is_possessive(place):
                is_one = self._is_named(place - 1)
                return place - 1 if is_one else self._name_or_noun(place - 1)
            if self._tokens.gap(place + 1) != " ":
                break
        return None

    def _is_closed(self, end: int) -> bool:
        """Whether a sign ends an apposition, at a word or behind what goes with its noun."""
        lower, signs = self._tokens.lower, set(_INSERTS + _BREAKS + ".!?")
        following = lower[end] if end < len(lower) else ""
        is_tailed = not signs.intersection(self._tokens.gap(end))
        if is_tailed and following not in words("prepositions") | RELATIVE | {"and"}:
            return False
        behind = end
        while behind < len(lower) and not signs.intersection(self._tokens.gap(behind)):
            behind += 1
        # "Mary, the queen and Ann left": the next of a list, but no "nurse and mother of two,".
        is_list = is_tailed and following == "and" and "," not in self._tokens.gap(behind)
        is_list = is_list or (behind < len(lower) and lower[behind] in _COORDINATING)
        return behind - end < _LONGEST_TAIL and not is_list

    def _clause_before(self, index: int) -> _Clause:
        """Walk back from a word to where its clause begins."""
        tokens, lower = self._tokens, self._tokens.lower
        heads: list[int] = []
        is_joined = False
        place = index - 1
        while place >= max(index - _REACH, 0) and self._is_one_sentence(place, index):
            gap = tokens.gap(place + 1)
            if set(_BREAKS).intersection(gap):
                break
            if set(_INSERTS).intersection(gap):
                start = self._insertion(place)
                if start is not None:
                    place = start - 1
                    continue
                if heads:
                    break
                is_joined = True
            word = lower[place]
            if word in SUBORDINATING:
                return _Clause(heads, place, is_joined)
            if word in _COORDINATING:
                if heads and self._opening(heads[-1]) == place + 1:
                    break
                is_joined = is_joined or not heads
            if self._is_head(place):
                heads.append(place)
            place -= 1
        return _Clause(heads, -1, is_joined)

    def _subject(self, clause: _Clause, index: int) -> int | None:
        """Return the subject of the clause of a reflexive; None where several may be it."""
        lower = self._tokens.lower
        if clause.heads and clause.opener >= 0:
            head, antecedent = clause.heads[-1], self._antecedent(clause.opener)
            is_own = self._opening(head) == clause.opener + 1
            # "The woman whom Ann saw had hurt herself."
            if antecedent is not None and is_own and self._has_two_verbs(head + 1, index):
                return antecedent
        subjects = [head for head in clause.heads if not self._is_behind_preposition(head)]
        if len(subjects) < 2:
            return next(iter(subjects), None)
        nearest, before = subjects[0], lower[index - 1]
        if nearest == index - 1:
            return nearest if nearest in self._openings else None
        if clause.is_joined:
            return subjects[-1]
        is_open = before in _BESIDE or before in words("prepositions")
        between = lower[nearest + 1 : index]
        return None if is_open or not {"to", *ARTICLES, *OWNERS}.isdisjoint(between) else nearest

    def _only_subject(self, clause: _Clause) -> int | None:
        """Return the subject of a clause in which nobody else is named.

        Of a clause that hangs on another only where the name is said again there: "until Ann lost
        her bag" may be of somebody else's, but not behind "Ann and Mary met".
        """
        if len(clause.heads) != 1:
            return None
        head, lower = clause.heads[0], self._tokens.lower
        opening = self._opening(head)
        if clause.opener >= 0:
            is_again = lower[head] in lower[max(opening - _REACH, 0) : opening]
            is_own = is_again and opening == clause.opener + 1
        else:
            is_own = not opening or not self._is_one_sentence(opening - 1, opening)
            is_own = is_own or bool(set(_BREAKS).intersection(self._tokens.gap(opening)))
        return head if is_own else None

    def _antecedent(self, relative: int) -> int | None:
        """Return whom a relative clause describes, if it directly follows."""
        if self._tokens.lower[relative] not in RELATIVE - {"whose"}:
            return None
        head = self._name_or_noun(relative - 1)
        return None if head is None or self._is_behind_preposition(head) else head

    def _has_two_verbs(self, first: int, end: int) -> bool:
        """Whether a verb stands behind that of the clause: "saw had cut", not "had cut"."""
        rest = [word for word in self._tokens.lower[first:end] if not is_between(word)]
        return len([word for word in rest if word not in auxiliaries()]) > 1

    def _insertion(self, last: int) -> int | None:
        """Return where begins what is put in between signs and ends with a word."""
        lower = self._tokens.lower
        for place in range(last, max(last - _LONGEST_INSERTION, 0), -1):
            if set(",(–—").intersection(self._tokens.gap(place)):
                opens = lower[place] in RELATIVE | ARTICLES | OWNERS | {"like"}
                opens = opens or lower[place] in words("prepositions")
                return place if opens or (self._is_head(last) and place == last) else None
        return None

    def _name_or_noun(self, last: int) -> int | None:
        """Return the head that ends with a word, a surname apart."""
        while last > 0 and not self._is_head(last):
            is_surname = self._tokens.is_capitalised(last) and self._tokens.gap(last) in NAME_GAPS
            if not is_surname:
                return None
            last -= 1
        return last if last >= 0 and self._is_head(last) else None

    def _is_head(self, index: int) -> bool:
        """Whether a word ends the name of one person, or a noun or pronoun for one."""
        return self._is_named(index) and not self._is_possessive(index + 1)

    def _is_named(self, index: int) -> bool:
        """Whether a word ends that, whoever else is named by it: "Mary" of "Mary's mother"."""
        is_known = index in self._openings or self.is_stranger(index)
        return is_known or self._tokens.lower[index] in _SOMEBODY

    def _is_possessive(self, index: int) -> bool:
        """Whether a word is the s behind an apostrophe."""
        tokens = self._tokens
        is_s = 0 < index < len(tokens.lower) and tokens.lower[index] == "s"
        return is_s and tokens.gap(index) in APOSTROPHES

    def _opening(self, head: int) -> int:
        """Return the article or owner that opens the phrase of a head, or the head itself."""
        if head in self._openings:
            return self._openings[head]
        return self.opening_before(head)

    def _is_behind_preposition(self, head: int) -> bool:
        """Whether a phrase stands behind a preposition."""
        opening = self._opening(head)
        return opening > 0 and self._tokens.lower[opening - 1] in words("prepositions")

    def _is_one_sentence(self, one: int, other: int) -> bool:
        """Whether two words stand in one sentence."""
        return self.sentence(one) == self.sentence(other)
