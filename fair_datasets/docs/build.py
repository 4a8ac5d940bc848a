"""Write what is made: pages, pictures, the citation file, and the site.

    python -m fair_datasets.docs.build
    python -m fair_datasets.docs.build --site DIR
    python -m fair_datasets.docs.build --check-release

Run the first after a public name, a command, a measure or what the demo does has changed; a test
compares.
"""

import argparse
from collections.abc import Callable, Mapping
from pathlib import Path

from fair_datasets.docs.addresses import citation, missing
from fair_datasets.docs.names import names_page
from fair_datasets.docs.picture import demo_picture
from fair_datasets.docs.site import write_site
from fair_datasets.version import __version__

FOLDER = Path(__file__).parent
ROOT = FOLDER.parents[1]
MADE: Mapping[str, Callable[[], str]] = {"names.md": names_page, "picture.svg": demo_picture}


def main() -> None:
    """Write the files."""
    parser = argparse.ArgumentParser(description="Write what is made of the documentation.")
    parser.add_argument(
        "--out", type=Path, default=FOLDER, help="the folder of the pages (default: this one)"
    )
    parser.add_argument("--site", type=Path, metavar="DIR", help="write the site into a folder")
    parser.add_argument(
        "--check-release", action="store_true", help="list what is missing for a release"
    )
    options = parser.parse_args()
    if options.check_release:
        changelog = Path("CHANGELOG.md")
        if not changelog.is_file():
            raise SystemExit("There is no CHANGELOG.md; run this in the folder of a checkout.")
        raise SystemExit("\n".join(missing(changelog.read_text("utf-8"), __version__)) or None)
    if options.site:
        write_site(options.site)
        return
    for name, make in MADE.items():
        (options.out / name).write_text(make(), "utf-8")
    if options.out == FOLDER and (ROOT / ".github").is_dir():
        (ROOT / ".github" / "CITATION.cff").write_text(citation(__version__), "utf-8")


if __name__ == "__main__":
    main()
