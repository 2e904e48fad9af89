// traced_kinds FOLDER: two ranks write by each kind of call that names cells: of PnetCDF those that wait, that have
// many boxes, that are not collective, and that say their type by MPI; of netCDF whole variables, single values, a map
// in memory, and a file that is opened again.
#include <mpi.h>
#include <netcdf.h>
#include <netcdf_par.h>
#include <pnetcdf.h>
#include <stdio.h>
#include <stdlib.h>

enum { COLUMNS = 6, ROWS = 4, STEPS = 3 };

static void require(int code, const char* what) {
  if (code == 0) return;
  fprintf(stderr, "traced_kinds: %s: %s\n", what, nc_strerror(code));
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static void with_pnetcdf(const char* path, int rank, int ranks) {
  int file, ids[3], buffered, many, own, typed;
  float values[ROWS * COLUMNS] = {1};
  require(ncmpi_create(MPI_COMM_WORLD, path, NC_CLOBBER | NC_64BIT_OFFSET, MPI_INFO_NULL, &file), "ncmpi_create");
  ncmpi_def_dim(file, "time", NC_UNLIMITED, &ids[0]);
  ncmpi_def_dim(file, "y", (MPI_Offset)ROWS * ranks, &ids[1]);
  ncmpi_def_dim(file, "x", COLUMNS, &ids[2]);
  ncmpi_def_var(file, "buffered", NC_FLOAT, 3, ids, &buffered);
  ncmpi_def_var(file, "many", NC_FLOAT, 3, ids, &many);
  ncmpi_def_var(file, "own", NC_SHORT, 2, ids + 1, &own);
  ncmpi_def_var(file, "typed", NC_DOUBLE, 3, ids, &typed);
  require(ncmpi_enddef(file), "ncmpi_enddef");
  require(ncmpi_buffer_attach(file, (MPI_Offset)sizeof values), "ncmpi_buffer_attach");
  require(ncmpi_begin_indep_data(file), "ncmpi_begin_indep_data");
  const MPI_Offset first[] = {(MPI_Offset)rank * ROWS, 0}, all[] = {ROWS, COLUMNS};
  require(ncmpi_put_vara_float(file, own, first, all, values), "ncmpi_put_vara_float");
  require(ncmpi_end_indep_data(file), "ncmpi_end_indep_data");
  for (int step = 0; step < STEPS; ++step) {
    MPI_Offset start[] = {step, (MPI_Offset)rank * ROWS, 0}, count[] = {1, ROWS, COLUMNS};
    MPI_Offset second[] = {step, (MPI_Offset)rank * ROWS + 1, 0}, one[] = {1, 1, COLUMNS},
               rest[] = {1, ROWS - 1, COLUMNS};
    MPI_Offset *starts[] = {start, second}, *counts[] = {one, rest};
    int request;
    require(ncmpi_bput_vara_float(file, buffered, start, count, values, &request), "ncmpi_bput_vara_float");
    require(ncmpi_wait_all(file, NC_REQ_ALL, NULL, NULL), "ncmpi_wait_all");
    require(ncmpi_put_varn_float_all(file, many, 2, starts, counts, values), "ncmpi_put_varn_float_all");
    require(ncmpi_put_vara_all(file, typed, start, count, values, ROWS * COLUMNS, MPI_FLOAT), "ncmpi_put_vara_all");
  }
  require(ncmpi_buffer_detach(file), "ncmpi_buffer_detach");
  require(ncmpi_close(file), "ncmpi_close");
}

static void with_netcdf(const char* path, int rank, int ranks) {
  int file, ids[2], whole, single, turned;
  double values[ROWS * COLUMNS] = {1};
  const int row = rank;
  require(nc_create_par(path, NC_NETCDF4, MPI_COMM_WORLD, MPI_INFO_NULL, &file), "nc_create_par");
  nc_def_dim(file, "y", (size_t)ranks, &ids[0]);
  nc_def_dim(file, "x", COLUMNS, &ids[1]);
  nc_def_var(file, "whole", NC_INT, 1, ids + 1, &whole);
  nc_def_var(file, "single", NC_INT, 1, ids, &single);
  nc_def_var(file, "turned", NC_DOUBLE, 2, ids, &turned);
  require(nc_enddef(file), "nc_enddef");
  require(nc_put_var_double(file, whole, values), "nc_put_var_double");
  require(nc_close(file), "nc_close");
  require(nc_open_par(path, NC_WRITE, MPI_COMM_WORLD, MPI_INFO_NULL, &file), "nc_open_par");
  const size_t start[] = {(size_t)rank, 0}, count[] = {1, COLUMNS};
  const ptrdiff_t stride[] = {1, 1}, map[] = {1, 2};
  require(nc_put_var1_int(file, single, start, &row), "nc_put_var1_int");
  require(nc_put_varm_double(file, turned, start, count, stride, map, values), "nc_put_varm_double");
  require(nc_close(file), "nc_close");
}

int main(int count, char** arguments) {
  int rank, ranks;
  char path[4096];
  if (count < 2) return 2;
  MPI_Init(&count, &arguments);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  snprintf(path, sizeof path, "%s/kinds.nc", arguments[1]);
  with_pnetcdf(path, rank, ranks);
  snprintf(path, sizeof path, "%s/again.nc", arguments[1]);
  with_netcdf(path, rank, ranks);
  MPI_Finalize();
  return 0;
}
