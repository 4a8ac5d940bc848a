"""Push fairness measures to the Hugging Face Hub, each as a Space that evaluate.load loads.

    python hub_scripts/push_metrics.py ada                       # all of them
    python hub_scripts/push_metrics.py ada demographic_parity    # then evaluate.load("ada/...")

Log in first with `hf auth login`, or set HF_TOKEN to a token that may write.
"""

import argparse

from fair_datasets.cli.push import PUSHES, answer


def main() -> None:
    """Read the options and push."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    PUSHES["metrics"].add_arguments(parser)
    options = parser.parse_args()
    answer(parser, lambda: PUSHES["metrics"].run(options))


if __name__ == "__main__":
    main()
