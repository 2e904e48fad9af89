/* What the stub tells a model on two ranks, of which one is a server first. Ends with the line of the first answer that
 * is none. */
#include <stdio.h>
#include <string.h>
#include <thalweg_netcdf.h>

#define EXPECT(is_so)                                                               \
  do {                                                                              \
    if (!(is_so)) {                                                                 \
      fprintf(stderr, "line %d: %s: %s\n", __LINE__, #is_so, thalweg_error_text()); \
      MPI_Abort(MPI_COMM_WORLD, 3);                                                 \
    }                                                                               \
  } while (0)

static void beside_a_server(int rank) {
  thalweg_session* session = NULL;
  MPI_Comm model = MPI_COMM_NULL;
  int ranks = 0, flag = 0;
  if (rank == 1) {
    EXPECT(thalweg_serve(MPI_COMM_WORLD, "server.yaml") == THALWEG_OK);
    return;
  }
  EXPECT(thalweg_start(MPI_COMM_WORLD, "no such file", &session) == THALWEG_OK && session);
  EXPECT(thalweg_is_client(session, &flag) == THALWEG_OK && flag == 1);
  EXPECT(thalweg_model_comm(session, &model) == THALWEG_OK);
  MPI_Comm_size(model, &ranks);
  EXPECT(ranks == 1);
  EXPECT(thalweg_finish(&session) == THALWEG_OK && !session);
}

static void ask_of_fields(thalweg_session* session) {
  thalweg_collection *history = NULL, *restart = NULL;
  thalweg_decomposition *box = NULL, *list = NULL;
  const char *units = "", *calendar = "";
  const int64_t all[] = {2};
  int64_t records = -1;
  int due = -1;
  EXPECT(thalweg_open_collection(session, "history", &history) == THALWEG_OK);
  EXPECT(thalweg_open_collection_text(session, "restart", "{every: 1 h}", &restart) == THALWEG_OK);
  EXPECT(history && restart && history != restart);
  EXPECT(thalweg_decompose(session, "x", all, 0, NULL, NULL, NULL, NULL, 1, &box) == THALWEG_OK);
  EXPECT(thalweg_decompose_indices(session, "cell", 2, 0, NULL, 1, &list) == THALWEG_OK);
  EXPECT(box && list && box != list);
  EXPECT(thalweg_decompose_points(session, "y,x", all, 0, NULL, 1, &list) == THALWEG_OK);
  EXPECT(thalweg_time_units(session, &units, &calendar) == THALWEG_OK);
  EXPECT(strncmp(units, "seconds since ", 14) == 0 && strcmp(calendar, "standard") == 0);
  EXPECT(thalweg_is_due(history, &due) == THALWEG_OK && due == 0);
  EXPECT(thalweg_recover("his.nc.partial", &records) == THALWEG_OK && records == 0);
  EXPECT(thalweg_error_text()[0] == '\0');
  EXPECT(thalweg_open_collection(session, "history", NULL) == THALWEG_ERROR_ARGUMENT);
  EXPECT(strcmp(thalweg_error_text(), "collection is a null pointer") == 0);
}

/* Nothing is read, which is an error where the input is opened. */
static void ask_of_inputs(thalweg_session* session) {
  thalweg_input* input = (thalweg_input*)session;
  int64_t records = -1;
  float value = 7;
  EXPECT(thalweg_open_input(session, "restart.nc", &input) == THALWEG_ERROR_STORAGE && !input);
  EXPECT(strstr(thalweg_error_text(), "input 'restart.nc': the stub of Thalweg reads no files"));
  EXPECT(thalweg_input_records(input, &records) == THALWEG_ERROR_ARGUMENT && records == -1);
  EXPECT(thalweg_get(input, "a", 0, &value, THALWEG_FLOAT32, 0, NULL, NULL) == THALWEG_ERROR_ARGUMENT && value == 7);
  EXPECT(thalweg_close_input(&input) == THALWEG_ERROR_ARGUMENT);
}

static int declare(thalweg_session* session) {
  int file = -1, number = -1;
  int64_t size = -1;
  const int dims[] = {1, 0};
  EXPECT(thalweg_nc_create(session, "his.nc", 0x0200, &file) == THALWEG_OK);
  EXPECT(thalweg_nc_def_dim(file, "x", 7, &number) == THALWEG_OK && number == 0);
  EXPECT(thalweg_nc_def_dim(file, "time", THALWEG_NC_UNLIMITED, &number) == THALWEG_OK && number == 1);
  EXPECT(thalweg_nc_def_dim(file, "station", THALWEG_NC_UNLIMITED, &number) == THALWEG_ERROR_SHAPE);
  EXPECT(thalweg_nc_inq_dim(file, 1, NULL, &size) == THALWEG_OK && size == 0);
  EXPECT(thalweg_nc_def_var(file, "temp", THALWEG_NC_FLOAT, 2, dims, &number) == THALWEG_OK && number == 0);
  EXPECT(thalweg_nc_put_att(file, 0, "units", THALWEG_NC_CHAR, 5, "metre") == THALWEG_OK);
  EXPECT(thalweg_nc_put_att(file, 0, "units", THALWEG_NC_CHAR, 1, "m") == THALWEG_OK);
  return file;
}

static void ask_of_files(thalweg_session* session) {
  const int file = declare(session), other = declare(session);
  const float values[7] = {0};
  const int64_t start[] = {4, 0}, extent[] = {7};
  char name[THALWEG_NC_MAX_NAME + 1];
  int count = -1, format = -1, own = -1, variables = -1, unlimited = -1, dims[THALWEG_MAX_RANK];
  int64_t size = -1;
  thalweg_nc_type type = 0;
  EXPECT(file > 0 && other != file);
  EXPECT(thalweg_nc_put_vara(file, 0, 2, start, 0, NULL, values, THALWEG_NC_FLOAT, 1, extent, NULL) == THALWEG_OK);
  EXPECT(thalweg_nc_inq(file, &count, &variables, NULL, &unlimited) == THALWEG_OK);
  EXPECT(count == 2 && variables == 1 && unlimited == 1);
  EXPECT(thalweg_nc_inq_format(file, &format) == THALWEG_OK && format == 2);
  EXPECT(thalweg_nc_inq_dim(file, 1, name, &size) == THALWEG_OK && strcmp(name, "time") == 0 && size == 5);
  EXPECT(thalweg_nc_inq_var(file, 0, name, &type, &count, dims, &variables) == THALWEG_OK);
  EXPECT(strcmp(name, "temp") == 0 && type == THALWEG_NC_FLOAT && count == 2 && dims[0] == 1 && variables == 1);
  EXPECT(thalweg_nc_inq_att(file, 0, "units", &type, &count) == THALWEG_OK && type == THALWEG_NC_CHAR && count == 1);
  EXPECT(thalweg_nc_inq_varid(file, "salt", &count) == THALWEG_ERROR_NAME);
  EXPECT(thalweg_nc_inq_attname(file, 0, 1, name) == THALWEG_ERROR_NAME);
  EXPECT(thalweg_nc_close(file) == THALWEG_OK);
  EXPECT(thalweg_nc_sync(file) == THALWEG_ERROR_ARGUMENT);
  EXPECT(thalweg_nc_inq_own(file, &own) == THALWEG_OK && own == 1);
  EXPECT(thalweg_nc_inq_own(65536, &own) == THALWEG_OK && own == 0);
}

int main(int argc, char** argv) {
  thalweg_session* session = NULL;
  int rank = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  beside_a_server(rank);
  EXPECT(thalweg_start_text(MPI_COMM_WORLD, "no: yaml", NULL, &session) == THALWEG_OK);
  ask_of_fields(session);
  ask_of_inputs(session);
  ask_of_files(session);
  EXPECT(thalweg_finish(&session) == THALWEG_OK);
  MPI_Finalize();
  return 0;
}
