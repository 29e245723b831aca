"""Times among the words: of the clock, of the calendar, and how they come again."""
