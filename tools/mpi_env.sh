#!/usr/bin/env bash
# The one place that says in which environment MPI programs run in tests, the demo and benchmarks.
#   . tools/mpi_env.sh             sets it in the calling shell (bash)
#   tools/mpi_env.sh COMMAND…      runs COMMAND in it
# Values that are set already stay.

# More ranks than cores are normal in tests: ranks that wait give way to those that work.
export OMPI_MCA_rmaps_base_oversubscribe="${OMPI_MCA_rmaps_base_oversubscribe:-1}"
export OMPI_MCA_mpi_yield_when_idle="${OMPI_MCA_mpi_yield_when_idle:-1}"
export OMPI_MCA_hwloc_base_binding_policy="${OMPI_MCA_hwloc_base_binding_policy:-none}"

# All ranks are on one machine. Open MPI would look for networks all the same, for which libpsm2 measures the clock in
# each process for 0.2 s; and a program without mpiexec would start a daemon for processes that it might spawn.
export OMPI_MCA_pml="${OMPI_MCA_pml:-ob1}"
export OMPI_MCA_ess_singleton_isolated="${OMPI_MCA_ess_singleton_isolated:-1}"

# NumPy's library of linear algebra starts a thread for each core, which spins for a while before it sleeps. No test
# and no model here multiplies matrices.
export OPENBLAS_NUM_THREADS="${OPENBLAS_NUM_THREADS:-1}"

# Each start would also look at all devices of the machine, of which nothing is asked (hwloc: the phases 0x78 are those of
# PCI, input and output, and notes; plug-ins bring OpenGL and OpenCL). That is more than half of the time of a start.
export HWLOC_COMPONENTS="${HWLOC_COMPONENTS:--pci,-linux:0x78}"
export HWLOC_PLUGINS_PATH="${HWLOC_PLUGINS_PATH:-/nonexistent}"

# Programs without mpiexec share one folder of Open MPI's, which the first that ends removes: opening a file by MPI-IO then
# prints an error for a shared file pointer that nobody uses. This component has no file in that folder.
export OMPI_MCA_sharedfp="${OMPI_MCA_sharedfp:-individual}"

# Open MPI refuses root unless told twice; containers run as root.
if [ "$(id -u)" -eq 0 ]; then
  export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
fi

# Containers often keep Python from writing down what it compiled: each of hundreds of processes would compile all modules
# again, which is half of what a short test takes.
export PYTHONDONTWRITEBYTECODE=

# Containers without CAP_SYS_PTRACE forbid the copy from one process to another (CMA): Open MPI then prints a warning for
# each rank and falls back. CAP_SYS_PTRACE is bit 19 of the effective capabilities.
capabilities="$(sed -n 's/^CapEff:[[:space:]]*//p' /proc/self/status 2>/dev/null || true)"
if [ -e /.dockerenv ] || [ -e /run/.containerenv ]; then
  if [ $(((0x${capabilities:-0} >> 19) & 1)) -eq 0 ]; then
    export OMPI_MCA_btl_vader_single_copy_mechanism="${OMPI_MCA_btl_vader_single_copy_mechanism:-none}"
  fi
fi
unset capabilities

if [ "${BASH_SOURCE[0]}" = "$0" ]; then
  exec "$@"
fi
