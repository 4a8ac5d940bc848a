"""Reading what somebody saved."""

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import torch

from fair_datasets.rewriters.fairflow import AttributeFlow
from fair_datasets.rewriters.fairflow.attribute_flow import FlowShape, new_tensors
from fair_datasets.scores.probes import load_probe
from fair_datasets.scores.probes.probe import LinearProbe
from fair_datasets.system.checks import InputError
from fair_datasets.system.pretrained import (
    folder_files,
    positions_of,
    why_unreadable,
)


def test_a_hub_id_has_an_owner_or_is_old() -> None:
    """One without an owner is a path to who asks for an owner."""
    assert folder_files("gpt2") == {}
    assert folder_files("ada/fair", has_owner=True) == {}
    with pytest.raises(InputError, match="folder_files: there is no folder 'gpt2'"):
        folder_files("gpt2", has_owner=True)


@pytest.mark.parametrize(("own", "encoder", "decoder", "padding", "expected"), [
    ({"max_position_embeddings": 9}, {}, {}, None, 9),
    ({"max_position_embeddings": 9}, {}, {}, 1, 7),
    ({}, {"max_position_embeddings": 9}, {"max_position_embeddings": 5}, None, 5),
    ({"max_position_embeddings": -1}, {}, {}, 1, None),
    ({"max_position_embeddings": 1}, {"max_position_embeddings": 0}, {}, None, 1),
])  # fmt: skip
def test_positions_that_a_network_knows(
    own: dict[str, int], encoder: dict[str, int], decoder: dict[str, int], padding: int | None,
    expected: int | None,
) -> None:  # fmt: skip
    """Of two networks the fewer; RoBERTa's begin behind that of padding."""
    parts = {
        name: SimpleNamespace(**each) for name, each in (("encoder", encoder), ("decoder", decoder))
    }
    config = SimpleNamespace(get_text_config=lambda: SimpleNamespace(**own), **parts)
    table = SimpleNamespace(padding_idx=padding)
    base = SimpleNamespace(embeddings=SimpleNamespace(position_embeddings=table))
    assert positions_of(SimpleNamespace(config=config, base_model=base)) == expected


PICKLED = OSError("x does not appear to have a file named model.safetensors or model.safe.index")


def test_the_revision_that_holds_safetensors_is_named_where_it_is_known() -> None:
    """The released perturber's main branch holds a pickle alone."""
    why = why_unreadable("facebook/perturber", PICKLED)
    assert why.endswith(
        "because they can run code; its safetensors lie in the revision "
        "'refs/pr/1': pass revision='refs/pr/1'")  # fmt: skip


def test_of_another_model_of_the_hub_a_revision_is_asked_for() -> None:
    """Of a folder there is none."""
    assert "name a revision that holds safetensors, or load it" in why_unreadable("a/b", PICKLED)
    assert "name a revision" not in why_unreadable(".", PICKLED)


def linear_probe(folder: Path) -> None:
    """Save a linear probe and read it."""
    biases = np.array([0.0, np.nan])
    LinearProbe(["film"], np.ones(1), np.ones((2, 1)), biases).save(folder)
    load_probe(folder)


def flow(folder: Path) -> None:
    """Save a flow and read it."""
    shape = FlowShape(4, (2, 2), 1, 3, 1)
    means = torch.full((2, 2), float("nan"))
    AttributeFlow(shape, new_tensors(shape, 0), means, ("woman", "man"), {}).save_pretrained(folder)
    AttributeFlow.from_pretrained(folder)


@pytest.mark.parametrize("read", [linear_probe, flow])
def test_weights_that_are_no_numbers_are_told(read: Callable[[Path], None], tmp_path: Path) -> None:
    """What they score or write would be nothing, without a word."""
    named = rf"the weight '.*' of '{tmp_path}/.*\.safetensors' holds NaN or infinity"
    with pytest.raises(InputError, match=named):
        read(tmp_path)
