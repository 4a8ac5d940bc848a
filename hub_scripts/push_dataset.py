"""Push a dataset to the Hugging Face Hub, as one configuration of a dataset repository.

    python hub_scripts/push_dataset.py reviews-cda/ ada/reviews --config-name cda

Log in first with `hf auth login`, or set HF_TOKEN to a token that may write. If the upload is
interrupted, run the same again: what the Hub has already is not sent twice. Other configurations of
the repository stay, and so does what others wrote in its card.
"""

import sys

from fair_datasets.cli import main

if __name__ == "__main__":
    sys.exit(main(["push", "dataset", *sys.argv[1:]]))
