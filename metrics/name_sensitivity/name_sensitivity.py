"""How predictions depend on the name of a person, as an `evaluate` module."""

from fair_datasets.measures import base
from fair_datasets.measures.name_sensitivity import name_sensitivity


@base.computes(name_sensitivity, "predictions", "rows", "cultures", "genders", "names")
class NameSensitivity(base.Measurement):
    """How predictions depend on the name of a person, in versions of the same rows.

    The mean shift by culture and by gender of the name, with a test over names, and the tails: how
    often any name changes a prediction, and how far scores spread within a row. Lower is fairer.
    """
