/* The calls of fields, of a core that writes down what it is called with. */
#include "fake_record.h"
#include "thalweg.h"

static char field_object;

static void begin_field(const char* call, const thalweg_field* field) {
  begin(call);
  if (field != (const thalweg_field*)&field_object) note(" wrong-handle");
}

int thalweg_define_field_dimension(thalweg_session* session, const char* name, int64_t size) {
  begin("define_field_dimension");
  note(session ? "" : " no-session");
  note_text("name", name);
  note(" size=%d", (int)size);
  return end();
}

int thalweg_define_field(thalweg_session* session, const char* name, const char* dims, thalweg_type type,
                         const thalweg_decomposition* decomposition, const char* memory_dims, int is_static,
                         thalweg_field** field) {
  begin("define_field");
  note(session ? "" : " no-session");
  note_text("name", name);
  note_text("dims", dims);
  note(" type=%d%s", (int)type, decomposition ? " decomposed" : "");
  note_text("memory", memory_dims);
  note(" static=%d", is_static);
  *field = (thalweg_field*)&field_object;
  return end();
}

int thalweg_define_field_text(thalweg_field* field, const char* name, const char* text) {
  begin_field("define_field_text", field);
  note_text("name", name);
  note_text("text", text);
  return end();
}

int thalweg_define_field_attribute(thalweg_field* field, const char* name, thalweg_type type, int count,
                                   const void* values) {
  const int64_t extent[] = {count};
  begin_field("define_field_attribute", field);
  note_text("name", name);
  note_array(values, type, 1, extent, NULL);
  return end();
}

int thalweg_put_field(thalweg_field* field, int box, const void* data, thalweg_type type, int rank,
                      const int64_t* extent, const int64_t* stride) {
  begin_field("put_field", field);
  note(" box=%d", box);
  note_array(data, type, rank, extent, stride);
  return end();
}

int thalweg_put_field_on(thalweg_field* field, int box, const thalweg_put_terms* terms, const void* data,
                         thalweg_type type, int rank, const int64_t* extent, const int64_t* stride) {
  begin_field("put_field_on", field);
  note(" box=%d", box);
  if (terms && terms->weight) note(" weight=%g", *terms->weight);
  if (terms && terms->start) note_numbers("start", terms->start, rank);
  note_array(data, type, rank, extent, stride);
  if (terms && terms->mask) {
    note(" mask");
    note_array(terms->mask, terms->mask_type, rank, extent, terms->mask_stride);
  }
  return end();
}

int thalweg_step(thalweg_session* session, double end_s) {
  begin("step");
  note(session ? "" : " no-session");
  note(" end=%g", end_s);
  return end();
}

int thalweg_checkpoint(thalweg_session* session) {
  begin("checkpoint");
  note(session ? "" : " no-session");
  return end();
}

int thalweg_is_wanted(const thalweg_field* field, int* wanted) {
  begin_field("is_wanted", field);
  *wanted = 1;
  return end();
}

int thalweg_is_wanted_now(const thalweg_field* field, int* wanted) {
  begin_field("is_wanted_now", field);
  *wanted = 0;
  return end();
}
