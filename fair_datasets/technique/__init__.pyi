from .contract import Technique as Technique
from .saved import reproduce as reproduce
