"""Reading what somebody saved."""

import pytest

from fair_datasets.checks import InputError
from fair_datasets.pretrained import folder_files, read_pretrained, why_unreadable

PICKLED = OSError("x does not appear to have a file named model.safetensors or model.safe.index")


def test_the_revision_that_holds_safetensors_is_named_where_it_is_known() -> None:
    """The released perturber's main branch holds a pickle alone."""
    why = why_unreadable("facebook/perturber", PICKLED)
    assert why.endswith("is not read; its safetensors lie in the revision 'refs/pr/1': pass "
                        "revision='refs/pr/1'")  # fmt: skip


def test_of_another_model_of_the_hub_a_revision_is_asked_for() -> None:
    """Of a folder there is none."""
    assert "name a revision that holds safetensors, or load it" in why_unreadable("a/b", PICKLED)
    assert "name a revision" not in why_unreadable(".", PICKLED)


@pytest.mark.parametrize("name", ["./no-such", "/no/such", "~/no", "a/b/c"])
def test_a_path_is_no_hub_id(name: str) -> None:
    """A folder that is not there is told before anything is read."""
    with pytest.raises(InputError, match="demonstration: there is no folder"):
        folder_files(name, owner="demonstration")
    with pytest.raises(InputError, match="demonstration: there is no folder"):
        read_pretrained(name, "AutoModel", what="encoder", owner="demonstration")
