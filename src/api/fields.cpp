// The calls of fields.
#include "api/fields.hpp"

#include <algorithm>

#include "api/arguments.hpp"
#include "api/collective_call.hpp"
#include "api/funnel.hpp"
#include "api/inputs.hpp"
#include "thalweg.h"

using namespace thalweg;
using profile::MpiPhase;

namespace thalweg::api {

fields::Fields& fields_of(thalweg_session* handle) {
  session::Session& session = session_in(handle);
  if (!handle->fields)
    handle->fields =
        std::make_unique<fields::Fields>(session, [handle]() -> read::Inputs& { return inputs_of(handle); });
  return *handle->fields;
}

fields::Fields* fields_if_any(thalweg_session* handle) {
  session::Session& session = session_in(handle);
  if (handle->fields) return handle->fields.get();
  const auto chooses = [](const auto& collection) { return !collection.second.fields.chosen.empty(); };
  return std::ranges::any_of(session.settings().collections, chooses) ? &fields_of(handle) : nullptr;
}

}  // namespace thalweg::api

namespace {

// Who has a field has them. A put that nobody wants is little more than this.
fields::Fields& fields_in(const thalweg_field* field) {
  return *api::required_handle(field).session->fields;
}

}  // namespace

int thalweg_define_field_dimension(thalweg_session* session, const char* name, int64_t size) {
  return api::funnel([&] { api::fields_of(session).define_dimension(api::text_or_empty(name), size); });
}

int thalweg_define_field(thalweg_session* session, const char* name, const char* dims, thalweg_type type,
                         const thalweg_decomposition* decomposition, const char* memory_dims, int is_static,
                         thalweg_field** field) {
  return api::funnel([&] {
    api::required(field, "field") = nullptr;
    fields::Fields& fields = api::fields_of(session);
    const std::string named = api::required_text(name, "name");
    if (decomposition != nullptr && api::required_handle(decomposition).session != session)
      fail(THALWEG_ERROR_ARGUMENT, "field '{}': the decomposition belongs to another session", named);
    const int number = fields.define({named,
                                      api::text_or_empty(dims),
                                      checked_type(type),
                                      decomposition == nullptr ? -1 : decomposition->number,
                                      api::text_or_empty(memory_dims),
                                      is_static != 0,
                                      {}});
    thalweg_field& made = api::handles<thalweg_field>().make();
    made.session = session;
    made.number = number;
    *field = &made;
  });
}

int thalweg_define_field_text(thalweg_field* field, const char* name, const char* text) {
  return api::funnel([&] {
    fields_in(field).define_attribute(
        field->number, catalog::text_attribute(api::required_text(name, "name"), api::text_or_empty(text)));
  });
}

int thalweg_define_field_attribute(thalweg_field* field, const char* name, thalweg_type type, int count,
                                   const void* values) {
  return api::funnel(
      [&] { fields_in(field).define_attribute(field->number, api::attribute_of(name, type, count, values)); });
}

int thalweg_put_field(thalweg_field* field, int box, const void* data, thalweg_type type, int rank,
                      const int64_t* extent, const int64_t* stride) {
  return thalweg_put_field_on(field, box, nullptr, data, type, rank, extent, stride);
}

int thalweg_put_field_on(thalweg_field* field, int box, const thalweg_put_terms* terms, const void* data,
                         thalweg_type type, int rank, const int64_t* extent, const int64_t* stride) {
  return api::funnel(MpiPhase::put, [&] {
    fields::Fields& fields = fields_in(field);
    if (!fields.begin_put(field->number)) return;  // an array that nobody has chosen is not looked at
    fields::PutTerms on;
    if (terms != nullptr && terms->weight != nullptr) on.weight = *terms->weight;
    if (terms != nullptr && terms->mask != nullptr)
      on.mask = api::field_of(terms->mask, terms->mask_type, rank, extent, terms->mask_stride);
    const put::Field array = api::field_of(data, type, rank, extent, stride);
    if (terms != nullptr && terms->start != nullptr) on.start = api::index_of(terms->start, rank);
    fields.put(field->number, box, array, on);
  });
}

int thalweg_step(thalweg_session* session, double end_s) {
  return api::funnel(MpiPhase::advance, [&] {
    const api::CollectiveCall in(api::session_in(session), "thalweg_step");
    api::fields_of(session).step(end_s);
  });
}

int thalweg_checkpoint(thalweg_session* session) {
  return api::funnel(MpiPhase::advance, [&] {
    const api::CollectiveCall in(api::session_in(session), "thalweg_checkpoint");
    if (fields::Fields* fields = api::fields_if_any(session)) return fields->checkpoint();
    api::session_in(session).wait();
  });
}

int thalweg_is_wanted(const thalweg_field* field, int* wanted) {
  return api::funnel([&] { api::required(wanted, "wanted") = fields_in(field).is_wanted(field->number) ? 1 : 0; });
}

int thalweg_is_wanted_now(const thalweg_field* field, int* wanted) {
  return api::funnel([&] { api::required(wanted, "wanted") = fields_in(field).is_wanted_now(field->number) ? 1 : 0; });
}
