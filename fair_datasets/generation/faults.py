"""What can go wrong with a row that a model is to rewrite, in a few words and in a sentence."""

from fair_datasets.generation.decoding.rows import NO_MEMORY, TOO_LONG

NO_WORD = "word not in the text"
SIGN_READ = "sign in the text"
LONG_SENTENCE = "sentence too long"
SIGN_WRITTEN = "sign written"
OTHER_COUNT = "other number of texts"
NOTHING = "nothing written"
LEFT = "left as a whole"

SENTENCES = {
    TOO_LONG: "The rewrite was not ended when it was half as long again as the text.",
    NO_MEMORY: "The GPU has no memory for the row, even alone.",
    NO_WORD: "The word that was asked for is not in the text.",
    SIGN_READ: "The text has a sign of the model's own, such as <SEP>, which it would misread.",
    LONG_SENTENCE: "A sentence is longer than the model reads.",
    SIGN_WRITTEN: "The model wrote a sign of its control into the text.",
    OTHER_COUNT: "The model wrote more or fewer texts than it was given.",
    NOTHING: "The model wrote nothing.",
}
