"""The project's addresses, and what is made from them.

They are filled in at one place, `addresses.toml`. It is also read while the package is built, where
nothing is installed: this file needs the standard library alone.
"""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

ADDRESSES: dict[str, str] = tomllib.loads(
    Path(__file__).with_name("addresses.toml").read_text("utf-8")
)


def project_urls() -> dict[str, str]:
    """Return what the package's metadata tell of its addresses."""
    repository, site = ADDRESSES["repository"], ADDRESSES["documentation"]
    urls = {"Documentation": site} if site else {}
    if repository:
        urls["Source"] = repository
        urls["Issues"] = f"{repository}/issues"
        urls["Changelog"] = f"{repository}/blob/main/CHANGELOG.md"
    return urls


def outward(text: str, start: str = "") -> str:
    """Let the links of a page that is shown away from the checkout lead into the repository.

    Args:
        start: How the links begin that lead out of the page's own place, such as `../../`.

    Returns:
        The page; while the repository has no address, the words of such links alone.
    """
    repository = ADDRESSES["repository"]

    def link(matched: re.Match[str]) -> str:
        mark, words, target = matched.groups()
        if not repository:
            return "" if mark else words
        return f"{mark}[{words}]({repository}/{'raw' if mark else 'blob'}/main/{target})"

    return re.sub(rf"(!?)\[([^]]*)\]\((?![a-z]+:|#){re.escape(start)}([^)\s]+)\)", link, text)


def citation(version: str) -> str:
    """Write the citation file, as https://citation-file-format.github.io has it."""
    lines = [
        "cff-version: 1.2.0",
        "message: If you use this software, please cite it as below.",
        "type: software",
        "title: fair_datasets",
        "authors:",
        "  - name: The fair_datasets developers",
        f"version: {version}",
        "license: [Apache-2.0, CC-BY-SA-4.0]",
    ]
    names = {"repository": "repository-code", "documentation": "url"}
    lines += [f"{names[name]}: {ADDRESSES[name]}" for name in names if ADDRESSES[name]]
    return "\n".join(lines) + "\n"


def missing(changelog: str, version: str) -> Iterator[str]:
    """Give what is to be done before a release."""
    for name, address in ADDRESSES.items():
        if not address:
            yield f"fair_datasets/docs/addresses.toml: {name} is empty."
    if not re.search(rf"^## {re.escape(version)} \(\d{{4}}-\d\d-\d\d\)$", changelog, re.MULTILINE):
        yield f"CHANGELOG.md: version {version} has no date."
