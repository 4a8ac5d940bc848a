"""What several modules say of the same parameters and results, as in a docstring."""

PARAMETERS = """
predictions: The predicted classes, 0 or 1, or others with `positive`; not probabilities or logits.
references: The true classes, likewise.
groups: A group label per row: strings, whole numbers or booleans, or tuples of them.
data: The texts.
axis: A shipped lexicon's name ("gender" by default), or the path of your own `.tsv` file.
names: Whether names count, where they have the axis's attributes; None (the default) for first
    names of men and women alone.
pipeline: A trained spaCy pipeline, by its name or path, that tells terms from other words; None
    (the default) for the package's own rules.
reader: What tells names and pronouns: a token classifier, by its folder or Hub id, or a file of
    weights that `fair-datasets train reader` wrote; None (the default) for the network that ships.
model: A Hub id, a folder, or a tuple of a model and its tokenizer; None (the default) where no
    texts are given.
batch_size: How many texts run at once at most.
revision: The branch, tag or commit on the Hub.
device: Where the model runs; None (the default): a GPU if there is one.
positive: The class that counts as 1, all others as 0, where there are texts or more classes than 0
    and 1; None (the default) where there are not.
method: What each group is compared with: "between_groups" (the default) the other groups, or
    "to_overall" all rows.
undefined: What to give for a value that is not defined: "nan" (the default) with a warning that
    says why, "zero" for 0, as in fairlearn, or "raise".
missing_group: What to do where a group label is missing: "raise" (the default), or "own" to make
    such rows a group of their own.
confidence: The share of the bootstrap resamples between the ends of an interval, such as 0.95, or
    None (the default) for no intervals.
n_resamples: How many resamples to draw.
n_samples: How many partitions of the targets to compare at most; where there are no more, the
    p-value is exact.
statistic: "sum" as published, or "mean". Effect size and p-value are the same for both.
seed: The same seed gives the same result.
"""

SUBGROUPS = (
    "A group label per row, or a list of labels per row, which may be empty: rows may belong to "
    "several groups or to none. Strings, whole numbers or booleans, or tuples of them."
)

PARITY = """
score: 1 less the difference, from 0 to 1. Higher is fairer.
difference: The largest rate less the smallest, from 0 to 1, or the largest distance of a rate from
    that of all rows. Lower is fairer.
ratio: The smallest rate divided by the largest, from 0 to 1, or the smallest ratio of a rate and
    that of all rows. Higher is fairer.
overall: The counts and rates of all rows, where each group is compared with these.
groups: One dictionary per group: its label as "group", its counts and its rates.
intervals: For score, difference and ratio a bootstrap interval, where confidence is given: "low",
    "high", "confidence", "n_resamples", and "n_undefined", in how many resamples the value was not
    defined.
"""

ASSOCIATION = """
effect_size: In standard deviations, between -2 and 2; positive where X goes with A.
statistic: The test statistic.
p_value: One-sided, in (0, 1].
exact: Whether all partitions were compared.
partitions: How many partitions were compared.
sizes: How many members each set has.
"""
