"""The mentions of one person, in whichever of the texts of a row they stand."""

from collections.abc import Sequence

from fair_datasets.reader.matching.found import Mention, Reading
from fair_datasets.swap.verification.people import People


def mentions_of_person(
    readings: Sequence[Reading | None], place: int, asked: Mention
) -> list[list[Mention]]:
    """Return the mentions in the texts of a row that surely speak of the same person.

    Args:
        readings: The texts with their mentions; None for one that is not read.

    Returns:
        For each text its mentions of the person: those that no one else can be meant by, and in
        the other texts those by the same name or noun.
    """
    reading = readings[place]
    if reading is None:
        return [[] for _ in readings]
    people = People(reading)
    person = people.persons[reading.mentions.index(asked)]
    words = people.called(person) | {reading.tokens.lower[asked.last]}
    found: list[list[Mention]] = []
    for number, other in enumerate(readings):
        if number == place:
            pairs = zip(reading.mentions, people.persons, strict=True)
            found.append([mention for mention, who in pairs if who == person])
        elif other is None:
            found.append([])
        else:
            found.append(
                [
                    mention
                    for mention in other.mentions
                    if mention.term.attribute == asked.term.attribute
                    and other.tokens.lower[mention.last] in words
                ]
            )
    return found
