"""What verification is worth to each way of rewriting one person of two.

    python tests/benchmarks/rewriting.py [--rows N] [--model ID] [--control FORMAT]
        [--endpoint ADDRESS] [--seq2seq [ID]] [--person FOLDER]

Sentences about two people made by templates, of whom the first is asked for. For each way, as it
writes and with what `verify` refuses replaced by the swap, which rewrites all of that gender:

- exact: how many rows are exactly what is right;
- decisions: of the words that tell the gender of one of the two, how many change or stay rightly;
- refused, of wrong and of right: how many of each `verify` refuses; a right one that is refused
  costs a row, a wrong one that passes is told as right;
- rows per second of processor time, with that of the scripted server, and the peak of memory of the
  process so far, in the order of the table.

`chat` is a scripted server unless --model and --endpoint name a real one: it knows the right
edits, and of ten rows it invents something in one, rewrites all of that gender in one, forgets an
edit in one and answers one without JSON. It shows what becomes of such faults, not how often a
model makes them. `--control chat --model ID` without an endpoint runs a chat model here, and
`--seq2seq ID` an encoder-decoder; `--seq2seq` alone trains a small BART before, on sentences of the
same templates about other pairs of people. `--person FOLDER` adds the swap of one person, by a
model that `fair-datasets train person` wrote.
"""

import argparse
import json
import os
import resource
import runpy
import tempfile
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

os.environ.setdefault("HF_HUB_OFFLINE", "1")

import torch
import transformers
from datasets import Dataset

from fair_datasets import ModelRewrite, PersonSwap, find_terms
from fair_datasets.cards.report import text_table
from fair_datasets.rewriters import PerturberConfig, train_perturber, two_person_perturbations
from fair_datasets.rewriters.perturber.data import swapped
from fair_datasets.swap import verify_all
from fair_datasets.swap.rewriting.counterfactuals import aligned_edits

SERVER = runpy.run_path(
    str(Path(__file__).parents[1] / "rewriters" / "generation" / "server.py"),
    run_name="server",
)
Write = Callable[[Dataset], list[str]]


def two_people(rows: int) -> Dataset:
    """Return sentences about two people of whom the first is asked for."""
    made = two_person_perturbations(4 * rows, seed=1000)
    first = made.filter(lambda row: row["original"].split()[1] == row["selected_word"])
    return first.select(range(min(len(first), rows)))


def scripted(rows: Dataset) -> Callable[[dict[str, Any]], Any]:
    """Return a server that knows what is right, and errs in four of ten rows."""
    pairs = zip(rows["original"][:], rows["perturbed"][:], strict=True)
    everybody = dict(zip(rows["original"][:], swapped(rows), strict=True))
    right = dict(pairs)

    def answer(asked: dict[str, Any]) -> str:
        text, _ = SERVER["text_of"](asked)
        kind = zlib.crc32(text.encode()) % 10
        new = everybody[text] if kind == 0 else right[text]
        edits = list(SERVER["edits_between"](text, new))
        if kind == 1:
            before, after, number = edits[-1]
            edits[-1] = (before, f"{after} of all people", number)
        if kind == 2:
            edits = edits[:-1]
        return "I would rather not." if kind == 3 else SERVER["edits"](*edits)

    return answer


@contextmanager
def ways(rows: Dataset, arguments: argparse.Namespace) -> Iterator[dict[str, Write]]:
    """Give what rewrites rows, by its name."""
    found: dict[str, Write] = {
        "copying": lambda rows: rows["original"][:],
        "swap": swapped,
    }
    if arguments.person is not None:
        one = PersonSwap(columns="original", model=arguments.person, mode="replace")
        found["one-person swap"] = lambda rows: one(rows[:])["original"]
    chat: dict[str, Any] = {"control": "chat", "model": arguments.model or "scripted"}
    with SERVER["serving"](scripted(rows)) as server:
        address = arguments.endpoint or (None if arguments.model else server.address)
        name = "chat (scripted server)" if arguments.model is None else f"chat ({arguments.model})"
        found[name] = lambda rows: by_model(rows, **chat, endpoint=address)
        with tempfile.TemporaryDirectory() as folder:
            if arguments.seq2seq is not None:
                model = arguments.seq2seq or trained(rows, Path(folder, "model"))
                settings = {"model": model, "control": arguments.control}
                name = f"seq2seq ({arguments.seq2seq or 'trained here'})"
                found[name] = lambda rows: by_model(rows, **settings)
            yield found


def trained(rows: Dataset, folder: Path) -> str:
    """Train a small BART on sentences about other pairs of people than those of rows."""
    pairs = set(rows["people"])
    other = two_person_perturbations(9000).filter(lambda row: row["people"] not in pairs)
    config = PerturberConfig.small(
        out=folder, heads=2, vocabulary=600, dropout=0.1, max_length=64, epochs=2,
        learning_rate=1.5e-3, evaluation_rows=50, shares=(0.98, 0.01, 0.01),
    )  # fmt: skip
    start = time.process_time()
    train_perturber(config, other)
    seconds = time.process_time() - start
    print(f"a small BART, trained on {len(other):,} sentences in {seconds:.0f} s of the processor")
    return str(folder)


def by_model(rows: Dataset, **settings: Any) -> list[str]:
    """Rewrite rows as a model writes, where it writes anything."""
    technique = ModelRewrite(
        columns="original", mode="replace", verified=False, fallback="original", **settings
    )
    found: list[str] = technique(rows[:])["original"]
    return found


def decisions(rows: Dataset, texts: Sequence[str]) -> float:
    """Return how many words that tell a gender change, or stay, as they should."""
    right = total = 0
    for before, wanted, after in zip(rows["original"][:], rows["perturbed"][:], texts, strict=True):
        changed = [
            {k for edit in aligned_edits(before, new) for k in range(edit.start, edit.end)}
            for new in (wanted, after)
        ]
        for term in find_terms(before):
            if term.attribute in ("man", "woman"):
                total += 1
                right += (term.start in changed[0]) == (term.start in changed[1])
    return right / max(1, total)


def main() -> None:
    """Print the table, and what was found."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rows", type=int, default=400, help="how many rows (400)")
    parser.add_argument("--model", help="a chat model, by its Hub id or folder")
    parser.add_argument("--endpoint", help="the server that runs the model")
    parser.add_argument("--control", default="perturber", help="how the model is told what to do")
    parser.add_argument(
        "--seq2seq", nargs="?", const="", metavar="ID",
        help="an encoder-decoder as well; without an ID, one that is trained here",
    )  # fmt: skip
    parser.add_argument("--person", metavar="FOLDER", help="a one-person swap as well")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    transformers.utils.logging.set_verbosity_error()
    rows = two_people(arguments.rows)
    wanted, safe = rows["perturbed"][:], swapped(rows)
    found, faults = [], []
    with ways(rows, arguments) as each:
        for name, write in each.items():
            write(rows.select([0]))  # loads what it takes
            start = time.process_time()
            texts = write(rows)
            written = time.process_time()
            verdicts = verify_all(
                rows["original"][:], texts, "gender", rows["target_attribute"][:],
                words=rows["selected_word"][:],
            )  # fmt: skip
            verified = time.process_time()
            accepted = [verdict.accepted for verdict in verdicts]
            exact = list(map(str.__eq__, texts, wanted))
            kept = [new if ok else old for new, ok, old in zip(texts, accepted, safe, strict=True)]
            wrong = exact.count(False)
            passed = sum(ok and not is_right for ok, is_right in zip(accepted, exact, strict=True))
            refused = sum(is_right and not ok for ok, is_right in zip(accepted, exact, strict=True))
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            for how, new, seconds in (
                ("as written", texts, written - start), ("verified", kept, verified - start)
            ):  # fmt: skip
                is_verified = how == "verified"
                found.append({
                    "rewrite": name, "": how,
                    "exact": sum(map(str.__eq__, new, wanted)) / len(rows),
                    "decisions": decisions(rows, new),
                    "wrong refused": f"{wrong - passed} of {wrong}" if is_verified else "",
                    "right refused": f"{refused} of {len(rows) - wrong}" if is_verified else "",
                    "rows/s": round(len(rows) / max(seconds, 1e-9)) if seconds > 0.01 else "",
                    "peak MB": round(peak),
                })  # fmt: skip
            reasons: dict[str, int] = {}
            for verdict in verdicts:
                if verdict.reason is not None:
                    reasons[verdict.reason.value] = reasons.get(verdict.reason.value, 0) + 1
            faults.append((name, reasons))
    print(f"{len(rows):,} sentences about two people, of whom the first is asked for\n")
    print(text_table(found))
    for name, reasons in faults:
        print(f"\n{name}: verify finds {json.dumps(reasons) if reasons else 'nothing'}")


if __name__ == "__main__":
    main()
