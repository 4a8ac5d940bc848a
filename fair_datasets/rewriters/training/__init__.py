"""What the training of any rewriter needs: settings, a model to start from, a Trainer, a folder.

`config` holds the settings that all share and reads the files of them; `network` gives the model
that a training starts from, and rows as token ids; `trainer` has the steps, and `work` what it
takes to go on after an interrupt, and the card. A generator is given a text and writes its
counterfactual: `parallel` gives texts the counterfactuals that it is trained to write, `generator`
trains any method's, and `generator_evaluation` measures it.
"""
