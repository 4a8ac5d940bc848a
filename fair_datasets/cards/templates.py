"""Cards by templates, which call the functions of `markdown` and `statements`."""

from functools import cache
from typing import Any

from fair_datasets.cards import markdown, statements


@cache
def _environment() -> Any:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("fair_datasets.cards", ""), undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True,
    )  # fmt: skip
    environment.globals |= {**vars(markdown), **vars(statements)}
    environment.filters |= {"code": markdown.code, "escaped": markdown.escaped}
    return environment


def rendered(template: str, **given: Any) -> str:
    """Write a card.

    Args:
        template: The name of a file beside this one.
    """
    card: str = _environment().get_template(template).render(**given)
    return card
