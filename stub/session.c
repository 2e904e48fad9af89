/* The functions of thalweg.h, doing nothing: a model that is linked with them runs as if it had no output. What is
 * told is what a model needs to go on, so arguments are looked at only where their use would end the program. */
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "stub.h"

/* Decompositions and collections are addresses of their own, and hold nothing. */
typedef struct Handle {
  struct Handle* next;
} Handle;

struct thalweg_session {
  MPI_Comm model;
  Handle* handles; /* They end with the session. */
};

/* Fortran's interface calls it; messages of the stub have no numbers. */
THALWEG_API void thalweg_tell_as_fortran(void);
void thalweg_tell_as_fortran(void) {}

/* ---- errors ---- */

static _Thread_local char error_text[512];

int stub_refuse(int code, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(error_text, sizeof error_text, format, arguments);
  va_end(arguments);
  return code;
}

int stub_refuse_null(const char* argument) {
  return stub_refuse(THALWEG_ERROR_ARGUMENT, "%s is a null pointer", argument);
}

int stub_refuse_memory(void) {
  return stub_refuse(THALWEG_ERROR_MEMORY, "no memory for a handle");
}

const char* thalweg_error_text(void) {
  return error_text;
}

const char* thalweg_version(void) {
  return THALWEG_VERSION;
}

/* ---- session ---- */

/* Once in a process, so that nobody takes a run for one whose output was lost. */
static void say_what_this_is(MPI_Comm comm) {
  static atomic_flag was_said = ATOMIC_FLAG_INIT;
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  if (rank == 0 && !atomic_flag_test_and_set(&was_said)) fprintf(stderr, "thalweg stub: nothing is written\n");
}

/* Collective, as the start is: the clients get a communicator of their own, which has no rank of a program that is a
 * server and nothing else. */
static int begin(MPI_Comm comm, int color, MPI_Comm* model) {
  say_what_this_is(comm);
  if (MPI_Comm_split(comm, color, 0, model) == MPI_SUCCESS) return THALWEG_OK;
  return stub_refuse(THALWEG_ERROR_MPI, "MPI_Comm_split failed");
}

int thalweg_start(MPI_Comm comm, const char* config, thalweg_session** session) {
  (void)config;
  if (!session) return stub_refuse_null("session");
  *session = NULL;
  thalweg_session* made = calloc(1, sizeof *made);
  if (!made) return stub_refuse_memory();
  const int code = begin(comm, 0, &made->model);
  if (code == THALWEG_OK)
    *session = made;
  else
    free(made);
  return code;
}

int thalweg_start_text(MPI_Comm comm, const char* yaml, const char* origin, thalweg_session** session) {
  (void)origin;
  return thalweg_start(comm, yaml, session);
}

int thalweg_serve(MPI_Comm comm, const char* config) {
  (void)config;
  MPI_Comm none = MPI_COMM_NULL;
  return begin(comm, MPI_UNDEFINED, &none);
}

int thalweg_is_client(const thalweg_session* session, int* flag) {
  (void)session;
  if (!flag) return stub_refuse_null("flag");
  *flag = 1;
  return THALWEG_OK;
}

int thalweg_model_comm(const thalweg_session* session, MPI_Comm* comm) {
  if (!session) return stub_refuse_null("session");
  if (!comm) return stub_refuse_null("comm");
  *comm = session->model;
  return THALWEG_OK;
}

int thalweg_finish(thalweg_session** session) {
  if (!session) return stub_refuse_null("session");
  thalweg_session* ended = *session;
  *session = NULL;
  if (!ended) return THALWEG_OK;
  stub_forget_files(ended);
  while (ended->handles) {
    Handle* next = ended->handles->next;
    free(ended->handles);
    ended->handles = next;
  }
  int has_ended = 0;
  MPI_Finalized(&has_ended);
  if (!has_ended) MPI_Comm_free(&ended->model);
  free(ended);
  return THALWEG_OK;
}

int thalweg_time_units(const thalweg_session* session, const char** units, const char** calendar) {
  (void)session;
  if (!units) return stub_refuse_null("units");
  if (!calendar) return stub_refuse_null("calendar");
  *units = "seconds since 2000-01-01 00:00:00"; /* The defaults, because no configuration is read. */
  *calendar = "standard";
  return THALWEG_OK;
}

int thalweg_ready(thalweg_session* session) {
  (void)session;
  return THALWEG_OK;
}

int thalweg_set_time(thalweg_session* session, double time_s) {
  (void)session, (void)time_s;
  return THALWEG_OK;
}

int thalweg_set_end_time(thalweg_session* session, double time_s) {
  (void)session, (void)time_s;
  return THALWEG_OK;
}

int thalweg_advance(thalweg_session* session, double time_s) {
  (void)session, (void)time_s;
  return THALWEG_OK;
}

int thalweg_flush(thalweg_session* session) {
  (void)session;
  return THALWEG_OK;
}

int thalweg_wait(thalweg_session* session) {
  (void)session;
  return THALWEG_OK;
}

/* ---- handles ---- */

void* stub_new_handle(thalweg_session* session) {
  Handle* made = calloc(1, sizeof *made);
  if (!made) return NULL;
  made->next = session->handles;
  session->handles = made;
  return made;
}

int thalweg_decompose(thalweg_session* session, const char* dims, const int64_t* shape, int box_count,
                      const int64_t* start, const int64_t* count, const int64_t* halo_low, const int64_t* halo_high,
                      int masked, thalweg_decomposition** decomposition) {
  (void)dims, (void)shape, (void)box_count, (void)start, (void)count, (void)halo_low, (void)halo_high, (void)masked;
  if (!session) return stub_refuse_null("session");
  if (!decomposition) return stub_refuse_null("decomposition");
  *decomposition = (thalweg_decomposition*)stub_new_handle(session);
  return *decomposition ? THALWEG_OK : stub_refuse_memory();
}

int thalweg_decompose_indices(thalweg_session* session, const char* dim, int64_t size, int64_t count,
                              const int64_t* index, int masked, thalweg_decomposition** decomposition) {
  (void)size, (void)count;
  return thalweg_decompose(session, dim, NULL, 0, index, NULL, NULL, NULL, masked, decomposition);
}

int thalweg_decompose_points(thalweg_session* session, const char* dims, const int64_t* shape, int64_t count,
                             const int64_t* index, int masked, thalweg_decomposition** decomposition) {
  (void)count;
  return thalweg_decompose(session, dims, shape, 0, index, NULL, NULL, NULL, masked, decomposition);
}

int thalweg_open_collection(thalweg_session* session, const char* name, thalweg_collection** collection) {
  (void)name;
  if (!session) return stub_refuse_null("session");
  if (!collection) return stub_refuse_null("collection");
  *collection = (thalweg_collection*)stub_new_handle(session);
  return *collection ? THALWEG_OK : stub_refuse_memory();
}

int thalweg_open_collection_text(thalweg_session* session, const char* name, const char* yaml,
                                 thalweg_collection** collection) {
  (void)yaml;
  return thalweg_open_collection(session, name, collection);
}
