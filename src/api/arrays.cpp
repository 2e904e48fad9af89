// The calls for arrays that the model registers: all of a collection are put, or restored, at once.
#include <algorithm>
#include <limits>
#include <memory>

#include "api/arguments.hpp"
#include "api/collective_call.hpp"
#include "api/funnel.hpp"
#include "api/inputs.hpp"
#include "base/names.hpp"
#include "base/told.hpp"
#include "fields/checkpoint.hpp"
#include "thalweg.h"
#include "transform/copy.hpp"

using namespace thalweg;
using profile::MpiPhase;

namespace {

const catalog::Declaration& declaration_of(const thalweg_collection* collection) {
  return collection->collection->declaration;
}

api::RegisteredArrays& registered_of(const thalweg_collection* collection) {
  return collection->session->registered[collection];
}

// One that the configuration switched off may be registered, and is left out. What a put would refuse is refused at
// once: a restore would convert it, and lose what the array cannot hold.
void require_variable(const catalog::Declaration& declaration, const std::string& name, Type type) {
  if (declaration.variables().is_disabled(name)) return;
  if (const int v = declaration.variables().find(name); v >= 0) {
    const Type in_file = declaration.definition().variable(v).type;
    if (transform::convertible(type, in_file)) return;
    fail(THALWEG_ERROR_SHAPE,
         "collection '{}', variable '{}': the registered array is {}, the variable {}; possible are equal types, "
         "float64 <-> float32, and integers for unsigned ones of the same size",
         declaration.settings().name, name, name_of(type), name_of(in_file));
  }
  fail(THALWEG_ERROR_NAME, "collection '{}' has no variable '{}'{}; define it before its array is registered",
       declaration.settings().name, name, name_hint(name, declaration.variables().names()));
}

// Where this rank has fewer boxes than others, there is nothing to be kept.
bool is_of_a_box(const thalweg_collection* collection, const read::ArrayOf& of, const put::Field& array) {
  const catalog::Declaration& declaration = declaration_of(collection);
  const std::string where = fmt::format("collection '{}', variable '{}'", declaration.settings().name, of.variable);
  if (of.box < 0)
    fail(THALWEG_ERROR_ARGUMENT, "{}: there is no box {}; boxes count from {}", where, told::number(of.box),
         told::first());
  const int v = declaration.variables().find(of.variable);
  if (of.box == 0 || v < 0) return true;
  const auto& decompositions = collection->session->session->core().declared.decompositions;
  const int spread = declaration.model_side(v).decomposition;
  const auto boxes = spread < 0 ? 1 : std::ssize(decompositions[static_cast<std::size_t>(spread)].boxes);
  if (of.box < boxes) return true;
  if (array.data != nullptr && array.extent.product() != 0)
    fail(THALWEG_ERROR_ARGUMENT, "{}: there is an array for box {}, but this rank declared {}, counted from {}", where,
         told::number(of.box), boxes, told::first());
  return false;
}

read::Series series_of(const files::Series& of, const config::CollectionSettings& settings) {
  return {settings.name, settings.file.empty() ? "" : of.path_of(settings.file)};
}

// The others of a set are those that the configuration names; the program may not have opened them yet. What is
// gathered is kept in files that are called otherwise by themselves.
read::RestartFiles restart_files_of(const thalweg_collection* collection) {
  const config::CollectionSettings& settings = declaration_of(collection).settings();
  const files::Series& series = collection->collection->series();
  read::RestartFiles files{series_of(series, settings), {settings.restart_set, {}}};
  if (settings.restart_set.empty()) return files;
  const config::Settings& session = collection->session->session->settings();
  for (const auto& [name, each] : session.collections)
    if (each.restart_set == settings.restart_set)
      files.set.members.push_back(
          series_of(series, name == fields::kept::collection ? fields::checkpoint_settings(session) : each));
  if (std::ranges::find(files.set.members, settings.name, &read::Series::collection) == files.set.members.end())
    files.set.members.push_back(files.series);
  return files;
}

}  // namespace

int thalweg_register_array(thalweg_collection* collection, const char* variable, void* data, thalweg_type type,
                           int rank, const int64_t* extent, const int64_t* stride) {
  return thalweg_register_box(collection, variable, 0, data, type, rank, extent, stride);
}

int thalweg_register_box(thalweg_collection* collection, const char* variable, int box, void* data, thalweg_type type,
                         int rank, const int64_t* extent, const int64_t* stride) {
  return api::funnel([&] {
    api::session_in(collection);  // Errors: of a session that is not open.
    const std::string name = api::required_text(variable, "variable");
    require_variable(declaration_of(collection), name, checked_type(type));
    const read::ArrayOf of{name, box};
    const put::Field array = api::array_of(data, type, rank, extent, stride);
    if (is_of_a_box(collection, of, array)) registered_of(collection).arrays[of] = array;
  });
}

int thalweg_put_arrays(thalweg_collection* collection) {
  return api::funnel(MpiPhase::put, [&] {
    session::Session& session = api::session_in(collection);
    api::RegisteredArrays& registered = registered_of(collection);
    const catalog::Declaration& declaration = declaration_of(collection);
    for (const int v : read::kept_variables(declaration)) {
      const catalog::Variable& variable = declaration.definition().variable(v);
      auto array = registered.arrays.lower_bound({variable.name, 0});
      for (; array != registered.arrays.end() && array->first.variable == variable.name; ++array) {
        if (array->second.data == nullptr || registered.put_fixed.contains(array->first)) continue;
        session.put(*collection->collection, variable.name, array->first.box, array->second);
        if (!variable.has_record) registered.put_fixed.insert(array->first);
      }
    }
  });
}

int thalweg_restore(thalweg_collection* collection, const char* path, int64_t record, double* time_s) {
  return api::funnel(MpiPhase::reading, [&] {
    session::Session& session = api::session_in(collection);
    const api::CollectiveCall in(session, "thalweg_restore", collection->collection->name);
    api::begin_step(session);
    read::Inputs& inputs = api::inputs_of(collection->session);
    const auto close = [&](read::Input* open) { inputs.close(*open); };
    const read::Restart from =
        read::open_restart(inputs, restart_files_of(collection), api::text_or_empty(path), record);
    const std::unique_ptr<read::Input, decltype(close)> input(&from.input, close);
    const std::int64_t restored =
        read::restore(*input, from.record, declaration_of(collection), registered_of(collection).arrays);
    if (time_s != nullptr)
      *time_s = input->contents().time_of(restored).value_or(std::numeric_limits<double>::quiet_NaN());
  });
}
