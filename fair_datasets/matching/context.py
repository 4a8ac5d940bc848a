"""What the neighbours of a word say about it: our own guesses, or those of a trained pipeline."""

from fair_datasets.matching.names import Verdict, judge_name
from fair_datasets.matching.people.usage import how_used
from fair_datasets.matching.pronouns import her_is_determiner, his_is_possessive
from fair_datasets.matching.senses import is_person, is_title, is_verb
from fair_datasets.matching.surnames import is_surname
from fair_datasets.matching.terms import Term
from fair_datasets.matching.tokens import Tokens


class Context:
    """Our own guesses from the neighbouring words, without a trained pipeline."""

    def her_is_determiner(self, tokens: Tokens, index: int) -> bool:
        """Tell whether "her" stands before a noun phrase (his) and is no object (him)."""
        return her_is_determiner(tokens, index)

    def his_is_possessive(self, tokens: Tokens, index: int) -> bool:
        """Tell whether "his" stands alone (hers) and is no determiner (her)."""
        return his_is_possessive(tokens, index)

    def is_verb(self, tokens: Tokens, index: int) -> bool:
        """Tell whether a word that may be a verb ("host") is one."""
        return is_verb(tokens, index)

    def is_person(self, tokens: Tokens, index: int) -> bool:
        """Tell whether a word that often denotes a thing ("king") denotes a person."""
        return is_person(tokens, index)

    def is_title(self, tokens: Tokens, index: int) -> bool:
        """Tell whether a word is a title before a name ("Miss Woodhouse")."""
        return is_title(tokens, index)

    def is_surname(self, tokens: Tokens, index: int) -> bool:
        """Tell whether a term stands where a surname does ("Mr. Prince")."""
        return is_surname(tokens, index)

    def judge_name(self, tokens: Tokens, index: int, term: Term, previous_is_name: bool) -> Verdict:
        """Judge whether a word that is spelt like a first name is one."""
        return judge_name(tokens, index, term, previous_is_name)

    def how_used(self, tokens: Tokens, first: int, last: int) -> str:
        """Say how a word describes people: adjective, singular, plural; empty if it does not."""
        return how_used(tokens, first, last)


OWN = Context()
