"""Push a model to the Hugging Face Hub.

    python hub_scripts/push_model.py my-model/ ada/fair-reviews

Log in first with `hf auth login`, or set HF_TOKEN to a token that may write. If the upload is
interrupted, run the same again: what the Hub has already is not sent twice.
"""

import sys

from fair_datasets.cli import main

if __name__ == "__main__":
    sys.exit(main(["push", "model", *sys.argv[1:]]))
