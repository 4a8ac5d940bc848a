"""Training of the model that tells whose mention it is."""
