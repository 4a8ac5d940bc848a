"""The bias score: how much of a demographic attribute the words of a sentence carry.

Source: Dolci, Azzalini and Tanelli; METHODS and figures are in the docstrings.
"""
