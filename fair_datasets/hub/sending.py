"""What of a folder is sent to the Hub: no secrets, no links; of a model, what loading needs."""

import json
import os
import re
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from fair_datasets.hub.repositories import Content
from fair_datasets.system.checks import InputError, listed_few
from fair_datasets.system.portable import without_folders
from fair_datasets.version import __version__

# What transformers, PEFT, sentence-transformers and our own linear probes load, and what tells
# about it. What training leaves beside it (the state of the optimizer, its arguments, checkpoints,
# logs) holds texts, paths or pickles that are nobody's business.
_OF_A_MODEL = (
    "config.json", "generation_config.json", "adapter_config.json",
    "model.safetensors", "model-*.safetensors", "model.safetensors.index.json",
    "adapter_model*.safetensors", "adapter_model.safetensors.index.json",
    "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "added_tokens.json",
    "vocab.json", "vocab.txt", "merges.txt", "*.model", "*.tiktoken", "chat_template.*",
    "preprocessor_config.json", "processor_config.json",
    "modules.json", "config_sentence_transformers.json", "sentence_bert_config.json",
    "[0-9]_*/config.json", "[0-9]_*/model.safetensors",
    "linear_probe.json", "linear_probe.safetensors", "direction.safetensors",
    "technique.json", "lexicons/*/*.tsv", "weights/*/*.safetensors",
    "README.md", "LICENSE*", "LICENCE*", "NOTICE*",
)  # fmt: skip
_PICKLED_WEIGHTS = (
    "pytorch_model*.bin", "adapter_model*.bin", "model.pt", "model.pth",
    "*.ckpt", "*.joblib", "*.pickle", "*.pkl",
)  # fmt: skip
_LEFT_OUT = ("__pycache__",)
_UNPINNED = re.compile(rb"^fair[-_]datasets(\[[\w, -]*\])?[ \t]*(?=\r?$)", re.MULTILINE)


class Chosen(NamedTuple):
    """The files of a folder.

    Attributes:
        left_out: The names of those in the folder that are not, hidden ones aside.
    """

    files: dict[str, Content]
    left_out: list[str]


def files_of(folder: Path) -> Chosen:
    """Choose the files of a folder that are sent.

    Hidden files are left out: they are settings of tools, or secrets. So are links, which lead to
    files that lie elsewhere.
    """
    if not folder.is_dir():
        raise InputError(f"There is no folder {str(folder)!r}; check the path.")
    files: dict[str, Content] = {}
    links: list[str] = []
    for path in sorted(_walk(folder)):
        name = path.relative_to(folder).as_posix()
        if path.is_symlink():
            links.append(name)
        elif path.is_file():
            files[name] = path
    if not files:
        links_only = f"; {listed_few(links)} are links: copy what they lead to" if links else ""
        raise InputError(f"The folder {str(folder)!r} holds no files to send{links_only}.")
    return Chosen(files, links)


def model_files(folder: Path) -> Chosen:
    """Choose the files of a folder that loading a model needs.

    Args:
        folder: The folder that `save_pretrained` wrote.

    Returns:
        The files; paths of this machine in them are cut to their last part.
    """
    found, links = files_of(folder)
    files = {name: content for name, content in found.items() if _is_one_of(name, _OF_A_MODEL)}
    others = [name for name in found if name not in files]
    pickles = [name for name in others if _is_one_of(name, _PICKLED_WEIGHTS)]
    if pickles and not any(name.endswith(".safetensors") for name in files):
        raise InputError(
            f"The folder {str(folder)!r} keeps its weights as a pickle ({pickles[0]!r}), which can "
            "run code when it is read; load the model and save it again with save_pretrained, "
            "which writes safetensors."
        )
    if not files:
        raise InputError(
            f"The folder {str(folder)!r} holds no files that a model is loaded from, such as "
            f"config.json, only {listed_few(others)}; check the path."
        )
    sent = {name: _without_paths(name, content) for name, content in files.items()}
    return Chosen(sent, list(dict.fromkeys(map(_top, [*links, *others]))))


def pinned(files: dict[str, Content]) -> dict[str, Content]:
    r"""Fix the version of this package that a Space installs to the one that sends it.

    Returns:
        The files; a requirement of fair-datasets without a version gets one.
    """
    name = "requirements.txt"
    if name not in files:
        return files
    content = files[name]
    data = content if isinstance(content, bytes) else content.read_bytes()
    version = f"=={__version__}".encode()
    return {**files, name: _UNPINNED.sub(lambda found: found[0].rstrip() + version, data)}


def _walk(folder: Path) -> Iterator[Path]:
    """Walk the files of a folder, and the links in it, but what is hidden."""
    for place, folders, names in os.walk(folder):  # Links are not followed.
        names += [name for name in folders if Path(place, name).is_symlink()]
        folders[:] = [name for name in folders if name[0] != "." and name not in _LEFT_OUT]
        yield from (Path(place, name) for name in names if name[0] != ".")


def _is_one_of(name: str, patterns: tuple[str, ...]) -> bool:
    """Tell whether the path of a file matches a pattern, folder by folder."""
    parts = PurePosixPath(name).parts
    return any(
        len(parts) == len(wanted) and all(map(fnmatchcase, parts, wanted))
        for wanted in (PurePosixPath(pattern).parts for pattern in patterns)
    )


def _top(name: str) -> str:
    """Return the name of a file, or of the folder at the top in which it lies."""
    first, slash, _ = name.partition("/")
    return first + slash


def _without_paths(name: str, content: Content) -> Content:
    """Cut the paths of this machine that a settings file names to their last part."""
    if isinstance(content, bytes) or not name.endswith("config.json"):
        return content
    try:
        data = json.loads(content.read_text("utf-8"))
    except (OSError, ValueError):
        # It is sent as it is; what loads it will say what is wrong with it.
        return content
    changed = _cut(data)
    return content if changed == data else f"{json.dumps(changed, indent=2)}\n".encode()


def _cut(data: Any) -> Any:
    """Cut the paths in the settings of a model."""
    if isinstance(data, dict):
        return {
            key: without_folders(value)
            if key.endswith("name_or_path") and isinstance(value, str)
            else _cut(value)
            for key, value in data.items()
        }
    return data
