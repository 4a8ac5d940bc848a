from .croissant import empty_fields as empty_fields
from .dataset import SplitCounts as SplitCounts
from .dataset import dataset_card as dataset_card
from .model import model_card as model_card
from .statements import Measured as Measured
from .statements import Sample as Sample
from .statements import carried_over as carried_over
