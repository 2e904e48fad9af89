// Open MPI's own MPI-IO (OMPIO) has faults that the library engine must not meet. Seen in 4.1.4:
//  1. It loses data when several aggregators write together: one rewrites with stale bytes what another has just
//     written ("data sieving"; open-mpi/ompi issue 12718, said to be right from 4.1.7 and 5.0.6 on).
//  2. A write that fails, on a full disk for example, is no error for the program.
//  3. A job that is killed may leave a semaphore of the whole machine taken, for which the next one that writes a file
//     of that name waits without a limit (/dev/shm/sem.OMPIO_*).
// ROMIO, which Open MPI has too, does none of it. It is preferred for this process, and where it is missing, sieving is
// turned off. Open MPI reads such settings when the process opens its first file by MPI-IO.
#pragma once

#include <string>

namespace thalweg::mpiio {

// Whether a library of this version (MPI_Get_library_version) has OMPIO with such faults, as far as is known.
bool has_faulty_ompio(const std::string& library_version);

// Before any file is opened. What the user has set in the environment stays. Whether the process has changed its
// choice.
bool avoid_faulty_ompio();

// After a file was opened: whether it is in use all the same, because the user wants it, or the model had opened a file
// before.
bool uses_faulty_ompio();

}  // namespace thalweg::mpiio
