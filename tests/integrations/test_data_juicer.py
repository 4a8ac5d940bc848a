"""The operators of Data-Juicer."""

import json
from collections.abc import Callable
from math import isnan
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from datasets import Dataset

from fair_datasets import CounterfactualSwap, InputError
from fair_datasets.models import load_word_vectors

META, STATS = "__dj__meta__", "__dj__stats__"


class Registry:
    """Where operators are found by their names."""

    def __init__(self) -> None:
        """Know none yet."""
        self.modules: dict[str, Any] = {}

    def register_module(self, module_name: str | None = None) -> Callable[[Any], Any]:
        """Register a class."""

        def registered(kind: Any) -> Any:
            self.modules[str(module_name)] = kind
            kind._name = module_name
            return kind

        return registered


class OP:
    """What operators are made from."""

    _name = ""
    _batched_op = False
    _BASE_PARAMS: dict[str, Any] = {  # noqa: RUF012
        "text_key": (str, "text"), "skip_op_error": (bool, False), "batch_size": (int, 1000),
        "num_proc": (None, None),
    }  # fmt: skip

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Take whatever comes."""
        assert not args
        self.text_key = kwargs.get("text_key", "text")
        self.skip_op_error = kwargs.get("skip_op_error", False)


class Mapper(OP):
    """An operator that edits."""

    def run(self, dataset: Any, *, exporter: Any = None, tracer: Any = None) -> Any:
        """Run over a dataset."""
        if not len(dataset):
            return dataset
        dataset = dataset.add_column(META, [{}] * len(dataset))
        return dataset.map(self.process_batched, batched=True, batch_size=3)  # type: ignore[attr-defined]


class Filter(OP):
    """An operator that keeps or drops."""

    _BASE_PARAMS = {**OP._BASE_PARAMS, "reversed_range": (bool, False)}  # noqa: RUF012

    def get_keep_boolean(self, val: Any, min_val: Any = None, max_val: Any = None) -> bool:
        """Whether a value is within bounds."""
        return (min_val is None or val >= min_val) and (max_val is None or val <= max_val)


class Fields:
    """The columns of what is said of samples."""

    meta, stats = META, STATS


def is_ray_mode() -> bool:
    """Whether Ray runs the operators."""
    return Logger.is_ray


class Logger:
    """What is logged."""

    is_ray = False
    said: list[str]
    info = warning = staticmethod(lambda text: Logger.said.append(text))


OPERATORS, TAGGING_OPS = Registry(), Registry()
TOOL: dict[str, dict[str, Any]] = {
    "data_juicer.ops.base_op": {
        "OPERATORS": OPERATORS, "TAGGING_OPS": TAGGING_OPS, "Filter": Filter, "Mapper": Mapper,
    },
    "data_juicer.utils.constant": {"Fields": Fields},
    "data_juicer.utils.ray_utils": {"is_ray_mode": is_ray_mode},
    "loguru": {"logger": Logger},
}  # fmt: skip
TEXTS = ["He ran.", "It rains.", "The Virgin Mary.", "She met her aunt.", None]


@pytest.fixture(autouse=True)
def operators(recorded: Callable[..., ModuleType], monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return the operators by their names."""
    Logger.said = []
    monkeypatch.setattr(OPERATORS, "modules", {})
    recorded("data_juicer", TOOL)
    return OPERATORS.modules


@pytest.mark.parametrize("mode", ["augment", "replace", "substitute", "pair"])
def test_the_samples_are_the_rows_of_map(operators: Any, mode: str) -> None:
    """Of augment, the originals stand before the counterfactuals, so that no trace is false."""
    mapper = operators["fair_counterfactual_swap_mapper"](mode=mode)
    made = mapper.process_batched({"text": list(TEXTS), "n": [*range(len(TEXTS))]})
    metas = made.pop(META)
    rows = CounterfactualSwap(columns="text", mode=mode)({"text": TEXTS, "n": range(len(TEXTS))})
    as_rows = [sorted(zip(*each.values(), strict=True), key=repr) for each in (made, rows)]
    assert made.keys() == rows.keys()
    assert as_rows[0] == as_rows[1]
    if mode == "augment":
        assert made["text"] == [*TEXTS, "She ran.", "He met his uncle."]
        assert [meta["rewritten"] for meta in metas] == [False] * 5 + [True] * 2
    phrase = "it belongs to a phrase that is left alone"
    assert metas[1:3] == [
        {"rewritten": False, "reason": "nothing in it is rewritten"},
        {"rewritten": False, "reason": phrase},
    ]


def test_what_is_said_of_samples_already_is_kept(operators: Any) -> None:
    """Each sample has a meta of its own."""
    mapper = operators["fair_counterfactual_swap_mapper"]()
    known: list[Any] = [{"tag": 1}, None]
    made = mapper.process_batched({"text": ["He ran.", "Rain."], META: known})[META]
    assert made == [
        {"tag": 1, "rewritten": False, "reason": ""},
        {"rewritten": False, "reason": "nothing in it is rewritten"},
        {"tag": 1, "rewritten": True, "reason": ""},
    ]
    assert known == [{"tag": 1}, None]


def test_the_counts_are_logged(operators: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of all samples; by Ray, of each batch, as it tells nobody of the end."""
    mapper = operators["fair_counterfactual_swap_mapper"](mode="replace")
    assert "fair_counterfactual_swap_mapper" in TAGGING_OPS.modules
    made = mapper.run(Dataset.from_dict({"text": TEXTS}))
    assert made["text"][:2] == ["She ran.", "It rains."]
    assert Logger.said == [
        "fair_counterfactual_swap_mapper: {'rewritten': 2, 'left/nothing in it is rewritten': 2, "
        "'left/it belongs to a phrase that is left alone': 1}"
    ]
    monkeypatch.setattr(Logger, "is_ray", True)
    mapper.process_batched({"text": ["He ran.", 5]})
    assert Logger.said[1].endswith(": {'rewritten': 1, 'left/it cannot be read': 1}")


@pytest.mark.parametrize(
    "options", [{}, {"keep_unchanged": True}, {"axis": ["gender", "religion"]}, {"mode": "pair"}]
)
def test_a_sample_is_counted_once(operators: Any, options: dict[str, Any]) -> None:
    """However many counterfactuals it has; of no samples, there is nothing to count."""
    mapper = operators["fair_counterfactual_swap_mapper"](**options)
    mapper.run(Dataset.from_dict({"text": ["She met Jews.", "It rains."]}))
    assert Logger.said[-1].endswith(": {'rewritten': 1, 'left/nothing in it is rewritten': 1}")
    mapper.run(Dataset.from_dict({"text": []}))
    assert Logger.said[-1] == "fair_counterfactual_swap_mapper: {}"


@pytest.mark.parametrize(("options", "sentence"), [
    ({"keep": "false"}, "keep must be True or False, but it is 'false'"),
    ({"attributes": []}, "attributes is empty; name one, or leave it out"),
])  # fmt: skip
def test_a_filter_that_would_drop_all_is_refused(
    operators: Any, options: dict[str, Any], sentence: str
) -> None:
    """No sample would have been kept, without a word."""
    with pytest.raises(InputError, match=sentence):
        operators["fair_mention_filter"](**options)


def test_a_sample_that_cannot_be_read_is_kept(operators: Any) -> None:
    """Its reason says what it holds; a filter has no number of it."""
    mapper = operators["fair_counterfactual_swap_mapper"]()
    made = mapper.process_batched({"text": ["He ran.", 5]})
    assert made["text"] == ["He ran.", 5, "She ran."]
    assert "it holds 5 (int)" in made[META][1]["reason"]
    keep = operators["fair_mention_filter"](attributes="woman")
    counted = keep.compute_stats_batched({"text": ["He ran.", 5], STATS: [{}, {}]})
    assert isnan(counted[STATS][1]["mentions_woman"])
    assert keep.process_batched(counted) == [False, True]
    assert Logger.said[-1].startswith("fair_mention_filter keeps a sample: FairMentionFilter: col")
    for operator in (mapper.process_batched, keep.compute_stats_batched):
        with pytest.raises(InputError, match="there is no column 'text'"):
            operator({"txt": ["He ran."], STATS: [{}]})


def test_an_error_ends_the_job(operators: Any) -> None:
    """Data-Juicer would drop the batch, and end with exit code 0."""
    for kind in operators.values():
        if kind is not operators["fair_bias_score_filter"]:
            assert kind(skip_op_error=True).skip_op_error is False


def test_parameters_are_named(operators: Any) -> None:
    """Where Data-Juicer looks for their names and types, with the column that the recipe names."""
    kind = operators["fair_counterfactual_swap_mapper"]
    assert kind._BASE_PARAMS["joint"] == (bool, False)
    assert kind._BASE_PARAMS["names"] == (None, None)
    assert kind._BASE_PARAMS.keys() >= {"axis", "mode", "min_confidence", "text_key", "num_proc"}
    assert kind(text_key="review", names=None).technique.columns == ("review",)
    assert kind(columns=["a", "b"], axis=["age", "race"]).technique.axes == ("age", "race")
    with pytest.raises(TypeError, match="unexpected keyword argument 'axes'"):
        kind(axes="race")
    with pytest.raises(InputError, match="attributes must be one of 'man', 'woman'"):
        operators["fair_mention_filter"](attributes=["men"])
    with pytest.raises(InputError, match="write keep: false instead"):
        operators["fair_mention_filter"](reversed_range=True)


@pytest.mark.parametrize(("options", "kept"), [
    ({}, [0, 3]), ({"attributes": ["woman"]}, [3]),
    ({"attributes": "woman", "keep": False}, [0, 1, 2, 4]),
    ({"axis": "age", "attributes": "senior"}, []),
])  # fmt: skip
def test_samples_are_kept_by_whom_they_mention(
    operators: Any, options: dict[str, Any], kept: list[int]
) -> None:
    """The numbers of mentions are in the stats."""
    keep = operators["fair_mention_filter"](**options)
    counted = keep.compute_stats_batched({"text": TEXTS, STATS: [{"text_len": 1}] * 5})
    assert counted[STATS][0]["text_len"] == 1
    if "axis" not in options:
        assert [stats["mentions_woman"] for stats in counted[STATS]] == [0, 0, 0, 3, 0]
    assert [k for k, is_kept in enumerate(keep.process_batched(counted)) if is_kept] == kept


def test_samples_are_kept_by_their_bias_score(operators: Any, tmp_path: Path) -> None:
    """Those without a text have none, and are kept."""
    words = {"he": [1.0, 0.0], "she": [0.0, 1.0], "man": [1.0, 0.5], "woman": [0.5, 1.0]}
    vectors = tmp_path / "vectors.npz"
    load_word_vectors(words | {"pink": [0.0, 1.0], "truck": [1.0, 0.0]}).save(vectors)
    keep = operators["fair_bias_score_filter"](vectors=str(vectors), max_score=0.4)
    texts = ["She wears pink.", "A pink truck", None]
    scored = keep.compute_stats_batched({"text": texts, STATS: [{}, {}, {}]})
    assert [round(stats["bias_score"], 3) for stats in scored[STATS][:2]] == [0.236, 0.471]
    assert scored[STATS][0].keys() == {"bias_score", "bias_score_man", "bias_score_woman"}
    assert isnan(scored[STATS][2]["bias_score"])
    assert keep.process_batched(scored) == [True, False, True]


DJ_PROCESS = ("-m", "data_juicer.tools.process_data", "--config", "recipe.yaml")


@pytest.mark.full
@pytest.mark.parametrize(
    "executor", ["", "executor_type: ray\nray_address: local\n"], ids=["here", "ray"]
)
def test_in_data_juicer(
    run_in: Any, same_calls: Any, on_the_page: Any, tmp_path: Path, reviews: Any, rows_of_map: Any,
    executor: str,
) -> None:  # fmt: skip
    """The page's recipe gives the rows of map that mention somebody, here and on Ray."""
    same_calls("data-juicer", TOOL)
    recipe = on_the_page("data-juicer")
    (tmp_path / "recipe.yaml").write_text(f"{recipe}\n{executor}")
    run_in("data-juicer", *DJ_PROCESS, cwd=tmp_path)
    folder = tmp_path / "reviews-juicer"
    if executor:
        folder /= "reviews.jsonl"
    mention = [row for row in rows_of_map if row[1] not in ("It rains.", "The Virgin Mary.")]
    (folder / "reviews_stats.jsonl").unlink(missing_ok=True)
    assert reviews(folder) == mention


@pytest.mark.full
def test_traces_and_errors_in_data_juicer(
    run_in: Any, on_the_page: Any, tmp_path: Path, reviews: Any
) -> None:
    """A replaced text is traced beside its own; a column that is not there ends the job."""
    recipe = on_the_page("data-juicer").replace("augment", "replace") + "\nopen_tracer: true"
    (tmp_path / "recipe.yaml").write_text(recipe)
    run_in("data-juicer", *DJ_PROCESS, cwd=tmp_path)
    (trace,) = tmp_path.rglob("sample_trace-fair_counterfactual_swap_mapper.jsonl")
    assert {tuple(json.loads(line).values()) for line in trace.read_text().splitlines()} == {
        ("He ran.", "She ran."), ("She met her aunt.", "He met his uncle."),
        ("The waiter saw him.", "The waitress saw her."),
    }  # fmt: skip
    for fault, sentence in (
        ("columns: title", "there is no column 'title'"),
        ("axes: race", "Unknown parameter 'axes'"),
    ):
        (tmp_path / "recipe.yaml").write_text(recipe.replace("axis: gender", fault))
        said = run_in("data-juicer", *DJ_PROCESS, cwd=tmp_path, fails=True)
        assert sentence in said
