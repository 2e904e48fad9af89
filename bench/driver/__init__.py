"""The driver of the output benchmark: launches, checks, compares and shows."""
