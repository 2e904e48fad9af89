"""The command `thalweg report`."""
