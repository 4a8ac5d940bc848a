"""The page of errors has a part for each message, and names no message that there is not."""

import ast
import re
from functools import cache
from pathlib import Path

import fair_datasets
from hub_scripts import encoders, papers

FOLDER = Path(fair_datasets.__file__).parent
FOLDERS = (FOLDER, *map(Path, [*encoders.__path__, *papers.__path__]))
PAGE = (FOLDER / "docs" / "errors.md").read_text("utf-8")


@cache
def errors_and_sentences() -> tuple[set[str], set[str]]:
    """Read which errors and warnings are ours, and what is said where one is made."""
    nodes = [
        node
        for folder in FOLDERS
        for file in folder.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.ClassDef | ast.Call)
    ]
    errors = {"InputError", "UserWarning"}
    for _ in range(3):  # A kind of a kind of them is one as well.
        errors |= {
            node.name
            for node in nodes
            if isinstance(node, ast.ClassDef)
            and {base.id for base in node.bases if isinstance(base, ast.Name)} & errors
        }
    calls = (node for node in nodes if isinstance(node, ast.Call))
    said = {
        " ".join(
            part.value
            for part in ast.walk(call.args[0])
            if isinstance(part, ast.Constant) and isinstance(part.value, str)
        )
        for call in calls
        if isinstance(call.func, ast.Name) and call.func.id in {*errors, "invalid"} and call.args
    }
    return errors, {each for each in said if len(re.findall(r"[A-Za-z]{2,}", each)) > 3}


def test_each_error_and_warning_is_named() -> None:
    """By its class, but for those that are caught here."""
    named = set(re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE))
    errors, _ = errors_and_sentences()
    assert named == {each for each in errors if not each.startswith("_")} - {"UserWarning"}


def test_each_message_has_a_part() -> None:
    """It contains some words that a part lists, and no part lists words of no message."""
    listed = " ".join(re.findall(r"^Messages: (.*?)\.$", PAGE, re.MULTILINE | re.DOTALL))
    words = re.findall("`([^`]+)`", listed.replace("\n", " "))
    _, said = errors_and_sentences()
    assert len(said) > 800
    assert [each for each in said if not any(part in each for part in words)] == []
    assert [part for part in words if not any(part in each for each in said)] == []
