"""How many rows in other languages are rewritten, and how many English ones are left for that.

    python tests/benchmarks/other_languages.py [--data DIR] [--axis AXIS]

- Rows that are rewritten, by language: of the sentences in other languages in the shared data, of
  spaCy's examples, and of the messages of Sphinx as they are translated. "with a name" are the same
  rows behind an American first name: "Mary " and the row.
- English rows that the swap would change, by kind of text, and how many of them are left as another
  language, with the rows: some are in one.
- The same of English sentences with names of Faker's locales.
"""

import gettext
import gzip
import json
import pkgutil
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from itertools import cycle
from pathlib import Path
from unittest.mock import patch

import spacy.lang
import sphinx
from corpora import corpora, parser_of, texts_of
from faker import Faker
from faker.config import AVAILABLE_LOCALES

from fair_datasets import CounterfactualSwap
from fair_datasets.reader.english import other_languages

NAMES = ("Mary", "John", "Jennifer", "David", "Emily", "Michael")
SENTENCES = (
    "{} lost her keys.", "{} is my brother.", "I met {} and his son.", "{} cried.", "Thanks, {}",
    "happy birthday {}", "{} and {} got married", "{}, {}, {} and {}", "{}; {}", "Dear Mr. {},",
    "{} Wins His Third Title", "RT @x: {} she slays",
)  # fmt: skip
# How many words a message has at least, and how many names are drawn of a locale for a sentence.
FEWEST, DRAWN = 6, 10
# How much of a row is shown that is left.
SHOWN = 100


def in_the_data(data: Path) -> Iterator[tuple[str, str]]:
    """Give the sentences of the shared data, each with its language."""
    with gzip.open(data / "text" / "other_languages.jsonl.gz", "rt", encoding="utf-8") as file:
        yield from ((row["language"], row["text"]) for row in map(json.loads, file))


def in_spacy() -> Iterator[tuple[str, str]]:
    """Give spaCy's examples; some ask for packages that are not installed."""
    for module in pkgutil.iter_modules(spacy.lang.__path__):
        try:
            sentences = import_module(f"spacy.lang.{module.name}.examples").sentences
        except (AttributeError, ImportError):
            continue
        yield from ((module.name, sentence) for sentence in sentences if module.name != "en")


def in_sphinx() -> Iterator[tuple[str, str]]:
    """Give the translated messages of Sphinx."""
    for path in sorted(Path(sphinx.__file__).parent.glob("locale/*/LC_MESSAGES/sphinx.mo")):
        language = path.parts[-3].split("_")[0]
        with path.open("rb") as file:
            told = gettext.GNUTranslations(file)._catalog.items()  # type: ignore[attr-defined]
        for own, message in sorted(told, key=str):
            is_told = isinstance(message, str) and message != own and language != "en"
            if is_told and len(message.split()) >= FEWEST:
                yield language, " ".join(message.split())


def changed(swap: CounterfactualSwap, texts: Sequence[str]) -> list[bool]:
    """Return which texts a swap changes."""
    written = swap({"text": list(texts)})["text"]
    return [old != new for old, new in zip(texts, written, strict=True)]


def show_others(swap: CounterfactualSwap, kind: str, rows: Iterable[tuple[str, str]]) -> None:
    """Print how many rows are rewritten, and in which languages."""
    languages, texts = zip(*rows, strict=True)
    named = [f"{name} {text[0].lower()}{text[1:]}" for name, text in zip(cycle(NAMES), texts)]
    for label, several in ((kind, texts), (f"{kind}, with a name", named)):
        held, total = changed(swap, several), Counter(languages)
        found = Counter(own for own, is_held in zip(languages, held, strict=True) if is_held)
        by_language = ", ".join(f"{own} {n}/{total[own]}" for own, n in found.most_common())
        share = sum(held) / len(held)
        print(f"{label}: {sum(held)} of {len(held)} ({share:.2%}) in {len(total)} languages")
        print(f"    {by_language or 'none'}")


def show_english(swap: CounterfactualSwap, data: Path) -> None:
    """Print how many English rows are left that would change."""
    kinds = corpora(data, 2000)
    kinds["Wikipedia"] = texts_of(data / "text" / "wikipedia_sentences.jsonl.gz")
    kinds["tweets of many places"] = texts_of(data / "tagged" / "person_names_tweets.jsonl.gz")
    for kind, texts in kinds.items():
        with patch.object(other_languages, "is_in_another_language", lambda _: False):
            would = changed(swap, texts)
        changes = zip(texts, would, changed(swap, texts), strict=True)
        left = [text for text, before, now in changes if before and not now]
        print(f"{kind}: {len(left)} of {sum(would)} ({len(left) / max(1, sum(would)):.2%})")
        for text in left:
            print(f"    {' '.join(text.split())[:SHOWN]}")


def show_names() -> None:
    """Print how many English sentences are left for the names in them."""
    left, total = defaultdict[str, int](int), 0
    for locale in AVAILABLE_LOCALES:
        fake = Faker(locale)
        fake.seed_instance(0)
        for sentence in SENTENCES:
            for _ in range(DRAWN):
                names = [f"{fake.first_name()} {fake.last_name()}" for _ in range(4)]
                told = sentence.format(*names)
                if all(letter < "\u0250" or "\u1e00" <= letter < "\u1f00" for letter in told):
                    total += 1
                    left[sentence] += other_languages.is_in_another_language(told)
    print(f"names: {sum(left.values())} of {total}", {each: n for each, n in left.items() if n})


def main() -> None:
    """Print all rates."""
    parser = parser_of(__doc__)
    parser.add_argument("--axis", default="gender")
    options = parser.parse_args()
    swap = CounterfactualSwap(columns="text", axis=options.axis, mode="replace", names=True)
    print("rewritten rows in other languages")
    show_others(swap, "shared data", in_the_data(options.data))
    show_others(swap, "spaCy", in_spacy())
    show_others(swap, "Sphinx", in_sphinx())
    print("English rows that would change and are left")
    show_english(swap, options.data)
    show_names()


if __name__ == "__main__":
    main()
