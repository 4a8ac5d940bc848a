"""What the training of any rewriter needs: settings, a model to start from, a Trainer, a folder.

`config` holds the settings that all share and reads them; `network` gives the model that a training
starts from, and rows as token ids; `trainer` has the steps, and `work` what it takes to go on after
an interrupt. `rows` reads texts and their attribute, and `parallel` gives them the counterfactuals
that a model is trained to write. A generator is given a text and writes its counterfactual:
`generator_training` puts its steps into an order, `generator_evaluation` measures and writes the
card.
"""
