"""HomeEnv homes: the home schema of SMH-Bench (Appendix A), nested rooms, devices with components, one JSON a home."""
