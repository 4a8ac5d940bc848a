"""How fast rows are rewritten by a model, beside a plain loop over `generate`.

Without `--speed`: how good the rewrites are, see `rewriting_quality.py`; with `--table`: what
verification is worth to each way of rewriting, see `rewriting_table.py`.

    python tests/benchmarks/rewriting.py --speed [--rows N] [--check N] [--seconds S] [--data DIR]
                                         [--model FOLDER] [--large]

Both write the same rows with the same model in one run: paragraphs of the novels and sentences of
BOLD, as `ModelRewrite` splits the longer ones, all of which mention men or women.

- plain: `generate`, greedily and with its cache, in batches of 8 rows in their order.
- ours: `decode` with the text as the draft, its defaults otherwise.

What each row alone gives by greedy `generate` is compared with ours for `--check` of the rows, and
what both give for all. Tokens are those written; time is that of the processor. The model is a
small BART (3 + 3 layers of 256) that is trained for `--seconds` to write what the swap writes, as a
draft is good only for a model that copies; `--large` takes one of the size of bart-base instead,
untrained, which copies nearly all by its first weights. The peak of memory is that of the process
after each step, with ours first.
"""

import argparse
import os
import random
import resource
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

os.environ.setdefault("HF_HUB_OFFLINE", "1")

import numpy as np
import torch
import transformers
from copying_bart import byte_tokenizer, copying_bart, train
from corpora import column, parser_of, texts_of
from rewriting_quality import quality
from rewriting_table import table

from fair_datasets import CounterfactualSwap, find_terms
from fair_datasets.rewriters.generation.decoding import decode
from fair_datasets.rewriters.generation.loading import load_writer
from fair_datasets.rewriters.generation.writing import pieces
from fair_datasets.scores.models import ScoringModel

LONGEST = 512
BATCH = 8


def novels(data: Path) -> list[str]:
    """Return the paragraphs of the novels, in an order drawn once."""
    texts = texts_of(data / "text" / "novels.jsonl.gz")
    random.Random(0).shuffle(texts)
    return texts


def bold(data: Path) -> list[str]:
    """Return the sentences of BOLD, in an order drawn once."""
    texts = column(data / "classification" / "bold_wikipedia_gender_race.csv.gz", "text")
    random.Random(0).shuffle(texts)
    return texts


def trained(folder: Path, data: Path, seconds: float, *, is_large: bool) -> None:
    """Make the model and its tokenizer, and save both."""
    texts = novels(data)[:6000] + bold(data)[:3000]
    tokenizer = byte_tokenizer(texts, 8000)
    if is_large:
        # As many tokens as bart-base has, of which the tokenizer uses some.
        model = copying_bart(50_265, layers=6, width=768, heads=12)
    else:
        model = copying_bart(len(tokenizer))
        swapped = CounterfactualSwap(columns="text", mode="replace")({"text": texts})["text"]
        encoded = zip(tokenizer(texts)["input_ids"], tokenizer(swapped)["input_ids"], strict=True)
        pairs = sorted(
            (pair for pair in encoded if len(pair[0]) < LONGEST), key=lambda p: len(p[0])
        )
        print(f"training on {len(pairs)} pairs for {seconds:.0f} s")
        print(f"last loss {train(model, pairs, seconds=seconds):.4f}")
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)


def mentioning(texts: Sequence[str], tokenizer: Any, count: int) -> list[list[int]]:
    """Return the token ids of the first pieces that mention men or women."""
    found: list[list[int]] = []
    for text in texts:
        split = pieces(text, lambda piece: len(tokenizer(piece)["input_ids"]) <= LONGEST) or []
        mention = [piece for piece in split if any(term.attribute for term in find_terms(piece))]
        found += [tokenizer(piece.strip())["input_ids"] for piece in mention]
        if len(found) >= count:
            break
    return found[:count]


def generated(loaded: ScoringModel, rows: Sequence[list[int]], limits: Sequence[int]) -> Any:
    """Write rows by `generate`, some at a time in their order."""
    written: list[list[int]] = []
    end = loaded.tokenizer.eos_token_id
    for start in range(0, len(rows), BATCH):
        batch = loaded.tokenizer.pad(
            {"input_ids": rows[start : start + BATCH]}, return_tensors="pt"
        ).to(loaded.model.device)
        with torch.inference_mode():
            tokens = loaded.model.generate(
                **batch, max_new_tokens=max(limits[start : start + BATCH]), do_sample=False,
                num_beams=1,
            ).tolist()  # fmt: skip
        for row, limit in zip(tokens, limits[start : start + BATCH], strict=True):
            ids = row[1 : limit + 1]
            written.append(ids[: ids.index(end)] if end in ids else ids)
    return written


def timed(write: Callable[[], Any]) -> tuple[Any, float]:
    """Return what a function gives, and the seconds of the processor that it takes."""
    before = time.process_time()
    found = write()
    return found, time.process_time() - before


def told(name: str, tokens: int, seconds: float) -> None:
    """Print how fast something was, and the peak of memory."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"  {name:6} {tokens / seconds:8.0f} tokens/s {seconds:8.1f} s   peak {peak:6.0f} MB")


def compare(name: str, loaded: ScoringModel, rows: list[list[int]], check: int) -> None:
    """Write rows in both ways, and print how fast and how alike."""
    limits = [len(row) + max(16, len(row) // 2) for row in rows]
    sizes = np.array([len(row) for row in rows])
    batches = [sizes[start : start + BATCH] for start in range(0, len(sizes), BATCH)]
    padded = sum(batch.max() * batch.size for batch in batches)
    print(
        f"{name}: {len(rows)} rows, {sizes.sum()} tokens to read, {np.median(sizes):.0f} in the "
        f"median row and {sizes.max()} in the longest; padding in batches of {BATCH} in row order "
        f"makes them {padded / sizes.sum():.2f} times as many"
    )
    ours, fast = timed(lambda: decode(loaded, rows, limits=limits))
    tokens = sum(len(row.ids) + 1 for row in ours)
    told("ours", tokens, fast)
    plain, slow = timed(lambda: generated(loaded, rows, limits))
    plain_tokens = sum(len(row) + 1 for row in plain)
    told("plain", plain_tokens, slow)
    same = sum(row.ids == ids for row, ids in zip(ours, plain, strict=True))
    chosen = range(0, len(rows), max(1, len(rows) // check))
    alone = sum(ours[k].ids == generated(loaded, [rows[k]], [limits[k]])[0] for k in chosen)
    passes = sum(row.passes for row in ours) / len(ours)
    print(
        f"  {tokens / fast / (plain_tokens / slow):.2f} times as fast; {passes:.2f} passes a row; "
        f"equal to greedy decoding of each row alone: {alone} of {len(chosen)}; to plain: {same} "
        f"of {len(rows)}; not ended: {sum(bool(row.fault) for row in ours)}"
    )


def speed(arguments: argparse.Namespace) -> None:
    """Compare the two ways over both texts."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = arguments.model or scratch
        if arguments.model is None or not Path(folder, "config.json").is_file():
            trained(Path(folder), arguments.data, arguments.seconds, is_large=arguments.large)
        loaded = load_writer(str(folder), owner="rewriting")
        # What the model was trained on comes first.
        for name, texts in (
            ("novels", novels(arguments.data)[6000:]), ("BOLD", bold(arguments.data)[3000:])
        ):  # fmt: skip
            rows = mentioning(texts, loaded.tokenizer, arguments.rows)
            compare(name, loaded, rows, arguments.check)


def main() -> None:
    """Read the arguments and run what is asked for."""
    parser = parser_of(__doc__.split("\n\n")[0])
    parser.add_argument("--speed", action="store_true", help="compare the speed, not the quality")
    parser.add_argument(
        "--table", action="store_true", help="what verification is worth to each way"
    )
    parser.add_argument("--endpoint", help="with --table: the server that runs the model")
    parser.add_argument(
        "--seq2seq", nargs="?", const="", metavar="ID",
        help="with --table: an encoder-decoder as well; without an ID, one that is trained here",
    )  # fmt: skip
    parser.add_argument(
        "--person", metavar="FOLDER", help="with --table: a one-person swap as well"
    )
    parser.add_argument("--rows", type=int, default=400, help="how many rows of each text")
    parser.add_argument("--check", type=int, default=100, help="how many rows are written alone")
    parser.add_argument("--seconds", type=float, default=300, help="how long to train")
    parser.add_argument("--model", help="a Hub id or folder; with --speed one to keep a model in")
    parser.add_argument("--revision", help="of the model on the Hub")
    parser.add_argument("--control", default="perturber", help="how the model is told what to do")
    parser.add_argument("--language-model", metavar="ID", help="a causal one, for perplexity")
    parser.add_argument("--large", action="store_true", help="the size of bart-base, untrained")
    parser.add_argument("--threads", type=int, default=1)
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    transformers.utils.logging.set_verbosity_error()
    if arguments.speed:
        speed(arguments)
    elif arguments.table:
        table(arguments)
    else:
        quality(arguments)


if __name__ == "__main__":
    main()
