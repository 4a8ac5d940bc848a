"""What stands for a value that is not defined."""

import math

import pytest

from fair_datasets.measures.parity import demographic_parity
from fair_datasets.measures.undefined import UndefinedMeasureWarning, undefined_value
from fair_datasets.system.checks import InputError


def test_three_ways() -> None:
    """NaN comes with a warning, 0 without, and an error has the same sentence."""
    with pytest.warns(UndefinedMeasureWarning, match="measure: nothing is there. The value is NaN"):
        assert math.isnan(undefined_value("nothing is there.", "nan", owner="measure"))
    assert undefined_value("nothing is there.", "zero", owner="measure") == 0
    with pytest.raises(InputError, match=r"measure: nothing is there\."):
        undefined_value("nothing is there.", "raise", owner="measure")
    with pytest.raises(InputError, match="undefined must be one of 'nan', 'zero', 'raise'"):
        undefined_value("nothing is there.", "one", owner="measure")


def test_the_warning_points_at_the_caller() -> None:
    """However deep in the package it is raised."""
    with pytest.warns(UndefinedMeasureWarning) as caught:
        demographic_parity([1], ["a"])
    assert {warning.filename for warning in caught} == {__file__}
