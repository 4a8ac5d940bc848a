"""Reading what somebody saved."""

from types import SimpleNamespace

import pytest

from fair_datasets.system.checks import InputError
from fair_datasets.system.pretrained import folder_files, positions_of, read_pretrained


@pytest.mark.parametrize("name", ["./no-such", "/no/such", "~/no", "a/b/c"])
def test_a_path_is_no_hub_id(name: str) -> None:
    """A folder that is not there is told before anything is read."""
    with pytest.raises(InputError, match="demonstration: there is no folder"):
        folder_files(name, owner="demonstration")
    with pytest.raises(InputError, match="demonstration: there is no folder"):
        read_pretrained(name, "AutoModel", what="encoder", owner="demonstration")


def test_a_hub_id_has_an_owner_or_is_old() -> None:
    """One without an owner is a path to who asks for an owner."""
    assert folder_files("gpt2", owner="demonstration") == {}
    assert folder_files("ada/fair", owner="demonstration", has_owner=True) == {}
    with pytest.raises(InputError, match="demonstration: there is no folder 'gpt2'"):
        folder_files("gpt2", owner="demonstration", has_owner=True)


@pytest.mark.parametrize(
    ("own", "encoder", "decoder", "padding", "expected"),
    [
        ({"max_position_embeddings": 9}, {}, {}, None, 9),
        ({"max_position_embeddings": 9}, {}, {}, 1, 7),
        ({}, {"max_position_embeddings": 9}, {"max_position_embeddings": 5}, None, 5),
        ({"max_position_embeddings": -1}, {}, {}, 1, None),
        ({"max_position_embeddings": 1}, {"max_position_embeddings": 0}, {}, None, 1),
    ],
)
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
