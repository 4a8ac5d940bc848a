"""Who may write what, as far as the Hub says it beforehand."""

from collections.abc import Mapping
from typing import Any

from fair_datasets.hub.ids import HubId
from fair_datasets.system.checks import InputError


def refuse_owner(target: HubId, user: Mapping[str, Any], *, create_pr: bool = False) -> None:
    """Raise if the user may not write to what an owner has, or the token to anything.

    Args:
        target: The repository that is to be written.
        user: What the Hub's `whoami` says.
        create_pr: Whether a pull request is to be made, which everybody may.

    Raises:
        InputError: The Hub would refuse.

    Example:
        >>> token = {"accessToken": {"role": "write"}}
        >>> refuse_owner(HubId("dataset", "bob/reviews"), {"name": "ada", "auth": token})
        Traceback (most recent call last):
        ...
        fair_datasets.InputError: Your token may not write to the dataset bob/reviews: it is
        that of ada; use a name of your own, or of an organisation that you belong to.
    """
    where = f"Your token may not write to the {target.kind} {target.name}"
    role = ((user.get("auth") or {}).get("accessToken") or {}).get("role")
    if role == "read":
        raise InputError(
            f"{where}: it is one that only reads; make one that may write at "
            "https://huggingface.co/settings/tokens."
        )
    owner = target.name.split("/")[0]
    roles = {org.get("name"): org.get("roleInOrg") for org in user.get("orgs") or ()}
    may_write = owner == user.get("name") or roles.get(owner, "read") != "read"
    # What a token of another kind may, such as a fine-grained one, shows when it is used.
    if role == "write" and not (may_write or create_pr):
        raise InputError(
            f"{where}: it is that of {user.get('name')}; use a name of your own, or of an "
            "organisation that you belong to."
        )
