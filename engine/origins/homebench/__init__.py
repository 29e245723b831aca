"""HomeBench homes (Li et al., ACL 2025): one JSON line a home, with its rooms, devices, state and methods."""
