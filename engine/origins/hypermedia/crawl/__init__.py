"""Crawls the web of another home, and ingests the places and things found."""
