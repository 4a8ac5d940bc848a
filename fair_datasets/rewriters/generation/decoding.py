"""Decoding many rows: batches by length, halved where one does not fit into memory."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from fair_datasets.rewriters.generation.greedy import decode_greedily, end_tokens
from fair_datasets.scores.models import ScoringModel, batches_by_length, halved
from fair_datasets.scores.probes.transformer import half_precision
from fair_datasets.system import interrupts
from fair_datasets.system.checks import invalid

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
    _refuse_no_start(loaded)
    results: list[Decoded | None] = [None] * len(sources)
    ends = end_tokens(loaded.model)

    def alone(row: int) -> Decoded:
        seed = None if seeds is None else seeds[row]
        return _generated(loaded, sources[row], limits[row], seed, settings)

    def run(rows: Sequence[int]) -> list[Decoded]:
        with half_precision(loaded.model.device, settings.precision):
            drafted = settings.is_greedy and decode_greedily(
                loaded,
                [sources[row] for row in rows],
                [drafts[row] for row in rows],
                [limits[row] + 1 for row in rows],
                places=settings.places,
            )
            if not drafted:
                return [alone(row) for row in rows]
        return [_decoded(row.tokens, ends, row.limit, row.passes) for row in drafted]

    size = settings.batch_size if settings.is_greedy else 1
    for batch in batches_by_length([len(ids) for ids in sources], size, None):
        interrupts.raise_if_interrupted()
        for row, decoded in halved(run, batch.tolist(), lambda _: Decoded([], NO_MEMORY)):
            results[row] = decoded
    return [decoded for decoded in results if decoded is not None]


def _refuse_no_start(loaded: ScoringModel) -> None:
    settings, config = loaded.model.generation_config, loaded.model.config
    if settings.decoder_start_token_id is None and settings.bos_token_id is None:
        raise invalid(
            f"{config.name_or_path or type(loaded.model).__name__!r} does not say with which token "
            "its decoder starts; set decoder_start_token_id in its generation_config.json."
        )


def _generated(
    loaded: ScoringModel, source: Sequence[int], limit: int, seed: int | None, settings: Decoding
) -> Decoded:
    """Have `generate` write for one row, by beams or by draws of its own."""
    # One beam group, whatever the model's settings ask for.
    options = {"num_beams": settings.beams, "num_beam_groups": 1, "diversity_penalty": 0.0}
    (written,) = generate(
        loaded, [list(source)], [[1] * len(source)], seed, settings, limit, **options
    )
    return _decoded(written, end_tokens(loaded.model), limit + 1, 0)


def generate(
    loaded: ScoringModel, ids: Sequence[Sequence[int]], mask: Sequence[Sequence[int]],
    seed: int | None, settings: Decoding, limit: int, **options: Any,
) -> list[list[int]]:  # fmt: skip
    """Have `generate` of transformers write one text for each row, by draws of their own."""
    import torch

    # Of all tokens, whatever the model's settings ask for.
    drawn = settings.temperature is not None
    options |= {"do_sample": drawn, "temperature": settings.temperature}
    options |= {"top_k": 0 if drawn else None, "top_p": 1.0 if drawn else None}
    device = loaded.model.device
    devices = [device] if device.type == "cuda" else []
    with loaded.scoring(), torch.random.fork_rng(devices):
        if seed is not None:
            torch.manual_seed(seed)
        written: list[list[int]] = loaded.model.generate(
            input_ids=torch.tensor(ids, device=device),
            attention_mask=torch.tensor(mask, device=device),
            max_new_tokens=limit, num_return_sequences=1, return_dict_in_generate=False, **options,
        ).tolist()  # fmt: skip
    return written


def _decoded(tokens: Sequence[int], ends: Sequence[int], limit: int, passes: int) -> Decoded:
    """Return what was written, and say so where the limit cut it short."""
    ids = list(tokens[1:])
    end = next((place for place, token in enumerate(ids) if token in ends), None)
    # An end at the limit may be forced, and is no end of the model's own.
    if end is None or end == limit - 2:
        return Decoded(ids[:end], TOO_LONG, passes)
    return Decoded(ids[:end], "", passes)
