"""thalweg doctor: whether this environment has what Thalweg and the readers of its files need."""
