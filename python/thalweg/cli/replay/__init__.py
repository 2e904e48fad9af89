"""thalweg replay and thalweg convert: a file is written again through Thalweg, as a model would write it."""
