"""The search for readings of a sentence, and its finished clauses as goals."""
