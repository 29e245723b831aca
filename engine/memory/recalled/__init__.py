"""Requests that leave something to memory, and the facts that fill them."""
