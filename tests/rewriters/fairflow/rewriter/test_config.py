"""Settings, and the file that they are read from."""

from pathlib import Path
from typing import Any

import pytest

from fair_datasets import InputError
from fair_datasets.rewriters import ParallelConfig
from fair_datasets.rewriters.fairflow import VARIANTS, FairFlowConfig, FairFlowRewriterConfig
from fair_datasets.rewriters.fairflow.rewriter.train import read_fairflow_plan
from fair_datasets.rewriters.training.settings_file import RowsSource

PARALLEL = ParallelConfig(attribute="gender")
WORDS = FairFlowConfig(work="w", columns="text", pairs=("she", "he"), model="bert-base-uncased")


def test_the_defaults_are_those_of_the_paper() -> None:
    """Tokpo and Calders (2024), and their code where they say nothing."""
    config = FairFlowRewriterConfig(out="g", parallel=PARALLEL, dictionary=WORDS)
    assert (config.model, config.epochs, config.learning_rate) == ("facebook/bart-base", 10, 5e-5)
    assert (config.variant, config.steps) == ("V2", "repair")
    assert {name: tuple(each) for name, each in VARIANTS.items()} == {
        "V1": ("repair", False), "V2": ("repair", True), "Hall-M": ("swap", False),
    }  # fmt: skip
    assert list(config.models())[-1] == "bert-base-uncased"


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"variant": "V3"}, "variant must be one of 'V1', 'V2'"),
        ({"variant": "V1"}, "but 'V1' takes those of parallel.axis; leave it out, or choose"),
        ({"dictionary": None}, "'V2' takes its words from one place; give dictionary"),
        ({"dictionary": "mine.tsv"}, "dictionary must be a FairFlowConfig, but it is 'mine.tsv'"),
        (
            {"parallel": ParallelConfig(attribute="gender", axis="mine.tsv")},
            "or parallel.axis, a .tsv file that lists them, but not both",
        ),
        ({"epochs": 0}, "epochs must be at least 1"),
        ({"label": ""}, "label must be"),
        ({"parallel": None}, "parallel must be a ParallelConfig"),
    ],
)
def test_wrong_settings(change: dict[str, Any], sentence: str) -> None:
    """One sentence each."""
    given = {"out": "g", "parallel": PARALLEL, "dictionary": WORDS}
    with pytest.raises(InputError) as raised:
        FairFlowRewriterConfig(**given | change)
    assert sentence in str(raised.value)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The path of a file of settings."""
    return tmp_path / "fairflow.toml"


def test_a_file_has_all_settings(file: Path) -> None:
    """How words are found, and in which texts, in tables of their own."""
    top = 'out = "g"\nepochs = 4\n[rows]\nsource = "a.csv"\n[parallel]\nattribute = "sex"\n'
    words = '[dictionary]\npairs = ["she", "he"]\nmodel = "bert"\nrounds = 2\n'
    file.write_text(f'{top}text = "bio"\n{words}')
    config, rows, corpus = read_fairflow_plan(file)
    assert config == FairFlowRewriterConfig(
        out="g", epochs=4, parallel=ParallelConfig(text="bio", attribute="sex"),
        dictionary=FairFlowConfig(
            work="g.work/dictionary", columns="bio", pairs=("she", "he"), model="bert", rounds=2
        ),
    )  # fmt: skip
    assert (rows, corpus) == (RowsSource(source="a.csv"), None)
    file.write_text(f'{top}{words}columns = ["body"]\nwork = "w"\n[corpus]\nsource = "b.txt"\n')
    config, _, corpus = read_fairflow_plan(file)
    assert corpus == RowsSource(source="b.txt")
    assert config.dictionary is not None
    assert (config.dictionary.columns, config.dictionary.work) == (("body",), "w")
    file.write_text('variant = "V1"\n' + top)
    assert read_fairflow_plan(file).config.dictionary is None


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "'V2' takes its words from one place"),
        ('[dictionary]\nmodel = "bert"', "[dictionary]: pairs is missing; add pairs = "),
        ('[dictionary]\npairs = ["she", "he"]', "[dictionary]: model is missing; add model = "),
        ("[dictionary]\npears = 3", "[dictionary]: there is no setting 'pears'"),
        (
            '[dictionary]\npairs = ["she", "he"]\nmodel = "b"\n[corpus]\nsplit = "train"',
            "[corpus]: it says whose texts [dictionary] reads; name a source",
        ),
    ],
)
def test_a_wrong_file(file: Path, text: str, sentence: str) -> None:
    """One sentence each, which names the file or the table."""
    file.write_text(f'out = "g"\n[rows]\nsource = "a"\n[parallel]\nattribute = "s"\n{text}\n')
    with pytest.raises(InputError) as raised:
        read_fairflow_plan(file)
    assert sentence in str(raised.value)
