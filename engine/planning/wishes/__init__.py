"""Wishes that name no device: complaints, situations and tastes to goals for parts that are here."""
