from .correction import correct as correct
from .diet import DietConfig as DietConfig
from .diet import healthy_diet as healthy_diet
from .rankings import select as select
from .search import grid_search as grid_search
from .splits import pair_split as pair_split
from .thresholds import fit_threshold as fit_threshold
