"""Choosing rows by scores: rankings, thresholds, splits and the search for a trade-off."""
