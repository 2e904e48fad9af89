#include "read/restore.hpp"

#include <algorithm>
#include <vector>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/names.hpp"
#include "base/told.hpp"
#include "formats/patience.hpp"
#include "read/begin_call.hpp"
#include "read/conversion.hpp"
#include "read/newest.hpp"

namespace thalweg::read {
namespace {

std::vector<std::string> names_of(const catalog::Declaration& collection, const catalog::Variable& variable) {
  std::vector<std::string> names;
  for (const int d : variable.dimensions)
    names.push_back(collection.definition().dimensions[static_cast<std::size_t>(d)].name);
  return names;
}

// As the model's arrays have them: those that an index list joins stay next to each other.
std::vector<std::string> in_memory(const std::vector<std::string>& names, const catalog::Variable& variable,
                                   const catalog::ModelSide& side) {
  std::vector<std::vector<std::string>> by_place(side.memory_place.size());
  auto name = names.begin();
  for (int d = 0; d < std::ssize(side.memory_place); ++d) {
    const bool is_joined = variable.joined.any() && d == variable.joined.first();
    const auto count = is_joined ? variable.joined.sizes().rank() : 1;
    by_place[static_cast<std::size_t>(side.memory_place[static_cast<std::size_t>(d)])] = {name, name + count};
    name += count;
  }
  std::vector<std::string> memory;
  for (const auto& several : by_place) memory.insert(memory.end(), several.begin(), several.end());
  return memory;
}

HeldAs held_as(const catalog::Declaration& collection, int v, bool has_records, bool is_packed) {
  const catalog::Variable& variable = collection.definition().variable(v);
  const catalog::ModelSide& side = collection.model_side(v);
  const std::vector<std::string> names = names_of(collection, variable);
  std::vector<std::string> dims = names;
  if (has_records) dims.insert(dims.begin(), collection.definition().record_dimension);
  return {.dims = fmt::format("{}", fmt::join(dims, ",")),
          .decomposition = side.decomposition,
          .memory_dims = fmt::format("{}", fmt::join(in_memory(names, variable, side), ",")),
          .periodic = "",
          .is_packed = is_packed};
}

// A put packs nothing: what the collection declares as packed went into the file as it was in the array.
bool is_put_packed(const catalog::Variable& variable, const InputVariable& in_file) {
  return variable.type == in_file.type || catalog::packing_of(variable).packs();
}

// Of an input without records, -1. What is not there is found before anything is read.
std::int64_t record_of(const Input& input, std::int64_t wanted, const std::string& collection) {
  const std::int64_t records = input.contents().records;
  if (wanted < -1 || (wanted > 0 && wanted >= records))
    fail(THALWEG_ERROR_ARGUMENT, "collection '{}': '{}' has no record {}; it has {}, counted from {}", collection,
         input.path(), told::number(wanted), counted(records, "record"), told::first());
  return records == 0 ? -1 : wanted == -1 ? records - 1 : wanted;
}

// One rank looks, and tells the others.
Newest newest_told(const Surroundings& around, const std::string& pattern) {
  const transport::Bytes told = transport::told_by_first(around.circle, [&] {
    const Newest newest =
        around.storage.found(fmt::format("search for the newest file '{}'", pattern),
                             [pattern, start = start_of(around.settings)] { return newest_of(pattern, start); });
    transport::Packer packer;
    packer.put_all(newest.path).put(static_cast<std::int64_t>(newest.passed_by.size()));
    for (const std::string& why : newest.passed_by) packer.put_all(why);
    return packer.take();
  });
  transport::Unpacker unpacker(told);
  Newest newest{unpacker.get_all<std::string>(), {}};
  newest.passed_by.resize(unpacker.get_count(1));
  for (std::string& why : newest.passed_by) why = unpacker.get_all<std::string>();
  return newest;
}

Input& open_newest(Inputs& inputs, const Series& series) {
  const roles::Circle& circle = inputs.around().circle;
  const Newest newest = newest_told(inputs.around(), series.pattern);
  const std::string why = fmt::format("{}", fmt::join(newest.passed_by, "; "));
  if (newest.path.empty())
    fail(THALWEG_ERROR_STORAGE, "collection '{}': there is no complete file '{}' to begin from{}{}", series.collection,
         series.pattern, why.empty() ? "" : ": ", why);
  if (circle.rank() == 0)
    log::note("collection '{}': begins from '{}', its newest complete file{}{}", series.collection, newest.path,
              why.empty() ? "" : "; left out: ", why);
  return inputs.open(newest.path, newest.path);
}

// Of one member of a set, as one rank has found it.
struct MemberRestart {
  RestartRecord at;  // without a path: there is no time of which all have a record
  std::string date;
  std::string left_out;
};

MemberRestart member_told(Inputs& inputs, const RestartFiles& files) {
  const formats::RunStart start = start_of(inputs.around().settings);
  const transport::Bytes told = transport::told_by_first(inputs.around().circle, [&] {
    const RestartOfSet& newest =
        inputs.restart_sets().newest(files.set, files.series.collection, start, inputs.around().storage);
    const auto own = std::ranges::find(files.set.members, files.series.collection, &Series::collection);
    const RestartRecord at =
        newest.time_s ? newest.records.at(static_cast<std::size_t>(own - files.set.members.begin())) : RestartRecord{};
    const std::string date = newest.time_s ? formats::date_text(start, *newest.time_s) : std::string();
    return transport::Packer()
        .put_all(at.path)
        .put(at.record)
        .put_all(date)
        .put_all(fmt::format("{}", fmt::join(newest.left_out, "; ")))
        .take();
  });
  transport::Unpacker unpacker(told);
  MemberRestart member;
  member.at.path = unpacker.get_all<std::string>();
  member.at.record = unpacker.get<std::int64_t>();
  member.date = unpacker.get_all<std::string>();
  member.left_out = unpacker.get_all<std::string>();
  return member;
}

Restart open_member(Inputs& inputs, const RestartFiles& files) {
  const roles::Circle& circle = inputs.around().circle;
  const MemberRestart member = member_told(inputs, files);
  const std::string& collection = files.series.collection;
  if (member.at.path.empty())
    fail(THALWEG_ERROR_STORAGE,
         "collection '{}': there is no time of which all collections of the restart set '{}' have a complete file: {}; "
         "to begin from others, say the path of each",
         collection, files.set.name, member.left_out);
  if (circle.rank() == 0)
    log::note(
        "collection '{}': begins from '{}', of {}, the newest time of which all of the restart set '{}' have a "
        "complete file{}{}",
        collection, member.at.path, member.date, files.set.name,
        member.left_out.empty() ? "" : "; left out: ", member.left_out);
  return {inputs.open(member.at.path, member.at.path), member.at.record};
}

struct Kept {
  std::string name;
  int boxes;  // of this rank
};

// A rank without cells has an array of none.
void require_arrays(const catalog::Declaration& collection, const Arrays& arrays, const std::vector<Kept>& kept) {
  std::vector<std::string> without;
  for (const Kept& of : kept)
    for (int box = 0; box < std::max(1, of.boxes); ++box)
      if (!arrays.contains({of.name, box}))
        without.push_back(of.boxes > 1 ? fmt::format("box {} of '{}'", told::number(box), of.name)
                                       : fmt::format("'{}'", of.name));
  if (without.empty()) return;
  fail(THALWEG_ERROR_ARGUMENT,
       "collection '{}': it lacks {}, into which it could be got: {}; register one of each before "
       "(thalweg_register_array, thalweg_register_box), or get by thalweg_open_input and thalweg_get what is not all",
       collection.settings().name, counted(std::ssize(without), "array"), fmt::join(without, ", "));
}

// Others may have more boxes.
put::Field array_of(const Arrays& arrays, const std::string& variable, int box) {
  const auto found = arrays.find({variable, box});
  return found == arrays.end() ? put::Field{nullptr, arrays.at({variable, 0}).type, {}, {}} : found->second;
}

}  // namespace

std::vector<int> kept_variables(const catalog::Declaration& collection) {
  std::vector<int> kept;
  for (int v = 0; v < std::ssize(collection.definition().variables); ++v)
    if (collection.model_side(v).is_held && v != collection.own_coordinate() &&
        !collection.variables().is_disabled(collection.definition().variable(v).name))
      kept.push_back(v);
  return kept;
}

Restart open_restart(Inputs& inputs, const RestartFiles& files, const std::string& path, std::int64_t record) {
  const Series& series = files.series;
  const formats::Patience patient({inputs.around().settings.deadline_s, inputs.around().who()});
  // Of two collections with the same variables each rank would else get what rank 0 has looked for.
  begin_call(inputs.around().circle, [&] {
    return fmt::format("restore of collection '{}', {}\n", series.collection,
                       path.empty() ? "its newest complete file" : fmt::format("'{}'", path));
  });
  if (path.empty() && series.pattern.empty())
    fail(THALWEG_ERROR_ARGUMENT,
         "collection '{}': the program names its files, so it says by its path which of them is restored",
         series.collection);
  if (path.empty() && files.set.name.empty()) return {open_newest(inputs, series), record};
  if (path.empty() && record != -1)
    fail(THALWEG_ERROR_ARGUMENT,
         "collection '{}': record {} is asked for, and which one it is of the restart set '{}' is found by its time; "
         "leave it out, or say the path of a file",
         series.collection, told::number(record), files.set.name);
  if (path.empty()) return open_member(inputs, files);
  try {
    return {inputs.open(path, path), record};
  } catch (const Error& error) {
    if (series.pattern.empty() || (error.code() != THALWEG_ERROR_STORAGE && error.code() != THALWEG_ERROR_FORMAT))
      throw;
    const Newest newest = newest_told(inputs.around(), series.pattern);
    if (newest.path.empty() || newest.path == path) throw;
    throw Error(error.code(), fmt::format("{}; the newest complete file of collection '{}' is '{}'", error.what(),
                                          series.collection, newest.path));
  }
}

std::int64_t restore(Input& input, std::int64_t record, const catalog::Declaration& collection, const Arrays& arrays) {
  std::int64_t wanted = -1;
  std::vector<Kept> kept;
  input.together([&] {
    wanted = record_of(input, record, collection.settings().name);
    for (const int v : kept_variables(collection)) {
      const catalog::Variable& variable = collection.definition().variable(v);
      const InputVariable& in_file = input.variable(variable.name);
      if (in_file.has_records && wanted == -1)
        fail(THALWEG_ERROR_ARGUMENT,
             "collection '{}': '{}' has no record yet, and so nothing of '{}'; take another file",
             collection.settings().name, input.path(), variable.name);
      input.declaring(variable.name,
                      held_as(collection, v, in_file.has_records, is_put_packed(variable, in_file)))(input);
      kept.push_back({variable.name, input.declared(in_file).boxes()});
    }
    require_arrays(collection, arrays, kept);
  });
  std::vector<std::int64_t> most(kept.size(), 1);
  std::ranges::transform(kept, most.begin(), [](const Kept& of) { return std::max(1, of.boxes); });
  input.most_of_all(most);
  for (std::size_t i = 0; i < kept.size(); ++i)
    for (int box = 0; box < most[i]; ++box)
      get(input, kept[i].name, {wanted, box}, [&] { return array_of(arrays, kept[i].name, box); });
  return wanted;
}

}  // namespace thalweg::read
