"""Training of the reader that ships: a teacher, what it says of other texts, and the student."""
