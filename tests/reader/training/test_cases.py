"""Teaching the cases of pronouns."""

from pathlib import Path

import numpy as np
import pytest

from fair_datasets import CounterfactualSwap, find_terms
from fair_datasets.reader.matching.token_batch import TokenBatch
from fair_datasets.reader.student import Student, shipped
from fair_datasets.reader.training.cases import AsDecided, fine_tune_cases
from fair_datasets.reader.training.rehearsal import read_marked_sentences

LINE = "The vet fed [[her = determiner]] cats."
ALIKE = ["My brother fed her chickens.", "They fed her horses.", "The girl fed her rabbits."]
OTHERS = ["The vet fed her.", "I saw her yesterday.", "He gave her books."]


def taught(folder: Path, *lines: str, begin: Student | None = None) -> Student:
    """Return a student that was taught lines."""
    path = folder / "lines.txt"
    path.write_text("\n".join(lines), "utf-8")
    return fine_tune_cases(begin or shipped(), read_marked_sentences(path), [])


@pytest.fixture(scope="module")
def student(tmp_path_factory: pytest.TempPathFactory) -> Student:
    """Return a student that was taught `LINE`."""
    return taught(tmp_path_factory.mktemp("taught"), LINE)


def cases(student: Student, texts: list[str]) -> list[str]:
    """Return the case of the "her" or "his" of each text."""
    words = TokenBatch(texts)
    places = [k for k in range(len(words)) if words.lower(k) in ("her", "his")]
    return AsDecided(student).tags(words, np.array(places)).named()


def test_sentences_that_are_alike_are_read_alike(student: Student) -> None:
    """And others as before."""
    assert cases(shipped(), ALIKE) == ["object"] * 3
    assert cases(student, ALIKE) == ["determiner"] * 3
    assert cases(shipped(), OTHERS) == cases(student, OTHERS) == ["object"] * 3


def test_the_swap_writes_what_was_taught(student: Student, tmp_path: Path) -> None:
    """With the file of the weights, for one text and for many."""
    path = tmp_path / "mine.safetensors"
    student.save(path)
    swap = CounterfactualSwap("text", mode="replace", reader=str(path))
    for texts in (["The vet fed her cats."], ["The vet fed her cats."] * 40):
        assert swap({"text": texts})["text"] == ["The vet fed his cats."] * len(texts)
    (term,) = find_terms("The vet fed her cats.", reader=str(path))
    assert term.rule.startswith("model.her +")


def test_what_was_taught_before_stays(student: Student, tmp_path: Path) -> None:
    """Where a student goes on, about another pronoun as well."""
    line = "The cup is [[his = alone]] for a day."
    both = taught(tmp_path, line, "We sent [[her = determiner]] poems to him.", begin=student)
    texts = ["The vet fed her cats.", "We sent her poems to him.", "The cup is his for a day."]
    assert cases(both, texts) == ["determiner", "determiner", "alone"]


def test_equal_lines_teach_equally(student: Student, tmp_path: Path) -> None:
    """So that a student can be made again."""
    again = taught(tmp_path, LINE)
    for name, array in student.arrays.items():
        assert array.tobytes() == again.arrays[name].tobytes()
