"""Publishing to the Hugging Face Hub and pulling from it; the only package that uses a network.

The token comes from where huggingface_hub keeps it (`hf auth login`, or HF_TOKEN); no function
takes one, writes one or logs one.
"""

from fair_datasets.hub.dataset import push_dataset
from fair_datasets.hub.folders import (
    PushedMetrics,
    pull_metric,
    pull_model,
    pull_space,
    push_metric,
    push_metrics,
    push_model,
    push_space,
)
from fair_datasets.hub.reading import pull_dataset
from fair_datasets.hub.repositories import HubId, SentFile, Upload, hub_id

__all__ = [
    "HubId",
    "PushedMetrics",
    "SentFile",
    "Upload",
    "hub_id",
    "pull_dataset",
    "pull_metric",
    "pull_model",
    "pull_space",
    "push_dataset",
    "push_metric",
    "push_metrics",
    "push_model",
    "push_space",
]
