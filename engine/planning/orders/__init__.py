"""Orders by template: the choice of affordances, values, times, and one tree for all."""
