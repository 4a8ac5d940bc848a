"""Who may write what, as far as the Hub says it beforehand."""

from typing import Any

import pytest

from fair_datasets.hub.ids import HubId
from fair_datasets.hub.repositories import refuse_owner
from fair_datasets.system.checks import InputError

ORGS = [{"name": "club", "roleInOrg": "write"}, {"name": "readers", "roleInOrg": "read"}]


def user(role: str | None) -> dict[str, Any]:
    """Return what the Hub says of Ada, with a token of some kind."""
    token = {"type": "access_token", "accessToken": {"role": role}} if role else {"type": "oauth"}
    return {"name": "ada", "orgs": ORGS, "auth": token}


@pytest.mark.parametrize("name", ["ada/x", "club/x"])
@pytest.mark.parametrize("role", ["write", "fineGrained", None])
def test_what_is_ones_own(name: str, role: str | None) -> None:
    """A user writes to her own name, and to an organisation in which she may."""
    refuse_owner(HubId("dataset", name), user(role))


@pytest.mark.parametrize("name", ["bob/x", "readers/x"])
def test_what_is_somebody_elses(name: str) -> None:
    """It is told beforehand; pull requests are open to all, and some tokens tell too little."""
    with pytest.raises(InputError, match=f"may not write to the dataset {name}: it belongs to ada"):
        refuse_owner(HubId("dataset", name), user("write"))
    refuse_owner(HubId("dataset", name), user("write"), create_pr=True)
    for role in ("fineGrained", None):
        refuse_owner(HubId("dataset", name), user(role))


def test_a_token_that_only_reads() -> None:
    """It writes nowhere."""
    with pytest.raises(InputError, match="may not write to the model ada/x: it may only read"):
        refuse_owner(HubId("model", "ada/x"), user("read"))
