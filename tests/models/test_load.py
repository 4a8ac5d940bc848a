"""Tests of loading word vectors: the cache, gensim's objects, and what else may be given."""

import gzip
import os
import pickle
import tempfile
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from fair_datasets import InputError
from fair_datasets.measures import weat_from_vectors
from fair_datasets.models import load, load_word_vectors


class KeyedVectors:
    """The part of gensim's class that is read."""

    def __init__(self) -> None:
        """Hold two words."""
        self.key_to_index = {"she": 1, "he": 0}
        self.vectors = np.array([[1.0, 0.0], [0.0, 1.0]], np.float32)


def test_the_numbers_are_not_written_out() -> None:
    """Vectors are told from others by their name and how many there are."""
    vectors = load_word_vectors({"he": [1, 0], "she": [0, 1], "it": [0, 0]})
    assert repr(vectors) == "WordVectors('memory', shape=(3, 2))"


def test_gensims_vectors_are_read() -> None:
    """By what they have, as gensim need not be there."""
    vectors = load_word_vectors(KeyedVectors())
    assert list(vectors) == ["he", "she"]
    assert vectors["she"].tolist() == [0.0, 1.0]


def test_a_file_is_converted_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And again where it has changed; what is read is mapped into memory."""
    file = tmp_path / "v.txt"
    file.write_text("he 1 0\nshe 0 1\n")
    first = load_word_vectors(file)
    assert isinstance(first.matrix, np.memmap)
    assert isinstance(first.index.hashes, np.memmap)
    with monkeypatch.context() as context:
        context.setattr("fair_datasets.models.load.read_parts", pytest.fail)
        assert load_word_vectors(file).digest == first.digest
    file.write_text("he 1 0\nshe 0 1\nwe 1 1\n")
    os.utime(file, ns=(1, 1))
    assert len(load_word_vectors(file)) == 3


def test_a_refused_file_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No half of a cache, and none that cannot be written goes unsaid."""
    monkeypatch.setattr("huggingface_hub.constants.HF_HOME", str(tmp_path / "home"))
    (tmp_path / "v.txt").write_text("he 1 0\nshe 0 1\nwe 1\n")
    with pytest.raises(InputError, match="line 3"):
        load_word_vectors(tmp_path / "v.txt")
    assert list((tmp_path / "home" / "fair_datasets" / "vectors").iterdir()) == []
    (tmp_path / "file").write_text("")
    monkeypatch.setattr("huggingface_hub.constants.HF_HOME", str(tmp_path / "file"))
    with pytest.raises(
        InputError, match=r"cannot be converted in .*; set HF_HOME to a writable folder"
    ):
        load_word_vectors(tmp_path / "v.txt")


def test_of_two_alike_the_first_counts(tmp_path: Path) -> None:
    """As in gensim."""
    (tmp_path / "v.txt").write_text("he 1 0\nshe 0 1\nhe 5 5\n")
    assert load_word_vectors(tmp_path / "v.txt")["he"].tolist() == [1.0, 0.0]


def test_the_published_association_is_found(data_directory: Path) -> None:
    """Word vectors are what `weat_from_vectors` takes (word2vec: C6 1.89 in the fifth paper)."""
    file = data_directory / "vectors" / "word2vec_googlenews_weat_347.txt.gz"
    vectors = load_word_vectors(file)
    assert (len(vectors), vectors.width) == (347, 300)
    assert weat_from_vectors(vectors, "C6").effect_size == pytest.approx(1.894, abs=0.006)


def test_a_word_without_a_vector_is_missing() -> None:
    """As in any mapping."""
    vectors = load_word_vectors({"he": [1.0], "she": [2.0]})
    assert "we" not in vectors
    assert 5 not in vectors
    with pytest.raises(KeyError):
        vectors["we"]


WORDS = ["the", "She", "she", "café", "a b", ". . .", "5", "don't"]


MATRIX = (np.arange(len(WORDS) * 3).reshape(-1, 3) / 8 - 1).astype(np.float32)


def lines(words: list[str] = WORDS) -> str:
    """Write vectors as GloVe does."""
    rows = zip(words, MATRIX.tolist(), strict=True)
    return "".join(f"{word} {' '.join(map(str, row))}\n" for word, row in rows)


def binary(newlines: bool = False) -> bytes:
    """Write vectors as word2vec's binary file; gensim writes no newlines, word2vec does."""
    end = b"\n" if newlines else b""
    words = (word.replace(" ", "_").encode() for word in WORDS)
    rows = (word + b" " + row.tobytes() + end for word, row in zip(words, MATRIX, strict=True))
    return f"{len(WORDS)} 3\n".encode() + b"".join(rows)


FILES: dict[str, bytes] = {"glove.txt": lines().encode(),
    "no newline at the end.txt": lines().rstrip("\n").encode(),
    "windows.txt": lines().replace("\n", "\r\n").encode(),
    "fasttext.vec": (f"{len(WORDS)} 3\n" + lines().replace("\n", " \n")).encode(),
    "tabs.txt": lines().replace(" -", "\t-").encode(),
    "word2vec.txt": f"{len(WORDS)} 3\n{lines()}".encode(),
    "glove.txt.gz": gzip.compress(lines().encode()), "word2vec.bin": binary(),
    "lines.bin": binary(newlines=True), "word2vec.bin.gz": gzip.compress(binary())}  # fmt: skip


@pytest.mark.parametrize("name", FILES)
def test_every_form_is_read(name: str, tmp_path: Path) -> None:
    """Words with spaces in them too, as a line is read from its right end."""
    (tmp_path / name).write_bytes(FILES[name])
    vectors = load_word_vectors(tmp_path / name)
    # A word ends at a space in a binary file.
    assert [word.replace("_", " ") for word in vectors] == WORDS
    assert np.array_equal(vectors.matrix, MATRIX)
    assert vectors["SHE"].tolist() == MATRIX[2].tolist()


def test_arrays_are_read(tmp_path: Path) -> None:
    """An `.npz` with words as bytes too."""
    np.savez(tmp_path / "v.npz", words=np.array([w.encode() for w in WORDS]), vectors=MATRIX)
    assert list(load_word_vectors(tmp_path / "v.npz")) == WORDS


def test_what_is_saved_is_loaded(tmp_path: Path) -> None:
    """As a file that is read again, with the same words and numbers."""
    load_word_vectors(dict(zip(WORDS, MATRIX, strict=True))).save(tmp_path / "v.npz")
    again = load_word_vectors(tmp_path / "v.npz")
    assert (list(again), again.matrix.tolist()) == (WORDS, MATRIX.tolist())
    with pytest.raises(InputError, match=r"must end in '\.npz'"):
        again.save(tmp_path / "v.txt")
    with pytest.raises(InputError, match="cannot be written"):
        again.save(tmp_path / "no" / "v.npz")


class Evil:
    """What does something where it is unpickled."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Raise, so that a test would tell."""
        return pytest.fail, ("a pickle was read",)


def zipped(name: str, content: bytes, path: Path) -> None:
    """Write an archive of one file."""
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(name, content)


def test_pickles_are_refused(tmp_path: Path) -> None:
    """Gensim's own files, those of torch, and objects in arrays."""
    (tmp_path / "v.kv").write_bytes(pickle.dumps(Evil()))
    (tmp_path / "v.p5").write_bytes(pickle.dumps(Evil(), protocol=5))
    (tmp_path / "v.kv.gz").write_bytes(gzip.compress(pickle.dumps(Evil())))
    zipped("v/data.pkl", pickle.dumps(Evil()), tmp_path / "v.pt")
    words = np.array([Evil(), Evil()], dtype=object)
    np.savez(tmp_path / "v.npz", words=words, vectors=np.ones((2, 2)))
    for name in ("v.kv", "v.p5", "v.kv.gz", "v.pt", "v.npz"):
        with pytest.raises(InputError, match=r"is a pickle, which can run code .* save it again"):
            load_word_vectors(tmp_path / name)


@settings(max_examples=60)
@given(
    arrays(np.float32, st.tuples(st.integers(1, 5), st.integers(2, 8)),
           elements=st.floats(width=32, allow_nan=False, allow_infinity=False)),
    st.booleans(), st.sampled_from([7, 1 << 22]), st.booleans(),
)  # fmt: skip
def test_any_numbers_come_back(matrix: Any, newlines: bool, block: int, more: bool) -> None:
    """From a binary file, whatever lies behind them, in blocks of any size; and from text.

    The four bytes of a vector of one number can be a number that is written out, as in "07", and
    nothing tells them apart.
    """
    end = b"\n" if newlines else b""
    words = [f"word{row}".encode() for row in range(len(matrix))]
    rows = (word + b" " + row.tobytes() + end for word, row in zip(words, matrix, strict=True))
    header = f"{matrix.shape[0]} {matrix.shape[1]}\n".encode()
    written = (b" ".join([word, *(repr(float(x)).encode() for x in row)]) + b"\n"
               for word, row in zip(words, matrix, strict=True))  # fmt: skip
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as context:
        context.setattr(load, "_BLOCK", block)
        behind = b"behind " + matrix[0].tobytes() + end if more else b""
        for name, content in (("v.bin", b"".join([*rows, behind])), ("v.txt", b"".join(written))):
            path = Path(folder, name)
            path.write_bytes(header + content)
            parts = list(load.read_parts(path))
            assert [word for part in parts for word in part.words] == words
            assert np.array_equal(np.concatenate([part.vectors for part in parts]), matrix)


@given(st.lists(st.text(st.characters(exclude_characters="\n\r\t", codec="utf-8")), unique=True))
def test_any_words_come_back(words: list[str]) -> None:
    """The index finds each word that there is, and no other."""
    vectors = load_word_vectors({"": [0.0], **{word: [1.0] for word in words}})
    assert [*vectors] == [*{"": 0, **dict.fromkeys(words)}]
    assert vectors.index.find(words).tolist() == [[*vectors].index(word) for word in words]
    assert vectors.index.find([f"{word}\n" for word in words]).tolist() == [-1] * len(words)
