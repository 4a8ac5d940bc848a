"""Models of others that the measures and scores read: word vectors and directions in them."""
