"""First names by the reader, which is asked where lists and rules do not tell."""

import numpy as np
from numpy.typing import NDArray

from fair_datasets.matching.words import Places, Words


def given_shares(words: Words, places: Places) -> NDArray[np.float64]:
    """Return how likely words are to be first names.

    Args:
        words: The words of texts.
        places: Which of them. Shape (W,).

    Returns:
        The probability of each, by the reader that ships. Shape (W,).

    Example:
        >>> words = Words(["mary paid the bill."])
        >>> (given_shares(words, np.arange(4)) > 0.5).tolist()
        [True, False, False, False]
    """
    # The reader looks names up in lists, which are read by the rules of a language.
    from fair_datasets.reader import load_reader
    from fair_datasets.reader.tags import GIVEN

    return load_reader().tags(words, places).probabilities[:, GIVEN]
