"""The commands `score`, `select` and `diet`."""

from pathlib import Path
from typing import Any

import pytest
from datasets import Dataset, load_dataset
from datasets.exceptions import DataFilesNotFoundError
from huggingface_hub import DatasetCard

from fair_datasets.cli import main
from fair_datasets.diet import ProbeTrainer

_PEOPLE = ["He", "She", "The man", "The woman", "It"]
_WORDS = [("kind", 0), ("rude", 1), ("polite", 0), ("angry", 1)]
ROWS = Dataset.from_list(
    [
        {"text": f"{who} was {word} on day {number}.", "label": label}
        for number in range(3)
        for who in _PEOPLE
        for word, label in _WORDS
    ]
)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A CSV file of labelled sentences."""
    ROWS.to_csv(str(tmp_path / "rows.csv"))
    return tmp_path / "rows.csv"


def test_score_then_select(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What `score` writes `select` reads."""
    scored, chosen = tmp_path / "scored", tmp_path / "chosen"
    arguments = ["score", str(data), "--text", "text", "--probes", "2", "--out", str(scored)]
    assert main([*arguments, "--score", "equity", "--score", "forgetting", "--epochs", "2"]) == 0
    rows = load_dataset(str(scored), split="train")
    assert rows.column_names == [
        "text", "label", "text_counterfactual", "gender_equity", "forgetting",
    ]  # fmt: skip
    assert len(rows) == len(ROWS)
    for row in rows:
        assert (row["gender_equity"] == 0) == (row["text"] == row["text_counterfactual"])
    assert (tmp_path / "scored.work" / "probes" / "seed-1" / "epoch-2").is_dir()
    arguments = ["select", str(scored), "--text", "text", "-a", "0.5", "-b", "0.25"]
    assert main([*arguments, "--out", str(chosen)]) == 0
    assert "60 pairs in, 30 factual rows and 15 counterfactuals out" in capsys.readouterr().out
    picked = load_dataset(str(chosen), split="train")
    assert len(picked) == 45
    highest = sorted(rows["gender_equity"], reverse=True)[:15]
    swapped = picked.filter(lambda row: row["counterfactual"])
    assert sorted(swapped["gender_equity"], reverse=True) == highest
    arguments = ["select", str(scored), "--text", "text", "-a", "0.01", "-b", "0.01"]
    assert main([*arguments, "--out", str(tmp_path / "none")]) == 2
    assert "of 60 pairs are no whole row" in capsys.readouterr().err
    assert not (tmp_path / "none").exists()


def test_diet_writes_rows_card_and_picture(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The folder loads, tells what was done, and leaves nothing else behind."""
    out = tmp_path / "diet"
    arguments = ["diet", str(data), "--text", "text", "--seeds", "1", "--probes", "1"]
    assert main([*arguments, "--max-auc-drop", "90", "--out", str(out)]) == 0
    assert "Chosen: healthy_random with a=" in capsys.readouterr().out
    splits = load_dataset(str(out))
    assert {name: len(rows) for name, rows in splits.items()}.keys() == {
        "train", "validation", "test",
    }  # fmt: skip
    assert {"pair_id", "counterfactual", "gender_equity"} <= set(splits["train"].column_names)
    assert len(splits["validation"]) == len(splits["test"]) == 6
    card = (out / "README.md").read_text()
    assert "fair-datasets diet" in card
    assert "what not to conclude" in card
    assert (out / "trade-off.svg").stat().st_size > 1000
    assert sorted(path.name for path in tmp_path.iterdir()) == ["diet", "rows.csv"]


def test_an_interrupt_keeps_what_is_finished(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is written but the work folder, and the same command ends as it would have."""
    arguments = ["diet", str(data), "--text", "text", "--seeds", "1", "--probes", "1"]
    arguments += ["--max-auc-drop", "90", "--pool", str(data), "--out"]
    assert main([*arguments, str(tmp_path / "whole")]) == 0
    train, trained = ProbeTrainer.__call__, []

    def interrupted(self: ProbeTrainer, dataset: Dataset, seed: int) -> Any:
        trained.append(seed)
        if len(trained) == 9:
            raise KeyboardInterrupt
        return train(self, dataset, seed)

    monkeypatch.setattr(ProbeTrainer, "__call__", interrupted)
    capsys.readouterr()
    assert main([*arguments, str(tmp_path / "out")]) == 130
    assert f"kept in {tmp_path / 'out.work'}" in capsys.readouterr().err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.work", "rows.csv", "whole"]
    assert main([*arguments, str(tmp_path / "out")]) == 0
    # The grid, the baselines and the chosen cell, and the one that was broken off.
    assert len(trained) == 18 + 5 + 1 + 1
    one, other = (load_dataset(str(tmp_path / name), split="train") for name in ("whole", "out"))
    assert one[:] == other[:]
    card = (tmp_path / "out" / "README.md").read_text()
    assert "--pool rows.csv --pool-split train" in card
    assert "drawn from one split with the seed 0: 48 train, 6 validation, 6 test" in card


def test_diet_without_a_cell_that_qualifies(data: Path, tmp_path: Path) -> None:
    """The report is written, and says why no rows were chosen."""
    out = tmp_path / "diet"
    arguments = ["diet", str(data), "--text", "text", "--seeds", "1", "--probes", "1"]
    assert main([*arguments, "--max-auc-drop", "-99", "--out", str(out)]) == 0
    assert "**No rows were chosen.** In none of the 18 cells" in (out / "README.md").read_text()
    assert not (out / "data").exists()
    with pytest.raises(DataFilesNotFoundError):
        load_dataset(str(out))


def test_two_labels_are_refused(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The first is not lost in silence."""
    with pytest.raises(SystemExit):
        main(
            ["diet", str(data), "--text", "text", "--label", "label", "--label", "b", "--out", "x"]
        )
    assert "--label names one column" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["diet", "DATA", "--text", "txt"], "Did you mean 'text'"),
        (["diet", "DATA", "--text", "text", "--label", "y"], "'y'"),
        (["diet", "DATA", "--text", "text", "--axis", "sex"], "sex"),
        (["diet", "DATA", "--text", "text", "--label", "text"], "class_encode_column('text')"),
        (["diet", "DATA", "--text", "text", "--work", "FOLDER/out/w"], "lies in the output folder"),
        (["diet", "DATA", "--text", "text", "--epochs", "0"], "epochs must be at least 1"),
        (["diet", "DATA", "--text", "text", "--pool", "DATA", "--pool-split", "x"], "'x'"),
        (["diet", "FOLDER", "--text", "text"], "would be read as data"),
        (["diet", "DATA", "--text", "text", "--axis", "religion"], "diet: none of the 48"),
        (["score", "DATA", "--text", "text", "--axis", "religion"], "score: none of the 60"),
        (
            ["score", "DATA", "--text", "text", "--score", "forgetting", "--epochs", "1"],
            "at least 2 epochs",
        ),
        (["score", "DATA", "--text", "text", "--label", "text"], "text"),
        (["score", "DATA", "--text", "text", "--train-split", "all"], "--train-split"),
        (["select", "DATA", "--text", "text", "-a", "1", "-b", "1"], "text_counterfactual"),
        (["select", "DATA", "--text", "text", "-a", "0", "-b", "0"], "text_counterfactual"),
        (["select", "DATA", "--text", "text", "-a", "2", "-b", "0"], "text_counterfactual"),
    ],
)
def test_wrong_arguments(
    arguments: list[str],
    sentence: str,
    data: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """One sentence, exit code 2, and nothing is written."""
    words = [word.replace("DATA", str(data)).replace("FOLDER", str(tmp_path)) for word in arguments]
    assert main([*words, "--out", str(tmp_path / "out")]) == 2
    assert sentence in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["rows.csv"]


@pytest.mark.usefixtures("hub")
def test_the_commands_read_and_publish_on_the_hub(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Scored pairs go to the Hub, are selected from there, and a diet is published."""
    monkeypatch.chdir(tmp_path)
    arguments = ["score", str(data), "--text", "text", "--probes", "1"]
    assert main([*arguments, "--out", "hf://datasets/ada/scored"]) == 0
    arguments = ["select", "ada/scored", "--text", "text", "-a", "0.5", "-b", "0.25"]
    assert main([*arguments, "--out", "hf://datasets/ada/chosen", "--config-name", "half"]) == 0
    assert len(load_dataset("ada/chosen", "half", split="train")) == 45
    arguments = ["diet", str(data), "--text", "text", "--seeds", "1", "--probes", "1"]
    out = ["--out", "hf://datasets/ada/diet"]
    assert main([*arguments, "--max-auc-drop", "90", *out]) == 0
    assert set(load_dataset("ada/diet")) == {"train", "validation", "test"}
    card = DatasetCard.load("ada/diet").text
    assert "fair-datasets diet" in card
    assert "trade-off.svg" not in card
    assert sorted(path.name for path in tmp_path.iterdir()) == ["ada-scored.work", "rows.csv"]


@pytest.mark.usefixtures("hub")
def test_a_diet_that_chose_nothing_publishes_nothing(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without rows there is no dataset to publish; the reason is told."""
    monkeypatch.chdir(tmp_path)
    arguments = ["diet", str(data), "--text", "text", "--seeds", "1", "--probes", "1"]
    arguments += ["--max-auc-drop", "-99", "--out", "hf://datasets/ada/diet"]
    assert main(arguments) == 2
    assert "No rows were chosen, and nothing is published. In none" in capsys.readouterr().err
