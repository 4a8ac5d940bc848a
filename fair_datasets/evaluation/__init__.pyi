from .counterfactuals import WordAssociation as WordAssociation
from .counterfactuals import evaluate_counterfactuals as evaluate_counterfactuals
from .encoders import EncoderTask as EncoderTask
from .encoders import evaluate_encoders as evaluate_encoders
from .templates import identity_templates as identity_templates
