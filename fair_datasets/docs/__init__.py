"""The documentation: a page of Markdown per topic, one of public names, and a picture.

`fair-datasets docs` shows the pages; `python -m fair_datasets.docs.build` writes what is made.
"""
