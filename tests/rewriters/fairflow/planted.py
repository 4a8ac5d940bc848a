"""Corpora with a planted attribute, and a small masked model that is trained on each.

A sentence has three words of one attribute and a noun. Each role has a word for either attribute
and contexts of its own, which are the same for both; what tells its two words apart are the other
attribute words of the sentence alone. Nouns are distractors: jobs come in twos that share their
contexts, as the words of a role do, and nine in ten sentences of either have one attribute;
things have contexts of their own, and lean to none.

The model's matrices decay strongly once it has learnt. Otherwise the words of roles keep much of
what they drew at first, and words that have nothing to do with the attribute lie along it by
chance: with so few words and numbers in a state, that is as large as what was planted.
"""

import random
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tests.small_models import bert_tokenizer

ROLES, PEOPLE, JOBS, THINGS, LEAN = 12, 3, 10, 12, 0.9
SENTENCES, STEPS, BATCH, RATE, MASKED, WIDTH = 4000, 800, 64, 5e-3, 0.3, 64
# Decay begins after that share of the steps; from the first on, some models learn no attribute.
FIRST_WEIGHTS, DECAY, LEARNT = 0.1, 4.0, 0.4
# Chosen, as corpus and model were, on the seeds 20 to 38 and 301 to 306, which judge nothing.
SETTINGS: dict[str, Any] = {
    "pair_occurrences": 300, "classifier_epochs": 4, "classifier_rate": 1e-3, "threshold": 1.0,
    "blocks": 3, "factors": 5, "flow_epochs": 30, "flow_rate": 3e-4, "share": 0.6, "rounds": 3,
}  # fmt: skip


def letters(number: int) -> str:
    """Write a number in two letters, as words with digits are none."""
    return "".join(chr(97 + int(digit)) for digit in f"{number:02d}")


GIVEN = ("she", "he")
PLANTED = [(f"fem{letters(k)}", f"masc{letters(k)}") for k in range(1, ROLES)]
PAIRS = [GIVEN, *PLANTED]


def quality(found: Iterable[tuple[str, str]]) -> tuple[float, float]:
    """Return precision and recall of the planted pairs in both directions, but for the given."""
    truth = {each for one, other in PLANTED for each in ((one, other), (other, one))}
    others = {pair for pair in found if not set(pair) & set(GIVEN)}
    right = len(others & truth)
    return right / max(1, len(others)), right / len(truth)


def corpus(seed: int) -> list[str]:
    """Write the sentences."""
    draws, texts = random.Random(seed), []
    for _ in range(SENTENCES):
        side = draws.randrange(2)
        roles = draws.sample(range(ROLES), PEOPLE)
        noun = _noun(draws, side)
        one, *others = (
            f"{PAIRS[role][side]} verb{letters(role)}{draws.choice('ab')}" for role in roles
        )
        texts.append(" ".join([one, noun, *others]))
    return texts


def _noun(draws: random.Random, side: int) -> str:
    """Write a noun and its context, for a sentence of an attribute."""
    number = draws.randrange(2 * JOBS + THINGS)
    if number >= 2 * JOBS:
        thing = letters(number - 2 * JOBS)
        return f"thing{thing} use{thing}{draws.choice('ab')}"
    job = number // 2
    whose = side if draws.random() < LEAN else 1 - side
    return f"job{letters(2 * job + whose)} task{letters(job)}{draws.choice('ab')}"


def masked_model(texts: list[str], folder: Path, seed: int) -> None:
    """Train a masked model by 80/10/10 masking, and save it with its tokenizer."""
    import torch
    import transformers

    tokenizer = bert_tokenizer(sorted({word for text in texts for word in text.split()}))
    torch.manual_seed(seed)
    config = transformers.BertConfig(
        vocab_size=len(tokenizer), hidden_size=WIDTH, num_hidden_layers=1, num_attention_heads=4,
        intermediate_size=2 * WIDTH, max_position_embeddings=16, hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0, initializer_range=FIRST_WEIGHTS, pad_token_id=0,
    )  # fmt: skip
    model = transformers.BertForMaskedLM(config)
    ids = torch.tensor(tokenizer(texts)["input_ids"])
    draws = torch.Generator().manual_seed(seed)
    weights = list(model.parameters())
    matrices = [weight for weight in weights if weight.ndim > 1]
    vectors = [weight for weight in weights if weight.ndim == 1]
    optimizer = torch.optim.AdamW(
        [{"params": matrices}, {"params": vectors}], RATE, weight_decay=0.0, fused=True
    )
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, RATE, total_steps=STEPS, pct_start=0.1
    )
    model.train()
    for step in range(STEPS):
        optimizer.param_groups[0]["weight_decay"] = DECAY if step >= LEARNT * STEPS else 0.0
        batch = ids[torch.randint(len(ids), (BATCH,), generator=draws)]
        chosen = (torch.rand(batch.shape, generator=draws) < MASKED) & (batch > 4)
        kind = torch.rand(batch.shape, generator=draws)
        read = batch.masked_fill(chosen & (kind < 0.8), tokenizer.mask_token_id)
        others = torch.randint(5, len(tokenizer), batch.shape, generator=draws)
        read = torch.where(chosen & (kind >= 0.9), others, read)
        hidden = model.bert(input_ids=read)[0]
        loss = torch.nn.functional.cross_entropy(model.cls(hidden[chosen]), batch[chosen])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
    model.eval().save_pretrained(folder)
    tokenizer.save_pretrained(folder)
