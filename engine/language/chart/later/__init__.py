"""Sentences that make rules, or speak of them: their time, their condition and their actions."""
