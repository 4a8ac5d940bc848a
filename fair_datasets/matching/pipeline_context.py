"""What a trained spaCy pipeline says about a word, in place of our own guesses.

A question is answered by the tags, the entities or the parse. Where the pipeline has no component
that answers it, it is answered by our own guess. A text is parsed at its first question, so one
without an ambiguous word costs nothing.
"""

from bisect import bisect_right
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from fair_datasets.checks import InputError
from fair_datasets.matching.context import OWN, Context
from fair_datasets.matching.names import Verdict
from fair_datasets.matching.neighbours import neighbours
from fair_datasets.matching.people.person_nouns import people_words
from fair_datasets.matching.people.usage import is_apt, is_person_noun
from fair_datasets.matching.pipeline import parse
from fair_datasets.matching.terms import Term
from fair_datasets.matching.tokens import Tokens

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span, Token

# The labels of several schemes: OntoNotes' and WikiNER's entities, ClearNLP's and UD's parses.
_PERSON = frozenset({"PERSON", "PER"})
_DETERMINER = frozenset({"poss", "nmod:poss", "det", "det:poss"})
_MODIFIER = frozenset({"amod", "compound", "nmod"})
_PREDICATE = frozenset({"acomp", "attr", "oprd", "ROOT", "root"})
_SUBJECT = frozenset({"nsubj", "nsubjpass", "nsubj:pass"})
_KINDS = {"VERB": "verb", "AUX": "verb", "NOUN": "noun", "PROPN": "noun", "ADJ": "adjective"}
_TAGS = {"VB": "verb", "MD": "verb", "NN": "noun", "JJ": "adjective"}


class PipelineContext(Context):
    """The answers of a trained pipeline about texts, and our own where it has none.

    One text is asked about after the other; that which was parsed last is kept.

    Example:
        >>> import spacy
        >>> from fair_datasets.matching.tokens import tokenize
        >>> def parse(text):
        ...     doc = spacy.blank("en")(text)
        ...     doc[0].tag_ = "PRP"
        ...     return doc
        >>> PipelineContext(parse).her_is_determiner(tokenize("Her book is here."), 0)
        False
    """

    def __init__(self, parse: Callable[[str], "Doc"]) -> None:
        """Set out to read texts.

        Args:
            parse: Returns a text with its annotations; it is called at the first question.
        """
        self._parse = parse
        self._parsed: tuple[Tokens, Doc] | None = None

    def her_is_determiner(self, tokens: Tokens, index: int) -> bool:
        """Tell by the tag, or else by the parse."""
        token = self._token(tokens, index)
        if token.tag_ in ("PRP", "PRP$"):
            return token.tag_ == "PRP$"
        if token.morph.get("Poss", []):
            return True
        if _has(token, "DEP"):
            return token.dep_ in _DETERMINER
        return super().her_is_determiner(tokens, index)

    def his_is_possessive(self, tokens: Tokens, index: int) -> bool:
        """Tell by the parse: a determiner belongs to a word behind it."""
        token = self._token(tokens, index)
        if _has(token, "DEP"):
            return not (token.dep_ in _DETERMINER and token.head.i > token.i)
        return super().his_is_possessive(tokens, index)

    def is_verb(self, tokens: Tokens, index: int) -> bool:
        """Tell by the part of speech."""
        kind = _kind(self._token(tokens, index))
        return kind == "verb" if kind else super().is_verb(tokens, index)

    def is_person(self, tokens: Tokens, index: int) -> bool:
        """Tell by the entity around the word, then by the noun that it modifies.

        Which sense a noun of its own has ("the mummy", a chess king) no pipeline tells, so that is
        our own guess.
        """
        token = self._token(tokens, index)
        if tokens.is_hyphenated(index):
            return super().is_person(tokens, index)
        if token.ent_type_:
            return token.ent_type_ in _PERSON
        if _modifies(token):
            if token.head.ent_type_ in _PERSON:
                return True
            if not is_person_noun(token.head.lower_):
                return False
        return _kind(token) != "verb" and super().is_person(tokens, index)

    def is_title(self, tokens: Tokens, index: int) -> bool:
        """Tell by the entity behind the word, or else by the noun that it modifies."""
        words = tokens.words[index : index + 2]
        if len(words) < 2 or tokens.gaps[index + 1] not in (" ", ". "):
            return False
        token = self._token(tokens, index)
        if not _has(token, "ENT_IOB"):
            return super().is_title(tokens, index)
        if not all(word[0].isupper() for word in words):
            return False
        entity = self._token(tokens, index + 1).ent_type_
        return entity in _PERSON or (not entity and token.dep_ == "compound" and _modifies(token))

    def is_surname(self, tokens: Tokens, index: int) -> bool:
        """Tell by the entity around the word: a surname stands behind its first word."""
        token = self._token(tokens, index)
        if token.ent_type_:
            is_behind = token.ent_iob_ == "I" or super().is_surname(tokens, index)
            return token.ent_type_ in _PERSON and is_behind
        return super().is_surname(tokens, index)

    def judge_name(self, tokens: Tokens, index: int, term: Term, previous_is_name: bool) -> Verdict:
        """Judge by the entity: a first name opens the name of a person."""
        token = self._token(tokens, index)
        own = super().judge_name(tokens, index, term, previous_is_name)
        if not _has(token, "ENT_IOB"):
            return own
        if token.ent_type_ not in _PERSON:
            return Verdict.REJECT
        # No entity tells "Mr. James" from "King James", and none takes a double name apart.
        if previous_is_name or tokens.is_hyphenated(index) or _follows_title(tokens, index):
            return own
        return Verdict.REJECT if token.ent_iob_ == "I" else Verdict.ACCEPT

    def how_used(self, tokens: Tokens, first: int, last: int) -> str:
        """Say by the parse and the part of speech what the word describes."""
        span = self._span(tokens, first, last)
        root, kind = span.root, _kind(span.root)
        is_hyphenated = "-" in (tokens.gaps[first][-1:], tokens.gaps[last + 1][:1])
        if is_hyphenated or not (kind and _has(root, "DEP")):
            return super().how_used(tokens, first, last)
        if root.ent_type_ not in ("", "NORP") and _is_inside_entity(span):
            return ""
        word = root
        while word.dep_ == "conj":  # "black and white women"
            word = word.head
        if _modifies(word) and word.head.i > root.i:
            noun = bisect_right(tokens.starts, word.head.idx) - 1
            return "adjective" if _is_person(word.head) and is_apt(tokens, last, noun) else ""
        if kind == "noun":
            number = _number(root)
            if number and root.ent_type_ in ("", "NORP"):
                return number
        if kind in ("adjective", "noun") and word.dep_ in _PREDICATE:
            return "adjective" if _is_said_of_person(word) else ""
        return "" if kind == "noun" else super().how_used(tokens, first, last)

    def _token(self, tokens: Tokens, index: int) -> "Token":
        """Return the pipeline's token in which a word begins."""
        return self._span(tokens, index, index)[0]

    def _span(self, tokens: Tokens, first: int, last: int) -> "Span":
        """Return the pipeline's tokens that some words stand in."""
        if self._parsed is None or self._parsed[0] is not tokens:
            self._parsed = tokens, self._parse(tokens.text)
        doc = self._parsed[1]
        span = doc.char_span(tokens.starts[first], tokens.end(last), alignment_mode="expand")
        if span is None:
            raise InputError(
                "The pipeline's tokens are not those of the text, so that its answers cannot be "
                "told; use a pipeline whose tokenizer keeps the text as it is."
            )
        return span


def context_of(pipeline: str | None) -> Context:
    """Return what answers the questions about texts.

    Args:
        pipeline: A trained pipeline's package or path, which is loaded at the first question; None
            for our own guesses.

    Returns:
        The context.
    """
    return OWN if pipeline is None else PipelineContext(partial(parse, pipeline))


def _has(token: "Token", annotation: str) -> bool:
    """Tell whether the pipeline has a component that gives an annotation."""
    return token.doc.has_annotation(annotation)


def _kind(token: "Token") -> str:
    """Return whether a token is a verb, a noun, an adjective or other; empty if that is unknown."""
    if token.pos_:
        return _KINDS.get(token.pos_, "other")
    return _TAGS.get(token.tag_[:2], "other") if token.tag_ else ""


def _modifies(token: "Token") -> bool:
    """Tell whether a token modifies a noun behind it: the king of "king bed"."""
    return token.dep_ in _MODIFIER and token.head.i > token.i


def _number(token: "Token") -> str:
    """Return whether a noun is used as a plural or, behind a determiner, as a singular."""
    if token.tag_ in ("NNS", "NNPS") or "Plur" in token.morph.get("Number", []):
        return "plural"
    determiners = people_words("singular_determiners")
    return "singular" if any(child.lower_ in determiners for child in token.children) else ""


def _is_person(token: "Token") -> bool:
    """Tell whether a token names a person."""
    return (
        token.ent_type_ in _PERSON
        or is_person_noun(token.lower_)
        or token.lower_ in people_words("personal_subjects")
    )


def _is_said_of_person(token: "Token") -> bool:
    """Tell whether the subject of a predicate names a person."""
    around = [*token.children, *token.head.children]
    return any(_is_person(child) for child in around if child.dep_ in _SUBJECT)


def _is_inside_entity(span: "Span") -> bool:
    """Tell whether the entity around a span has further words: "the White House"."""
    behind = span.doc[span.end : span.end + 1]
    return span[0].ent_iob_ == "I" or any(token.ent_iob_ == "I" for token in behind)


def _follows_title(tokens: Tokens, index: int) -> bool:
    """Tell whether a capitalised title or word for a relative stands directly before a word."""
    if not index or tokens.gaps[index] not in (" ", ". "):
        return False
    lists = ("before_surname", "before_name_of_man", "before_name_of_woman")
    before = tokens.lower[index - 1]
    return tokens.words[index - 1][0].isupper() and any(before in neighbours(n) for n in lists)
