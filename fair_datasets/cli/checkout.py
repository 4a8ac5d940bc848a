"""The commands that a checkout of the project has, and an installed package only tells of."""

from fair_datasets.cli.options import Options


class EvaluateEncoders(Options):
    """Compare the associations that sentence encoders carry, and what they are good for."""

    ELSEWHERE = "hub_scripts.encoders.command:EvaluateEncoders"
    DONE = "Encoders are evaluated"


class ReproducePaper(Options):
    """Reproduce a table of one of the five papers, beside its printed figures."""

    ELSEWHERE = "hub_scripts.papers.command:ReproducePaper"
    DONE = "Tables of papers are reproduced"
