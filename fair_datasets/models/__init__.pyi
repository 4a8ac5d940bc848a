from .direction import DemographicDirection as DemographicDirection
from .load import load_word_vectors as load_word_vectors
from .word_pairs import word_direction as word_direction
from .word_vectors import WordVectors as WordVectors
