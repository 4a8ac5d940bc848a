from .bias.states import sentence_direction as sentence_direction
from .bilstm import SentenceEncoderConfig as SentenceEncoderConfig
from .bilstm import train_sentence_encoder as train_sentence_encoder
from .probes import ProbeConfig as ProbeConfig
from .probes import train_probes as train_probes
