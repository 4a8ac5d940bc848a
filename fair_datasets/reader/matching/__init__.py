"""Finding the terms of a demographic axis in texts.

`tokens` splits a text, `table` turns lexicons into look-up tables, `mentions` finds the terms of a
row; `pronouns`, `senses` and `names` decide the ambiguous ones from their neighbours.
"""
