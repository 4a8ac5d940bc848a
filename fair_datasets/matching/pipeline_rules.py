"""trial"""


def with_pipeline(language, pipeline):
    return language
