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
PUBLIC = {
    "fair_datasets/reader/matching/find.py": {"FoundTerm"},
    "fair_datasets/rewriters/fairflow/review.py": {"FoundPair", "FoundLexicon"},
    "fair_datasets/rewriters/fairflow/config.py": {"kept_per_word"},
    "fair_datasets/cli/build_lexicon.py": {"kept_per_word"},
    "fair_datasets/reader/tags.py": {"told"},
}
"""What people import or type: results, an option of FairFlow, and `Tagged.told` for one release."""


def names_of(path: Path) -> Iterator[str]:
    """Yield the name of a file, and all names that it gives to something."""
    yield path.stem
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case (
                ast.ClassDef(name=name)
                | ast.FunctionDef(name=name)
                | ast.AsyncFunctionDef(name=name)
            ):
                yield name
            case ast.arg(arg=name) | ast.alias(asname=str(name)):
                yield name
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)):
                yield name
            case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                yield name


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
        if name not in PUBLIC.get(path.relative_to(ROOT).as_posix(), ())
    ]
    assert wrong == []


PLANTED = """
import json as told
class Row:
    said: int
    def read(self, kept, *, doubts=()):
        self.found = [apart for apart in kept]
        for number, settle in enumerate(kept):
            rows_told = settle
"""


def test_fields_parameters_and_local_variables_are_names_too(tmp_path: Path) -> None:
    """Each of them is found in a file where all are planted."""
    path = tmp_path / "rows.py"
    path.write_text(PLANTED)
    wrong = sorted(name for name in names_of(path) if outdated(name))
    assert wrong == ["apart", "doubts", "found", "kept", "rows_told", "said", "settle", "told"]


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
