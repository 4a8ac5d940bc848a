"""The table that ships with the student."""

from fair_datasets.reader.student import Student, shipped
from fair_datasets.reader.training.table import TOLERANCE, Figure, fallen, table


def test_the_shipped_student_has_not_fallen() -> None:
    """Nor is any figure of so few words that one of them is more than it may fall."""
    found = table(shipped())
    assert not [*fallen(found, found)]
    for name, figure in found.items():
        assert figure.words * TOLERANCE > 1, name
        assert figure.right > 0.5, name


def test_another_student_falls(student: Student) -> None:
    """One with drawn weights in most of the table."""
    assert len([*fallen(table(shipped()), table(student))]) > 4


def test_a_figure_falls_by_more_than_the_tolerance() -> None:
    """What rises, or falls less, is not told."""
    before = {"a": Figure(1000, 0.9), "b": Figure(1000, 0.9), "c": Figure(1000, 0.9)}
    after = {"a": Figure(1000, 0.898), "b": Figure(1000, 0.896), "c": Figure(1000, 1.0)}
    assert [*fallen(before, after)] == ["b from .900 to .896"]
