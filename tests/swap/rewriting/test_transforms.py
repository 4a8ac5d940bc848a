"""Techniques as transforms: one row for each row, drawn anew in each epoch."""

from collections.abc import Callable
from typing import Any

import pytest
from datasets import Dataset

from fair_datasets import CounterfactualSwap, InputError

ROWS = Dataset.from_dict(
    {"text": [f"He has {number} reasons." for number in range(40)], "label": [0, 1] * 20}
)
AUGMENT = CounterfactualSwap(columns="text")
SUBSTITUTE = CounterfactualSwap(columns="text", mode="substitute", seed=5)
READ: dict[str, Callable[[Dataset], Any]] = {
    "a row": lambda rows: rows[0],
    "a slice": lambda rows: rows[:2],
    "indices": lambda rows: rows[[0, 3]],
    "indices, as a DataLoader asks": lambda rows: rows.__getitems__([0, 3]),
    "a walk": list,
    "batches": lambda rows: next(rows.iter(2)),
    "a column": lambda rows: rows["text"][0],
}


@pytest.mark.parametrize("read", READ)
@pytest.mark.parametrize("transform", [AUGMENT, lambda batch: {"n": AUGMENT(batch)["label"]}])
def test_rows_cannot_be_added_in_a_transform(read: str, transform: Any) -> None:
    """However it is read, by the technique or in a function: the originals would be shown."""
    with pytest.raises(InputError, match=r"one row for each row.*mode='substitute'.*at_epoch"):
        READ[read](ROWS.with_transform(transform))


def test_a_dataset_with_a_transform_of_its_own_can_be_mapped() -> None:
    """The technique is not called by the transform then."""
    shouted = ROWS.with_transform(lambda batch: {"text": [each.upper() for each in batch["text"]]})
    twins = shouted.map(AUGMENT, batched=True, remove_columns=["label"])
    assert twins.with_format(None)["text"][:2] == ["HE HAS 0 REASONS.", "SHE HAS 0 REASONS."]


def test_each_epoch_draws_anew_and_is_reproducible() -> None:
    """By its number and the seed alone, row by row or together."""
    read = [ROWS.with_transform(SUBSTITUTE.at_epoch(n))[:]["text"] for n in range(6)]
    assert len(set(map(tuple, read))) == 6
    swapped = [sum(text.startswith("She") for text in texts) for texts in read]
    assert all(10 < count < 30 for count in swapped)
    assert SUBSTITUTE.at_epoch(0) == SUBSTITUTE
    again = CounterfactualSwap.from_config(SUBSTITUTE.at_epoch(3).config())
    assert [row["text"] for row in ROWS.with_transform(again)] == read[3]
    other = CounterfactualSwap(columns="text", mode="substitute", seed=6)
    assert ROWS.with_transform(other.at_epoch(3))[:]["text"] != read[3]


def test_what_is_drawn_besides_is_drawn_anew() -> None:
    """The attribute that a row gets, where its axis has several."""
    swap = CounterfactualSwap(columns="text", axis="race", mode="replace")
    found = {swap.at_epoch(n)({"text": ["A Black man ran."]})["text"][0] for n in range(20)}
    assert len(found) > 2


@pytest.mark.parametrize(
    ("epoch", "told"), [(1.0, "whole number"), (-1, "at least 0, but it is -1")]
)
def test_what_is_no_epoch(epoch: Any, told: str) -> None:
    """A sentence says what is."""
    with pytest.raises(InputError, match=f"epoch must be .*{told}"):
        SUBSTITUTE.at_epoch(epoch)


@pytest.mark.slow
@pytest.mark.parametrize("workers", [0, 2])
def test_a_trainer_reads_each_epoch(tmp_path: Any, workers: int) -> None:
    """As the page says, also where workers read the rows."""
    import torch
    from transformers import Trainer, TrainerCallback, TrainingArguments

    train = Dataset.from_dict(ROWS.to_dict())
    read: list[str] = []

    class DrawAnew(TrainerCallback):
        def on_epoch_begin(self, args: Any, state: Any, control: Any, **others: Any) -> None:
            train.set_transform(SUBSTITUTE.at_epoch(int(state.epoch)))

    class Model(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.weight = torch.nn.Parameter(torch.zeros(1))

        def forward(self, texts: list[str], labels: Any) -> dict[str, Any]:
            read.extend(texts)
            return {"loss": (self.weight - labels.float()).pow(2).mean()}

    def collate(rows: list[dict[str, Any]]) -> dict[str, Any]:
        labels = torch.tensor([row["label"] for row in rows])
        return {"texts": [row["text"] for row in rows], "labels": labels}

    arguments = TrainingArguments(
        str(tmp_path), num_train_epochs=3, remove_unused_columns=False, report_to=[],
        dataloader_num_workers=workers, save_strategy="no", use_cpu=True, disable_tqdm=True,
    )  # fmt: skip
    Trainer(
        Model(), arguments, train_dataset=train, data_collator=collate, callbacks=[DrawAnew()]
    ).train()
    wanted = [sorted(SUBSTITUTE.at_epoch(n)(ROWS[:])["text"]) for n in range(3)]
    assert [sorted(read[start : start + 40]) for start in range(0, 120, 40)] == wanted
