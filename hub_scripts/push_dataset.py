"""Push a dataset to the Hugging Face Hub, as one configuration of a dataset repository.

    python hub_scripts/push_dataset.py reviews-cda/ ada/reviews --config-name cda

Log in first with `hf auth login`, or set HF_TOKEN to a token that may write. If the upload is
interrupted, run the same again: what the Hub has already is not sent twice. Other configurations of
the repository stay, and so does what others wrote in its card.
"""

import argparse

from fair_datasets.cli.push import PUSHES, answer


def main() -> None:
    """Read the options and push."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    PUSHES["dataset"].add_arguments(parser)
    options = parser.parse_args()
    answer(parser, lambda: PUSHES["dataset"].run(options))


if __name__ == "__main__":
    main()
