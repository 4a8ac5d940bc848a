"""The tables of the papers whose methods are here, each by one command.

A paper is a file of code and a file of facts beside it: the models and data it names, its settings,
where its code says otherwise, and the figures that it prints. Nothing is computed here: techniques
and measures are those of the package.
"""

from importlib import import_module

from fair_datasets.system.checks import one_of
from hub_scripts.papers.frame import Paper

PAPERS = ("healthy-data-diet", "mbcda", "fairflow", "panda", "bias-score")


def paper_named(name: str) -> Paper:
    """Return a paper by its name.

    Example:
        >>> paper_named("bias-score").facts["title"]
        'Dolci, Azzalini and Tanelli, bias score'
    """
    one_of(name, PAPERS, parameter="the paper")
    module = import_module(f"hub_scripts.papers.{name.replace('-', '_')}")
    paper: Paper = module.PAPER
    return paper
