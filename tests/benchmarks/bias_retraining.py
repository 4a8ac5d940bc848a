"""Encoders trained on corrected corpora: what is done to their associations, and to their use.

    python tests/benchmarks/bias_retraining.py --out retraining [--seeds 3] [--preset small]

The corpus is the SNLI subset of the shared data: its training and validation rows are scored and
corrected under the eight published names, and a BiLSTM with max-pooling is trained on each; beside
them the corpus as it is, the same with hard-debiased vectors, and an encoder that was never
trained. Accuracy is that on the 400 test pairs as they are. A rerun goes on from what `--out` has.
"""

import argparse
import csv
from pathlib import Path
from typing import Any

import numpy as np
from datasets import Dataset, DatasetDict, disable_progress_bars

from fair_datasets import BiasScore, SentenceEncoderConfig, correct, train_sentence_encoder
from fair_datasets.encoder_evaluation import (
    SENTENCE_TESTS,
    EncoderTask,
    evaluate_encoders,
    evaluation_report,
)
from fair_datasets.report import encoder_plot, save_picture
from fair_datasets.scores.bilstm.network import BiLSTMEncoder
from fair_datasets.scores.bilstm.pairs import pair_accuracy
from fair_datasets.vectors import hard_debias, load_word_vectors

DEFAULT_DATA = Path(__file__).parents[3] / "shared" / "data"
TWITTER = "vectors/glove_twitter_25d_12k.txt.gz"
CORRECTIONS = tuple(f"{kind}{cut}" for kind in ("Sub", "Aug") for cut in (97, 95, 93, 90))
PAIR = ("premise", "hypothesis")


def rows_of(path: Path, columns: dict[str, str]) -> Dataset:
    """Read a tab-separated file: the name of each column to the name it gets."""
    with path.open(encoding="utf-8") as file:
        found = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    return Dataset.from_dict({new: [row[old] for row in found] for old, new in columns.items()})


def snli(data: Path) -> DatasetDict:
    """Read the SNLI subset."""
    names = {"sentence1": "premise", "sentence2": "hypothesis", "gold_label": "label"}
    files = {"train": "train", "validation": "dev", "test": "test"}
    return DatasetDict(
        {
            split: rows_of(data / "sentence_pairs" / f"snli_subset_{file}.tsv", names)
            for split, file in files.items()
        }
    )


def stsb(data: Path) -> EncoderTask:
    """Read STS-B English."""
    splits = {}
    for split, name in {"train": "train", "validation": "dev", "test": "test"}.items():
        with (data / "sentence_pairs" / f"stsb_en_{name}.csv").open(encoding="utf-8") as file:
            first, second, score = zip(*csv.reader(file), strict=True)
        values = {"first": first, "second": second, "score": [float(each) for each in score]}
        splits[split] = Dataset.from_dict(values)
    return EncoderTask(
        name="STS-B", kind="similarity", columns=("first", "second"), label="score", splits=splits
    )


def sentiment(data: Path, words: int = 60) -> EncoderTask:
    """Read reviews with their sentiment: the first words of each, as they are long."""
    import gzip

    splits = {}
    for split, name in {"train": "train", "validation": "dev", "test": "test"}.items():
        path = data / "classification" / f"imdb_counterfactual_{name}.tsv.gz"
        with gzip.open(path, "rt", encoding="utf-8") as file:
            rows = list(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE))[1:]
        texts = [" ".join(row[1].split()[:words]) for row in rows]
        splits[split] = Dataset.from_dict({"text": texts, "label": [row[0] for row in rows]})
    return EncoderTask(
        name=f"reviews, {words} words", kind="text", columns="text", label="label", splits=splits
    )


def corpora(data: Path, vectors: str) -> dict[str, tuple[DatasetDict, str]]:
    """Return the corpora by name, each with the vectors that an encoder is trained with."""
    rows = snli(data)
    score = BiasScore(columns=PAIR, vectors=vectors)
    scored = DatasetDict({split: score.apply(rows[split]) for split in ("train", "validation")})
    added = [name for name in scored["train"].column_names if name.startswith("bias_score")]
    found = {"original": (rows, vectors)}
    for name in CORRECTIONS:
        corrected = correct(scored, columns=PAIR, correction=name, label="label")
        assert isinstance(corrected.dataset, DatasetDict)
        total = corrected.total
        print(
            f"{name}: above {corrected.threshold:.4f} {total.above}, dropped {total.dropped}, "
            f"copied {total.rewritten}, rows {total.rows_after}"
        )
        found[name] = (corrected.dataset.remove_columns(added), vectors)
    return found


def train(
    name: str, rows: DatasetDict, vectors: str, seed: int, test: Dataset, arguments: Any
) -> tuple[str, float, float]:
    """Train an encoder on a corpus; return its folder, its accuracy, and that of one class."""
    config = SentenceEncoderConfig.preset(
        arguments.preset, out=arguments.out / f"{name}-{seed}", vectors=vectors, seed=seed
    )
    folder = train_sentence_encoder(config, rows["train"], rows["validation"])
    found = pair_accuracy(BiLSTMEncoder.from_pretrained(folder), config, test)
    return folder, found.accuracy, found.majority


def untrained(trained: str, seed: int, out: Path) -> str:
    """Return an encoder of the same words and sizes, with the weights that it begins with."""
    import torch

    folder = out / f"untrained-{seed}"
    if not folder.is_dir():
        encoder = BiLSTMEncoder.from_pretrained(trained)
        torch.manual_seed(seed)
        encoder.lstm.reset_parameters()
        encoder.save_pretrained(folder)
        for file in Path(trained).glob("tokenizer*"):
            (folder / file.name).write_bytes(file.read_bytes())
    return str(folder)


def main() -> None:
    """Train, measure, and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, default=DEFAULT_DATA, help="the folder of the data")
    parser.add_argument("--vectors", default=None, help="a file of word vectors; Twitter's GloVe")
    parser.add_argument("--seeds", type=int, default=3, help="how many encoders of each kind")
    parser.add_argument("--preset", default="small", help="small, or infersent for the paper's")
    parser.add_argument("--out", type=Path, required=True, help="a folder for encoders and tables")
    arguments = parser.parse_args()
    disable_progress_bars()
    arguments.out.mkdir(parents=True, exist_ok=True)
    vectors = arguments.vectors or str(arguments.data / TWITTER)
    found = corpora(arguments.data, vectors)
    debiased = arguments.out / "hard-debiased.npz"
    if not debiased.is_file():
        hard_debias(load_word_vectors(vectors)).save(debiased)
    found["hard-debiased"] = (found["original"][0], str(debiased))
    test = found["original"][0]["test"]
    encoders: dict[str, Any] = {}
    accuracies: dict[str, list[float]] = {}
    seeds = range(1, arguments.seeds + 1)
    for name, (rows, of_name) in found.items():
        for seed in seeds:
            folder, accuracy, majority = train(name, rows, of_name, seed, test, arguments)
            encoders.setdefault(name, []).append(folder)
            accuracies.setdefault(name, []).append(accuracy)
        values = np.array(accuracies[name])
        told = f"{values.mean():.3f} (sd {values.std(ddof=1) if len(values) > 1 else 0:.3f})"
        print(f"{name}: accuracy on the test pairs {told}, one class {majority:.3f}", flush=True)
    for seed, folder in zip(seeds, encoders["original"], strict=True):
        encoders.setdefault("untrained", []).append(untrained(folder, seed, arguments.out))
    pairs = EncoderTask(
        name="SNLI subset", kind="pair", columns=PAIR, label="label", splits=found["original"][0]
    )
    tasks = [stsb(arguments.data), pairs, sentiment(arguments.data)]
    evaluation = evaluate_encoders(encoders, tests=SENTENCE_TESTS, tasks=tasks)
    report = evaluation_report(evaluation)
    (arguments.out / "README.md").write_text(report, encoding="utf-8")
    evaluation.rows.to_json(arguments.out / "rows.jsonl")
    evaluation.means.to_json(arguments.out / "means.jsonl")
    save_picture(encoder_plot(evaluation), arguments.out / "encoders.svg")
    print(report)


if __name__ == "__main__":
    main()
