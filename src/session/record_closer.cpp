#include "session/record_closer.hpp"

#include <algorithm>

#include "base/seconds.hpp"
#include "base/subject.hpp"

namespace thalweg::session {
namespace {

// Of a cycle: so many leading files have to be finished before this one has its name. 0: nobody had it before.
std::int64_t files_before_it(const Collection& collection, const files::Upcoming& upcoming) {
  const std::int64_t cycle = collection.declaration.settings().cycle;
  return cycle == 0 ? 0 : std::max<std::int64_t>(0, upcoming.file - cycle + 1);
}

}  // namespace

void RecordCloser::begin(Collection& collection) {
  const files::Upcoming& upcoming = collection.schedule.upcoming();
  const Concerns about(collection.word, upcoming.record);
  collection.require_record(upcoming);
  require_name(collection);
  claim_name(collection, upcoming);
  await_turn(collection, upcoming);
  core_.files.at(collection, [&](files::FileCoordinator& files) { files.begin_record(upcoming); });
  core_.puts.fixed.begin_files(collection.puts, collection.named_files);
}

void RecordCloser::require_name(const Collection& collection) const {
  const files::Upcoming& upcoming = collection.schedule.upcoming();
  if (!upcoming.opens_file || collection.named_files > upcoming.file) return;
  if (upcoming.file_name.empty() && collection.declaration.settings().one_record)
    fail(THALWEG_ERROR_STATE,
         "collection '{}': each record is a file of its own ('record-dimension: none'), behind '{}', and the "
         "program has not named the next one; call thalweg_new_file before each record",
         collection.name, collection.schedule.file_name());
  if (upcoming.file_name.empty())
    fail(THALWEG_ERROR_STATE,
         "collection '{}': its file '{}' is closed, and the program has not named the next one; call thalweg_new_file "
         "before the first put behind thalweg_close_file",
         collection.name, collection.schedule.file_name());
  if (files_before_it(collection, upcoming) == 0) require_free_name(collection, upcoming.file_name);
}

void RecordCloser::require_name_at(const Collection& collection, double time_s) const {
  const files::Upcoming& upcoming = collection.schedule.upcoming();
  if (upcoming.due && upcoming.opens_file && collection.schedule.closes(time_s)) require_name(collection);
}

void RecordCloser::claim_name(Collection& collection, const files::Upcoming& upcoming) {
  if (!upcoming.opens_file || collection.named_files > upcoming.file) return;
  if (!collection.callback && files_before_it(collection, upcoming) == 0)
    names_.claim(collection.name, collection.series().path_of(upcoming.file_name));
  collection.named_files = upcoming.file + 1;
}

// A name that comes again is free when the file that has it is finished.
void RecordCloser::await_turn(const Collection& collection, const files::Upcoming& upcoming) {
  const std::int64_t files = files_before_it(collection, upcoming);  // each of one record
  if (files == 0 || core_.files.of(collection) == nullptr || collection.blocks.has_finished(files)) return;
  const Timer timer(core_.measured.counters.wait_block_s);
  collection.blocks.ask_for(files);  // with 'drain: on-flush' nobody else does
  set_going();
  core_.health.file_waits.until_finished(collection.node_files(), files, files);
}

void RecordCloser::require_free_name(const Collection& collection, const std::string& name) const {
  if (!collection.callback) names_.require_free(collection.name, collection.series().path_of(name));
}

void RecordCloser::pass_turn(const Shares& of) {
  if (of.shares.size() < 2 || !of.upcoming_share().schedule.upcoming().opens_file) return;
  for (Collection* other : of.shares)
    if (other != &of.upcoming_share()) core_.files.at(*other, [](files::FileCoordinator& files) { files.pass_turn(); });
}

void RecordCloser::close_at(Collection& collection, double time_s) {
  if (collection.schedule.upcoming().due && collection.schedule.closes(time_s)) close(collection, time_s);
}

// A file of one record ends with it, and with what it has by then of variables without records.
void RecordCloser::close(Collection& collection, double time_s) {
  const files::Upcoming upcoming = collection.schedule.upcoming();
  const Concerns about(collection.word, upcoming.record);
  putter_.put_missing(collection.puts, upcoming.moment());
  if (collection.blocks.own->files.ends_with_record()) core_.puts.fixed.put_missing(collection.puts);
  begin(collection);
  putter_.put_record_coordinate(collection.puts, time_s, upcoming.moment());
  end_record(collection, time_s);
  if (collection.by_mpiio()) mpiio_.write(collection, upcoming);
  collection.keep_index(upcoming);
  ++core_.measured.counters.records;
  if (collection.by_mpiio()) return;
  make_room(collection, upcoming.record);
  if (core_.settings.writers != config::Writers::sync) return;
  const Timer timer(core_.measured.counters.wait_commit_s);
  core_.health.file_waits.until_written(collection.node_files(), upcoming.record + 1);
}

// What the file has of variables without records is all there is: as at the end, what was not put of them is filled.
void RecordCloser::close_file(Collection& collection) {
  const Concerns about(collection.word, -1);
  const files::Upcoming ending = collection.schedule.ending();
  claim_name(collection, ending);
  core_.puts.fixed.put_missing(collection.puts);
  core_.files.at(collection, [&](files::FileCoordinator& files) { files.close_file(ending); });
  core_.puts.fixed.begin_files(collection.puts, collection.named_files);
  if (collection.by_mpiio())
    mpiio_.close_file(collection, ending);
  else
    place(collection);
}

// Whoever follows has the names of a cycle again; and a procedure is told of one file after the other.
void RecordCloser::end(Collection& collection) {
  const bool is_cycle = collection.declaration.settings().cycle > 0;
  if (is_cycle || collection.callback) finish_files(collection);
  if (is_cycle) names_.release(collection.name);
  collection.schedule.end();
}

void RecordCloser::finish_files(Collection& collection) {
  if (core_.files.of(collection) == nullptr || core_.health.groups.is_given_up(collection.number)) return;
  const files::RecordSchedule& schedule = collection.schedule;
  place(collection);
  health::unless_lost([&] {
    core_.health.file_waits.until_finished(collection.node_files(), schedule.closed_files(), schedule.closed_records());
  });
}

void RecordCloser::end_record(Collection& collection, double time_s) {
  core_.files.at(collection, [&](files::FileCoordinator& files) {
    files.end_record(time_s);
    if (core_.settings.writers == config::Writers::sync) files.place_pending();
    core_.control().wake_ups.ring();
  });
}

// Messages and the places of chunks go on only while this rank is in a call of Thalweg, and behind this one it may wait
// in the model's own communication for ranks that wait for them. So it does not leave before everybody can put as far
// as it has: pieces are taken that keep a buffer or a block from the next record, and records have their places whose
// blocks that needs. A rank that holds cells of the collection meets the same limits in its puts; one without would
// not. Those who send to it and wait until that has left need one more buffer.
void RecordCloser::make_room(Collection& collection, std::int64_t record) {
  if (!core_.roles->is_client()) return;  // a server is always in a call
  const std::int64_t needed = record + 2 - collection.blocks.own->rings.depth();
  const std::int64_t buffers = transport::channel_buffers - (core_.settings.send == config::Send::wait ? 1 : 0);
  const files::FileCoordinator* files = core_.files.of(collection);
  const receive::Inbox* late = nullptr;
  const auto is_late = [&](const receive::Inbox& inbox) {
    return inbox.has_record && inbox.channel.next_record() < std::max(needed, record - buffers);
  };
  const auto done = [&] {
    const auto found = std::ranges::find_if(collection.inboxes.all, is_late);
    late = found == collection.inboxes.all.end() ? nullptr : &*found;
    return late == nullptr && (files == nullptr || !files->owes(needed));
  };
  if (done()) return;
  const Timer timer(core_.measured.counters.wait_block_s);
  core_.waits.until_heard(done,
                          {staging::WaitCause::peers, collection.number, late == nullptr ? -1 : late->variable, record},
                          late == nullptr ? "Encoded chunks of an earlier record are not complete.\n"
                                          : "Pieces of an earlier record have not come.\n");
}

void RecordCloser::place_all() {
  for (Collection* collection : core_.declared.ready) ask_for(*collection);
  set_going();
}

void RecordCloser::place(Collection& collection) {
  ask_for(collection);
  set_going();
}

void RecordCloser::ask_for(Collection& collection) {
  core_.files.at(collection, [](files::FileCoordinator& files) { files.place_pending(); });
  collection.blocks.ask_for(std::max(collection.begun_records, collection.schedule.closed_records()));
}

void RecordCloser::set_going() {
  core_.progress();
  core_.control().wake_ups.ring();
  core_.puts.sender.drive();
}

void RecordCloser::wait_until_written() {
  for (const Collection* collection : core_.declared.ready)
    if (!core_.health.groups.is_given_up(collection->number))
      health::unless_lost([&] {
        const files::RecordSchedule& schedule = collection->schedule;
        core_.health.file_waits.until_written(collection->node_files(), schedule.closed_records());
        if (schedule.closed_files() > 0)
          core_.health.file_waits.until_finished(collection->node_files(), schedule.closed_files(),
                                                 schedule.closed_records());
      });
}

}  // namespace thalweg::session
