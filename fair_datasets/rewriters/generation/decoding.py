"""Decoding many rows: batches by length, halved where one does not fit into memory."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import WeakKeyDictionary

from fair_datasets.rewriters.generation.greedy import Rules, decode_greedily
from fair_datasets.scores.models import ScoringModel, batches_by_length, halved
from fair_datasets.scores.probes.transformer import half_precision
from fair_datasets.system import interrupts

if TYPE_CHECKING:
    import torch

TOO_LONG = "longer than the limit"
NO_MEMORY = "no memory on the GPU"


@dataclass(frozen=True, slots=True, kw_only=True)
class Decoding:
    """How rows are decoded.

    Greedy decoding takes the input as a draft, and gives what `generate` of transformers gives for
    each row alone. Beams, draws and the few architectures that take no draft are left to
    `generate`, one row at a time, so that a row's result depends on that row and its seed alone.

    Attributes:
        places: At how many places of a batch tokens are chosen at once, about; each takes memory
            for the whole vocabulary.
        precision: `auto` for bfloat16 on a GPU that has it, in which two tokens that are nearly
            equal may change places with the batch; `float32` for single precision always.
    """

    beams: int = 1
    temperature: float | None = None
    batch_size: int = 16
    places: int = 1024
    precision: str = "auto"

    @property
    def is_greedy(self) -> bool:
        """Whether the most likely token is taken at each place."""
        return self.beams == 1 and self.temperature is None


class Decoded(NamedTuple):
    """What was written for a row.

    Attributes:
        fault: Why nothing, or not all, was written: one of `TOO_LONG` and `NO_MEMORY`; empty where
            the model ended the row itself.
    """

    ids: list[int]
    fault: str = ""
    passes: int = 0


def decode(
    loaded: ScoringModel,
    sources: Sequence[Sequence[int]],
    *,
    drafts: Sequence[Sequence[int]] | None = None,
    limits: Sequence[int],
    seeds: Sequence[int] | None = None,
    settings: Decoding | None = None,
) -> list[Decoded]:
    """Write something for each row.

    Args:
        sources: What the encoder reads of each row, as token ids; at least one each.
        drafts: A guess of what is written for each row; None for the source itself.
        limits: How many tokens each row may have at most, with the one that ends it.
        seeds: The seed of each row's draws; needed with a temperature.

    Source:
        Drafts from the input: Ge et al. (2022), "Lossless Acceleration for Seq2seq Generation with
        Aggressive Decoding".
    """
    settings = settings or Decoding()
    drafts = sources if drafts is None else drafts
    rules = Rules.read(loaded.model) if settings.is_greedy else None
    if rules is not None and not takes_a_draft(loaded, rules.start):
        rules = None
    results: list[Decoded | None] = [None] * len(sources)

    def run(rows: Sequence[int]) -> list[Decoded]:
        with half_precision(loaded.model.device, settings.precision):
            if rules is None:
                seed = seeds[rows[0]] if seeds is not None else None
                return [_generated(loaded, sources[rows[0]], limits[rows[0]], seed, settings)]
            outputs = decode_greedily(
                loaded,
                rules,
                [sources[row] for row in rows],
                [drafts[row] for row in rows],
                [limits[row] + 1 for row in rows],
                places=settings.places,
            )
        return [_decoded(row.tokens, rules.ends, row.limit, row.passes) for row in outputs]

    size = 1 if rules is None else settings.batch_size
    for batch in batches_by_length([len(ids) for ids in sources], size, None):
        interrupts.raise_if_interrupted()
        for row, decoded in halved(run, batch.tolist(), lambda _: Decoded([], NO_MEMORY)):
            results[row] = decoded
    return [decoded for decoded in results if decoded is not None]


def _generated(
    loaded: ScoringModel, source: Sequence[int], limit: int, seed: int | None, settings: Decoding
) -> Decoded:
    """Have `generate` write for one row, by beams or by draws of its own."""
    import torch

    options: dict[str, Any] = {
        "num_beams": settings.beams, "max_new_tokens": limit,
        # One text for a row, whatever the model's settings ask for.
        "num_return_sequences": 1, "return_dict_in_generate": False, "num_beam_groups": 1,
        "diversity_penalty": 0.0,
    }  # fmt: skip
    if settings.temperature is not None:
        options |= {"do_sample": True, "temperature": settings.temperature, "top_k": 0}
    else:
        options["do_sample"] = False
    device = loaded.model.device
    devices = [device] if device.type == "cuda" else []
    with loaded.scoring(), torch.random.fork_rng(devices):
        if seed is not None:
            torch.manual_seed(seed)
        ids = torch.tensor([list(source)], device=device)
        written = loaded.model.generate(
            input_ids=ids, attention_mask=torch.ones_like(ids), **options
        )[0].tolist()
    ends = loaded.model.generation_config.eos_token_id
    ends = (ends,) if isinstance(ends, int) else tuple(ends or ())
    return _decoded(written, ends, limit + 1, 0)


def _decoded(tokens: Sequence[int], ends: Sequence[int], limit: int, passes: int) -> Decoded:
    """Return what was written, and say so where the limit cut it short."""
    ids = list(tokens[1:])
    end = next((place for place, token in enumerate(ids) if token in ends), None)
    # An end at the limit may be forced, and is no end of the model's own.
    if end is None or end == limit - 2:
        return Decoded(ids[:end], TOO_LONG, passes)
    return Decoded(ids[:end], "", passes)


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
