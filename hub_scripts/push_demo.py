"""Push the demo to the Hugging Face Hub, as a Space where people try a text or a small CSV file.

    python hub_scripts/push_demo.py ada/counterfactuals --dry-run    # list what would be sent
    python hub_scripts/push_demo.py ada/counterfactuals

Log in first with `hf auth login`, or set HF_TOKEN to a token that may write. The Space installs
fair-datasets as demo/requirements.txt says. To try it on your own machine:
`pip install gradio`, then `python hub_scripts/demo/app.py`. Its README says how to name the
classifier whose scores are shown.
"""

import sys

from fair_datasets.cli import main

if __name__ == "__main__":
    sys.exit(main(["push", "demo", *sys.argv[1:]]))
