"""A language as small as can be: German with a few rules, to show where a second one begins."""

from pathlib import Path

from fair_datasets.reader.matching.language import Language
from fair_datasets.reader.matching.predicates import ALWAYS, Rule
from fair_datasets.reader.matching.token_refs import TokenRef
from fair_datasets.reader.matching.vocabulary import read_classes

_CLASSES = read_classes(Path(__file__).with_name("words.tsv"))


def words(name: str) -> frozenset[str]:
    """Return the words of a class."""
    return _CLASSES[name]


HERE = TokenRef(lambda found: found.places, lists=words)
BEFORE, NEXT = HERE - 1, HERE + 1

TITLE = (
    Rule("titel.bestimmt", False, BEFORE.among("determiners"), "ein Artikel steht davor"),
    Rule("titel.name", True, NEXT.sign(" ") & NEXT.is_capital, "ein Name steht dahinter"),
    Rule("titel.kein", False, ALWAYS, "kein Name steht dahinter"),
)
PERSON = (
    Rule("person.schraube", False, HERE.any_around(range(-6, 7), of="screws"), "eine Schraube"),
    Rule("person.mensch", True, ALWAYS, "nichts spricht dagegen"),
)
SIE = (
    Rule("sie.subjekt", "subject", NEXT.sign(" ") & NEXT.among("verbs"), "ein Verb steht dahinter"),
    Rule("sie.objekt", "object", ALWAYS, "kein Verb steht dahinter"),
)
IHR = (
    Rule("ihr.besitz", "determiner", NEXT.sign(" ") & NEXT.is_capital, "ein Nomen steht dahinter"),
    Rule("ihr.objekt", "object", ALWAYS, "kein Nomen steht dahinter"),
)

LANGUAGE = Language(
    title=TITLE, person=PERSON, cases={("subject", "object"): SIE, ("determiner", "object"): IHR},
)  # fmt: skip
