"""Publishing to the Hugging Face Hub and pulling from it; the only package that uses a network.

The token comes from where huggingface_hub keeps it (`hf auth login`, or HF_TOKEN); no function
takes one, writes one or logs one.
"""

from lazy_loader import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__, __file__)
