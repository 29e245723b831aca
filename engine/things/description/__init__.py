"""Descriptions of things in and out: Turtle and JSON-LD, W3C TD 1.1 and its dialects, Thing Models."""
