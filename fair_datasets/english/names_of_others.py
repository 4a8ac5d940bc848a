"""Names that begin with a first name and are no person's: of places, firms, brands and works."""

from fair_datasets.english.neighbours import (
    FOLLOWER,
    HERE,
    NEXT,
    PREVIOUS,
)
from fair_datasets.matching.conditions import ALWAYS, Condition
from fair_datasets.matching.places import Place

# Some texts have lost the apostrophe, or have a space before it: "Wendy s", "Wendy 's".
OWNING = ("'", "’", " '", " ’", " ")
_SECOND, _THIRD, _FOURTH = HERE + 2, HERE + 3, HERE + 4


def _longer_name(place: Place, reach: int) -> Condition:
    """Tell whether capitalised words end a name that is no person's: "Fraser University"."""
    ends = place.among("after_other_name")
    goes_on = ends if reach == 1 else ends | _longer_name(place + 1, reach - 1)
    is_joined = place.is_there & place.sign(" ")
    return is_joined & ((~place.is_capital & place.among("works")) | (place.is_capital & goes_on))


BEGINS_OTHER_NAME = FOLLOWER.among("after_other_name")
IS_PLACE_OR_SURNAME = FOLLOWER.among("after_place_or_surname") & ~BEGINS_OTHER_NAME
GOES_ON_AS_OTHER = (
    FOLLOWER.is_there
    & ~BEGINS_OTHER_NAME
    & ~IS_PLACE_OR_SURNAME
    & ~HERE.is_upper
    & _longer_name(_SECOND, 3)
)
IS_VERSE = (
    NEXT.sign(" ") & NEXT.is_digits & _SECOND.is_digits & _SECOND.sign(":") & ~NEXT.is_word("and")
)


def _region(place: Place) -> Condition:
    """Tell whether a word begins the name of a region: "Raymond, Maine", "Victoria, New York"."""
    behind = (place + 1).where((place + 1).sign(" "))
    is_code = place.is_upper & ~place.longer(2)
    is_named = ~is_code & place.among("regions")
    return place.is_capital & (
        (place.among("before_region") & behind.among("regions"))
        | (~place.among("before_region") & ((is_code & place.among("states")) | is_named))
    )


def _brand(place: Place, before: Condition, are: Condition, article: Condition) -> Condition:
    """Tell whether a possessive is a brand or a restaurant: "ate at Wendy's", "Wendy's burgers"."""
    ending = place + 1
    is_possessive = ending.is_word("s") & ending.sign(*OWNING)
    owned = (place + 2).where((place + 2).sign(" "))
    is_alone = ~owned.is_there | owned.among("after_noun")
    is_other = owned.among("after_other_name") & owned.is_capital
    is_brand = place.among("brands") & (article | (is_alone & (are | ~before)))
    is_second = place.sign(" & ")
    return is_possessive & (
        owned.among("goods") | is_other | (is_second & is_alone) | (~is_second & is_brand)
    )


_IS_FIRST_BRAND = NEXT.sign(*OWNING) & _brand(
    HERE, PREVIOUS.among("after_subject"), PREVIOUS.is_word("are"), PREVIOUS.among("articles")
)
_IS_SECOND_BRAND = NEXT.sign(" & ") & _brand(NEXT, ~ALWAYS, ~ALWAYS, ~ALWAYS)


def _firm(place: Place) -> Condition:
    """Tell whether a word says that a firm is named before it: "Scott & Sons", "Scott, LLC"."""
    is_joined = place.sign(" & ") | (place.sign(" ") & (place - 1).is_word("and"))
    return place.is_capital & (
        (place.among("partners") & is_joined)
        | (place.among("legal_forms") & place.sign(" ", ", ", " & "))
    )


IS_FIRM = (
    HERE.any_around(range(1, 4), of="firms")
    & (
        _firm(NEXT)
        | (NEXT.is_word("and") & _firm(_SECOND))
        | (FOLLOWER.is_there & (_firm(_SECOND) | (_SECOND.is_word("and") & _firm(_THIRD))))
    ).costly
)
IS_BRAND = _IS_FIRST_BRAND | _IS_SECOND_BRAND
IS_REGION = NEXT.sign(", ") & _region(NEXT)
