"""Greedy decoding of a batch, with the input as a draft and without a cache.

Each pass gives the decoder all that is decided of a row and what is proposed next, and takes the
model's choice at each place of the proposal. Rows that are done leave the batch. There is no cache
to roll back, so that nothing of the model is touched and any encoder-decoder will do.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import get_ident
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import WeakKeyDictionary

from fair_datasets.scores.models import ScoringModel, padded

if TYPE_CHECKING:
    import torch

# Of these kinds, what is said of a place follows from the tokens of its own row alone.
_OF_ONE_ROW = frozenset(
    {
        "ExponentialDecayLengthPenalty", "ForcedBOSTokenLogitsProcessor",
        "ForcedEOSTokenLogitsProcessor", "InfNanRemoveLogitsProcessor", "MinLengthLogitsProcessor",
        "MinNewTokensLengthLogitsProcessor", "NoBadWordsLogitsProcessor",
        "NoRepeatNGramLogitsProcessor", "RepetitionPenaltyLogitsProcessor",
        "SequenceBiasLogitsProcessor", "SuppressTokensAtBeginLogitsProcessor",
        "SuppressTokensLogitsProcessor", "EosTokenCriteria", "MaxLengthCriteria",
    }
)  # fmt: skip
# The limit of each row is its own; there is none for all.
_UNLIMITED = 1 << 20


class TokenPosition(NamedTuple):
    """A place in a row where a token is chosen.

    Attributes:
        limit: How many tokens the row may have, with the start token.
    """

    tokens: Sequence[int]
    length: int
    limit: int


def choose(processors: Any, logits: "torch.Tensor", places: Sequence[TokenPosition]) -> list[int]:
    """Choose the next token at each place.

    Args:
        processors: What transformers makes of the generation settings of the model.
        logits: What the model says of the next token. Shape (P, V).
    """
    import torch

    scores = logits.float()
    if not processors:
        choices: list[int] = scores.argmax(-1).tolist()
        return choices
    groups: dict[tuple[int, bool], list[int]] = {}
    for number, place in enumerate(places):
        groups.setdefault((place.length, place.length == place.limit - 1), []).append(number)
    choices = [0] * len(places)
    for (length, is_last), numbers in groups.items():
        for processor in processors:
            if hasattr(processor, "max_length"):
                processor.max_length = length + 1 if is_last else _UNLIMITED
        ids = torch.tensor([places[number].tokens[:length] for number in numbers])
        allowed = processors(ids.to(scores.device), scores[numbers])
        for number, choice in zip(numbers, allowed.argmax(-1).tolist(), strict=True):
            choices[number] = choice
    return choices


# Where the model agrees with nothing, fewer tokens are proposed each time, down to so many.
FEWEST = 4


# How far from where the guess should go on its continuation is looked for, in tokens.
WINDOW = 32


class DraftedRow:
    """The tokens of one row so far, and a pointer into the guess of the rest.

    What the model chose behind the place where both part is written into the guess (a Jacobi
    step): with one word changed, it often names the others at once.
    """

    __slots__ = ("_at", "_ends", "_guess", "_has_parted", "_proposed", "_reach", "is_done",
                 "limit", "passes", "tokens")  # fmt: skip

    def __init__(
        self, draft: Sequence[int], *, start: int, ends: Sequence[int], limit: int
    ) -> None:
        """Begin a row.

        Args:
            draft: A guess of what is written, without the start token, such as the source.
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


def decode_greedily(
    loaded: ScoringModel,
    sources: Sequence[Sequence[int]],
    drafts: Sequence[Sequence[int]],
    limits: Sequence[int],
    *,
    places: int,
) -> list[DraftedRow] | None:
    """Write what greedy decoding of each row alone writes, from drafts of it.

    Args:
        drafts: A guess of what is written for each row, without the start token.
        limits: How many tokens each row may have, with the start token.
        places: At how many places of the batch tokens are chosen at once, about.

    Returns:
        The rows; None where a model takes no draft, or its settings demand what `generate` alone
        does.
    """

    def loop(network: Any, first: Any, **given: Any) -> list[DraftedRow] | None:
        settings, processors = given["generation_config"], given["logits_processor"]
        asked = {type(each).__name__ for each in [*processors, *given["stopping_criteria"]]}
        start = int(first[0, 0])
        is_greedy = settings.get_generation_mode() == "greedy_search"
        if not is_greedy or asked - _OF_ONE_ROW or not takes_a_draft(loaded, start):
            return None
        ends = end_tokens(network)
        rows = [
            DraftedRow(draft, start=start, ends=ends, limit=limit)
            for draft, limit in zip(drafts, limits, strict=True)
        ]
        output = given["encoder_outputs"]
        read = _Read(type(output), output.last_hidden_state, given["attention_mask"])
        _write(loaded, rows, read, processors, places)
        return rows

    ids, mask = (table.to(loaded.model.device) for table in padded(sources, loaded.padding))
    with loaded.scoring():
        rows: list[DraftedRow] | None = loaded.model.generate(
            input_ids=ids, attention_mask=mask, custom_generate=loop, use_cache=False,
            do_sample=False, num_beams=1, max_new_tokens=_UNLIMITED,
        )  # fmt: skip
    return rows


def end_tokens(network: Any) -> tuple[int, ...]:
    """Return the tokens with which a model ends what it writes."""
    ends = network.generation_config.eos_token_id
    return (ends,) if isinstance(ends, int) else tuple(ends or ())


def _write(
    loaded: ScoringModel, rows: Sequence[DraftedRow], read: "_Read", processors: Any, places: int
) -> None:
    """Write rows to their ends."""
    active = [number for number, row in enumerate(rows) if not row.is_done]
    read = read.of(active)
    with _head_at_places(loaded.model) as head:
        while active:
            count = max(FEWEST, places // len(active) - 1)
            fed = [rows[number].tokens + rows[number].proposal(count) for number in active]
            chosen = [
                [TokenPosition(tokens, length, row.limit)
                 for length in range(len(row.tokens), len(tokens) + 1)]
                for tokens, row in zip(fed, (rows[number] for number in active), strict=True)
            ]  # fmt: skip
            logits = head.logits(loaded, read, fed, chosen)
            choices = iter(choose(processors, logits, [place for row in chosen for place in row]))
            for number, of_row in zip(active, chosen, strict=True):
                rows[number].take([next(choices) for _ in of_row])
            going = [k for k, number in enumerate(active) if not rows[number].is_done]
            if len(going) < len(active):
                active = [active[k] for k in going]
                read = read.of(going)


@dataclass(frozen=True, slots=True)
class _Read:
    """What the encoder says of the rows that are not done.

    Attributes:
        states: Shape (B, S, D).
        mask: 1 for tokens, 0 for padding. Shape (B, S).
    """

    kind: Any
    states: "torch.Tensor"
    mask: "torch.Tensor"

    def of(self, rows: Sequence[int]) -> "_Read":
        """Return the same of some rows, without the padding that only the others needed."""
        if not rows:
            return self
        mask = self.mask[list(rows)]
        width = int(mask.sum(-1).max())
        return _Read(self.kind, self.states[list(rows), :width], mask[:, :width])


@dataclass(slots=True)
class _Head:
    """The layer that gives logits, run at the places alone where a token is chosen.

    The vocabulary is most of what a pass costs. What a model does with the layer's input and with
    its output, such as scaling the one or adding a bias to the other, it does as ever.

    Attributes:
        has_run: Whether the layer was asked for the places in this pass.
        thread: The thread that decodes: another may run the same model.
    """

    rows: list[int] = field(default_factory=list)
    columns: list[int] = field(default_factory=list)
    has_run: bool = False
    thread: int = field(default_factory=get_ident)

    def select(self, layer: Any, inputs: tuple[Any, ...]) -> tuple[Any, ...] | None:
        """Take the states of the places alone; the hook that runs before the layer.

        What is no state per token, such as the tokens themselves where a model names the layer
        that reads them, goes through as it is.
        """
        states = inputs[0]
        is_states = states.ndim == 3 and states.is_floating_point()
        if get_ident() != self.thread or not is_states:
            return None
        self.has_run = True
        return (states[self.rows, self.columns][None], *inputs[1:])

    def logits(
        self,
        loaded: ScoringModel,
        read: _Read,
        fed: Sequence[Sequence[int]],
        places: Sequence[Sequence[TokenPosition]],
    ) -> "torch.Tensor":
        """Return the logits at the places. Shape (P, V)."""
        self.rows = [row for row, of_row in enumerate(places) for _ in of_row]
        self.columns = [place.length - 1 for of_row in places for place in of_row]
        self.has_run = False
        ids = padded(fed, loaded.padding)[0].to(loaded.model.device)
        logits: torch.Tensor = loaded.model(
            encoder_outputs=read.kind(last_hidden_state=read.states),
            attention_mask=read.mask,
            decoder_input_ids=ids,
            use_cache=False,
        ).logits
        return logits[0] if self.has_run else logits[self.rows, self.columns]


@contextmanager
def _head_at_places(network: Any) -> Iterator[_Head]:
    """Have the layer that gives logits run at chosen places, as long as the context lasts."""
    head = _Head()
    layer = network.get_output_embeddings()
    hook = None if layer is None else layer.register_forward_pre_hook(head.select)
    try:
        yield head
    finally:
        if hook is not None:
            hook.remove()


# Logits that differ by more are not the same but for rounding.
_TOLERANCE = 1e-2
_KNOWN: "WeakKeyDictionary[torch.nn.Module, bool]" = WeakKeyDictionary()


def takes_a_draft(loaded: ScoringModel, start: int) -> bool:
    """Whether a model can be decoded from a draft, by trying it on a few tokens."""
    if loaded.model not in _KNOWN:
        _KNOWN[loaded.model] = _tried(loaded, start)
    return _KNOWN[loaded.model]


def _tried(loaded: ScoringModel, start: int) -> bool:
    """Compare what a model says of the first tokens, from the text and from its states."""
    import torch

    # Any tokens will do, but those that may be padding.
    last = loaded.model.get_input_embeddings().num_embeddings - 1
    tokens = [max(0, last - number) for number in range(4)]
    with loaded.scoring():
        ids = torch.tensor([tokens], device=loaded.model.device)
        options: dict[str, Any] = {"attention_mask": torch.ones_like(ids), "use_cache": False}
        states = loaded.model.get_encoder()(input_ids=ids, attention_mask=torch.ones_like(ids))
        given = type(states)(last_hidden_state=states.last_hidden_state)
        draft = torch.tensor([[start, *tokens]], device=loaded.model.device)
        few = loaded.model(input_ids=ids, decoder_input_ids=draft[:, :2], **options).logits
        many = loaded.model(encoder_outputs=given, decoder_input_ids=draft, **options).logits
        difference = (few - many[:, :2]).abs().max().item()
        return bool(difference <= _TOLERANCE * max(1.0, few.abs().max().item()))
