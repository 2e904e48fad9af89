"""The report of a run: what its profile and its time line say."""
