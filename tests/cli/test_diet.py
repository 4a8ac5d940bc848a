"""The commands `score`, `select` and `diet`."""

import re
import signal
from pathlib import Path
from typing import Any

import pytest
from datasets import ClassLabel, Dataset, load_dataset
from datasets.exceptions import DataFilesNotFoundError
from huggingface_hub import DatasetCard
from sklearn.linear_model import LogisticRegression

from fair_datasets.cli import main
from fair_datasets.selection.diet import ProbeTrainer
from tests.small_models import bert_tokenizer, small_model

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


# What needs neither many seeds nor placebos.
SHORT = ["--seeds", "1", "--probes", "1", "--placebo-draws", "0"]


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
    assert "of 60 pairs come to less than one row" in capsys.readouterr().err
    assert not (tmp_path / "none").exists()


@pytest.mark.slow
@pytest.mark.usefixtures("unpainted")
def test_score_and_diet_swap_what_a_reader_tells(
    tmp_path: Path, nameless: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Names are then left as they are, and the card names the reader without its folder."""
    Dataset.from_list(
        [{"text": f"{row['text']} Mary left.", "label": row["label"]} for row in ROWS]
    ).to_csv(str(tmp_path / "rows.csv"))
    options = [str(tmp_path / "rows.csv"), "--text", "text", "--probes", "1", "--reader", nameless]
    assert main(["score", *options, "--out", str(tmp_path / "scored")]) == 0
    rows = load_dataset(str(tmp_path / "scored"), split="train")
    assert all(text.endswith("Mary left.") for text in rows["text_counterfactual"])
    short = ["--seeds", "1", "-a", "1", "-b", "0,1", "--epochs", "1", "--placebo-draws", "0"]
    assert main(["diet", *options, *short, "--out", str(tmp_path / "out")]) == 0
    for name in ("scored", "out"):
        card = (tmp_path / name / "README.md").read_text()
        assert "--reader nameless.safetensors" in card
        assert str(tmp_path) not in card


def test_select_reads_scores_of_a_csv_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A column of 1 and 0.5 is of numbers where it is named as the score, and no other."""
    lines = ["text,text_counterfactual,equity", "He,She,1", "It,It,0", "His,Her,0.5", "Him,Her,.2"]
    (tmp_path / "in.csv").write_text("\n".join(lines))
    words = ["select", str(tmp_path / "in.csv"), "--text", "text", "-a", "0", "-b", "0.5"]
    words += ["--score-column", "equity"]
    assert main([*words, "--out", str(tmp_path / "out")]) == 0
    chosen = load_dataset(str(tmp_path / "out"), split="train")
    assert sorted(chosen["equity"]) == [0.5, 1.0]
    (tmp_path / "in.csv").write_text("\n".join([*lines, "Sir,Madam,high"]))
    assert main([*words, "--out", str(tmp_path / "other")]) == 2
    assert "must hold numbers, but row " in capsys.readouterr().err


def test_diet_writes_rows_card_and_picture(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The folder loads, tells what was done, and leaves nothing else behind."""
    out = tmp_path / "diet"
    arguments = ["diet", str(data), "--text", "text", "--seeds", "1", "--probes", "1"]
    arguments += ["-a", "0.5", "-b", "0,0.5,1"]
    assert main([*arguments, "--max-auc-drop", "90", "--out", str(out)]) == 0
    told = capsys.readouterr().out
    assert "Chosen: healthy_random with a=" in told
    assert "by the flip rate on the validation rows." in told
    assert re.search(
        r"The swap changes (\d) of the test rows; \1 mention one attribute alone", told
    )
    (header,) = [line for line in told.splitlines() if line.startswith("method ")]
    assert header.split()[:4] == ["method", "AUC", "flip", "rate"]
    (verdict,) = [line for line in told.splitlines() if "plain CDA" in line]
    splits = load_dataset(str(out))
    assert {name: len(rows) for name, rows in splits.items()}.keys() == {
        "train", "validation", "test",
    }  # fmt: skip
    assert {"family_id", "counterfactual", "gender_equity"} <= set(splits["train"].column_names)
    assert len(splits["validation"]) == len(splits["test"]) == 6
    families = [set(rows["family_id"]) for rows in splits.values()]
    assert sum(map(len, families)) == len(set.union(*families))
    card = (out / "README.md").read_text()
    assert "fair-datasets diet" in card
    assert "language:\n- en\nsize_categories:\n- n<1K\n" in card
    assert "--optimise flip_rate" in card
    assert "what not to conclude" in card
    assert f"**{verdict}**" in card
    assert re.search(r"The swap changes \d of the validation rows", card)
    assert "| a | b | rows used | AUC | AUC change % | flip rate | DP by attribute |" in card
    assert (out / "trade-off.svg").stat().st_size > 1000
    assert sorted(path.name for path in tmp_path.iterdir()) == ["diet", "rows.csv"]


@pytest.mark.slow
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
    assert capsys.readouterr().err == (
        f"\nfair-datasets: interrupted; what is finished is kept in {tmp_path / 'out.work'}, and "
        "the same command goes on from there.\n"
    )
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.work", "rows.csv", "whole"]
    assert main([*arguments, str(tmp_path / "out")]) == 0
    # The grid, the baselines and the chosen cell, and the one that was broken off.
    assert len(trained) == 18 + 5 + 1 + 1
    one, other = (load_dataset(str(tmp_path / name), split="train") for name in ("whole", "out"))
    assert one[:] == other[:]
    one, other = (tmp_path / name / "trade-off.svg" for name in ("whole", "out"))
    assert one.read_bytes() == other.read_bytes()
    card = (tmp_path / "out" / "README.md").read_text()
    assert "--pool rows.csv --pool-split train" in card
    assert "drawn from one split with the seed 0: 48 train, 6 validation, 6 test" in card


class Swallowing:
    """What is interrupted where no exception can leave."""

    def __del__(self) -> None:
        """Get Ctrl-C in a destructor."""
        signal.raise_signal(signal.SIGINT)


@pytest.mark.slow
@pytest.mark.usefixtures("heeded")
@pytest.mark.parametrize("command", ["diet", "score"])
def test_an_interrupt_in_a_destructor_is_not_lost(
    command: str, data: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """Python prints and forgets what is raised there; the run ends all the same."""
    fitted = LogisticRegression.fit

    def fit(self: Any, *arguments: Any) -> Any:
        Swallowing()
        return fitted(self, *arguments)

    monkeypatch.setattr(LogisticRegression, "fit", fit)
    arguments = [command, str(data), "--text", "text", "--probes", "2", "--out"]
    assert main([*arguments, str(tmp_path / "out")]) == 130
    err = capfd.readouterr().err
    assert "it ends after the step that it is at; a second Ctrl-C ends it at once" in err
    assert err.endswith(
        f"\nfair-datasets: interrupted; what is finished is kept in {tmp_path / 'out.work'}, and "
        "the same command goes on from there.\n"
    )
    assert "nothing was written" not in err
    # The probe that was at work is finished, and no other was begun.
    (probe,) = (tmp_path / "out.work" / "probes").glob("seed-*/epoch-*")
    assert probe.name == "epoch-1"
    assert not (tmp_path / "out").exists()
    monkeypatch.undo()
    assert main([*arguments, str(tmp_path / "out")]) == 0


@pytest.fixture
def named(tmp_path: Path) -> Path:
    """A file whose labels are texts."""
    rows = [{**row, "label": ["mild", "harsh"][row["label"]]} for row in ROWS]
    Dataset.from_list(rows).to_json(str(tmp_path / "named.jsonl"))
    return tmp_path / "named.jsonl"


@pytest.mark.slow
@pytest.mark.usefixtures("unpainted")
def test_labels_may_be_texts(
    named: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """They are classes in alphabetical order, which is told, written and the same for a pool."""
    classes = "The classes of 'label': 0 is 'harsh', 1 is 'mild'."
    scored, chosen = tmp_path / "scored", tmp_path / "chosen"
    arguments = [str(named), "--text", "text", "--out"]
    assert main(["score", *arguments, str(scored), "--score", "el2n", "--probes", "1"]) == 0
    assert classes in capsys.readouterr().out
    rows = load_dataset(str(scored), split="train")
    assert rows.features["label"] == ClassLabel(names=["harsh", "mild"])
    assert rows["label"][:4] == [1, 0, 1, 0]
    more = [*SHORT, "--max-auc-drop", "90", "-a", "1", "-b", "0,1", "--pool", str(named)]
    more += ["--audit", str(tmp_path / "audit")]
    assert main(["diet", *arguments, str(chosen), *more]) == 0
    told = capsys.readouterr().out
    assert classes in told
    assert "What the change bought, and what it cost:" in told
    assert "\n## Audit\n" in (chosen / "README.md").read_text()
    assert (chosen / "croissant.json").is_file()
    assert (tmp_path / "audit" / "audit.html").is_file()
    assert classes in (chosen / "README.md").read_text().replace("\\", "")
    for split in load_dataset(str(chosen)).values():
        assert split.features["label"] == rows.features["label"]


@pytest.mark.slow
@pytest.mark.usefixtures("unpainted")
def test_labels_may_be_stars(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A diet makes two classes of them, which it tells, and keeps what they were."""
    file = tmp_path / "stars.csv"
    Dataset.from_list([{**row, "stars": 1 + 4 * row["label"]} for row in ROWS]).map(
        lambda row, number: {"stars": row["stars"] + (number % 8 == 0)}, with_indices=True
    ).to_csv(str(file))
    arguments = ["diet", str(file), "--text", "text", "--label", "stars", "-a", "1", "-b", "0"]
    arguments += ["--ranking", "random", "--seeds", "1", "--placebo-draws", "0"]
    arguments += ["--out", str(tmp_path / "chosen")]
    assert main(arguments) == 0
    assert "The classes of 'stars': 0 is '1, 2', 1 is '5'." in capsys.readouterr().out
    rows = load_dataset(str(tmp_path / "chosen"), split="train")
    given = rows.features["stars_given"].int2str(rows["stars_given"][:])
    assert rows["stars"][:] == [int(stars == "5") for stars in given]
    assert "--positive 5" in (tmp_path / "chosen" / "README.md").read_text().replace("\\", "")


@pytest.mark.slow
@pytest.mark.usefixtures("unpainted")
def test_diet_without_a_cell_that_qualifies(data: Path, tmp_path: Path) -> None:
    """The report is written, and says why no rows were chosen."""
    out = tmp_path / "diet"
    arguments = ["diet", str(data), "--text", "text", *SHORT]
    arguments += ["-a", "1", "-b", "0,1", "--max-auc-drop", "-99", "--out", str(out)]
    assert main(arguments) == 0
    assert "**No rows were chosen.** In none of the 2 cells" in (out / "README.md").read_text()
    assert not (out / "data").exists()
    with pytest.raises(DataFilesNotFoundError):
        load_dataset(str(out))


@pytest.mark.slow
@pytest.mark.usefixtures("unpainted")
def test_a_grid_of_ones_own(data: Path, tmp_path: Path) -> None:
    """One share is fixed, several are tried; the card says which, and how the probes trained."""
    words = ["diet", str(data), "--text", "text", *SHORT, "--a", "0.5"]
    words += ["-b", "0.25,0.5", "--b", "1", "--ranking", "healthy_forget", "--probe-epochs", "3"]
    assert main([*words, "--max-auc-drop", "90", "--out", str(tmp_path / "out")]) == 0
    card = (tmp_path / "out" / "README.md").read_text()
    assert "-a 0.5 -b 0.25 -b 0.5 -b 1.0" in card
    assert "--probes 1 --probe-epochs 3" in card
    assert card.count("| 0.5 | ") == 3


@pytest.mark.usefixtures("unpainted")
def test_what_score_wrote_is_taken_over(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The diet trains no probes then, and says where the scores are from."""
    scored, out = tmp_path / "scored", tmp_path / "out"
    words = ["score", str(data), "--text", "text", "--probes", "1", "--out", str(scored)]
    assert main(words) == 0
    words = ["diet", str(scored), "--text", "text", "--seeds", "1", "--max-auc-drop", "90"]
    words += ["--placebo-draws", "0", "--a", "0.5", "--b", "0.5", "--work", str(tmp_path / "work")]
    assert main([*words, "--out", str(out)]) == 0
    told = capsys.readouterr().out
    assert "Scores taken over from the training rows: gender_equity." in told
    assert not (tmp_path / "work" / "probes").exists()
    card = (out / "README.md").read_text()
    assert "Scores that the training rows had already, taken over as they are: `gender_eq" in card
    assert "--probes" not in card
    before = {row["text"]: row["gender_equity"] for row in load_dataset(str(scored))["train"]}
    for row in load_dataset(str(out), split="train").filter(lambda row: not row["counterfactual"]):
        assert row["gender_equity"] == before[row["text"]]
    assert main([*words, "--names", "--probes", "2", "--out", str(tmp_path / "other")]) == 2
    assert "--probes is for the probes that score, and no score is left" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.usefixtures("unpainted")
@pytest.mark.parametrize("head", ["linear", "mlp"])
def test_a_head_on_a_frozen_encoder(head: str, data: Path, tmp_path: Path) -> None:
    """The card names both, and states what the head is trained with."""
    tokenizer = bert_tokenizer(sorted({word for text in ROWS["text"] for word in text.split()}))
    encoder = str(tmp_path / "encoder")
    for part in (tokenizer, small_model("BertModel", len(tokenizer))):
        part.save_pretrained(encoder)
    words = ["diet", str(data), "--text", "text", "--seeds", "1", "--probes", "1", "--b", "0.5"]
    words += ["--model", encoder, "--head", head, "--max-auc-drop", "99", "--a", "0.5"]
    assert main([*words, "--out", str(tmp_path / "out")]) == 0
    card = (tmp_path / "out" / "README.md").read_text()
    assert f"a `{head}` head on the sentence vectors of `encoder` as the classifier" in card
    rate = {"linear": 0.01, "mlp": 0.001}[head]
    for each in (f"head {head}", "epochs 10", f"learning-rate {rate}", "batch-size 32"):
        assert f" --{each} " in card


@pytest.mark.slow
@pytest.mark.usefixtures("hub", "unpainted")
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


@pytest.mark.usefixtures("hub", "unpainted")
def test_a_diet_that_chose_nothing_publishes_nothing(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without rows there is no dataset to publish; the reason is told."""
    monkeypatch.chdir(tmp_path)
    arguments = ["diet", str(data), "--text", "text", *SHORT]
    arguments += ["-a", "1", "-b", "0", "--max-auc-drop", "-99", "--out", "hf://datasets/ada/diet"]
    assert main(arguments) == 2
    assert "No rows were chosen, and nothing is published. In none" in capsys.readouterr().err
