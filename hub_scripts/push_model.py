"""Push a model to the Hugging Face Hub.

    python hub_scripts/push_model.py my-model/ ada/fair-reviews

Log in first with `hf auth login`, or set HF_TOKEN to a token that may write. If the upload is
interrupted, run the same again: what the Hub has already is not sent twice.
"""

import argparse

from fair_datasets.cli.push import PUSHES, answer


def main() -> None:
    """Read the options and push."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    PUSHES["model"].add_arguments(parser)
    options = parser.parse_args()
    answer(parser, lambda: PUSHES["model"].run(options))


if __name__ == "__main__":
    main()
