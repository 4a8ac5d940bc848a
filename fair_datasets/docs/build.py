"""Write what is made: the page of public names, and the picture of the README.

    python -m fair_datasets.docs.build

Run it after a public name, a command, a measure or what the demo does has changed; a test compares.
"""

import argparse
from collections.abc import Callable, Mapping
from pathlib import Path

from fair_datasets.docs.names import names_page
from fair_datasets.docs.picture import demo_picture

MADE: Mapping[str, Callable[[], str]] = {"names.md": names_page, "picture.svg": demo_picture}


def main() -> None:
    """Write the files."""
    parser = argparse.ArgumentParser(description="Write the pages and pictures that are made.")
    parser.add_argument(
        "--out", type=Path, default=Path(__file__).parent, help="the folder (default: this one)"
    )
    folder: Path = parser.parse_args().out
    for name, make in MADE.items():
        (folder / name).write_text(make(), "utf-8")


if __name__ == "__main__":
    main()
