"""The settings that all rewriters share."""

from fair_datasets.rewriters.perturber.train import PerturberConfig
from fair_datasets.rewriters.training.config import TrainingConfig
from fair_datasets.rewriters.training.generator import GeneratorConfig
from fair_datasets.rewriters.training.parallel import ParallelConfig

PARALLEL = ParallelConfig(attribute="gender")


class Generator(GeneratorConfig):
    """A generator that is trained on what the swap makes."""

    @property
    def steps(self) -> str:
        """The last step of the parallel data."""
        return "swap"


def test_a_new_model_has_the_sizes_of_a_small_bart() -> None:
    """Where nothing else is said, as where a preset leaves them out."""
    config = PerturberConfig(out="p", model=None)
    assert isinstance(config, TrainingConfig)
    assert (config.layers, config.width, config.heads, config.vocabulary) == (3, 256, 4, 8000)
    assert (config.dropout, config.max_length, config.seed) == (0.1, 512, 0)


def test_a_small_generator_is_trained_on_a_laptop() -> None:
    """New, of one layer; it learns to fill gaps first."""
    small = Generator.small(out="g", parallel=PARALLEL)
    assert (small.model, small.layers, small.width, small.vocabulary) == (None, 1, 64, 2000)
    assert (small.denoising, small.epochs, small.dropout) == (6, 4, 0.0)
    assert (small.batch_size, small.rows_at_once, small.max_length) == (32, 32, 128)
    assert small.learning_rate == 2e-3


def test_a_usual_generator_is_barts() -> None:
    """With the paper's batches and lengths."""
    config = Generator(out="g", parallel=PARALLEL)
    assert (config.model, config.shares) == ("facebook/bart-base", (0.8, 0.1, 0.1))
    assert (config.batch_size, config.rows_at_once, config.max_length) == (48, 8, 200)
    assert (config.learning_rate, config.warmup_steps, config.gradient_clip) == (1e-5, 0, 1.0)
    assert (config.epochs, config.denoising) == (10, 0)
    assert config.of_denoising().epochs == 1
