"""A small labelled dataset in which gender words give the class away, as far as one likes."""

import pytest
from datasets import Dataset, DatasetDict

_MEN = ["He", "The man", "John", "The waiter"]
_WOMEN = ["She", "The woman", "Mary", "The waitress"]
# Half of the words tell the class; where they do not, a classifier goes by who is meant.
_EITHER = ["here", "there", "away", "home"]
_WORDS = {0: ["kind", "polite", "early", "calm", *_EITHER],
    1: ["rude", "late", "angry", "mean", *_EITHER]}  # fmt: skip


def rows(people: list[tuple[list[str], int, int]]) -> Dataset:
    """Write sentences: who, how many times, and of which class."""
    texts, labels = [], []
    for subjects, times, label in people:
        for number in range(times):
            subject = subjects[number % len(subjects)]
            word = _WORDS[label][(number // len(subjects)) % len(_WORDS[label])]
            texts.append(f"{subject} was {word} today.")
            labels.append(label)
    return Dataset.from_dict({"text": texts, "label": labels})


@pytest.fixture(scope="session")
def splits() -> DatasetDict:
    """Sentences in which women are called class 1 more often than men, and a few without either.

    Those that are measured speak of women, so that flips do not cancel.
    """
    biased = [(_MEN, 96, 0), (_MEN, 32, 1), (_WOMEN, 32, 0), (_WOMEN, 96, 1), (["It"], 8, 0)]
    even = [(_WOMEN, 64, 0), (_WOMEN, 64, 1), (["It"], 8, 0)]
    return DatasetDict(train=rows(biased), validation=rows(even), test=rows(even))
