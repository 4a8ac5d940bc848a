"""Scores that the training rows have are taken over; the others are computed."""

from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from datasets import Dataset, DatasetDict

from fair_datasets import CounterfactualSwap, InputError
from fair_datasets.selection.diet import DietConfig, healthy_diet
from fair_datasets.selection.diet.scoring import paired, refuse_unchanged, refuse_unswapped

CONFIG = DietConfig(
    columns="text", a_values=0.25, b_values=0.25, seeds=1, probe_seeds=1, max_auc_drop=90,
    placebo_draws=0,
)  # fmt: skip


def with_scores(splits: DatasetDict, **scores: list[Any]) -> DatasetDict:
    """Put scores beside the training rows."""
    rows = splits["train"]
    for name, values in scores.items():
        rows = rows.add_column(name, values)
    return DatasetDict(splits, train=rows)


def ranked(splits: DatasetDict, seed: int = 0) -> list[float]:
    """Draw a different score for each training row."""
    return np.random.default_rng(seed).permutation(len(splits["train"])).astype(float).tolist()


def test_a_ready_score_is_taken_over(splits: DatasetDict, tmp_path: Path) -> None:
    """No probe is trained, and those counterfactuals are chosen whose score is highest."""
    scores = ranked(splits)
    found = healthy_diet(with_scores(splits, gender_equity=scores), CONFIG, work=tmp_path)
    assert found.taken_over == ("gender_equity",)
    assert found.scored["gender_equity"][:] == scores
    assert found.dataset is not None
    chosen = found.dataset.filter(lambda row: row["counterfactual"])
    assert len(found.dataset) == 132
    assert sorted(chosen["gender_equity"], reverse=True) == sorted(scores, reverse=True)[:66]
    assert not (tmp_path / "probes").exists()


@pytest.mark.slow
def test_trials_depend_on_the_scores_that_are_taken_over(
    splits: DatasetDict, tmp_path: Path
) -> None:
    """With other scores other rows are chosen, so that what is finished is of no use."""
    for seed in (0, 1):
        scored = with_scores(splits, gender_equity=ranked(splits, seed))
        healthy_diet(scored, CONFIG, work=tmp_path)
    assert len((tmp_path / "trials.jsonl").read_text().splitlines()) == 2 * (4 + 1 + 1)


def test_what_is_missing_is_computed(splits: DatasetDict, tmp_path: Path) -> None:
    """One score of two is there; a score that no ranking needs is left alone."""
    config = replace(CONFIG, rankings=("healthy_el2n",))
    scored = with_scores(splits, el2n=ranked(splits), grand=["none"] * 264)
    found = healthy_diet(scored, config, work=tmp_path)
    assert found.taken_over == ("el2n",)
    assert found.scored["el2n"][:] == ranked(splits)
    assert max(found.scored["gender_equity"]) > 0
    # Forgetting alone asks for more epochs.
    assert [path.name for path in (tmp_path / "probes" / "seed-0").iterdir()] == ["epoch-1"]
    with pytest.raises(InputError, match="at least 2 epochs, not 1"):
        healthy_diet(splits, replace(config, rankings="top_forget", probe_epochs=1), work=tmp_path)
    ready = with_scores(splits, forgetting=ranked(splits))
    config = replace(config, rankings="top_forget", probe_epochs=1)
    assert healthy_diet(ready, config, work=tmp_path / "ready").taken_over == ("forgetting",)


def test_the_score_of_another_axis_is_none_of_this(splits: DatasetDict, tmp_path: Path) -> None:
    """The column of the equity score names its axis."""
    found = healthy_diet(with_scores(splits, race_equity=ranked(splits)), CONFIG, work=tmp_path)
    assert found.taken_over == ()


@pytest.mark.slow
def test_counterfactuals_that_are_there_are_those_that_are_written(
    splits: DatasetDict, tmp_path: Path
) -> None:
    """Scores are of pairs: with other counterfactuals they are of other pairs."""
    swap = CounterfactualSwap(columns="text", mode="pair")
    paired = DatasetDict({name: swap.apply(rows) for name, rows in splits.items()})
    one = healthy_diet(splits, CONFIG, work=tmp_path / "one")
    other = healthy_diet(paired, CONFIG, work=tmp_path / "other")
    assert [result.mean for result in one.results] == [result.mean for result in other.results]
    edited = paired["train"].map(
        lambda row, number: {"text_counterfactual": "Edited."} if number == 5 else row,
        with_indices=True,
    )
    with pytest.raises(
        InputError, match=r"in row 5 .*, column 'text_counterfactual' does not hold"
    ):
        healthy_diet(DatasetDict(paired, train=edited), CONFIG, work=tmp_path / "edited")


def test_no_score_is_needed_for_random_rows(splits: DatasetDict, tmp_path: Path) -> None:
    """Then nothing is taken over, whatever there is."""
    config = replace(CONFIG, rankings="random")
    found = healthy_diet(with_scores(splits, gender_equity=["none"] * 264), config, work=tmp_path)
    assert found.taken_over == ()
    assert isinstance(found.scored, Dataset)
    assert not (tmp_path / "probes").exists()


COLUMNS = ["title", "text"]


@pytest.mark.parametrize(("title", "text", "is_refused"),
    [(["Rain.", "Sun."], ["Dry.", "Wet."], True), (["Rain.", "He ran."], ["Dry.", "Wet."], False),
    (["Rain.", "Sun."], ["Dry.", "He ran."], False),
    (["Rain."] * 1000 + ["He ran."], ["Wet."] * 1001, False)])  # fmt: skip
def test_one_row_that_differs_in_one_column_is_enough(
    title: list[str], text: list[str], is_refused: bool
) -> None:
    """Else there is nothing to choose among."""
    rows = Dataset.from_dict({"title": title, "text": text})
    swap = CounterfactualSwap(columns=COLUMNS, mode="pair")
    pairs = paired(rows, DietConfig(columns=COLUMNS), "train")

    for call, of in (
        (lambda: refuse_unswapped(rows, swap), "among"),
        (lambda: refuse_unchanged(pairs, COLUMNS, "gender", split="test"), "by"),
    ):
        told = rf"in title, text, .* counterfactuals to choose {of}\."
        with pytest.raises(InputError, match=told) if is_refused else nullcontext():
            call()
