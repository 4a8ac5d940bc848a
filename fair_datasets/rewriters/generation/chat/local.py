"""A chat model here: any causal model of transformers that has a chat template."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fair_datasets.rewriters.generation.chat.answers import Answer
from fair_datasets.rewriters.generation.chat.served import UNREAD, Request
from fair_datasets.rewriters.generation.decoding import Decoding
from fair_datasets.rewriters.generation.decoding.rows import NO_MEMORY
from fair_datasets.rewriters.generation.loading import load_kept
from fair_datasets.scores.batching import batches_by_length, halved
from fair_datasets.scores.probes.transformer import half_precision
from fair_datasets.scores.scoring_model import ScoringModel
from fair_datasets.system import interrupts
from fair_datasets.system.checks import InputError


def load_chat_model(name: str, *, revision: str | None = None, owner: str) -> ScoringModel:
    """Load a causal model with its tokenizer and chat template, once per process.

    Args:
        name: A Hub id or a folder.
        revision: The branch, tag or commit on the Hub; None for the main branch.
        owner: The class that needs it, for errors.

    Returns:
        The model and its tokenizer.

    Raises:
        InputError: `load_kept` refuses, or there is no chat template.

    Example:
        >>> load_chat_model("./no-such-folder", owner="demonstration")
        Traceback (most recent call last):
        ...
        fair_datasets.InputError: demonstration: there is no folder './no-such-folder';
        check the path.
    """
    loaded = load_kept(name, "AutoModelForCausalLM", what="causal", revision=revision, owner=owner)
    if not getattr(loaded.tokenizer, "chat_template", None):
        raise InputError(
            f"{owner}: {name!r} has no chat template, so there is no way to ask it; choose a chat "
            "model, or another control."
        )
    return loaded


def as_prompt(tokenizer: Any, messages: Sequence[Mapping[str, str]], *, owner: str) -> list[int]:
    """Return messages as token ids, by the template of a tokenizer and ready for an answer.

    Raises:
        InputError: The template fails.
    """
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
        loaded: The model and its tokenizer.
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
