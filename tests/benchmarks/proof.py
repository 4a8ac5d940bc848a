"""Whether two checkouts of the project do the same: the proof that a change of the house has.

    python tests/benchmarks/proof.py --beside CHECKOUT [--data DIR] [--rows 1500] [--show 20]
        [--parts swaps techniques golden configurations measures commands]

Prints for each part how many cases there are, a digest of what ours gives, and how many differ,
with the first of them, which somebody has to read. The parts are

- swaps: what the swap writes along every axis, in every mode and to every target, over texts of
  each kind in the shared data;
- techniques: the rows and features that the other techniques without a model give, over the same;
- golden: what the swap writes for the reviewed sentences of this checkout;
- configurations: the rows of techniques that both load from what this checkout writes;
- measures: what the measures compute for 300 drawn cases, or the error that they raise;
- commands: exit code and first line of the errors of each command, without arguments, with a wrong
  option, and as the pages have it.
"""

import argparse
import csv
import hashlib
import json
import os
import re
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from checkouts import HERE, Checkout, serve
from corpora import corpora, parser_of
from datasets import ClassLabel, Features, List, Value

from fair_datasets.lexicons import available_lexicons, load_lexicon
from fair_datasets.swap.agreement import available_pronoun_sets
from fair_datasets.technique.contract import installed_techniques, load_technique

_BATCH, _CASES, _LONGEST = 500, 300, 40
Settings = dict[str, Any]


def swaps() -> Iterator[Settings]:
    """Give the settings of the swap."""
    for axis in available_lexicons():
        for names in (None, True, False) if axis in ("gender", "race") else (None,):
            for mode in ("augment", "substitute", "pair"):
                yield {"axis": axis, "mode": mode, "names": names}
        attributes = load_lexicon(axis).attributes
        for target in attributes:
            yield {"axis": axis, "mode": "replace", "target": target, "provenance": True}
        for source in attributes:
            for target in attributes if len(attributes) < 6 else attributes[:2]:
                if source != target:
                    yield {"axis": axis, "mode": "replace", "source": source, "target": target}
    for pronouns in available_pronoun_sets():
        settings = {"axis": "gender", "mode": "replace", "target": "non-binary"}
        yield {**settings, "pronouns": pronouns}
    for other in available_lexicons():
        if other != "gender":
            yield {"axis": ["gender", other], "mode": "augment", "joint": True}
            yield {"axis": ["gender", other], "mode": "augment"}


def techniques() -> Iterator[tuple[str, Settings]]:
    """Give the other techniques without a model, and their settings."""
    for axis in available_lexicons():
        for mode in ("remove", "neutralise"):
            yield "Blindness", {"columns": "text", "axis": axis, "mode": mode}
        yield "MentionedAttribute", {"columns": "text", "axis": axis}
        for candidates in ("lexicon", "mentions"):
            settings = {"columns": "text", "axis": axis, "candidates": candidates}
            yield "Perturbability", settings
            yield "PerturbationAugmentation", {**settings, "provenance": True, "seed": 2}
        yield "PreferenceTwins", {"columns": ["text", "reply"], "axis": axis, "mode": "replace"}
        yield "SwapAbove", {"columns": "text", "axis": axis, "score_column": "points",
                            "threshold": 0, "provenance": True}  # fmt: skip
    for columns in ("text", ["text", "reply"]):
        yield "RandomScore", {"columns": columns, "seed": 3}
    yield "KeepAbove", {"column": "points", "threshold": 0.5}
    yield "KeepBelow", {"column": "points", "threshold": 1, "missing": "keep"}
    yield "KeepLabelled", {"column": "label"}
    yield "EL2N", {"logits": "logits"}
    yield "Forgetting", {"logits": "epochs"}


FEATURES = Features(
    {
        "text": Value("string"), "reply": Value("string"),
        "label": ClassLabel(names=["negative", "neutral", "positive"]), "points": Value("float64"),
        "logits": List(Value("float64")), "epochs": List(List(Value("float64"))),
    }
)  # fmt: skip


def batch_of(texts: list[str], start: int) -> dict[str, list[Any]]:
    """Return the columns that the techniques read; the numbers are drawn."""
    draw, count = np.random.default_rng(start), len(texts)
    return {
        "text": list(texts),
        "reply": [*texts[1:], *texts[:1]],
        "label": [int(label) if label < 3 else None for label in draw.integers(0, 4, count)],
        "points": draw.normal(size=count).round(2).tolist(),
        "logits": draw.normal(size=(count, 3)).round(2).tolist(),
        "epochs": draw.normal(size=(count, 2, 3)).round(2).tolist(),
    }


def given(technique: Any, texts: list[str]) -> list[str]:
    """Return what a technique makes of texts, a row a line, and the features first."""
    found = [str(technique.features(FEATURES)) if hasattr(technique, "features") else ""]
    for start in range(0, len(texts), _BATCH):
        batch = technique(batch_of(texts[start : start + _BATCH], start))
        if not isinstance(batch, Mapping):
            found += [json.dumps(kept) for kept in np.asarray(batch).tolist()]
            continue
        rows = zip(*(batch[column] for column in sorted(batch)), strict=True)
        found += [json.dumps(row, ensure_ascii=False, default=str) for row in rows]
    return found


def asked_swap(texts: list[str], settings: Settings) -> list[str]:
    """Return what a swap gives, or the error of its settings."""
    return asked_technique(texts, "CounterfactualSwap", {"columns": "text", **settings})


def asked_technique(texts: list[str], name: str, settings: Settings) -> list[str]:
    """Return what a technique gives, or the error of its settings."""
    try:
        technique = installed_techniques()[name].load()(**settings)
    except ValueError as error:
        return [str(error)]
    return given(technique, texts)


def asked_configuration(texts: list[str], written: str) -> list[str]:
    """Return what a technique gives that is loaded from its configuration."""
    return given(load_technique(json.loads(written)), texts)


def measured(name: str, seed: int) -> str:
    """Return what a measure computes for a drawn case, or the error that it raises."""
    module = _measure(name)
    inputs = {column: _drawn(name, seed, column) for column in module.features}
    if name in ("label_association", "representation"):
        inputs["data"] = np.random.default_rng(seed).choice(_TEXTS, len(inputs["data"])).tolist()
    try:
        with warnings.catch_warnings(action="ignore"):
            found = module.compute(**inputs)
    except (ValueError, TypeError, ImportError) as error:
        return f"{type(error).__name__}: {str(error).splitlines()[0]}"
    return json.dumps(found, default=lambda each: np.asarray(each).tolist(), sort_keys=True)


@cache
def _measure(name: str) -> Any:
    import evaluate

    import fair_datasets

    return evaluate.load(str(Path(str(fair_datasets.__file__)).parents[1] / "metrics" / name))


def _drawn(measure: str, seed: int, column: str) -> list[Any]:
    """Draw the values of a column, of the kind that its name says; the sets are of WEAT."""
    draw = np.random.default_rng([seed, *column.encode()])
    count = 8 + int(np.random.default_rng(seed).integers(_LONGEST))
    if column in _WORDS or measure == "perturbation_quality":
        words = _WORDS.get(column, _TEXTS)
        return (
            [words[k % len(words)] for k in range(count)]
            if column == "sets"
            else (draw.choice(words[: 2 + seed % 4], count).tolist())
        )
    if column == "vectors":
        return draw.normal(size=(count, 3)).round(3).tolist()
    if column.endswith("differences") or (measure, column) in _NUMBERS:
        return draw.normal(size=count).round(3).tolist()
    return draw.integers(0, 2 + seed % 2, count).tolist()


_TEXTS = ("he left", "she left", "they met her", "it rains", "an old man sang")
_WORDS = {
    "groups": ("a", "b", "c", "d"), "bias_type": ("a", "b", "c"), "axes": ("age", "race"),
    "stereo_antistereo": ("stereo", "antistereo"), "templates": ("t", "u"), "texts": _TEXTS,
    "descriptors": ("x", "y", "z"), "sets": ("X", "Y", "A", "B"),
}  # fmt: skip
_NUMBERS = {
    ("crows_pairs", "sent_more"), ("crows_pairs", "sent_less"), ("holistic_bias", "data"),
    ("counterfactual_perplexity", "predictions"), ("counterfactual_perplexity", "references"),
    ("subgroup_auc", "predictions"),
}  # fmt: skip


def commands() -> Iterator[str]:
    """Give the commands: each without arguments and with a wrong option, and those of pages."""
    told = subprocess.run([sys.executable, "-m", "fair_datasets", "--help"], capture_output=True,
                          text=True, cwd=HERE)  # fmt: skip
    names = re.findall(r"^ {2,4}([a-z][a-z-]+)(?: {2}|$)", told.stdout, re.M)
    yield from ("", "--version", "--nope", "nope")
    for name in names:
        yield from (name, f"{name} --nope", f"{name} none.csv --text text --out out")
    pages = [HERE / "README.md", *sorted((HERE / "fair_datasets/docs").glob("*.md"))]
    found = dict.fromkeys(
        line[1].partition("#")[0].partition(">")[0].strip()
        for page in pages
        for line in re.finditer(r"^(?:\$ |> |    )?fair-datasets ([a-z].*[^\\\n])$",
                                page.read_text("utf-8").replace("\\\n", " "), re.M)
    )  # fmt: skip
    yield from (line for line in found if "|" not in line)


def ended(checkout: Path, line: str, folder: str) -> str:
    """Run a command in an empty folder: its exit code and the first line of its errors."""
    environment = {
        **os.environ, "PYTHONPATH": str(checkout), "HF_HUB_OFFLINE": "1", "COLUMNS": "80",
    }  # fmt: skip
    with TemporaryDirectory(dir=folder) as empty:
        try:
            done = subprocess.run(
                f"{sys.executable} -m fair_datasets {line}", shell=True, cwd=empty, timeout=100,
                capture_output=True, text=True, env=environment, stdin=subprocess.DEVNULL,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return "it did not end"
        said = [each for each in done.stderr.splitlines() if each.strip()]
        first = next((each for each in said if not each.startswith(("usage:", " "))), "")
        return f"{done.returncode}: {first}".replace(empty, "FOLDER").replace(str(checkout), "ROOT")


SERVED: Mapping[str, Callable[..., Any]] = {
    "swaps": asked_swap, "techniques": asked_technique, "configurations": asked_configuration,
}  # fmt: skip


class Part:
    """What is counted of a part.

    Args:
        name: What it is called.
        show: How many differences are printed at most.
    """

    def __init__(self, name: str, show: int) -> None:
        """Begin to count."""
        self.name, self.show = name, show
        self.digest, self.cases, self.different = hashlib.sha256(), 0, 0

    def add(self, case: object, own: list[str], other: list[str]) -> None:
        """Compare what both give for a case."""
        self.cases += 1
        self.digest.update(json.dumps(own).encode())
        pairs = [(one, two) for one, two in zip(own, other, strict=False) if one != two]
        self.different += len(pairs) + abs(len(own) - len(other))
        for one, two in pairs[: max(0, self.show)]:
            self.show -= 1
            print(f"\n{self.name} {case}\n  ours  {one}\n  other {two}", flush=True)

    def end(self) -> None:
        """Print what was counted."""
        digest = self.digest.hexdigest()[:16]
        print(f"{self.name:15} {self.cases:6,} cases {self.different:8,} differ; ours {digest}")


def served(part: str, data: Path, rows: int) -> None:
    """Answer what is asked of a part."""
    if part == "measures":
        serve(measured)
    elif part == "golden":
        serve(lambda options, text: asked_swap([text], options))
    else:
        texts = corpora(data, rows)
        serve(lambda corpus, *asked: SERVED[part](texts[corpus], *asked))


def questions(part: str, data: Path) -> Iterator[tuple[Any, ...]]:
    """Give what both checkouts are asked of a part."""
    kinds = list(corpora(data, 1))
    if part == "swaps":
        yield from product(kinds, swaps())
    elif part == "techniques":
        yield from ((kind, *each) for kind, each in product(kinds, techniques()))
    elif part == "configurations":
        several = [("CounterfactualSwap", {"columns": "text", **each}) for each in swaps()]
        for name, settings in [*several[::7], *techniques()]:
            try:
                written = installed_techniques()[name].load()(**settings).config()
            except ValueError:
                continue
            yield kinds[0], json.dumps(written)
    elif part == "golden":
        golden = HERE / "tests" / "golden"
        with (golden / "swaps.tsv").open(encoding="utf-8") as file:
            for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
                yield json.loads(row["options"] or "{}"), row["text"]
        for line in (golden / "they.tsv").read_text("utf-8").splitlines():
            yield {"mode": "replace", "target": "non-binary"}, line.partition("\t")[0]
    else:
        names = sorted(path.name for path in (HERE / "metrics").iterdir() if path.is_dir())
        names = [name for name in names if (HERE / "metrics" / name / f"{name}.py").exists()]
        yield from ((names[seed % len(names)], seed) for seed in range(_CASES))


def compared(part: str, options: argparse.Namespace) -> None:
    """Ask both checkouts, and print what differs."""
    counted = Part(part, options.show)
    if part == "commands":
        with TemporaryDirectory() as folder:
            for line in commands():
                both = (ended(each, line, folder) for each in (HERE, options.beside.resolve()))
                counted.add(line, *([each] for each in both))
        return counted.end()
    arguments = ("--serve", part, "--data", str(options.data), "--rows", str(options.rows))
    ours, theirs = (Checkout(folder, __file__, *arguments) for folder in (HERE, options.beside))
    for asked in questions(part, options.data):
        for checkout in (ours, theirs):
            checkout.ask(*asked)
        both = ([each] if isinstance(each, str) else each
                for each in (ours.answer(), theirs.answer()))  # fmt: skip
        counted.add(asked, *both)
    return counted.end()


def main() -> None:
    """Compare the checkouts."""
    parts = ("swaps", "techniques", "golden", "configurations", "measures", "commands")
    parser = parser_of("Compare what two checkouts do.")
    parser.add_argument("--beside", type=Path, help="the other checkout")
    parser.add_argument("--parts", nargs="+", choices=parts, default=parts, help="which parts")
    parser.add_argument("--rows", type=int, default=1500, help="texts of each corpus (1500)")
    parser.add_argument("--show", type=int, default=20, help="differences shown of a part (20)")
    parser.add_argument("--serve", choices=parts, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        served(options.serve, options.data, options.rows)
        return
    if options.beside is None:
        sys.exit("Name another checkout with --beside.")
    for part in options.parts:
        compared(part, options)


if __name__ == "__main__":
    main()
