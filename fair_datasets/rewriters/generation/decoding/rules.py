"""What a model's generation settings demand of each token that is chosen.

The same demands as those of the logits processors of transformers, in their order, over many
places of many rows at once. A setting that is not among them is refused rather than ignored.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from fair_datasets.system.checks import InputError

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
        tokens: The tokens that the row has, or is proposed to have, with the start token.
        length: How many of them stand before the place.
        limit: How many tokens the row may have, with the start token.
    """

    tokens: Sequence[int]
    length: int
    limit: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """The demands on a greedy choice.

    Attributes:
        start: The token that the decoder starts with.
        ends: The tokens that end a row.
        first: The token that stands first behind the start; None for the model's choice.
        last: The tokens of which one stands last where a row reaches its limit.
        bad: Tokens that are never written unless one is forced.
        shortest: How many tokens there are before a row may end, with the start token.
        never: Tokens that are never written.
        never_first: Tokens that are not written first.
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
    def read(cls, network: Any, *, owner: str) -> "Rules":
        """Read the generation settings of a model.

        Args:
            owner: The class or function that decodes, for errors.

        Raises:
            InputError: The settings hold a demand that is not known here, or no start token.
        """
        settings = network.generation_config
        start = settings.decoder_start_token_id
        start = settings.bos_token_id if start is None else start
        name = network.config.name_or_path or type(network).__name__
        if not isinstance(start, int):
            raise InputError(
                f"{owner}: {name!r} does not say with which token its decoder starts; set "
                "decoder_start_token_id in its generation_config.json."
            )
        _refuse_unknown(settings, name, owner)
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

        Returns:
            P tokens.
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


def _refuse_unknown(settings: Any, name: str, owner: str) -> None:
    """Raise if the settings hold a demand that is not known here."""
    for setting, value in settings.to_dict().items():
        neutral = _NEUTRAL.get(setting)
        if setting in _WITHOUT_EFFECT or not value or value == neutral:
            continue
        is_of_words = setting == "bad_words_ids" and any(len(word) > 1 for word in value)
        if setting in _HONOURED and not is_of_words:
            continue
        raise InputError(
            f"{owner}: {setting}={value!r} among the generation settings of {name!r} is ignored "
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
