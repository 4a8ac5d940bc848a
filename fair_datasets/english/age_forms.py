"""What is written for an age: the same text with an age of another stage of life."""

import re
from collections.abc import Mapping
from typing import NamedTuple

from fair_datasets.english.numbers import NUMBER, TEN, Number
from fair_datasets.lexicons import spans_of_life, stages_of_life
from fair_datasets.matching.letters import match_case
from fair_datasets.matching.tokens import Tokens

_DIGITS = re.compile("[0-9]+")
_WORD = {value: word for word, value in NUMBER.items()}

#: Decades of ages by the word for them.
DECADE = {"teens": 10} | {f"{word[:-1]}ies": value for word, value in TEN.items()}
DECADE |= {f"{value}s": value for value in TEN.values()}


class AgeMention(NamedTuple):
    """An age in numbers.

    Attributes:
        first: Its first word.
        last: Its last word, inclusive.
        attribute: The stage of life.
        forms: Attribute to what is written instead of the characters from the first word's start
            to the last word's end.
    """

    first: int
    last: int
    attribute: str
    forms: Mapping[str, str]


def age_mention(
    tokens: Tokens, number: Number, first: int, last: int, adult: str = ""
) -> AgeMention:
    """Return the mention of an age with what is written instead of it.

    An age is written at the proportional place of the target's range, so that of two ages the
    higher stays at least as high.

    Args:
        tokens: The text.
        number: The age in years.
        first: The first word of the mention.
        last: Its last word, inclusive.
        adult: What says "adult" instead of the mention; empty if only a number does.

    Returns:
        The mention.

    Example:
        >>> from fair_datasets.matching.tokens import tokenize
        >>> age_mention(tokenize("aged 40"), Number(40, 1, 1), 0, 1).forms["senior"]
        'aged 86'
    """
    attribute = attribute_of(number.value)
    text = tokens.text
    before = text[tokens.starts[first] : tokens.starts[number.first]]
    written = text[tokens.starts[number.first] : tokens.end(number.last)]
    after = text[tokens.end(number.last) : tokens.end(last)]
    forms = {attribute: before + written + after}
    if number.value == 1 and not adult:
        after = after.replace("year", "years", 1) if " year " in after else after
    for target in stages_of_life():
        if target != attribute:
            age = _age_at(number.value, attribute, target)
            forms[target] = before + _age_text(age, written) + after
    if adult:
        forms["adult"] = match_case(written, adult)
    return _as_adult(AgeMention(first, last, attribute, forms))


def _as_adult(mention: AgeMention) -> AgeMention:
    """Write a child's age as a young adult's where no word says "adult"; that of others stays."""
    spans = {
        name: mention.forms[stages[0]]
        for name, stages in spans_of_life().items()
        if mention.attribute not in stages
    }
    return mention._replace(forms={**spans, **mention.forms})


def range_mention(tokens: Tokens, low: Number, high: Number) -> AgeMention | None:
    """Return the mention of two ages, from the first word of the lower to the last of the higher.

    Args:
        tokens: The text.
        low: The lower age in years.
        high: The higher one, which stands behind it.

    Returns:
        The mention; None if the two belong to different stages of life.

    Example:
        >>> from fair_datasets.matching.tokens import tokenize
        >>> ages = range_mention(tokenize("7 to 12"), Number(7, 0, 0), Number(12, 2, 2))
        >>> ages.forms["young"]
        '29 to 36'
    """
    attribute = attribute_of(low.value)
    if attribute != attribute_of(high.value):
        return None
    text = tokens.text
    parts = [text[tokens.starts[n.first] : tokens.end(n.last)] for n in (low, high)]
    between = text[tokens.end(low.last) : tokens.starts[high.first]]
    forms = {attribute: between.join(parts)}
    for target in stages_of_life():
        if target != attribute:
            lower, higher = (_age_at(n.value, attribute, target) for n in (low, high))
            if lower == higher and lower > stages_of_life()[target].written_years[0]:
                lower -= 1
            elif lower == higher:
                higher += 1
            ages = zip((lower, higher), parts, strict=True)
            forms[target] = between.join(_age_text(age, written) for age, written in ages)
    return _as_adult(AgeMention(low.first, high.last, attribute, forms))


def decade_mention(tokens: Tokens, index: int, years: int) -> AgeMention:
    """Return the mention of a decade of ages ("thirties") with what is written instead of it.

    Args:
        tokens: The text.
        index: The decade's word.
        years: How far into the decade someone is, in years.

    Returns:
        The mention.

    Example:
        >>> from fair_datasets.matching.tokens import tokenize
        >>> decade_mention(tokenize("her sixties"), 1, 5).forms["middle-aged"]
        'fifties'
    """
    value, written = DECADE[tokens.lower[index]], tokens.word(index)
    stages = stages_of_life()
    several = [name for name, stage in stages.items() if value in stage.decades]
    attribute = attribute_of(value + years) if len(several) > 1 else several[0]
    place = stages[attribute].decades.index(value)
    forms = {}
    for target, stage in stages.items():
        decades = stage.written_decades
        text = _decade_text(decades[min(place, len(decades) - 1)], written[0].isdigit())
        forms[target] = match_case(written, text)
    forms[attribute] = written
    return _as_adult(AgeMention(index, index, attribute, forms))


def attribute_of(age: int) -> str:
    """Return the attribute that an age belongs to.

    Args:
        age: The age in years.

    Returns:
        The stage of life.

    Example:
        >>> attribute_of(17), attribute_of(65)
        ('child', 'senior')
    """
    stages = stages_of_life()
    return next((name for name, stage in stages.items() if age <= stage.years[1]), [*stages][-1])


def _decade_text(decade: int, in_digits: bool) -> str:
    """Return a decade of ages in words or digits; there are no digits for "teens"."""
    if decade == 10:
        return "teens"
    return f"{decade}s" if in_digits else f"{_WORD[decade][:-1]}ies"


def _age_at(age: int, attribute: str, target: str) -> int:
    """Return the age at the same place of the target's range."""
    lowest, highest = stages_of_life()[attribute].years
    low, high = stages_of_life()[target].written_years
    place = (min(age, highest) - lowest) / (highest - lowest)
    return low + round(place * (high - low))


def _age_text(age: int, written: str) -> str:
    """Write an age as the age in the text is written."""
    if _DIGITS.search(written):
        return _DIGITS.sub(str(age), written, count=1)
    tens, ones = divmod(age, 10)
    word = _WORD[age] if age in _WORD else f"{_WORD[10 * tens]}-{_WORD[ones]}"
    return match_case(written, word)
