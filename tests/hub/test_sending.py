"""Which files of a folder are sent."""

from pathlib import Path

import pytest

from fair_datasets.hub.sending import files_of, model_files, pinned
from fair_datasets.system.checks import InputError
from fair_datasets.version import __version__


def made(folder: Path, *names: str) -> Path:
    """Write files into a folder."""
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("{}")
    return folder


def test_what_is_hidden_stays_and_links_are_told(tmp_path: Path) -> None:
    """Wherever it lies; a link is not followed, whether it leads to a file or to a folder."""
    folder = made(
        tmp_path / "sent", "a.txt", "b/c.txt", "b/d/e.txt", ".f", ".g/h.txt", "b/.i/j.txt",
        "b/.k", "__pycache__/l.pyc", "b/__pycache__/m.pyc",
    )  # fmt: skip
    other = made(tmp_path / "other", "n.txt")
    (folder / "b" / "file").symlink_to(other / "n.txt")
    (folder / "folder").symlink_to(other)
    (folder / ".hidden").symlink_to(other)
    found = files_of(folder)
    assert [*found.files] == ["a.txt", "b/c.txt", "b/d/e.txt"]
    assert found.left_out == ["b/file", "folder"]


def test_a_folder_of_links_alone_is_refused(tmp_path: Path) -> None:
    """With their names, and what to do."""
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    with pytest.raises(InputError, match="holds no files to send; 'link' are links: copy what"):
        files_of(tmp_path)
    with pytest.raises(InputError, match="There is no folder"):
        files_of(tmp_path / "nowhere")


def test_of_a_model_what_loads_it_is_sent(tmp_path: Path) -> None:
    """All else is told by the file, or the folder at the top, in which it lies."""
    folder = made(
        tmp_path, "config.json", "model.safetensors", "notes.txt", "runs/a/b.txt", "runs/c.txt"
    )
    found = model_files(folder)
    assert set(found.files) == {"config.json", "model.safetensors"}
    assert found.left_out == ["notes.txt", "runs/"]
    (folder / "model.safetensors").rename(folder / "pytorch_model.bin")
    with pytest.raises(InputError, match=r"keeps its weights as a pickle \('pytorch_model.bin'\)"):
        model_files(folder)


@pytest.mark.parametrize(("given", "sent"), [
    ("fair-datasets\ntorch\n", f"fair-datasets=={__version__}\ntorch\n"),
    ("fair-datasets[models]\n", f"fair-datasets[models]=={__version__}\n"),
    ("fair-datasets==0.1\n", "fair-datasets==0.1\n"),
    ("torch\n", "torch\n"),
])  # fmt: skip
def test_a_space_installs_the_version_that_sends_it(given: str, sent: str, tmp_path: Path) -> None:
    """Unless its requirements name another."""
    path = tmp_path / "requirements.txt"
    path.write_text(given)
    for content in (given.encode(), path):
        assert pinned({"requirements.txt": content})["requirements.txt"] == sent.encode()
    assert pinned({"app.py": b""}) == {"app.py": b""}
