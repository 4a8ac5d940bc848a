"""Pull a dataset from the Hugging Face Hub into a folder of Parquet files, one for each split.

    python hub_scripts/pull_dataset.py ada/reviews reviews-cda/ --config-name cda

A private dataset needs `hf auth login`, or HF_TOKEN set to a token that may read it.
"""

import argparse

from fair_datasets.cli.push import PULL, answer


def main() -> None:
    """Read the options and pull."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    PULL.add_arguments(parser)
    options = parser.parse_args()
    answer(parser, lambda: PULL.run(options))


if __name__ == "__main__":
    main()
