"""The phrases of the earlier reader: segments, clauses, frames, restrictions of a noun."""
