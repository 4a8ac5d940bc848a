"""Tests of the flow: what it undoes, what it is initialised by, and what its loss is."""

import math

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from fair_datasets.rewriters.fairflow import attribute_flow
from fair_datasets.rewriters.fairflow.training import (
    adam_step,
    first_moments,
    pair_loss,
    same_side_pairs,
)

SHAPE = attribute_flow.FlowShape(8, (2, 6), blocks=3, hidden_units=5)


def moved(shape: attribute_flow.FlowShape, seed: int = 0) -> dict[str, torch.Tensor]:
    """Return the tensors of a flow that does something: the last layers begin at 0."""
    tensors = attribute_flow.new_tensors(shape, seed)
    draws = torch.Generator().manual_seed(seed)
    for name in attribute_flow.trained_names(tensors):
        tensors[name] += 0.3 * torch.randn(tensors[name].shape, generator=draws)
    return tensors


def states(count: int, width: int = 8, seed: int = 0) -> torch.Tensor:
    """Return states of different scales and means."""
    draws = torch.Generator().manual_seed(seed)
    scale = torch.rand(width, generator=draws) + 0.1
    return torch.randn(count, width, generator=draws) * scale + scale


@given(st.sampled_from([2, 4, 10]), st.integers(1, 5), st.integers(0, 99))
@settings(max_examples=20)
def test_what_goes_through_comes_back(width: int, count: int, seed: int) -> None:
    """Of batches of any size, one among them."""
    shape = attribute_flow.FlowShape(width, (1, width - 1), blocks=2, hidden_units=5)
    given_states = states(count, width, seed)
    out, _ = attribute_flow.forward(shape, moved(shape, seed), given_states)
    assert out.shape == given_states.shape
    torch.testing.assert_close(
        attribute_flow.inverse(shape, moved(shape, seed), out), given_states, atol=1e-4, rtol=1e-4
    )


def test_the_determinant_is_that_of_the_jacobian() -> None:
    """As automatic differentiation finds it."""
    tensors = {name: tensor.double() if tensor.is_floating_point() else tensor
               for name, tensor in moved(SHAPE).items()}  # fmt: skip
    state = states(1).double()
    jacobian = torch.autograd.functional.jacobian(
        lambda row: attribute_flow.forward(SHAPE, tensors, row[None])[0][0], state[0]
    )
    _, logdet = attribute_flow.forward(SHAPE, tensors, state)
    assert logdet.item() == pytest.approx(torch.linalg.slogdet(jacobian)[1].item(), abs=1e-9)


def test_the_loss_is_the_likelihood_of_pairs() -> None:
    """But for constants: two normal variables whose first factor has the correlation rho."""
    tensors, rho = moved(SHAPE), 0.9
    first, second = states(1, seed=1), states(1, seed=2)
    (z, log_z), (w, log_w) = (
        attribute_flow.forward(SHAPE, tensors, each) for each in (first, second)
    )
    covariance = torch.eye(16)
    for number in range(2):
        covariance[number, 8 + number] = covariance[8 + number, number] = rho
    normal = torch.distributions.MultivariateNormal(torch.zeros(16), covariance)
    constants = 8 * math.log(2 * math.pi) + 2 * math.log(1 - rho**2) / 2
    expected = -(normal.log_prob(torch.cat([z, w], dim=1)) + log_z + log_w) - constants
    assert pair_loss(SHAPE, tensors, first, second, rho).item() == pytest.approx(
        expected.item(), rel=1e-4
    )


def test_norms_are_initialised_once_by_the_first_batch() -> None:
    """Mean 0 and deviation 1 behind the first norm; a later batch moves nothing."""
    tensors, batch = attribute_flow.new_tensors(SHAPE, 0), states(50)
    before = {name: tensor.clone() for name, tensor in tensors.items()}
    attribute_flow.forward(SHAPE, tensors, batch)
    assert all(torch.equal(before[name], tensors[name]) for name in tensors)
    attribute_flow.initialise(SHAPE, tensors, batch)
    normed = tensors["0.scale"] * (batch + tensors["0.loc"])
    assert normed.mean(dim=0).abs().max() < 1e-5
    torch.testing.assert_close(normed.std(dim=0), torch.ones(8), atol=1e-4, rtol=1e-4)
    after = {name: tensor.clone() for name, tensor in tensors.items()}
    attribute_flow.initialise(SHAPE, tensors, 5 * batch)
    assert all(torch.equal(after[name], tensors[name]) for name in tensors)


def test_a_batch_of_one_only_moves() -> None:
    """It has no deviation to divide by."""
    tensors, one = attribute_flow.new_tensors(SHAPE, 0), states(1)
    attribute_flow.initialise(SHAPE, tensors, one)
    out, _ = attribute_flow.forward(SHAPE, tensors, one)
    assert torch.equal(tensors["0.scale"], torch.ones(8))
    assert torch.isfinite(out).all()


def test_factors() -> None:
    """Chunks are those of torch; an estimate gives the attribute more where it explains more."""
    for width in (8, 10, 384, 768):
        chunks = torch.zeros(1, width).chunk(10, dim=1)
        assert attribute_flow.chunk_sizes(width, 10) == tuple(chunk.shape[1] for chunk in chunks)
    draws = torch.Generator().manual_seed(0)
    noise, other = (torch.randn(400, 10, generator=draws) for _ in range(2))
    side = (torch.arange(400) % 2)[:, None] * 1.0
    apart = attribute_flow.estimated_sizes(noise, other)
    together = attribute_flow.estimated_sizes(noise + 9 * side, other + 9 * side)
    assert apart[0] == 2  # softmax(0, 1) of 10
    assert together[0] == 4  # softmax(0.95, 1) of 10
    assert sum(apart) == sum(together) == 10


def test_pairs_share_a_side() -> None:
    """And each state is in one of them at most."""
    sides = np.array([0] * 7 + [1] * 4)
    pairs = same_side_pairs(sides, np.random.default_rng(0))
    assert len(pairs) == 5
    assert (sides[pairs[:, 0]] == sides[pairs[:, 1]]).all()
    assert len(np.unique(pairs)) == 10


def test_adam_is_torchs_without_the_correction() -> None:
    """Which is told by what a first step of torch's would be, before it is corrected."""
    weight = torch.tensor([2.0])
    tensors = {"weight": weight.clone(), "bias": weight.clone()}
    gradients = {name: torch.tensor([0.5]) for name in tensors}
    moments = first_moments(tensors, tensors)
    adam_step(tensors, gradients, moments, 0.1)
    mean, square = 0.1 * 0.5, 0.001 * 0.25
    plain = 2 - 0.1 * mean / (square**0.5 + 1e-6)
    assert tensors["bias"].item() == pytest.approx(plain)
    assert tensors["weight"].item() == pytest.approx(plain * (1 - 0.1 * 0.01))
