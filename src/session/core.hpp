// What the parts of a session have in common. Each is made of those before it; none knows the core itself, but for the
// few that see to all of it: the end of definitions, the serving loop and the session.
#pragma once

#include <functional>
#include <memory>

#include "block/command_book.hpp"
#include "block/piece_arrival.hpp"
#include "config/settings.hpp"
#include "health/failures.hpp"
#include "health/file_waits.hpp"
#include "health/group_failures.hpp"
#include "health/heartbeat.hpp"
#include "health/liveness_check.hpp"
#include "health/wait_loop.hpp"
#include "profile/counters.hpp"
#include "profile/model_progress.hpp"
#include "profile/mpi_counts.hpp"
#include "profile/server_times.hpp"
#include "profile/time_line.hpp"
#include "put/fixed_putter.hpp"
#include "put/sender.hpp"
#include "receive/receiver.hpp"
#include "roles/roles.hpp"
#include "session/command_channel.hpp"
#include "session/declared.hpp"
#include "session/file_coordinators.hpp"
#include "transport/node_memory.hpp"
#include "transport/tags.hpp"
#include "writer/engine.hpp"

namespace thalweg::session {

struct Measured {
  profile::ClientCounters counters;
  profile::Phases phases;  // of a server
  profile::ServerTimes times;
  double start_s = 0.0;
  std::shared_ptr<profile::TimeLine> time_line;  // null: nobody asks for it
  // Shared with a writer that is left behind.
  std::shared_ptr<profile::ModelProgress> model = std::make_shared<profile::ModelProgress>();
  profile::MpiCountsByPhase mpi_before{};  // what the process had given to MPI when the session began
};

// Who fails, who lives, and who is told.
struct Health {
  Health(const config::Settings& settings, const roles::Roles& roles, staging::Control& control,
         transport::Messenger& commands, files::Messages& files, health::WaitLoop& waits);
  health::Messages messages;
  health::Failures failures;
  health::Heartbeat heartbeat;
  health::GroupFailures groups;
  health::LivenessCheck liveness;
  health::FileWaits file_waits;

  void hear(const health::Message& message);
};

// The writer of this process, if it has one.
struct OwnWriter {
  std::unique_ptr<block::CommandBook> book = std::make_unique<block::CommandBook>();
  std::unique_ptr<writer::Engine> engine;
};

// What this rank has put and what is still on its way, to other ranks or to files that begin later.
struct OwnPuts {
  OwnPuts(const put::Sender::Of& of, const roles::Roles& roles, const health::GroupFailures& groups,
          staging::WakeUps& wake_ups, const block::PieceArrival& arrival, profile::ClientCounters& counters)
      : sender(of), fixed({roles, groups, wake_ups, arrival, sender, counters}) {}
  OwnPuts(const OwnPuts&) = delete;
  OwnPuts& operator=(const OwnPuts&) = delete;

  put::Sender sender;
  put::FixedPutter fixed;
};

struct Core {
  // Collective over the communicator of roles.
  Core(config::Settings its_settings, std::unique_ptr<roles::Roles> its_roles);

  // What goes on in every call. Never waits. Errors: failures of files that this rank sees to.
  void progress();
  // From the end of definitions on, with what they have brought.
  void set_pump();
  // Some messages come that nobody rings the bell for: from other nodes, or other writers of a collection.
  bool looks_for_messages() const;

  // All ranks, servers as well, are here. Errors: DEADLINE.
  void require_all_arrived();
  // Before collective steps that no rank may be missing in. Errors: also what was lost.
  void meet_for_definitions();
  // Nobody sends any more, and what was sent has come when this returns. Collective, at the end.
  void take_last_messages();
  // Like transport::together, but storage may hang, and then the others have a deadline.
  void together_at_storage(const std::function<void()>& work);

  // Where nobody can be told by an error: the others go on, so they have to hear of it.
  void start_writer();
  // Not if it hangs in a write: then, after a failure, it is not waited for any longer than a tenth of a second.
  bool stop_writer();

  config::Settings settings;
  std::unique_ptr<roles::Roles> roles;
  std::shared_ptr<transport::ControlSegment> segment;  // shared with a writer that is left behind
  Declared declared;
  Measured measured;
  health::WaitLoop waits;
  CommandChannel commands;
  files::Messages file_messages;
  Health health;
  OwnWriter writer;
  transport::StagingSegments memory;
  FileCoordinators files;
  block::PieceArrival arrival;
  OwnPuts puts;
  receive::Receiver receiver;

  // On all ranks, when the settings have become known and before any of them opens a file.
  void choose_mpiio();

  staging::Control& control() { return *segment->control; }

 private:
  void look_in_meeting();
  void hear_of_health();
  void hear_of_files();
  void blame_groups();
  bool step_writer();
};

}  // namespace thalweg::session
