"""What the teacher says of texts, kept in parts, so that an interrupted run goes on."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fair_datasets.matching.tokens import Tokens, tokenize
from fair_datasets.reader.encoder import Encoder
from fair_datasets.reader.tags import TAGS
from fair_datasets.steps import Steps

PART = 4096
"""How many texts a part has."""
WHOLE = 255
"""A probability of one, as it is kept."""

Shares = NDArray[np.uint8]


def labelled(texts: Sequence[str], teacher: Encoder, out: Path) -> list[Shares]:
    """Ask a teacher about all words of texts.

    Args:
        texts: The texts.
        teacher: The teacher.
        out: The folder of the parts; those that an earlier run finished are read.

    Returns:
        For each text the probabilities of the tags, in parts of 255. Shape (words, 10) each.
    """
    from safetensors.numpy import load_file, save_file

    out.mkdir(parents=True, exist_ok=True)
    found: list[Shares] = []
    with Steps("Asking the teacher", len(texts), unit="text", work=out) as steps:
        for begin in range(0, len(texts), PART):
            part = [tokenize(text) for text in texts[begin : begin + PART]]
            path = out / f"part-{begin // PART:05}.safetensors"
            if path.exists():
                found += _divided(load_file(path)["shares"], part)
            else:
                shares = [_rounded(each) for each in teacher.shares(part)]
                fresh = path.with_suffix(".new")
                save_file(
                    {"shares": np.concatenate([*shares, _rounded(np.zeros((0, len(TAGS))))])}, fresh
                )
                fresh.rename(path)
                found += shares
            steps.step(number=len(part))
    return found


def _rounded(shares: NDArray[Any]) -> Shares:
    """Return probabilities in parts of 255."""
    found: Shares = np.rint(shares * WHOLE).astype(np.uint8)
    return found


def _divided(shares: Shares, texts: Sequence[Tokens]) -> list[Shares]:
    """Divide what was kept by the texts."""
    return np.split(shares, np.cumsum([len(tokens.starts) for tokens in texts])[:-1])
