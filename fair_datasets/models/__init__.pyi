from .vectors import DemographicDirection as DemographicDirection
from .vectors import WordVectors as WordVectors
from .vectors import load_word_vectors as load_word_vectors
from .vectors import word_direction as word_direction
