"""thalweg replay-trace: the writes of a trace, by the library that made them and by Thalweg."""
