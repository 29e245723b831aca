"""Agents of the Agent2Agent protocol: what their cards say, and how they are spoken to, in both of its versions."""
