from .contract import Technique as Technique
