"""thalweg trace: who calls what in an MPI program's output and input, and who waits."""
