"""The random score."""

import numpy as np
import pytest

from fair_datasets.scores.random_score import RandomScore
from fair_datasets.system.checks import InputError
from fair_datasets.testing import check_technique

TEXTS = [f"text {number}" for number in range(2000)]


@pytest.mark.slow
@pytest.mark.usefixtures("in_this_process")
def test_the_contract_is_kept() -> None:
    """Rows are drawn one by one, by their texts or by an id."""
    batch = {"text": ["a", "b", None, "c"], "reply": ["x", None, None, "y"], "id": [1, 2, 3, 4]}
    check_technique(RandomScore(columns="text"), batch)
    check_technique(RandomScore(columns=["text", "reply"], seed=3, id_column="id"), batch)


def test_scores_are_uniform_and_follow_the_seed() -> None:
    """Many draws fill [0, 1) evenly; another seed gives unrelated ones."""
    first, again, other = (
        np.array(RandomScore(columns="text", seed=seed)({"text": TEXTS})["random"])
        for seed in (0, 0, 1)
    )
    assert (first == again).all()
    assert abs(first.mean() - 0.5) < 0.03
    assert abs(np.corrcoef(first, other)[0, 1]) < 0.1


def test_equal_texts_share_a_draw_unless_an_id_tells_them_apart() -> None:
    """The key of a row is its texts, or its id."""
    batch = {"text": ["same", "same"], "id": ["a", "b"]}
    one, other = RandomScore(columns="text")(batch)["random"]
    assert one == other
    one, other = RandomScore(columns="text", id_column="id")(batch)["random"]
    assert one != other


def test_wrong_inputs_are_refused() -> None:
    """A column that exists already, and an id that is missing."""
    with pytest.raises(InputError, match="'random' exists already"):
        RandomScore(columns="text")({"text": ["a"], "random": [0.5]})
    with pytest.raises(InputError, match="column 'id' holds a null in row 1"):
        RandomScore(columns="text", id_column="id")({"text": ["a", "b"], "id": [1, None]})
