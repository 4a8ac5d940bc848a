"""People who are called, and groups that are compared: what says nothing once it has no gender.

"Thanks, Mom" and "Aunt Mary" call a relative by a word that has no counterpart without a gender;
"men earn more than women" compares two groups that would become one; what is said of sexism is
about women or men.
"""

from fair_datasets.english.neighbours import (
    BEFORE,
    HAS_DETERMINER,
    HERE,
    IN_HEADLINE,
    NEXT,
    OPENS_SENTENCE,
    WORD_BEFORE,
    WORD_BEHIND,
)
from fair_datasets.english.titles import IS_TITLE

_IS_BARE = ~HAS_DETERMINER & ~WORD_BEFORE.among("modifiers", "numbers", "before_role")
_IS_PAIRED = WORD_BEHIND.is_word("and", "of", "or", "to") | WORD_BEFORE.is_word("and", "or", "s")
_IS_PAIRED = _IS_PAIRED | HERE.sign(" & ", " / ", "/", " &amp; ")
_IS_APART = (
    (OPENS_SENTENCE | HERE.sign(", "))
    & NEXT.sign_that(lambda sign: sign[:1] in (",", "!", "?", ".", "…"))
) | (HERE.sign(", ") & ~NEXT.is_there)
_IS_LIKE_NAME = HERE.is_title & ~OPENS_SENTENCE & ~IN_HEADLINE & HERE.sign(" ") & BEFORE.is_lower
# "Monarch Philip" is as good as "King Philip".
_MONARCHS = ("czar", "czarina", "emperor", "empress", "king", "queen", "sultan", "tsar", "tsarina")
# "So does mother", "told father"
_IS_SMALL_NAME = HERE.is_lower & HERE.sign(" ") & ~BEFORE.is_word("as", "became", "become", "like")
_ENDS_CALL = NEXT.sign_that(lambda sign: sign[:1] in ("!", "?") or sign[-1:] in ("”", '"', "'"))
# "Good night, old lady!"
_IS_HAILED = (
    HERE.is_word("girl", "lady", "lass", "lassie", "woman")
    & (HERE.sign(", ") | ((HERE - 1).sign(", ") & BEFORE.is_word("dear", "my", "old", "young")))
    & _ENDS_CALL
)
IS_CALLED = (
    (
        _IS_BARE
        & ~_IS_PAIRED
        & (
            HERE.among("familiar_relatives")
            | (HERE.among("called_relatives") & (_IS_APART | _IS_LIKE_NAME | _IS_SMALL_NAME))
        )
    )
    | _IS_HAILED
    | (
        HERE.among("familiar_relatives", "called_relatives", "royal_titles", "nobility")
        & ~HERE.is_word(*_MONARCHS)
        & (IS_TITLE | (NEXT.is_word("of") & (HERE + 2).is_capital))
        & HERE.is_capital
        & ~IN_HEADLINE
    )
)
"""Whether a word for a relative is used like a name, or stands before one, as a rank does."""
OF_ANIMALS = HERE.is_word("female", "females", "male", "males") & HERE.any_near(
    12, of="beside_animals"
)
"""Whether a male or a female is an animal."""
IS_COMPARED = HERE.among("genders") & (
    BEFORE.among("comparing") | ((HERE - 2).among("comparing") & WORD_BEFORE.is_there)
)
"""Whether a group is set against another that is told before: "more than (most) women"."""
# "Women are paid less", "rights for men", but "Women dancing", "two young men", "women and men"
_IS_GENERIC = (
    HERE.is_word("females", "males", "men", "women")
    & (_IS_BARE | BEFORE.is_word("that"))
    & ~_IS_PAIRED
    & ~(HERE.any_before(3, of="numbers") | BEFORE.is_digits | (HERE - 2).is_digits)
    & ~HERE.any_before(3, "few", "group", "groups", "many", "of", "other", "several")
    & ~((HERE - 2).is_word("there") & BEFORE.among("be_forms"))
    & (~OPENS_SENTENCE | WORD_BEHIND.among("auxiliaries", "be_forms"))
)
IS_ABOUT_GENDER = _IS_GENERIC | (HERE.among("genders") & HERE.any_near(40, of="about_gender"))
"""Whether a text is about a gender as such: "women are paid less", "sexists say that women"."""
