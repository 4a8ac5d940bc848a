"""What a model wrote, restored and verified."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from fair_datasets.generation.requests import Request
from fair_datasets.generation.writing import Written
from fair_datasets.verification import restore, verify_all

# How the texts of a row are put together to be verified: as paragraphs of one text.
_APART = "\n\n"


class Judged(NamedTuple):
    """What is left of a rewrite.

    Attributes:
        texts: Its texts, with what was mended unasked restored; None where they do not hold.
        fault: Why, in a word or two; empty where they hold.
        reason: The same in a sentence.
        mended: How many words, signs and spaces were restored.
    """

    texts: tuple[str, ...] | None
    fault: str = ""
    reason: str = ""
    mended: int = 0


def judge(
    requests: Sequence[Request],
    written: Sequence[Written],
    axis: str,
    *,
    of_one: bool,
    targets_are_known: bool,
    **reading: Any,
) -> list[Judged]:
    """Restore and verify what a model wrote for rows; the texts of a row together.

    Args:
        requests: What it was asked.
        written: What it wrote.
        axis: The demographic axis.
        of_one: Whether it was asked for one person of each row, not for everybody.
        targets_are_known: Whether all who are rewritten become the same.
        **reading: How texts are read: `names`, `protect` and `pipeline` of `verify_all`.

    Returns:
        What is left, row by row.
    """
    restored = [_restored(*pair) for pair in zip(requests, written, strict=True)]
    holding = [k for k, found in enumerate(restored) if found.texts is not None]
    asks = [requests[k].ask for k in holding]
    verdicts = verify_all(
        [_APART.join(ask.texts) for ask in asks],
        [_APART.join(restored[k].texts or ()) for k in holding],
        axis,
        [ask.attribute if targets_are_known else None for ask in asks],
        words=[ask.word for ask in asks] if of_one else None,
        starts=[_start(requests[k]) for k in holding] if of_one else None,
        everyone=not of_one,
        **reading,
    )
    for k, verdict in zip(holding, verdicts, strict=True):
        if verdict.reason is not None:
            found = restored[k]
            restored[k] = Judged(None, verdict.reason.value, verdict.sentence, found.mended)
    return restored


def _restored(request: Request, new: Written) -> Judged:
    """Restore what was mended unasked."""
    if new.texts is None:
        return Judged(None, new.fault, new.sentence)
    found = list(map(restore, request.ask.texts, new.texts))
    return Judged(tuple(one.text for one in found), mended=sum(one.mended for one in found))


def _start(request: Request) -> int:
    """Return where the word that is asked for stands in the texts, put together."""
    texts, spans = request.ask.texts, request.ask.spans
    return len(_APART.join([*texts[: request.first], ""])) + spans[request.first][0][0]
