"""Any metric by group, against scikit-learn, SciPy and the MetricFrame of fairlearn."""

import math
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import datasets
import evaluate
import numpy as np
import pandas as pd
import pytest
import sacrebleu
import torch
from fairlearn.metrics import MetricFrame
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import spearmanr
from sklearn import metrics

from fair_datasets.measures import (
    UndefinedMeasureWarning,
    group_metric,
    intersections,
)
from fair_datasets.system.checks import InputError

CLASSES = st.sampled_from(["anger", "fear", "joy"])
ROWS = st.lists(st.tuples(CLASSES, CLASSES, st.sampled_from("abcd")), min_size=1, max_size=40)
COMPLETE = [(y, p, g) for g in "ab" for y in ("anger", "fear", "joy") for p in ("fear", y)]
"""Rows with which every class is there in both groups, in both columns."""

FUNCTIONS: dict[str, Callable[..., float]] = {
    "accuracy": metrics.accuracy_score, "macro F1": partial(metrics.f1_score, average="macro"),
    "weighted precision": partial(metrics.precision_score, average="weighted", zero_division=0),
    "precision of a class": partial(metrics.precision_score, labels=["joy"], average="micro"),
    "balanced accuracy": metrics.balanced_accuracy_score, "kappa": metrics.cohen_kappa_score,
    "loss": metrics.hamming_loss,
}  # fmt: skip


def columns_of(rows: list[tuple[Any, ...]]) -> list[list[Any]]:
    """Return the columns of rows."""
    return [list(column) for column in zip(*rows, strict=True)]


def frame_of(metric: Any, y_true: Any, y_pred: Any, groups: Any) -> MetricFrame:
    """Return what fairlearn says."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return MetricFrame(metrics=metric, y_true=y_true, y_pred=y_pred, sensitive_features=groups)


@pytest.mark.parametrize("name", FUNCTIONS)
@given(rows=ROWS)
@settings(deadline=None, max_examples=6)
def test_zero_is_fairlearn(name: str, rows: list[tuple[str, str, str]]) -> None:
    """With "zero", every value, difference and ratio, whatever classes a group lacks."""
    y_true, y_pred, groups = columns_of(COMPLETE + rows)
    frame = frame_of(FUNCTIONS[name], y_true, y_pred, groups)
    for method in ("between_groups", "to_overall"):
        found = group_metric(FUNCTIONS[name], y_true, y_pred, groups, method=method,
                             undefined="zero")  # fmt: skip
        assert found.overall == pytest.approx(frame.overall)
        values = {label: group.value for label, group in found.groups.items()}
        assert values == pytest.approx(frame.by_group.fillna(0).to_dict())
        if frame.by_group.isna().any():
            continue
        assert found.difference == pytest.approx(frame.difference(method=method), abs=1e-12)
        if min(values.values()) >= 0:
            assert found.ratio == pytest.approx(frame.ratio(method=method), abs=1e-12)
    worst = max if name == "loss" else min
    assert found.worst == worst(values.values())
    assert found.groups[found.worst_group].value == found.worst


@given(st.lists(st.tuples(st.integers(0, 1), st.floats(0.05, 0.95), st.sampled_from("ab"))))
@settings(deadline=None, max_examples=15)
def test_metrics_of_probabilities(rows: list[tuple[int, float, str]]) -> None:
    """Log loss, of one probability or one for each class, AUC, and a regression's error."""
    added = [(y, 0.3, g) for y in (0, 1) for g in "ab"]
    y_true, scores, groups = map(np.array, zip(*rows, *added, strict=True))
    table = np.stack([1 - scores, scores], 1)
    for metric, y_pred in (
        (metrics.log_loss, scores),
        (metrics.log_loss, table),
        (metrics.roc_auc_score, scores),
        (metrics.mean_squared_error, scores),
    ):
        found = group_metric(metric, y_true, y_pred, groups)
        values = {g: metric(y_true[groups == g], y_pred[groups == g]) for g in "ab"}
        assert {g: each.value for g, each in found.groups.items()} == pytest.approx(values)
        assert found.overall == pytest.approx(metric(y_true, y_pred))
        low, high = sorted(values.values())
        assert (found.difference, found.ratio) == pytest.approx((high - low, low / high), abs=1e-12)
        assert found.worst == pytest.approx(low if metric is metrics.roc_auc_score else high)


def share_of_1(references: Any, predictions: Any) -> Any:
    """Return the share of predictions of 1."""
    return predictions.mean()


F1 = """
import datasets
import evaluate
from sklearn.metrics import f1_score
class F1(evaluate.Metric):
    def _info(self):
        columns = {"predictions": datasets.Value("string"), "references": datasets.Value("string")}
        return evaluate.MetricInfo(description="", citation="", inputs_description="",
                                   features=datasets.Features(columns))
    def _compute(self, predictions, references, average="binary"):
        score = f1_score(references, predictions, average=average)
        return {"f1": float(score)}
"""


def test_a_module_of_evaluate(tmp_path: Path) -> None:
    """It gives what the function behind it gives; its options are its own."""
    (tmp_path / "f1").mkdir()
    (tmp_path / "f1" / "f1.py").write_text(F1)
    module = evaluate.load(str(tmp_path / "f1"))
    columns = columns_of([*COMPLETE, ("joy", "fear", "b")])
    options: dict[str, Any] = {"metric_options": {"average": "macro"}}
    found = group_metric(module, *columns, worst="lowest", **options)
    assert found == group_metric(metrics.f1_score, *columns, **options)
    with pytest.raises(InputError, match="worst must say which value of f1 is the worst"):
        group_metric(module, *columns, **options)
    with pytest.raises(InputError, match="f1 cannot be computed for these rows: Target is multi"):
        group_metric(module, *columns, worst="lowest")


Y_TRUE, Y_PRED, GROUPS = [1, 0, 1, 0, 1, 0], [1, 1, 0, 0, 1, 0], [*"aaabbb"]
WEIGHTS = [1.0, 2, 3, 4, 5, 7]


def module_of(name: str, compute: Callable[..., Any], *features: Any) -> Any:
    """Return a module of evaluate that reads such rows; of several kinds, those of any."""
    kinds = [datasets.Features(each) for each in features]
    info = evaluate.MetricInfo(
        description="", citation="", inputs_description="",
        features=kinds if len(kinds) > 1 else kinds[0],
    )  # fmt: skip
    parts = {"_info": lambda self: info, "_compute": lambda self, **rows: compute(**rows)}
    return type(name, (evaluate.Metric,), parts)()


TEXT, TEXTS = datasets.Value("string"), datasets.Sequence(datasets.Value("string"))
SENTENCES = ["a b c d e", "a b x d e", "q w e r t", "a b c d e", "w e r t y", "a b c d"]
MORE = [["a b c d e"], ["a b c d e"], ["q w e r t"], ["a b c d e"], ["w x y t y"], ["a b c d"]]


def bleu(predictions: list[str], references: list[Any], **options: Any) -> dict[str, Any]:
    """Do as `sacrebleu` of evaluate does, which gives more than the score."""
    many = [[each] if isinstance(each, str) else each for each in references]
    found = sacrebleu.corpus_bleu(predictions, [*zip(*many, strict=True)], **options)
    return {"score": found.score, "counts": found.counts, "bp": found.bp}


ANSWERS = [{"id": str(row), "prediction_text": text} for row, text in enumerate(SENTENCES)]
RIGHT = [{"id": each["id"], "answers": {"text": texts, "answer_start": [0]}}
         for each, texts in zip(ANSWERS, MORE, strict=True)]  # fmt: skip
SQUAD = {
    "predictions": {"id": TEXT, "prediction_text": TEXT},
    "references": {
        "id": TEXT,
        "answers": datasets.Sequence({"text": TEXT, "answer_start": datasets.Value("int32")}),
    },
}


def squad(predictions: list[Any], references: list[Any]) -> dict[str, float]:
    """Count exact answers, which are dictionaries, as the references are."""
    pairs = zip(predictions, references, strict=True)
    right = [one["prediction_text"] in other["answers"]["text"] for one, other in pairs]
    return {"exact_match": 100.0 * sum(right) / len(right), "f1": 0.0}


SQUAD_MODULE = module_of("squad", squad, SQUAD)
MODULES: dict[str, tuple[Any, Any, Any, dict[str, Any], dict[str, float]]] = {
    "sacrebleu, of one reference": (
        module_of("sacrebleu", bleu, {"predictions": TEXT, "references": TEXTS},
                  {"predictions": TEXT, "references": TEXT}),
        SENTENCES, SENTENCES, {}, {"a": 100, "b": 100},
    ),
    "sacrebleu, of lists of one length": (
        module_of("sacrebleu", bleu, {"predictions": TEXT, "references": TEXTS}),
        MORE, SENTENCES, {"lowercase": True},
        {"a": bleu(SENTENCES[:3], MORE[:3])["score"], "b": bleu(SENTENCES[3:], MORE[3:])["score"]},
    ),
    "bleu, which has parts beside its own name": (
        module_of("bleu", lambda predictions, references: {"bleu": len(predictions), "ratio": 1.0},
                  {"predictions": TEXT, "references": TEXT}),
        SENTENCES, SENTENCES, {}, {"a": 3, "b": 3},
    ),
    "roc_auc, which reads scores": (
        module_of(
            "roc_auc",
            lambda prediction_scores, references: {
                "roc_auc": metrics.roc_auc_score(references, prediction_scores)},
            {"prediction_scores": datasets.Value("float"), "references": datasets.Value("int32")}),
        Y_TRUE, [0.9, 0.1, 0.2, 0.8, 0.7, 0.6], {}, {"a": 1, "b": 0.5},
    ),
    "roc_auc, of a vector per row": (
        module_of(
            "roc_auc",
            lambda prediction_scores, references: {"roc_auc": np.sum(prediction_scores)},
            {"prediction_scores": datasets.Sequence(datasets.Value("float")),
             "references": datasets.Value("int32")}),
        Y_TRUE, [[0.5, 0.5]] * 6, {}, {"a": 3, "b": 3},
    ),
    "comet, which reads sources too": (
        module_of(
            "comet",
            lambda sources, predictions, references: {"mean_score": float(len("".join(sources)))},
            {"sources": TEXT, "predictions": TEXT, "references": TEXT}),
        SENTENCES, SENTENCES, {"sources": ["a", "b", "c", "dd", "e", "f"]}, {"a": 3, "b": 4},
    ),
    "perplexity, which reads no references": (
        module_of("perplexity", lambda predictions, model_id: float(len(predictions)),
                  {"predictions": TEXT}),
        SENTENCES, SENTENCES, {"model_id": "gpt2"}, {"a": 3, "b": 3},
    ),
    "a measurement, whose one column is data": (
        module_of("word_count", lambda data: {"words": float(len(data[0].split()))},
                  {"data": TEXT}),
        SENTENCES, SENTENCES, {}, {"a": 5, "b": 5},
    ),
    "squad, of dictionaries, by a function that chooses": (
        lambda y, p: SQUAD_MODULE.compute(
            references=y.tolist(), predictions=p.tolist())["exact_match"],
        RIGHT, ANSWERS, {}, {"a": 200 / 3, "b": 200 / 3},
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", MODULES)
def test_modules_with_columns_of_their_own(kind: str) -> None:
    """Whatever they call predictions, and whatever a row of them is."""
    module, y_true, y_pred, options, expected = MODULES[kind]
    found = group_metric(module, y_true, y_pred, GROUPS, worst="lowest", metric_options=options)
    values = {label: group.value for label, group in found.groups.items()}
    assert values == pytest.approx(expected, abs=0.01)


@pytest.mark.parametrize(("module", "options", "sentence"), [
    (SQUAD_MODULE, {}, r"squad must give one number, but .* To choose one of its values, give"),
    (MODULES["comet, which reads sources too"][0], {}, "comet reads sources as well; give a"),
    (MODULES["comet, which reads sources too"][0], {"sources": ["a"]},
     r"predictions has 6 rows, but metric_options\['sources'\] has 1"),
    (module_of("mae", max, {"a": TEXT, "b": TEXT}), {}, "mae reads 'a', 'b', and it is not known"),
])  # fmt: skip
def test_modules_that_need_more(module: Any, options: dict[str, Any], sentence: str) -> None:
    """One sentence says what."""
    with pytest.raises(InputError, match=f"^group_metric: {sentence}"):
        group_metric(module, RIGHT, ANSWERS, GROUPS, worst="lowest", metric_options=options)


KINDS_OF_WEIGHTS: dict[str, Callable[..., Any]] = {
    "list": list,
    "tuple": tuple,
    "array": np.array,
    "tensor": torch.tensor,
    "series": lambda values: pd.Series(values, index=range(7, 13)),
    "column": lambda values: datasets.Dataset.from_dict({"w": values})["w"],
}


@pytest.mark.parametrize("kind", KINDS_OF_WEIGHTS)
def test_weights_are_cut_by_group(kind: str) -> None:
    """As fairlearn cuts `sample_params`, whatever holds them, and in a partial as well."""
    weights = KINDS_OF_WEIGHTS[kind](WEIGHTS)
    frame = MetricFrame(
        metrics=metrics.recall_score, y_true=Y_TRUE, y_pred=Y_PRED, sensitive_features=GROUPS,
        sample_params={"sample_weight": WEIGHTS},
    )  # fmt: skip
    for metric, options in (
        ("recall_score", {"sample_weight": weights}),
        (partial(metrics.recall_score, sample_weight=weights), {"zero_division": 0}),
    ):
        found = group_metric(metric, Y_TRUE, Y_PRED, GROUPS, metric_options=options)
        values = {label: group.value for label, group in found.groups.items()}
        assert values == pytest.approx(frame.by_group.to_dict())
        assert found.overall == pytest.approx(frame.overall)


def test_what_else_has_a_value_per_row_is_cut_by_group() -> None:
    """Of any function, also vectors; but not classes that happen to be as many as the rows."""

    def rows_of(references: Any, predictions: Any, costs: Any, table: Any) -> float:
        assert table.shape == (len(references), 2)
        return float(costs.sum())

    options = {"costs": WEIGHTS, "table": pd.DataFrame({"x": WEIGHTS, "y": WEIGHTS})}
    found = group_metric(rows_of, Y_TRUE, Y_PRED, GROUPS, worst="lowest", metric_options=options)
    assert [group.value for group in found.groups.values()] == [6, 16]
    labels = {"labels": [0, 1, 2, 3, 4, 5], "average": "macro", "zero_division": 0}
    found = group_metric("f1_score", Y_TRUE, Y_PRED, GROUPS, metric_options=labels)
    expected = metrics.f1_score(Y_TRUE[:3], Y_PRED[:3], **labels)
    assert found.groups["a"].value == pytest.approx(expected)


@given(st.lists(st.tuples(st.sampled_from("ABC"), st.sampled_from("ABCD"), st.sampled_from("xy"))))
@settings(deadline=None, max_examples=25)
def test_a_mean_over_classes_says_which(rows: list[tuple[str, str, str]]) -> None:
    """They are those that scikit-learn takes: the value is the mean of their own values."""
    columns = columns_of([*rows, ("A", "B", "x"), ("C", "C", "y")])
    options: dict[str, Any] = {"undefined": "zero"}
    macro = partial(metrics.f1_score, average="macro", zero_division=0)
    found = group_metric(macro, *columns, **options)
    for label, each in found.groups.items():
        inside = np.array(columns[2]) == label
        y_true, y_pred = (np.array(column)[inside] for column in columns[:2])
        assert each.classes == tuple(sorted({*y_true, *y_pred}))
        of_each = [
            2 * ((y_true == c) & (y_pred == c)).sum() / ((y_true == c).sum() + (y_pred == c).sum())
            for c in each.classes
        ]
        assert each.value == pytest.approx(np.mean(of_each))
    same = group_metric(partial(macro, labels=["A", "C"]), *columns, **options)
    assert {each.classes for each in same.groups.values()} == {("A", "C")}


@pytest.mark.parametrize(
    ("metric", "y_pred", "options"),
    [("f1_score", Y_PRED, {"average": "micro"}), ("accuracy_score", Y_PRED, {}),
     ("roc_auc_score", WEIGHTS, {"average": "macro"})],
)  # fmt: skip
def test_what_is_no_mean_over_classes_names_none(
    metric: str, y_pred: list[float], options: dict[str, Any]
) -> None:
    """A count over all rows, and a metric of scores."""
    found = group_metric(metric, Y_TRUE, y_pred, GROUPS, metric_options=options)
    assert [each.classes for each in found.groups.values()] == [None, None]


@pytest.mark.parametrize("kind", [list, np.array, torch.tensor, pd.DataFrame])
def test_a_vector_per_row(kind: Callable[..., Any]) -> None:
    """Such as the probability of each class."""
    table = [[0.2, 0.5, 0.3], [0.6, 0.3, 0.1], [0.1, 0.1, 0.8]] * 2
    found = group_metric("log_loss", [1, 0, 2, 2, 1, 0], kind(table), GROUPS)
    assert found.worst_group == "b"
    assert found.groups["a"].value == pytest.approx(-np.log([0.5, 0.6, 0.8]).mean())


def test_objects_reach_a_function_as_they_are() -> None:
    """Long texts and lists are not turned into something else."""
    texts = ["a" * 100, "b", "c" * 70]

    def length(references: Any, predictions: Any) -> float:
        assert all(type(text) is str for text in references)
        assert all(type(words) is list for words in predictions)
        return sum(map(len, references)) / sum(map(len, predictions))

    found = group_metric(length, texts, [["a"], ["b", "c"], []], [1, 1, 1], worst="lowest",
                         undefined="zero")  # fmt: skip
    assert found.overall == 57


def test_a_metric_that_sorts_in_place_changes_nothing() -> None:
    """Neither what the user gave nor what the groups are computed from."""

    def sorted_error(references: Any, predictions: Any) -> float:
        references.sort()
        return float(abs(references - predictions).sum())

    y_true, y_pred = np.array([3, 1, 2, 0]), np.array([3, 1, 2, 0])
    found = group_metric(sorted_error, y_true, y_pred, [*"aabb"], worst="highest")
    assert y_true.tolist() == [3, 1, 2, 0]
    assert {label: group.value for label, group in found.groups.items()} == {"a": 4, "b": 4}


UNDEFINED = {
    "precision_score": ([1, 0, 1, 0], [1, 1, 0, 0], [*"aabb"], "Precision is ill-defined", 0),
    "f1_score": ([1, 1, 0, 0], [1, 1, 0, 0], [*"aabb"], "F-score is ill-defined", 0),
    "balanced_accuracy_score": ([1, 0, 0, 0], [1, 1, 1, 0], [*"aabb"], "y_pred contains", 0.5),
    "log_loss": ([1, 0, 0, 0], [0.9, 0.8, 0.3, 0.2], [*"aabb"], "contains only one label", 0),
    "roc_auc_score": ([1, 0, 0, 0], [0.9, 0.8, 0.3, 0.2], [*"aabb"], "Only one class", 0),
    "r2_score": ([1, 0, 1], [0.9, 0.8, 0.3], [*"aab"], "not well-defined", 0),
}


@pytest.mark.parametrize("name", UNDEFINED)
def test_a_group_without_a_class(name: str) -> None:
    """It is named with what the metric says of it; the worst group is that of the others."""
    *rows, reason, as_it_is = UNDEFINED[name]
    sentence = f"group_metric: {name} is not defined for group 'b': .*{reason}"
    with pytest.warns(UndefinedMeasureWarning, match=sentence) as caught:
        found = group_metric(name, *rows)
    assert len(caught) == 1
    assert math.isnan(found.groups["b"].value)
    assert math.isnan(found.difference)
    assert math.isnan(found.ratio)
    assert (found.worst_group, found.worst) == ("a", found.groups["a"].value)
    assert not math.isnan(found.overall)
    with pytest.raises(InputError, match=sentence):
        group_metric(name, *rows, undefined="raise")
    zero = group_metric(name, *rows, undefined="zero")
    assert zero.groups["b"].value == as_it_is


def test_scipy_and_what_gives_no_finite_number() -> None:
    """No group's value is infinite, and a division by zero is no error of Python."""
    rows = ([1.0, 2, 3, 1, 1, 1], [1.0, 3, 2, 1, 2, 3], GROUPS)

    def correlation(references: Any, predictions: Any) -> float:
        return float(spearmanr(references, predictions).statistic)

    with pytest.warns(UndefinedMeasureWarning, match="for group 'b': An input array is constant"):
        found = group_metric(correlation, *rows, worst="lowest")
    assert found.groups["a"].value == 0.5

    def infinite(references: Any, predictions: Any) -> float:
        return math.inf if len(set(references)) == 1 else 1

    with pytest.warns(UndefinedMeasureWarning, match="for group 'b': its value is inf"):
        group_metric(infinite, *rows, worst="highest")

    def spread(references: Any, predictions: Any) -> float:
        return 1 / int(max(references) - min(references))

    with pytest.warns(UndefinedMeasureWarning, match="for group 'b': .*division by zero"):
        group_metric(spread, *rows, worst="highest")


def test_all_rows_lack_a_class() -> None:
    """Then nothing has a value, and that is said of all rows and of the groups."""
    with pytest.warns(UndefinedMeasureWarning) as caught:
        found = group_metric("precision_score", [1, 0], [0, 0], ["a", "b"])
    told = [str(each.message) for each in caught]
    assert "not defined for all rows: Precision is ill-defined" in told[0]
    assert "not defined for groups 'a' and 'b': Precision is ill-defined" in told[1]
    assert found.worst_group is None
    assert math.isnan(found.worst)
    zero = group_metric("precision_score", [1, 0], [0, 0], ["a", "b"], undefined="zero")
    assert (zero.overall, zero.worst_group, zero.difference) == (0, "a", 0)


def test_what_a_metric_says_of_all_rows_is_passed_on_once() -> None:
    """It is nothing that a group lacks."""

    def talkative(references: Any, predictions: Any) -> float:
        warnings.warn("use another", FutureWarning, stacklevel=1)
        warnings.warn("scores are no probabilities", UserWarning, stacklevel=1)
        return float(predictions.mean())

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = group_metric(talkative, Y_TRUE, Y_PRED, GROUPS, worst="lowest")
    told = [(each.category, str(each.message)) for each in caught]
    assert told == [(FutureWarning, "use another"), (UserWarning, "scores are no probabilities")]
    assert found.difference == pytest.approx(1 / 3)


def test_one_group_none_and_a_missing_label() -> None:
    """There is nothing to compare; a missing label is told, or a group."""
    with pytest.warns(UndefinedMeasureWarning, match="there is one group, 'a'; a comparison needs"):
        found = group_metric("accuracy_score", [1, 0], [1, 1], ["a", "a"])
    assert (found.overall, found.worst_group) == (0.5, "a")
    assert math.isnan(found.difference)
    with pytest.warns(UndefinedMeasureWarning, match="for all rows: there are no rows"):
        found = group_metric("accuracy_score", [], [], [])
    assert found.groups == {}
    assert math.isnan(found.overall)
    zero = group_metric("accuracy_score", [], [], [], undefined="zero")
    assert (zero.overall, zero.difference, zero.ratio) == (0, 0, 0)
    found = group_metric("accuracy_score", [1, 0], [1, 1], ["a", None], missing_group="own")
    assert (found.worst_group, found.worst) == (None, 0)


@pytest.mark.parametrize(("rows", "reason"), [
    (([1, 0, 1, 0], [1, 0, 0, 1], [*"aabb"]), "matthews_corrcoef lies below 0 where it is comp"),
    (([1, 0, 1, 0, 1, 0, 1, 0], [1, 0, 0, 1, 0, 0, 1, 1], [*"aabbcccc"]), "lies below 0"),
])  # fmt: skip
def test_there_is_no_ratio_of_values_below_0(rows: Any, reason: str) -> None:
    """A difference there is."""
    with pytest.warns(UndefinedMeasureWarning, match=reason):
        found = group_metric("matthews_corrcoef", *rows)
    assert (found.difference, found.worst_group) == (2, "b")
    assert math.isnan(found.ratio)
    assert group_metric("matthews_corrcoef", *rows, undefined="zero").ratio == 0

    def matthews_corrcoef(references: Any, predictions: Any) -> float:
        return float(np.cov(references, predictions)[0, 1] * 3)

    crossed = ([1, 1, 0, 0], [0, 0, 1, 1], [*"aabb"])
    with pytest.warns(UndefinedMeasureWarning, match="matthews_corrcoef is 0 where it is compared"):
        found = group_metric(matthews_corrcoef, *crossed, worst="lowest")
    assert (found.overall, found.difference) == (-1, 0)
    with pytest.warns(UndefinedMeasureWarning, match="accuracy_score is 0 where it is compared"):
        assert group_metric("accuracy_score", [1, 0], [0, 1], ["a", "b"]).difference == 0


def test_thousands_of_intersections() -> None:
    """One warning names some of the groups that lack a class."""
    generator = np.random.default_rng(0)
    rows = generator.integers(0, 2, (2, 9000))
    parts = {name: generator.integers(0, 15, 9000) for name in ("age", "race", "region")}
    groups = intersections(parts)

    def precision(references: Any, predictions: Any) -> float:
        return int(references @ predictions) / int(predictions.sum())

    with pytest.warns(UndefinedMeasureWarning, match=r"for groups \(0, 0, .* and \d+ others: div"):
        found = group_metric(precision, *rows, groups, worst="lowest")
    assert len(found.groups) == len(set(groups)) > 3000
    right = [group for group in found.groups.values() if not math.isnan(group.value)]
    assert found.worst == min(group.value for group in right)


def test_which_value_is_the_worst() -> None:
    """A name of scikit-learn says it; of other functions somebody has to."""
    rows = (Y_TRUE, Y_PRED, GROUPS)
    assert group_metric("zero_one_loss", *rows).worst_group == "a"
    assert group_metric("zero_one_loss", *rows, worst="lowest").worst_group == "b"
    assert group_metric(partial(metrics.f1_score), *rows).worst_group == "a"
    for own in (share_of_1, partial(share_of_1)):
        with pytest.raises(InputError, match="worst must say which value of share_of_1 is the wor"):
            group_metric(own, *rows)
