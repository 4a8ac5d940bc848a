"""English, as reading asks about it: its words, its rules, and a model of what they leave open."""
