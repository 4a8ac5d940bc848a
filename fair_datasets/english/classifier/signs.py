"""What stands between two words, read as one sign."""

from functools import lru_cache

# Where a sentence or the text ends.
END = "."
APOSTROPHES = ("'", "’")

# What the gaps between words read as; the first sign that is found in a gap decides.
_SIGNS = {
    **dict.fromkeys(("...", "..", "…"), "…"),
    **dict.fromkeys((".", "!", "?", "\n\n", "\r\n\r\n"), END),
    **dict.fromkeys((";", ":"), ";"),
    **dict.fromkeys(("--", "—", "–", " -", "- "), "--"),
    ",": ",",
    **dict.fromkeys("()[]", "("),
    **dict.fromkeys(('"', "“", "”", "‘", "'", "’", "`"), '"'),
    **dict.fromkeys("\n\r", "|"),
    "/": "/",
    "-": "-",
}
_EMPHASIS = str.maketrans("", "", "*_~")


@lru_cache(maxsize=4096)
def sign_of(gap: str) -> str:
    """Return what stands between two words as one sign.

    Args:
        gap: All that stands between them.

    Returns:
        The sign that divides them most; empty for a space.

    Example:
        >>> sign_of(" -- "), sign_of(" ")
        ('--', '')
    """
    plain = gap.translate(_EMPHASIS)
    if plain in ("", *APOSTROPHES) or (plain.isspace() and not {"\n", "\r"} & {*plain}):
        return ""
    return next((sign for text, sign in _SIGNS.items() if text in plain), "#")
