from .corpus import correct as correct
from .settings import Corrected as Corrected
from .settings import CorrectedSplit as CorrectedSplit
from .settings import Correction as Correction
from .techniques import KeepLabelled as KeepLabelled
from .techniques import KeepWordsBelow as KeepWordsBelow
from .techniques import SwapAbove as SwapAbove
