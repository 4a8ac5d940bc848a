"""Models that rewrite texts, and how each is trained."""
