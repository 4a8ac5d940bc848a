"""Tests of training the model that tells whose mention it is."""

import json
from pathlib import Path
from typing import Any

import pytest

from fair_datasets import PersonSwap
from fair_datasets.cli.main import main
from fair_datasets.reader.coreference import HEAD
from fair_datasets.rewriters.training import coreference
from fair_datasets.rewriters.training.coreference import GAP, gap_examples, other_gender_examples
from tests.small_models import bert_tokenizer, small_model

NAMES = ["Alice", "Karen", "Susan", "Laura", "Emily", "Julia"]
WORDS = [*NAMES, "Kevin", "George", "told", "that", "she", "he", "lost", "her", "his", "hat", "."]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A folder with a few questions and real texts."""
    lines = ["Text\tPronoun-offset\tA\tA-offset\tA-coref\tB\tB-offset\tB-coref\tURL"]
    for number in range(12):
        one, other = NAMES[number % 6], NAMES[(number + 1) % 6]
        text = f"{one} told {other} that she lost her hat ."
        row = [text, text.index("she"), one, 0, "TRUE", other, len(one) + 6, "FALSE"]
        lines.append("\t".join(map(str, [*row, f"page {number}"])))
    (tmp_path / "data" / GAP).parent.mkdir(parents=True)
    (tmp_path / "data" / GAP).write_text("\n".join(lines), "utf-8")
    tokenizer = bert_tokenizer(WORDS)
    tokenizer.save_pretrained(tmp_path / "base")
    small_model("BertModel", len(tokenizer)).save_pretrained(tmp_path / "base")
    return tmp_path / "data"


def test_a_question_is_asked_of_both_names(data: Path) -> None:
    """Of the one it is the pronoun, of the other it is not; with men it is the same."""
    for swapped, pronoun in ((False, "she"), (True, "he")):
        first, second, *_ = gap_examples(data, swapped=swapped)
        assert f"that {pronoun} lost" in first.scene.reading.tokens.text
        assert (first.answer, second.answer) == (True, False)
        assert len(first.scene.people) == len(second.scene.people) == 2
    apart, *_ = other_gender_examples(data)
    assert apart.answer
    assert "Karen" not in apart.scene.reading.tokens.text
    assert len(apart.scene.people) == 1


def test_a_model_is_trained_and_rewrites(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The folder has the model, its card and its figures; nothing else is written."""
    out = tmp_path / "who"
    arguments = ["--data", str(data), "--base", str(data.parent / "base"), "--epochs", "1"]
    assert main(["train", "person", *arguments, "--out", str(out)]) == 0
    assert "two of one gender" in capsys.readouterr().out
    report = json.loads((out / "report.json").read_text("utf-8"))
    assert (report["rows"], report["figures"][0]["decisions"]) == (12, 4)
    assert "PersonSwap" in (out / "README.md").read_text("utf-8")
    swap = PersonSwap(columns="text", model=out, mode="replace")
    batch = {"text": ["Alice left ."], "selected_word": ["Alice"], "target_attribute": ["man"]}
    assert swap(batch)["text"] != batch["text"]
    arguments[1] = str(data / "coreference")
    assert main(["train", "person", *arguments, "--out", str(tmp_path / "other")]) == 2
    assert "has no file coreference/gap_development.tsv" in capsys.readouterr().err


def test_a_training_goes_on(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """From the last state on, to the same model bit for bit; with other settings it is refused."""
    base = ["--data", str(data), "--base", str(data.parent / "base"), "--epochs", "3", "--out"]
    assert main(["train", "person", *base, str(tmp_path / "whole")]) == 0
    steps: list[int] = []
    loss_of = coreference.CoreferenceTrainer.compute_loss

    def killed(*given: Any, **more: Any) -> Any:
        steps.append(1)
        if len(steps) == 3:
            raise KeyboardInterrupt
        return loss_of(*given, **more)

    monkeypatch.setattr(coreference, "STEPS", 1)
    monkeypatch.setattr(coreference.CoreferenceTrainer, "compute_loss", killed)
    part = ["train", "person", *base, str(tmp_path / "part")]
    assert main(part) == 130
    assert "goes on from there" in capsys.readouterr().err
    assert main([*part, "--seed", "1"]) == 2
    assert "holds a person model trained with --seed 0, not 1" in capsys.readouterr().err
    assert main(part) == 0
    assert len(steps) == 4
    assert not (tmp_path / "part.work").exists()
    for name in ("model.safetensors", HEAD):
        whole, again = (tmp_path / out / name for out in ("whole", "part"))
        assert whole.read_bytes() == again.read_bytes()
