"""Names have the words of the field, so that a search for these finds them."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
INSTEAD = {
    "told": "explain, describe, format or report",
    "said": "predict, render or format",
    "found": "candidates, mentions or another noun",
    "kept": "cached, selected or stored",
    "apart": "split, distinct or difference",
    "obey": "raise if interrupted",
    "settle": "resolve or validate",
    "doubts": "warnings",
}
"""Words that names had once, with those of the field."""
PUBLIC = {"FoundTerm", "FoundPair", "FoundLexicon", "told"}
"""What people import from the reader and from FairFlow, and `Tagged.told`."""


def names_of(path: Path) -> Iterator[str]:
    """Yield the names of a file, and of its classes and functions."""
    yield path.stem
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name


def outdated(name: str) -> set[str]:
    """Return the words of a name for which the field has others."""
    parts = re.findall("[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)
    return {part.lower() for part in parts} & {*INSTEAD}


def test_names_have_the_words_of_the_field() -> None:
    """Whoever adds one of the old words is told the new ones."""
    files = [
        path for top in ("fair_datasets", "hub_scripts") for path in (ROOT / top).rglob("*.py")
    ]
    assert len(files) > 300
    wrong = [
        f"{path.relative_to(ROOT)}: {name}; instead of {word!r}: {INSTEAD[word]}"
        for path in files
        for name in names_of(path)
        for word in outdated(name)
        if name not in PUBLIC
    ]
    assert wrong == []


def test_a_word_is_found_in_whatever_way_a_name_is_written() -> None:
    """In snake case and in camel case, and nowhere inside another word."""
    assert outdated("_found_rows") == outdated("FoundRows") == {"found"}
    assert outdated("unfounded") == set()


def test_docstrings_say_what_is_done_or_returned() -> None:
    """None begins with "Tell" or "Say", which hide whether something is returned or written."""
    vague = [
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for top in ("fair_datasets", "hub_scripts")
        for path in (ROOT / top).rglob("*.py")
        for line in path.read_text(encoding="utf-8").splitlines()
        if re.match(r'\s*r?"""(Tell|Say)s? ', line)
    ]
    assert vague == []
