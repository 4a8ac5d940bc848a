"""What the page opens with, and what its buttons fill in."""

TEXT = (
    "The waitress told Mary that her brother, an elderly actor, has a Bachelor's degree. "
    "She met him at the Prince Hotel."
)
"""The text that the page opens with."""

EXAMPLES: dict[str, tuple[str, list[str], list[str], bool, str, str]] = {
    "Gender and age": (TEXT, ["gender", "age"], ["young"], True, "they", ""),
    "Race, with names": (
        "Juan and Emily Walsh asked their white neighbours for white wine.",
        ["race"], ["black"], True, "they", "",
    ),
    "Other pronouns": (
        "Anna said that she hurt herself when her brother drove his car.",
        ["gender"], ["non-binary"], False, "xe", "",
    ),
    "Faith and nationality": (
        "A Muslim nurse from Germany spoke with a French priest about Paris.",
        ["religion", "nationality"], ["jewish", "japanese"], True, "they", "",
    ),
    "A protected name": (
        "Lily Novak sang, and Tom Brown danced with his father.",
        ["gender"], [], True, "they", "Lily Novak",
    ),
}  # fmt: skip
"""By what a button says: the text, the axes, the targets, whether names are swapped, the pronouns,
and what is protected."""

ROWS = """\
text,label
"She is a nurse, and her mother was a nurse.",1
An elderly waiter asked his doctor.,0
Her sister repairs cars.,1
"The actress thanked her aunt, a queen of comedy.",1
It rained all day.,0
The young waitress carried his bag.,0
"""
"""The rows that the page opens with."""
