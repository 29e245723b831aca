"""The reading that is meant, and its confidence: outcomes, features, weights, and reasons to bar a reading."""
