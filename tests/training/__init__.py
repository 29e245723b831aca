"""What the reader learns from: what came of its readings, and the weights that follow."""
