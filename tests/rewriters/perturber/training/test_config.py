"""Settings, and the file that they are read from."""

from pathlib import Path
from typing import Any

import pytest

from fair_datasets import InputError
from fair_datasets.rewriters.perturber.training.config import PerturberConfig
from fair_datasets.rewriters.perturber.training.train import RowsConfig, read_plan


def test_the_defaults_are_those_of_the_paper() -> None:
    """Qian et al. (2022), and the script of the released model."""
    config = PerturberConfig(out="p")
    assert (config.model, config.control) == ("facebook/bart-large", "perturber")
    assert (config.epochs, config.batch_size, config.rows_at_once) == (10, 64, 8)
    assert (config.learning_rate, config.warmup_steps) == (1e-5, 1200)
    assert (config.gradient_clip, config.max_length) == (0.1, 512)
    assert (config.evaluations, config.patience) == (4, 10)
    assert config.sizes == {"train": 0.7, "validation": 0.2, "test": 0.1}


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"out": ""}, "out must be a path or a name"),
        ({"epochs": 0}, "epochs must be at least 1, but it is 0"),
        ({"epochs": 1.5}, "epochs must be a whole number"),
        ({"seed": -1}, "seed must be at least 0"),
        ({"learning_rate": 0}, "learning_rate must be a number above 0"),
        ({"gradient_clip": float("inf")}, "gradient_clip must be a number above 0"),
        ({"dropout": 1}, "dropout must be below 1"),
        ({"shares": (0.5, 0.5)}, "shares must be three numbers above 0 that sum to 1"),
        ({"shares": (0.5, 0.5, 0.5)}, "shares must be three numbers above 0 that sum to 1"),
        ({"shares": (1.0, 0.0, 0.0)}, "shares must be three numbers above 0 that sum to 1"),
        ({"batch_size": 10}, "batch_size must be a multiple of rows_at_once"),
        ({"model": None, "width": 30, "heads": 4}, "width must be a multiple of heads"),
        ({"encoder": "a/b"}, "encoder is where a new model starts"),
        ({"model": None, "revision": "main"}, "revision is for a model of the Hub"),
        ({"faulty": "keep"}, "faulty must be one of 'raise', 'drop'"),
        ({"control": "panda"}, "control must be one of"),
        ({"attributes": [""]}, "attributes must be a string or a list of strings"),
    ],
)
def test_wrong_settings(change: dict[str, Any], sentence: str) -> None:
    """One sentence each."""
    with pytest.raises(InputError) as raised:
        PerturberConfig(**{"out": "p"} | change)
    assert sentence in str(raised.value)


def test_a_small_model_is_trained_on_a_laptop() -> None:
    """New, of two layers; the other settings are those that it learns by."""
    small = PerturberConfig.small(out="p")
    assert (small.model, small.layers, small.width, small.vocabulary) == (None, 2, 128, 4000)
    assert (small.epochs, small.batch_size, small.rows_at_once) == (30, 32, 32)
    assert (small.learning_rate, small.warmup_steps, small.dropout) == (1e-3, 100, 0.0)
    assert (small.gradient_clip, small.max_length) == (1.0, 128)
    assert (small.evaluations, small.evaluation_rows, small.patience) == (1, 200, 5)


def test_small_settings_can_be_changed() -> None:
    """A name that is none is told."""
    assert PerturberConfig.small(out="p", width=64).width == 64
    with pytest.raises(InputError, match="no setting 'widht'"):
        PerturberConfig.small(out="p", widht=64)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The path of a file of settings."""
    return tmp_path / "perturber.toml"


def test_a_file_has_all_settings(file: Path) -> None:
    """Those of the training at its top, those of the rows in a table."""
    file.write_text(
        'out = "p"\npreset = "small"\nwidth = 64\nshares = [0.8, 0.1, 0.1]\n'
        '[rows]\nsource = "a.csv"\ntext = "review"\naxis = "age"\njoined = 0.25\ntwo_people = 5\n'
    )
    config, rows = read_plan(file)
    assert config == PerturberConfig.small(out="p", width=64, shares=(0.8, 0.1, 0.1))
    assert rows == RowsConfig(source="a.csv", text="review", axis="age", joined=0.25, two_people=5)
    file.write_text('out = "p"\nencoder = "ada/bert"\n[rows]\nsource = "ada/panda"\n')
    assert read_plan(file).config == PerturberConfig(out="p", model=None, encoder="ada/bert")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("out = ", "is not TOML"),
        ("[rows]\ntwo_people = 5", 'it does not say where the model goes; add out = "model"'),
        ('out = "p"\npreset = "tiny"', "preset must be one of 'paper', 'small', but it is 'tiny'"),
        ('out = "p"\nepoch = 3\n[rows]\ntwo_people = 5', "Did you mean 'epochs'?"),
        ('out = "p"\nrows = 3', "rows must be a table ([rows]), but it is 3"),
        ('out = "p"', "there are no rows; name a source"),
        ('out = "p"\n[rows]\nsorce = "a"', "[rows]: there is no setting 'sorce'. Did you mean"),
        ('out = "p"\n[rows]\nsource = 3', "source must be a path or a name"),
        ('out = "p"\n[rows]\ntwo_people = -1', "two_people must be at least 0"),
        ('out = "p"\n[rows]\nsource = "a"\naxis = "age"', "axis is for rows that the swap makes"),
        ('out = "p"\n[rows]\nsource = "a"\nreader = "b"', "reader is for rows that the swap makes"),
    ],
)
def test_a_wrong_file(file: Path, text: str, sentence: str) -> None:
    """One sentence each, which names the file or the table."""
    file.write_text(text)
    with pytest.raises(InputError) as raised:
        read_plan(file)
    assert sentence in str(raised.value)


def test_no_file(tmp_path: Path) -> None:
    """A folder and nothing are told apart."""
    with pytest.raises(InputError, match="is a folder, not a file"):
        read_plan(tmp_path)
    with pytest.raises(InputError, match="cannot be read"):
        read_plan(tmp_path / "none.toml")
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="cannot be read"):
        read_plan(tmp_path / "binary.toml")
