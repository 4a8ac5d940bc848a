"""How often each rule was right about English words, where people tagged them or read the rows.

The figures are kept in `reliability.tsv`, a row for each kind of decisions and each source;
`reliability.toml` states the sources, and how sure the model is by its log odds.
"""

from pathlib import Path

from fair_datasets.english.names import HAS_SURNAME, IS_REFERRED_TO
from fair_datasets.matching.conditions import ALWAYS, Rule
from fair_datasets.matching.language import Reliability, read_reliability

RELIABILITY = Path(__file__).with_name("reliability.tsv")

STANDING = (
    Rule("standing.surname", "with surname", HAS_SURNAME, "a surname stands behind it"),
    Rule("standing.pronoun", "referred to", IS_REFERRED_TO, "a pronoun of that gender is behind"),
    Rule("standing.alone", "alone", ALWAYS, "neither of them stands behind it"),
)
"""How a first name stands, by which it is more or less sure to be one."""


def reliability() -> Reliability:
    """Return how often each rule was right.

    Returns:
        The figures, which are read once per process.

    Example:
        >>> from fair_datasets.matching.language import NAMES, Decision
        >>> sure, unsure = (
        ...     reliability().of(Decision(NAMES, "names.unmarked", stands, True))
        ...     for stands in ("with surname", "alone"))
        >>> sure > 0.95 > unsure
        True
    """
    return read_reliability(RELIABILITY)
