"""Settings, and the file that they are read from."""

from pathlib import Path
from typing import Any

import pytest

from fair_datasets import InputError
from fair_datasets.rewriters.mbcda.config import ABLATIONS, DiscriminatorConfig, MbcdaConfig
from fair_datasets.rewriters.mbcda.train import read_mbcda_plan
from fair_datasets.rewriters.training.parallel import ParallelConfig
from fair_datasets.rewriters.training.settings_file import RowsSource

PARALLEL = ParallelConfig(attribute="gender")


def test_the_defaults_are_those_of_the_paper() -> None:
    """Tokpo and Calders (2023), and their code where they say nothing."""
    config = MbcdaConfig(out="g", parallel=PARALLEL)
    assert (config.model, config.epochs, config.batch_size) == ("facebook/bart-base", 2, 48)
    assert (config.learning_rate, config.warmup_steps, config.gradient_clip) == (2e-5, 0, 1.0)
    assert (config.max_length, config.ablation) == (200, "full")
    assert (PARALLEL.threshold, PARALLEL.trigger, PARALLEL.beams) == (0.0, "any", 1)
    assert (PARALLEL.detector, PARALLEL.infiller) == (
        "google/electra-base-discriminator", "facebook/bart-base",
    )  # fmt: skip
    shape = config.discriminator
    assert (shape.epochs, shape.weight, shape.dropout) == (4, 1.0, 0.2)
    assert (shape.head, shape.pooling) == ("linear", "mean")
    assert list(ABLATIONS) == [
        "full", "no-discriminator", "unfiltered", "unfiltered-no-discriminator", "swap",
        "swap-no-discriminator",
    ]  # fmt: skip


def test_the_discriminator_is_trained_by_settings_of_its_own() -> None:
    """Without a warm-up, and else as the generator is."""
    own = DiscriminatorConfig(epochs=3, learning_rate=0.5)
    config = MbcdaConfig(
        out="g", parallel=PARALLEL, discriminator=own, warmup_steps=9, batch_size=16, epochs=5
    )
    found = config.of_discriminator()
    assert (found.epochs, found.learning_rate, found.warmup_steps) == (3, 0.5, 0)
    assert found.batch_size == 16


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"ablation": "5"}, "ablation must be one of 'full', 'no-discriminator'"),
        ({"denoising": -1}, "denoising must be at least 0, but it is -1"),
        (
            {"judge_classes": ["F", "M"]},
            "judge_classes are the classes of judge, but judge is None",
        ),
        ({"judge": ""}, "judge must be a path or a name"),
        ({"epochs": 0}, "epochs must be at least 1"),
        ({"parallel": {"attribute": "gender"}}, "parallel must be a ParallelConfig"),
        ({"discriminator": None}, "discriminator must be a DiscriminatorConfig"),
    ],
)
def test_wrong_settings(change: dict[str, Any], sentence: str) -> None:
    """One sentence each."""
    with pytest.raises(InputError) as raised:
        MbcdaConfig(**{"out": "g", "parallel": PARALLEL} | change)
    assert sentence in str(raised.value)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"attribute": None}, "nothing says which attribute a text has; name its column"),
        ({"attributes": ["man"]}, "attributes must name two"),
        ({"attributes": ["man", "man"]}, "attributes must name two"),
        ({"neutral": "keep"}, "neutral must be one of 'drop', 'copy'"),
        ({"detector": ""}, "detector must be a path or a name"),
    ],
)
def test_wrong_settings_of_the_pairs(change: dict[str, Any], sentence: str) -> None:
    """One sentence each."""
    with pytest.raises(InputError) as raised:
        ParallelConfig(**{"attribute": "gender"} | change)
    assert sentence in str(raised.value)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"epochs": 0}, "[discriminator]: epochs must be at least 1"),
        ({"weight": 0}, "[discriminator]: weight must be a number above 0"),
        ({"head": "mlp"}, "[discriminator]: head must be one of"),
        ({"widths": [3.5]}, "[discriminator]: each of widths must be a whole number"),
    ],
)
def test_wrong_settings_of_the_discriminator(change: dict[str, Any], sentence: str) -> None:
    """One sentence each."""
    with pytest.raises(InputError) as raised:
        DiscriminatorConfig(**change)
    assert sentence in str(raised.value)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The path of a file of settings."""
    return tmp_path / "mbcda.toml"


def test_a_file_has_all_settings(file: Path) -> None:
    """Those of the training at its top, the others in tables; a preset is what these change."""
    file.write_text(
        'out = "g"\nablation = "unfiltered"\ndenoising = 3\n'
        '[rows]\nsource = "a.csv"\nsplit = "train"\n'
        '[parallel]\ntext = "bio"\nattribute = "sex"\nattributes = ["F", "M"]\naxis = "gender"\n'
        '[discriminator]\nwidths = [64, 32]\nhead = "bart"\n'
    )
    config, rows = read_mbcda_plan(file)
    assert config == MbcdaConfig(
        out="g", ablation="unfiltered", denoising=3,
        parallel=ParallelConfig(text="bio", attribute="sex", attributes=("F", "M")),
        discriminator=DiscriminatorConfig(widths=(64, 32), head="bart"),
    )  # fmt: skip
    assert rows == RowsSource(source="a.csv", split="train")
    file.write_text(
        'out = "g"\npreset = "small"\n[rows]\nsource = "a"\n[parallel]\nattribute = "sex"\n'
        '[discriminator]\nhead = "bart"\n'
    )
    small = read_mbcda_plan(file).config
    usual = MbcdaConfig.small(out="g", parallel=PARALLEL)
    assert small.discriminator.head == "bart"
    assert small.discriminator.learning_rate == usual.discriminator.learning_rate == 1e-4
    assert (small.model, small.denoising) == (None, usual.denoising)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('[rows]\nsource = "a"\n[parallel]\nattribute = "s"', 'add out = "model"'),
        ('out = "g"\nablatoin = "full"', "there is no setting 'ablatoin'. Did you mean"),
        ('out = "g"\n[parallel]\ndetecter = "a"', "[parallel]: there is no setting 'detecter'"),
        ('out = "g"\n[discriminator]\nwidht = 1', "[discriminator]: there is no setting 'widht'"),
        ('out = "g"\ndiscriminator = 3', "discriminator must be a table ([discriminator])"),
        ('out = "g"\n[parallel]\nattribute = "s"', "[rows]: there are no rows; name a source."),
        ('out = "g"\n[rows]\nsource = "a"', "nothing says which attribute a text has"),
        ('out = "g"\n[rows]\ntwo_people = 3', "[rows]: there is no setting 'two_people'"),
    ],
)
def test_a_wrong_file(file: Path, text: str, sentence: str) -> None:
    """One sentence each, which names the file or the table."""
    file.write_text(text)
    with pytest.raises(InputError) as raised:
        read_mbcda_plan(file)
    assert sentence in str(raised.value)
