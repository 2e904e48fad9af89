// Session: what it has sent and what has not left yet: who waits for that, and who drives it while the model computes.
#include "base/log.hpp"
#include "client/session.hpp"

namespace thalweg::client {

// A rank that gets pieces does so at any time. Those that neither get nor send any need no thread, and a server is
// always in a call.
void Session::start_progress_thread() {
  if (settings_.progress != config::Progress::thread || !roles_->is_client()) return;
  bool sends = false;
  for (const Collection* collection : ready_collections_) {
    receives_ |= !collection->inboxes.empty();
    for (const VariablePuts& puts : collection->puts) sends |= !puts.channels.empty();
  }
  if (!progress_thread_ && (receives_ || sends) && transport::threads_may_call_mpi()) try {
      progress_thread_ = std::make_unique<transport::ProgressThread>();
    } catch (const Error& error) {
      log::warning("rank {}: messages move only in calls, as with 'progress: call': {}", roles_->rank, error.what());
    }
  drive_messages();
}

void Session::note_progress() const {
  if (settings_.progress != config::Progress::thread || roles_->rank != roles_->first_client) return;
  if (!transport::threads_may_call_mpi())
    log::note(
        "progress: thread has no effect, because MPI was initialised for fewer threads; call MPI_Init_thread with "
        "MPI_THREAD_MULTIPLE, or set progress: call");
}

// At the end of a call.
void Session::drive_messages() {
  if (progress_thread_) progress_thread_->look(receives_ || sends_are_under_way());
}

void Session::end_progress_thread() {
  if (!progress_thread_) return;
  progress_thread_->stop();
  counters_.progress_cpu_s = progress_thread_->cpu_s();
  counters_.progress_looks = progress_thread_->looks();
}

bool Session::sends_are_under_way() {
  if (has_sent_) has_sent_ = !everything_sent();
  return has_sent_;
}

// Ends at the first message that is under way: who looks at all of them makes MPI go on for each.
bool Session::everything_sent() {
  for (Collection* collection : ready_collections_) {
    if (is_given_up(*collection)) continue;
    for (VariablePuts& puts : collection->puts)
      for (transport::SendChannel& channel : puts.channels)
        if (!channel.is_idle()) return false;
  }
  return (notices_.is_idle() || !has_peers()) && verbs_.is_idle();
}

// With `send: wait`, at the end of advance.
void Session::wait_until_sent() {
  if (settings_.send == config::Send::fast || !sends_are_under_way()) return;
  const Timer timer(counters_.wait_send_s);
  wait_for_sends(message_interval_s);
}

void Session::wait_for_sends(double longest_interval_s) {
  while (!everything_sent())
    unless_lost([&] {
      drain_until([&] { return everything_sent(); }, {staging::WaitCause::send, -1, -1, -1},
                  [&] { return unsent_pieces(); }, longest_interval_s);
    });
  has_sent_ = false;
}

// The collection, and the receiver; none: all have left.
std::pair<const Collection*, int> Session::first_unsent() {
  for (Collection* collection : ready_collections_) {
    if (is_given_up(*collection)) continue;
    for (VariablePuts& puts : collection->puts)
      for (transport::SendChannel& channel : puts.channels)
        if (!channel.is_idle()) return {collection, channel.peer()};
  }
  return {nullptr, -1};
}

std::string Session::unsent_pieces() {
  const auto [collection, peer] = first_unsent();
  return collection == nullptr
             ? ""
             : fmt::format("Rank {} has not taken all pieces of {}.\n", peer, title_of(collection->number, -1));
}

}  // namespace thalweg::client
