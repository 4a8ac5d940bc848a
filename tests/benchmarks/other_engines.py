"""Run the snippets of the page on other engines as they stand there: Ray Data, Spark and Daft.

    pip install "ray[data]" pyspark daft && python tests/benchmarks/other_engines.py --out DIR

It prints whether the rows that each of them makes, as `datasets` loads them, are those of
`datasets`. With `--rows N` each runs once more, on N rows, after a first time in which it has
loaded what it needs: the seconds are those of reading, rewriting and writing.
"""

import argparse
import doctest
import os
import shutil
import sys
import time
from pathlib import Path
from typing import Any

os.environ |= {"HF_DATASETS_DISABLE_PROGRESS_BARS": "1", "RAY_USAGE_STATS_ENABLED": "0"}

from corpora import TEMPLATES
from datasets import Dataset, load_dataset

from fair_datasets.cards.markdown import fenced_blocks

PAGE = Path(__file__).parents[2] / "fair_datasets" / "docs" / "engines.md"
ENGINES = ("ray", "spark", "daft")


def main() -> None:
    """Run them."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--rows", type=int)
    options = parser.parse_args()
    options.out.mkdir(parents=True)
    # The processes of Spark find Python and the package as this one does; Ray starts by itself, and
    # waits for no cluster that ended; Daft leaves Ray alone, which it would else run on where it is
    # at work.
    os.environ |= {"PYTHONPATH": str(PAGE.parents[2]), "PYSPARK_PYTHON": sys.executable,
                   "RAY_ADDRESS": "local", "DAFT_RUNNER": "native"}  # fmt: skip
    os.chdir(options.out)
    known: dict[str, Any] = {"__name__": "__main__"}
    blocks = [block for block in fenced_blocks(PAGE.read_text("utf-8"))
              if block.language in ("python", *ENGINES)]  # fmt: skip
    for block in blocks:
        if ">>>" in block.code:
            test = doctest.DocTestParser().get_doctest(block.code, known, "page", None, 0)
            assert not doctest.DocTestRunner().run(test, clear_globs=False).failed
        else:
            exec(compile(block.code, str(PAGE), "exec"), known)
    print("\n".join(compared(known)))
    if options.rows:
        codes = {block.language: block.code for block in blocks[::-1]}
        timed({name: codes[name] for name in ENGINES}, options.rows, known)


def compared(known: dict[str, Any]) -> list[str]:
    """Load what each wrote, and say whether it is what `datasets` makes."""
    said = []
    rows = load_dataset("parquet", data_files="reviews.parquet", split="train")
    for name in ENGINES:
        expected = known["swap"].apply(rows)
        if name == "daft":
            expected = expected.remove_columns("family_id")
        found = load_dataset(
            "parquet", data_files=f"reviews-{name}/*.parquet", features=expected.features,
            split="train",
        )  # fmt: skip
        same = sorted(map(str, found)) == sorted(map(str, expected))
        said.append(
            f"{name}: {len(rows):,} rows in, {len(found):,} out, the rows of datasets: {same}"
        )
    return said


def timed(codes: dict[str, str], size: int, known: dict[str, Any]) -> None:
    """Run each on more rows, and `datasets` beside."""
    features = load_dataset("parquet", data_files="reviews.parquet", split="train").features
    texts = [TEMPLATES[n % len(TEMPLATES)].format(n) for n in range(size)]
    labels = {"label": [n % 2 for n in range(size)], "n": list(range(size))}
    Dataset.from_dict({"text": texts, **labels}, features=features).to_parquet("reviews.parquet")
    began = time.monotonic()
    rows = load_dataset("parquet", data_files="reviews.parquet", split="train")
    known["swap"].apply(rows, load_from_cache_file=False).to_parquet("reviews-datasets.parquet")
    told = {"datasets": time.monotonic() - began}
    for name, code in codes.items():
        shutil.rmtree(f"reviews-{name}")
        began = time.monotonic()
        exec(compile(code, str(PAGE), "exec"), known)
        told[name] = time.monotonic() - began
    print("\n".join(compared(known)))
    for name, seconds in told.items():
        print(f"{name}: {seconds:.1f} s, {size / seconds:,.0f} rows/s")


if __name__ == "__main__":
    main()
