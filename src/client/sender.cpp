#include "client/sender.hpp"

#include "base/clock.hpp"
#include "base/log.hpp"

namespace thalweg::client {

// A rank that gets pieces does so at any time. Those that neither get nor send any need no thread, and a server is
// always in a call.
void Sender::start_thread() {
  if (of_.settings.progress != config::Progress::thread || !of_.roles.is_client()) return;
  bool sends = false;
  for (const Collection* collection : of_.ready) {
    receives_ |= !collection->inboxes.empty();
    for (const VariablePuts& puts : collection->puts) sends |= !puts.channels.empty();
  }
  if (!thread_ && (receives_ || sends) && transport::threads_may_call_mpi()) try {
      thread_ = std::make_unique<transport::ProgressThread>();
    } catch (const Error& error) {
      log::warning("rank {}: messages move only in calls, as with 'progress: call': {}", of_.roles.rank, error.what());
    }
  drive();
}

void Sender::note_thread() const {
  if (of_.settings.progress != config::Progress::thread || of_.roles.rank != of_.roles.first_client) return;
  if (!transport::threads_may_call_mpi())
    log::note(
        "progress: thread has no effect, because MPI was initialised for fewer threads; call MPI_Init_thread with "
        "MPI_THREAD_MULTIPLE, or set progress: call");
}

void Sender::end_thread() {
  if (!thread_) return;
  thread_->stop();
  of_.counters.progress_cpu_s = thread_->cpu_s();
  of_.counters.progress_looks = thread_->looks();
}

void Sender::send(VariablePuts& puts, std::int64_t record) {
  for (transport::SendChannel& channel : puts.channels) channel.send(record);
  has_sent_ = true;
}

void Sender::drive() {
  if (thread_) thread_->look(receives_ || is_under_way());
}

bool Sender::is_under_way() {
  if (has_sent_) has_sent_ = !has_sent_all();
  return has_sent_;
}

// Ends at the first message that is under way: who looks at all of them makes MPI go on for each.
bool Sender::has_sent_all() {
  if (first_unsent().first != nullptr) return false;
  return ((of_.health_messages.is_idle() && of_.file_messages.is_idle()) || !of_.roles.has_peers()) &&
         of_.commands.is_idle();
}

void Sender::wait_if_asked() {
  if (of_.settings.send == config::Send::fast || !is_under_way()) return;
  const Timer timer(of_.counters.wait_send_s);
  wait(WaitLoop::message_interval_s);
}

void Sender::wait(double longest_interval_s) {
  while (!has_sent_all())
    unless_lost([&] {
      of_.waits.until([&] { return has_sent_all(); }, {staging::WaitCause::send, -1, -1, -1},
                      [&] { return unsent_pieces(); }, longest_interval_s);
    });
  has_sent_ = false;
}

std::pair<const Collection*, int> Sender::first_unsent() {
  for (Collection* collection : of_.ready) {
    if (of_.groups.is_given_up(*collection)) continue;
    for (VariablePuts& puts : collection->puts)
      for (transport::SendChannel& channel : puts.channels)
        if (!channel.is_idle()) return {collection, channel.peer()};
  }
  return {nullptr, -1};
}

std::string Sender::unsent_pieces() {
  const auto [collection, peer] = first_unsent();
  return collection == nullptr
             ? ""
             : fmt::format("Rank {} has not taken all pieces of collection '{}'.\n", peer, collection->name);
}

}  // namespace thalweg::client
