/* For LD_PRELOAD: an MPI library that tells of a file which hints its MPI-IO keeps, as MPICH's does. Those for Lustre
 * it does not, and gathers on one rank. */
#include <mpi.h>
#include <string.h>

static int is_kept(const char* name) {
  return strcmp(name, "cb_buffer_size") == 0 || strncmp(name, "romio_", 6) == 0;
}

int MPI_File_get_info(MPI_File file, MPI_Info* told) {
  MPI_Info asked = MPI_INFO_NULL;
  const int status = PMPI_File_get_info(file, &asked);
  if (status != MPI_SUCCESS) return status;
  int hints = 0;
  MPI_Info_create(told);
  MPI_Info_get_nkeys(asked, &hints);
  for (int i = 0; i < hints; ++i) {
    char name[MPI_MAX_INFO_KEY + 1], value[MPI_MAX_INFO_VAL + 1];
    int is_set = 0;
    MPI_Info_get_nthkey(asked, i, name);
    MPI_Info_get(asked, name, MPI_MAX_INFO_VAL, value, &is_set);
    if (is_set && is_kept(name)) MPI_Info_set(*told, name, value);
  }
  MPI_Info_set(*told, "cb_nodes", "1");
  return MPI_Info_free(&asked);
}
