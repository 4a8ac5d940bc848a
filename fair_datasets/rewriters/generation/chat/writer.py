"""Asking a chat model for the edits of rows, and a judge for its opinion of what came of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from fair_datasets.rewriters.generation.chat.answers import Answer
from fair_datasets.rewriters.generation.chat.edits import answered, message, read_json, schema
from fair_datasets.rewriters.generation.chat.served import UNREAD, WITHHELD, Request
from fair_datasets.rewriters.generation.decoding.rows import NO_MEMORY
from fair_datasets.rewriters.generation.faults import CUT, LONG_TEXT, NO_ANSWER
from fair_datasets.rewriters.generation.faults import WITHHELD as FILTERED
from fair_datasets.rewriters.generation.writing import Ask, Written, between_same_spaces

_FINISHES = {"length": CUT, UNREAD: LONG_TEXT, WITHHELD: FILTERED, NO_MEMORY: NO_MEMORY}

_QUESTION = """\
A text was edited so that one person in it becomes another: {attribute}. The person is the one \
whom the word {word} stands for. The edit is right if each word about this person fits who the \
person is now, and everything else, other people included, is as it was.
Answer with JSON alone: {{"right": true}} or {{"right": false}}.

Before:
{before}

After:
{after}"""
_VERDICT: dict[str, Any] = {
    "type": "object", "properties": {"right": {"type": "boolean"}}, "required": ["right"],
    "additionalProperties": False,
}  # fmt: skip
_VERDICT_TOKENS = 256


class ChatModel(Protocol):
    """What answers: a model on a server, or one here."""

    def answers(self, requests: Sequence[Request]) -> list[Answer]:
        """Answer requests, in their order."""


@dataclass(frozen=True, slots=True)
class ChatWriter:
    """A chat model that is asked for edits.

    Attributes:
        model: The model.
        limit: How many tokens an answer may have.
        draws: Whether tokens are drawn.
    """

    model: ChatModel
    limit: int
    draws: bool

    def write(self, asks: Sequence[Ask]) -> list[Written]:
        """Have the model rewrite rows, in their order."""
        answers = self.model.answers([self.request(ask) for ask in asks])
        return [_written(*pair) for pair in zip(asks, answers, strict=True)]

    def request(self, ask: Ask) -> Request:
        """Return what the model is asked for a row."""
        content = message(_bare(ask), ask.word, _where(ask), ask.attribute)
        seed = ask.seed if self.draws else None
        return Request(content, self.limit, seed, schema(len(ask.texts)))


def judged(model: ChatModel, asks: Sequence[Ask], texts: Sequence[Sequence[str]]) -> list[Any]:
    """Ask a judge whether the rewrites of rows are right; None where it does not say."""
    answers = model.answers([verdict_request(*pair) for pair in zip(asks, texts, strict=True)])
    found = []
    for answer in answers:
        data = None if answer.content is None else read_json(answer.content)
        right = data.get("right") if isinstance(data, dict) else None
        found.append(right if isinstance(right, bool) else None)
    return found


def verdict_request(ask: Ask, texts: Sequence[str]) -> Request:
    """Return what a judge is asked for a row, of which these texts were written."""
    question = _QUESTION.format(
        attribute=ask.attribute,
        word=repr(ask.word),
        before="\n\n".join(ask.texts),
        after="\n\n".join(texts),
    )
    return Request(question, _VERDICT_TOKENS, None, _VERDICT)


def _bare(ask: Ask) -> list[str]:
    """Return the texts of a row without the white space around them."""
    return [text.strip() for text in ask.texts]


def _where(ask: Ask) -> tuple[int, int] | None:
    """Return where the word stands in the bare texts."""
    if ask.where is None:
        return None
    place, start = ask.where
    text = ask.texts[place]
    return place, start - (len(text) - len(text.lstrip()))


def _written(ask: Ask, answer: Answer) -> Written:
    """Make of an answer the texts of a row."""
    fault = _FINISHES.get(answer.finish, "" if answer.content else NO_ANSWER)
    if fault:
        return Written(None, fault)
    texts = answered(answer.content or "", _bare(ask))
    if isinstance(texts, str):
        return Written(None, texts)
    return Written(tuple(map(between_same_spaces, texts, ask.texts)))
