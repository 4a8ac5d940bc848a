"""Reading what somebody saved."""

import pytest

from fair_datasets.system.checks import InputError
from fair_datasets.system.pretrained import folder_files, read_pretrained


@pytest.mark.parametrize("name", ["./no-such", "/no/such", "~/no", "a/b/c"])
def test_a_path_is_no_hub_id(name: str) -> None:
    """A folder that is not there is told before anything is read."""
    with pytest.raises(InputError, match="demonstration: there is no folder"):
        folder_files(name, owner="demonstration")
    with pytest.raises(InputError, match="demonstration: there is no folder"):
        read_pretrained(name, "AutoModel", what="encoder", owner="demonstration")
