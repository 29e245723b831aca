"""Talk of rules: made, managed, told, exported, and foretold for a day to come."""
