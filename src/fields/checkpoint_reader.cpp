#include "fields/checkpoint_reader.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

#include "base/error.hpp"
#include "base/log.hpp"
#include "formats/first_record.hpp"
#include "read/newest.hpp"
#include "storage/part_name.hpp"
#include "transport/collective.hpp"
#include "transport/packing.hpp"

namespace thalweg::fields {
namespace {

std::string path_in(const config::Settings& settings, const std::string& name) {
  return (std::filesystem::path(settings.folder) / name).lexically_normal();
}

}  // namespace

CheckpointReader::CheckpointReader(session::Session& session, read::Inputs& inputs, double start_s)
    : session_(session), inputs_(inputs), start_s_(start_s) {
  pattern_ = path_in(session.settings(), checkpoint_settings(session.settings()).file);
  look_for(pattern_);
  if (path_.empty()) return;
  input_ = &inputs_.open(path_, path_);
  const catalog::Attribute* says = catalog::find(input_->contents().attributes, kept::says);
  if (says == nullptr)
    fail(THALWEG_ERROR_FORMAT, "'{}' has the name of a checkpoint, but is none: it has no attribute '{}'; move it away",
         path_, kept::says);
  kept_ = kept_collections(says->text);
  if (session_.roles().speaks_for_clients())
    log::note("collections that gather go on from the checkpoint '{}' ({})", path_, date(start_s_));
}

CheckpointReader::~CheckpointReader() {
  if (input_ != nullptr) inputs_.close(*input_);
}

std::string CheckpointReader::date(double time_s) const {
  return formats::date_text(read::start_of(session_.settings()), time_s);
}

void CheckpointReader::look_for(const std::string& pattern) {
  const roles::Circle& clients = inputs_.around().circle;
  const double slack_s = files::tolerance_of(session_.settings().time_step_s);
  const transport::Bytes told = transport::told_by_first(clients, [&] {
    std::string found;
    std::vector<std::string> others;
    const auto look = [pattern, start = read::start_of(session_.settings())] {
      std::vector<std::pair<std::string, std::optional<double>>> times_s;
      for (const std::string& path : read::paths_like(pattern))
        times_s.emplace_back(path, formats::first_time_of(path, start));
      return times_s;
    };
    const read::Surroundings& around = inputs_.around();
    for (const auto& [path, time_s] : around.storage.found(fmt::format("search for '{}'", pattern), look)) {
      if (time_s && std::abs(*time_s - start_s_) <= slack_s) found = path;
      others.push_back(fmt::format("'{}' is {}", path, time_s ? "of " + date(*time_s) : "not complete"));
    }
    return transport::Packer().put_all(found).put_all(fmt::format("{}", fmt::join(others, ", "))).take();
  });
  transport::Unpacker unpacker(told);
  path_ = unpacker.get_all<std::string>();
  others_ = unpacker.get_all<std::string>();
}

// Where it would begin anew.
std::string CheckpointReader::first_file(const config::CollectionSettings& collection) const {
  files::RecordSchedule schedule(collection, session_.settings());
  schedule.set_run_time(start_s_);
  return path_in(session_.settings(), schedule.upcoming().file_name);
}

Beginning CheckpointReader::beginning_of(const config::CollectionSettings& collection, const KeptCollection& now) {
  const auto refused = [&](const std::string& why) {
    return Beginning{{}, fmt::format("collection '{}': with 'append: continue' it would go on, but {}", now.name, why)};
  };
  const auto kept = std::ranges::find(kept_, now.name, &KeptCollection::name);
  if (kept == kept_.end()) {
    const std::string file = first_file(collection);
    const transport::Bytes told = transport::told_by_first(inputs_.around().circle, [&] {
      return transport::Packer().put_all(storage::is_any_there(file) ? file : std::string()).take();
    });
    const std::string there = transport::Unpacker(told).get_all<std::string>();
    const std::string advice =
        fmt::format("start the run at the time of a checkpoint, or move {} away to begin anew",
                    there.empty() ? "the checkpoints" : fmt::format("'{}' and the checkpoints", there));
    if (!path_.empty() && !there.empty())
      return refused(fmt::format("'{}' is there and the checkpoint '{}' does not have it; {}", there, path_, advice));
    if (!path_.empty() || (there.empty() && others_.empty())) return {};
    return refused(fmt::format("this run starts at {} and {}{}; {}", date(start_s_),
                               others_.empty() ? fmt::format("there is no checkpoint '{}'", pattern_) : others_,
                               there.empty() ? "" : fmt::format(", while '{}' is there", there), advice));
  }
  if (const std::string what = difference(*kept, now); !what.empty())
    return refused(fmt::format(
        "{} ('{}'); set it as it was, or give the collection another name and file to begin anew", what, path_));
  const std::vector<double> places = numbers(kept::places, 3 * std::ssize(kept_));
  const double* place = places.data() + 3 * (kept - kept_.begin());
  return {files::KeptInterval{place[0], place[1], static_cast<std::int64_t>(place[2])}, ""};
}

std::vector<std::string> CheckpointReader::files_of(const std::string& collection) const {
  std::vector<std::string> names;
  for (const KeptCollection& kept : kept_)
    if (kept.name.starts_with(collection + "/")) names.push_back(kept.name);
  return names;
}

std::vector<double> CheckpointReader::numbers(const char* variable, std::int64_t count) {
  std::vector<double> numbers(static_cast<std::size_t>(count));
  const read::InputVariable& in_file = input_->variable(variable);
  if (in_file.shape.product() != count)
    fail(THALWEG_ERROR_FORMAT, "'{}': '{}' has {} numbers, but its attribute '{}' says that they are {}", path_,
         variable, in_file.shape.product(), kept::says, count);
  const put::Field array{reinterpret_cast<const std::byte*>(numbers.data()), Type::float64, in_file.shape,
                         contiguous_strides(in_file.shape, static_cast<std::int64_t>(sizeof(double)))};
  read::get(*input_, variable, {.record = 0}, [&] { return array; });
  return numbers;
}

void CheckpointReader::restore(ChosenCollection& collection, const KeptCollection& now,
                               const std::vector<Field>& fields) {
  std::map<std::string, std::size_t> places;
  std::size_t all = 0;
  for (const KeptCollection& one : kept_)
    for (const auto& [variable, about] : one.variables) {
      if (one.name == now.name) places[variable] = all;
      ++all;
    }
  const std::vector<double> taken = numbers(kept::taken, 2 * static_cast<std::int64_t>(std::max<std::size_t>(1, all)));
  for (Output& output : collection.outputs()) {
    if (!output.is_gathered()) continue;
    const std::vector<Gathered> gathered = gathered_of(output.chosen());
    for (std::size_t of = 0; of < gathered.size(); ++of) {
      const std::size_t variable = places.at(kept_name(output.chosen(), of));
      const Field& field = fields[static_cast<std::size_t>(gathered[of].field)];
      restore(output, of, dimensions_in(session_, field, output.region(), kept::ending_of(now.name)), variable,
              {static_cast<std::int64_t>(taken[2 * variable]), taken[2 * variable + 1]});
    }
  }
}

// Each rank gets as many boxes as the one that has most.
void CheckpointReader::restore(Output& output, std::size_t of, const DefinedDimensions& held, std::size_t variable,
                               const Accumulator::Taken& taken) {
  const std::span<Accumulator> accumulators = output.gathered()->accumulators(of);
  std::vector<std::int64_t> boxes{std::ssize(accumulators)};
  transport::maximum(inputs_.around().circle, boxes);
  std::vector<kept::Of> wanted;
  for (const kept::Of what : kept::all)
    if (kept::has(what, gathered_of(output.chosen())[of].operation)) wanted.push_back(what);
  for (const kept::Of what : wanted)
    input_->declaring(kept::name(what, variable), {.dims = "",
                                                   .decomposition = held.decomposition,
                                                   .memory_dims = held.memory_dims,
                                                   .periodic = "",
                                                   .is_packed = true})(*input_);
  for (std::size_t box = 0; box < static_cast<std::size_t>(boxes[0]); ++box) {
    const bool is_held = box < accumulators.size();
    Accumulator::OfCells cells;
    if (is_held) cells = accumulators[box].of_cells();
    for (const kept::Of what : wanted)
      read::get(*input_, kept::name(what, variable), {0, static_cast<int>(box)}, [&] {
        return is_held ? kept::array_of(kept::in(what, cells), output.variable().held(), box) : put::Field{};
      });
    if (is_held) accumulators[box].restore(taken, std::move(cells));
  }
}

}  // namespace thalweg::fields
