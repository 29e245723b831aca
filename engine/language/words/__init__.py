"""Words: tokens, the lexicon of a home, and the spans of a text that its phrases are."""
