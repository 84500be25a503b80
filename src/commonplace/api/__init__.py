"""The JSON API of the page and of scripts: one more dialect, whose tools have a method and a path beside their name.

`operations` is the table, `openapi` the same table as a document. Nothing here knows how the bytes came in.
"""
