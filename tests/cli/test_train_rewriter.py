"""The trainings of `train` that read a file of settings."""

import json
from pathlib import Path
from typing import Any

import pytest
from datasets import Dataset

from fair_datasets.cli import train_rewriter
from fair_datasets.system.checks import InputError

TINY = (
    'out = "model"\npreset = "small"\nwidth = 16\nheads = 2\nlayers = 1\nvocabulary = 400\n'
    "epochs = 1\nmax_length = 64\nevaluation_rows = 4\n"
)


def plan(text: str) -> str:
    """Write a file of settings and return its name."""
    Path("perturber.toml").write_text(TINY + text, encoding="utf-8")
    return "perturber.toml"


def test_from_texts_to_a_model(run: Any, here: Path) -> None:
    """The swap makes the rows; sentences about two people are added; what gave none is counted."""
    names = ["waiter", "king", "uncle", "prince", "monk"]
    rows = [{"review": f"The {name} ate his cake {k}."} for name in names for k in range(8)]
    Dataset.from_list([*rows, {"review": "It rained."}]).to_csv("reviews.csv")
    done = run(
        "train", "perturber", "--config",
        plan('[rows]\nsource = "reviews.csv"\ntext = "review"\ntargets = "woman"\ntwo_people = 20'),
    ).done()  # fmt: skip
    assert "42  train" in done.out
    assert "1  left out: nobody is mentioned" in done.out
    settings = json.loads(Path("model/config.json").read_text())
    assert settings["d_model"] == 16


def test_names_are_those_that_a_reader_tells(run: Any, here: Path, nameless: str) -> None:
    """In the rows, and in the swap beside which the model is measured."""
    rows = [{"text": f"{name} ate {k} cakes."} for name in ("She", "Mary") for k in range(40)]
    Dataset.from_list(rows).to_csv("a.csv")
    given = f'[rows]\nsource = "a.csv"\ntext = "text"\ntargets = "man"\nreader = "{nameless}"'
    done = run("train", "perturber", "--config", plan(given)).done()
    assert "40  left out: nobody is mentioned" in done.out


LABELLED = '[parallel]\nattribute = "who"\nattributes = ["man", "woman"]\n'
FOUND = '[dictionary]\npairs = ["she", "he"]\nattributes = ["woman", "man"]\nmodel = "none"\n'
CORPUS = '[corpus]\nsource = "rows.csv"\n'


@pytest.mark.parametrize(("kind", "settings", "text"), [
    ("perturber", "", "perturbed"), ("mbcda", LABELLED, "text"),
    ("fairflow", LABELLED + FOUND + CORPUS, "text"),
])  # fmt: skip
def test_rows_are_read_as_other_commands_read_them(
    run: Any, here: Path, monkeypatch: pytest.MonkeyPatch, kind: str, settings: str, text: str
) -> None:
    """With their delimiter and encoding, which the card tells."""
    names = ("original", "selected_word", "target_attribute", "perturbed", "text", "who")
    cells = ["He left the café.", "He", "woman", "She left the café.", "Rosé", "man"]
    lines = ["^".join(line) for line in (names, cells)]
    Path("rows.csv").write_text("\n".join(lines), encoding="cp1252")
    read: dict[str, Any] = {}

    def train(config: Any, rows: Any, **given: Any) -> None:
        read.update(given, rows=rows)
        raise InputError("No more is tried.")

    monkeypatch.setattr(train_rewriter, f"train_{kind}", train)
    Path("a.toml").write_text(f'out = "model"\n[rows]\nsource = "rows.csv"\n{settings}')
    words = ["--config", "a.toml", "--delimiter", "^", "--encoding", "cp1252"]
    assert "No more is tried" in run("train", kind, *words).refused()
    assert read["rows"][text] == [dict(zip(names, cells, strict=True))[text]]
    assert read["command"] == (
        f"fair-datasets train {kind} --delimiter '^' --encoding cp1252 --config a.toml"
    )
    if kind == "fairflow":
        assert read["corpus"]["text"] == ["Rosé"]
