"""A small BART that is trained here learns whom a sentence is about, and what to leave alone.

All sentences are about pairs of people that it never met together.
"""

from typing import Any

import pytest
from datasets import Dataset

from fair_datasets import ModelRewrite, PerturbationAugmentation, verify
from fair_datasets.rewriters import perturber_quality
from fair_datasets.rewriters.perturber.data import rewritten

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def unseen(learnt_perturber: Any) -> Dataset:
    """Sentences about unseen pairs of people."""
    rows: Dataset = learnt_perturber.unseen.select(range(400))
    return rows


def test_the_asked_person_changes_and_the_other_does_not(
    learnt_perturber: Any, unseen: Dataset
) -> None:
    """Character by character, for both people of a sentence, whichever is asked for."""
    written = rewritten(unseen, learnt_perturber.folder)
    other_stays = asked_changes = 0
    for row, text in zip(unseen, written, strict=True):
        asked, other = row["people"].split()
        words = (text or "").lower().replace(".", " ").split()
        other_stays += other in words
        asked_changes += asked not in words
    assert other_stays >= 0.97 * len(unseen)
    assert asked_changes >= 0.97 * len(unseen)
    quality = perturber_quality(unseen, model=learnt_perturber.folder)
    assert quality["model"].exact >= 0.95
    assert quality["model"].overlap.bleu > 98
    # The swap moves both people where they are of one gender.
    assert quality["swap"].exact < 0.6
    assert quality["copying"].exact == 0


def test_fall_backs_are_counted_right(learnt_perturber: Any, unseen: Dataset) -> None:
    """Each row says what happened to it, and why; what is kept is what verification accepts."""
    first = unseen.filter(lambda row: row["original"].split()[1] == row["selected_word"])
    assert len(first) > 100
    settings: dict[str, Any] = {"columns": "original", "model": learnt_perturber.folder}
    found = ModelRewrite(**settings, mode="replace", fallback="null").apply(first)
    raw = ModelRewrite(**settings, mode="replace", verified=False).apply(first)
    assert set(raw["rewrite_status"]) == {"model"}
    kept = 0
    for before, row, text in zip(first, found, raw["original"], strict=True):
        verdict = verify(
            before["original"], text, target=before["target_attribute"],
            word=before["selected_word"],
        )  # fmt: skip
        assert verdict.accepted == (row["rewrite_status"] == "model")
        assert verdict.accepted == (row["rewrite_reason"] is None)
        assert row["original"] == (text if verdict.accepted else None)
        kept += verdict.accepted and text == before["perturbed"]
    statuses = found["rewrite_status"][:]
    assert statuses.count("model") + statuses.count("null") == len(first)
    assert kept >= 0.9 * len(first)


def test_algorithm_1_rewrites_the_drawn_person_alone(
    learnt_perturber: Any, unseen: Dataset
) -> None:
    """Of people whom a noun stands for; what it was not taught falls back to the swap."""
    settings: dict[str, Any] = {"columns": "original", "axis": "gender", "provenance": True}
    model = PerturbationAugmentation(**settings, model=learnt_perturber.folder)
    bare = unseen.select_columns(["original"])
    found, swapped = model.apply(bare), PerturbationAugmentation(**settings).apply(bare)
    taught = kept = exact = same = 0
    for before, row, other in zip(unseen, found, swapped, strict=True):
        (said,), (said_of_swap,) = row["perturbations"], other["perturbations"]
        assert said_of_swap.items() <= said.items()
        status, target = row["rewrite_status"], said["target_attribute"]
        assert (status == "swap") == (row["rewrite_fault"] is not None)
        assert status == "model" or row["original"] == other["original"]
        if said["word"] not in before["people"].split() or target == "non-binary":
            continue
        taught += 1
        (stays,) = {*before["people"].split()} - {said["word"]}
        words = row["original"].lower().replace(".", " ").split()
        kept += status == "model" and stays in words and said["word"] not in words
        if (said["word"], target) == (before["selected_word"], before["target_attribute"]):
            same += 1
            exact += row["original"] == before["perturbed"]
    assert taught > 60
    assert kept >= 0.95 * taught
    assert exact >= 0.95 * same > 20
    assert {"model", "swap"} == {*found["rewrite_status"]}
