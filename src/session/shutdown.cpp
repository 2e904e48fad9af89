#include "session/shutdown.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "base/names.hpp"
#include "formats/format_file.hpp"
#include "profile/memory.hpp"
#include "storage/part_name.hpp"
#include "storage/partial_name.hpp"
#include "transport/agreement.hpp"
#include "transport/collective.hpp"

namespace thalweg::session {
namespace {

std::int64_t unclosed_boxes(const put::VariablePuts& puts, std::int64_t closed_records) {
  if (!puts.of.has_record) return 0;
  return std::ranges::count_if(puts.next_put, [&](std::int64_t next) { return next > closed_records; });
}

std::vector<profile::DoubtfulPuts> doubtful_puts(const Collection& collection) {
  std::vector<profile::DoubtfulPuts> found;
  for (std::size_t v = 0; v < collection.puts.variables.size(); ++v) {
    const put::VariablePuts& puts = collection.puts.variables[v];
    found.push_back({collection.variable(static_cast<int>(v)).name, puts.missing, puts.out_of_range,
                     unclosed_boxes(puts, collection.schedule.closed_records())});
    if (found.back().count() == 0) found.pop_back();
  }
  return found;
}

// A run that goes on with a file has records before it has begun anything.
bool has_partial_file(const Collection& collection) {
  const std::string& name = collection.schedule.file_name();
  std::error_code unknown;  // whoever ends without 'finish' is told of what is there for certain
  return std::filesystem::exists(name + storage::partial_ending, unknown) ||
         !storage::parts_beside(name, storage::partial_ending).empty();
}

}  // namespace

void Shutdown::publish_all() {
  put_what_is_missing();
  close_files();
  for (const Collection* collection : core_.declared.ready)
    if (is_published_here(*collection)) health::unless_lost([&] { wait_for_files(*collection); });
  settle_files();
  core_.puts.sender.wait(0.001);
  core_.require_all_arrived();
  check_changes_agree();
  core_.take_last_messages();
}

// Another rank may have begun one more file, for a record that is never closed.
void Shutdown::put_what_is_missing() {
  for (Collection* collection : core_.declared.ready)
    if (is_published_here(*collection)) {
      core_.puts.fixed.put_missing(collection->puts, collection->schedule.file_count() > 0);
      core_.puts.fixed.begin_files(collection->puts, collection->named_files + 1);
    }
}

void Shutdown::settle_files() {
  for (const Collection* collection : core_.declared.ready)
    if (is_published_here(*collection))
      health::unless_lost([&] {
        core_.waits.until_heard([&] { return !collection->puts.fixed.is_behind(); },
                                {staging::WaitCause::peers, collection->number, -1, -1},
                                "Values of variables without records wait for earlier files to be written.\n");
      });
}

// After an error in definitions nobody knows what the model would have put into a file without records.
bool Shutdown::has_nothing_to_publish(const Collection& collection) const {
  const files::RecordSchedule& schedule = collection.schedule;
  return definition_error_.has_value() && schedule.closed_records() == 0 && schedule.closed_files() == 0;
}

// Every rank counts the files that its node's writers make: they follow from the schedule alone.
std::int64_t Shutdown::files_of(const Collection& collection) const {
  return has_nothing_to_publish(collection) ? 0 : collection.schedule.file_count();
}

bool Shutdown::is_published_here(const Collection& collection) const {
  return !core_.health.groups.is_given_up(collection.number) && !has_nothing_to_publish(collection);
}

void Shutdown::close_files() {
  for (Collection* collection : core_.declared.ready) {
    if (has_nothing_to_publish(*collection)) continue;
    core_.files.at(*collection, [](files::FileCoordinator& files) { files.finish(); });
    collection->blocks.ask_for(staging::BlockRing::all_moments);
  }
  core_.control().wake_ups.ring();
  for (Collection* collection : core_.declared.ready)
    if (!has_nothing_to_publish(*collection)) mpiio_.finish(*collection);
}

void Shutdown::wait_for_files(const Collection& collection) {
  const files::FileCoordinator* own = core_.files.of(collection);  // may have opened one for a record never closed
  const std::int64_t files = own == nullptr ? files_of(collection) : own->files();
  core_.health.file_waits.until_finished(collection.node_files(), files, collection.schedule.closed_records());
}

void Shutdown::check_changes_agree() {
  const roles::Circle circle = core_.health.groups.circle_at_end();
  if (circle.is_none()) return;
  std::string changed;
  for (const Collection* collection : core_.declared.ready) {
    if (const std::int64_t changes = collection->declaration.changes(); changes > 0)
      changed += fmt::format("collection '{}' after {} changes of attributes\n{}", collection->name, changes,
                             collection->declaration.description());
    changed += collection->declaration.attributes().description_of_added();
  }
  transport::check_same(circle, "changes of attributes", changed);
}

// A thread that hangs in the kernel cannot be ended. What it may still look at stays where it is, until the process
// ends.
void Shutdown::abandon_writer() {
  struct Left {
    std::unique_ptr<writer::Engine> writer;
    std::unique_ptr<block::CommandBook> book;
    std::shared_ptr<transport::ControlSegment> control;
    std::list<staging::StagingMemory> segments;
    std::list<transport::BurstMemory> bursts;
  };
  log::warning("rank {}: the writer hangs in a call to the storage and is left behind", core_.roles->rank);
  new Left{std::move(core_.writer.engine), std::move(core_.writer.book), core_.segment,
           std::move(core_.memory.segments), std::move(core_.memory.bursts)};
}

// Servers tell clients of other nodes, which may hear it before they hear of the failure itself.
std::string Shutdown::why_ended() const {
  const std::string why = "the model ended its session after an error";
  const Error failure = core_.control().failures.failure();
  return failure.code() == THALWEG_OK ? why : fmt::format("{}: {}", why, failure.what());
}

void Shutdown::release() {
  core_.roles->world.patience()->is_broken |=
      core_.control().failures.has_failed() || core_.health.groups.is_any_lost();
  core_.commands.abandon(why_ended());
  core_.puts.sender.end_thread();
  core_.memory.end_mapping();
  if (!core_.stop_writer())
    abandon_writer();
  else if (core_.writer.engine)
    core_.writer.engine->tell_end(has_ended_well_);
  core_.writer.engine.reset();  // with the threads that encode: they work in the segments
  leave_messages();
  core_.files.clear();
  core_.puts.sender.clear();
  core_.puts.fixed.clear();
  core_.health.groups.clear();
  core_.declared.ready.clear();
  core_.declared.collections.clear();
  core_.declared.failed.clear();
  if (has_ended_well_ && !core_.control().failures.has_failed()) core_.memory.give_back(core_.settings.staging);
  core_.memory.segments.clear();
  core_.memory.bursts.clear();
}

// What was sent to servers that are lost, or is under way to or from ranks that are gone, may be looked at by the MPI
// library as long as it lives.
void Shutdown::leave_messages() {
  bool are_under_way = !core_.receiver.cancel();
  are_under_way |= !core_.puts.sender.has_sent_all();
  are_under_way |= core_.health.groups.is_any_lost();
  std::list<staging::StagingMemory>& segments = core_.memory.segments;
  if (are_under_way && !segments.empty()) new std::list<staging::StagingMemory>(std::move(segments));
}

profile::Report Shutdown::end() {
  core_.puts.sender.end_thread();
  core_.stop_writer();
  if (definition_error_) throw *definition_error_;
  warn_of_unopened();
  warn_of_chunks();
  has_ended_well_ = true;
  return report();
}

// What is configured and never opened is likely meant for a collection that the program has under another name.
void Shutdown::warn_of_unopened() const {
  if (!core_.roles->speaks_for_clients()) return;
  std::vector<std::string> opened, unconfigured;
  for (const Collection& collection : core_.declared.collections) {
    opened.push_back(collection.name);
    if (collection.declaration.settings().from_program) unconfigured.push_back(collection.name);
  }
  if (unconfigured.empty()) return;
  for (const auto& [name, settings] : core_.settings.collections)
    if (!settings.from_program && !settings.has_files_of_variables() && std::ranges::find(opened, name) == opened.end())
      log::warning("collection '{}' is configured, but the program has opened none of that name{}", name,
                   name_hint(name, unconfigured));
}

// A dimension of the defaults' chunks that nothing has is likely one that the program has under another name.
void Shutdown::warn_of_chunks() const {
  if (!core_.roles->speaks_for_clients() || core_.declared.ready.empty()) return;
  std::vector<std::string> known;
  for (const Collection* collection : core_.declared.ready) {
    const catalog::Definition& definition = collection->declaration.definition();
    known.push_back(definition.record_dimension);
    for (const catalog::Dimension& dimension : definition.dimensions) known.push_back(dimension.name);
  }
  std::ranges::sort(known);
  known.erase(std::ranges::unique(known).begin(), known.end());
  for (const auto& [name, cells] : core_.settings.defaults.chunks)
    if (!std::ranges::binary_search(known, name))
      log::warning("{}: 'chunks' of the defaults names the dimension '{}', which no collection has{}",
                   core_.settings.where.at("defaults.chunks").label, name, name_hint(name, known));
}

profile::Report Shutdown::report() {
  profile::Report report;
  core_.measured.phases.end();
  report.client = core_.measured.counters;
  report.server = core_.measured.times;
  if (core_.writer.engine) report.writer = core_.writer.engine->counters();
  report.memory_bytes = profile::memory_high_water();
  report.staging_bytes = core_.memory.bytes;
  report.burst_bytes = core_.memory.burst_bytes;
  report.mpi = profile::since(core_.measured.mpi_before);
  report.session_s = now_s() - core_.measured.start_s;
  report.rank = core_.roles->rank;
  report.node = core_.roles->node;
  report.is_writer = core_.writer.engine != nullptr;
  report.is_server = !core_.roles->is_client();
  report.group = core_.roles->self.group;
  for (const Collection* collection : core_.declared.ready)
    report.collections.push_back({collection->name,
                                  collection->schedule.closed_records(),
                                  files_of(*collection),
                                  collection->blocks.own->rings.depth(),
                                  {},
                                  doubtful_puts(*collection)});
  if (core_.writer.engine) core_.writer.engine->add_written(report.collections);
  MpiioWriter::add_to(report, core_.declared.ready);
  profile::join_shares(report);
  return report;
}

// As flush does, and then as wait, but for no other rank.
void Shutdown::commit_what_is_complete() {
  constexpr double patience_s = 1.0;
  if (core_.control().failures.has_failed() || core_.declared.ready.empty()) return;
  try {
    records_.place_all();
    const auto is_written = [](const Collection* collection) {
      return collection->blocks.written_moments() >= collection->schedule.closed_records();
    };
    const double start_s = now_s();
    while (!std::ranges::all_of(core_.declared.ready, is_written) && now_s() - start_s < patience_s &&
           !core_.control().failures.has_failed()) {
      core_.progress();
      core_.control().wake_ups.sleep_until_rung(core_.control().wake_ups.bell(), 0.001);
    }
  } catch (const Error& error) {
    log::warning("rank {}: {}", core_.roles->rank, error.what());
  }
}

std::string Shutdown::left_files() const {
  std::vector<std::string> names;
  for (const Collection* collection : core_.declared.ready) {
    const config::CollectionSettings& settings = collection->declaration.settings();
    if (!settings.format->traits.makes_files() || !has_partial_file(*collection)) continue;
    const bool is_set = collection->file_plan.files_in_set > 0;
    std::string name = fmt::format("'{}{}.partial'", collection->schedule.file_name(), is_set ? ".NNNN" : "");
    if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
  }
  if (names.empty()) return "No file was begun.";
  return fmt::format(
      "Its last files have not got their names: what was committed is in {}, of which 'thalweg recover' makes proper "
      "files, unless the writer has named them since",
      fmt::join(names, ", "));
}

}  // namespace thalweg::session
