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

from fair_datasets.scores.models import ScoringModel, padded
from fair_datasets.system.checks import invalid

if TYPE_CHECKING:
    import torch

# Settings that say which tokens mean what, or that have no say in a greedy choice.
_WITHOUT_EFFECT = frozenset(
    {
        "bos_token_id", "eos_token_id", "pad_token_id", "decoder_start_token_id", "max_length",
        "max_new_tokens", "do_sample", "num_beams", "num_beam_groups", "early_stopping",
        "length_penalty", "diversity_penalty", "num_return_sequences", "temperature", "top_k",
        "top_p", "min_p", "top_h", "typical_p", "epsilon_cutoff", "eta_cutoff", "use_cache",
        "cache_implementation", "cache_config", "max_cache_len", "compile_config",
        "disable_compile", "output_attentions", "output_hidden_states", "output_scores",
        "output_logits", "return_dict_in_generate", "transformers_version", "_from_model_config",
        "low_memory", "is_assistant", "num_assistant_tokens", "num_assistant_tokens_schedule",
        "assistant_confidence_threshold", "assistant_lookbehind", "target_lookbehind",
        "assistant_early_exit", "assistant_ensemble_weight", "prefill_chunk_size",
        "max_matching_ngram_size", "continuous_batching_config", "token_healing",
    }
)  # fmt: skip
_HONOURED = frozenset(
    {
        "forced_bos_token_id", "forced_eos_token_id", "min_length", "min_new_tokens",
        "suppress_tokens", "begin_suppress_tokens", "no_repeat_ngram_size", "bad_words_ids",
    }
)  # fmt: skip
# What says nothing, as do None, False, 0 and an empty list.
_NEUTRAL = {"repetition_penalty": 1.0, "encoder_repetition_penalty": 1.0, "guidance_scale": 1.0}


class Place(NamedTuple):
    """A place in a row where a token is chosen.

    Attributes:
        limit: How many tokens the row may have, with the start token.
    """

    tokens: Sequence[int]
    length: int
    limit: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """The demands on a greedy choice.

    Attributes:
        last: The tokens of which one stands last where a row reaches its limit.
        bad: Tokens that are never written unless one is forced.
        shortest: How many tokens there are before a row may end, with the start token.
        first_length: How many tokens stand before the one that `never_first` is about.
        repeats: The length of the sequences that may not occur twice; 0 for any.
    """

    start: int
    ends: tuple[int, ...] = ()
    first: int | None = None
    last: tuple[int, ...] = ()
    bad: tuple[int, ...] = ()
    shortest: int = 0
    never: tuple[int, ...] = ()
    never_first: tuple[int, ...] = ()
    first_length: int = 1
    repeats: int = 0

    @classmethod
    def read(cls, network: Any) -> "Rules":
        """Read the generation settings of a model."""
        settings = network.generation_config
        start = settings.decoder_start_token_id
        start = settings.bos_token_id if start is None else start
        name = network.config.name_or_path or type(network).__name__
        if not isinstance(start, int):
            raise invalid(
                f"{name!r} does not say with which token its decoder starts; set "
                "decoder_start_token_id in its generation_config.json."
            )
        _refuse_unknown(settings, name)
        ends = _ids(settings.eos_token_id)
        bad = settings.bad_words_ids or []
        # As in transformers, the number of new tokens has precedence over the length.
        shortest = settings.min_length or 0
        if settings.min_new_tokens is not None:
            shortest = 1 + settings.min_new_tokens
        return cls(
            start=start,
            ends=ends,
            first=settings.forced_bos_token_id,
            last=_ids(settings.forced_eos_token_id),
            bad=tuple(word[0] for word in bad if word[0] not in ends),
            shortest=shortest,
            never=_ids(settings.suppress_tokens),
            never_first=_ids(settings.begin_suppress_tokens),
            first_length=1 if settings.forced_bos_token_id is None else 2,
            repeats=settings.no_repeat_ngram_size or 0,
        )

    def choose(self, logits: "torch.Tensor", places: Sequence[Place]) -> list[int]:
        """Choose the next token at each place.

        Args:
            logits: What the model says of the next token. Shape (P, V).
        """
        scores = logits.float()
        if self.repeats:
            for number, place in enumerate(places):
                written = _repeating(place.tokens[: place.length], self.repeats)
                scores[number, written] = -float("inf")
        _bar(scores, range(len(places)), self.bad)
        lengths = [place.length for place in places]
        _bar(scores, [k for k, length in enumerate(lengths) if length < self.shortest], self.ends)
        if self.first is not None:
            _force(scores, [k for k, length in enumerate(lengths) if length == 1], [self.first])
        if self.last:
            at_limit = [k for k, place in enumerate(places) if place.length == place.limit - 1]
            _force(scores, at_limit, self.last)
        _bar(scores, range(len(places)), self.never)
        begin = [k for k, length in enumerate(lengths) if length == self.first_length]
        _bar(scores, begin, self.never_first)
        choices: list[int] = scores.argmax(-1).tolist()
        return choices


def _bar(scores: "torch.Tensor", places: Sequence[int], tokens: Sequence[int]) -> None:
    """Forbid tokens at some places."""
    if places:
        for token in tokens:
            scores[list(places), token] = -float("inf")


def _force(scores: "torch.Tensor", places: Sequence[int], tokens: Sequence[int]) -> None:
    """Allow nothing but some tokens at some places, each as good as the other."""
    for place in places:
        scores[place] = -float("inf")
        scores[place, list(tokens)] = 0.0


def _refuse_unknown(settings: Any, name: str) -> None:
    """Raise if the settings hold a demand that is not known here."""
    for setting, value in settings.to_dict().items():
        neutral = _NEUTRAL.get(setting)
        if setting in _WITHOUT_EFFECT or not value or value == neutral:
            continue
        is_of_words = setting == "bad_words_ids" and any(len(word) > 1 for word in value)
        if setting in _HONOURED and not is_of_words:
            continue
        raise invalid(
            f"{setting}={value!r} among the generation settings of {name!r} is ignored "
            "when decoding from a draft; remove it from its generation_config.json, or use "
            "beams=2 or more, which decodes with `generate` of transformers."
        )


def _ids(value: Any) -> tuple[int, ...]:
    """Return one token id or several as a tuple."""
    if value is None:
        return ()
    return (int(value),) if isinstance(value, int) else tuple(map(int, value))


def _repeating(prefix: Sequence[int], size: int) -> list[int]:
    """Return the tokens that would end a sequence of some length that has occurred."""
    if len(prefix) + 1 < size:
        return []
    last = list(prefix[len(prefix) - size + 1 :])
    return [
        prefix[k + size - 1]
        for k in range(len(prefix) - size + 1)
        if list(prefix[k : k + size - 1]) == last
    ]


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
    rules: Rules,
    sources: Sequence[Sequence[int]],
    drafts: Sequence[Sequence[int]],
    limits: Sequence[int],
    *,
    places: int,
) -> list[DraftedRow]:
    """Write what greedy decoding of each row alone writes, from drafts of it.

    Args:
        drafts: A guess of what is written for each row, without the start token.
        limits: How many tokens each row may have, with the start token.
        places: At how many places of the batch tokens are chosen at once, about.
    """
    rows = [
        DraftedRow(draft, start=rules.start, ends=rules.ends, limit=limit)
        for draft, limit in zip(drafts, limits, strict=True)
    ]
    with loaded.scoring(), _head_at_places(loaded.model) as head:
        read = _Read.by_encoder(loaded, sources)
        active = [number for number, row in enumerate(rows) if not row.is_done]
        while active:
            count = max(FEWEST, places // len(active) - 1)
            fed = [rows[number].tokens + rows[number].proposal(count) for number in active]
            chosen = [
                [Place(tokens, length, row.limit)
                 for length in range(len(row.tokens), len(tokens) + 1)]
                for tokens, row in zip(fed, (rows[number] for number in active), strict=True)
            ]  # fmt: skip
            logits = head.logits(loaded, read, fed, chosen)
            choices = iter(rules.choose(logits, [place for row in chosen for place in row]))
            for number, of_row in zip(active, chosen, strict=True):
                rows[number].take([next(choices) for _ in of_row])
            going = [k for k, number in enumerate(active) if not rows[number].is_done]
            if len(going) < len(active):
                active = [active[k] for k in going]
                read = read.of(going)
    return rows


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

    @classmethod
    def by_encoder(cls, loaded: ScoringModel, sources: Sequence[Sequence[int]]) -> "_Read":
        """Run the encoder."""
        device = loaded.model.device
        ids, mask = (table.to(device) for table in padded(sources, loaded.padding))
        output = loaded.model.get_encoder()(input_ids=ids, attention_mask=mask)
        return cls(type(output), output.last_hidden_state, mask)

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
        places: Sequence[Sequence[Place]],
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
