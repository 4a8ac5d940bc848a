"""The list of the scripts that make shipped data."""

import re
import shlex
from importlib import import_module
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).parents[2] / "hub_scripts" / "data"
PREFIX = "python -m hub_scripts.data."
COMMANDS = re.findall(f"`{PREFIX}(.+)`", (SCRIPTS / "README.md").read_text("utf-8"))


def test_each_script_is_listed() -> None:
    """With one command, which its own help has as well."""
    names = [command.split()[0] for command in COMMANDS]
    assert sorted(names) == sorted(path.stem for path in SCRIPTS.glob("*.py"))
    for name in names:
        assert f"{PREFIX}{name} " in (SCRIPTS / f"{name}.py").read_text("utf-8")


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.split()[0])
def test_the_commands_can_be_read(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Their options exist, and none is missing: what alone is refused is one that is made up."""
    name, *words = shlex.split(command)
    with pytest.raises(SystemExit):
        import_module(f"hub_scripts.data.{name}").main([*words, "--no-such-option"])
    assert capsys.readouterr().err.endswith("unrecognized arguments: --no-such-option\n")


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.split()[0])
def test_the_commands_read_and_write_what_is_there(command: str, data_directory: Path) -> None:
    """Files of the shared data, and files of the package."""
    for path in re.findall(r"(?<= )(?:DATA|fair_datasets)/\S+", command):
        root = data_directory if path.startswith("DATA") else SCRIPTS.parents[1]
        assert (root / path.removeprefix("DATA/")).is_file(), path
