"""A small manual with the theme of Python's."""

project = "Sphinx"
html_theme = "classic"
