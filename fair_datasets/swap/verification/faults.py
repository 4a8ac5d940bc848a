"""What can be wrong with a rewrite, and how that is told."""

from dataclasses import dataclass
from enum import StrEnum


class Fault(StrEnum):
    """What is wrong with a rewrite. Its value is the name that columns and tables show."""

    EMPTY = "empty"
    UNREAD = "unread"
    UNCHANGED = "unchanged"
    TRUNCATED = "truncated"
    REPEATED = "repeated"
    DROPPED = "dropped"
    INVENTED = "invented"
    NEGATION = "negation"
    NUMBER = "number"
    QUOTATION = "quotation"
    PLACE = "place"
    NAME = "name"
    WRONG_PERSON = "wrong person"
    WRONG_ATTRIBUTE = "wrong attribute"
    BROKEN_CHAIN = "broken chain"
    AGREEMENT = "agreement"
    REWORDED = "reworded"
    RETYPED = "retyped"


# {before} and {after} are the stretches of the two texts; each may be empty but where it is named.
_SENTENCES = {
    Fault.EMPTY: "The rewrite has no words.",
    Fault.UNREAD: "{before!r} is not read as a mention here, so nothing can be verified.",
    Fault.UNCHANGED: "{before!r} stays as it was, but should have changed.",
    Fault.TRUNCATED: "The rewrite ends before {before!r}.",
    Fault.REPEATED: "{after!r} is a repetition.",
    Fault.DROPPED: "{before!r} is left out.",
    Fault.INVENTED: "{after!r} is put in.",
    Fault.NEGATION: "A negation is lost or put in: {before!r} became {after!r}.",
    Fault.NUMBER: "A number changed: {before!r} became {after!r}.",
    Fault.QUOTATION: "A quotation changed: {before!r} became {after!r}.",
    Fault.PLACE: "A place changed: {before!r} became {after!r}.",
    Fault.NAME: "A name or nationality changed: {before!r} became {after!r}.",
    Fault.WRONG_PERSON: "{before!r} became {after!r}, but that is not who was asked for.",
    Fault.WRONG_ATTRIBUTE: "{before!r} became {after!r}, which is not what was asked for.",
    Fault.BROKEN_CHAIN: "{before!r} stays as it was, but is about the person who was rewritten.",
    Fault.AGREEMENT: "{before!r} stays as it was, but has to agree with its subject.",
    Fault.REWORDED: "{before!r} became {after!r}, which the requested change does not explain.",
    Fault.RETYPED: "{before!r} is typed {after!r}; restore() types it as it was.",
}


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was found about a rewrite.

    Attributes:
        reason: The first fault in the order of the text; None where there is none.
        before: Where the fault lies in the original, in characters; (0, 0) where there is none.
        after: Where it lies in the rewrite.
        sentence: The fault in words; empty where there is none.
    """

    reason: Fault | None
    before: tuple[int, int]
    after: tuple[int, int]
    sentence: str

    @property
    def accepted(self) -> bool:
        """Whether no fault was found."""
        return self.reason is None


def told(fault: Fault, before: str, after: str) -> str:
    """Tell a fault in a sentence."""
    if fault is Fault.UNREAD and before == after:
        return f"Nobody is mentioned in {before!r}, so nothing can be verified."
    if fault is Fault.BROKEN_CHAIN and before != after:
        return f"{before!r} became {after!r}, but was rewritten differently elsewhere."
    if fault is Fault.RETYPED and not before:
        return "The spaces changed; restore() types them as they were."
    return _SENTENCES[fault].format(before=before, after=after)
