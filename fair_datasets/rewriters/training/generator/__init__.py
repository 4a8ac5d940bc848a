"""The training of a generator: a model that is given a text and writes its counterfactual.

`config` has the settings; `start` makes the model that trainings begin with and trains it on pairs
of texts, which `train` puts into an order; `evaluation` measures and writes the card.
"""
