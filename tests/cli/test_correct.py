"""The command `correct`."""

import json
from pathlib import Path
from typing import Any

import pytest
from datasets import Dataset, DatasetDict, load_dataset
from huggingface_hub import DatasetCard

from fair_datasets import SwapAbove
from fair_datasets.models import load_word_vectors
from fair_datasets.technique import reproduce

_VECTORS = {
    "he": [1.0, 0.0], "she": [-1.0, 0.0], "man": [1.0, 0.1], "woman": [-1.0, 0.1],
    "pink": [-1.0, 0.0], "wore": [0.0, 1.0], "it": [0.0, 1.0], "rained": [0.0, 1.0],
}  # fmt: skip
_LINES = ["premise\thypothesis\tlabel", "She wore pink\tIt rained\tneutral",
          "He wore it\tIt rained\tneutral", "It rained\tIt rained\t-",
          *[f"It rained {day}\tIt rained\tneutral" for day in range(7)]]  # fmt: skip


@pytest.fixture
def pairs(tmp_path: Path) -> list[str]:
    """Return a file of ten pairs, one of which scores, and how it is corrected."""
    (tmp_path / "pairs.tsv").write_text("\n".join(_LINES))
    load_word_vectors(_VECTORS).save(tmp_path / "vectors.npz")
    return ["correct", str(tmp_path / "pairs.tsv"), "--text", "premise", "--text", "hypothesis",
            "--vectors", str(tmp_path / "vectors.npz")]  # fmt: skip


def test_the_corpus_its_card_and_the_counts(run: Any, pairs: list[str], tmp_path: Path) -> None:
    """The folder loads, and the card states the counts, and rebuilds what was applied."""
    out = tmp_path / "aug"
    done = run(*pairs, "--correction", "Aug90", "--label", "label", "--out", out).quiet()
    assert "Aug90. 1 of 9 rows is above" in done.out
    assert "Rows now: 10 train." in done.out
    rows = load_dataset(str(out), split="train")
    assert rows["premise"][:3] == ["She wore pink", "He wore pink", "He wore it"]
    assert rows.column_names == ["premise", "hypothesis", "label", "family_id"]
    assert rows["family_id"][0] == rows["family_id"][1] != rows["family_id"][2]
    card = (out / "README.md").read_text()
    assert "| train | 10 | 1 | 0 | 1 | 1 | 0 | 0 | 10 |" in card
    assert "The highest score was 0.333333; it is now 0.333333." in card
    assert "fair-datasets correct pairs.tsv --text premise --text hypothesis " in card
    assert " --correction Aug90 --label label" in card
    assert "    correction='Aug90',\n    label='label',\n    vectors='vectors.npz'," in card
    assert str(tmp_path) not in card
    steps = reproduce(card, allow={"vectors.npz": str(tmp_path / "vectors.npz")})
    assert [type(step).__name__ for step in steps] == ["KeepLabelled", "BiasScore", "SwapAbove"]
    again = load_dataset("csv", data_files=str(tmp_path / "pairs.tsv"), sep="\t", split="train")
    for step in steps:
        again = step.apply(again)
    assert again.select_columns(rows.column_names).to_dict() == rows.to_dict()
    assert isinstance(steps[-1], SwapAbove)


def test_rows_are_left_out_and_divided(run: Any, pairs: list[str], tmp_path: Path) -> None:
    """Into one file where there is one split; into three splits where that is asked for."""
    file = tmp_path / "sub.jsonl"
    assert run(*pairs, "--correction", "Sub90", "--out", file).code == 0
    assert len(file.read_text().splitlines()) == 9
    out = tmp_path / "divided"
    sizes = ["--size", "validation=1", "--size", "test=.2", "--no-group-split", "--seed", "3"]
    assert run(*pairs, "--correction", "Sub90", *sizes, "--out", out).code == 0
    assert {name: len(rows) for name, rows in load_dataset(str(out)).items()} == {
        "train": 7, "validation": 1, "test": 1,
    }  # fmt: skip
    card = (out / "README.md").read_text()
    assert "(1 row for validation, 20% of them for test, the rest to train on): row by row" in card
    assert "--size validation=1 --size test=0.2" in card
    assert "--no-group-split" in card
    assert "--seed 3 --out divided" in card


def test_a_dry_run_tells_the_same_and_writes_nothing(
    run: Any, pairs: list[str], tmp_path: Path
) -> None:
    """As JSON nothing else stands on the standard output."""
    before = sorted(tmp_path.iterdir())
    done = run(*pairs, "--correction", "Rep90", "--json", "--dry-run")
    assert sorted(tmp_path.iterdir()) == before
    told = json.loads(done.out)
    assert (told["correction"], told["rows"]) == ("Rep90", {"train": 10})
    assert told["total"]["rewritten"] == told["total"]["above"] == 1
    assert "Nothing was written: this was a dry run." in done.err
    assert "1 row has -, -1 or nothing in the column 'label'" in done.err
    out = tmp_path / "out"
    written = run(*pairs, "--correction", "Rep90", "--json", "--out", out)
    assert json.loads(written.out) == told


def test_a_list_of_ones_own_is_published_with_the_rows(
    run: Any, pairs: list[str], tmp_path: Path
) -> None:
    """The card names the copy that lies beside the rows, and provenance says what was changed."""
    (tmp_path / "own.tsv").write_text("man\twoman\nhe\tshe\nking\tqueen\n")
    out = tmp_path / "out"
    words = ["--correction", "Aug90", "--swap-axis", tmp_path / "own.tsv", "--provenance"]
    assert run(*pairs, *words, "--out", out).code == 0
    [lexicon] = out.glob("lexicons/*/own.tsv")
    assert lexicon.read_text() == (tmp_path / "own.tsv").read_text()
    rows = load_dataset(str(out), split="train")
    assert rows["counterfactual"][:3] == [False, True, False]
    assert lexicon.relative_to(out).as_posix() in (out / "README.md").read_text()


def test_scores_that_are_there(run: Any, tmp_path: Path) -> None:
    """A scored dataset of several splits needs no vectors; the threshold is one for all."""
    part = Dataset.from_dict({"text": ["He ran.", "It rained."], "bias_score": [0.2, 0.1]})
    other = Dataset.from_dict({"text": ["She ran.", "It rained."], "bias_score": [0.9, 0.1]})
    DatasetDict(train=part, test=other).save_to_disk(str(tmp_path / "in"))
    out = tmp_path / "out"
    words = ["correct", tmp_path / "in", "--text", "text", "--correction", "Sub70"]
    assert run(*words, "--out", out).code == 0
    made = load_dataset(str(out))
    assert {name: rows["text"][:] for name, rows in made.items()} == {
        "train": ["He ran.", "It rained."], "test": ["It rained."],
    }  # fmt: skip
    assert "| all | 4 | 0 | 0 | 1 | 0 | 0 | 1 | 3 |" in (out / "README.md").read_text()


def test_a_reader_is_named_in_the_card_without_its_folder(
    run: Any, pairs: list[str], tmp_path: Path, nameless: str
) -> None:
    """And the technique of the card is rebuilt with the weights that lie beside it."""
    out = tmp_path / "out"
    words = [*pairs, "--correction", "Aug90", "--reader", nameless, "--out", out]
    assert run(*words).code == 0
    card = (out / "README.md").read_text()
    assert "--reader nameless.safetensors" in card
    assert str(tmp_path) not in card
    [weights] = out.glob("weights/*/nameless.safetensors")
    steps = reproduce(card, folder=out, allow={"vectors.npz": str(tmp_path / "vectors.npz")})
    assert [step.reader for step in steps] == [str(weights)] * 2


def test_scores_that_a_file_writes_as_text(run: Any, here: Path) -> None:
    """0.90 stays as it was written, and is a number all the same; what is none is told."""
    (here / "in.csv").write_text(
        "text,score\nHe ran.,0.90\nIt rained.,0.1\nShe ran.,\nIt ran.,.20\n"
    )
    words = (
        "correct", "in.csv", "--text", "text", "--score-column", "score", "--correction", "Sub70",
    )  # fmt: skip
    assert run(*words, "--out", "out.csv").code == 0
    assert (here / "out.csv").read_text().splitlines()[1:] == [
        "It rained.,0.1", "She ran.,", "It ran.,.20",
    ]  # fmt: skip


def test_the_card_names_files_of_a_folder_as_they_were_given(run: Any, here: Path) -> None:
    """Its command and its snippet run again in the same working folder."""
    (here / "snli").mkdir()
    for split in ("train", "test"):
        (here / "snli" / f"{split}.tsv").write_text(
            f"text\tbias_score\n{split} rained\t0.1\nhe wore {split}\t0.2\n"
        )
    places = ["snli/train.tsv", "snli/test.tsv"]
    words = ["--text", "text", "--correction", "Sub50", "--out"]
    assert run("correct", *places, *words, "made/sub").code == 0
    card = (here / "made" / "sub" / "README.md").read_text()
    assert "Made from `snli/train.tsv, snli/test.tsv` by" in card
    assert "fair-datasets correct snli/train.tsv snli/test.tsv --text text" in card
    assert "--out made/sub" in card
    [snippet] = [
        part.split("```")[0] for part in card.split("```python")[1:] if "load_input" in part
    ]
    names: dict[str, Any] = {}
    exec(snippet, names)
    assert names["dataset"].num_rows == {"train": 2}
    assert run("correct", *(here / place for place in places), *words, here / "other").code == 0
    assert str(here) not in (here / "other" / "README.md").read_text()


def test_nothing_to_correct_is_told(run: Any, tmp_path: Path) -> None:
    """Also how few words have a vector, where that is so; in the card, too."""
    load_word_vectors(_VECTORS).save(tmp_path / "vectors.npz")
    (tmp_path / "in.tsv").write_text("text\nDas Haus brennt\nit rained\nEs regnet\n")
    words = ["correct", tmp_path / "in.tsv", "--text", "text", "--correction", "Sub95"]
    out = tmp_path / "out"
    done = run(*words, "--vectors", tmp_path / "vectors.npz", "--out", out).done()
    assert "No row is above 0: there was nothing to correct." in done.err
    assert "(offset) is" in done.out
    assert "Only 29% of the words have a vector or are listed" in done.err
    assert "> **Warning.** No row is above 0" in (out / "README.md").read_text()


def test_a_corpus_is_published(run: Any, hub: Any, pairs: list[str]) -> None:
    """An address of the Hub takes the place of a folder; another configuration stays."""
    for name in ("Sub90", "Aug90"):
        run(
            *pairs, "--correction", name, "--config-name", name,
            "--out", "hf://datasets/ada/pairs",
        ).done()  # fmt: skip
    for name, count in (("Sub90", 9), ("Aug90", 11)):
        assert len(load_dataset("ada/pairs", name, split="train")) == count
    card = DatasetCard.load("ada/pairs").content
    assert "the rows above are left out" in card
    assert "the rows above get a swapped copy" in card
