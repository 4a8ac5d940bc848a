"""The network in whole numbers."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from safetensors.numpy import save_file

from fair_datasets.reader import load_reader
from fair_datasets.reader import student as module
from fair_datasets.reader.matching.token_batch import TokenBatch
from fair_datasets.reader.student import COUNT, SIZE, Student, is_listed_first_name, keys, rows
from fair_datasets.reader.tags import ALONE, FIRST_SENSE, OBJECT
from fair_datasets.system.checks import InputError


def tag(student: Student, texts: list[str], size: int) -> NDArray[np.float64]:
    """Tag all words of texts, so many texts at once; return the probabilities."""
    several = [TokenBatch(texts[begin : begin + size]) for begin in range(0, len(texts), size)]
    found = [student.tags(words, np.flatnonzero(~words.is_end)) for words in several]
    return np.concatenate([each.probabilities for each in found])


def test_two_networks_are_kept(
    student: Student, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a third one, all are read anew."""
    monkeypatch.setattr("fair_datasets.reader.load._read", {})
    paths = [tmp_path / f"{name}.safetensors" for name in "abc"]
    for path in paths:
        student.save(path)
    first, second = map(load_reader, paths[:2])
    assert (load_reader(paths[0]), load_reader(paths[1])) == (first, second)
    load_reader(paths[2])
    assert load_reader(paths[0]) is not first


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5])
def test_a_word_is_tagged_alike_in_every_batch(
    student: Student, texts: list[str], size: int
) -> None:
    """To the last bit of its probabilities, whatever was read before."""
    shares = tag(student, texts, len(texts))
    tag(student, [text.upper() for text in texts], 2)
    again = tag(Student(student.arrays), texts[::-1] * 3, size)[-len(shares) :]
    assert (tag(student, texts, size) == shares).all()
    order = np.concatenate([np.flatnonzero(_owner(texts) == k) for k in range(len(texts))[::-1]])
    assert (again == shares[order]).all()


def _owner(texts: list[str]) -> NDArray[np.int64]:
    """Return the text of each word."""
    words = TokenBatch(texts)
    return words.owner[np.flatnonzero(~words.is_end)]


def test_asked_words_need_not_stand_together(student: Student, texts: list[str]) -> None:
    """Any words are asked, in any order, and any number of times."""
    words = TokenBatch(texts)
    places = np.flatnonzero(~words.is_end)
    whole = student.tags(words, places)
    some = np.array([5, 3, 5, 0])
    found = student.tags(words, places[some])
    assert (found.probabilities == whole.probabilities[some]).all()
    assert (found.places == places[some]).all()
    assert len(student.tags(words, places[:0]).tags) == 0


def test_a_full_table_is_emptied_and_no_answer_changes(
    student: Student, texts: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As what is kept of a word depends on nothing but the word."""
    shares = tag(student, texts, 1)
    monkeypatch.setattr(module, "CACHE_SIZE", 24)
    small = Student(student.arrays)
    for _ in range(3):
        assert (tag(small, texts, 1) == shares).all()
        assert len(small._slots) <= 24


def test_more_words_than_a_block_are_tagged(
    student: Student, texts: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In parts, which change nothing."""
    shares = tag(student, texts, len(texts))
    monkeypatch.setattr(module, "_AT_ONCE", 3)
    assert (tag(student, texts, len(texts)) == shares).all()


def test_only_pronouns_have_a_case(student: Student) -> None:
    """And all of their probability is that of the cases; any other word has none of it."""
    words = TokenBatch(["Her dog saw his and Hers"])
    shares = student.tags(words, np.arange(6)).probabilities
    cases = shares[:, OBJECT : ALONE + 1].sum(axis=1)
    assert cases.tolist() == pytest.approx([1, 0, 0, 1, 0, 1], abs=0)
    assert shares[:, :FIRST_SENSE].sum(axis=1) == pytest.approx(np.ones(6))
    assert shares[:, FIRST_SENSE:].sum(axis=1) == pytest.approx(np.ones(6))


def test_it_is_written_and_read(student: Student, texts: list[str], tmp_path: Path) -> None:
    """Equal networks are equal files, and tag alike."""
    for name in ("one", "other"):
        student.save(tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "other").read_bytes()
    read = Student.load(tmp_path / "one")
    assert (tag(read, texts, 2) == tag(student, texts, 2)).all()


def test_a_higher_temperature_is_less_sure(student: Student, texts: list[str]) -> None:
    """The tags stay, but for those that were as likely as another."""
    shares = tag(student, texts, 6)
    cooled = tag(student.cooled(2.0), texts, 6)
    assert cooled.max(axis=1).mean() < shares.max(axis=1).mean()
    for group in (slice(FIRST_SENSE), slice(FIRST_SENSE, None)):
        own, other = shares[:, group], cooled[:, group]
        assert (other.argmax(axis=1) == own.argmax(axis=1))[own.max(axis=1) > 0.6].all()


def test_other_files_are_refused(student: Student, tmp_path: Path) -> None:
    """In a sentence that names the file."""
    path = tmp_path / "weights"
    path.write_bytes(b"no safetensors")
    with pytest.raises(InputError, match=r"^Student: .*weights' holds no safetensors"):
        Student.load(path)
    with pytest.raises(InputError, match="holds no safetensors"):
        Student.load(tmp_path / "nothing")
    keys, weights, scale = np.arange(2, dtype=np.uint64), np.ones(2, np.int8), np.ones(1)
    own, large = student.arrays, np.float32(1e9)
    narrow = {name: own[name][:0] for name in ("first_scale", "first_bias", "second")}
    others: list[dict[str, Any]] = [
        {"her_keys": keys, "her_weights": weights},
        {"her_keys": keys[::-1], "her_weights": weights, "her_scale": scale},
        {"his_keys": keys, "his_weights": weights[:1], "his_scale": scale},
        {"his_keys": keys, "his_weights": weights, "his_scale": scale * np.nan},
        {"more": own["rows"]}, {"rows": own["rows"][:9]}, {"last": own["last"][:, :3]},
        {"first_scale": own["first_scale"][:3]}, {"rows": own["rows"].astype(np.int64)},
        {"last_bias": own["last_bias"] * np.nan}, {"first": own["first"][0]},
        {"last_scale": own["last_scale"].astype(np.float64)},
        {"last_scale": own["last_scale"] * large}, {"last_bias": own["last_bias"] + large},
        narrow | {"first": own["first"][:, :0]},
    ]  # fmt: skip
    for arrays in ({"rows": own["rows"]}, *(own | other for other in others)):
        save_file({name: np.ascontiguousarray(array) for name, array in arrays.items()}, path)
        with pytest.raises(InputError, match="other arrays than the weights of a student"):
            Student.load(path)


def test_as_many_threads_compute_as_before() -> None:
    """Whoever asks at the same time leaves them as they were."""
    one = module._OneThread()
    (pool, *_) = one._pools
    before = pool.num_threads
    pool.set_num_threads(2)
    with one:
        with one:
            assert pool.num_threads == 1
        assert pool.num_threads == 1
    assert pool.num_threads == 2
    pool.set_num_threads(before)


def all_keys(text: str) -> list[int]:
    """Return the numbers that tell the words of a text apart."""
    words = TokenBatch([text])
    found: list[int] = keys(words, np.arange(words.first[-1])).tolist()
    return found


@pytest.mark.parametrize(
    ("one", "other"),
    [("we saw Mary", "we saw mary"), ("we saw Mary", "we saw, Mary"), ("a b", "a\nb"),
     ("we saw Mary", "we saw MARY"), ("we saw Łukasz", "we saw Łukasza")],
)  # fmt: skip
def test_words_differ_by_letters_case_and_the_sign_before(one: str, other: str) -> None:
    """Each of the three is seen."""
    assert all_keys(one)[-2] != all_keys(other)[-2]


def test_a_word_is_seen_by_itself_wherever_it_stands() -> None:
    """What is beside it does not matter, nor which texts are read with it."""
    words = TokenBatch(["a dog, Mary", "We know Mary and Mary."])
    places = np.array([words.first[1] + 2, words.first[1] + 4])
    found = keys(words, places)
    assert found[0] == found[1] == all_keys("I met Mary.")[2]
    assert (rows(words, places)[0] == rows(words, places)[1]).all()


def test_rows_lie_in_the_table() -> None:
    """Those of words, of ends of texts, and of signs and letters of any alphabet."""
    words = TokenBatch(["Mary!", "", "Łódź — 東京 x 1999 👍 é", "\n\n(PhD)"])
    found = rows(words, np.arange(words.first[-1]))
    assert found.shape[1] == COUNT
    assert found.min() >= 0
    assert found.max() < SIZE


def test_first_names_of_the_list_are_known() -> None:
    """In any letter case; a place that is a name as well is one."""
    words = TokenBatch(["PAUL met mary in Austin, xyzzy"])
    found = is_listed_first_name(words, np.arange(6)).tolist()
    assert found == [True, False, True, False, True, False]
