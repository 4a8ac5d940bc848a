"""The stage of NeMo Curator."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest

from fair_datasets import CounterfactualSwap, InputError


@dataclass
class DocumentBatch:
    """Some documents."""

    dataset_name: str
    data: Any
    _stage_perf: list[Any] = field(default_factory=list)
    _metadata: dict[str, Any] = field(default_factory=dict)


class ProcessingStage:
    """What stages are made from."""

    def __class_getitem__(cls, item: Any) -> Any:
        """Say what is taken and given."""
        return cls

    def _log_metrics(self, metrics: dict[str, float]) -> None:
        self.__dict__.setdefault("_custom_metrics", {}).update(metrics)


class Logger:
    """What is logged."""

    said: list[str]
    warning = staticmethod(lambda text: Logger.said.append(text))


TOOL: dict[str, dict[str, Any]] = {
    "nemo_curator.stages.base": {"ProcessingStage": ProcessingStage},
    "nemo_curator.tasks": {"DocumentBatch": DocumentBatch}, "loguru": {"logger": Logger},
}  # fmt: skip
TEXTS = ["He ran.", "It rains.", "The Virgin Mary.", "She met her aunt.", None]


@pytest.fixture
def stage(recorded: Callable[..., ModuleType]) -> Any:
    """Return the class of the stage."""
    Logger.said = []
    return recorded("nemo_curator", TOOL).CounterfactualStage


@pytest.mark.parametrize("kind", [pa.table, pd.DataFrame])
@pytest.mark.parametrize("mode", ["augment", "replace", "pair"])
def test_the_documents_are_the_rows_of_map(stage: Any, kind: Any, mode: str) -> None:
    """In a table of the kind and the types that came in, with what the task carries."""
    once = stage(parameters={"mode": mode})
    once.setup()
    given = DocumentBatch("reviews", kind({"text": TEXTS, "n": range(5)}), ["perf"], {"file": "a"})
    made = once.process(given)
    rows = CounterfactualSwap(columns="text", mode=mode)({"text": TEXTS, "n": range(5)})
    assert type(made.data) is type(given.data)
    table = pa.table(made.data) if kind is pa.table else pa.Table.from_pandas(made.data)
    assert table.to_pydict() == rows
    assert table.schema.field("n").type == pa.int64()
    assert made is not given
    assert (made.dataset_name, made._metadata, made._stage_perf) == (
        "reviews", {"file": "a"}, ["perf"],
    )  # fmt: skip
    assert once.inputs() == (["data"], ["text"])
    assert set(once.outputs()[1]) == rows.keys() - {"n"}


def test_types_of_arrow_stay(stage: Any) -> None:
    """Those of columns that are not read, too."""
    once = stage()
    once.setup()
    types = [("text", pa.large_string()), ("n", pa.int8()), ("at", pa.timestamp("us"))]
    schema = pa.schema([pa.field(name, kind) for name, kind in types])
    given = pa.Table.from_pylist([{"text": "He ran.", "n": 1, "at": None}], schema=schema)
    made = once.process(DocumentBatch("reviews", given)).data
    assert made.schema == schema.append(pa.field("family_id", pa.string()))
    assert made["text"].to_pylist() == ["He ran.", "She ran."]


def test_the_metrics_are_counts(stage: Any) -> None:
    """Of all batches that a worker did together."""
    once = stage()
    once.setup()
    for texts in (TEXTS, ["He ran.", 5]):
        once.process(DocumentBatch("reviews", pd.DataFrame({"text": texts})))
    phrase = "left/it belongs to a phrase that is left alone"
    nothing, unread = "left/nothing in it is rewritten", "left/it cannot be read"
    assert once._custom_metrics == {"rewritten": 3, nothing: 2, phrase: 1, unread: 1}
    (said,) = Logger.said
    assert said.startswith("A document is left: it cannot be read: CounterfactualSwap: column 'te")


def test_what_is_wrong_is_told(stage: Any) -> None:
    """A parameter where the stage is made, a column where it runs."""
    with pytest.raises(InputError, match="axis must be one of"):
        stage(parameters={"axis": "gendr"})
    with pytest.raises(InputError, match="there is no parameter 'axes'"):
        stage(parameters={"axes": "race"})
    once = stage(columns=["title", "messages[].content"])
    assert once.inputs() == (["data"], ["title"])
    once.setup()
    with pytest.raises(InputError, match="there is no column 'title'"):
        once.process(DocumentBatch("reviews", pa.table({"text": ["He ran."]})))


DOCTESTS = "import doctest, fair_datasets.integrations.nemo_curator as m; print(doctest.testmod(m))"


@pytest.mark.full
def test_in_nemo_curator(
    run_in: Any, same_calls: Any, on_the_page: Any, tmp_path: Path, reviews: Any, rows_of_map: Any
) -> None:
    """The page's pipeline gives the rows of map, and the counts of each batch."""
    same_calls("nemo-curator", TOOL)
    assert "failed=0, attempted=4" in run_in("nemo-curator", "-c", DOCTESTS)
    (tmp_path / "pipeline.py").write_text(on_the_page("nemo-curator"))
    said = run_in("nemo-curator", "pipeline.py", cwd=tmp_path)
    assert reviews(tmp_path / "reviews-curated") == rows_of_map
    assert said.count("{'rewritten': 3.0") == 2
