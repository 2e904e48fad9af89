/* The calls of thalweg.h that read, of a core that writes down what it is called with. Its input has three records. */
#include "fake_record.h"
#include "thalweg.h"

static char input_object;

static void begin_input(const char* call, const thalweg_input* input) {
  begin(call);
  note((const void*)input == &input_object ? "" : " wrong-handle");
}

int thalweg_open_input(thalweg_session* session, const char* path, thalweg_input** input) {
  begin("open_input");
  note(session ? "" : " no-session");
  note_text("path", path);
  *input = fake_code() == THALWEG_OK ? (thalweg_input*)&input_object : NULL;
  return end();
}

int thalweg_input_records(const thalweg_input* input, int64_t* records) {
  begin_input("input_records", input);
  *records = 3;
  return end();
}

/* "time" has records and no other dimension; the others have none, and two dimensions. */
int thalweg_input_variable(const thalweg_input* input, const char* variable, thalweg_type* type, int* has_records,
                           int* rank, int64_t* shape) {
  const int is_time = variable[0] == 't';
  begin_input("input_variable", input);
  note_text("variable", variable);
  *type = is_time ? THALWEG_FLOAT64 : THALWEG_INT16;
  *has_records = is_time;
  *rank = is_time ? 0 : 2;
  shape[0] = 50;
  shape[1] = 70;
  return end();
}

int thalweg_input_record_at(const thalweg_input* input, double time_s, int64_t* record) {
  begin_input("input_record_at", input);
  note(" time=%g", time_s);
  *record = 2;
  return end();
}

int thalweg_declare_input(thalweg_input* input, const char* variable, const char* dims,
                          const thalweg_decomposition* decomposition, const char* memory_dims, const char* periodic) {
  begin_input("declare_input", input);
  note_text("variable", variable);
  note_text("dims", dims);
  note(" decomposition=%s", decomposition ? "given" : "null");
  note_text("memory", memory_dims);
  note_text("periodic", periodic);
  return end();
}

int thalweg_set_missing(thalweg_input* input, const char* variable, double value) {
  begin_input("set_missing", input);
  note_text("variable", variable);
  note(" value=%g", value);
  return end();
}

/* It changes the sign of the numbers that are there, which shows that it finds them. */
static void turn(thalweg_type type, char* first, int rank, const int64_t* extent, const int64_t* stride) {
  for (int64_t i = 0; rank > 0 && i < extent[0]; ++i)
    turn(type, first + i * stride[0], rank - 1, extent + 1, stride + 1);
  if (rank > 0) return;
  switch (type) {
    case THALWEG_INT8: *(int8_t*)first = (int8_t)-*(int8_t*)first; break;
    case THALWEG_INT16: *(int16_t*)first = (int16_t)-*(int16_t*)first; break;
    case THALWEG_INT32: *(int32_t*)first *= -1; break;
    case THALWEG_INT64: *(int64_t*)first *= -1; break;
    case THALWEG_FLOAT32: *(float*)first *= -1; break;
    case THALWEG_FLOAT64: *(double*)first *= -1; break;
    case THALWEG_CHAR: *first = (char)(*first - 'a' + 'A'); break;
    default: note(" no-sign"); break;
  }
}

int thalweg_get(thalweg_input* input, const char* variable, int64_t record, void* data, thalweg_type type, int rank,
                const int64_t* extent, const int64_t* stride) {
  begin_input("get", input);
  note_text("variable", variable);
  note(" record=%lld", (long long)record);
  note_array(data, type, rank, extent, stride);
  if (stride) turn(type, data, rank, extent, stride);
  return end();
}

/* Of the first box it is thalweg_get. */
int thalweg_get_box(thalweg_input* input, const char* variable, int64_t record, int box, void* data, thalweg_type type,
                    int rank, const int64_t* extent, const int64_t* stride) {
  if (box == 0) return thalweg_get(input, variable, record, data, type, rank, extent, stride);
  begin_input("get_box", input);
  note_text("variable", variable);
  note(" record=%lld box=%d", (long long)record, box);
  note_array(data, type, rank, extent, stride);
  if (stride) turn(type, data, rank, extent, stride);
  return end();
}

int thalweg_get_at(thalweg_input* input, const char* variable, double time_s, void* data, thalweg_type type, int rank,
                   const int64_t* extent, const int64_t* stride) {
  begin_input("get_at", input);
  note_text("variable", variable);
  note(" time=%g", time_s);
  note_array(data, type, rank, extent, stride);
  if (stride) turn(type, data, rank, extent, stride);
  return end();
}

int thalweg_get_box_at(thalweg_input* input, const char* variable, double time_s, int box, void* data,
                       thalweg_type type, int rank, const int64_t* extent, const int64_t* stride) {
  if (box == 0) return thalweg_get_at(input, variable, time_s, data, type, rank, extent, stride);
  begin_input("get_box_at", input);
  note_text("variable", variable);
  note(" time=%g box=%d", time_s, box);
  note_array(data, type, rank, extent, stride);
  if (stride) turn(type, data, rank, extent, stride);
  return end();
}

static void begin_collection(const char* call, const thalweg_collection* collection) {
  begin(call);
  note(collection ? "" : " no-collection");
}

int thalweg_register_array(thalweg_collection* collection, const char* variable, void* data, thalweg_type type,
                           int rank, const int64_t* extent, const int64_t* stride) {
  begin_collection("register_array", collection);
  note_text("variable", variable);
  note_array(data, type, rank, extent, stride);
  if (stride) turn(type, data, rank, extent, stride);
  return end();
}

int thalweg_register_box(thalweg_collection* collection, const char* variable, int box, void* data, thalweg_type type,
                         int rank, const int64_t* extent, const int64_t* stride) {
  begin_collection("register_box", collection);
  note_text("variable", variable);
  note(" box=%d", box);
  note_array(data, type, rank, extent, stride);
  return end();
}

int thalweg_put_arrays(thalweg_collection* collection) {
  begin_collection("put_arrays", collection);
  return end();
}

int thalweg_restore(thalweg_collection* collection, const char* path, int64_t record, double* time_s) {
  begin_collection("restore", collection);
  note_text("path", path);
  note(" record=%lld", (long long)record);
  if (time_s) *time_s = 3600.0;
  return end();
}

int thalweg_close_input(thalweg_input** input) {
  begin_input("close_input", *input);
  *input = NULL;
  return end();
}
