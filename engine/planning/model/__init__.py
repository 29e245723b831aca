"""Planning with a language model among retrieved affordances."""
