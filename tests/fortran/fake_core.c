/* A core that writes down what it is called with: the tests of the Fortran and C++ interfaces link it in place of the
 * library. Each call becomes one line, with arrays walked by their strides, slowest dimension first. */
#include "fake_record.h"
#include "thalweg.h"

/* Handles are addresses of these; only their names are looked at. */
static char session_object, decomposition_object, collection_object;

static void note_handle(const void* handle, const void* expected) {
  note(handle == expected ? "" : " wrong-handle");
}

static int start(MPI_Comm comm, thalweg_session** session) {
  int ranks = 0;
  MPI_Comm_size(comm, &ranks);
  note(" ranks=%d", ranks);
  *session = fake_code() == THALWEG_OK ? (thalweg_session*)&session_object : NULL;
  return end();
}

void thalweg_tell_as_fortran(void);
void thalweg_tell_as_fortran(void) {}

int thalweg_start(MPI_Comm comm, const char* config, thalweg_session** session) {
  begin("start");
  note_text("config", config);
  return start(comm, session);
}

int thalweg_serve(MPI_Comm comm, const char* config) {
  int ranks = 0;
  begin("serve");
  note_text("config", config);
  MPI_Comm_size(comm, &ranks);
  note(" ranks=%d", ranks);
  return end();
}

int thalweg_start_text(MPI_Comm comm, const char* yaml, const char* origin, thalweg_session** session) {
  begin("start_text");
  note_text("yaml", yaml);
  note_text("origin", origin);
  return start(comm, session);
}

static int session_call(const char* name, const thalweg_session* session) {
  begin(name);
  note_handle(session, &session_object);
  return end();
}

int thalweg_is_client(const thalweg_session* session, int* flag) {
  *flag = 1;
  return session_call("is_client", session);
}

int thalweg_model_comm(const thalweg_session* session, MPI_Comm* comm) {
  *comm = MPI_COMM_SELF;
  return session_call("model_comm", session);
}

int thalweg_finish(thalweg_session** session) {
  int code = session_call("finish", *session);
  *session = NULL;
  return code;
}

int thalweg_decompose(thalweg_session* session, const char* dims, const int64_t* shape, int box_count,
                      const int64_t* start, const int64_t* count, const int64_t* halo_low, const int64_t* halo_high,
                      int masked, thalweg_decomposition** decomposition) {
  int n = 1;
  for (const char* c = dims; *c; ++c) n += *c == ',';
  begin("decompose");
  note_handle(session, &session_object);
  note_text("dims", dims);
  note_numbers("shape", shape, n);
  note(" boxes=%d", box_count);
  note_numbers("start", start, n * box_count);
  note_numbers("count", count, n * box_count);
  note_numbers("low", halo_low, n);
  note_numbers("high", halo_high, n);
  note(" masked=%d", masked);
  *decomposition = (thalweg_decomposition*)&decomposition_object;
  return end();
}

int thalweg_decompose_indices(thalweg_session* session, const char* dim, int64_t size, int64_t count,
                              const int64_t* index, int masked, thalweg_decomposition** decomposition) {
  begin("decompose_indices");
  note_handle(session, &session_object);
  note_text("dim", dim);
  note_numbers("size", &size, 1);
  note_numbers("index", index, (int)count);
  note(" masked=%d", masked);
  *decomposition = (thalweg_decomposition*)&decomposition_object;
  return end();
}

int thalweg_decompose_points(thalweg_session* session, const char* dims, const int64_t* shape, int64_t count,
                             const int64_t* index, int masked, thalweg_decomposition** decomposition) {
  int n = 1;
  for (const char* c = dims; *c; ++c) n += *c == ',';
  begin("decompose_points");
  note_handle(session, &session_object);
  note_text("dims", dims);
  note_numbers("shape", shape, n);
  note_numbers("index", index, (int)count);
  note(" masked=%d", masked);
  *decomposition = (thalweg_decomposition*)&decomposition_object;
  return end();
}

int thalweg_open_collection(thalweg_session* session, const char* name, thalweg_collection** collection) {
  begin("open_collection");
  note_handle(session, &session_object);
  note_text("name", name);
  *collection = (thalweg_collection*)&collection_object;
  return end();
}

int thalweg_open_collection_text(thalweg_session* session, const char* name, const char* yaml,
                                 thalweg_collection** collection) {
  begin("open_collection_text");
  note_handle(session, &session_object);
  note_text("name", name);
  note_text("yaml", yaml);
  *collection = (thalweg_collection*)&collection_object;
  return end();
}

static void begin_collection(const char* call, const thalweg_collection* collection) {
  begin(call);
  note_handle(collection, &collection_object);
}

int thalweg_define_dimension(thalweg_collection* collection, const char* name, int64_t size) {
  begin_collection("define_dimension", collection);
  note_text("name", name);
  note(" size=%lld", (long long)size);
  return end();
}

int thalweg_define_variable(thalweg_collection* collection, const char* name, const char* dims, thalweg_type type,
                            const thalweg_decomposition* decomposition, const char* memory_dims) {
  begin_collection("define_variable", collection);
  note_text("name", name);
  note_text("dims", dims);
  note(" type=%d decomposition=%s", (int)type,
       decomposition == (const void*)&decomposition_object ? "given" : (decomposition ? "wrong" : "null"));
  note_text("memory", memory_dims);
  return end();
}

static int note_text_attribute(const char* call, thalweg_collection* collection, const char* variable, const char* name,
                               const char* text) {
  begin_collection(call, collection);
  note_text("variable", variable);
  note_text("name", name);
  note_text("text", text);
  return end();
}

static int note_attribute(const char* call, thalweg_collection* collection, const char* variable, const char* name,
                          thalweg_type type, int count, const void* values) {
  int64_t extent = count;
  begin_collection(call, collection);
  note_text("variable", variable);
  note_text("name", name);
  note_array(values, type, 1, &extent, NULL);
  return end();
}

int thalweg_define_text(thalweg_collection* collection, const char* variable, const char* name, const char* text) {
  return note_text_attribute("define_text", collection, variable, name, text);
}

int thalweg_define_attribute(thalweg_collection* collection, const char* variable, const char* name, thalweg_type type,
                             int count, const void* values) {
  return note_attribute("define_attribute", collection, variable, name, type, count, values);
}

int thalweg_change_text(thalweg_collection* collection, const char* variable, const char* name, const char* text) {
  return note_text_attribute("change_text", collection, variable, name, text);
}

int thalweg_change_attribute(thalweg_collection* collection, const char* variable, const char* name, thalweg_type type,
                             int count, const void* values) {
  return note_attribute("change_attribute", collection, variable, name, type, count, values);
}

int thalweg_add_text(thalweg_collection* collection, const char* variable, const char* name, const char* text) {
  return note_text_attribute("add_text", collection, variable, name, text);
}

int thalweg_add_attribute(thalweg_collection* collection, const char* variable, const char* name, thalweg_type type,
                          int count, const void* values) {
  return note_attribute("add_attribute", collection, variable, name, type, count, values);
}

/* Calls the procedure at once, with a block in which no two numbers are equal. */
static void note_procedure(thalweg_write_procedure procedure, void* user) {
  static const float data[6] = {1, 2, 3, 4, 5, 6};
  const thalweg_block block = {THALWEG_EVENT_BLOCK,
                               THALWEG_FLOAT32,
                               2,
                               40,
                               30,
                               60.5,
                               {10, 20},
                               {2, 3},
                               {50, 70},
                               {12, 4},
                               99,
                               data,
                               "history",
                               "a",
                               "temp"};
  note(" returned=%d", procedure(&block, user));
}

int thalweg_set_procedure(thalweg_collection* collection, thalweg_write_procedure procedure, void* user) {
  begin_collection("set_procedure", collection);
  note_procedure(procedure, user);
  return end();
}

int thalweg_register_procedure(const char* collection, thalweg_write_procedure procedure, void* user) {
  begin("register_procedure");
  note_text("collection", collection);
  note_procedure(procedure, user);
  return end();
}

int thalweg_ready(thalweg_session* session) {
  return session_call("ready", session);
}

int thalweg_put(thalweg_collection* collection, const char* variable, const void* data, thalweg_type type, int rank,
                const int64_t* extent, const int64_t* stride) {
  begin_collection("put", collection);
  note_text("variable", variable);
  note_array(data, type, rank, extent, stride);
  return end();
}

int thalweg_put_box(thalweg_collection* collection, const char* variable, int box, const void* data, thalweg_type type,
                    int rank, const int64_t* extent, const int64_t* stride) {
  begin_collection("put_box", collection);
  note_text("variable", variable);
  note(" box=%d", box);
  note_array(data, type, rank, extent, stride);
  return end();
}

int thalweg_is_due(const thalweg_collection* collection, int* due) {
  begin_collection("is_due", collection);
  *due = 1;
  return end();
}

int thalweg_time_units(const thalweg_session* session, const char** units, const char** calendar) {
  begin("time_units");
  note_handle(session, &session_object);
  *units = "seconds since 2000-01-01 00:00:00";
  *calendar = "noleap";
  return end();
}

static int time_call(const char* name, const thalweg_session* session, double time_s) {
  begin(name);
  note_handle(session, &session_object);
  note(" time=%g", time_s);
  return end();
}

int thalweg_set_time(thalweg_session* session, double time_s) {
  return time_call("set_time", session, time_s);
}

int thalweg_set_end_time(thalweg_session* session, double time_s) {
  return time_call("set_end_time", session, time_s);
}

int thalweg_advance(thalweg_session* session, double time_s) {
  return time_call("advance", session, time_s);
}

int thalweg_record(thalweg_collection* collection, double time_s) {
  begin_collection("record", collection);
  note(" time=%g", time_s);
  return end();
}

int thalweg_new_file(thalweg_collection* collection, const char* file) {
  begin_collection("new_file", collection);
  note_text("file", file);
  return end();
}

int thalweg_close_file(thalweg_collection* collection) {
  begin_collection("close_file", collection);
  return end();
}

int thalweg_flush(thalweg_session* session) {
  return session_call("flush", session);
}

int thalweg_wait(thalweg_session* session) {
  return session_call("wait", session);
}

int thalweg_wait_collection(thalweg_collection* collection) {
  begin_collection("wait_collection", collection);
  return end();
}

int thalweg_recover(const char* partial, int64_t* records) {
  begin("recover");
  note_text("partial", partial);
  note(" records=%s", records ? "wanted" : "null");
  if (records) *records = 7;
  return end();
}

const char* thalweg_error_text(void) {
  return fake_error_text;
}

const char* thalweg_version(void) {
  return "1.2.3";
}
