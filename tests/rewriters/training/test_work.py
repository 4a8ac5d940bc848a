"""The folder in which a training keeps what it takes to go on."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fair_datasets.rewriters import PerturberConfig
from fair_datasets.rewriters.training import work as module
from fair_datasets.rewriters.training.generator import Denoising
from fair_datasets.system.checks import InputError

SETTINGS = {"model": None, "layers": 1, "width": 16, "heads": 2, "max_length": 24}


def config(**given: object) -> PerturberConfig:
    """Give small settings."""
    return PerturberConfig(out="out", **{**SETTINGS, **given})  # type: ignore[arg-type]


def begun(work: Path, **given: object) -> None:
    """Begin a training, and leave it."""
    with module.claim_work_folder(work, config(**given), "rows"):
        pass


def test_a_folder_in_which_nothing_was_trained_is_begun_anew(tmp_path: Path) -> None:
    """A mistake in the settings is mended without removing anything by hand."""
    begun(tmp_path / "work", max_length=5)
    (tmp_path / "work" / module.START).mkdir()
    begun(tmp_path / "work")
    assert not (tmp_path / "work" / module.START).exists()


@pytest.mark.parametrize("kept", ["checkpoint-3", "train", "model"])
def test_what_was_trained_with_other_settings_is_kept(tmp_path: Path, kept: str) -> None:
    """It took time; nothing of it is lost unasked."""
    begun(tmp_path / "work")
    (tmp_path / "work" / kept).mkdir()
    (tmp_path / "work" / kept / "file").touch()
    with pytest.raises(InputError, match="holds a model trained with max_length=24, not 5"):
        begun(tmp_path / "work", max_length=5)
    assert (tmp_path / "work" / kept).exists()
    begun(tmp_path / "work")


def test_two_processes_do_not_train_in_one_folder(tmp_path: Path) -> None:
    """The second is told; the first goes on."""
    with (
        module.claim_work_folder(tmp_path / "work", config(), "rows"),
        pytest.raises(InputError, match="claim_work_folder: another process trains in"),
    ):
        begun(tmp_path / "work")
    begun(tmp_path / "work")


def test_a_model_that_reads_less_than_is_asked_for_is_refused(
    perturber_like: str, tmp_path: Path
) -> None:
    """Before anything is trained, with the number that it reads."""
    asked = config(model=perturber_like, max_length=40)
    with pytest.raises(InputError, match=r"max_length is 40, but .* reads 30 tokens at most"):
        module.starting_point(asked, ["He left."], tmp_path / "work")
    assert not (tmp_path / "work").exists()


@pytest.fixture
def perturber_like(tmp_path: Path) -> str:
    """Give the folder of a new model that reads 30 tokens."""
    module.starting_point(config(max_length=30), ["He left.", "She slept."], tmp_path)
    return str(tmp_path / module.START)


def test_the_last_checkpoint_is_the_last_that_was_written_whole(tmp_path: Path) -> None:
    """By its number; one without its state was being written, and none is none."""
    assert module.last_checkpoint(tmp_path) is None
    for step, state in ((9, "{}"), (10, '{"epoch": 1}'), (2, '{"epoch": 0}'), (30, None)):
        (tmp_path / f"checkpoint-{step}").mkdir()
        if state is not None:
            (tmp_path / f"checkpoint-{step}" / "trainer_state.json").write_text(state)
    assert module.last_checkpoint(tmp_path) == str(tmp_path / "checkpoint-10")


@given(
    st.lists(st.lists(st.integers(5, 99), max_size=8), min_size=1, max_size=4),
    st.integers(1, 3), st.integers(0, 9),
)  # fmt: skip
def test_gaps_are_within_a_text_and_follow_from_the_seed(
    texts: list[list[int]], copies: int, seed: int
) -> None:
    """Only tokens between the signs at both ends are masked, and all are to be written."""
    framed = [[0, *text, 2] for text in texts]
    rows = Denoising(framed, copies=copies, mask=3, seed=seed)
    assert len(rows) == len(texts) * copies
    for place, row in enumerate(rows):
        whole = framed[place % len(texts)]
        assert row["labels"] == whole
        assert row["attention_mask"] == [1] * len(whole)
        read = row["input_ids"]
        assert (read[0], read[-1]) == (0, 2)
        assert all(one in (3, right) for one, right in zip(read, whole, strict=True))
    assert list(rows) == list(Denoising(framed, copies=copies, mask=3, seed=seed))


def test_each_copy_has_other_gaps() -> None:
    """About as many as were asked for."""
    rows = Denoising([[0, *[7] * 98, 2]], copies=20, mask=3, share=0.3)
    assert len({tuple(row["input_ids"]) for row in rows}) == 20
    masked = sum(row["input_ids"].count(3) for row in rows)
    assert 0.25 < masked / (20 * 98) < 0.35
    none = Denoising([[0, 7, 7, 2]], copies=1, mask=3, share=0.0)
    assert none[0]["input_ids"] == [0, 7, 7, 2]
