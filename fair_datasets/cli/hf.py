"""The command `hf`: all commands as `hf fair`, through the extensions of the command `hf`."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

from fair_datasets.cli.main import PURPOSE
from fair_datasets.cli.options import Options
from fair_datasets.system.checks import invalid
from fair_datasets.system.files import read_note, write_file

_NAME = "hf-fair"
_OWNER = "installed.by.pip"
"""Whose repository it is: with dots, so that nobody on GitHub can have it and update our script."""
_FIRST, _LAST = (1, 31), (2, 4)
"""The versions of `hf` that read the manifest as it is written here."""
_SCRIPT = """\
#!/bin/sh
exec {python} -m fair_datasets "$@"
"""


class Hf(Options):
    """Make all commands available as `hf fair`, or undo this.

    `hf` finds only the extensions that its own folder lists, not what pip installed. This writes
    the entry of that folder, as `hf extensions install` does, and removes it.

    Example: fair-datasets hf --register

    Attributes:
        register: Let `hf fair ...` run the commands of this installation.
        unregister: Remove what --register wrote.
    """

    register: bool = False
    unregister: bool = False

    def run(self) -> None:
        """Run the command."""
        if self.register == self.unregister:
            raise invalid("give either --register or --unregister.")
        version = _version()
        folder = Path("~/.local/share/hf/extensions").expanduser() / _NAME
        _refuse_foreign(folder)
        if self.unregister:
            if not folder.exists():
                raise invalid("`hf fair` is not registered; there is nothing to remove.")
            shutil.rmtree(folder)
            print("`hf fair` is no longer registered.")
            return
        _register(folder)
        print(f"hf {version} now runs these commands: type `hf fair --help`.")


def _version() -> str:
    """Return the version of the `hf` on the PATH; raise where its extensions may be another way."""
    if sys.platform == "win32":
        raise invalid("hf runs no scripts on Windows; type fair-datasets in place of hf fair.")
    program = shutil.which("hf")
    if program is None:
        raise invalid("there is no command `hf` on the PATH; install huggingface_hub.")
    quiet = {**os.environ, "HF_HUB_DISABLE_UPDATE_CHECK": "1"}
    done = subprocess.run([program, "--version"], capture_output=True, text=True, env=quiet)
    matched = re.match(r"(\d+)\.(\d+)\b", done.stdout)
    if matched is None or not _FIRST <= (int(matched[1]), int(matched[2])) <= _LAST:
        known = " to ".join(".".join(map(str, each)) for each in (_FIRST, _LAST))
        version = (done.stdout.split() or ["nothing"])[-1]
        raise invalid(
            f"the manifests of hf {known} are known, but {program} --version says {version}; "
            "install one of these, or type fair-datasets in place of hf fair."
        )
    return done.stdout.strip()


def _refuse_foreign(folder: Path) -> None:
    """Raise where the extension `fair` is another's, whom we would overwrite."""
    manifest = read_note(folder / "manifest.json") or {}
    if folder.exists() and manifest.get("owner") != _OWNER:
        raise invalid(
            f"{folder} holds {manifest.get('repo_id', 'an unknown extension')}, which would be "
            "lost; remove it with `hf extensions remove fair` first."
        )


def _register(folder: Path) -> None:
    """Write what `hf extensions install` writes of a script, the manifest last."""
    folder.mkdir(parents=True, exist_ok=True)
    script = folder / _NAME
    write_file(script, _SCRIPT.format(python=shlex.quote(sys.executable)).encode())
    script.chmod(0o755)
    manifest = {
        "owner": _OWNER, "repo": _NAME, "repo_id": f"{_OWNER}/{_NAME}",
        "short_name": _NAME.removeprefix("hf-"), "executable_path": str(script), "type": "binary",
        "installed_at": datetime.now(UTC).isoformat(), "description": PURPOSE, "commit_sha": None,
    }  # fmt: skip
    # What is known of the newest commit: nothing, which hf asks GitHub for again after a day.
    write_file(folder / ".latest_commit", b"")
    write_file(folder / "manifest.json", json.dumps(manifest, indent=2, sort_keys=True).encode())
