"""The bias score: how much of a demographic attribute the words of a sentence carry.

Source: Dolci, Azzalini and Tanelli (2023), Improving Gender-Related Fairness in Sentence Encoders.
"""
