"""What asking a server would cost, before anybody is asked."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from json import dumps
from math import ceil
from typing import Any

from fair_datasets.rewriters.generation.chat.edits import occurrence
from fair_datasets.rewriters.generation.chat.local import as_prompt
from fair_datasets.rewriters.generation.chat.served import Request
from fair_datasets.rewriters.generation.chat.writer import ChatWriter, verdict_request
from fair_datasets.rewriters.generation.writing import Ask
from fair_datasets.swap.rewriting.counterfactuals import aligned_edits

_CHARACTERS = 4
_FRAME = 8
_VERDICT = dumps({"right": True})


@dataclass
class Cost:
    """How many requests there would be, and about how many tokens.

    Attributes:
        tokenizer: What counts tokens; None to take four characters for one.
        requests: How many requests there are.
        read: How many tokens the server would read.
        written: How many it would write, if its edits were those of the swap.
    """

    tokenizer: Any = None
    requests: int = 0
    read: int = 0
    written: int = 0

    def add(self, writer: ChatWriter, asks: Sequence[Ask], *, has_judge: bool) -> None:
        """Count what rows would cost, a judge's verdict included where there is one."""
        for ask in asks:
            texts = list(ask.draft or ask.texts)
            self._add(writer.request(ask), dumps({"edits": list(_edits(ask.texts, texts))}))
            if has_judge:
                self._add(verdict_request(ask, texts), _VERDICT)

    def price(self, read: float, written: float) -> float:
        """Return the price, from those of a million tokens that are read and written.

        Example:
            >>> Cost(read=2_000_000, written=500_000).price(0.5, 2)
            2.0
        """
        return (self.read * read + self.written * written) / 1e6

    def _add(self, request: Request, answer: str) -> None:
        """Count a request with its answer."""
        self.requests += 1
        self.written += self._count(answer) + 1
        if getattr(self.tokenizer, "chat_template", None):
            self.read += len(as_prompt(self.tokenizer, request.messages, owner="Cost"))
        else:
            self.read += self._count(request.content) + _FRAME

    def _count(self, text: str) -> int:
        """Count the tokens of a text."""
        if self.tokenizer is None:
            return ceil(len(text) / _CHARACTERS)
        return len(self.tokenizer(text, add_special_tokens=False, verbose=False)["input_ids"])


counting: ContextVar[Cost | None] = ContextVar("counting", default=None)
"""What counts instead of asking, where that is wanted."""


@contextmanager
def counted_only(cost: Cost) -> Iterator[None]:
    """Have nobody asked, but counted what it would cost."""
    token = counting.set(cost)
    try:
        yield
    finally:
        counting.reset(token)


def _edits(before: Sequence[str], after: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Give the edits that a model would write for a rewrite."""
    for place, (old, new) in enumerate(zip(before, after, strict=True), 1):
        for edit in aligned_edits(old, new):
            number = occurrence(old, edit.before, edit.start)
            one = {"before": edit.before, "after": edit.after, "occurrence": number}
            yield one | ({"text": place} if len(before) > 1 else {})
