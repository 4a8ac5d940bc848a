"""Asking a chat model for the edits of rows, and a judge for its opinion of what came of them."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from json import dumps
from math import ceil
from typing import Any, Protocol

from fair_datasets.rewriters.generation.chat.edits import (
    answered,
    message,
    occurrence,
    read_json,
    schema,
)
from fair_datasets.rewriters.generation.chat.served import UNREAD, WITHHELD, Answer, Request
from fair_datasets.rewriters.generation.decoding import Decoding
from fair_datasets.rewriters.generation.decoding.rows import NO_MEMORY
from fair_datasets.rewriters.generation.loading import load_kept
from fair_datasets.rewriters.generation.writing import (
    CUT,
    LONG_TEXT,
    NO_ANSWER,
    Ask,
    Written,
    between_same_spaces,
)
from fair_datasets.rewriters.generation.writing import WITHHELD as FILTERED
from fair_datasets.scores.batching import batches_by_length, halved
from fair_datasets.scores.models import ScoringModel
from fair_datasets.scores.probes.transformer import half_precision
from fair_datasets.swap.rewriting.counterfactuals import aligned_edits
from fair_datasets.system import interrupts
from fair_datasets.system.checks import InputError


def load_chat_model(name: str, *, revision: str | None = None, owner: str) -> ScoringModel:
    """Load a causal model with its tokenizer and chat template: see `load_kept`."""
    loaded = load_kept(name, "AutoModelForCausalLM", what="causal", revision=revision, owner=owner)
    if not getattr(loaded.tokenizer, "chat_template", None):
        raise InputError(
            f"{owner}: {name!r} has no chat template, so there is no way to ask it; choose a chat "
            "model, or another control."
        )
    return loaded


def as_prompt(tokenizer: Any, messages: Sequence[Mapping[str, str]], *, owner: str) -> list[int]:
    """Return messages as token ids, by the template of a tokenizer and ready for an answer."""
    try:
        text = tokenizer.apply_chat_template(
            list(messages), tokenize=False, add_generation_prompt=True
        )
    except Exception as error:
        raise InputError(
            f"{owner}: the chat template of the model fails ({error}); choose another model."
        ) from error
    ids: list[int] = tokenizer(text, add_special_tokens=False, verbose=False)["input_ids"]
    return ids


@dataclass(frozen=True, slots=True)
class LocalModel:
    """A chat model with the way in which it writes.

    Attributes:
        decoding: How it decodes; draws take one row at a time.
    """

    loaded: ScoringModel
    decoding: Decoding

    def answers(self, requests: Sequence[Request]) -> list[Answer]:
        """Ask, and return the answers in the same order."""
        owner, tokenizer = self.loaded.owner, self.loaded.tokenizer
        prompts = [as_prompt(tokenizer, each.messages, owner=owner) for each in requests]
        most = self.loaded.limit
        found: dict[int, Answer] = {}
        asked = []
        for number, (prompt, request) in enumerate(zip(prompts, requests, strict=True)):
            if most is not None and len(prompt) + request.limit > most:
                found[number] = Answer(None, UNREAD)
            else:
                asked.append(number)
        size = self.decoding.batch_size if self.decoding.is_greedy else 1

        def run(rows: Sequence[int]) -> list[Answer]:
            return self._written([prompts[asked[k]] for k in rows], requests[asked[rows[0]]])

        lengths = [len(prompts[number]) for number in asked]
        for batch in batches_by_length(lengths, size, None):
            interrupts.obey()
            for row, answer in halved(run, batch.tolist(), lambda _: Answer(None, NO_MEMORY)):
                found[asked[row]] = answer
        return [found[number] for number in range(len(requests))]

    def _written(self, prompts: Sequence[Sequence[int]], request: Request) -> list[Answer]:
        """Write answers to some prompts at once, the shorter ones padded in front."""
        import torch

        model, tokenizer = self.loaded.model, self.loaded.tokenizer
        width = max(map(len, prompts))
        ids = [[self.loaded.padding] * (width - len(row)) + list(row) for row in prompts]
        mask = [[0] * (width - len(row)) + [1] * len(row) for row in prompts]
        drawn = self.decoding.temperature is not None
        options: dict[str, Any] = {
            "max_new_tokens": request.limit, "pad_token_id": self.loaded.padding, "num_beams": 1,
            "do_sample": drawn, "temperature": self.decoding.temperature,
            "top_k": 0 if drawn else None, "top_p": 1.0 if drawn else None,
            "num_return_sequences": 1, "return_dict_in_generate": False,
        }  # fmt: skip
        device = model.device
        devices = [device] if device.type == "cuda" else []
        with (
            self.loaded.scoring(),
            half_precision(device, self.decoding.precision),
            torch.random.fork_rng(devices),
        ):
            if request.seed is not None:
                torch.manual_seed(request.seed)
            written = model.generate(
                input_ids=torch.tensor(ids, device=device),
                attention_mask=torch.tensor(mask, device=device),
                **options,
            )[:, width:].tolist()
        ends = model.generation_config.eos_token_id
        ends = {ends} if isinstance(ends, int) else set(ends or ())
        answers = []
        for row in written:
            end = next((place for place, token in enumerate(row) if token in ends), None)
            text = tokenizer.decode(row[:end], skip_special_tokens=True)
            answers.append(Answer(text, "length" if end is None else "stop"))
        return answers


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
        limit: How many tokens an answer may have.
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


_CHARACTERS = 4
_FRAME = 8
_RIGHT = dumps({"right": True})


@dataclass
class Cost:
    """How many requests there would be, and about how many tokens.

    Attributes:
        tokenizer: What counts tokens; None to take four characters for one.
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
                self._add(verdict_request(ask, texts), _RIGHT)

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
