"""Several processes with models, after torch, tokenizers and spaCy have run in this one."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = """
import sys
from pathlib import Path

import pytest

def main(folder):
    import spacy
    import torch
    from datasets import Dataset
    from tests.contract.test_contract import BATCH, EXAMPLES, FEATURES, made

    technique = made("ModelRewrite", EXAMPLES["ModelRewrite"][1], folder)
    torch.set_num_threads(2)
    torch.randn(600, 600) @ torch.randn(600, 600)  # starts its threads
    spacy.blank("en")("He ran.")
    batch = {name: values * 2 for name, values in BATCH.items()}
    rows = Dataset.from_dict(batch, features=FEATURES)
    expected = technique(rows[:])  # loads the model, and uses the tokenizer
    features = technique.features(FEATURES)
    found = rows.map(technique, batched=True, batch_size=4, num_proc=2, features=features)
    assert {name: found[name][:] for name in expected if name != "score"} == {
        name: values for name, values in expected.items() if name != "score"
    }
    print("equal")

if __name__ == "__main__":
    main(Path(sys.argv[1]))
"""


@pytest.mark.slow
def test_no_process_waits_for_ever(tmp_path: Path) -> None:
    """A lock that a thread held while it was forked would never be opened."""
    (tmp_path / "script.py").write_text(SCRIPT)
    found = subprocess.run(
        [sys.executable, tmp_path / "script.py", tmp_path], capture_output=True, text=True,
        timeout=300, env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        check=False,
    )  # fmt: skip
    assert (found.returncode, found.stdout) == (0, "equal\n"), found.stderr
