"""The states of an encoder's last layer at chosen words: computed once, kept on the disk."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fair_datasets.rewriters.fairflow.occurrences import Occurrences
from fair_datasets.scores.batching import batches_by_length
from fair_datasets.scores.bias.states import token_spans
from fair_datasets.scores.resuming import write_file
from fair_datasets.scores.scoring_model import ScoringModel
from fair_datasets.system import interrupts
from fair_datasets.system.checks import InputError, warn

if TYPE_CHECKING:
    import torch

Halves = NDArray[np.float16]

_TOGETHER = 2048
_FILE, _DONE = "states.npy", "states.done"


def word_states(
    texts: Sequence[str],
    places: Occurrences,
    loaded: ScoringModel,
    folder: Path,
    *,
    max_length: int,
    batch_size: int = 64,
) -> Halves:
    """Compute the state of each word, the mean over its tokens, in batches of similar length.

    They are kept in half precision in a file, of which the memory holds what is looked at. An
    interrupted call goes on where it stopped.

    Args:
        places: The words, in the order of the texts.
        folder: Where the file lies; it is made if it is not there.

    Returns:
        The states, mapped from the file. Shape (N, d).

    Raises:
        InputError: A state is no finite number.
    """
    from datasets.utils import tqdm

    folder.mkdir(parents=True, exist_ok=True)
    path, progress_file = folder / _FILE, folder / _DONE
    width = int(loaded.model.config.get_text_config().hidden_size)
    shape = (len(places.word), width)
    done = int(progress_file.read_text()) if path.is_file() and progress_file.is_file() else 0
    if done and not _is_whole(path, shape):
        warn(
            f"{loaded.owner}: the states in {str(path)!r} are incomplete; they are computed again.",
        )
        done = 0
    mode: Any = "r+" if done else "w+"
    states = np.lib.format.open_memmap(path, mode=mode, dtype=np.float16, shape=shape)
    read = np.unique(places.text)
    with tqdm(total=len(read), initial=done, desc="Reading texts", unit="text") as progress:
        for start in range(done, len(read), _TOGETHER):
            interrupts.obey()
            rows = read[start : start + _TOGETHER]
            low, high = np.searchsorted(places.text, [rows[0], rows[-1] + 1])
            some = places.at(np.arange(low, high))
            _read_some(texts, rows, some, loaded, max_length, batch_size, states[low:high])
            states.flush()
            write_file(progress_file, str(start + len(rows)).encode())
            progress.update(len(rows))
    kept: Halves = np.load(path, mmap_mode="r")
    return kept


def _is_whole(path: Path, shape: tuple[int, int]) -> bool:
    """Tell whether a file holds states of a shape, as far as its size says."""
    try:
        return bool(np.load(path, mmap_mode="r").shape == shape)
    except (ValueError, EOFError):
        return False


def _read_some(
    texts: Sequence[str],
    rows: NDArray[np.int64],
    places: Occurrences,
    loaded: ScoringModel,
    max_length: int,
    batch_size: int,
    out: Halves,
) -> None:
    """Write the states of the words of some texts."""
    encoded = [ids for ids, _, _ in token_spans(loaded, [texts[row] for row in rows], max_length)]
    bounds = np.searchsorted(places.text, [*rows, rows[-1] + 1])
    with loaded.scoring():
        for batch in batches_by_length([len(ids) for ids in encoded], batch_size, None):
            interrupts.obey()
            output, _, _ = loaded.run([encoded[row] for row in batch])
            hidden = output.last_hidden_state.float()
            wanted = np.concatenate([np.arange(bounds[row], bounds[row + 1]) for row in batch])
            row_of = np.repeat(np.arange(len(batch)), bounds[batch + 1] - bounds[batch])
            found = _means(hidden, row_of, places.first[wanted], places.pieces[wanted])
            with np.errstate(over="ignore"):
                out[wanted] = found.cpu().numpy().astype(np.float16)
            if not np.isfinite(out[wanted]).all():
                raise InputError(
                    f"{loaded.owner}: the encoder's states are not finite in half precision; its "
                    "training may have diverged, so choose another."
                )


def _means(
    hidden: "torch.Tensor",
    rows: NDArray[np.int64],
    first: NDArray[np.int64],
    pieces: NDArray[np.int64],
) -> "torch.Tensor":
    """Return the mean of the states of each word's tokens. Shape (W, d)."""
    import torch

    row, place = torch.from_numpy(rows), torch.from_numpy(first)
    total = hidden[row, place].clone()
    for piece in range(1, int(pieces.max(initial=1))):
        has_it = torch.from_numpy(np.flatnonzero(pieces > piece))
        total[has_it] += hidden[row[has_it], place[has_it] + piece]
    return total / torch.from_numpy(pieces).to(total)[:, None]
