"""Reads the logs of the tracer (docs/formats/trace.md) and makes reports of them. Needs NumPy alone."""
