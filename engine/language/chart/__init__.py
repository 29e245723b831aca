"""The reader: every word accounted for, competing meanings ranked as wholes, nothing done that was not asked for."""
