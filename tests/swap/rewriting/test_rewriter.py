"""What every rewriter does with the rows that its subclass rewrites."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pytest
from datasets import Dataset, List, Value

from fair_datasets import CounterfactualSwap
from fair_datasets.rows.row_texts import RowTexts
from fair_datasets.swap.rewriting import Counterfactual, Rewriter, Rows
from fair_datasets.swap.rewriting.offsets import Offsets
from fair_datasets.swap.rewriting.rewriter import augmented_rows, lay_out, pair_rows, replaced_rows

# For each text the texts that it is rewritten to.
TWINS: Mapping[str, tuple[str | None, ...]] = {
    "one": ("eins",), "two": ("zwei", "deux", "due"), "few": ("wenig", "peu"), "same": ("same",),
    "mixed": ("mixed", "gemischt"), "lost": (None,),
}  # fmt: skip
BATCH = {"text": ["one", "two", "same", "mixed", "lost", "other", None]}


@dataclass(frozen=True, kw_only=True)
class Translation(Rewriter):
    """Rewrite the texts of `TWINS`, and say what it did."""

    def log_columns(self) -> Mapping[str, Any]:
        """Say what was done, how often the row was tried, and with what."""
        return {"status": "string", "tries": "int64", "with": [{"word": "string"}]}

    def rewrite(self, rows: Rows) -> Iterator[tuple[int, Counterfactual]]:
        """Yield all twins of a row."""
        for number, texts in enumerate(rows.texts):
            for tries, twin in enumerate(TWINS.get(texts[0] or "", ())):
                log = {"status": f"to {twin}", "tries": tries, "with": [{"word": twin}]}
                yield number, Counterfactual((twin, *texts[1:]), log=log)


@dataclass(frozen=True, kw_only=True)
class Asked(Rewriter):
    """Note how many rows it is asked for."""

    def rewrite(self, rows: Rows) -> Iterator[tuple[int, Counterfactual]]:
        """Write the number of rows into each."""
        for number in range(len(rows.texts)):
            yield number, Counterfactual((f"{len(rows.texts)}",))


def test_augment_writes_all_counterfactuals_and_their_log() -> None:
    """A counterfactual that changes nothing is no row; its log is said of the row itself."""
    result = Translation(columns="text")(BATCH)
    assert result["text"] == [
        "one", "eins", "two", "zwei", "deux", "due", "same", "mixed", "gemischt", "lost", None,
        "other", None,
    ]  # fmt: skip
    assert result["status"] == [
        None, "to eins", None, "to zwei", "to deux", "to due", "to same", "to mixed",
        "to gemischt", None, "to None", None, None,
    ]  # fmt: skip
    assert result["tries"][3:6] == [0, 1, 2]


def test_unchanged_rows_are_repeated_with_their_log() -> None:
    """The copy of a row says why it is one."""
    result = Translation(columns="text", keep_unchanged=True)({"text": ["same", "other"]})
    assert result["text"] == ["same", "same", "other", "other"]
    assert result["status"] == ["to same", "to same", None, None]


def test_replace_draws_one_of_several() -> None:
    """By the row's key: the seed, and the text or the id; never the text that stays."""
    found = {Translation(columns="text", mode="replace", seed=n)(BATCH)["text"][1]
             for n in range(30)}  # fmt: skip
    assert found == {"zwei", "deux", "due"}
    batch = {"text": ["few"] * 20, "id": [*range(20)]}
    few = Translation(columns="text", mode="replace", id_column="id")(batch)
    assert set(few["text"]) == {"wenig", "peu"}
    result = Translation(columns="text", mode="replace")(BATCH)
    assert result["text"][2:] == ["same", "gemischt", None, "other", None]
    assert result["status"][1] == f"to {result['text'][1]}"
    assert result["status"][2:4] == ["to same", "to gemischt"]


def test_pair_has_the_log_beside_the_texts() -> None:
    """Where a rewriter gives up, the counterfactual may be a null."""
    result = Translation(columns=("text", "more"), mode="pair")({**BATCH, "more": [None] * 7})
    assert result["text"] == BATCH["text"]
    assert result["text_counterfactual"][3:] == ["gemischt", None, "other", None]
    assert result["status"][3:] == ["to gemischt", "to None", None, None]


def test_a_null_has_no_edits() -> None:
    """It is a counterfactual all the same."""
    result = Translation(columns="text", mode="replace", provenance=True)(BATCH)
    assert result["edits"][4] == []
    assert result["counterfactual"] == [True, True, False, True, True, False, False]
    assert result["edits"][0] == [
        {"column": "text", "start": 0, "end": 3, "before": "one", "after": "eins", "axis": "",
         "attribute": "", "after_start": 0, "after_end": 4}
    ]  # fmt: skip


def test_substitute_asks_for_the_drawn_rows_alone() -> None:
    """What is expensive is not done for nothing."""
    texts = [f"row {n}" for n in range(100)]
    result = Asked(columns="text", mode="substitute", rate=0.3)({"text": texts})["text"]
    (number,) = set(result) - set(texts)
    assert 20 < int(number) == result.count(number) < 40
    for rate, written in ((0, texts), (1, ["100"] * 100)):
        swap = Asked(columns="text", mode="substitute", rate=rate)
        assert swap({"text": texts}) == {"text": written}


def test_features_hold_the_log() -> None:
    """`apply` gives the columns their types, also where all is null."""
    for text, said in (("other", None), ("one", [{"word": "eins"}])):
        dataset = Translation(columns="text").apply(Dataset.from_dict({"text": [text]}))
        assert dataset.features["status"] == Value("string")
        assert dataset.features["tries"] == Value("int64")
        assert dataset.features["with"] == List({"word": Value("string")})
        assert dataset[-1]["with"] == said
    pairs = Translation(columns="text", mode="pair").apply(Dataset.from_dict({"text": ["one"]}))
    assert pairs.features["text_counterfactual"] == Value("string")


ROWS = [("he", None), ("it", "it"), ("her", "him")]
LAYOUT_BATCH = {"a": ["he", "it", "her"], "n": [1, 2, 3], "b": [None, "it", "him"]}
TEXTS = RowTexts.read(LAYOUT_BATCH, ["a", "b"])
# The first row has one counterfactual, the last has two.
REWRITTEN = {
    0: [Counterfactual(("she", None))],
    2: [Counterfactual(("his", "her")), Counterfactual(("their", "them"))],
}


def test_rows_are_laid_out_by_the_mode() -> None:
    """In the place of the origin, of several the first; or behind it, all columns; or beside it."""
    result = lay_out(LAYOUT_BATCH, TEXTS, *replaced_rows(ROWS, REWRITTEN))
    assert result == {"a": ["she", "it", "his"], "n": [1, 2, 3], "b": [None, "it", "her"]}
    assert [*result] == [*LAYOUT_BATCH]
    assert lay_out(LAYOUT_BATCH, TEXTS, *augmented_rows(ROWS, REWRITTEN)) == {
        "a": ["he", "she", "it", "her", "his", "their"], "n": [1, 1, 2, 3, 3, 3],
        "b": [None, None, "it", "him", "her", "them"],
    }  # fmt: skip
    origins, changed = augmented_rows(ROWS, REWRITTEN, keep_unchanged=True)
    assert origins == [0, 0, 1, 1, 2, 2, 2]
    assert changed[3] == Counterfactual(("it", "it"))
    new = {"a_counterfactual": ["she", "it", "his"], "b_counterfactual": [None, "it", "her"]}
    assert pair_rows(LAYOUT_BATCH, TEXTS, REWRITTEN, Offsets((), TEXTS)) == LAYOUT_BATCH | new


DATASET = Dataset.from_dict(
    {"text": [f"He has {number} reasons." for number in range(40)], "label": [0, 1] * 20}
)
AUGMENT = CounterfactualSwap(columns="text")
SUBSTITUTE = CounterfactualSwap(columns="text", mode="substitute", seed=5)


def test_a_dataset_with_a_transform_of_its_own_can_be_mapped() -> None:
    """The technique is not called by the transform then."""
    shouted = DATASET.with_transform(
        lambda batch: {"text": [each.upper() for each in batch["text"]]}
    )
    twins = shouted.map(AUGMENT, batched=True, remove_columns=["label"])
    assert twins.with_format(None)["text"][:2] == ["HE HAS 0 REASONS.", "SHE HAS 0 REASONS."]


def test_each_epoch_draws_anew_and_is_reproducible() -> None:
    """By its number and the seed alone, row by row or together."""
    read = [DATASET.with_transform(SUBSTITUTE.at_epoch(n))[:]["text"] for n in range(6)]
    assert len(set(map(tuple, read))) == 6
    swapped = [sum(text.startswith("She") for text in texts) for texts in read]
    assert all(10 < count < 30 for count in swapped)
    assert SUBSTITUTE.at_epoch(0) == SUBSTITUTE
    again = CounterfactualSwap.from_config(SUBSTITUTE.at_epoch(3).config())
    assert [row["text"] for row in DATASET.with_transform(again)] == read[3]
    other = CounterfactualSwap(columns="text", mode="substitute", seed=6)
    assert DATASET.with_transform(other.at_epoch(3))[:]["text"] != read[3]


def test_what_is_drawn_besides_is_drawn_anew() -> None:
    """The attribute that a row gets, where its axis has several."""
    swap = CounterfactualSwap(columns="text", axis="race", mode="replace")
    found = {swap.at_epoch(n)({"text": ["A Black man ran."]})["text"][0] for n in range(20)}
    assert len(found) > 2


@pytest.mark.slow
@pytest.mark.parametrize("workers", [0, 2])
def test_a_trainer_reads_each_epoch(tmp_path: Any, workers: int) -> None:
    """As the page says, also where workers read the rows."""
    import torch
    from transformers import Trainer, TrainerCallback, TrainingArguments

    train = Dataset.from_dict(DATASET.to_dict())
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
    wanted = [sorted(SUBSTITUTE.at_epoch(n)(DATASET[:])["text"]) for n in range(3)]
    assert [sorted(read[start : start + 40]) for start in range(0, 120, 40)] == wanted
