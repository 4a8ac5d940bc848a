"""Whether the commands of the shell write what those of another checkout write.

    python tests/benchmarks/commands.py --beside CHECKOUT [--rows 400]

Both are installed into folders of their own and asked the same about rows of the shared data. It
prints how many files each command wrote, and which differ but for folders, versions and times.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import pyarrow.parquet as pq
from checkouts import HERE
from corpora import corpora, parser_of
from datasets import Dataset

TEXT = ("rows.csv", "--text", "text")
SWAPS = {
    f"augment {' '.join(more)}": ("augment", *TEXT, "--out", "out", *more)
    for more in (
        ("--axis", "gender"), ("--axis", "race"), ("--axis", "religion"), ("--axis", "age"),
        ("--axis", "nationality"), ("--axis", "orientation"),
        ("--axis", "gender", "--axis", "race"), ("--mode", "substitute"), ("--mode", "pair"),
        ("--mode", "replace", "--target", "non-binary", "--provenance"), ("--no-names",),
        ("--test-size", "0.2", "--audit", "seen"), ("--left", "left.jsonl"),
    )
}  # fmt: skip
COMMANDS: Mapping[str, Sequence[str]] = {
    **SWAPS,
    "find": ("find", "My sister Mary and her gay friend from Ghana prayed at noon."),
    "audit": ("audit", *TEXT, "--out", "page"),
    "audit with labels": ("audit", *TEXT, "--label", "label", "--out", "page"),
    "measure representation": ("measure", "representation", "rows.csv", "--text", "text"),
    "measure demographic_parity": (
        "measure", "demographic_parity", "rows.csv", "--predictions", "label", "--groups", "group",
    ),
    "impact": ("audit", "rows.csv", "--table", "impact", "--groups", "group", "--selected", "label",
               "--out", "page"),
    "score": ("score", *TEXT, "--label", "label", "--out", "scored"),
    "diet": ("diet", *TEXT, "--label", "label", "--out", "diet", "--seeds", "1"),
}  # fmt: skip
_ASIDE = {
    r"\d{4}-\d\d-\d\d[T ]?[\d:.+Z]*": "TIME", r"\b\d+\.\d+\.\d+\b": "VERSION",
    r"\d+(\.\d+)? (s|rows/s|MB|examples/s)\b": "SPEED",
    r'"(seconds|fingerprint|digest)": [^,}\n]+': "COST", r"\b[0-9a-f]{16,64}\b": "DIGEST",
}  # fmt: skip


def installed(checkout: Path, folder: Path) -> Path:
    """Install a checkout into a folder, so that its entry points are its own."""
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target"]
    subprocess.run([*command, str(folder), str(checkout)], check=True)
    return folder


def written(command: Sequence[str], package: Path, rows: Path, folder: Path) -> dict[str, str]:
    """Return what a command prints and the files that it writes, each as text."""
    folder.mkdir(parents=True)
    (folder / "rows.csv").write_bytes(rows.read_bytes())
    done = subprocess.run(
        [sys.executable, "-m", "fair_datasets", *command],
        cwd=folder, capture_output=True, text=True,
        env={**os.environ, "PYTHONPATH": str(package), "COLUMNS": "100", "HF_HUB_OFFLINE": "1"},
    )  # fmt: skip
    files = {"(code)": str(done.returncode), "(output)": done.stdout}
    if done.returncode:
        files["(error)"] = done.stderr
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.name != "rows.csv":
            files[str(path.relative_to(folder))] = as_text(path)
    return {name: plain(text, folder, package) for name, text in files.items()}


def as_text(path: Path) -> str:
    """Return a file as text; tables as JSON."""
    if path.suffix == ".parquet":
        return json.dumps(pq.read_table(path).to_pylist(), default=str)
    return path.read_bytes().decode("utf-8", "backslashreplace")


def plain(text: str, *folders: Path) -> str:
    """Return a text without what differs from run to run."""
    for folder in folders:
        text = text.replace(str(folder), "FOLDER")
    for aside, instead in _ASIDE.items():
        text = re.sub(aside, instead, text)
    return text


def main() -> None:
    """Compare the checkouts."""
    parser = parser_of("Compare what the commands of two checkouts write.")
    parser.add_argument("--beside", type=Path, required=True, help="the other checkout")
    parser.add_argument("--rows", type=int, default=400, help="rows of the file (400)")
    options = parser.parse_args()
    texts = [text for part in corpora(options.data, options.rows // 4).values() for text in part]
    made = {"text": texts, "label": [len(text) % 2 for text in texts],
            "group": ["ab"[len(text) // 2 % 2] for text in texts]}  # fmt: skip
    with tempfile.TemporaryDirectory() as temporary:
        work = Path(temporary)
        Dataset.from_dict(made).select(range(min(options.rows, len(texts)))).to_csv(
            work / "rows.csv"
        )
        packages = [
            installed(each, work / name)
            for each, name in ((HERE, "ours"), (options.beside, "theirs"))
        ]
        for number, (name, command) in enumerate(COMMANDS.items()):
            ours, theirs = (
                written(
                    command, package, work / "rows.csv", work / f"{number}" / package.name / "run"
                )
                for package in packages
            )
            other = [
                file for file in ours.keys() | theirs.keys() if ours.get(file) != theirs.get(file)
            ]
            print(
                f"{name}: rc {ours['(code)']}, {len(ours) - 2} files, {len(other)} differ",
                *sorted(other),
                flush=True,
            )


if __name__ == "__main__":
    main()
