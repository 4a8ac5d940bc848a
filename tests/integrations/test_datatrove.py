"""The step of datatrove."""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from fair_datasets import CounterfactualSwap, InputError, MentionedAttribute


@dataclass
class Document:
    """What is rewritten."""

    text: Any
    id: str
    media: list[Any] = field(default_factory=list)
    metadata: dict[str, Any] = field(default_factory=dict)


class PipelineStep:
    """What a step is made from."""

    def __init__(self) -> None:
        """Count nothing yet."""
        self.stats = Counter[str]()

    def stat_update(self, *labels: str, value: int = 1, unit: str | None = None) -> None:
        """Count."""
        for label in labels:
            self.stats[label] += value

    @contextmanager
    def track_time(self, unit: str | None = None) -> Iterator[None]:
        """Time nothing."""
        yield

    def __call__(self, data: Any = None, rank: int = 0, world_size: int = 1) -> Any:
        """Run it."""
        return self.run(data, rank, world_size)  # type: ignore[attr-defined]


def batched(iterable: Any, n: int) -> Iterator[list[Any]]:
    """Give lists of some."""
    rows = list(iterable)
    yield from (rows[start : start + n] for start in range(0, len(rows), n))


class Logger:
    """What is logged."""

    said: list[str]
    warning = staticmethod(lambda text: Logger.said.append(text))


TOOL = {
    "datatrove.data": {"Document": Document},
    "datatrove.pipeline.base": {"PipelineStep": PipelineStep},
    "datatrove.utils.batching": {"batched": batched}, "datatrove.utils.logging": {"logger": Logger},
}  # fmt: skip
TEXTS = ["He ran.", "It rains.", "The Virgin Mary.", "She met her aunt.", None]


@pytest.fixture
def step(recorded: Callable[..., ModuleType]) -> Any:
    """Return the class of the step."""
    Logger.said = []
    return recorded("datatrove", TOOL).Counterfactuals


def documents(texts: list[Any]) -> list[Document]:
    """Make documents, each with a label and one with a date."""
    found = [Document(text, f"d{n}", [], {"label": n}) for n, text in enumerate(texts)]
    found[1].metadata["date"] = "2026-01-01"
    return found


@pytest.mark.parametrize("size", [1, 2, 1000])
@pytest.mark.parametrize("mode", ["augment", "replace", "substitute", "pair"])
def test_the_documents_are_the_rows_of_map(step: Any, mode: str, size: int) -> None:
    """In the same order, whatever the size of the batch."""
    swap = CounterfactualSwap(columns="text", mode=mode)
    made = list(step(swap, batch_size=size)(documents(TEXTS)))
    rows = swap({"text": TEXTS, "label": [*range(len(TEXTS))]})
    assert [each.text for each in made] == rows["text"]
    for name in rows.keys() - {"text"}:
        assert [each.metadata[name] for each in made] == rows[name]
    assert [each.id for each in made if "date" in each.metadata] == ["d1"]


def test_ids_and_counts(step: Any) -> None:
    """A counterfactual has an id of its own; what is left is counted by its reason."""
    once = step(CounterfactualSwap(columns="text"))
    ids = [each.id for each in once(documents(TEXTS))]
    assert ids == ["d0", "d0/cf", "d1", "d2", "d3", "d3/cf", "d4"]
    phrase = "left/it belongs to a phrase that is left alone"
    assert once.stats == {"rewritten": 2, "left/nothing in it is rewritten": 2, phrase: 1}

    several = step(CounterfactualSwap(columns="text", axis=("gender", "religion")))
    ids = [each.id for each in several([Document("She met Jews.", "7")])]
    assert ids == ["7", "7/cf", "7/cf2"]
    replaced = step(CounterfactualSwap(columns="text", mode="replace"))
    assert [each.id for each in replaced(documents(TEXTS))] == ["d0/cf", "d1", "d2", "d3/cf", "d4"]
    doubled = step(CounterfactualSwap(columns="text", keep_unchanged=True))
    assert [each.id for each in doubled([Document("Rain.", "7")])] == ["7", "7/cf"]


def test_a_document_that_cannot_be_read_is_left(step: Any) -> None:
    """The others are rewritten; the log names it, and the counts do."""
    once = step(CounterfactualSwap(columns="text", family=False))
    made = list(once([Document("He ran.", "a"), Document(5, "b"), Document("She ran.", "c")]))
    assert [each.text for each in made] == ["He ran.", "She ran.", 5, "She ran.", "He ran."]
    (said,) = Logger.said
    assert said.startswith("b is left: it cannot be read: CounterfactualSwap: column 'text' must")
    assert once.stats["left/it cannot be read"] == 1
    with pytest.raises(InputError, match="column 'text' must hold text or nulls"):
        list(once([Document(5, "a"), Document(6, "b")]))


def test_texts_in_the_metadata(step: Any) -> None:
    """They are columns, too; one that is not there is told."""
    title = step(CounterfactualSwap(columns=("text", "title"), family=False))
    made = list(title([Document("Rain.", "a", [], {"title": "He ran."})]))
    assert [(each.id, each.metadata["title"]) for each in made] == [
        ("a", "He ran."), ("a/cf", "She ran."),
    ]  # fmt: skip
    with pytest.raises(InputError, match="there is no column 'title'; the columns are 'text'"):
        list(title([Document("Rain.", "a")]))


def test_wrong_parameters(step: Any) -> None:
    """They are told before the pipeline runs."""
    with pytest.raises(InputError, match="technique must be one that rewrites"):
        step(MentionedAttribute(columns="text"))
    with pytest.raises(InputError, match="batch_size must be"):
        step(CounterfactualSwap(columns="text"), batch_size=0)
    assert list(step(CounterfactualSwap(columns="text"))(None)) == []


# A pipeline whose second task ends the process after three documents, where it is told to.
CUT = """
import sys
from datatrove.executor import LocalPipelineExecutor
from datatrove.pipeline.readers import JsonlReader
from datatrove.pipeline.writers import JsonlWriter
from fair_datasets import CounterfactualSwap
from fair_datasets.integrations.datatrove import Counterfactuals

def cut(documents, rank=0, world_size=1):
    for number, document in enumerate(documents):
        if sys.argv[1:] == ["cut"] and rank == 1 and number == 3:
            raise KeyboardInterrupt
        yield document

rewrite = Counterfactuals(CounterfactualSwap(columns="text"), batch_size=2)
steps = [JsonlReader("reviews-jsonl"), rewrite, cut, JsonlWriter("out", compression=None)]
LocalPipelineExecutor(steps, tasks=2, workers=1, logging_dir="logs").run()
"""


@pytest.mark.full
def test_in_datatrove(
    run_in: Any, same_calls: Any, on_the_page: Any, tmp_path: Path, reviews: Any, rows_of_map: Any
) -> None:
    """The page's pipeline gives the rows of map; its Parquet files can be read by another one."""
    same_calls("datatrove", TOOL)
    recipe = on_the_page("datatrove")
    (tmp_path / "pipeline.py").write_text(recipe)
    run_in("datatrove", "pipeline.py", cwd=tmp_path)
    assert reviews(tmp_path / "reviews-trove") == rows_of_map
    stats = json.loads((tmp_path / "reviews-logs" / "stats.json").read_text())[1]["stats"]
    assert stats["rewritten"]["total"] == 6
    assert stats["left/it belongs to a phrase that is left alone"] == 2

    again = recipe
    for old, new in (
        ("JsonlReader", "ParquetReader"), ("reviews-jsonl", "reviews-trove"),
        ('ParquetWriter("reviews-trove")', 'ParquetWriter("reviews-again")'),
        ("reviews-logs", "logs-again"), ("    Counterfactuals(", "    # Counterfactuals("),
    ):  # fmt: skip
        again = again.replace(old, new)
    (tmp_path / "again.py").write_text(again)
    run_in("datatrove", "again.py", cwd=tmp_path)
    assert reviews(tmp_path / "reviews-again") == rows_of_map


@pytest.mark.full
def test_a_cut_task_is_done_again(
    run_in: Any, tmp_path: Path, reviews: Any, rows_of_map: Any
) -> None:
    """In full, and its file is overwritten; what was finished is skipped."""
    run_in("datatrove", "-c", CUT, "cut", cwd=tmp_path, fails=True)
    first, second = tmp_path / "out" / "00000.jsonl", tmp_path / "out" / "00001.jsonl"
    assert len(first.read_text().splitlines()) == 8
    assert len(second.read_text().splitlines()) < 8
    before = first.stat().st_mtime_ns
    run_in("datatrove", "-c", CUT, cwd=tmp_path)
    assert first.stat().st_mtime_ns == before
    assert reviews(tmp_path / "out") == rows_of_map
