"""How items join a reading: the frames that it grows, and a rule for each sort of item."""
