"""What the package says of mistakes: each sentence, as it stands in `tests/sentences`.

A file holds sections; a section holds statements of Python as one types them, and below each what
it says: its warnings and its error (`InputError: ...`, or another class), one a line, or nothing.
Each section runs by itself, in an empty folder, after what stands above the first of its file.
Where its title ends in "on the Hub", it has `hub`, a Hub on this machine, and `splits` to push.
`sh("...")` runs a command; CHECKOUT is the folder of this repository. FOLDER and HUB stand for
these, and N for how long a list is.
`pytest tests/test_sentences.py --rewrite-sentences` writes what is said now, to be reviewed.
"""

import contextlib
import io
import re
import runpy
import shlex
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

FOLDER = Path(__file__).parent / "sentences"
_OF_THE_HUB = runpy.run_path(str(Path(__file__).parent / "hub" / "conftest.py"))
hub, splits = (_OF_THE_HUB[name] for name in ("hub", "splits"))
_SECTION = re.compile(r"^# ", re.MULTILINE)
_STATEMENT = re.compile(r"^>>> .*(?:\n\.\.\. .*|\n\.\.\.$)*", re.MULTILINE)


class Section(NamedTuple):
    """A part of a file that runs by itself."""

    file: Path
    title: str
    setup: str
    body: str


def sections() -> Iterator[Section]:
    """Read the files.

    Yields:
        Each section, with the statements that stand above all of its file.
    """
    for file in sorted(FOLDER.glob("*.txt")):
        setup, *parts = _SECTION.split(file.read_text("utf-8"))
        for part in parts:
            title, _, body = part.partition("\n")
            yield Section(file, title, setup, body)


def sh(command: str) -> None:
    """Run a command in this process, and raise its exit with the error that it wrote.

    A command that refuses says nothing else, and leaves every file as it was.
    """
    from fair_datasets.cli import main

    told, shown, before = io.StringIO(), io.StringIO(), _files()
    with contextlib.redirect_stderr(told), contextlib.redirect_stdout(shown):
        try:
            code = main(shlex.split(command)[1:])
        except SystemExit as ended:
            code = ended.code
    if code == 2:
        assert (shown.getvalue(), _files()) == ("", before)
        assert "Traceback" not in told.getvalue()
    if code:
        error = told.getvalue().rpartition("error: ")[2]
        raise SystemExit(f"{code}: {' '.join(error.split())}")


def _files() -> dict[Path, bytes | None]:
    """Return what lies in this folder."""
    paths = (path for path in Path().rglob("*") if "__pycache__" not in path.parts)
    return {path: path.read_bytes() if path.is_file() else None for path in paths}


def _said(statement: str, names: dict[str, Any]) -> list[str]:
    """Run a statement and return what it says, one line a warning or an error."""
    source = re.sub(r"^(>>>|\.\.\.) ?", "", statement, flags=re.MULTILINE)
    with warnings.catch_warnings(record=True) as given:
        warnings.simplefilter("always")
        try:
            exec(compile(source, "<sentence>", "exec"), names)
            error = []
        except (Exception, SystemExit) as raised:
            error = [f"{type(raised).__name__}: {' '.join(str(raised).split())}"]
    told = [each for each in given if issubclass(each.category, UserWarning)]
    return [
        f"{each.category.__name__}: {' '.join(str(each.message).split())}" for each in told
    ] + error


def _counted(found: re.Match[str]) -> str:
    """Leave out how many names a list has, which grows."""
    return re.sub(r"\d+", "N", found[0])


def _run(section: Section, folder: Path, **names: Any) -> str:
    """Return a section as it reads with what its statements say now."""
    names |= {"sh": sh, "CHECKOUT": FOLDER.parents[1]}
    for statement in _STATEMENT.findall(section.setup):
        assert not _said(statement, names), f"{section.file.name}: {statement}"
    lines = []
    for statement in _STATEMENT.findall(section.body):
        lines += [statement, *_said(statement, names)]
    said = re.sub(r"one of \d+ names|and \d+ more", _counted, "\n".join(lines))
    if "hub" in names:
        said = said.replace(names["hub"].url, "HUB")
    return said.replace(str(folder), "FOLDER") + "\n\n"


@pytest.mark.parametrize(
    "section", list(sections()), ids=lambda each: f"{each.file.stem}: {each.title}"
)
def test_what_is_said(
    section: Section,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
) -> None:
    """It is what was reviewed, word for word."""
    monkeypatch.chdir(tmp_path)
    of_the_hub = ("hub", "splits") if section.title.endswith("on the Hub") else ()
    given = {name: request.getfixturevalue(name) for name in of_the_hub}
    now = _run(section, tmp_path, **given)
    if request.config.getoption("--rewrite-sentences"):
        text = section.file.read_text("utf-8")
        head = f"# {section.title}\n"
        assert text.count(head + section.body) == 1, f"two sections {section.title!r} are the same"
        section.file.write_text(text.replace(head + section.body, head + now), "utf-8")
    else:
        assert now.strip() == section.body.strip()
