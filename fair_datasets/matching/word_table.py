"""What was told of words: one table for the life of the process, emptied when it is full.

An answer is kept under the word itself, and what is asked looks at nothing but the word; so no
answer depends on what the table has seen.
"""

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

Answer = TypeVar("Answer")

#: How many answers are kept, of about 150 bytes each.
MOST = 1 << 17
# Only texts made for it have longer words; they are asked anew each time.
_LONGEST = 40

_columns: list[dict[str, object]] = []
_kept = 0


def remembered(tell: Callable[[str], Answer]) -> Callable[[str], Answer]:
    """Keep what a function tells of words in the table.

    Args:
        tell: Tells something of a word, by nothing but the word.

    Returns:
        The function, which is called once for a word as long as the table keeps it.

    Example:
        >>> length = remembered(len)
        >>> length("word"), length("word")
        (4, 4)
    """
    answers: dict[str, Answer] = {}
    _columns.append(answers)  # type: ignore[arg-type]

    @wraps(tell)
    def told(word: str) -> Answer:
        try:
            return answers[word]
        except KeyError:
            answer = tell(word)
            if len(word) <= _LONGEST:
                _make_room()
                answers[word] = answer
            return answer

    return told


def _make_room() -> None:
    """Count an answer that is kept; before there are too many, forget them all."""
    global _kept
    if _kept >= MOST:
        for answers in _columns:
            answers.clear()
        _kept = 0
    _kept += 1
