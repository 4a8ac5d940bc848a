"""What can go wrong with a row that a model is to rewrite, in a few words and in a sentence."""

from fair_datasets.rewriters.generation.decoding.rows import NO_MEMORY, TOO_LONG

NO_WORD = "word not in the text"
SIGN_READ = "sign in the text"
LONG_SENTENCE = "sentence too long"
SIGN_WRITTEN = "sign written"
OTHER_COUNT = "other number of texts"
NOTHING = "nothing written"
LONG_TEXT = "text too long"
WITHHELD = "withheld by the server"
NO_ANSWER = "no answer"
CUT = "answer cut"
NOT_EDITS = "no edits in JSON"
ABSENT = "words not in the text"
OVERLAPPING = "edits overlap"

SENTENCES = {
    TOO_LONG: "The rewrite was still going when it was one and a half times as long as the text.",
    NO_MEMORY: "The GPU has no memory for the row, even alone.",
    NO_WORD: "The word that was asked for is not in the text.",
    SIGN_READ: "The text has a special token of the model, such as <SEP>, which it would misread.",
    LONG_SENTENCE: "A sentence is longer than the model reads.",
    SIGN_WRITTEN: "The model wrote a special token of its control into the text.",
    OTHER_COUNT: "The model wrote more or fewer texts than it was given.",
    NOTHING: "The model wrote nothing.",
    LONG_TEXT: "The text is longer than the model reads.",
    WITHHELD: "The server's filter withheld the answer.",
    NO_ANSWER: "The answer of the server holds no text.",
    CUT: "The answer was cut at max_length tokens.",
    NOT_EDITS: "The model did not answer with edits in JSON.",
    ABSENT: "The model edits words that are not in the text, or not that often.",
    OVERLAPPING: "Two edits of the model change the same words.",
}
