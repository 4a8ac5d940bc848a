"""How rows reach a measure through its module, and what is left of them."""

import threading
from pathlib import Path
from typing import Any

import evaluate
import numpy as np
import pytest

from fair_datasets import InputError, load_metric
from fair_datasets.evaluation import base
from fair_datasets.measures.parity import demographic_parity
from fair_datasets.measures.plain import plain_parity
from fair_datasets.measures.undefined import UndefinedMeasureWarning

COLUMNS: dict[str, Any] = {"predictions": [1, 0, 1, 1], "groups": ["a", "a", "b", "b"]}
EXPECTED = plain_parity(demographic_parity(COLUMNS["predictions"], COLUMNS["groups"]))


class Means(base.Measurement):
    """The mean of numbers, and one that is drawn."""

    PARAMETERS = """
        data: Numbers.
        scale: What to multiply
            the mean by.
    """
    RETURNS = "mean: The mean."
    EXAMPLES = ">>> 1"

    def _compute(self, data: Any, *, scale: float = 1, undefined: str = "nan") -> dict[str, float]:
        """Compute them."""
        return {"mean": scale * float(np.mean(data)), "drawn": float(np.random.random())}  # noqa: NPY002


@pytest.fixture
def module(tmp_path: Path) -> Any:
    """Give a module with a folder of its own."""
    return load_metric("demographic_parity", cache_dir=str(tmp_path))


def rows_left(module: Any) -> list[str]:
    """Return the files of rows that lie about."""
    return [path.name for path in Path(module.data_dir).rglob("*.arrow")]


def test_the_documentation_is_put_together() -> None:
    """From the docstring, the constants and the signature; shared parameters have their texts."""
    module = Means()
    assert module.description == "The mean of numbers, and one that is drawn."
    arguments = "data: Numbers.\n    scale: What to multiply\n        the mean by.\n    undefined: "
    assert module.inputs_description.startswith(f"\nArgs:\n    {arguments}")
    assert "\n\nReturns:\n    mean: The mean.\n\nExamples:\n    >>> 1" in module.inputs_description
    assert module.inputs_description in module.compute.__doc__
    assert list(module.features) == ["data"]
    assert repr(module.features) == "{'data': AsGiven()}"
    assert module.module_type == "measurement"


def test_a_parameter_without_a_text() -> None:
    """It is found when the module is made."""

    class Untold(base.Metric):
        """It has a parameter that nothing is said of."""

        def _compute(self, data: Any, *, unheard_of: int = 0) -> dict[str, int]:
            return {}

    with pytest.raises(KeyError, match="unheard_of"):
        Untold(config_name="untold")


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
    ("call", "sentence"),
    [
        (lambda module: module.compute([1], ["a"]), "name what you give, as in compute"),
        (lambda module: module.compute(), "predictions and groups are missing"),
        (lambda module: module.compute(predictions=[1]), "groups is missing. Give predictions"),
        (lambda module: module.compute(groups=["a"]), "predictions is missing"),
        (lambda module: module.compute(groups=None, predictions=[1]), "groups is missing"),
        (lambda module: module.compute(undefined="zero"), "predictions and groups are missing"),
        (lambda module: module.compute(**COLUMNS, undefind="zero"), "Did you mean 'undefined'"),
        (lambda module: module.compute(prediction=[1], groups=[1]), "Did you mean 'predictions'"),
        (lambda module: module.add_batch(), "predictions and groups are missing"),
        (lambda module: module.add_batch(groups=["a"]), "predictions is missing"),
        (lambda module: module.add_batch(**COLUMNS, undefined="zero"), "one of 'predictions'"),
        (lambda module: module.add(prediction=1), "groups is missing"),
        (lambda module: module.add(prediction=1, group="a"), "Did you mean 'groups'"),
    ],
)  # fmt: skip
def test_what_lacks_or_is_unknown(module: Any, call: Any, sentence: str) -> None:
    """The parameter is named."""
    with pytest.raises(InputError, match=f"^demographic_parity: .*{sentence}"):
        call(module)


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


def test_an_error_without_rows_has_no_note(module: Any) -> None:
    """There is nothing to drop."""
    with pytest.raises(InputError) as caught:
        module.compute(predictions=[1], groups=[None])
    assert not hasattr(caught.value, "__notes__")


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
        module = load_metric(
            "demographic_parity",
            num_process=2,
            process_id=number,
            experiment_id="two",
            cache_dir=str(tmp_path),
        )
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
    module = Means(seed=3)
    at_once = module.compute(data=[1, 2])
    module.add_batch(data=[1])
    assert module.compute(data=[2]) == at_once
    assert module.compute(data=[1, 2], scale=2)["mean"] == 3
    assert Means(seed=4).compute(data=[1, 2])["drawn"] != at_once["drawn"]


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
