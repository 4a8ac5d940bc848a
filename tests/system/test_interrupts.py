"""Signals are noted, wait where they are held, and are never lost."""

import signal
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager

import pytest

from fair_datasets.system.interrupts import (
    block_signals,
    defer_signals,
    raise_if_interrupted,
    record_signals,
)

SIGNALS = [signal.SIGINT, signal.SIGTERM]


@pytest.fixture(autouse=True)
def defaults() -> Iterator[None]:
    """Start with the signals' defaults, also where the tests themselves ignore them."""
    before = {number: signal.signal(number, signal.SIG_DFL) for number in SIGNALS}
    yield
    assert [signal.getsignal(number) for number in SIGNALS] == [signal.SIG_DFL] * 2
    for number, handler in before.items():
        signal.signal(number, handler)
    raise_if_interrupted()  # What came is forgotten.


def ended(work: Callable[[], None]) -> int:
    """Do work that a signal ends, and return which one did."""
    with pytest.raises(KeyboardInterrupt) as interrupt, record_signals():
        work()
    (number,) = interrupt.value.args
    return int(number)


@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_ends_the_work_at_once(number: signal.Signals) -> None:
    """Where nothing holds it."""

    def work() -> None:
        signal.raise_signal(number)
        pytest.fail("it went on")

    assert ended(work) == number


@pytest.mark.parametrize("number", SIGNALS)
@pytest.mark.parametrize(("hold", "asks_to_wait"), [(defer_signals, True), (block_signals, False)])
def test_a_held_signal_waits_for_the_end_of_the_step(
    hold: Callable[[], AbstractContextManager[None]], asks_to_wait: bool,
    number: signal.Signals, capfd: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    """What was begun is finished, what follows is not begun; a block that is short says nothing."""
    done = []

    def work() -> None:
        for step in range(3):
            with hold():
                if step == 1:
                    signal.raise_signal(number)
                done.append(step)

    assert ended(work) == number
    assert done == [0, 1]
    assert ("it ends after the step that it is at" in capfd.readouterr().err) == asks_to_wait


def test_a_held_signal_is_obeyed_inside_where_it_is_asked_for() -> None:
    """As between the batches of a training."""

    def work() -> None:
        with defer_signals():
            raise_if_interrupted()
            signal.raise_signal(signal.SIGINT)
            raise_if_interrupted()
            pytest.fail("it went on")

    assert ended(work) == signal.SIGINT


@pytest.mark.parametrize(("first", "second"), [SIGNALS, SIGNALS[::-1]])
def test_a_second_signal_ends_the_work_at_once(
    first: signal.Signals, second: signal.Signals
) -> None:
    """Held or not."""

    def work() -> None:
        with defer_signals():
            signal.raise_signal(first)
            signal.raise_signal(second)
            pytest.fail("it went on")

    assert ended(work) == second


def test_an_interrupt_that_somebody_swallows_is_not_lost() -> None:
    """Nor where it was not held: the next step finds it."""
    done = []

    def work() -> None:
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        with defer_signals():
            done.append("a step")

    assert ended(work) == signal.SIGINT
    assert not done


@pytest.mark.parametrize("number", SIGNALS)
def test_an_ignored_signal_stays_ignored(number: signal.Signals) -> None:
    """As under nohup, or behind & in a script."""
    signal.signal(number, signal.SIG_IGN)
    with record_signals(), defer_signals():
        signal.raise_signal(number)
        raise_if_interrupted()
    assert signal.signal(number, signal.SIG_DFL) is signal.SIG_IGN


def test_an_error_is_told_before_an_interrupt() -> None:
    """What failed inside a step is not hidden by a signal that came in it."""

    def work() -> None:
        with record_signals(), defer_signals():
            signal.raise_signal(signal.SIGINT)
            raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        work()


def test_without_a_handler_nothing_is_held() -> None:
    """In a notebook Python's own handler works as ever."""

    def work() -> None:
        with defer_signals():
            signal.raise_signal(signal.SIGINT)
            pytest.fail("it went on")

    signal.signal(signal.SIGINT, signal.default_int_handler)
    with pytest.raises(KeyboardInterrupt):
        work()
    signal.signal(signal.SIGINT, signal.SIG_DFL)
