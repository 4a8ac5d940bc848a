"""How rows reach a measure through its module, and what is left of them."""

import math
import threading
from inspect import signature
from pathlib import Path
from typing import Any

import evaluate
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from fair_datasets import InputError, load_metric
from fair_datasets.measures import base
from fair_datasets.measures.base import decode_column, encode_column
from fair_datasets.measures.confidence import plain_parity
from fair_datasets.measures.inputs import UndefinedMeasureWarning
from fair_datasets.measures.parity import demographic_parity

COLUMNS: dict[str, Any] = {"predictions": [1, 0, 1, 1], "groups": ["a", "a", "b", "b"]}
EXPECTED = plain_parity(demographic_parity(COLUMNS["predictions"], COLUMNS["groups"]))


def scaled(data: Any, y_pred: Any, *, scale: float = 1, undefined: str = "nan") -> dict[str, float]:
    """Return the mean of numbers, and one that is drawn.

    Args:
        data: Numbers. Shape (N,).
        y_pred: Others, `"any"`.
        scale: What to multiply
            the mean by.

    Returns:
        A result with a mean.
    """
    return {"mean": scale * float(np.mean(data)), "drawn": float(np.random.random())}  # noqa: NPY002


def rounded(found: dict[str, float], *, digits: int | None = None) -> dict[str, float]:
    """Round the mean.

    Args:
        digits: To how many digits; None for all.

    Returns:
        mean: The mean, or `"nan"`.
        drawn: What is drawn.
    """
    return {**found, "mean": found["mean"] if digits is None else round(found["mean"], digits)}


@base.computes(scaled, "predictions", "data", write=rounded)
class Means(base.Measurement):
    """The mean of numbers, and one that is drawn."""


@pytest.fixture
def module(tmp_path: Path) -> Any:
    """Give a module with a folder of its own."""
    return load_metric("demographic_parity", cache_dir=str(tmp_path))


def rows_left(module: Any) -> list[str]:
    """Return the files of rows that lie about."""
    return [path.name for path in Path(module.data_dir).rglob("*.arrow")]


def test_the_documentation_is_put_together() -> None:
    """From both docstrings and signatures; shared parameters have their texts, and defaults."""
    module = Means()
    assert module.description == "The mean of numbers, and one that is drawn."
    assert module.inputs_description.startswith(
        '\nArgs:\n    predictions: Others, "any".\n    data: Numbers.\n'
        "    scale: What to multiply the mean by (default: 1).\n    undefined: "
    )
    returned = '\n\nReturns:\n    mean: The mean, or "nan".\n    drawn: What is drawn.\n'
    assert returned in module.inputs_description
    assert "\n    digits: To how many digits; None for all.\n" in module.inputs_description
    assert module.inputs_description in module.compute.__doc__
    assert list(module.features) == ["predictions", "data"]
    assert repr(module.features) == "{'predictions': AsGiven(), 'data': AsGiven()}"
    assert module.module_type == "measurement"
    assert (module.name, module.citation) == ("means", "")


def test_the_signature_is_put_together() -> None:
    """Columns first; then the options of the function, and those of what writes."""
    found = signature(Means()._compute)
    assert list(found.parameters) == ["predictions", "data", "scale", "undefined", "digits"]
    kinds = [each.kind is each.KEYWORD_ONLY for each in found.parameters.values()]
    assert kinds == [False, False, True, True, True]
    rows = {"data": [1, 2, 2], "predictions": [0, 0, 0]}
    assert Means().compute(**rows, scale=2)["mean"] == 10 / 3
    assert Means().compute(**rows, scale=2, digits=1)["mean"] == 3.3
    with pytest.raises(InputError, match=r"^means: .* one of 'predictions', 'data', 'scale', "):
        Means().compute(**rows, digit=1)


def test_a_parameter_without_a_text() -> None:
    """It is found when the module is made."""

    def untold(data: Any, *, unheard_of: int = 0) -> dict[str, int]:
        return {}

    with pytest.raises(KeyError, match="unheard_of"):
        base.computes(untold, "data")(base.Metric)


def test_rows_at_once_touch_no_file(module: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """They reach the measure as they are."""
    given: dict[str, Any] = {}
    array = np.array(COLUMNS["predictions"])
    monkeypatch.setattr(module, "_compute", lambda **rows: given.update(rows) or {})
    module.compute(predictions=array, groups=COLUMNS["groups"])
    assert given["predictions"] is array
    assert given["groups"] is COLUMNS["groups"]
    assert list(Path(module.data_dir).iterdir()) == []


def test_added_rows_are_counted_once(module: Any) -> None:
    """Before and with compute; afterwards the module is as new."""
    for _ in range(2):
        module.add(prediction=1, groups="a")
        module.add_batch(predictions=[0, 1], groups=["a", "b"])
        assert len(module) == 3
        assert module.compute(predictions=[1], groups=["b"]) == EXPECTED
        assert len(module) == 0
        assert rows_left(module) == []


@pytest.mark.parametrize(
    "call",
    [
        lambda module: module.add_batch(predictions=[1, 0], groups=["a"]),
        lambda module: module.add_batch(predictions=[1], groups=[b"a"]),
        lambda module: module.add(prediction=1, groups=b"a"),
        lambda module: module.add(prediction=1),
        lambda module: module.compute(predictions=[1]),
        lambda module: module.compute(undefined="none"),
        lambda module: module.compute(undefind="zero"),
        lambda module: module.compute(predictions=[0.7], groups=["a"]),
    ],
)
@pytest.mark.parametrize("in_memory", [False, True])
def test_an_error_leaves_no_rows(tmp_path: Path, call: Any, in_memory: bool) -> None:
    """Nor a file, nor a lock: who starts again counts every row once."""
    module = load_metric("demographic_parity", cache_dir=str(tmp_path), keep_in_memory=in_memory)
    module.add_batch(**COLUMNS)
    with pytest.raises(InputError) as caught:
        call(module)
    assert caught.value.__notes__ == ["demographic_parity: the rows added before (4) are dropped."]
    assert len(module) == 0
    assert rows_left(module) == []
    module.add_batch(**COLUMNS)
    # A file of another name would say that the lock of the first is still held.
    assert rows_left(module) == ([] if in_memory else ["default_experiment-1-0.arrow"])
    assert module.compute() == EXPECTED


def test_an_interrupt_leaves_no_rows(module: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is an error like others."""

    def interrupted(**rows: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(module, "_compute", interrupted)
    module.add_batch(**COLUMNS)
    with pytest.raises(KeyboardInterrupt):
        module.compute()
    assert (len(module), rows_left(module)) == (0, [])


def test_several_processes(tmp_path: Path) -> None:
    """The first gives the result over the rows of all, as they were; the others give None."""
    found: dict[int, Any] = {}
    parts = [{"predictions": [1, 0], "groups": [("a", 1), ("b", 2)]},
             {"predictions": [1], "groups": [("b", 2)]}]  # fmt: skip

    def run(number: int) -> None:
        module = load_metric("demographic_parity", num_process=2, process_id=number,
                             experiment_id="two", cache_dir=str(tmp_path))  # fmt: skip
        found[number] = module.compute(**parts[number])

    threads = [threading.Thread(target=run, args=(number,)) for number in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found[1] is None
    expected = demographic_parity([1, 0, 1], [("a", 1), ("b", 2), ("b", 2)])
    assert found[0] == plain_parity(expected)
    assert list(tmp_path.rglob("*.arrow")) == []


def test_the_seed_of_evaluate_holds() -> None:
    """What a measure draws from NumPy's own generator does not depend on how the rows came."""
    module, rows = Means(seed=3), {"data": [1, 2], "predictions": [0, 0]}
    at_once = module.compute(**rows)
    module.add_batch(data=[1], predictions=[0])
    assert module.compute(data=[2], predictions=[0]) == at_once
    assert Means(seed=4).compute(**rows)["drawn"] != at_once["drawn"]


def test_modules_combine() -> None:
    """Each takes what it needs of the inputs of all."""
    names = ["equalized_odds", "demographic_parity"]
    together = evaluate.combine([load_metric(name) for name in names])
    rows = {**COLUMNS, "references": [1, 0, 0, 1]}
    expected = {
        f"{name}_score": load_metric(name).compute(**rows)["score"] for name in names
    }  # fmt: skip
    assert together.compute(**rows).items() >= expected.items()
    together.add_batch(**rows)
    assert together.compute().items() >= expected.items()


def test_a_warning_points_at_the_caller(module: Any) -> None:
    """Not at the module, which lies in a cache of evaluate."""
    with pytest.warns(UndefinedMeasureWarning) as caught:
        module.compute(predictions=[1], groups=["a"])
    assert {warning.filename for warning in caught} == {__file__}


SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
LABELS = SCALARS | st.tuples(SCALARS, SCALARS) | st.frozensets(SCALARS, max_size=2)
VALUES = st.recursive(
    LABELS | st.sets(SCALARS, max_size=3),
    lambda parts: st.lists(parts, max_size=3) | st.dictionaries(st.text(), parts, max_size=3),
)


def through_a_file(values: Any) -> list[Any]:
    """Write values and read them back, in two chunks."""
    parts = values[:1], values[1:]
    return decode_column(pa.chunked_array([encode_column(part, "data") for part in parts]))


def same(found: Any, value: Any) -> bool:
    """Compare values and their types, all the way down."""
    if type(found) is not type(value):
        return False
    if isinstance(value, list | tuple):
        return len(found) == len(value) and all(map(same, found, value))
    return bool(found == value)


@given(st.lists(VALUES, max_size=5))
def test_values_come_back_as_they_were(values: list[Any]) -> None:
    """Of their own kind too: the text "1" is no number, and a tuple no list."""
    assert through_a_file(values) == values
    for value in values:
        assert same(through_a_file([value]), [value])


@pytest.mark.parametrize("kind", [list, tuple, np.array, pd.Series, torch.tensor, pa.array])
def test_any_array_is_read(kind: Any) -> None:
    """Half precision too, of which JSON knows nothing."""
    for values in ([1.0, 0.5], [True, False], [3, 2**60]):
        # A tensor of mixed numbers is one of floats.
        assert same(
            through_a_file(kind(values)), kind(values).tolist() if kind is torch.tensor else values
        )


def test_missing_values_stay_what_they_are() -> None:
    """So that a sentence can tell them apart."""
    nothing, unknown, no_time, text, number = through_a_file(
        [None, pd.NA, pd.NaT, "nan", float("nan")]
    )
    assert (nothing, text) == (None, "nan")
    assert unknown is pd.NA
    assert no_time is pd.NaT
    assert math.isnan(number)


def test_what_libraries_hold() -> None:
    """Numbers of NumPy inside lists, rows of vectors, and scalars of Arrow."""
    given = [np.float32(0.5), [np.int64(3)], ("a", np.bool_(True)), torch.tensor(2), pa.scalar("a")]
    assert same(through_a_file(given), [0.5, [3], ("a", True), 2, "a"])
    assert through_a_file(np.array([[1.0, 2.0], [3.0, 4.0]])) == [[1.0, 2.0], [3.0, 4.0]]


def test_each_distinct_value_is_read_once() -> None:
    """A million rows of two labels are two labels."""
    found = through_a_file([("w", 1), ("m", 2)] * 5)
    assert len({id(label) for label in found}) == 2
