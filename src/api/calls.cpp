// Declarations and the calls of the model's steps.
#include <algorithm>
#include <cstring>

#include "api/arguments.hpp"
#include "api/collective_call.hpp"
#include "api/fields.hpp"
#include "api/funnel.hpp"
#include "api/handles.hpp"
#include "base/names.hpp"
#include "base/told.hpp"
#include "formats/format_file.hpp"
#include "thalweg.h"

using namespace thalweg;
using profile::MpiPhase;

namespace {

session::Collection& of(const thalweg_collection* collection) {
  return *collection->collection;
}

std::vector<std::string> decomposed_names(const char* dims) {
  std::vector<std::string> names = split_names(api::required_text(dims, "dims"));
  if (names.size() > 5)
    fail(THALWEG_ERROR_SHAPE, "decomposition ({}): {} dimensions; 1 to 5 are possible", dims, names.size());
  for (const std::string& name : names)
    if (std::ranges::count(names, name) > 1)
      fail(THALWEG_ERROR_NAME, "decomposition ({}): dimension '{}' twice; give each a name of its own", dims, name);
  return names;
}

geometry::Decomposition decomposition_of(const char* dims, const std::int64_t* shape, int box_count,
                                         const std::int64_t* start, const std::int64_t* count) {
  geometry::Decomposition decomposition;
  decomposition.dimensions = decomposed_names(dims);
  const int rank = static_cast<int>(decomposition.dimensions.size());
  api::required(shape, "shape");
  decomposition.shape = api::index_of(shape, rank);
  for (std::int64_t extent : decomposition.shape)
    if (extent < 1)
      fail(THALWEG_ERROR_SHAPE, "decomposition ({}): shape {}; every extent must be at least 1",
           told::names(decomposition.dimensions), told::extents(decomposition.shape));
  if (box_count < 0)
    fail(THALWEG_ERROR_ARGUMENT, "decomposition ({}): {} boxes", told::names(decomposition.dimensions), box_count);
  if (box_count > 0) {
    api::required(start, "start");
    api::required(count, "count");
  }
  for (int b = 0; b < box_count; ++b)
    decomposition.boxes.push_back({api::index_of(start + b * rank, rank), api::index_of(count + b * rank, rank)});
  return decomposition;
}

// What needs no other rank is checked here.
int decompose_list(session::Session& session, const std::vector<std::string>& names, const Index& sizes,
                   std::int64_t count, const std::int64_t* index, int masked) {
  std::int64_t points = 1;
  for (const std::int64_t size : sizes)
    if (size < 1 || count < 0)
      fail(THALWEG_ERROR_SHAPE,
           "index list of dimension '{}': {} global points and {} local ones; give at least 1 and at least 0",
           told::names(names), told::extents(sizes), count);
    else if (__builtin_mul_overflow(points, size, &points))
      fail(THALWEG_ERROR_SHAPE, "index list of dimension '{}': {} are more than 2^63 - 1 points; split the list",
           told::names(names), told::extents(sizes));
  if (count > 0) api::required(index, "index");
  const std::span<const std::int64_t> indices(index, static_cast<std::size_t>(count));
  const api::CollectiveCall in(session, "thalweg_decompose_indices or _points", names.front());
  return session.definitions().decompose_points(names, sizes, indices, masked != 0);
}

catalog::Attribute text_attribute(const char* name, const char* text) {
  return {api::required_text(name, "name"), std::nullopt, api::text_or_empty(text), {}};
}

template <typename Made>
int give(thalweg_collection* collection, session::Session::GivenTo files, const char* variable, const Made& attribute) {
  return api::funnel(MpiPhase::advance, [&] {
    api::session_in(collection).give_attribute(files, of(collection), api::text_or_empty(variable), attribute());
  });
}

int set_time(thalweg_session* handle, const char* call, session::Session::TimeOf of, double time_s) {
  return api::funnel([&] {
    session::Session& session = api::session_in(handle);
    if (handle->fields) handle->fields->require_no_puts(call);
    session.set_time(of, time_s);
  });
}

void require_own_fields(const config::CollectionSettings& collection) {
  if (!collection.fields.chosen.empty())
    fail(
        THALWEG_ERROR_STATE,
        "collection '{}': its fields are chosen by 'fields', so that Thalweg opens it, and not the program; define and "
        "put fields (thalweg_define_field), or leave 'fields' out",
        collection.name);
}

thalweg_collection* new_collection(thalweg_session* session, session::Collection& opened) {
  require_own_fields(opened.declaration.settings());
  thalweg_collection& made = api::handles<thalweg_collection>().make();
  made.session = session;
  made.collection = &opened;
  return &made;
}

thalweg_decomposition* new_decomposition(thalweg_session* session, int number) {
  thalweg_decomposition& made = api::handles<thalweg_decomposition>().make();
  made.session = session;
  made.number = number;
  return &made;
}

}  // namespace

int thalweg_decompose(thalweg_session* session, const char* dims, const int64_t* shape, int box_count,
                      const int64_t* start, const int64_t* count, const int64_t* halo_low, const int64_t* halo_high,
                      int masked, thalweg_decomposition** decomposition) {
  return api::funnel([&] {
    api::required(decomposition, "decomposition") = nullptr;
    geometry::Decomposition declared = decomposition_of(dims, shape, box_count, start, count);
    declared.halo_low = api::index_of(halo_low, declared.shape.rank());
    declared.halo_high = api::index_of(halo_high, declared.shape.rank());
    declared.masked = masked != 0;
    const api::CollectiveCall in(api::session_in(session), "thalweg_decompose", dims);
    const int number = api::session_in(session).definitions().decompose(std::move(declared));
    *decomposition = new_decomposition(session, number);
  });
}

int thalweg_decompose_indices(thalweg_session* session, const char* dim, int64_t size, int64_t count,
                              const int64_t* index, int masked, thalweg_decomposition** decomposition) {
  return api::funnel([&] {
    api::required(decomposition, "decomposition") = nullptr;
    const std::vector<std::string> names = split_names(api::required_text(dim, "dim"));
    if (names.size() != 1)
      fail(THALWEG_ERROR_SHAPE,
           "index list ({}): {} dimensions; a list has one, and the points of several are declared by "
           "thalweg_decompose_points",
           dim, names.size());
    const int number = decompose_list(api::session_in(session), names, {size}, count, index, masked);
    *decomposition = new_decomposition(session, number);
  });
}

int thalweg_decompose_points(thalweg_session* session, const char* dims, const int64_t* shape, int64_t count,
                             const int64_t* index, int masked, thalweg_decomposition** decomposition) {
  return api::funnel([&] {
    api::required(decomposition, "decomposition") = nullptr;
    const std::vector<std::string> names = decomposed_names(dims);
    const Index sizes = api::index_of(&api::required(shape, "shape"), static_cast<int>(names.size()));
    const int number = decompose_list(api::session_in(session), names, sizes, count, index, masked);
    *decomposition = new_decomposition(session, number);
  });
}

int thalweg_open_collection(thalweg_session* session, const char* name, thalweg_collection** collection) {
  return api::funnel([&] {
    api::required(collection, "collection") = nullptr;
    session::Session& of = api::session_in(session);
    const std::string named = api::required_text(name, "name");
    const auto configured = of.settings().collections.find(named);
    if (configured != of.settings().collections.end()) require_own_fields(configured->second);
    *collection = new_collection(session, of.definitions().open_collection(named));
  });
}

int thalweg_open_collection_text(thalweg_session* session, const char* name, const char* yaml,
                                 thalweg_collection** collection) {
  return api::funnel([&] {
    api::required(collection, "collection") = nullptr;
    session::Definitions& definitions = api::session_in(session).definitions();
    *collection = new_collection(
        session, definitions.open_collection_text(api::required_text(name, "name"), api::text_or_empty(yaml)));
  });
}

int thalweg_define_dimension(thalweg_collection* collection, const char* name, int64_t size) {
  return api::funnel([&] {
    api::session_in(collection).definitions().define_dimension(of(collection), api::text_or_empty(name), size);
  });
}

int thalweg_define_variable(thalweg_collection* collection, const char* name, const char* dims, thalweg_type type,
                            const thalweg_decomposition* decomposition, const char* memory_dims) {
  return api::funnel([&] {
    session::Session& session = api::session_in(collection);
    if (decomposition != nullptr && api::required_handle(decomposition).session != collection->session)
      fail(THALWEG_ERROR_ARGUMENT, "variable '{}': the decomposition belongs to another session",
           api::text_or_empty(name));
    session.definitions().define_variable(of(collection), api::text_or_empty(name), api::text_or_empty(dims),
                                          checked_type(type), decomposition == nullptr ? -1 : decomposition->number,
                                          api::text_or_empty(memory_dims));
  });
}

int thalweg_define_text(thalweg_collection* collection, const char* variable, const char* name, const char* text) {
  return api::funnel([&] {
    api::session_in(collection)
        .definitions()
        .define_attribute(of(collection), api::text_or_empty(variable), text_attribute(name, text));
  });
}

int thalweg_define_attribute(thalweg_collection* collection, const char* variable, const char* name, thalweg_type type,
                             int count, const void* values) {
  return api::funnel([&] {
    api::session_in(collection)
        .definitions()
        .define_attribute(of(collection), api::text_or_empty(variable), api::attribute_of(name, type, count, values));
  });
}

int thalweg_change_text(thalweg_collection* collection, const char* variable, const char* name, const char* text) {
  return give(collection, session::Session::GivenTo::coming_files, variable,
              [&] { return text_attribute(name, text); });
}

int thalweg_change_attribute(thalweg_collection* collection, const char* variable, const char* name, thalweg_type type,
                             int count, const void* values) {
  return give(collection, session::Session::GivenTo::coming_files, variable,
              [&] { return api::attribute_of(name, type, count, values); });
}

int thalweg_add_text(thalweg_collection* collection, const char* variable, const char* name, const char* text) {
  return give(collection, session::Session::GivenTo::open_file, variable, [&] { return text_attribute(name, text); });
}

int thalweg_add_attribute(thalweg_collection* collection, const char* variable, const char* name, thalweg_type type,
                          int count, const void* values) {
  return give(collection, session::Session::GivenTo::open_file, variable,
              [&] { return api::attribute_of(name, type, count, values); });
}

int thalweg_set_procedure(thalweg_collection* collection, thalweg_write_procedure procedure, void* user) {
  return api::funnel([&] {
    session::Session& session = api::session_in(collection);
    session.definitions().set_procedure(of(collection), api::required_procedure(of(collection).name, procedure, user));
  });
}

int thalweg_ready(thalweg_session* session) {
  return api::funnel([&] {
    const api::CollectiveCall in(api::session_in(session), "thalweg_ready");
    if (fields::Fields* fields = api::fields_if_any(session)) return fields->ready();
    api::session_in(session).ready();
  });
}

int thalweg_set_time(thalweg_session* session, double time_s) {
  return set_time(session, "set_time", session::Session::TimeOf::start, time_s);
}

int thalweg_set_end_time(thalweg_session* session, double time_s) {
  return set_time(session, "set_end_time", session::Session::TimeOf::end, time_s);
}

int thalweg_time_units(const thalweg_session* session, const char** units, const char** calendar) {
  return api::funnel([&] {
    thalweg_session& handle = api::required_handle(session);
    const config::Settings& settings = api::session_in(session).settings();
    if (handle.time_units.empty()) {
      handle.time_units = seconds_since(settings.reference_date);
      handle.calendar = name_of(settings.calendar);
    }
    api::required(units, "units") = handle.time_units.c_str();
    api::required(calendar, "calendar") = handle.calendar.c_str();
  });
}

int thalweg_put(thalweg_collection* collection, const char* variable, const void* data, thalweg_type type, int rank,
                const int64_t* extent, const int64_t* stride) {
  return thalweg_put_box(collection, variable, 0, data, type, rank, extent, stride);
}

int thalweg_put_box(thalweg_collection* collection, const char* variable, int box, const void* data, thalweg_type type,
                    int rank, const int64_t* extent, const int64_t* stride) {
  return api::funnel(MpiPhase::put, [&] {
    session::Session& session = api::session_in(collection);
    session.put(of(collection), variable == nullptr ? "" : variable, box,
                api::field_of(data, type, rank, extent, stride));
  });
}

int thalweg_is_due(const thalweg_collection* collection, int* due) {
  return api::funnel([&] {
    api::session_in(collection);  // Errors: of a session that is not open.
    api::required(due, "due") = of(collection).upcoming_share().schedule.upcoming().due ? 1 : 0;
  });
}

int thalweg_advance(thalweg_session* session, double time_s) {
  return api::funnel(MpiPhase::advance, [&] {
    const api::CollectiveCall in(api::session_in(session), "thalweg_advance");
    if (fields::Fields* fields = api::fields_if_any(session)) return fields->advance(time_s);
    api::session_in(session).advance(time_s);
  });
}

int thalweg_record(thalweg_collection* collection, double time_s) {
  return api::funnel(MpiPhase::advance, [&] {
    session::Session& session = api::session_in(collection);
    const api::CollectiveCall in(session, "thalweg_record", of(collection).name);
    session.record(of(collection), time_s);
  });
}

int thalweg_new_file(thalweg_collection* collection, const char* file) {
  return api::funnel(MpiPhase::advance,
                     [&] { api::session_in(collection).new_file(of(collection), api::text_or_empty(file)); });
}

int thalweg_close_file(thalweg_collection* collection) {
  return api::funnel(MpiPhase::advance, [&] {
    session::Session& session = api::session_in(collection);
    const api::CollectiveCall in(session, "thalweg_close_file", of(collection).name);
    session.close_file(of(collection));
  });
}

int thalweg_wait_collection(thalweg_collection* collection) {
  return api::funnel(MpiPhase::advance, [&] {
    session::Session& session = api::session_in(collection);
    const api::CollectiveCall in(session, "thalweg_wait_collection", of(collection).name);
    session.wait_for(of(collection));
  });
}

int thalweg_flush(thalweg_session* session) {
  return api::funnel(MpiPhase::advance, [&] { api::session_in(session).flush(); });
}

int thalweg_wait(thalweg_session* session) {
  return api::funnel(MpiPhase::advance, [&] {
    const api::CollectiveCall in(api::session_in(session), "thalweg_wait");
    api::session_in(session).wait();
  });
}
