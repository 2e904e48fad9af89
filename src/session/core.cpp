#include "session/core.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <filesystem>
#include <thread>

#include "base/clock.hpp"
#include "base/date_clock.hpp"
#include "base/host_name.hpp"
#include "base/log.hpp"
#include "base/names.hpp"
#include "mpiio/ompio.hpp"
#include "session/group_blame.hpp"
#include "transport/agreement.hpp"
#include "transport/collective.hpp"
#include "transport/mailbox.hpp"

namespace thalweg::session {
namespace {

std::string status_path(const config::Settings& settings, int rank) {
  const std::string source = std::filesystem::path(settings.source).stem();
  return std::filesystem::path(settings.status) / fmt::format("{}.{}.json", source.empty() ? "thalweg" : source, rank);
}

int count_writers(const roles::Roles& roles) {
  std::size_t writers = 0;
  for (int node = 0; node < roles.node_count; ++node) writers += roles.groups.writers_on(node).size();
  return static_cast<int>(writers);
}

writer::StatusOptions status_options(const config::Settings& settings, const roles::Roles& roles,
                                     std::shared_ptr<const profile::ModelProgress> model) {
  const int writers = count_writers(roles);
  // However many write, the file system gets no more than a hundred of these files a second.
  const double interval_s = std::max(1.0, 0.01 * writers);
  return {.path = status_path(settings, roles.rank),
          .origin = {.run = settings.session_id,
                     .configuration = settings.source,
                     .host = host_name(),
                     .pid = ::getpid(),
                     .rank = roles.rank,
                     .ranks = roles.size,
                     .writers = writers,
                     .node = roles.node,
                     .is_server = !roles.is_client(),
                     .started = seconds_since_1970(),
                     .interval_s = interval_s,
                     .longest_s = 10 * interval_s},
          .model = std::move(model)};
}

writer::EngineOptions engine_options(const config::Settings& settings, const roles::Roles& roles,
                                     const std::vector<int>& processors,
                                     std::shared_ptr<const profile::ModelProgress> model) {
  writer::EngineOptions options;
  // As many threads as the node's ranks have processors, unless the configuration says a number.
  options.threads = static_cast<int>(settings.writer_threads > 0 ? settings.writer_threads : std::ssize(processors));
  options.processors = processors;
  options.bytes_per_s = settings.rate_limit;
  if (settings.when_full == config::WhenFull::spill) options.spill = settings.spill;
  if (!settings.status.empty()) options.status = status_options(settings, roles, std::move(model));
  return options;
}

std::unique_ptr<transport::Messenger> mailbox(const roles::Roles& roles, int tag) {
  return std::make_unique<transport::Mailbox>(roles.messages, tag);
}

// More writers a node than it has ranks is what a configuration for larger nodes says.
void say_how_many_write(const roles::Roles& roles, std::int64_t wanted) {
  std::int64_t most = 0;
  for (int node = 0; node < roles.node_count; ++node)
    most = std::max<std::int64_t>(most, std::ssize(roles.groups.writers_on(node)));
  if (roles.rank != 0 || roles.has_servers() || most >= wanted) return;
  log::note("writers: per-node: {}, but no node has more than {} of this run; all of them write", wanted,
            counted(most, "rank"));
}

}  // namespace

Health::Health(const config::Settings& settings, const roles::Roles& roles, staging::Control& control,
               transport::Messenger& commands, files::Messages& files, health::WaitLoop& waits)
    : messages(mailbox(roles, transport::tags::health)),
      failures(roles, control.failures, messages, health::GroupFailures::are_survived(settings, roles)),
      heartbeat(roles, control.processes, messages, settings.deadline_s),
      groups(settings, roles, control.failures, messages, {&messages.messenger(), &files.messenger(), &commands}),
      liveness(roles, control.failures, groups, waits, mailbox(roles, transport::tags::liveness)),
      file_waits(waits, control.failures) {}

void Health::hear(const health::Message& message) {
  if (const auto* report = std::get_if<health::NodeReport>(&message)) return heartbeat.hear(*report);
  if (const auto* failure = std::get_if<health::Failure>(&message)) return failures.hear(*failure);
  groups.hear(std::get<health::GroupLoss>(message));
}

Core::Core(config::Settings its_settings, std::unique_ptr<roles::Roles> its_roles)
    : settings(std::move(its_settings)),
      roles(std::move(its_roles)),
      segment(std::make_shared<transport::ControlSegment>(
          *roles, health::GroupFailures::are_survived(settings, *roles) ? roles->groups.count() : 0)),
      measured{{}, {}, {}, now_s(), settings.time_line.empty() ? nullptr : profile::TimeLine::begin()},
      waits(*roles, control(), settings.deadline_s,
            [this](int collection, int variable) { return declared.title_of(collection, variable); }),
      commands(*roles, control().wake_ups, control().failures, waits, measured.counters,
               std::make_unique<transport::Mailbox>(roles->messages, transport::tags::commands, commands::window)),
      file_messages(mailbox(*roles, transport::tags::files)),
      health(settings, *roles, control(), commands.messenger(), file_messages, waits),
      files({*roles, control().wake_ups, control().failures, *writer.book, declared.ready, health.groups,
             health.failures, health.heartbeat, measured.phases, measured.times.forward_s}),
      arrival(control().processes, control().wake_ups),
      puts({settings,
            *roles,
            health.groups,
            {&health.messages.messenger(), &file_messages.messenger()},
            commands.messenger(),
            waits,
            measured.counters},
           *roles, health.groups, control().wake_ups, arrival, measured.counters),
      receiver(roles->node_rank, control().wake_ups, health.groups, arrival, measured.phases,
               measured.times.receive_s) {
  choose_mpiio();
  say_how_many_write(*roles, this->settings.writers_per_node);
  memory.next_channel_tag = transport::tags::first_channel;
  memory.folder = this->settings.staging_folder;
  waits.set_progress([this] { progress(); });
  waits.set_look_in_meeting([this] { look_in_meeting(); });
  set_pump();
  blame_groups();
  puts.sender.note_thread();
  const std::vector<int> processors = transport::processors_of_node(*roles);
  // Nobody leaves before all are here: a server would wait for commands of clients that have given up.
  transport::together(roles->world, [&] {
    if (!roles->self.writes) return;
    writer.engine = std::make_unique<writer::Engine>(control(), *writer.book,
                                                     engine_options(settings, *roles, processors, measured.model));
    if (settings.writers == config::Writers::sync)
      waits.set_step([this] { return step_writer(); });
    else
      writer.engine->start();
  });
}

// A step may make many calls to the storage, while ranks of other nodes wait for what it commits.
bool Core::step_writer() {
  const storage::StorageCallWatch watch([this] { health.heartbeat.note_storage_call(); });
  return writer.engine->step();
}

// A process chooses its MPI-IO when it opens its first file by it. Where a library is to write by it, all ranks choose
// here, before any of them opens a file; elsewhere the choice is the model's.
void Core::choose_mpiio() {
  const auto by_library = [](const auto& named) { return named.second.engine == config::Engine::library; };
  if (std::ranges::none_of(settings.collections, by_library)) return;
  if (!mpiio::avoid_faulty_ompio() || roles->rank != 0) return;
  log::note(
      "because a collection has 'engine: library', the processes of this run prefer ROMIO to Open MPI's own MPI-IO, "
      "which has faults, also for files of the model; OMPI_MCA_io in the environment chooses otherwise");
}

void Core::blame_groups() {
  if (!health.groups.are_survived()) return;
  const auto blame = std::make_shared<GroupBlame>(
      GroupBlame::Known{*roles,
                        control().processes,
                        declared.ready,
                        health.liveness,
                        puts.sender,
                        {&health.messages.messenger(), &file_messages.messenger(), &commands.messenger()},
                        commands.messenger(),
                        settings.deadline_s});
  waits.waiter().set_loss_rule({[this](int collection) { return roles->groups.group_of(collection); },
                                [blame](const staging::WaitFor& what) { return blame->of(what); }});
}

void Core::set_pump() {
  waits.waiter().set_pump([this] { progress(); }, looks_for_messages()           ? health::WaitLoop::message_interval_s
                                                  : health.groups.are_survived() ? 0.25
                                                                                 : staging::Waiter::longest_sleep_s);
}

bool Core::looks_for_messages() const {
  const auto is_divided = [](const Collection* collection) { return collection->blocks.parts.size() > 1; };
  return roles->node_count > 1 || (roles->self.writes && std::ranges::any_of(declared.ready, is_divided));
}

void Core::progress() {
  files.go_on();
  puts.fixed.go_on();
  if (!roles->has_peers()) return;
  transport::make_progress(roles->messages);  // of sends, on a rank that has nothing to look for
  receiver.take();
  const bool speaks = health.failures.speaks_for_node();
  health.groups.learn(speaks);
  if (!speaks) return;
  hear_of_health();
  hear_of_files();
  health.heartbeat.beat();
  health.failures.spread();
}

// Whoever waits in a collective step may wait for a rank that will not come, and the node of that rank says so.
void Core::look_in_meeting() {
  if (!roles->has_peers() || !health.failures.speaks_for_node()) return;
  hear_of_health();
  health.heartbeat.beat();
  health.failures.spread();
}

void Core::hear_of_health() {
  while (const auto message = health.messages.receive()) {
    health.hear(*message);
    control().wake_ups.ring();
  }
}

void Core::hear_of_files() {
  while (const auto message = file_messages.receive()) {
    files.hear(*message);
    control().wake_ups.ring();
  }
}

// Who waits tells other nodes, and these may have gone on to their end. What comes behind that would be taken for a
// message of a later communicator of the same number, in the place of one that is lost then: the library counts them.
void Core::take_last_messages() {
  constexpr int most_rounds = 12;  // within a second or two
  constexpr double shortest_pause_s = 0.00025;
  health.heartbeat.end();
  bool& is_broken = roles->world.patience()->is_broken;
  is_broken |= health.groups.agreed().has_value();
  if (!roles->has_peers() || health.groups.agreed()) return;
  const auto are_under_way = [this] {
    hear_of_health();
    hear_of_files();
    const std::int64_t own = health.messages.messenger().surplus() + file_messages.messenger().surplus();
    return transport::sum(roles->world, own) != 0;
  };
  double pause_s = shortest_pause_s;
  for (int round = 0; are_under_way(); ++round, pause_s *= 2) {
    is_broken |= round == most_rounds;
    if (round == most_rounds) return;
    std::this_thread::sleep_for(std::chrono::duration<double>(pause_s));
  }
}

void Core::require_all_arrived() {
  if (health.groups.are_survived() && !declared.ready.empty()) return health.liveness.meet();
  waits.for_all_of(roles->world);
}

void Core::meet_for_definitions() {
  require_all_arrived();
  if (const auto lost = health.groups.agreed()) throw *lost;
}

void Core::together_at_storage(const std::function<void()>& work) {
  std::exception_ptr thrown;
  try {
    const storage::StorageCallWatch watch([this] { health.heartbeat.note_storage_call(); });
    work();
  } catch (...) {
    thrown = std::current_exception();
  }
  meet_for_definitions();
  transport::together(roles->world, [&] {
    if (thrown) std::rethrow_exception(thrown);
  });
}

void Core::start_writer() {
  try {
    writer.engine->start();
  } catch (const Error& error) {
    control().failures.report_writer(error);
  }
}

bool Core::stop_writer() {
  constexpr double patience_after_failure_s = 0.1;
  return !writer.engine ||
         writer.engine->stop(control().failures.has_writer_failed() ? patience_after_failure_s : settings.deadline_s);
}

}  // namespace thalweg::session
