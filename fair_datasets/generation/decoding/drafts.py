"""A row that is decoded from a draft: what is proposed next, and what the model's choices make.

A rewrite copies nearly everything, so its source is a good guess of it. The next tokens of the
guess are proposed, the model says in one pass what it would write at each of these places, and
the longest prefix on which both agree is kept, with the model's own token where they part. That
is what greedy decoding would have written, token for token; the guess only saves passes.
"""

from collections.abc import Sequence

# Where the model agrees with nothing, fewer tokens are proposed each time, down to so many.
FEWEST = 4

# How far from where the guess should go on its continuation is looked for, in tokens.
WINDOW = 32


class DraftedRow:
    """The tokens of one row so far, and a pointer into the guess of the rest.

    What the model chose behind the place where both part is written into the guess (a Jacobi
    step): with one word changed, it often names the others at once.

    Attributes:
        tokens: What is decided, with the decoder's start token.
        limit: How many tokens there may be, with the start token.
        is_done: Whether the model ended the row, or the limit is reached.
        passes: How often the model was asked.

    Example:
        >>> row = DraftedRow([7, 8, 9, 2], start=0, ends=(2,), limit=20)
        >>> row.proposal(3)
        [7, 8, 9]
        >>> row.take([7, 5, 9, 2])  # It writes 5 for 8, and would go on as before.
        >>> row.tokens, row.proposal(3)
        ([0, 7, 5], [9, 2])
    """

    __slots__ = ("_at", "_ends", "_guess", "_has_parted", "_proposed", "_reach", "is_done",
                 "limit", "passes", "tokens")  # fmt: skip

    def __init__(
        self, draft: Sequence[int], *, start: int, ends: Sequence[int], limit: int
    ) -> None:
        """Begin a row.

        Args:
            draft: A guess of what is written, without the start token, such as the source.
            start: The decoder's start token.
            ends: The tokens that end a row.
            limit: How many tokens there may be, with the start token.
        """
        self.tokens = [start]
        self.limit = limit
        self.is_done = limit <= 1
        self.passes = 0
        self._guess = list(draft)
        self._ends = frozenset(ends)
        self._at = 0
        self._has_parted = False
        self._proposed: list[int] = []
        self._reach = limit

    def proposal(self, count: int) -> list[int]:
        """Return the next tokens of the guess.

        Args:
            count: How many at most.

        Returns:
            The tokens; fewer where the guess or the limit ends, or the guess has been wrong.
        """
        room = min(count, self._reach, self.limit - len(self.tokens) - 1)
        self._proposed = self._guess[self._at : self._at + room]
        return self._proposed

    def take(self, choices: Sequence[int]) -> None:
        """Take what the model agrees with, and its own token behind.

        Args:
            choices: What the model writes behind the tokens so far, and behind each of those that
                were proposed; one more than these.
        """
        self.passes += 1
        proposed = self._proposed
        agreed = 0
        while agreed < len(proposed) and proposed[agreed] == choices[agreed]:
            agreed += 1
        self._reach = 2 * self._reach if agreed else max(FEWEST, self._reach // 2)
        for token in choices[: agreed + 1]:
            self.tokens.append(token)
            if token in self._ends or len(self.tokens) >= self.limit:
                self.is_done = True
                return
        self._move(agreed, choices)

    def _move(self, agreed: int, choices: Sequence[int]) -> None:
        """Set the pointer behind what was taken."""
        proposed = self._proposed
        if not agreed and (self._has_parted or not proposed):
            # The last token that the model chose for itself was not one for one.
            self._realign()
            return
        self._has_parted = agreed < len(proposed)
        behind = slice(self._at + agreed + 1, self._at + len(proposed))
        self._guess[behind] = choices[agreed + 1 : len(proposed)]
        self._at += agreed + 1

    def _realign(self) -> None:
        """Look for the last tokens near the pointer; else keep it, as for an insertion."""
        first, last = max(0, self._at - WINDOW), min(len(self._guess), self._at + WINDOW)
        for count in (3, 2, 1):
            written = self.tokens[1:][-count:]
            if len(written) < count:
                continue
            ends = [
                end for end in range(first + count, last + 1)
                if self._guess[end - count : end] == written
            ]  # fmt: skip
            if ends:
                self._at = min(ends, key=lambda end: abs(end - self._at))
                return
