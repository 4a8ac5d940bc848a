from .load import load_reader as load_reader
from .matching.find import FoundTerm as FoundTerm
from .tags import Reader as Reader
from .tags import Tagged as Tagged
