"""Why common names are on no list of names by race, as the file beside this one has it."""

import tomllib
from functools import cache
from pathlib import Path
from types import MappingProxyType

from fair_datasets.reader.matching.found import Reason

_REASONS = {"left_out": Reason.LEFT_OUT, "without_group": Reason.NO_GROUP}


@cache
def name_reasons(kind: str) -> MappingProxyType[str, Reason]:
    """Return the names of a kind of which a reason is known.

    Args:
        kind: `first` or `surnames`.

    Returns:
        The names, in lower case, and why each is not listed.

    Example:
        >>> name_reasons("first")["emily"].name
        'NO_GROUP'
    """
    lists = tomllib.loads(Path(__file__).with_name("unlisted_names.toml").read_text("utf-8"))
    found = {
        name: reason
        for suffix, reason in _REASONS.items()
        for name in lists[f"{kind}_{suffix}"].split()
    }
    return MappingProxyType(found)


@cache
def names_without_group() -> frozenset[str]:
    """Return the common names, first names and surnames, that no one group bears often enough.

    Example:
        >>> "emily" in names_without_group(), "juan" in names_without_group()
        (True, False)
    """
    found = [*name_reasons("first").items(), *name_reasons("surnames").items()]
    return frozenset(name for name, why in found if why is Reason.NO_GROUP)
