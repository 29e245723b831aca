"""A home without devices: effects at once, influences on the variables of rooms, and the course of time."""
