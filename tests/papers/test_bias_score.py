"""Tests of the tables of bias scores, with the trainings left out."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from datasets import Dataset

from hub_scripts.papers import bias_score, paper_named
from hub_scripts.papers.frame import Work


def work_of(table: str, out: Path, **options: Any) -> Work:
    """Return the work on a table."""
    return Work(paper=paper_named("bias-score"), table=table, out=out, **options)


def test_the_rows_of_a_sentence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A word has three figures, a part of the sentence its sum, and one score is the larger."""
    words = [{"word": "She", "importance": 0.5, "cosine": -0.2, "product": -0.1}]
    parts = {"female": -0.3, "male": 0.2}
    monkeypatch.setattr(bias_score, "_explained", lambda text, work: (words, parts))
    work = work_of("3", tmp_path)
    assert bias_score._word("She", work) == {"importance": 50, "cosine": -0.2, "product": -0.1}
    assert bias_score._word("male", work) == {"product": 0.2}
    assert bias_score._sentence("The bikini is pink", work) == {"score": -0.3}
    apart = work_of("13", tmp_path)
    assert bias_score._sentence("She is a homemaker", apart) == parts


def test_the_mean_is_of_the_gender_tests(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Which the paper prints; tasks are in per cent, and their mean is of all twelve."""
    effects = {"C1": 9.0, "C6": 0.1, "C6b": 0.2, "C7": 0.3, "C8": 0.4, "C10": 9.0}
    tests = [{"test": test, "measure": "effect size", "value": value}
             for test, value in effects.items()]  # fmt: skip
    tasks = [{"test": title, "measure": "accuracy", "value": 0.5}
             for title, kind, _ in bias_score._TASKS.values() if kind != "cosine"]  # fmt: skip
    other = {"test": "MR", "measure": "p-value", "value": 0.1}
    monkeypatch.setattr(bias_score, "_encoder", lambda *_: "mine")
    monkeypatch.setattr(bias_score, "EncoderTask", SimpleNamespace)
    monkeypatch.setattr(bias_score, "evaluate_encoders", lambda *_, tests, tasks=(): (
        SimpleNamespace(rows=[*tests_of[bool(tasks)], other])))  # fmt: skip
    tests_of = {False: tests, True: tasks}
    work = work_of("6", tmp_path, data={"glove": "mine"})
    found = bias_score._seat("original", 0, work)
    assert found == {**{test: effects[test] for test in ("C1", "C6", "C6b", "C7", "C8")},
                     "mean": pytest.approx(0.25)}  # fmt: skip

    vectors = {"a": [1.0, 0.0], "b": [0.0, 2.0], "c": [0.0, 0.0]}
    encoder = SimpleNamespace(vectors=lambda texts: np.array([vectors[text] for text in texts]))
    monkeypatch.setattr(bias_score, "open_encoder", lambda *_, **__: encoder)
    rows = Dataset.from_dict({"sentence1": [*"aab"], "sentence2": [*"abc"], "label": [5, 0, 0],
                              "text": [*"abc"]})  # fmt: skip
    monkeypatch.setattr(Work, "rows", lambda self, name: {"train": rows, "test": rows})
    every = dict.fromkeys(bias_score._TASKS, "given")
    work = work_of("8", tmp_path, data={"glove": "mine", **every})
    found = bias_score._senteval("original", 0, work)
    assert found["STS14"] == pytest.approx(100)
    assert found["MR"] == 50
    assert found["overall"] == pytest.approx((11 * 50 + 100) / 12)
    tasks.pop()
    assert bias_score._senteval("original", 0, work)["overall"] is None
