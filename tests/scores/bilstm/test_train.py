"""Training an encoder on pairs: what it learns, the schedule, resumption, and what is refused."""

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from datasets import ClassLabel, Dataset

from fair_datasets import InputError
from fair_datasets.scores import SentenceEncoderConfig, train_sentence_encoder
from fair_datasets.scores.bilstm import schedule
from fair_datasets.scores.bilstm.network import BiLSTMEncoder
from fair_datasets.scores.bilstm.train import pair_accuracy
from fair_datasets.system import interrupts

Corpus = tuple[Dataset, Dataset]


class StoppedError(Exception):
    """What stops a run in a test."""


def contents(folder: Path) -> dict[str, bytes]:
    """Read every file of a folder."""
    return {str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*")) if path.is_file()}  # fmt: skip


def test_it_learns(trained: str, tiny: dict[str, Any], corpus: Corpus) -> None:
    """What it says of people of whom it has not read is right, where chance is a third."""
    encoder = BiLSTMEncoder.from_pretrained(trained)
    config = SentenceEncoderConfig(out="unused", **tiny)
    found = pair_accuracy(encoder, config, corpus[1])
    assert found.majority == pytest.approx(1 / 3)
    assert found.accuracy > 0.9
    assert (found.pairs, found.unlabelled, found.unread) == (36, 0, 0)
    told = encoder.provenance
    assert told["accuracy"] == found.accuracy
    assert (told["pairs"], told["validation_pairs"], told["vectors"]) == (63, 36, "vectors.npz")
    assert encoder.labels == ["contradiction", "entailment", "neutral"]
    files = {path.name for path in Path(trained).iterdir()}
    assert files == {
        "README.md", "config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json",
    }  # fmt: skip
    assert {path.name for path in Path(trained).parent.iterdir()} == {"encoder", "training.json"}


def test_it_is_not_trained_again(
    trained: str, tiny: dict[str, Any], corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is there is returned; other settings, data or vectors need another folder."""
    monkeypatch.setattr(schedule, "Training", None)
    out = Path(trained).parent
    config = SentenceEncoderConfig(out=out, **tiny)
    assert train_sentence_encoder(config, *corpus) == trained
    other = SentenceEncoderConfig(out=out, **{**tiny, "seed": 2})
    with pytest.raises(InputError, match="an encoder trained with seed=1234, not 2; give another"):
        train_sentence_encoder(other, *corpus)
    with pytest.raises(InputError, match="trained with other texts or labels; give another folder"):
        train_sentence_encoder(config, corpus[0].select(range(9)), corpus[1])
    with pytest.raises(InputError, match="trained with other validation texts or labels"):
        train_sentence_encoder(config, corpus[0], corpus[1].select(range(9)))


@pytest.mark.parametrize("stop", [1, 6, 17, 25])
def test_an_interrupted_run_goes_on(
    stop: int, tiny: dict[str, Any], corpus: Corpus, trained: str, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """Stopped at any step, also several times, it ends with the same bytes."""
    monkeypatch.setattr(schedule, "STEPS", 5)
    config = SentenceEncoderConfig(out=tmp_path, **tiny)
    steps = 0

    def stopping() -> None:
        nonlocal steps
        steps += 1
        if steps % stop == 0 and steps <= 2 * stop:
            raise KeyboardInterrupt

    monkeypatch.setattr(interrupts, "raise_if_interrupted", stopping)
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            train_sentence_encoder(config, *corpus)
    # Beginning to train looks for an interrupt twice.
    monkeypatch.setattr(interrupts, "raise_if_interrupted", lambda: None)
    assert contents(Path(train_sentence_encoder(config, *corpus))) == contents(Path(trained))


@pytest.mark.slow
@pytest.mark.parametrize("stop", [2, 5, 9, 11])
def test_a_killed_run_goes_on(
    stop: int, tiny: dict[str, Any], corpus: Corpus, trained: str, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """Also where it ends while a file is put in its place: before the state, or before its best."""
    monkeypatch.setattr(schedule, "STEPS", 9)
    config = SentenceEncoderConfig(out=tmp_path, **tiny)
    replaced, plain = 0, os.replace

    def stopping(source: Any, target: Any) -> None:
        nonlocal replaced
        replaced += 1
        if replaced == stop:
            raise StoppedError
        plain(source, target)

    with monkeypatch.context() as context:
        context.setattr("fair_datasets.system.resume.os.replace", stopping)
        with pytest.raises(StoppedError):
            train_sentence_encoder(config, *corpus)
    assert contents(Path(train_sentence_encoder(config, *corpus))) == contents(Path(trained))


def test_the_schedule(tiny: dict[str, Any], corpus: Corpus, tmp_path: Path) -> None:
    """The rate falls a little with each epoch, and by a factor where accuracy does not rise."""
    settings = {**tiny, "epochs": 12, "decay": 0.9, "shrink": 10.0, "least_learning_rate": 1e-3}
    config = SentenceEncoderConfig(out=tmp_path, **settings)
    encoder = BiLSTMEncoder.from_pretrained(train_sentence_encoder(config, *corpus))
    rate, best, history = 0.5, -1.0, encoder.provenance["epochs_trained"]
    for number, epoch in enumerate(history):
        rate *= 0.9 if number else 1.0
        assert epoch["learning_rate"] == pytest.approx(rate)
        if epoch["accuracy"] > best:
            best, at = epoch["accuracy"], number + 1
        else:
            rate /= 10
    # It ends early, and the best epoch is restored and not the last.
    assert rate < 1e-3
    assert len(history) < 12
    assert (encoder.provenance["accuracy"], encoder.provenance["best_epoch"]) == (best, at)
    assert pair_accuracy(encoder, config, corpus[1]).accuracy == best


def test_a_step_is_the_published_one(
    tiny: dict[str, Any], corpus: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The gradient of the mean loss, clipped by its norm, times the rate."""
    import torch

    settings = {**tiny, "epochs": 1, "batch_size": 1000, "largest_gradient": 0.01}
    begun: list[schedule.Training] = []
    begin = schedule.Training.begin
    monkeypatch.setattr(
        schedule.Training, "begin", lambda *given: begun.append(begin(*given)) or begun[0]
    )
    before: dict[str, Any] = {}
    plain = schedule.Training._step

    def watched(training: Any, *given: Any) -> float:
        before.update({name: w.detach().clone() for name, w in training.encoder.named_parameters()})
        return plain(training, *given)

    monkeypatch.setattr(schedule.Training, "_step", watched)
    config = SentenceEncoderConfig(out=tmp_path, **settings)
    train_sentence_encoder(config, *corpus)
    after = dict(begun[0].encoder.named_parameters())
    moved = [(after[name] - weight).detach().flatten() for name, weight in before.items()]
    assert float(torch.cat(moved).norm()) == pytest.approx(0.5 * 0.01, rel=1e-3)
    assert "vectors" not in before
    assert begun[0].progress.best_epoch == 1


def test_labels_of_any_kind(tiny: dict[str, Any], corpus: Corpus, tmp_path: Path) -> None:
    """Numbers, classes and texts give one encoder; rows without a label are counted."""
    names = ["contradiction", "entailment", "neutral"]
    texts, held = corpus
    coded = [rows.cast_column("label", ClassLabel(names=names)) for rows in corpus]
    one = {"premise": "The nurse sleeps.", "hypothesis": None, "label": "-"}
    unlabelled = Dataset.from_list([one, *texts, {**one, "label": None}])
    weights = []
    for number, (train, validation) in enumerate(
        [
            coded,
            (unlabelled, held),
            *[(coded[0].cast_column("label", texts.features["label"]), held)] * 2,
        ]
    ):
        if number >= 2:
            kind = int if number == 2 else float
            train, validation = (
                Dataset.from_list(
                    [{**row, "label": kind(names.index(row["label"]))} for row in rows]
                    + [{**one, "hypothesis": "x", "label": kind(-1)}]
                )
                for rows in corpus
            )
        config = SentenceEncoderConfig(out=tmp_path / str(number), **{**tiny, "epochs": 1})
        folder = Path(train_sentence_encoder(config, train, validation))
        weights.append((folder / "model.safetensors").read_bytes())
        told = BiLSTMEncoder.from_pretrained(folder).provenance
        assert (told["pairs"], told["unlabelled"]) == (63, [0, 2, 1, 1][number])
    assert weights[0] == weights[1] == weights[2] == weights[3]


def test_many_classes_are_not_all_listed(
    tiny: dict[str, Any], corpus: Corpus, tmp_path: Path
) -> None:
    """Where a column of texts is taken for the label."""
    config = SentenceEncoderConfig(out=tmp_path, **{**tiny, "label": "name"})
    parts = []
    for start, rows in zip((0, 100), corpus, strict=True):
        names = [f"text {start + number:03}" for number in range(len(rows))]
        parts.append(rows.add_column("name", names))
    with pytest.raises(InputError, match="'text 004', 'text 005' and 57 more; give labels of the"):
        train_sentence_encoder(config, *parts)


def test_training_that_diverges(tiny: dict[str, Any], corpus: Corpus, tmp_path: Path) -> None:
    """Is told, as its encoder would be of no use."""
    settings = {**tiny, "learning_rate": 1e30, "largest_gradient": 1e30}
    with pytest.raises(InputError, match="training diverges; use a smaller learning_rate"):
        train_sentence_encoder(SentenceEncoderConfig(out=tmp_path, **settings), *corpus)


def test_a_state_that_was_cut(
    tiny: dict[str, Any], corpus: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By a full disk, say: the sentence names the folder."""
    config = SentenceEncoderConfig(out=tmp_path, **tiny)
    with monkeypatch.context() as context:
        context.setattr(schedule.Training, "save", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            train_sentence_encoder(config, *corpus)
    state = tmp_path / schedule.STATE_FILE
    state.write_bytes(state.read_bytes()[:100])
    with pytest.raises(InputError, match=r"state.safetensors cannot be read .* remove the folder"):
        train_sentence_encoder(config, *corpus)


def test_without_markers(tiny: dict[str, Any], corpus: Corpus, tmp_path: Path) -> None:
    """A pair with a sentence of unknown words cannot be read, and is counted."""
    settings = {**tiny, "markers": False, "epochs": 1}
    config = SentenceEncoderConfig(out=tmp_path, **settings)
    row = {"premise": "xyzzy", "hypothesis": "the nurse", "label": "neutral"}
    rows = Dataset.from_list([*corpus[0], row])
    encoder = BiLSTMEncoder.from_pretrained(train_sentence_encoder(config, rows, corpus[1]))
    assert (encoder.provenance["pairs"], encoder.provenance["read_pairs"]) == (64, 63)
    assert encoder.tokenizer(["xyzzy"])["input_ids"] == [[]]
    assert pair_accuracy(encoder, config, rows).unread == 1
    assert np.isfinite(encoder.provenance["accuracy"])


def test_the_published_settings() -> None:
    """Are the defaults, and the preset of that name."""
    config = SentenceEncoderConfig(out="encoder", vectors="glove.txt")
    assert config.settings() == {
        "columns": ["premise", "hypothesis"], "label": "label", "units": 2048,
        "classifier_units": 512, "markers": True, "frequent_words": 100_000, "epochs": 8,
        "batch_size": 64, "learning_rate": 0.1, "decay": 0.99, "shrink": 5.0,
        "least_learning_rate": 1e-5, "largest_gradient": 5.0, "max_length": 128, "seed": 1234,
    }  # fmt: skip
    assert SentenceEncoderConfig.preset("infersent", out="encoder", vectors="glove.txt") == config
    small = SentenceEncoderConfig.preset("small", out="encoder", vectors="glove.txt", epochs=2)
    assert (small.units, small.epochs) == (64, 2)
