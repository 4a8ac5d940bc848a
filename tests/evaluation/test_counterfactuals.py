"""Tests of the whole table, each figure against another way to it."""

import runpy
from collections import Counter
from collections.abc import Hashable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from datasets import ClassLabel, Dataset
from fairlearn.metrics import MetricFrame, false_positive_rate, true_positive_rate
from sklearn.metrics import accuracy_score, f1_score

from fair_datasets import InputError
from fair_datasets.evaluation import evaluate_counterfactuals
from fair_datasets.evaluation.counterfactuals import (
    CounterfactualEvaluation,
    counterfactual_report,
    open_classifier,
    plain_counterfactuals,
)
from fair_datasets.scores import ProbeConfig, train_probes
from fair_datasets.scores.probes import load_probe
from tests.small_models import small_model

RATES = ("true positive rate difference", "false positive rate difference")


def values(found: CounterfactualEvaluation, measure: str) -> dict[tuple[str, int], Any]:
    """Return the value of a measure by version and seed."""
    return {(row["version"], row["seed"]): row["value"]
        for row in found.rows if row["measure"] == measure}  # fmt: skip


def by_first_word(rows: Any) -> list[list[float]]:
    """Read a label by the first word: "yes" is 1."""
    return [[0.0, 1.0] if text.startswith("yes") else [1.0, 0.0] for (text,) in rows]


def test_perplexity_is_the_exponential_of_the_mean_loss(causal: str, rows: Dataset) -> None:
    """By the model itself, text by text; what is empty or of one token is skipped and counted."""
    from transformers import AutoModelForCausalLM, AutoTokenizer

    texts = ["the nurse said that she slept .", "the pilot left .", "the", ""]
    given = Dataset.from_dict({"text": ["the pilot ate .", "she left .", "he sang .", "the miner"]})
    found = evaluate_counterfactuals(given, {"new": texts}, causal=causal)
    model, tokenizer = (
        kind.from_pretrained(causal) for kind in (AutoModelForCausalLM, AutoTokenizer)
    )
    for version, some in (("original", given["text"][:]), ("new", texts[:2])):
        losses = []
        for text in some:
            ids = torch.tensor([tokenizer(text)["input_ids"]])
            with torch.no_grad():
                losses.append(model(ids, labels=ids).loss.item())
        expected = np.exp(np.mean(losses))
        assert values(found, "perplexity")[version, 0] == pytest.approx(expected, rel=1e-5)
    assert [(row["size"], row["skipped"]) for row in found.rows] == [(4, 0), (2, 2)]


def test_transfer_is_that_of_the_texts_beside_the_originals_own(
    rows: Dataset, others: list[str], reads: Any
) -> None:
    """Half of the rows rewritten: half transferred; the originals' own value is the base rate."""
    half = [*others[:12], *rows["text"][12:]]
    blank = ["", *others[1:]]
    found = evaluate_counterfactuals(
        rows, {"swap": others, "half": half, "blank": blank}, classifier=reads,
        classes=["woman", "man"],
    )  # fmt: skip
    shares = values(found, "transfer accuracy")
    assert [*shares.values()] == pytest.approx([0.0, 100.0, 50.0, 100.0])
    # A man's text is read as a man's by .8, a woman's as a woman's by .9.
    means = values(found, "mean other probability")
    assert means["original", 0] == pytest.approx((12 * 0.2 + 12 * 0.1) / 24)
    assert means["swap", 0] == pytest.approx((12 * 0.9 + 12 * 0.8) / 24)
    assert [row["skipped"] for row in found.rows if row["version"] == "blank"] == [1, 1]


KINDS = ["woman", "man"]


@pytest.fixture(scope="module")
def probe(tmp_path_factory: pytest.TempPathFactory, rows: Dataset) -> str:
    """Train a linear probe of the groups, which knows their numbers alone."""
    numbers = [KINDS.index(group) for group in rows["gender"]]
    known = rows.remove_columns("gender").add_column("gender", numbers)
    folder = tmp_path_factory.mktemp("probe")
    config = ProbeConfig(out=folder, columns="text", label="gender", seeds=1, epochs=30)
    return train_probes(config, known)[0][-1]


def labelled(rows: Dataset, names: list[str], calls: dict[str, str] | None = None) -> Dataset:
    """Return the rows with their groups as a ClassLabel."""
    calls = calls or {name: name for name in names}
    numbers = [names.index(calls[group]) for group in rows["gender"]]
    plain = rows.remove_columns("gender").add_column("gender", numbers)
    return plain.cast_column("gender", ClassLabel(names=names))


def transfers(given: Dataset, others: list[str], **options: Any) -> list[float]:
    """Return the transfer accuracy of the originals and of the swap."""
    found = evaluate_counterfactuals(given, {"swap": others}, **options)
    return [*values(found, "transfer accuracy").values()]


def test_groups_are_found_by_number_and_by_the_order_given(
    probe: str, rows: Dataset, others: list[str]
) -> None:
    """A linear probe reads them by number; the order of a ClassLabel is none of its business."""
    numbers = [KINDS.index(group) for group in rows["gender"]]
    plain = rows.remove_columns("gender").add_column("gender", numbers)
    written = labelled(rows, ["1", "0"], {"woman": "0", "man": "1"})
    for given in (plain, written):
        assert transfers(given, others, classifier=probe) == [0.0, 100.0]
    three = labelled(rows, ["other", "man", "woman"])
    for given in (rows, labelled(rows, KINDS), labelled(rows, KINDS[::-1]), three):
        assert transfers(given, others, classifier=probe, classes=KINDS) == [0.0, 100.0]
    assert transfers(rows, others, classifier=probe, classes=KINDS[::-1]) == [100.0, 0.0]


def test_groups_that_a_classifier_does_not_name_need_classes(
    probe: str, rows: Dataset, others: list[str], reads: Any
) -> None:
    """The names of a ClassLabel, in whatever order, are those of its own data."""
    men = rows.filter(lambda row: row["gender"] == "man")
    given = [rows, labelled(rows, KINDS), labelled(rows, KINDS[::-1]),
             labelled(men, ["other", "man", "woman"])]  # fmt: skip
    for classifier in (probe, reads):
        for each in given:
            with pytest.raises(InputError, match=r"row 0 .* 'man', but .* '0', '1'; .* as classes"):
                transfers(each, others[: len(each)], classifier=classifier)
    said = rows.remove_columns("gender").add_column("gender", [True] * len(rows))
    with pytest.raises(InputError, match=r"row 0 of column 'gender' holds True, but the classes"):
        transfers(said, others, classifier=probe)


def test_groups_are_found_by_the_names_that_a_classifier_has(
    tmp_path: Path, rows: Dataset, others: list[str]
) -> None:
    """Whatever the numbers of a ClassLabel; a name that the classifier lacks is told."""
    models = runpy.run_path(str(Path(__file__).parents[1] / "scores" / "conftest.py"))
    tokenizer = models["tokenizer_of"]("causal")
    named = {"id2label": {0: "woman", 1: "man"}, "initializer_range": 1.0}
    model = small_model("BertForSequenceClassification", len(tokenizer), **named)
    model.save_pretrained(tmp_path)
    tokenizer.save_pretrained(tmp_path)
    # An odd number, of one group: no share is the same the other way round.
    rows, others = rows.select(range(7)), others[:7]
    assert set(rows["gender"]) == {"man"}
    expected = transfers(rows, others, classifier=tmp_path, classes=KINDS)
    assert expected != transfers(rows, others, classifier=tmp_path, classes=KINDS[::-1])
    for given in (rows, labelled(rows, KINDS), labelled(rows, KINDS[::-1])):
        assert transfers(given, others, classifier=tmp_path) == expected
    other = labelled(rows, ["male", "female"], {"man": "male", "woman": "female"})
    with pytest.raises(
        InputError, match=r"holds 'male', but the classes .* 'woman', 'man'; give the groups"
    ):
        transfers(other, others, classifier=tmp_path)


def test_rates_accuracy_and_f1_are_those_of_fairlearn_and_scikit_learn() -> None:
    """Of a classifier that is known; signed in the order named, and without the sign."""
    texts = ["yes a", "no b", "yes c", "yes d", "no e", "no f", "yes g", "no h", "no i"]
    labels = [1, 1, 0, 1, 0, 0, 0, 1, 1]
    groups = ["w", "w", "w", "m", "m", "w", "m", "m", "w"]
    test = Dataset.from_dict({"text": texts, "label": labels, "gender": groups})
    predicted = [int(text.startswith("yes")) for text in texts]
    frame = MetricFrame(
        metrics={"tpr": true_positive_rate, "fpr": false_positive_rate},
        y_true=labels, y_pred=predicted, sensitive_features=groups,
    ).by_group  # fmt: skip
    for order, sign in ((("w", "m"), 1), (("m", "w"), -1), (None, -1)):
        found = evaluate_counterfactuals(
            test, {}, test=test, trainer=lambda data, seed: by_first_word, order=order
        )
        for measure, rate in zip(RATES, ("tpr", "fpr"), strict=True):
            expected = sign * (frame[rate]["w"] - frame[rate]["m"])
            assert values(found, measure)["original", 0] == pytest.approx(expected)
            absolute = values(found, f"absolute {measure}")["original", 0]
            assert absolute == pytest.approx(abs(expected))
        assert found.order == (order or ("m", "w"))
    accuracy, f1 = (values(found, name)["original", 0] for name in ("accuracy", "F1"))
    assert accuracy == pytest.approx(accuracy_score(labels, predicted))
    assert f1 == pytest.approx(f1_score(labels, predicted))


def test_a_version_is_learnt_with_its_originals_and_one_in_place_alone(
    rows: Dataset, others: list[str]
) -> None:
    """2N rows with the labels of the originals; the test rows are read as they are."""
    seen: list[tuple[int, list[tuple[str, int]]]] = []

    def train(data: Dataset, seed: int) -> Any:
        seen.append((seed, list(zip(data["text"], data["label"], strict=True))))
        return by_first_word

    blank = ["", *others[1:]]
    found = evaluate_counterfactuals(
        rows, {"CDA": blank, "CDS": others}, test=rows, trainer=train, in_place=["CDS"], seeds=[3]
    )
    labels = rows["label"][:]
    original = list(zip(rows["text"], labels, strict=True))
    swap = list(zip(others, labels, strict=True))
    assert seen == [(3, original), (3, original + swap[1:]), (3, swap)]
    assert [row["skipped"] for row in found.rows if row["measure"] == "F1"] == [0, 1, 0]


def test_a_linear_probe_learns_less_of_gender_from_both(rows: Dataset, others: list[str]) -> None:
    """The default classifier, of which the imbalance shows, until counterfactuals balance it."""
    texts = ["the man said that he is rude", "the woman said that she is rude",
             "the man said that he is kind", "the woman said that she is kind"]  # fmt: skip
    test = Dataset.from_dict({"text": texts, "label": [1, 1, 0, 0], "gender": ["man", "woman"] * 2})
    both = rows.add_column("other", others)
    given = both.filter(lambda row: row["label"] == (row["gender"] == "man"))
    found = evaluate_counterfactuals(
        given, {"CDA": given["other"]}, test=test, order=("man", "woman"), seeds=[0, 1]
    )
    gap = values(found, RATES[0])
    assert gap == {("original", 0): 1.0, ("original", 1): 1.0, ("CDA", 0): 0.0, ("CDA", 1): 0.0}


def test_each_seed_has_its_own_texts_and_means_are_over_seeds(
    rows: Dataset, others: list[str], reads: Any
) -> None:
    """The standard deviation has ddof 1; of what is the same for all seeds there is one value."""
    lists = [others, (*others[:6], *rows["text"][6:]), rows["text"]]
    trained: list[Counter[str]] = []

    def train(data: Dataset, seed: int) -> Any:
        trained.append(Counter(data["text"]))
        return by_first_word

    found = evaluate_counterfactuals(
        rows, {"seeds": lists, "one": others}, classifier=reads, classes=["woman", "man"],
        test=rows, trainer=train, seeds=[5, 6, 7],
    )  # fmt: skip
    shares = values(found, "transfer accuracy")
    assert shares == {
        ("original", 5): 0.0, ("seeds", 5): 100.0, ("seeds", 6): 25.0, ("seeds", 7): 0.0,
        ("one", 5): 100.0,
    }  # fmt: skip
    mean = next(
        row for row in found.means
        if (row["version"], row["measure"]) == ("seeds", "transfer accuracy")
    )  # fmt: skip
    assert (mean["n"], mean["mean"]) == (3, pytest.approx(125 / 3))
    assert mean["sd"] == pytest.approx(np.std([100, 25, 0], ddof=1))
    assert [*values(found, "F1")] == [
        (name, seed) for name in ("original", "seeds", "one") for seed in (5, 6, 7)
    ]
    assert trained[3:6] == [Counter([*rows["text"], *texts]) for texts in lists]


def test_blank_texts_alone_have_no_value(reads: Any) -> None:
    """The classifier is not asked, and the row says why."""
    with pytest.warns(UserWarning, match="predictions has no rows"):
        found = evaluate_counterfactuals(
            Dataset.from_dict({"text": [" "], "gender": ["man"]}), {}, classifier=reads,
            classes=["woman", "man"],
        )  # fmt: skip
    assert [row["value"] for row in found.rows] == [None, None]
    assert found.rows[0]["skipped"] == 1


def test_the_report_has_a_line_for_each_version(
    causal: str, rows: Dataset, others: list[str], reads: Any
) -> None:
    """With what each number is, what was left out, and the order of the groups."""
    found = evaluate_counterfactuals(
        rows, {"CDA | 1": ["the", *others[1:]]}, causal=causal, classifier=reads,
        classes=["woman", "man"], test=rows, trainer=lambda data, seed: by_first_word,
        order=["woman", "man"], seeds=[0, 1],
    )  # fmt: skip
    report = counterfactual_report(found, title="Mine", command="python mine.py")
    lines = report.splitlines()
    assert lines[0] == "# Mine"
    assert "rate of 'woman' less those of 'man'" in report
    assert "- CDA | 1: 1 texts too short for perplexity were skipped." in report.replace("\\", "")
    assert "python mine.py" in report
    (header, *cells) = [line for line in lines if line.startswith("|")]
    assert header.split("|")[2:5] == [" perplexity ", " transfer % ", " other group "]
    assert cells[1].startswith("| original |")
    assert " 0.000 ± 0.000 |" in cells[2]
    plain = plain_counterfactuals(found)
    assert plain["order"] == ["woman", "man"]
    assert plain["rows"] == found.rows.to_list()


def test_what_is_undefined_has_a_reason_and_no_value(causal: str) -> None:
    """Where no text is long enough, there is no perplexity; the row says so."""
    given = Dataset.from_dict({"text": ["the nurse left ."]})
    with pytest.warns(UserWarning, match="no text of losses has a loss"):
        found = evaluate_counterfactuals(given, {"short": ["the"]}, causal=causal)
    row = found.rows[1]
    assert (row["value"], row["reason"]) == (None, "no text is long enough")
    assert found.means[1]["n"] == 0
    assert "- short: no perplexity, as no text is long enough." in counterfactual_report(found)


TEST = {"text": ["a b", "c d"] * 4, "label": [0, 0, 1, 1] * 2, "gender": ["w", "m"] * 4}
GIVEN = Dataset.from_dict(TEST)


def test_a_classifier_of_three_classes_is_refused(tmp_path: Path) -> None:
    """Transfer is between two groups."""
    rows = Dataset.from_dict({"text": ["red", "green", "blue"] * 2, "label": [0, 1, 2] * 2})
    config = ProbeConfig(out=tmp_path, columns="text", seeds=1, epochs=1)
    probe = train_probes(config, rows)[0][0]
    assert load_probe(probe).classes == 3
    with pytest.raises(InputError, match="the classifier must have two classes, but it has 3"):
        evaluate_counterfactuals(GIVEN, {}, classifier=probe)


def places(groups: Sequence[Hashable], classes: Any = None) -> list[int]:
    """Return the classes of groups of a classifier that is a function."""
    found = open_classifier(len, classes, groups, column="sex", batch_size=8)
    return found.places.tolist()
