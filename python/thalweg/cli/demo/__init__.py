"""thalweg demo: a model with and without output."""
