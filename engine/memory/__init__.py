"""What people have told, what they usually do, and what was: kept for each, and used for them."""
