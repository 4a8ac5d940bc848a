"""The commands that a checkout of the project has, and an installed package only tells of."""

from fair_datasets.cli.options import Options


class EvaluateEncoders(Options):
    """Compare sentence encoders: their associations, and the accuracy of linear models on them."""

    ELSEWHERE = "hub_scripts.encoders.command:EvaluateEncoders"
    DONE = "Encoders are evaluated"


class ReproducePaper(Options):
    """Reproduce a table of one of the five papers, and compare it with the printed figures."""

    ELSEWHERE = "hub_scripts.papers.command:ReproducePaper"
    DONE = "Tables of papers are reproduced"
