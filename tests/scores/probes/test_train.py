"""Training probes: resumption, and what is refused."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from datasets import ClassLabel, Dataset
from sklearn.linear_model import LogisticRegression
from torch.nn import functional

from fair_datasets.scores.probes import ProbeConfig, load_probe, train, train_probes
from fair_datasets.scores.probes.probe import STATE_FILE
from fair_datasets.scores.probes.train import probabilities_of
from fair_datasets.system import interrupts
from fair_datasets.system.checks import InputError

TEXTS = ["the nurse left .", "the pilot slept .", "she sang", "he ate .", "the smith said she left"]


LABELS = [0, 1, 0, 1, 0]


DATA = Dataset.from_dict({"text": TEXTS, "label": LABELS})


class StoppedError(Exception):
    """What stops a run in a test."""


@pytest.fixture(scope="session")
def base(untrained_classifier: tuple[Any, Any], tmp_path_factory: pytest.TempPathFactory) -> str:
    """Give the folder of a small BERT, whose head has three classes."""
    folder = tmp_path_factory.mktemp("base")
    for part in untrained_classifier:
        part.save_pretrained(folder)
    return str(folder)


def contents(folder: Path) -> dict[str, bytes]:
    """Read every file of a folder."""
    return {str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*")) if path.is_file()}  # fmt: skip


@pytest.mark.parametrize("kind", ["linear", "transformer", "linear head", "mlp head"])
def test_an_interrupted_run_goes_on(
    kind: str, base: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However often it is stopped in the middle of a checkpoint, it ends with the same bytes."""
    model = "linear" if kind == "linear" else base
    settings: dict[str, Any] = {"columns": "text", "model": model, "seeds": 2, "epochs": 3}
    settings |= {"batch_size": 2, "learning_rate": 1e-3}
    settings |= {"head": kind.removesuffix(" head")} if kind.endswith(" head") else {}
    whole = train_probes(ProbeConfig(out=tmp_path / "whole", **settings), DATA)
    replaced = stop = 0
    plain = os.replace

    def stopping(source: Any, target: Any) -> None:
        nonlocal replaced
        if Path(source).is_dir():
            replaced += 1
            if replaced == stop:
                raise StoppedError
        plain(source, target)

    monkeypatch.setattr("fair_datasets.system.resume.os.replace", stopping)
    for stop in (1, 2, 4):
        out, replaced = tmp_path / f"resumed-{stop}", 0
        config = ProbeConfig(out=out, **settings)
        with pytest.raises(StoppedError):
            train_probes(config, DATA)
        assert len(list(out.rglob("epoch-*"))) == stop - 1
        assert not list(out.rglob(".unfinished-*"))
        resumed = train_probes(config, DATA)
        assert contents(out) == contents(tmp_path / "whole")
        assert not list(tmp_path.rglob(STATE_FILE))
        assert [len(epochs) for epochs in resumed] == [len(epochs) for epochs in whole] == [3, 3]


@pytest.mark.parametrize("kind", ["linear", "transformer"])
def test_an_interrupt_ends_between_two_steps(
    kind: str, base: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A linear epoch is finished first, fine-tuning ends after the batch; then it goes on."""
    model = "linear" if kind == "linear" else base
    settings: dict[str, Any] = {"columns": "text", "model": model, "seeds": 2, "epochs": 3}
    settings |= {"batch_size": 2, "learning_rate": 1e-3}
    train_probes(ProbeConfig(out=tmp_path / "whole", **settings), DATA)
    place = (LogisticRegression, "fit") if kind == "linear" else (functional, "cross_entropy")
    plain, steps = getattr(*place), []

    def step(*arguments: Any) -> Any:
        steps.append(arguments)
        if len(steps) == 2:
            # As the command line's handler does, whose exception a destructor may swallow.
            interrupts._note(signal.SIGTERM, None)
        return plain(*arguments)

    config = ProbeConfig(out=tmp_path / "broken", **settings)
    monkeypatch.setattr(*place, step)
    with pytest.raises(KeyboardInterrupt), interrupts.record_signals():
        train_probes(config, DATA)
    assert len(steps) == 2
    finished = sorted(str(path.relative_to(config.out)) for path in Path(config.out).glob("*/*"))
    assert finished == (["seed-0/epoch-1", "seed-0/epoch-2"] if kind == "linear" else [])
    monkeypatch.undo()
    train_probes(config, DATA)
    assert contents(tmp_path / "broken") == contents(tmp_path / "whole")


def test_what_is_trained_is_not_trained_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A second run gives the same paths and trains nothing."""
    config = ProbeConfig(out=tmp_path, columns="text", seeds=1, epochs=2)
    paths = train_probes(config, DATA)

    def none(*_: Any) -> Iterator[Any]:
        raise AssertionError("it trains")
        yield

    monkeypatch.setattr(train, "linear_epochs", none)
    assert train_probes(config, DATA) == paths


def test_a_linear_probe_that_nobody_keeps_is_the_one_that_is_left_last(tmp_path: Path) -> None:
    """Bit for bit; and no file is written."""
    config = ProbeConfig(out=tmp_path / "kept", columns="text", seeds=(3,), epochs=4)
    kept = load_probe(train_probes(config, DATA)[0][-1])
    nowhere = ProbeConfig(out=tmp_path / "none", columns="text", epochs=4)
    alone = train.linear_probe(nowhere, DATA, seed=3)
    rows = [(text,) for text in TEXTS]
    assert alone.logits(rows).tolist() == kept.logits(rows).tolist()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["kept"]


def test_the_first_epoch_does_not_depend_on_how_many_follow(base: str, tmp_path: Path) -> None:
    """A score after one epoch may be taken from a shorter or a longer run."""
    for model in ("linear", base):
        first = []
        for epochs in (1, 3):
            out = tmp_path / f"{len(model)}-{epochs}"
            config = ProbeConfig(out=out, columns="text", model=model, seeds=1, epochs=epochs)
            first.append(contents(Path(train_probes(config, DATA)[0][0])))
        assert first[0] == first[1]


def test_seeds_differ_and_the_global_generator_is_left_alone(base: str, tmp_path: Path) -> None:
    """Each seed draws its own head, order and dropout, and nobody else's numbers."""
    import torch

    torch.manual_seed(5)
    expected = torch.rand(3)
    torch.manual_seed(5)
    config = ProbeConfig(out=tmp_path, columns="text", model=base, seeds=2, epochs=1)
    (first,), (second,) = train_probes(config, DATA)
    assert torch.equal(torch.rand(3), expected)
    assert contents(Path(first)) != contents(Path(second))


def test_a_fine_tuned_probe_learns(base: str, tmp_path: Path) -> None:
    """The loss falls, the head has the classes of the data, and their names are kept."""
    data = DATA.cast_column("label", ClassLabel(names=["mild", "harsh"]))
    settings: dict[str, Any] = {"columns": "text", "model": base, "seeds": 1, "epochs": 12}
    config = ProbeConfig(out=tmp_path, learning_rate=3e-3, batch_size=2, **settings)
    last = load_probe(train_probes(config, data)[0][-1])
    logits = last.logits([(text,) for text in TEXTS])
    assert logits.shape == (5, 2)
    assert (logits.argmax(axis=1) == np.array(LABELS)).all()
    assert last.loaded.model.config.id2label == {0: "mild", 1: "harsh"}  # type: ignore[attr-defined]


def test_a_folder_with_other_probes_is_refused(base: str, tmp_path: Path) -> None:
    """Other settings, other data: the sentence says which, and nothing is touched."""
    settings: dict[str, Any] = {"out": tmp_path, "columns": "text", "seeds": 1}
    train_probes(ProbeConfig(**settings, epochs=1), DATA)
    before = contents(tmp_path)
    with pytest.raises(InputError, match=r"trained with epochs=1, not 2.*another folder"):
        train_probes(ProbeConfig(**settings, epochs=2), DATA)
    with pytest.raises(InputError, match="model='linear'"):
        train_probes(ProbeConfig(**settings, epochs=1, model=base), DATA)
    other = Dataset.from_dict({"text": TEXTS, "label": [*LABELS[::-1][:4], 1]})
    with pytest.raises(InputError, match="other texts or labels"):
        train_probes(ProbeConfig(**settings, epochs=1), other)
    assert contents(tmp_path) == before


def test_a_class_without_rows_is_refused(tmp_path: Path) -> None:
    """A name that no row has would be a class that nothing is known of."""
    data = DATA.cast_column("label", ClassLabel(names=["mild", "harsh", "foul"]))
    with pytest.raises(InputError, match="3 classes, but no row has class 2"):
        train_probes(ProbeConfig(out=tmp_path, columns="text"), data)


def test_wrong_models_are_refused(base: str, tmp_path: Path) -> None:
    """A folder that is not there, one without a model, and a tokenizer that does not fit.

    Nothing is left that would stand in the way of the right one, also where a run was killed.
    """
    from transformers import AutoTokenizer

    settings: dict[str, Any] = {"out": tmp_path / "probes", "columns": "text"}
    with pytest.raises(InputError, match="there is no folder '/nowhere/model'"):
        train_probes(ProbeConfig(**settings, model="/nowhere/model"), DATA)
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(InputError, match="cannot be loaded as a model to fine-tune"):
        train_probes(ProbeConfig(**settings, model=empty), DATA)
    longer = tmp_path / "longer"
    load_probe(base).loaded.model.save_pretrained(longer)  # type: ignore[attr-defined]
    tokenizer = AutoTokenizer.from_pretrained(base)
    tokenizer.add_tokens(["anew"])
    tokenizer.save_pretrained(longer)
    with pytest.raises(InputError, match="tokens, but the model reads"):
        train_probes(ProbeConfig(**settings, model=longer), DATA)
    assert not (tmp_path / "probes").exists()
    (tmp_path / "probes" / "seed-0" / ".unfinished-1").mkdir(parents=True)
    (tmp_path / "probes" / "seed-0" / ".unfinished-1" / "linear_probe.json").write_text("{")
    (tmp_path / "probes" / train.CONFIG_FILE).write_text('{"model": "longer"}')
    assert train_probes(ProbeConfig(**settings, seeds=1), DATA)


def test_two_runs_at_once_leave_one_whole_checkpoint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run that finds its epoch finished by another keeps what is there."""
    plain = train.linear_epochs
    config = ProbeConfig(out=tmp_path, columns="text", seeds=1, epochs=1)

    def beaten(*arguments: Any) -> Iterator[Any]:
        for probe in plain(*arguments):
            monkeypatch.setattr(train, "linear_epochs", plain)
            train_probes(config, DATA)
            yield probe

    monkeypatch.setattr(train, "linear_epochs", beaten)
    ((path,),) = train_probes(config, DATA)
    assert load_probe(path).classes == 2
    assert not list(tmp_path.rglob(".unfinished-*"))


ROWS = [("a",), ("b",)]


@pytest.mark.parametrize("row", [[0.5, 0.505], [0.5, 0.495], [1.0, 0.0], [0.0, 1.0]])
def test_probabilities_may_be_rounded(row: list[float]) -> None:
    """Half precision is not exact."""
    found = probabilities_of(lambda rows: [[0.5, 0.5], row], ROWS, what="the probe")
    assert found.tolist() == [[0.5, 0.5], row]
