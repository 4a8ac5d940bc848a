"""Push fairness measures to the Hugging Face Hub, each as a Space that evaluate.load loads.

    python hub_scripts/push_metrics.py ada                       # all of them
    python hub_scripts/push_metrics.py ada demographic_parity    # then evaluate.load("ada/...")

Log in first with `hf auth login`, or set HF_TOKEN to a token that may write.
"""

import sys

from fair_datasets.cli import main

if __name__ == "__main__":
    sys.exit(main(["push", "metrics", *sys.argv[1:]]))
