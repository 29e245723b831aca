"""Questions: their form, their subject, and the predicate that is asked of it."""
