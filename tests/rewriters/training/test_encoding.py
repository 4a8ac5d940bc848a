"""The order in which rows are seen."""

from fair_datasets.rewriters.training.encoding import KeyedOrder


def test_the_order_of_an_epoch() -> None:
    """Every row once; another order in another epoch, the same in the same."""
    order = KeyedOrder(500, seed=0)
    first = list(order)
    assert len(order) == 500
    assert sorted(first) == list(range(500))
    order.set_epoch(1)
    assert list(order) != first
    order.set_epoch(0)
    assert list(order) == first == list(KeyedOrder(500, seed=0)) != list(KeyedOrder(500, seed=1))
