"""A small German corpus: who does something, together with whom, and where.

Either word of a pair does the same things; the three people of a sentence are of one attribute.
"""

import random

PAIRS = {
    ("sie", "er"): ("lacht", "wartet"),
    ("Königin", "König"): ("regiert", "thront"),
    ("Mutter", "Vater"): ("kocht", "tröstet"),
    ("Tochter", "Sohn"): ("spielt", "lernt"),
    ("Schwester", "Bruder"): ("streitet", "teilt"),
    ("Tante", "Onkel"): ("schenkt", "backt"),
    ("Ärztin", "Arzt"): ("heilt", "untersucht"),
    ("Lehrerin", "Lehrer"): ("erklärt", "prüft"),
    ("Bäuerin", "Bauer"): ("sät", "erntet"),
    ("Nichte", "Neffe"): ("zeichnet", "klettert"),
    ("Oma", "Opa"): ("strickt", "döst"),
    ("Malerin", "Maler"): ("malt", "entwirft"),
}
PLACES = [
    "im Garten", "am Fluss", "auf Reisen", "unter Bäumen", "vor Gericht", "bei Regen",
    "nach Mitternacht", "ohne Pause",
]  # fmt: skip
LEAN = 0.75


def corpus(seed: int, sentences: int = 2500) -> list[str]:
    """Write the sentences."""
    draws, texts = random.Random(seed), []
    for _ in range(sentences):
        side = draws.randrange(2)
        people = draws.sample(list(PAIRS), 3)
        done = " und ".join(f"{pair[side]} {draws.choice(PAIRS[pair])}" for pair in people)
        of = side if draws.random() < LEAN else 1 - side
        texts.append(f"{done} {draws.choice(PLACES[of::2])}")
    return texts
