"""The packages that only some features need, and the sentence where one of them is missing.

The swap, the measures and the command line do without them. A feature that does not calls
`require` where it begins, before it works or writes anything.
"""

import sys
from importlib.util import find_spec

from fair_datasets.system.checks import InputError

EXTRAS = {
    "models": ("torch", "transformers"),
    "spacy": ("spacy",),
    "plots": ("matplotlib",),
    "demo": ("gradio",),
    "gensim": ("gensim",),
    "training": ("torch", "transformers", "accelerate"),
    "ray": ("ray",),
    "lm-eval": ("lm_eval",),
    "docs": ("sphinx", "furo", "myst_parser"),
}
"""Extra of `pip install` to the modules that features import of it."""


class MissingExtraError(ImportError, InputError):
    """A package of an extra is not installed, told in one sentence with the command.

    It is an `ImportError`, as anybody expects, and an `InputError`, so that all that passes on or
    prints the sentence of one does so here.

    Example:
        >>> raise MissingExtraError("EL2N needs torch.")
        Traceback (most recent call last):
        ...
        fair_datasets.system.extras.MissingExtraError: EL2N needs torch.
    """


def require(extra: str, *, owner: str) -> None:
    """Raise unless the packages of an extra are installed; none is imported."""
    if missing := [name for name in EXTRAS[extra] if not _is_installed(name)]:
        raise MissingExtraError(
            f"{owner} needs {' and '.join(missing)}, which {'is' if len(missing) == 1 else 'are'} "
            f'not installed; run: pip install "fair-datasets[{extra}]"',
            name=missing[0],
        )


def _is_installed(name: str) -> bool:
    """Tell whether a module can be imported."""
    if name in sys.modules:
        return sys.modules[name] is not None
    spec = find_spec(name)
    # A folder that happens to have the name has no file to import.
    return spec is not None and spec.origin is not None
