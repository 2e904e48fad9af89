// traced_model FOLDER STEPS [COMPUTE_MS]: every rank puts its rows of a field, collectively, STEPS times with parallel
// netCDF-4 and with PnetCDF; rank 0 computes COMPUTE_MS longer in each step, so that the others wait for it.
#include <mpi.h>
#include <netcdf.h>
#include <netcdf_par.h>
#include <pnetcdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { COLUMNS = 512, ROWS = 64 };

static double values[ROWS * COLUMNS];

static void require(int code, const char* what) {
  if (code == 0) return;
  fprintf(stderr, "traced_model: %s: %s\n", what, nc_strerror(code));
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static void compute(int milliseconds) {
  const struct timespec pause = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
  nanosleep(&pause, NULL);
}

static void with_netcdf(const char* path, MPI_Info info, int rank, int ranks, int steps, int pause) {
  int file, ids[3], field, late;
  require(nc_create_par(path, NC_NETCDF4 | NC_CLOBBER, MPI_COMM_WORLD, info, &file), "nc_create_par");
  nc_def_dim(file, "time", NC_UNLIMITED, &ids[0]);
  nc_def_dim(file, "y", (size_t)ROWS * (size_t)ranks, &ids[1]);
  nc_def_dim(file, "x", COLUMNS, &ids[2]);
  require(nc_def_var(file, "temp", NC_DOUBLE, 3, ids, &field), "nc_def_var");
  require(nc_def_var(file, "late", NC_FLOAT, 1, ids, &late), "nc_def_var");
  require(nc_enddef(file), "nc_enddef");
  require(nc_var_par_access(file, field, NC_COLLECTIVE), "nc_var_par_access");
  for (int step = 0; step < steps; ++step) {
    const size_t start[] = {(size_t)step, (size_t)rank * ROWS, 0}, count[] = {1, ROWS, COLUMNS};
    if (rank == 0) compute(pause);
    require(nc_put_vara_double(file, field, start, count, values), "nc_put_vara_double");
  }
  require(nc_close(file), "nc_close");
}

static void with_pnetcdf(const char* path, MPI_Info info, int rank, int ranks, int steps) {
  int file, ids[3], field;
  require(ncmpi_create(MPI_COMM_WORLD, path, NC_CLOBBER | NC_64BIT_DATA, info, &file), "ncmpi_create");
  ncmpi_def_dim(file, "time", NC_UNLIMITED, &ids[0]);
  ncmpi_def_dim(file, "y", (MPI_Offset)ROWS * ranks, &ids[1]);
  ncmpi_def_dim(file, "x", COLUMNS, &ids[2]);
  require(ncmpi_def_var(file, "salt", NC_DOUBLE, 3, ids, &field), "ncmpi_def_var");
  require(ncmpi_enddef(file), "ncmpi_enddef");
  for (int step = 0; step < steps; ++step) {
    const MPI_Offset start[] = {step, (MPI_Offset)rank * ROWS, 0}, count[] = {1, ROWS, COLUMNS};
    int request, status;
    if (step % 2) {
      require(ncmpi_put_vara_double_all(file, field, start, count, values), "ncmpi_put_vara_double_all");
      continue;
    }
    require(ncmpi_iput_vara_double(file, field, start, count, values, &request), "ncmpi_iput_vara_double");
    require(ncmpi_wait_all(file, 1, &request, &status), "ncmpi_wait_all");
  }
  require(ncmpi_close(file), "ncmpi_close");
}

int main(int count, char** arguments) {
  int rank, ranks;
  char path[4096];
  if (count < 3) return 2;
  MPI_Init(&count, &arguments);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int steps = atoi(arguments[2]);
  for (int i = 0; i < ROWS * COLUMNS; ++i) values[i] = rank + i * 1e-6;
  // One process of four writes what all have.
  MPI_Info info;
  MPI_Info_create(&info);
  MPI_Info_set(info, "cb_nodes", "1");
  MPI_Info_set(info, "romio_cb_write", "enable");
  snprintf(path, sizeof path, "%s/par.nc", arguments[1]);
  with_netcdf(path, info, rank, ranks, steps, count > 3 ? atoi(arguments[3]) : 0);
  snprintf(path, sizeof path, "%s/cdf5.nc", arguments[1]);
  with_pnetcdf(path, info, rank, ranks, steps);
  MPI_Info_free(&info);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
