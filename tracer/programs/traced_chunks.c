// traced_chunks FILE: puts records before it defines a variable along them, whose chunks the library chooses; says
// them.
#include <netcdf.h>
#include <stdio.h>

int main(int count, char** arguments) {
  int file, group, ids[2], values, times, storage;
  size_t chunks[2] = {0, 0};
  const size_t start[] = {0, 0}, extent[] = {10, 3};
  const double zeros[30] = {0};
  if (count != 2 || nc_create(arguments[1], NC_NETCDF4, &file) != NC_NOERR) return 2;
  nc_def_dim(file, "time", NC_UNLIMITED, &ids[0]);
  nc_def_dim(file, "x", 3, &ids[1]);
  nc_def_grp(file, "inner", &group);
  nc_def_var(group, "values", NC_DOUBLE, 2, ids, &values);
  if (nc_put_vara_double(group, values, start, extent, zeros) != NC_NOERR) return 1;
  nc_def_var(file, "times", NC_DOUBLE, 1, ids, &times);
  if (nc_put_vara_double(file, times, start, extent, zeros) != NC_NOERR) return 1;
  nc_inq_var_chunking(file, times, &storage, chunks);
  printf("%zu\n", chunks[0]);
  return nc_close(file) == NC_NOERR ? 0 : 1;
}
