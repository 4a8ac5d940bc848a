"""Texts of each kind in the shared data, for the benchmarks that read all of them."""

import argparse
import csv
import gzip
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

#: Sentences by their numbers, of which some mention persons.
TEMPLATES = (
    "He told his sister on day {} that the waiter was late.", "It rained on day {}.",
    "She and her uncle met the chairman, number {}.", "The nurse said that {} is a fine number.",
)  # fmt: skip


def parser_of(description: str | None) -> argparse.ArgumentParser:
    """Return a parser of options that knows the folder of the shared data."""
    folder = os.environ.get("FAIR_DATASETS_DATA", Path(__file__).parents[3] / "shared" / "data")
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--data", type=_folder, default=str(folder), help="the shared data")
    return parser


def _folder(name: str) -> Path:
    if not Path(name).is_dir():
        raise argparse.ArgumentTypeError(f"{name} is no folder")
    return Path(name)


def corpora(data: Path, size: int) -> dict[str, list[str]]:
    """Return so many texts of each kind, evenly drawn; fewer reviews, which are long."""
    kinds = data / "classification"
    pairs = csv.DictReader(
        _lines(data / "sentence_pairs" / "snli_subset_train.tsv"), delimiter="\t"
    )
    found = {
        "tweets": column(kinds / "twitter_sexism_train.csv.gz", "text"),
        "BOLD": column(kinds / "bold_wikipedia_gender_race.csv.gz", "text"),
        "novels": texts_of(data / "text" / "novels.jsonl.gz"),
        "SNLI": list(dict.fromkeys(row[f"sentence{side}"] for row in pairs for side in (1, 2))),
        "comments": column(kinds / "wikipedia_toxicity_nonfuzzed.csv.gz", "comment"),
        "IMDb": column(kinds / "imdb_counterfactual_train.tsv.gz", "Text"),
        "GAP": column(data / "coreference" / "gap_development.tsv", "Text"),
    }
    # Reviews are ten times as long as the others.
    sizes = {name: max(1, size // 4) if name == "IMDb" else size for name in found}
    return {
        name: texts[:: max(1, len(texts) // sizes[name])][: sizes[name]]
        for name, texts in found.items()
    }


def column(path: Path, name: str) -> list[str]:
    """Return the texts of one column of a table, which may be packed."""
    csv.field_size_limit(10**9)
    tabs = ".tsv" in path.suffixes
    return [row[name] for row in csv.DictReader(_lines(path), delimiter="\t" if tabs else ",")]


def texts_of(path: Path) -> list[str]:
    """Return the texts of a file of JSON lines, which may be packed."""
    return [json.loads(line)["text"] for line in _lines(path)]


def _lines(path: Path) -> Iterator[str]:
    """Yield the lines of a file, which may be packed."""
    open_file = cast(Callable[..., Any], gzip.open if path.suffix == ".gz" else open)
    with open_file(path, "rt", encoding="utf-8", newline="") as file:
        yield from file
