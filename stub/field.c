/* The functions of fields: nobody wants any. */
#include "stub.h"

int thalweg_define_field_dimension(thalweg_session* session, const char* name, int64_t size) {
  (void)session, (void)name, (void)size;
  return THALWEG_OK;
}

int thalweg_define_field(thalweg_session* session, const char* name, const char* dims, thalweg_type type,
                         const thalweg_decomposition* decomposition, const char* memory_dims, int is_static,
                         thalweg_field** field) {
  (void)name, (void)dims, (void)type, (void)decomposition, (void)memory_dims, (void)is_static;
  if (!session) return stub_refuse_null("session");
  if (!field) return stub_refuse_null("field");
  *field = stub_new_handle(session);
  return *field ? THALWEG_OK : stub_refuse_memory();
}

int thalweg_define_field_text(thalweg_field* field, const char* name, const char* text) {
  (void)field, (void)name, (void)text;
  return THALWEG_OK;
}

int thalweg_define_field_attribute(thalweg_field* field, const char* name, thalweg_type type, int count,
                                   const void* values) {
  (void)field, (void)name, (void)type, (void)count, (void)values;
  return THALWEG_OK;
}

int thalweg_put_field(thalweg_field* field, int box, const void* data, thalweg_type type, int rank,
                      const int64_t* extent, const int64_t* stride) {
  (void)field, (void)box, (void)data, (void)type, (void)rank, (void)extent, (void)stride;
  return THALWEG_OK;
}

int thalweg_put_field_on(thalweg_field* field, int box, const thalweg_put_terms* terms, const void* data,
                         thalweg_type type, int rank, const int64_t* extent, const int64_t* stride) {
  (void)terms;
  return thalweg_put_field(field, box, data, type, rank, extent, stride);
}

int thalweg_step(thalweg_session* session, double end_s) {
  (void)session, (void)end_s;
  return THALWEG_OK;
}

int thalweg_checkpoint(thalweg_session* session) {
  (void)session;
  return THALWEG_OK;
}

int thalweg_is_wanted(const thalweg_field* field, int* wanted) {
  (void)field;
  if (!wanted) return stub_refuse_null("wanted");
  *wanted = 0;
  return THALWEG_OK;
}

int thalweg_is_wanted_now(const thalweg_field* field, int* wanted) {
  return thalweg_is_wanted(field, wanted);
}
