"""The meanings that words may have: items on spans of the tokens of a request, in each language that is known."""
