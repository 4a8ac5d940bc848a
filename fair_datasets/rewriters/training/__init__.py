"""What the training of any rewriter needs: settings, a model to start from, a Trainer, a folder.

`config` holds the settings that all share and `settings_file` reads them; `network` gives the model
that a training starts from, which `denoising` teaches to fill gaps; `encoding` has its rows as
token ids, `trainer` the steps, `work` what it takes to go on after an interrupt, and `writing` what
a model writes in the end. `rows` reads texts and their attribute, and `parallel` gives them the
counterfactuals that a model is trained to write.
"""
