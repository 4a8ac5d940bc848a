"""Pull a dataset from the Hugging Face Hub into a folder of Parquet files, one for each split.

    python hub_scripts/pull_dataset.py ada/reviews reviews-cda/ --config-name cda

A private dataset needs `hf auth login`, or HF_TOKEN set to a token that may read it.
"""

import sys

from fair_datasets.cli import main

if __name__ == "__main__":
    sys.exit(main(["pull", *sys.argv[1:]]))
