"""Algorithm 1 on the command line, by its name."""

from pathlib import Path
from typing import Any

from datasets import Dataset, load_dataset

from fair_datasets import PerturbationAugmentation
from fair_datasets.technique import reproduce


def test_the_command_perturbs(run: Any, tmp_path: Path) -> None:
    """Its rows are those of the library, and its card names the technique again."""
    rows = Dataset.from_dict({"text": ["He left.", "Rain.", "The old Asian man."], "n": [1, 2, 3]})
    rows.to_csv(tmp_path / "in.csv")
    out = tmp_path / "out"
    options = ["--technique", "PerturbationAugmentation", "--text", "text", "--provenance",
               "--seed", 3, "--set", "weights=inverse_axis_frequency",
               "--set", 'axis_snippets=[["gender", 9], ["age", 2]]']  # fmt: skip
    outcome = run("augment", tmp_path / "in.csv", *options, "--out", out)
    assert (outcome.code, outcome.err) == (0, "")
    assert "train: 3 rows in, 3 rows out, 2 rewritten" in outcome.out
    assert "perturbed True: 2\n" in outcome.out
    (technique,) = reproduce(out)
    assert technique == PerturbationAugmentation(
        columns="text", provenance=True, seed=3, weights="inverse_axis_frequency",
        axis_snippets=(("gender", 9), ("age", 2)),
    )  # fmt: skip
    written = load_dataset(str(out))["train"]
    assert list(written) == list(technique.apply(rows))
    card = (out / "README.md").read_text()
    assert "Perturbation Augmentation for Fairer NLP" in card
    assert r"| train | perturbed | False | 1 |" in card
