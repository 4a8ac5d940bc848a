"""The network that ships."""

import hashlib
import tomllib

import numpy as np
import pytest

from fair_datasets.reader import load_reader
from fair_datasets.reader.matching.token_batch import TokenBatch
from fair_datasets.reader.student import WEIGHTS


@pytest.mark.parametrize(("text", "tags"), [
    ("Mary told us that Paul Smith had left.",
     {"mary": "given name", "paul": "given name", "smith": "family name", "left": "none"}),
    ("They moved from Austin to Paris last year.", {"paris": "place"}),
    ("I saw her yesterday.", {"her": "object"}),
    ("I saw her brother yesterday.", {"her": "determiner"}),
    ("This is his house.", {"his": "determiner"}), ("A friend of his told me.", {"his": "alone"}),
])  # fmt: skip
def test_plain_sentences_are_read(text: str, tags: dict[str, str]) -> None:
    """As anybody reads them."""
    words = TokenBatch([text])
    places = np.flatnonzero(~words.is_end)
    told = load_reader().tags(words, places).named()
    found = dict(zip(map(words.lower, places.tolist()), told, strict=True))
    assert found.items() >= tags.items()


def test_it_is_small_and_its_card_is_of_these_weights() -> None:
    """At most 1.5 MB, as a file of whole numbers; what it keeps of words takes at most 36 MB."""
    assert WEIGHTS.stat().st_size <= 1_500_000
    card = tomllib.loads(WEIGHTS.with_suffix(".toml").read_text("utf-8"))
    digest = hashlib.sha256(WEIGHTS.read_bytes()).hexdigest()
    assert card["digests"] == {WEIGHTS.name: digest}
    assert load_reader()._table.nbytes <= 36_000_000  # type: ignore[attr-defined]
