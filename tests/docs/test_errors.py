"""The page of errors has a part for each message, and names no message that there is not."""

import ast
import re
from pathlib import Path

import fair_datasets

FOLDER = Path(fair_datasets.__file__).parent
PAGE = (FOLDER / "docs" / "errors.md").read_text("utf-8")
TREES = [ast.parse(file.read_text("utf-8")) for file in FOLDER.rglob("*.py")]
ERRORS = {"InputError", "UserWarning"}
for _ in range(3):  # A kind of a kind of them is one as well.
    ERRORS |= {
        node.name
        for tree in TREES
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
        and {base.id for base in node.bases if isinstance(base, ast.Name)} & ERRORS
    }


def sentences() -> set[str]:
    """Read what is said where an error is made, without what is put in."""
    calls = (node for tree in TREES for node in ast.walk(tree) if isinstance(node, ast.Call))
    said = {
        " ".join(
            part.value
            for part in ast.walk(call.args[0])
            if isinstance(part, ast.Constant) and isinstance(part.value, str)
        )
        for call in calls
        if isinstance(call.func, ast.Name) and call.func.id in ERRORS and call.args
    }
    return {each for each in said if len(re.findall(r"[A-Za-z]{2,}", each)) > 3}


def test_each_error_and_warning_is_named() -> None:
    """By its class, but for those that are caught here."""
    named = set(re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE))
    assert named == {each for each in ERRORS if not each.startswith("_")} - {"UserWarning"}


def test_each_message_has_a_part() -> None:
    """It contains some words that a part lists, and no part lists words of no message."""
    listed = " ".join(re.findall(r"^Messages: (.*?)\.$", PAGE, re.MULTILINE | re.DOTALL))
    words, said = re.findall("`([^`]+)`", listed.replace("\n", " ")), sentences()
    assert len(said) > 800
    assert [each for each in said if not any(part in each for part in words)] == []
    assert [part for part in words if not any(part in each for each in said)] == []
