"""The folder of the demo as the Hub reads it."""

import subprocess
import sys
from pathlib import Path

from huggingface_hub import RepoCard

SCRIPTS = Path(__file__).parents[2] / "hub_scripts"


def test_the_card_names_what_runs() -> None:
    """The Space's metadata name the app, and a description that the Hub takes."""
    data = RepoCard.load(SCRIPTS / "demo" / "README.md").data.to_dict()
    assert data["sdk"] == "gradio"
    assert (SCRIPTS / "demo" / data["app_file"]).is_file()
    assert data["license"] == "apache-2.0"
    assert len(data["short_description"]) <= 60


def test_the_script_lists_what_it_would_send() -> None:
    """--dry-run sends nothing and works offline; what the help begins with says how to begin."""
    script = str(SCRIPTS / "push_demo.py")
    assert "hf auth login" in (SCRIPTS / "push_demo.py").read_text("utf-8").split('"""')[1]
    listed = subprocess.run(
        [sys.executable, script, "ada/demo", "--dry-run"], capture_output=True, text=True
    )
    assert listed.returncode == 0, listed.stderr
    for path in (SCRIPTS / "demo").iterdir():
        assert (f"  {path.name}\n" in listed.stdout) == path.is_file()
    assert "would be sent to" in listed.stdout
