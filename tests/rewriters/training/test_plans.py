"""Files of settings that are wrong, for every training of a rewriter."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fair_datasets.rewriters.fairflow.rewriter import read_fairflow_plan
from fair_datasets.rewriters.mbcda.train import read_mbcda_plan
from fair_datasets.rewriters.perturber.train import read_plan
from fair_datasets.system.checks import InputError

READERS: dict[str, Callable[[Path], Any]] = {
    "perturber": read_plan, "mbcda": read_mbcda_plan, "fairflow": read_fairflow_plan,
}  # fmt: skip
TOP = 'out = "g"\n[rows]\nsource = "a"\n[parallel]\nattribute = "s"\n'
WRONG = {
    "perturber": {
        "out = ": "is not TOML",
        "[rows]\ntwo_people = 5": 'it does not say where the model goes; add out = "model"',
        'out = "p"\npreset = "tiny"': "preset must be one of 'paper', 'small', but it is 'tiny'",
        'out = "p"\nepoch = 3\n[rows]\ntwo_people = 5': "Did you mean 'epochs'?",
        'out = "p"\nrows = 3': "rows must be a table ([rows]), but it is 3",
        'out = "p"': "there are no rows; name a source",
        'out = "p"\n[rows]\nsorce = "a"': "[rows]: there is no setting 'sorce'. Did you mean",
        'out = "p"\n[rows]\nsource = 3': "source must be a path or a name",
        'out = "p"\n[rows]\ntwo_people = -1': "two_people must be at least 0",
        'out = "p"\n[rows]\nsource = "a"\naxis = "age"': "axis is for rows that the swap makes",
        'out = "p"\n[rows]\nsource = "a"\nreader = "b"': "reader is for rows that the swap makes",
    },
    "mbcda": {
        'out = "g"\nablatoin = "full"': "there is no setting 'ablatoin'. Did you mean",
        'out = "g"\n[parallel]\ndetecter = "a"': "[parallel]: there is no setting 'detecter'",
        'out = "g"\n[discriminator]\nwidht = 1': "[discriminator]: there is no setting 'widht'",
        'out = "g"\ndiscriminator = 3': "discriminator must be a table ([discriminator])",
        'out = "g"\n[parallel]\nattribute = "s"': "[rows]: there are no rows; name a source.",
        'out = "g"\n[rows]\nsource = "a"': "nothing says which attribute a text has",
    },
    "fairflow": {
        "": "'V2' takes its words from one place",
        '[dictionary]\nmodel = "bert"': "[dictionary]: pairs is missing; add pairs = ",
        '[dictionary]\npairs = ["she", "he"]': "[dictionary]: model is missing; add model = ",
        "[dictionary]\npears = 3": "[dictionary]: there is no setting 'pears'",
        '[dictionary]\npairs = ["she", "he"]\nmodel = "b"\n[corpus]\nsplit = "train"': (
            "[corpus]: it names the texts that [dictionary] reads; name a source"
        ),
    },
}


@pytest.mark.parametrize(
    ("method", "text", "sentence"),
    [(method, *case) for method, cases in WRONG.items() for case in cases.items()],
)
def test_a_wrong_file(tmp_path: Path, method: str, text: str, sentence: str) -> None:
    """One sentence each, which names the file or the table."""
    file = tmp_path / "settings.toml"
    file.write_text(f"{TOP}{text}\n" if method == "fairflow" else text)
    with pytest.raises(InputError) as raised:
        READERS[method](file)
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
