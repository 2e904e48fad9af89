#include "session/session.hpp"

#include <algorithm>
#include <span>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "base/names.hpp"
#include "base/seconds.hpp"
#include "session/attribute_changes.hpp"
#include "session/end_of_definitions.hpp"
#include "transport/collective.hpp"

namespace thalweg::session {
namespace {

// For one rank that waits alone: a commit of several records waits for the last, which another rank may put when this
// one goes on only.
void require_commit_of_each_record(const Collection& collection, const config::Settings& settings,
                                   const roles::Roles& roles) {
  if (roles.size > 1 && collection.blocks.are_gathered() && settings.writers != config::Writers::sync)
    fail(THALWEG_ERROR_STATE,
         "collection '{}': its records are gathered, and several of them committed at once, so that one rank cannot "
         "wait for them without the others; call thalweg_wait, on all ranks, or set 'write-behind: {{below: 0 B}}' for "
         "the collection",
         collection.name);
  if (roles.node_count > 1 && settings.drain == config::Drain::on_flush)
    fail(THALWEG_ERROR_STATE,
         "collection '{}': with 'drain: on-flush' other nodes write when they are told to, which one rank cannot do; "
         "call thalweg_wait, on all ranks",
         collection.name);
}

void require_records(const Collection& collection) {
  if (collection.has_failed)
    fail(THALWEG_ERROR_STATE, "collection '{}': its definitions ended with an error, so it has no records",
         collection.name);
}

// Of collections that have just become ready. What has failed for another one before is no matter of theirs.
//
// A model that says when it is ready has its first record at memory speed, and servers take no processor from its first
// steps. One that does not would wait for the mapping in its first put, so there it goes on beside the computing.
void make_first_files(Core& core, std::span<Collection* const> collections, Session::Mapping mapping) {
  core.together_at_storage([&] {
    for (Collection* collection : collections)
      if (files::FileCoordinator* files = core.files.of(*collection)) files->prepare_first_file();
    if (mapping == Session::Mapping::at_once) core.memory.end_mapping();
  });
  // Each by itself: making a file is collective, so a rank that failed before must not be waited for in it.
  for (Collection* collection : collections)
    if (collection->by_mpiio())
      transport::together(core.roles->world, [&] {
        if (collection->mpiio) collection->mpiio->prepare_first_file();
      });
}

// Behind a step: what goes on in the calls of the model, and what is to leave before it goes on.
void go_on(Core& core) {
  core.progress();
  core.puts.sender.wait_if_asked();
  if (core.puts.sender.is_under_way()) ++core.measured.counters.unsent_advances;
  core.puts.sender.drive();
}

}  // namespace

Session::Session(config::Settings settings, std::unique_ptr<roles::Roles> roles)
    : core_(std::move(settings), std::move(roles)),
      clock_(core_.settings, core_.declared, *core_.measured.model),
      given_{*core_.roles, core_.settings, core_.declared.decompositions, core_.declared.content_of},
      plans_(given_, core_.measured.counters),
      definitions_(core_, clock_, plans_),
      putter_({core_.settings, *core_.roles, core_.control().wake_ups, core_.waits, core_.arrival, core_.puts.sender,
               core_.measured.counters, [this] { core_.progress(); }}),
      mpiio_(*core_.roles, core_.control().wake_ups, core_.control().failures, core_.waits, core_.health.file_waits,
             core_.health.failures, core_.measured.counters),
      records_(core_, putter_, mpiio_),
      continued_(core_, putter_, records_),
      puts_(core_, putter_, records_, continued_),
      steps_(*core_.roles, core_.control().processes,
             [this](int collection) { return core_.declared.title_of(collection, -1); }),
      shutdown_(core_, records_, mpiio_) {}

Session::~Session() {
  shutdown_.release();
}

// ---- definitions end

void Session::ready(Mapping mapping, std::optional<std::int64_t> kept_bytes) {
  const std::size_t were_ready = core_.declared.ready.size();
  set_up(mapping, kept_bytes.value_or(bytes_for_sketches(core_)));
  const auto became_ready = std::span(core_.declared.ready).subspan(were_ready);
  for (Collection* collection : became_ready) continued_.take_over(*collection);
  // A file that goes on may be replaced by what a quick rank puts alone, when all have read the earlier one.
  if (std::ranges::any_of(became_ready, [](const Collection* of) { return of->continued.has_value(); }))
    core_.meet_for_definitions();
  puts_.make_early();
}

void Session::set_up(Mapping mapping, std::int64_t kept_bytes) {
  core_.health.failures.throw_if_failed();
  core_.commands.tell(commands::Ready{mapping == Mapping::at_once, kept_bytes});
  const Timer timer(core_.measured.counters.ready_s);
  const profile::Phases::Phase phase(core_.measured.phases, core_.measured.times.define_s);
  const profile::InMpiPhase counted(profile::MpiPhase::definitions);
  if (may_want_rooms_of_bursts(core_)) {
    records_.place_all();
    records_.wait_until_written();
  }
  // Behind the first advance a rank may be alone with what it has defined.
  if (clock_.has_advanced()) core_.health.failures.concern_all([&] { steps_.meet(); });
  core_.meet_for_definitions();
  const bool has_thread = core_.settings.writers != config::Writers::sync && core_.writer.engine;
  if (has_thread && !core_.stop_writer())
    core_.control().failures.report(THALWEG_ERROR_DEADLINE, "the writer hangs in a call to the storage");
  core_.health.failures.throw_if_failed();
  struct GoOn {
    Core* core;
    ~GoOn() {
      if (core != nullptr) core->start_writer();
    }
  } go_on{has_thread ? &core_ : nullptr};
  end_definitions(mapping, kept_bytes);
  core_.puts.sender.start_thread();
}

// Whatever comes of it, definitions are over: collections that were ready before are written to their end, a put to one
// that is not says so, and finish repeats why.
void Session::end_definitions(Mapping mapping, std::int64_t kept_bytes) {
  core_.declared.has_new = false;
  const std::vector<Collection*>& ready = core_.declared.ready;
  const std::size_t were_ready = ready.size();
  try {
    prepare_collections(core_, given_, plans_, loads_, kept_bytes);
    core_.set_pump();
    core_.receiver.look_at_early_pieces();
    continued_.find(std::span(ready).subspan(were_ready), clock_.is_told());
    make_first_files(core_, std::span(ready).subspan(were_ready), mapping);
  } catch (const Error& error) {
    shutdown_.note_definition_error(error);
    std::list<Collection>& all = core_.declared.collections;
    while (!all.empty() && !all.back().is_ready()) core_.declared.give_up(all.back());
    throw;
  }
}

// ---- the model runs

// Definitions end with the first of these calls, which all clients make.
void Session::begin_call() {
  core_.health.failures.throw_if_failed();
  if (core_.declared.has_new) ready(Mapping::in_background);
}

void Session::set_time(TimeOf of, double time_s) {
  if (of == TimeOf::end) {
    clock_.require_end(time_s);
    core_.commands.tell(commands::SetEndTime{time_s});
    clock_.set_end(time_s);
    return steps_.end_at(time_s);
  }
  clock_.require_start(time_s);
  for (const Collection* collection : core_.declared.ready)
    continued_.require_open_choice(*collection, "thalweg_set_time");
  core_.commands.tell(commands::SetTime{time_s});
  clock_.set(time_s);
  steps_.begin(time_s);
}

void Session::put(Collection& collection, std::string_view variable, int box, const put::Field& field) {
  core_.health.failures.throw_if_failed();
  clock_.run();
  puts_.put(collection, variable, box, field);
}

void Session::advance(double time_s) {
  begin_call();
  clock_.require_step(time_s);
  for (const Collection* collection : core_.declared.ready) records_.require_name_at(*collection, time_s);
  clock_.run();
  core_.health.failures.concern_all([&] { steps_.make({.time_s = time_s}); });
  core_.commands.tell(commands::Advance{time_s});
  for (Collection* collection : core_.declared.ready) {
    if (collection->shares.size() > 1 && collection->schedule.closes(time_s)) records_.pass_turn(*collection);
    if (!core_.health.groups.is_given_up(collection->number))
      health::unless_lost([&] { records_.close_at(*collection, time_s); });
    collection->schedule.advance(time_s);
    core_.receiver.look_at_early_pieces();
  }
  clock_.step(time_s);
  go_on(core_);
  if (const auto error = take_not_put()) throw *error;
}

void Session::record(Collection& collection, double time_s, files::Closing closing) {
  begin_call();
  require_records(collection);
  Collection& share = collection.upcoming_share();
  const bool has_record = closing == files::Closing::record;
  clock_.require_record(share, time_s);
  if (has_record) records_.require_name(share);
  clock_.run();
  core_.health.failures.concern_all([&] { steps_.make({time_s, collection.number}); });
  core_.commands.tell(commands::Record{collection.number, time_s, !has_record});
  if (has_record) records_.pass_turn(collection);
  if (has_record && !core_.health.groups.is_given_up(share.number))
    health::unless_lost([&] { records_.close(share, time_s); });
  for (Collection* each : collection.shares) each->schedule.close(time_s, closing);
  core_.receiver.look_at_early_pieces();
  go_on(core_);
  if (collection.schedule.interval()) return;  // the advance that comes to its end says so, when all are closed
  if (const auto error = take_not_put()) throw *error;
}

std::optional<Error> Session::take_not_put() {
  std::optional<Error> first;
  for (Collection* collection : core_.declared.ready)
    if (const auto error = std::exchange(collection->puts.not_put, std::nullopt); error && !first) first = error;
  return first;
}

void Session::new_file(Collection& collection, const std::string& name) {
  require_records(collection);
  if (name.empty()) fail(THALWEG_ERROR_ARGUMENT, "collection '{}': the new file needs a name", collection.name);
  if (collection.declaration.settings().cycle > 0)
    fail(THALWEG_ERROR_STATE,
         "collection '{}': the new file '{}' cannot be named, because its files are written in turn and have the names "
         "of '{}'; leave 'cycle' out",
         collection.name, name, collection.declaration.settings().file);
  if (collection.upcoming_share().has_begun_record())
    fail(
        THALWEG_ERROR_STATE,
        "collection '{}': the new file '{}' begins with a record that has fields already; name it before the first put "
        "behind the call that closed the last one",
        collection.name, name);
  continued_.require_open_choice(collection, "the first thalweg_new_file");
  records_.require_free_name(collection, name);
  steps_.name_file(collection.number, name);
  for (Collection* share : collection.shares) share->schedule.set_next_file(name);
  core_.commands.tell(commands::NewFile{collection.number, name});
}

void Session::close_file(Collection& collection, Behind behind) {
  begin_call();
  require_records(collection);
  if (collection.upcoming_share().has_begun_record())
    fail(THALWEG_ERROR_STATE,
         "collection '{}': its file '{}' cannot be closed, because the coming record has fields already; close the "
         "record first (thalweg_record, thalweg_advance)",
         collection.name, collection.schedule.file_name());
  const bool is_last = behind == Behind::nothing, has_file = !is_last || collection.has_open_file();
  Collection& share = has_file ? collection.ending_share() : collection;
  clock_.run();
  core_.health.failures.concern_all([&] { steps_.make(staging::ModelStep::closing(collection.number)); });
  core_.commands.tell(commands::CloseFile{collection.number, is_last});
  if (has_file && !core_.health.groups.is_given_up(share.number))
    health::unless_lost([&] { records_.close_file(share); });
  for (Collection* each : collection.shares) {
    if (has_file) each->schedule.close_file();
    if (is_last) records_.end(*each);
  }
  go_on(core_);
}

void Session::give_attribute(GivenTo files, Collection& collection, const std::string& variable,
                             const catalog::Attribute& attribute) {
  const std::string owner = collection.declaration.owner_in_files(variable);
  if (files == GivenTo::coming_files) {
    change_attribute(collection, owner, attribute);
    return core_.commands.tell(commands::ChangeAttribute{{collection.number, variable, attribute}});
  }
  Collection& open = collection.open_share();
  const auto given = add_attribute(collection, owner, attribute, core_.roles->speaks_for_clients());
  core_.commands.tell(commands::AddAttribute{{collection.number, variable, attribute}});
  if (given) core_.files.at(open, [&](files::FileCoordinator& of) { of.give(*given); });
}

void Session::flush() {
  core_.health.failures.throw_if_failed();
  clock_.run();
  core_.commands.tell(commands::Flush{});
  records_.place_all();
}

void Session::wait() {
  begin_call();
  clock_.run();
  core_.commands.tell(commands::Wait{});
  core_.health.failures.concern_all([&] { steps_.meet(); });
  records_.place_all();
  const Timer timer(core_.measured.counters.wait_commit_s);
  core_.require_all_arrived();
  steps_.check(circle_at_end());  // before records are waited for that another rank has not closed
  records_.wait_until_written();
  core_.require_all_arrived();
  for (Collection* collection : core_.declared.ready)
    if (!core_.health.groups.is_given_up(collection->number))
      collection->standing.committed_records = collection->schedule.closed_records();
  if (const auto lost = loss()) throw *lost;
}

void Session::wait_for(Collection& collection) {
  require_records(collection);
  if (!collection.is_ready()) return;  // it has no record yet
  if (!collection.blocks.are_written_here())
    fail(THALWEG_ERROR_STATE,
         "collection '{}': no writer on the node of rank {} has a part in its files, so what is written is not known "
         "here; call thalweg_wait, on all ranks",
         collection.name, core_.roles->rank);
  require_commit_of_each_record(collection, core_.settings, *core_.roles);
  for (Collection* share : collection.shares) records_.place(*share);
  const Timer timer(core_.measured.counters.wait_commit_s);
  for (Collection* share : collection.shares)
    core_.health.file_waits.until_written_alone(share->node_files(), share->schedule.closed_records());
}

// ---- the end

profile::Report Session::finish() {
  core_.health.failures.throw_if_failed();
  const double start_s = thalweg::now_s();  // and not the model's time
  const profile::Phases::Phase phase(core_.measured.phases, core_.measured.times.clean_up_s);
  if (core_.declared.has_new) ready(Mapping::in_background);
  if (core_.roles->speaks_for_clients()) clock_.note_end();
  core_.commands.tell(commands::Finish{});
  core_.commands.end();
  core_.health.failures.concern_all([&] { steps_.meet(); });
  core_.require_all_arrived();
  steps_.check(circle_at_end());
  shutdown_.publish_all();
  core_.measured.counters.finish_s.add(start_s, thalweg::now_s());
  return shutdown_.end();
}

void Session::meet_end_of_mpi() {
  constexpr const char* what =
      "MPI_Finalize was called before thalweg_finish; call thalweg_finish first, on every rank";
  core_.puts.sender.end_thread();
  shutdown_.commit_what_is_complete();
  if (core_.roles->speaks_for_clients()) log::warning("{}. {}", what, shutdown_.left_files());
  abandon(what);
}

// Not for the end of a session that all ranks see: those that are a little behind would hear of it before they see it.
void Session::abandon(const std::string& why) {
  if (core_.commands.has_ended()) return;
  core_.control().failures.report(THALWEG_ERROR_PEER, fmt::format("rank {}: {}", core_.roles->rank, why));
  core_.health.failures.spread_now();
  core_.commands.abandon(why);
}

}  // namespace thalweg::session
