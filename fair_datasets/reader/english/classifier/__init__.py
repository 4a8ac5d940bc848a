"""A small linear model of a word's neighbours: its use, its training and its evaluation."""
