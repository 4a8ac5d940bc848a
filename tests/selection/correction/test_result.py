"""The names of corrections."""

import pytest

from fair_datasets import InputError
from fair_datasets.selection.correction.result import KINDS, PUBLISHED, Correction


def test_the_eight_of_the_paper() -> None:
    """Two kinds at four percentiles; each name reads back as it is written."""
    assert PUBLISHED == ("Sub97", "Sub95", "Sub93", "Sub90", "Aug97", "Aug95", "Aug93", "Aug90")
    for name in (*PUBLISHED, "Rep99.9", "RepSub0.5"):
        assert Correction.named(name, owner="correct").name == name


@pytest.mark.parametrize(
    ("name", "meant"),
    [("sub95", "Sub95"), ("AUG92.5", "Aug92.5"), ("Subb95", "Sub95"), ("repsub90", "RepSub90"),
     ("95Sub", "Sub95"), ("Sub", "Sub95"), ("sub0.5", "Sub0.5"), ("sub99.5", "Sub99.5")],
)  # fmt: skip
def test_a_near_miss_is_told(name: str, meant: str) -> None:
    """What was meant has the percentile that was given, if there is one."""
    with pytest.raises(InputError, match=rf"but it is '{name}'. Did you mean '{meant}'\?"):
        Correction.named(name, owner="correct")


@pytest.mark.parametrize(
    "name", ["", "Sub0", "Sub100", "Sub-5", "Sub95%", "Sub95 ", "Sub9e1", "Sub٩٥", None, 95]
)
def test_what_is_no_name_is_refused(name: object) -> None:
    """The sentence lists the kinds, and never says that the name itself is meant."""
    told = "correction must be Sub, Aug, Rep or RepSub with"
    with pytest.raises(InputError, match=told) as error:
        Correction.named(name, owner="correct")
    assert f"mean {name!r}" not in str(error.value)
    assert list(KINDS) == ["Sub", "Aug", "Rep", "RepSub"]
