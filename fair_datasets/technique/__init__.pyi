from .contract import Technique as Technique
from .reproduction import reproduce as reproduce
