"""A toy language in which one word tells another, and small models that were taught it."""

import random
import runpy
from pathlib import Path
from typing import Any, NamedTuple

import pytest

REPAIRERS = runpy.run_path(str(Path(__file__).parents[2] / "benchmarks" / "repairers.py"))

PEOPLE = [
    *((noun, "he", "him", "his", "himself") for noun in ("king", "uncle", "actor", "waiter")),
    *((noun, "she", "her", "her", "herself") for noun in ("queen", "aunt", "actress", "nun")),
]
SEVERAL = ["boys", "girls", "sailors", "guests"]
THINGS = ["bag", "boat", "clock", "lamp", "apple", "orange", "egg", "oven"]
STATES = ["calm", "late", "proud", "angry", "happy"]
PLACES = ["at home", "in the garden", "at work"]


def clause(draws: random.Random) -> str:
    """Write a clause about one person, or about several."""
    noun, he, him, his, himself = draws.choice(PEOPLE)
    thing, state, place = draws.choice(THINGS), draws.choice(STATES), draws.choice(PLACES)
    article = "an" if thing[0] in "aeiou" else "a"
    return draws.choice(
        [
            f"the {noun} said that {he} was {state}",
            f"the {noun} has {article} {thing} with {him}",
            f"the {noun} lost {his} {thing} {place}", f"the {noun} saw {himself} {place}",
            f"the {draws.choice(SEVERAL)} are {state} {place}",
            f"the {draws.choice(SEVERAL)} have {article} {thing}",
            f"the {draws.choice(SEVERAL)} were {state}", f"the {noun} is {state} {place}",
        ]
    )  # fmt: skip


def sentences(count: int, seed: int) -> list[str]:
    """Write sentences of two clauses, no two alike."""
    draws, found = random.Random(seed), dict[str, None]()
    while len(found) < count:
        joint = draws.choice([" and ", ", but ", " while "])
        text = f"{clause(draws)}{joint}{clause(draws)}."
        found[text[0].upper() + text[1:]] = None
    return list(found)


class Planted(NamedTuple):
    """A sentence with one error of a closed class."""

    text: str
    span: tuple[int, int]
    right: str

    @property
    def word(self) -> str:
        """The wrong word."""
        return self.text[slice(*self.span)]

    @property
    def repaired(self) -> str:
        """The sentence without the error."""
        return self.text[: self.span[0]] + self.right + self.text[self.span[1] :]


KNOWN = sentences(4000, seed=1)
UNSEEN = [text for text in sentences(400, seed=2) if text not in set(KNOWN)]


def planted(texts: list[str], seed: int) -> list[Planted]:
    """Plant an error in each text."""
    draws = random.Random(seed)
    found = (REPAIRERS["planted"](text, draws) for text in texts)
    return [Planted(*one) for one in found if one is not None]


class Repairers(NamedTuple):
    """The folders of models that know the toy language."""

    detector: str
    writer: str
    masked: str


@pytest.fixture(scope="session")
def repairers(once: Any) -> Repairers:
    """Train a detector and two infillers."""
    sizes = {"layers": 1, "width": 64, "max_length": 64}

    def train(folder: Path) -> None:
        REPAIRERS["train_detector"](
            KNOWN, folder / "detector", vocabulary=400, steps=300, batch_size=24,
            learning_rate=2e-3, **sizes,
        )  # fmt: skip
        for kind, vocabulary, steps, rate in (
            ("seq2seq", 600, 150, 4e-3),
            ("masked", 400, 160, 3e-3),
        ):
            REPAIRERS["train_infiller"](
                KNOWN, folder / kind, kind=kind, vocabulary=vocabulary, steps=steps,
                batch_size=16, learning_rate=rate, **sizes,
            )  # fmt: skip

    folder = once("repairers", train)
    return Repairers(*(str(folder / name) for name in ("detector", "seq2seq", "masked")))


@pytest.fixture(scope="session")
def errors() -> list[Planted]:
    """Give sentences that no model met, each with an error."""
    return planted(UNSEEN, seed=1)
