"""What a model wrote, restored and verified."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from fair_datasets.rewriters.generation.writing import Ask, Written
from fair_datasets.swap.verification import restore, verify_all

# How the texts of a row are put together to be verified: as paragraphs of one text.
_APART = "\n\n"


class Judged(NamedTuple):
    """What is left of a rewrite.

    Attributes:
        texts: Its texts, with what was mended unasked restored; None where they do not hold.
        fault: Why, in a word or two; empty where they hold.
        reason: The same in a sentence.
        mended: How many words, signs and spaces were restored.
        verdict: What a judge and the verification said; empty without a judge.
    """

    texts: tuple[str, ...] | None
    fault: str = ""
    reason: str = ""
    mended: int = 0
    verdict: str = ""


def judge(
    asks: Sequence[Ask],
    written: Sequence[Written],
    axes: Sequence[str],
    *,
    of_one: bool,
    targets_are_known: bool,
    **reading: Any,
) -> list[Judged]:
    """Restore and verify what a model wrote for rows; the texts of a row together.

    Args:
        axes: On which demographic axis each was asked.
        of_one: Whether it was asked for one person of each row, not for everybody.
        **reading: How texts are read: `names`, `protect`, `pipeline` and `reader` of `verify_all`.

    Returns:
        What is left, row by row.
    """
    judged = [_restored(*pair) for pair in zip(asks, written, strict=True)]
    for axis in dict.fromkeys(axes):
        numbers = [k for k, own in enumerate(axes) if own == axis]
        holding = [k for k in numbers if judged[k].texts is not None]
        asked = [asks[k] for k in holding]
        verdicts = verify_all(
            [_APART.join(ask.texts) for ask in asked],
            [_APART.join(judged[k].texts or ()) for k in holding],
            axis,
            [ask.attribute if targets_are_known else None for ask in asked],
            words=[ask.word for ask in asked] if of_one else None,
            starts=[_start(ask) for ask in asked] if of_one else None,
            everyone=not of_one,
            **reading,
        )
        for k, verdict in zip(holding, verdicts, strict=True):
            if verdict.reason is not None:
                mended = judged[k].mended
                judged[k] = Judged(None, verdict.reason.value, verdict.sentence, mended)
    return judged


def _restored(ask: Ask, new: Written) -> Judged:
    """Restore what was mended unasked."""
    if new.texts is None:
        return Judged(None, new.fault, new.sentence)
    found = list(map(restore, ask.texts, new.texts))
    return Judged(tuple(one.text for one in found), mended=sum(one.mended for one in found))


def _start(ask: Ask) -> int | None:
    """Return where the word that is asked for stands in the texts, put together."""
    if ask.where is None:
        return None
    place, start = ask.where
    return len(_APART.join([*ask.texts[:place], ""])) + start
