"""`hf fair`: the installed `hf` finds it, hands over what was typed, and our exit code back."""

import json
import os
import shlex
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from huggingface_hub.cli import extensions

ROOT = Path(__file__).parents[2]
ENTRY = ROOT / "hub_scripts" / "hf-fair"
BLANK = "He is a waiter."
Hf = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Let another folder be the home, and nobody ask GitHub; return the folder of `hf fair`."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("HF_HUB_DISABLE_UPDATE_CHECK", "1")
    monkeypatch.setenv("COLUMNS", "200")
    path = os.pathsep.join([sysconfig.get_path("scripts"), os.environ["PATH"]])
    monkeypatch.setenv("PATH", path)
    return tmp_path / ".local" / "share" / "hf" / "extensions" / "hf-fair"


@pytest.fixture
def hf(home: Path) -> Hf:
    """Return what runs the installed `hf`."""
    return lambda *words: subprocess.run(["hf", *words], capture_output=True, text=True)


def test_commands_run_below_hf_until_they_are_unregistered(run: Any, hf: Hf, home: Path) -> None:
    """Arguments arrive as they were typed, and exit codes come back; hf's help and list name it."""
    assert "fair" not in hf("--help").stdout
    for _ in range(2):  # Twice is no error: another environment may take its place.
        said = run("hf", "--register").quiet().out
        assert said.endswith(" now runs these commands: type `hf fair --help`.\n")
    assert "  fair " in hf("--help").stdout
    assert "[extension installed.by.pip/hf-fair]" in hf("--help").stdout
    assert "fair" in hf("extensions", "list").stdout
    found = hf("fair", "find", BLANK, "--json")
    assert (found.returncode, found.stdout) == (0, run("find", BLANK, "--json").out)
    refused = hf("fair", "find", "a  b'\"$HOME", "--axis", "no such axis")
    assert refused.returncode == 2
    assert refused.stderr == run("find", "a  b'\"$HOME", "--axis", "no such axis").refused()
    assert run("hf", "--unregister").quiet().out == "`hf fair` is no longer registered.\n"
    assert not home.exists()
    assert "fair" not in hf("--help").stdout
    assert "`hf fair` is not registered" in run("hf", "--unregister").refused()


def test_hf_removes_it_too(run: Any, hf: Hf, home: Path) -> None:
    """By its own command."""
    run("hf", "--register").quiet()
    assert hf("extensions", "remove", "fair").returncode == 0
    assert not home.exists()


def test_what_is_written_is_what_hf_writes(
    run: Any, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a script that it gets from a repository: the same files, fields and texts of JSON."""
    run("hf", "--register").quiet()
    ours = {each.name: each.read_text() for each in home.iterdir()}
    kinds = {each.name: each.stat().st_mode for each in home.iterdir()}
    monkeypatch.setattr(extensions, "_fetch_remote_binary", lambda **_: ours["hf-fair"].encode())
    monkeypatch.setattr(extensions, "_fetch_latest_commit_sha", lambda **_: None)
    loaded = extensions.ExtensionManifest.load(home)
    assert {each.name for each in fields(loaded)} == json.loads(ours["manifest.json"]).keys()
    monkeypatch.setattr(extensions, "_try_fetch_remote_description", lambda **_: loaded.description)
    run("hf", "--unregister").quiet()
    made = extensions._install_extension(
        owner=loaded.owner, repo_name=loaded.repo, short_name=loaded.short_name
    )
    when = [each.installed_at.isoformat() for each in (made, loaded)]
    theirs = {each.name: each.read_text().replace(*when) for each in home.iterdir()}
    assert theirs == ours
    assert {each.name: each.stat().st_mode for each in home.iterdir()} == kinds


def test_the_file_of_a_repository_runs_what_is_on_the_path(
    hf: Hf, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As hf copies and runs it; where nothing is installed, it says what to type."""
    monkeypatch.setattr(extensions, "_fetch_remote_binary", lambda **_: ENTRY.read_bytes())
    monkeypatch.setattr(extensions, "_fetch_latest_commit_sha", lambda **_: None)
    monkeypatch.setattr(extensions, "_try_fetch_remote_description", lambda **_: None)
    extensions._install_extension(owner="ada", repo_name="hf-fair", short_name="fair")
    assert hf("fair", "--version").stdout.startswith("fair-datasets ")
    assert hf("fair", "find").returncode == 2
    bare = subprocess.run(["/bin/sh", ENTRY], capture_output=True, text=True, env={"PATH": "/none"})
    assert (bare.returncode, bare.stderr) == (
        2, "hf fair: fair-datasets is not found; type: pip install fair-datasets\n"
    )  # fmt: skip


def test_the_extension_of_another_stays(run: Any, home: Path) -> None:
    """Also one of the same name, or one that nobody can read."""
    home.mkdir(parents=True)
    manifest = home / "manifest.json"
    for text, who in (('{"owner": "ada", "repo_id": "ada/hf-fair"}', "ada/hf-fair"),
                      ("[", "an unknown extension")):  # fmt: skip
        manifest.write_text(text)
        for option in ("--register", "--unregister"):
            assert f"{home} holds {who}, which would be lost" in run("hf", option).refused()
        assert [each.read_text() for each in home.iterdir()] == [text]


@pytest.mark.parametrize("version", ["1.30.9", "2.5.0", "3.0", "", "hf"])
def test_other_versions_are_refused(
    version: str, run: Any, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What their manifests look like nobody knows; nothing is written."""
    program = tmp_path / "bin" / "hf"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\necho {shlex.quote(version)}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(program.parent))
    said = run("hf", "--register").refused()
    assert "the manifests of hf 1.31 to 2.4 are known, but" in said
    assert f"--version says {version or 'nothing'};" in said
    program.unlink()
    assert "there is no command `hf` on the PATH" in run("hf", "--register").refused()
    monkeypatch.setattr(sys, "platform", "win32")
    assert "hf runs no scripts on Windows" in run("hf", "--register").refused()
    assert not home.exists()


@pytest.mark.parametrize("options", [(), ("--register", "--unregister")])
def test_one_thing_is_done(options: tuple[str, ...], run: Any, home: Path) -> None:
    """Not none, and not both."""
    assert "give either --register or --unregister." in run("hf", *options).refused()
