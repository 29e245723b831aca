"""Wishes and preferences: complaints, situations, and how people like it."""
