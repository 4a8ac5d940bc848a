"""The importance scores against other ways of computing them."""

import itertools

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from fair_datasets.scores.importance import (
    RandomScore,
    el2n_score,
    forget_score,
    ge_score,
    grand_score,
    linear_gradient_norms,
)
from fair_datasets.system.checks import InputError

LOGITS = arrays(np.float64, (3, 4, 2), elements=st.floats(-20, 20))
EPOCHS = st.integers(1, 5).flatmap(
    lambda epochs: arrays(np.int64, (epochs, 6), elements=st.integers(0, 2))
)


@given(LOGITS, LOGITS)
@settings(deadline=None)
def test_equity_is_the_mean_of_the_seeds_norms(ours: np.ndarray, theirs: np.ndarray) -> None:
    """The score is the mean of norms, symmetric, and grows with the scale of the logits."""
    found = ge_score(ours, theirs)
    expected = torch.linalg.vector_norm(torch.tensor(ours - theirs), dim=-1).mean(dim=0)
    np.testing.assert_allclose(found, expected.numpy(), atol=1e-12)
    np.testing.assert_array_equal(found, ge_score(theirs, ours))
    np.testing.assert_allclose(ge_score(3 * ours, 3 * theirs), 3 * found, atol=1e-10)
    np.testing.assert_allclose(ge_score(ours[0], theirs[0]), ge_score(ours[:1], theirs[:1]))


def test_unchanged_rows_are_exactly_zero() -> None:
    """Whatever the model says of a row that the swap left alone, its score is 0.0."""
    found = ge_score([[0.1, 0.2], [0.3, 0.4]], [[0.1, 0.2 + 1e-9], [0.0, 0.0]], [False, True])
    assert found[0] == 0.0
    assert found[1] == pytest.approx(0.5)


@given(LOGITS, arrays(np.int64, 4, elements=st.integers(0, 1)))
@settings(deadline=None)
def test_error_norm_against_torch(logits: np.ndarray, labels: np.ndarray) -> None:
    """The score is the norm of the gradient of the cross-entropy over the logits."""
    tensor = torch.tensor(logits.reshape(12, 2), requires_grad=True)
    target = torch.tensor(np.tile(labels, 3))
    torch.nn.functional.cross_entropy(tensor, target, reduction="sum").backward()
    expected = tensor.grad.norm(dim=1).reshape(3, 4).mean(dim=0)
    found = el2n_score(logits, labels)
    np.testing.assert_allclose(found, expected.numpy(), atol=1e-12)
    assert ((found >= 0) & (found <= np.sqrt(2) + 1e-12)).all()


def test_probabilities_do_not_overflow() -> None:
    """Huge logits give the limits of the range."""
    found = el2n_score([[1e4, -1e4], [1e4, -1e4]], [0, 1])
    np.testing.assert_allclose(found, [0.0, np.sqrt(2)])


def test_linear_gradients_against_autograd() -> None:
    """The closed form is the gradient of a linear layer over its weights and bias."""
    draws = np.random.default_rng(0)
    features, labels = draws.normal(size=(5, 7)), draws.integers(0, 3, 5)
    layer = torch.nn.Linear(7, 3).double()
    expected = []
    for row, label in zip(torch.tensor(features), torch.tensor(labels), strict=True):
        loss = torch.nn.functional.cross_entropy(layer(row)[None], label[None])
        gradients = torch.autograd.grad(loss, list(layer.parameters()))
        expected.append(torch.cat([part.flatten() for part in gradients]).norm().item())
    logits = layer(torch.tensor(features)).detach()
    found = linear_gradient_norms((features**2).sum(axis=1), logits, labels)
    np.testing.assert_allclose(found, expected, atol=1e-12)


@given(EPOCHS, arrays(np.int64, 6, elements=st.integers(0, 2)))
@settings(deadline=None)
def test_forgetting_against_a_loop(outputs: np.ndarray, labels: np.ndarray) -> None:
    """Counting by hand gives the same; logits give what their predictions give."""
    expected = []
    for row, label in enumerate(labels):
        right = [bool(epoch[row] == label) for epoch in outputs]
        expected.append(sum(a and not b for a, b in itertools.pairwise(right)))
    found = forget_score(outputs, labels)
    assert found.tolist() == expected
    assert forget_score(np.eye(3)[outputs], labels).tolist() == expected
    never = ~(outputs == labels).any(axis=0)
    infinite = forget_score(outputs, labels, never_learned="inf")
    assert np.isinf(infinite).tolist() == never.tolist()
    assert (infinite[~never] == found[~never]).all()


def test_ties_go_to_the_first_class() -> None:
    """Equal logits predict class 0, so that class 1 is wrong there."""
    logits = [[[0.0, 1.0]], [[1.0, 1.0]]]
    assert forget_score(logits, [1]).tolist() == [1.0]
    assert forget_score(logits, [0]).tolist() == [0.0]


def test_small_inputs() -> None:
    """No row, one row, one class and one epoch are fine; half precision is read in full."""
    empty = np.zeros((0, 2))
    assert ge_score(empty, empty, []).shape == (0,)
    assert ge_score(np.zeros((3, 0, 2)), np.zeros((3, 0, 2))).shape == (0,)
    assert el2n_score(empty, []).shape == (0,)
    assert grand_score([]).shape == (0,)
    assert forget_score(np.zeros((2, 0)), []).shape == (0,)
    assert el2n_score([[3.0]], [0]).tolist() == [0.0]
    assert forget_score([[1]], [0]).tolist() == [0.0]
    half = torch.tensor([[1.5, 0.0]], dtype=torch.bfloat16)
    assert ge_score(half, torch.zeros(1, 2)).tolist() == [1.5]
    assert ge_score(half, torch.zeros(1, 2)).dtype == np.float64


TEXTS = [f"text {number}" for number in range(2000)]


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


def test_logits_with_gaps_are_refused() -> None:
    """Rows of several lengths are no table."""
    with pytest.raises(InputError, match=r"^ge_score: logits_factual must be .* without gaps"):
        ge_score([[1.0], [1.0, 2.0]], [[1.0]])
