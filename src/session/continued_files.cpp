#include "session/continued_files.hpp"

#include <algorithm>
#include <cstring>
#include <tuple>
#include <variant>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "base/names.hpp"
#include "files/cycle.hpp"
#include "files/read_points.hpp"
#include "put/stored_field.hpp"
#include "roles/meeting.hpp"
#include "sets/set_file.hpp"
#include "storage/checksum_file.hpp"
#include "storage/checksum_reading.hpp"
#include "storage/file_identity.hpp"
#include "transform/copy.hpp"
#include "transport/agreement.hpp"
#include "transport/typed_messages.hpp"

namespace thalweg::session {
namespace {

// One rank looks, and all hear what it found.
struct NoEarlierFile {
  static auto members() { return std::tie(); }
};
using Found = std::variant<NoEarlierFile, files::Continued>;

bool is_filled(std::span<const std::byte> values, const put::PutVariable& of) {
  const std::size_t element_bytes = size_of(of.type);
  for (std::size_t at = 0; at < values.size(); at += element_bytes)
    if (std::memcmp(values.data() + at, of.fill.data(), element_bytes) != 0) return false;
  return true;
}

bool goes_on(const Collection& collection) {
  return collection.declaration.settings().append == config::Append::go_on;
}

bool goes_on_from_checkpoint(const Collection& collection) {
  return files::kept_in(collection.schedule.interval()) != nullptr;
}

}  // namespace

// ---- which file

void ContinuedFiles::find(std::span<Collection* const> collections, bool is_told) {
  for (Collection* collection : collections) {
    if (goes_on(*collection)) find(*collection, is_told);
    if (collection->declaration.settings().cycle > 0 && !collection->callback && !collection->is_successor)
      find_turn(*collection, is_told);
  }
}

void ContinuedFiles::find_turn(Collection& collection, bool is_told) {
  const config::CollectionSettings& settings = collection.declaration.settings();
  const files::RecordSchedule& schedule = collection.schedule;
  const auto path_of = [&](std::int64_t number) {
    return collection.series().path_of(fill_template(settings.file, Calendar::standard, Date{}, number + 1));
  };
  std::int64_t first = 0;
  core_.together_at_storage([&] {
    if (core_.roles->rank == 0)
      first = files::first_of_cycle(
          collection.name, settings.cycle, path_of,
          {schedule.origin().calendar, schedule.origin().reference, schedule.clock().start_s()}, is_told);
  });
  roles::broadcast_value(core_.roles->world, 0, first);
  collection.schedule.begin_cycle_at(first);
}

void ContinuedFiles::find(Collection& collection, bool is_told) {
  collection.schedule.expect_earlier(true);
  const std::string name = collection.schedule.upcoming().file_name;
  collection.schedule.expect_earlier(false);
  const bool is_set = collection.file_plan.files_in_set > 0;
  Found message;
  core_.together_at_storage([&] {
    if (core_.roles->rank != 0) return;
    if (const std::string before = collection.schedule.file_before_start(); !before.empty() && before != name)
      files::complete_unfinished({collection.series(), before, is_set, is_told});
    if (std::optional<files::Continued> earlier = files::find_earlier({collection.series(), name, is_set, is_told}))
      message = std::move(*earlier);
    if (const auto* earlier = std::get_if<files::Continued>(&message)) {
      require_sums(collection, *earlier);
      require_kept(collection, *earlier);
    }
  });
  message = transport::unpack<Found>(transport::broadcast(core_.roles->world, 0, transport::pack(std::move(message))));
  auto* found = std::get_if<files::Continued>(&message);
  if (found == nullptr) return;
  if (found->dropped > 0 || !found->times_s.empty()) say(collection, *found);
  if (found->times_s.empty() && found->dropped > 0 && !goes_on_from_checkpoint(collection)) return;  // it is replaced
  collection.continued = std::move(*found);
  expect_sums(collection);
}

// On the writer that owns the file. Parts of a set may be cut otherwise than the earlier ones.
void ContinuedFiles::expect_sums(const Collection& collection) const {
  const block::FileRules& rules = collection.blocks.own->files;
  if (!core_.writer.engine || !rules.owned || !rules.summed || collection.continued->is_set) return;
  std::optional<std::vector<block::Sums>> records =
      storage::read_record_sums(collection.continued->path, *rules.summed);
  if (!records) return;
  records->resize(std::min(records->size(), collection.continued->times_s.size()));
  core_.writer.book->send(block::ExpectSums{collection.number, 0, *std::move(records), collection.continued->path});
}

// Values that nobody can compare would get sums by which they are right from then on.
void ContinuedFiles::require_sums(const Collection& collection, const files::Continued& found) {
  const std::string fault = found.is_set ? "" : storage::fault_of_sums(found.path);
  if (fault.empty()) return;
  fail(THALWEG_ERROR_FORMAT,
       "collection '{}': with 'append: continue' it would go on with '{}', but whether its values are as they were "
       "written cannot be told: '{}' cannot be understood: {}; take both from a copy, or delete it if nobody needs it",
       collection.name, found.path, storage::checksum_path(found.path), fault);
}

// A file whose name says no date has all that earlier runs have written.
void ContinuedFiles::require_kept(const Collection& collection, const files::Continued& found) {
  const std::string& file = collection.declaration.settings().file;
  if (goes_on_from_checkpoint(collection)) return;  // which says how many are kept
  if (!found.times_s.empty() || found.dropped == 0 || is_template(file) ||
      found.name != collection.series().path_of(file))
    return;
  fail(THALWEG_ERROR_STATE,
       "collection '{}': with 'append: continue' it would go on with '{}', but none of its {} is from before the "
       "start of this run ({}), so that nothing of it would be kept; say when the run starts (thalweg_set_time), move "
       "the file away, or set 'append: new', which replaces it",
       collection.name, found.path, counted(found.dropped, "record"),
       to_string(collection.schedule.origin().date_at(collection.schedule.clock().start_s())));
}

void ContinuedFiles::say(const Collection& collection, const files::Continued& found) const {
  if (!core_.roles->speaks_for_clients()) return;
  const auto date = [&](double time_s) { return to_string(collection.schedule.origin().date_at(time_s)); };
  if (found.times_s.empty() && goes_on_from_checkpoint(collection))
    return log::note(
        "collection '{}': goes on with the first interval of '{}', as the checkpoint has it; {}, up to {}, left out",
        collection.name, found.path, counted(found.dropped, "record"), date(found.last_s));
  if (found.times_s.empty())
    return log::warning(
        "collection '{}': '{}' has {}, none of them from before the start of this run ({}), so it will be replaced by "
        "a file without them",
        collection.name, found.path, counted(found.dropped, "record"), date(collection.schedule.clock().start_s()));
  const std::string dropped = found.dropped == 0 ? ""
                                                 : fmt::format("; {}, up to {}, left out",
                                                               counted(found.dropped, "later one"), date(found.last_s));
  log::note("collection '{}': goes on with '{}', {} up to {}{}", collection.name, found.path,
            counted(std::ssize(found.times_s), "record"), date(found.times_s.back()), dropped);
}

void ContinuedFiles::require_open_choice(const Collection& collection, const char* call) const {
  if (!goes_on(collection) || !collection.is_ready()) return;
  const std::int64_t earlier = collection.continued ? std::ssize(collection.continued->times_s) : 0;
  if (collection.schedule.closed_records() > earlier || collection.schedule.closed_files() > 0) return;
  fail(THALWEG_ERROR_STATE,
       "collection '{}': with 'append: continue', {} comes before definitions end (thalweg_ready), because it says "
       "which file goes on, and from where",
       collection.name, call);
}

// ---- its records

void ContinuedFiles::take_over(Collection& collection) {
  if (!collection.continued || core_.health.groups.is_given_up(collection.number)) return;
  const files::Continued& earlier = *collection.continued;
  const double start_s = now_s();
  core_.health.failures.concern_all([&] {
    const std::unique_ptr<formats::ReadableFile> file = sets::open_whole(earlier.path, earlier.is_set);
    require_same(collection);
    for (int v = 0; v < std::ssize(collection.puts.variables); ++v)
      if (!collection.variable(v).has_record) put_variable(collection, v, *file, 0, block::Moment::fixed());
    collection.schedule.expect_earlier(true);
    for (std::int64_t record = 0; record < std::ssize(earlier.times_s); ++record)
      put_again(collection, *file, record, earlier.times_s[static_cast<std::size_t>(record)]);
    collection.schedule.expect_earlier(false);
    require_same(collection);
  });
  log::debug("rank {}, collection '{}': put {} records of '{}' again in {:.3f} s", core_.roles->rank, collection.name,
             earlier.times_s.size(), earlier.path, now_s() - start_s);
}

void ContinuedFiles::put_again(Collection& collection, formats::ReadableFile& file, std::int64_t record,
                               double time_s) {
  health::unless_lost([&] {
    records_.begin(collection);
    const files::Upcoming upcoming = collection.schedule.upcoming();
    collection.begun_records = upcoming.record + 1;
    for (int v = 0; v < std::ssize(collection.puts.variables); ++v)
      if (collection.variable(v).has_record) put_variable(collection, v, file, record, upcoming.moment());
    records_.close(collection, time_s);
  });
  collection.schedule.close(time_s);
  core_.receiver.look_at_early_pieces();
}

// Another job may have replaced the file between the look at it and the lock of its name, which is held since the first
// record.
void ContinuedFiles::require_same(const Collection& collection) {
  const files::Continued& earlier = *collection.continued;
  if (earlier.is_set || storage::identity_at(earlier.path) == earlier.identity) return;
  fail(THALWEG_ERROR_STORAGE,
       "collection '{}': '{}', with which it goes on, became another file meanwhile; another job has written it, or "
       "somebody moved it: start this run again",
       collection.name, earlier.path);
}

bool ContinuedFiles::keeps(const Collection& collection, int variable, int box) {
  if (!collection.continued || collection.variable(variable).has_record) return false;
  if (collection.schedule.closed_records() > std::ssize(collection.continued->times_s)) return false;
  const put::VariablePuts& puts = collection.puts.variables[static_cast<std::size_t>(variable)];
  return box < 0 || box >= std::ssize(puts.next_put) || puts.next_put[static_cast<std::size_t>(box)] > 0;
}

// Values that are rounded are others in any file.
void ContinuedFiles::compare(const Collection& collection, int variable, int number, const put::Field& field) {
  const put::VariablePuts& puts = collection.puts.variables[static_cast<std::size_t>(variable)];
  if (puts.boxes.empty()) return;
  put::require_box(puts.of, number, puts.boxes.size());
  const Box& box = puts.boxes[static_cast<std::size_t>(number)].box;
  const put::StoredField from = put::stored(puts.of, box, field);
  if (collection.file_plan.definition.variable(variable).encoding.rounds()) return;
  std::vector<std::byte> now(static_cast<std::size_t>(box.cells()) * size_of(puts.of.type));
  const Index stride = contiguous_strides(box.count, static_cast<std::int64_t>(size_of(puts.of.type)));
  transform::copy_box({box.count, from.view.stride, stride, from.field.type, puts.of.type, false},
                      from.field.data + from.view.offset, now.data());
  values_ = now;  // points that this rank does not own stay equal
  try {
    const std::unique_ptr<formats::ReadableFile> file =
        sets::open_whole(collection.continued->path, collection.continued->is_set);
    read(collection, variable, *file, 0, box, values_);
  } catch (const Error& error) {
    log::debug("{}: cannot be compared with '{}': {}", puts.of.where, collection.continued->path, error.what());
    return;
  }
  if (values_ == now || !differing_.insert({collection.number, variable}).second) return;
  log::warning(
      "{}: it has no records and other values than in '{}', which goes on and keeps its own; give this run's file "
      "another name to have the new ones",
      puts.of.where, collection.continued->path);
}

void ContinuedFiles::put_variable(Collection& collection, int variable, formats::ReadableFile& file,
                                  std::int64_t record, const block::Moment& moment) {
  const put::VariablePuts& puts = collection.puts.variables[static_cast<std::size_t>(variable)];
  if (!puts.of.is_held || variable == collection.puts.own_coordinate) return;
  for (std::size_t b = 0; b < puts.boxes.size(); ++b) {
    const Box& box = puts.boxes[b].box;
    values_.resize(static_cast<std::size_t>(box.cells()) * size_of(puts.of.type));
    read(collection, variable, file, record, box, values_);
    if (!puts.of.has_record && is_filled(values_, puts.of)) continue;  // it was not put, and may be now
    const put::Field field = put::contiguous_field(values_.data(), puts.of.type, box.count, puts.of.rules);
    if (puts.of.has_record)
      putter_.put(collection.puts, variable, static_cast<int>(b), field, moment);
    else
      core_.puts.fixed.put(collection.puts, variable, static_cast<int>(b), field, collection.named_files);
  }
}

void ContinuedFiles::read(const Collection& collection, int variable, formats::ReadableFile& file, std::int64_t record,
                          const Box& box, std::span<std::byte> values) const {
  const int in_file = file.definition().find(collection.variable(variable).name);
  const catalog::ModelSide& side = collection.declaration.model_side(variable);
  const geometry::IndexList* list =
      side.decomposition < 0 ? nullptr
                             : core_.declared.decompositions[static_cast<std::size_t>(side.decomposition)].list.get();
  if (list == nullptr) return file.read(in_file, record, box, values);
  const auto along = static_cast<int>(std::ranges::find(side.decomposed, 0) - side.decomposed.begin());
  files::read_points(file, in_file, record, box.count, {along, collection.variable(variable).joined}, list->runs,
                     values);
}

}  // namespace thalweg::session
