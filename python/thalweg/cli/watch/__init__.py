"""The command `thalweg watch`."""
