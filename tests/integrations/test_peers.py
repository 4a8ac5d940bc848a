"""What the page of other packages shows of each is what the package does."""

from collections.abc import Callable
from pathlib import Path

import pytest

from fair_datasets.cards.markdown import fenced_blocks
from tests.integrations.test_langfair import data_of_nltk

PAGE = Path(__file__).parents[2] / "fair_datasets" / "docs" / "peers.md"
BLOCKS = fenced_blocks(PAGE.read_text("utf-8"))
TEXTS = next(block.code for block in BLOCKS if block.language == "python")


@pytest.mark.full
@pytest.mark.parametrize("peer", ["langfair", "augly", "langtest", "textattack"])
def test_the_block_of_a_package(
    peer: str, run_in: Callable[..., str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It runs as it stands, after the texts that all of them get."""
    monkeypatch.setenv("NLTK_DATA", str(data_of_nltk(tmp_path)))
    (block,) = [block.code for block in BLOCKS if block.language == peer]
    (tmp_path / "page.txt").write_text(f"{TEXTS}\n\n{block}\n", "utf-8")
    run_in(peer, "-W", "ignore", "-m", "doctest", tmp_path / "page.txt")
