"""What an unpleasant reviewer asks: a model that always stereotypes is found by what claims to.

It says 1 of men and 0 of women, whatever they do; beside it stands a model that goes by what they
do. Each measure of the package and each figure of an audit is in a table: with the figure by which
it tells the two apart, or with the reason why it does not claim to. One that is in none fails.
"""

import math
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from datasets import Dataset

from fair_datasets import CounterfactualSwap, audit, load_metric
from fair_datasets.auditing.findings import MEASURES
from fair_datasets.auditing.names import NAMED
from fair_datasets.measures import available_metrics
from fair_datasets.measures.bbq_items import read_items
from fair_datasets.models import load_word_vectors
from tests.auditing.planted import Planted, rows_of

WHO = ["He", "She"] * 40
DONE = ["won", "won", "lost", "lost"] * 20
TEXTS = [
    f"{who} {what} on day {day}." for day, (who, what) in enumerate(zip(WHO, DONE, strict=True))
]
RIGHT = [int(what == "won") for what in DONE]
Model = Callable[[str], int]


@cache
def twins() -> list[str]:
    """Swap the texts."""
    swap = CounterfactualSwap(columns="text", mode="replace")
    return list(swap.apply(Dataset.from_dict({"text": TEXTS}))["text"])


def stereotypes(text: str) -> int:
    """Say 1 of men."""
    return int(text.startswith("He "))


def goes_by_deeds(text: str) -> int:
    """Say 1 of winners."""
    return int("won" in text)


def said(model: Model) -> dict[str, list[int]]:
    """Ask about the texts and their twins."""
    return {
        "predictions": [model(text) for text in TEXTS],
        "counterfactual_predictions": [model(text) for text in twins()],
    }


def of_groups(name: str, figure: Callable[[Any], Any], **options: Any) -> Callable[[Model], Any]:
    """Measure predictions of men and of women, a half of each of whom are winners."""

    def ask(model: Model) -> Any:
        found = load_metric(name)
        columns = {"predictions": said(model)["predictions"], "references": RIGHT, "groups": WHO}
        known = {each: columns[each] for each in columns if each in found.features}
        return figure(found.compute(**known, **options))

    return ask


def of_flips(model: Model) -> float:
    """Measure flips."""
    return load_metric("counterfactual_flip_rate").compute(**said(model))["flip_rate"]


def of_fairscore(model: Model) -> float:
    """Measure what changes with a perturbation."""
    rows = {"references": RIGHT, "changed": [1] * len(TEXTS)}
    return load_metric("fairscore").compute(**said(model), **rows)["fairscore_perturbed"]


def of_preferences(model: Model) -> float:
    """Score an answer about a person above one about nobody, or below it."""
    both = [[2 * model(text) - 1.0 for text in texts] for texts in (TEXTS, twins())]
    found = load_metric("preference_flip_rate").compute(
        differences=both[0], counterfactual_differences=both[1]
    )
    return found["flip_rate"]


def of_names(model: Model) -> float:
    """Take the people of the texts for two groups of names: how far do these move what it says?"""
    rows = [*range(len(TEXTS))] * 2
    found = load_metric("name_sensitivity").compute(
        predictions=[model(text) for text in (*TEXTS, *twins())], rows=rows,
        cultures=[text.split()[0] for text in (*TEXTS, *twins())], genders=["-"] * len(rows),
        names=[text.split()[0] + str(row % 8) for row, text in zip(rows, TEXTS * 2, strict=True)],
    )  # fmt: skip
    return found["cultures"][0]["score_shift"]


def of_labels(model: Model) -> float:
    """Take what the model says for labels: how far do they go with men?"""
    found = load_metric("label_association").compute(data=TEXTS, labels=said(model)["predictions"])
    (ratio,) = (each["odds_ratio"] for each in found["associations"]
                if (each["attribute"], each["label"]) == ("man", 1))  # fmt: skip
    return math.log(ratio)


def of_mentions(model: Model) -> float:
    """Whom do the rows mention of which the model says 1?"""
    found = load_metric("representation").compute(data=TEXTS, labels=said(model)["predictions"])
    shares = {each["label"]: each["shares"] for each in found["labels"]}
    return shares[1]["man"] - 0.5


def leaning(model: Model) -> dict[str, list[float]]:
    """Return vectors of words, in which deeds lean to people as the model puts them together."""
    is_stereotype = model is stereotypes
    words = {"he": [1, 0, 0], "man": [1, 0.1, 0], "she": [-1, 0, 0], "woman": [-1, 0.1, 0]}
    for number, word in enumerate(("led", "ruled", "won", "cared", "sewed", "wept")):
        # Without a stereotype, a deed of men leans as far as one of women, or to nobody.
        side = (1 if number < 3 else -1) if is_stereotype else (0.5, -0.5, 0)[number % 3]
        words[word] = [side, 1, 0.1 * (number % 3)]
    return {word: [float(value) for value in values] for word, values in words.items()}


def of_vectors(model: Model) -> float:
    """Test deeds of men and of women against words for them."""
    vectors = leaning(model)
    sets = {"led": "X", "ruled": "X", "won": "X", "cared": "Y", "sewed": "Y", "wept": "Y",
            "he": "A", "man": "A", "she": "B", "woman": "B"}  # fmt: skip
    found = load_metric("weat").compute(
        vectors=[vectors[word] for word in sets], sets=list(sets.values())
    )
    return found["effect_size"]


def of_sentences(model: Model) -> float:
    """Test sentences, whose vector is that of their deed or person."""
    vectors = leaning(model)
    words = {"led": "X", "ruled": "X", "won": "X", "cared": "Y", "sewed": "Y", "wept": "Y",
             "he": "A", "man": "A", "she": "B", "woman": "B"}  # fmt: skip

    def encode(texts: list[str]) -> list[list[float]]:
        return [vectors[text.split()[-1]] for text in texts]

    found = load_metric("seat").compute(
        texts=[f"This is {word}" for word in words], sets=list(words.values()), model=encode
    )
    return found["effect_size"]


def of_pairs(model: Model) -> float:
    """Score the sentence of a stereotype higher, or each of two as often."""
    wins = [1.0 if model is stereotypes else float(row % 2) for row in range(40)]
    found = load_metric("crows_pairs").compute(
        sent_more=wins, sent_less=[0.5] * 40, stereo_antistereo=["stereo", "antistereo"] * 20,
        bias_type=["gender"] * 40,
    )  # fmt: skip
    assert (found["interval"][0] > 50) == (model is stereotypes)
    return found["score"] - 50


def of_descriptors(model: Model) -> float:
    """Find sentences of one descriptor likelier than those of another, or as likely."""
    values = [1 + row % 10 + 20.0 * (row >= 10 and model is stereotypes) for row in range(20)]
    found = load_metric("holistic_bias").compute(
        data=values, axes=["gender"] * 20, templates=["I am {}."] * 20,
        descriptors=["a man"] * 10 + ["a woman"] * 10,
    )  # fmt: skip
    return found["axes"]["gender"]


def of_answers(model: Model) -> float:
    """Answer ambiguous questions by the stereotype, or say that it cannot be known."""
    rows = [{"category": "Age", "example_id": 4 * number} for number in range(20)]
    items = read_items(rows, "item")
    assert {item.context for item in items} == {"ambig"}
    said = [item.biased if model is stereotypes else item.unknown for item in items]
    (found,) = load_metric("bbq").compute(items=rows, predictions=said)["scores"]
    return found["bias_score"]


FOUND: Mapping[str, tuple[Callable[..., Any], float]] = {
    "demographic_parity": (of_groups("demographic_parity", lambda found: found["difference"]), 1),
    "equal_opportunity": (of_groups("equal_opportunity", lambda found: found["difference"]), 1),
    "equalized_odds": (of_groups("equalized_odds", lambda found: found["difference"]), 1),
    "error_rate_equality": (
        of_groups("error_rate_equality", lambda found: found["false_positive_equality_difference"]),
        1,
    ),
    "rate_difference": (
        of_groups(
            "rate_difference", lambda found: found["true_positive_rate_difference"],
            order=["He", "She"],
        ), 1,
    ),
    "group_metric": (
        of_groups("group_metric", lambda found: found["difference"], metric="recall_score"), 1,
    ),
    # The losers among men are ranked above the winners among women.
    "subgroup_auc": (
        of_groups("subgroup_auc", lambda found: 1 - found["groups"][0]["bpsn_auc"]), 1,
    ),
    "counterfactual_flip_rate": (of_flips, 1),
    "fairscore": (of_fairscore, 1),
    "preference_flip_rate": (of_preferences, 1),
    "name_sensitivity": (of_names, 1),
    "label_association": (of_labels, math.log(81**2)),
    "representation": (of_mentions, 0.5),
    "weat": (of_vectors, math.sqrt(30) / 3),
    "seat": (of_sentences, math.sqrt(30) / 3),
    "crows_pairs": (of_pairs, 50),
    "bbq": (of_answers, 100),
    "holistic_bias": (of_descriptors, 1),
}  # fmt: skip
"""Each measure that claims to find the model, and what it says of it; 0 of the other one."""
APART = {
    "bias_score": "it scores sentences; see the test of its own",
    "predictive_parity": "nothing is wrong with predictions that are never made; see its own test",
    "transfer_accuracy": "it is about rewritten texts",
    "counterfactual_perplexity": "it is about rewritten texts",
    "perturbation_quality": "it is about rewritten texts",
    "completion_difference": "it is about generated texts",
}
"""Each measure that is not in that table, and why."""


def test_every_measure_is_in_a_table() -> None:
    """A new measure says whether it claims to find such a model."""
    assert FOUND.keys() | APART.keys() == set(available_metrics())
    assert not FOUND.keys() & APART.keys()


def test_the_corpus_has_as_many_winners_of_each_gender() -> None:
    """So that a model that goes by deeds treats both alike, and twins differ in the person."""
    assert sum(RIGHT[::2]) == sum(RIGHT[1::2]) == 20
    swapped = {"He ": "She ", "She": "He "}
    assert all(
        twin.startswith(swapped[text[:3]]) and twin.split()[1:] == text.split()[1:]
        for text, twin in zip(TEXTS, twins(), strict=True)
    )


@pytest.mark.filterwarnings("ignore::fair_datasets.measures.UndefinedMeasureWarning")
@pytest.mark.parametrize("name", FOUND)
def test_a_model_that_always_stereotypes_is_found(name: str) -> None:
    """As surely as can be, and the one that goes by deeds is not."""
    ask, value = FOUND[name]
    assert ask(stereotypes) == pytest.approx(value, rel=1e-4)
    assert ask(goes_by_deeds) == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("outcome", [0, 1])
def test_predictive_parity_says_that_it_cannot_tell(outcome: int) -> None:
    """No woman is predicted 1 and no man 0: that is undefined with a warning, and not 0."""
    rows = {"predictions": said(stereotypes)["predictions"], "references": RIGHT, "groups": WHO}
    module = load_metric("predictive_parity")
    with pytest.warns(UserWarning, match="He" if outcome == 0 else "She"):
        assert math.isnan(module.compute(**rows, outcome=outcome)["difference"])
    with pytest.raises(ValueError, match="He" if outcome == 0 else "She"):
        module.compute(**rows, outcome=outcome, undefined="raise")


def test_sentences_whose_words_lean_are_scored(tmp_path: Path) -> None:
    """By vectors in which deeds lean to people, though the sentences name nobody."""
    scores = []
    for model in (stereotypes, goes_by_deeds):
        path = tmp_path / f"{model.__name__}.npz"
        load_word_vectors(leaning(model)).save(path)
        found = load_metric("bias_score").compute(data=["won won", "wept wept"], vectors=str(path))
        scores.append(found["mean"])
    assert scores[0] > 0.5
    assert scores[1] == pytest.approx(0, abs=1e-6)


HALF = "where labels are the stereotype, as much may be right of either version"
_OF_ROWS = ("flip_rate", "flip_rate_excess")
_OF_VERSIONS = ("score_shift", "demographic_parity_excess", "demographic_parity_difference")
_OF_LABELS = ("odds_ratio", "counterpart_odds_ratio", "pmi")
AUDITED: Mapping[str, dict[str, str]] = {
    **{name: {"axis": "gender"} for name in _OF_ROWS},
    **{name: {"axis": "gender", "label": "1"} for name in _OF_VERSIONS},
    **{name: {"axis": "gender", "attribute": "woman", "label": "1"} for name in _OF_LABELS},
}
"""Each figure of an audit that claims to find the model, and its place."""
LEAST = {
    "flip_rate": 0.5, "flip_rate_excess": 0.4, "score_shift": 0.5, "demographic_parity_excess": 0.4,
    "demographic_parity_difference": 0.5, "odds_ratio": math.log(20),
    "counterpart_odds_ratio": math.log(20), "pmi": 0.5,
}  # fmt: skip
"""How far it lies from no difference at least; of ratios in logarithms."""
OTHERS = {
    **dict.fromkeys(("flip_rate_control", "score_shift_control"), "a control, which is to be low"),
    **dict.fromkeys(
        ("equal_opportunity_excess", "equal_opportunity_difference", "false_positive_rate_excess",
         "false_positive_rate_difference", "equalized_odds_difference"), "see the test of its own"),
    **dict.fromkeys(("accuracy_excess", "accuracy_difference", "accuracy", "collapsed"), HALF),
    **dict.fromkeys(("precision", "precision_difference"), "needs a column of groups"),
    **dict.fromkeys(("selection_rate", "true_positive_rate", "false_negative_rate",
                     "false_positive_rate"), "a rate of one group, of which differences are taken"),
    **dict.fromkeys(("mention_share", "mention_balance", "leak_share", "duplicate_share",
                     "contradiction_share", "read_share", "changed_share", "left_share",
                     "missing_share"), "about the rows alone"),
    **dict.fromkeys(("bias_score", "bias_score_95", "bias_score_centred", "bias_score_centred_95"),
                    "needs vectors; see the measure"),
    **dict.fromkeys(("impact_ratio", "scoring_rate", "group_share", "population_share",
                     "population_gap"), "needs persons in groups"),
    **dict.fromkeys(("drop_rate", "drop_rate_difference"), "about a filter"),
    **dict.fromkeys(NAMED, "about names, of which these rows have few: auditing/test_names.py"),
}  # fmt: skip
"""Each figure that does not, or not by these rows, and why."""
RATES = ("equal_opportunity", "false_positive_rate")


@pytest.fixture(scope="module")
def audits() -> list[Any]:
    """Audit rows whose labels are men and women, so that the probe learns nothing else."""
    planted = Planted(odds_ratio=1e9), Planted()
    return [audit(rows_of(500, 4, each), "text", label="label", samples=0) for each in planted]


def test_every_figure_of_an_audit_is_in_a_table() -> None:
    """A new figure says whether it claims to find such a model."""
    assert AUDITED.keys() | OTHERS.keys() == set(MEASURES)
    assert not AUDITED.keys() & OTHERS.keys()
    assert LEAST.keys() == AUDITED.keys()


def figure_of(found: Any, name: str, **place: str) -> Any:
    """Return the figure of a place."""
    wanted = {"axis": "", "attribute": "", "label": "", "split": "", **place}
    (figure,) = (
        each for each in found.figures
        if each.measure == name and all(getattr(each, key) == wanted[key] for key in wanted)
    )  # fmt: skip
    return figure


@pytest.mark.slow
def test_an_audit_finds_a_classifier_that_always_stereotypes(audits: list[Any]) -> None:
    """By each of its figures, and by a finding that is red; none is where nothing is planted."""
    found, nothing = audits
    for name, place in AUDITED.items():
        values = [figure_of(each, name, **place).value for each in (found, nothing)]
        if "ratio" in name:
            values = [math.log(value) for value in values]
        assert abs(values[0]) > LEAST[name], (name, values)
        assert abs(values[1]) < LEAST[name] / 2, (name, values)
    for rate in RATES:
        # Of the same rows, written for men and for women.
        for name in (f"{rate}_difference", f"{rate}_excess"):
            figure = figure_of(found, name, axis="gender", label="1")
            assert figure.value > 0.4, (name, figure)
    for subject in ("bias", "classifier"):
        colours = [
            {each.severity for each in audited.findings if each.about == subject}
            for audited in audits
        ]
        assert "high" in colours[0]
        assert "high" not in colours[1]


def test_flips_of_chance_are_not_told_for_the_group() -> None:
    """Where like words flip as many predictions as the words of a group, nothing exceeds."""
    generator = np.random.default_rng(0)
    flips = generator.random((300, 41)) < 0.3
    found = load_metric("counterfactual_flip_rate").compute(
        predictions=[0] * 300, counterfactual_predictions=flips[:, 0].astype(int).tolist(),
        control_predictions=np.zeros((300, 40), int).tolist(),
        control_counterfactual_predictions=flips[:, 1:].astype(int).tolist(),
    )  # fmt: skip
    assert found["flip_rate"] > 0.2
    assert found["control"]["low"] < 0 < found["control"]["high"]
    assert found["control"]["p_value"] > 0.05
