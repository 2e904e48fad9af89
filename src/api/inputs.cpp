// The calls that read.
#include "api/inputs.hpp"

#include "api/arguments.hpp"
#include "api/collective_call.hpp"
#include "api/funnel.hpp"
#include "thalweg.h"

using namespace thalweg;
using profile::MpiPhase;

namespace thalweg::api {

read::Inputs& inputs_of(thalweg_session* handle) {
  session::Core& core = session_in(handle).core();
  if (!handle->inputs)
    handle->inputs = std::make_unique<read::Inputs>(*core.roles, core.settings, core.declared.decompositions);
  return *handle->inputs;
}

const read::InputVariable& variable_of(const thalweg_input* input, const char* variable) {
  return required_handle(input).input->variable(required_text(variable, "variable"));
}

void begin_step(session::Session& session) {
  session.core().health.failures.throw_if_failed();
  session.core().progress();
}

}  // namespace thalweg::api

int thalweg_open_input(thalweg_session* session, const char* path, thalweg_input** input) {
  return api::funnel(MpiPhase::reading, [&] {
    api::required(input, "input") = nullptr;
    const api::CollectiveCall in(api::session_in(session), "thalweg_open_input", api::text_or_empty(path));
    api::begin_step(api::session_in(session));
    forcing::Series& opened = session->series.emplace_back(api::inputs_of(session), api::text_or_empty(path));
    thalweg_input& made = api::handles<thalweg_input>().make();
    made.session = session;
    made.input = &opened;
    *input = &made;
  });
}

int thalweg_input_records(const thalweg_input* input, int64_t* records) {
  return api::funnel(MpiPhase::reading, [&] {
    api::required(records, "records") = 0;
    *records = api::required_handle(input).input->records();
  });
}

int thalweg_input_variable(const thalweg_input* input, const char* variable, thalweg_type* type, int* has_records,
                           int* rank, int64_t* shape) {
  return api::funnel(MpiPhase::reading, [&] {
    const read::InputVariable& found = api::variable_of(input, variable);
    if (type != nullptr) *type = static_cast<thalweg_type>(found.type);
    if (has_records != nullptr) *has_records = found.has_records ? 1 : 0;
    if (rank != nullptr) *rank = found.shape.rank();
    for (int d = 0; shape != nullptr && d < found.shape.rank(); ++d) shape[d] = found.shape[d];
  });
}

int thalweg_input_record_at(const thalweg_input* input, double time_s, int64_t* record) {
  return api::funnel(MpiPhase::reading, [&] {
    api::required(record, "record") = -1;
    *record = api::required_handle(input).input->record_at(time_s);
  });
}

int thalweg_declare_input(thalweg_input* input, const char* variable, const char* dims,
                          const thalweg_decomposition* decomposition, const char* memory_dims, const char* periodic) {
  return api::funnel(MpiPhase::reading, [&] {
    const thalweg_input& of = api::required_handle(input);
    if (decomposition != nullptr && api::required_handle(decomposition).session != of.session)
      fail(THALWEG_ERROR_ARGUMENT, "input variable '{}': the decomposition belongs to another session",
           api::text_or_empty(variable));
    of.input->declare(api::required_text(variable, "variable"),
                      {api::text_or_empty(dims), decomposition == nullptr ? -1 : decomposition->number,
                       api::text_or_empty(memory_dims), api::text_or_empty(periodic)});
  });
}

int thalweg_select_input(thalweg_input* input, const char* variable, const char* selection) {
  return api::funnel(MpiPhase::reading, [&] {
    const thalweg_input& of = api::required_handle(input);
    const api::CollectiveCall in(api::session_in(input), "thalweg_select_input", api::text_or_empty(variable));
    api::begin_step(api::session_in(input));
    of.input->select(api::text_or_empty(variable), api::text_or_empty(selection));
  });
}

int thalweg_set_missing(thalweg_input* input, const char* variable, double value) {
  return api::funnel(MpiPhase::reading, [&] {
    api::required_handle(input).input->set_missing(api::required_text(variable, "variable"), value);
  });
}

int thalweg_get(thalweg_input* input, const char* variable, int64_t record, void* data, thalweg_type type, int rank,
                const int64_t* extent, const int64_t* stride) {
  return thalweg_get_box(input, variable, record, 0, data, type, rank, extent, stride);
}

int thalweg_get_box(thalweg_input* input, const char* variable, int64_t record, int box, void* data, thalweg_type type,
                    int rank, const int64_t* extent, const int64_t* stride) {
  return api::funnel(MpiPhase::reading, [&] {
    const thalweg_input& of = api::required_handle(input);
    const api::CollectiveCall in(api::session_in(input), "thalweg_get", api::text_or_empty(variable));
    api::begin_step(api::session_in(input));
    of.input->get(
        api::text_or_empty(variable), record, [&] { return api::array_of(data, type, rank, extent, stride); }, box);
  });
}

int thalweg_get_at(thalweg_input* input, const char* variable, double time_s, void* data, thalweg_type type, int rank,
                   const int64_t* extent, const int64_t* stride) {
  return thalweg_get_box_at(input, variable, time_s, 0, data, type, rank, extent, stride);
}

int thalweg_get_box_at(thalweg_input* input, const char* variable, double time_s, int box, void* data,
                       thalweg_type type, int rank, const int64_t* extent, const int64_t* stride) {
  return api::funnel(MpiPhase::reading, [&] {
    const thalweg_input& of = api::required_handle(input);
    const api::CollectiveCall in(api::session_in(input), "thalweg_get_at", api::text_or_empty(variable));
    api::begin_step(api::session_in(input));
    of.input->get_at(
        api::text_or_empty(variable), time_s, [&] { return api::array_of(data, type, rank, extent, stride); }, box);
  });
}

int thalweg_close_input(thalweg_input** input) {
  return api::funnel(MpiPhase::reading, [&] {
    thalweg_input* const of = api::required(input, "input");
    const thalweg_input& open = api::required_handle(of);
    const api::CollectiveCall in(api::session_in(of), "thalweg_close_input");
    open.session->series.remove_if([&](const forcing::Series& one) { return &one == open.input; });
    of->input = nullptr;
    *input = nullptr;
    open.session->inputs->throw_if_left();
  });
}
