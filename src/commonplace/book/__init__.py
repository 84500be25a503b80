"""The book: the verbs, and the subjects beside its memories."""
