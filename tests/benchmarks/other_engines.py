"""Run the snippets of the page on other engines as they stand there, in Spark and in Daft.

    pip install pyspark daft && python tests/benchmarks/other_engines.py --out DIR

It prints the rows that each of them makes, as `datasets` loads them.
"""

import argparse
import doctest
import os
import sys
from pathlib import Path
from typing import Any

from datasets import load_dataset

from fair_datasets.cards.markdown import fenced_blocks

PAGE = Path(__file__).parents[2] / "fair_datasets" / "docs" / "engines.md"


def main() -> None:
    """Run them."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--out", type=Path, required=True)
    place = parser.parse_args().out
    place.mkdir(parents=True)
    # The processes of Spark find Python and the package as this one does.
    os.environ |= {"PYTHONPATH": str(PAGE.parents[2]), "PYSPARK_PYTHON": sys.executable}
    os.chdir(place)
    known: dict[str, Any] = {"__name__": "__main__"}
    for block in fenced_blocks(PAGE.read_text("utf-8")):
        if ">>>" in block.code:
            test = doctest.DocTestParser().get_doctest(block.code, known, "page", None, 0)
            assert not doctest.DocTestRunner().run(test, clear_globs=False).failed
        else:
            exec(compile(block.code, str(PAGE), "exec"), known)
    expected = known["swap"].apply(known["load_dataset"](
        "parquet", data_files="reviews.parquet", split="train"
    ))  # fmt: skip
    for name in ("reviews-spark", "reviews-daft"):
        if name == "reviews-daft":
            expected = expected.remove_columns("family_id")
        found = load_dataset(
            "parquet", data_files=f"{name}/*.parquet", features=expected.features, split="train"
        )
        print(f"{name}: {found.to_dict()}")
        print(f"the rows and features of datasets: {found.to_dict() == expected.to_dict()}, "
              f"{found.features == expected.features}")  # fmt: skip


if __name__ == "__main__":
    main()
