"""Tests of the whole table: encoders, seeds, tests and tasks."""

from typing import Any

import numpy as np
import pytest
from datasets import Dataset
from scipy import stats
from scipy.optimize import minimize
from scipy.special import log_softmax, softmax
from scipy.stats import pearsonr, spearmanr
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from transformers import AutoModel, AutoTokenizer

from fair_datasets import InputError
from fair_datasets.cards.report import encoder_plot, save_picture
from hub_scripts.encoders import EncoderTask, evaluate_encoders
from hub_scripts.encoders.encoder_tasks import SENTENCE_TESTS, pair_features
from hub_scripts.encoders.encoders import (
    L2,
    LEVELS,
    classification_probe,
    comparison_rows,
    evaluation_report,
    missing_lines,
    plain_evaluation,
    similarity_probe,
    t_interval,
)

GOOD, BAD = ("kind", "warm", "bright"), ("cold", "dull", "grim")


def mood() -> EncoderTask:
    """Return a task of texts: whether a word is a good one."""
    texts = [f"a {word} {thing}" for word in GOOD + BAD for thing in ("day", "room", "song", "man")]
    labels = [int(text.split()[1] in GOOD) for text in texts]
    rows = Dataset.from_dict({"text": texts, "label": labels})
    splits = dict.fromkeys(("train", "validation", "test"), rows)
    return EncoderTask(name="mood", kind="text", columns="text", label="label", splits=splits)


def likeness() -> EncoderTask:
    """Return a task of pairs: by how many letters their lengths differ."""
    first = [f"{'a' * size} b" for size in range(1, 13)]
    second = [f"{'a' * (size * 5 % 7 + 1)} b" for size in range(1, 13)]
    scores = [abs(len(u) - len(v)) for u, v in zip(first, second, strict=True)]
    rows = Dataset.from_dict({"u": first, "v": second, "far": scores})
    splits = dict.fromkeys(("train", "validation", "test"), rows)
    return EncoderTask(
        name="far", kind="similarity", columns=("u", "v"), label="far", splits=splits
    )


def lengths(texts: list[str]) -> Any:
    """Give each text its length and some of its letters."""
    return [[len(text), *(text.count(letter) for letter in "aeiklnw")] for text in texts]


def flat(texts: list[str]) -> Any:
    """Give each text nearly the same, as an encoder without training might."""
    return [[1.0, 0.0] for _ in texts]


def test_the_table_has_a_row_for_each_encoder_seed_test_and_measure(
    encoders: dict[str, Any],
) -> None:
    """The default tests are those of the paper; of tasks there are baselines and penalties."""
    found = evaluate_encoders(
        {"letters": lengths, "drawn": [encoders["drawn_all"], lengths]},
        tasks=[mood(), likeness()], n_samples=100,
    )  # fmt: skip
    keys = [(row["encoder"], row["seed"], row["test"], row["measure"]) for row in found.rows]
    tests = [(test, "effect size") for test in (*SENTENCE_TESTS, "gender mean")]
    tests += [("mood", "accuracy"), ("far", "pearson"), ("far", "spearman")]
    places = [("letters", 0), ("drawn", 0), ("drawn", 1)]
    assert keys == [(*place, *test) for place in places for test in tests]
    by_key = dict(zip(keys, found.rows, strict=True))
    row = by_key["letters", 0, "mood", "accuracy"]
    assert row["value"] == 1.0
    assert row["baseline"] == 0.5
    assert row["size"] == 24
    assert row["l2"] in (10.0, 1.0, 0.1, 1e-2, 1e-3, 1e-4, 1e-5) == L2
    assert by_key["letters", 0, "far", "pearson"]["value"] > 0.99
    assert row["source"] == "lengths"


def test_means_are_over_the_seeds_of_one_name(encoders: dict[str, Any]) -> None:
    """With a t-interval, which one seed does not have; single encoders stay in the rows."""
    seeds = [encoders["planted"]("C6", strength) for strength in (0.1, 0.2, 0.4)]
    found = evaluate_encoders(
        {"three": seeds, "one": seeds[0]}, tests=["C6"], n_samples=200
    )  # fmt: skip
    values = [row["value"] for row in found.rows if row["test"] == "C6"]
    three, _, one, _ = found.means
    assert three["n"] == 3
    assert three["mean"] == pytest.approx(np.mean(values[:3]))
    ends = stats.t.interval(0.95, 2, loc=three["mean"], scale=stats.sem(values[:3]))
    assert (three["low"], three["high"]) == pytest.approx(ends)
    assert (one["n"], one["mean"], one["low"]) == (1, values[3], None)
    adjusted = [row["p_holm"] for row in found.rows if row["test"] == "C6"]
    assert three["significant"] == sum(p < 0.05 for p in adjusted[:3])
    assert t_interval([1.0]) is None


def test_the_same_encoders_give_the_same_table_and_picture(
    encoders: dict[str, Any], tmp_path: Any
) -> None:
    """Nothing is random but the partitions, which follow the seed."""
    vectors = encoders["random_vectors"]("C6", "C7")

    def run(**settings: Any) -> Any:
        return evaluate_encoders(
            {"words": vectors}, tests=["C6", "C7"], tasks=[mood()], n_samples=300, **settings
        )

    one, two, other = run(), run(), run(seed=1)
    assert plain_evaluation(one) == plain_evaluation(two)
    assert evaluation_report(one) == evaluation_report(two)
    assert [row["value"] for row in one.rows] == [row["value"] for row in other.rows]
    assert [row["p_value"] for row in one.rows] != [row["p_value"] for row in other.rows]
    for number, found in enumerate((one, two)):
        save_picture(encoder_plot(found), tmp_path / f"{number}.svg")
    assert (tmp_path / "0.svg").read_bytes() == (tmp_path / "1.svg").read_bytes()


def test_a_model_is_compared_with_words_and_with_a_function(
    tiny_encoder: str, encoders: dict[str, Any]
) -> None:
    """A folder, word vectors and a function stand in one table; what falls out says why."""
    model, tokenizer = (kind.from_pretrained(tiny_encoder) for kind in (AutoModel, AutoTokenizer))
    found = evaluate_encoders(
        {"tiny": tiny_encoder, "words": encoders["random_vectors"]("C6b"), "letters": lengths,
         "loaded": (model, tokenizer)},
        tests=["C6b"], tasks=[mood()], n_samples=100,
    )  # fmt: skip
    values = {(row["encoder"], row["test"]): row for row in found.rows}
    assert "set X" in values["tiny", "C6b"]["reason"]
    assert "John" not in values["tiny", "C6b"]["left_out"]
    assert values["words", "C6b"]["value"] is not None
    assert values["letters", "C6b"]["value"] is not None
    assert values["tiny", "mood"]["source"] == "tiny"
    assert values["loaded", "mood"] == {**values["tiny", "mood"], "encoder": "loaded",
        "source": "BertModel"}  # fmt: skip
    assert all(values[name, "mood"]["value"] is not None for name in ("tiny", "words", "letters"))


def test_an_encoder_that_tells_nothing_reaches_the_baseline() -> None:
    """Accuracy is that of the commonest class, and a correlation has no value but a reason."""
    found = evaluate_encoders({"flat": flat}, tests=[], tasks=[mood(), likeness()])
    accuracy, pearson, spearman = found.rows
    assert accuracy["value"] == accuracy["baseline"] == 0.5
    for row in (pearson, spearman):
        assert row["value"] is None
        assert row["validation"] is None
        assert row["reason"] == "the probe predicts the same for all rows"


def test_the_report_puts_encoders_beside_each_other(encoders: dict[str, Any]) -> None:
    """With stars, intervals, baselines, dashes and reasons; names cannot break the table."""
    seeds = [encoders["planted"]("C6", strength) for strength in (1.5, 2.0)]
    found = evaluate_encoders(
        {"Sub95": seeds, "a|b": [encoders["random_vectors"]("C7")]}, tests=["C6"], n_samples=200
    )
    (c6, mean) = comparison_rows(found, "association")
    assert list(c6) == ["test", "Sub95, n = 2", "a|b, n = 1"]
    low, high = found.means[0]["low"], found.means[0]["high"]
    assert c6["Sub95, n = 2"] == f"{found.means[0]['mean']:.3f}* [{low:.3f}, {high:.3f}]"
    assert c6["a|b, n = 1"] == mean["a|b, n = 1"] == "-"
    assert "*" not in mean["Sub95, n = 2"]
    report = evaluation_report(found, title="Mine", command="fair-datasets x", picture="p.svg")
    lines = report.splitlines()
    assert lines[0] == "# Mine"
    assert "![Effect sizes and probes of each encoder](p.svg)" in lines
    tables = [line for line in lines if line.startswith("|")]
    assert len({line.replace("\\|", "").count("|") for line in tables}) == 1
    assert any(
        "no value, as the encoder has vectors for 0 of the 8 words" in each for each in lines
    )
    assert "fair-datasets x" in lines
    assert "## Tasks" not in lines


def test_a_value_that_some_seeds_lack_says_of_how_many_it_is(encoders: dict[str, Any]) -> None:
    """The mean is over those that have one."""
    pair = [encoders["random_vectors"]("C6"), encoders["random_vectors"]("C7")]
    found = evaluate_encoders({"two": pair}, tests=["C6"], n_samples=100)
    assert found.means[0]["n"] == 1
    (c6, _) = comparison_rows(found, "association")
    assert c6["two, n = 2"].endswith("(n = 1)")


def test_the_encoders_are_opened_before_any_of_them_runs() -> None:
    """A wrong path at the end costs no hour."""
    read: list[str] = []

    def encode(texts: list[str]) -> Any:
        read.extend(texts)
        return lengths(texts)

    with pytest.raises(InputError, match=r"encoder 'last': there is no folder '\./nowhere'"):
        evaluate_encoders({"first": encode, "last": ["./nowhere"]})
    assert not read


def test_a_function_that_raises_is_named() -> None:
    """What it raised is the cause."""

    def broken(texts: list[str]) -> Any:
        raise KeyError(texts[0])

    given = {"good": lengths, "bad": broken}
    with pytest.raises(RuntimeError, match="encoder 'bad': the function raised KeyError") as found:
        evaluate_encoders(given, tests=["C6"], n_samples=100)
    assert isinstance(found.value.__cause__, KeyError)


def test_what_all_encoders_lack_is_said_once(encoders: dict[str, Any]) -> None:
    """And what one lacks, with its name."""
    lacking = {"a": encoders["random_vectors"]("C7"), "b": encoders["random_vectors"]("C7")}
    both = missing_lines(evaluate_encoders(lacking, tests=["C6"], n_samples=200))
    assert len(both) == 2
    assert all(line.startswith("all encoders, ") for line in both)
    one = {"a": lacking["a"], "c": encoders["planted"]("C6", 1.5)}
    found = missing_lines(evaluate_encoders(one, tests=["C6"], n_samples=200))
    assert [line.partition(":")[0] for line in found] == ["a, C6", "a, gender mean"]


SIZES = {"train": 90, "validation": 40, "test": 60}


def rows(seed: int, width: int = 6) -> tuple[dict[str, Any], dict[str, Any]]:
    """Draw features, and a number that follows from them with noise."""
    generator = np.random.default_rng(seed)
    weights = generator.normal(size=width)
    features = {split: generator.normal(size=(size, width)) for split, size in SIZES.items()}
    signal = {split: found @ weights + generator.normal(size=len(found))
        for split, found in features.items()}  # fmt: skip
    return features, signal


def test_it_is_plain_logistic_regression_chosen_on_the_validation_rows() -> None:
    """Accuracy and penalty are those of scikit-learn's pipeline, fitted by hand."""
    features, signal = rows(0)
    labels = {split: [["low", "middle", "high"][place] for place in np.digitize(found, [-1, 1])]
        for split, found in signal.items()}  # fmt: skip
    tried = (1.0, 0.1, 0.01, 0.001)
    plain = {}
    for l2 in tried:
        model = make_pipeline(
            StandardScaler(), LogisticRegression(C=1 / (l2 * SIZES["train"]), max_iter=10_000)
        ).fit(features["train"], labels["train"])
        plain[l2] = [model.score(features[split], labels[split]) for split in SIZES]
    best = max(tried, key=lambda l2: plain[l2][1])
    found = classification_probe(features, labels, tried)
    assert found.l2 == best
    assert found.validation == pytest.approx(plain[best][1])
    assert found.values == pytest.approx({"accuracy": plain[best][2]})
    counts = {name: labels["train"].count(name) for name in sorted(set(labels["train"]))}
    commonest = max(counts, key=lambda name: counts[name])
    share = labels["test"].count(commonest) / SIZES["test"]
    assert found.baseline == pytest.approx({"accuracy": share})


def test_the_stronger_penalty_wins_a_tie() -> None:
    """Where the validation rows do not tell penalties apart, the smaller weights are taken."""
    features = dict.fromkeys(SIZES, np.array([[-1.0], [1.0]] * 5))
    found = classification_probe(features, dict.fromkeys(SIZES, ["a", "b"] * 5), (1.0, 0.1))
    assert found.l2 == 1.0


def test_similarity_is_a_softmax_over_levels_with_the_score_for_expectation() -> None:
    """The predictions are those of the cross-entropy with two neighbours, minimised by SciPy."""
    features, signal = rows(1, width=3)
    scores = {split: np.clip(found + 2.5, 0, 5) for split, found in signal.items()}
    l2 = 0.05
    scaler = StandardScaler().fit(features["train"])
    x = {split: scaler.transform(found) for split, found in features.items()}
    low, high = scores["train"].min(), scores["train"].max()
    levels = np.linspace(low, high, LEVELS)
    # The share of a level falls to 0 at its neighbours.
    step = (high - low) / (LEVELS - 1)
    target = np.maximum(0, 1 - np.abs(scores["train"][:, None] - levels) / step)
    assert target.sum(axis=1) == pytest.approx(1)
    assert target @ levels == pytest.approx(scores["train"])

    def loss(flat: Any) -> float:
        weights, biases = flat[:-LEVELS].reshape(3, LEVELS), flat[-LEVELS:]
        fits = -(target * log_softmax(x["train"] @ weights + biases, axis=1)).sum(axis=1).mean()
        return float(fits + l2 / 2 * (weights**2).sum())

    flat = minimize(loss, np.zeros(4 * LEVELS), tol=1e-12).x
    logits = x["test"] @ flat[:-LEVELS].reshape(3, LEVELS) + flat[-LEVELS:]
    predicted = softmax(logits, axis=1) @ levels
    found = similarity_probe(features, scores, (l2,))
    assert found.values["pearson"] == pytest.approx(
        pearsonr(predicted, scores["test"])[0], abs=1e-4
    )
    rank = spearmanr(predicted, scores["test"])[0]
    assert found.values["spearman"] == pytest.approx(rank, abs=5e-3)
    assert found.baseline == {"pearson": None, "spearman": None}


def test_similarity_of_whole_scores_on_levels_has_no_neighbours() -> None:
    """Scores at the ends and on the levels are learnt as they are."""
    features = dict.fromkeys(SIZES, np.arange(5.0)[:, None].repeat(3, axis=0))
    scores = dict.fromkeys(SIZES, tuple(map(float, np.arange(1, 6).repeat(3))))
    assert similarity_probe(features, scores).values["spearman"] == pytest.approx(1)


def test_features_of_similarity_do_not_know_the_order() -> None:
    """|u - v| and u * v are the same for both orders; for classes of pairs u and v stand before."""
    u, v = np.array([[1.0, -2.0]]), np.array([[3.0, 5.0]])
    assert pair_features(u, v, kind="similarity").tolist() == [[2, 7, 3, -10]]
    assert pair_features(v, u, kind="similarity").tolist() == [[2, 7, 3, -10]]
    assert pair_features(u, v, kind="pair").tolist() == [[1, -2, 3, 5, 2, 7, 3, -10]]
