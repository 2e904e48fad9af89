#include "put/sender.hpp"

#include <algorithm>

#include "base/log.hpp"
#include "base/seconds.hpp"

namespace thalweg::put {

void Sender::add(Puts& puts, bool receives) {
  puts_.push_back(&puts);
  receives_ |= receives;
  for (const VariablePuts& of : puts.variables) sends_ |= !of.channels.empty();
}

// A rank that gets pieces does so at any time. Those that neither get nor send any need no thread, and a server is
// always in a call.
void Sender::start_thread() {
  if (of_.settings.progress != config::Progress::thread || !of_.roles.is_client()) return;
  if (!thread_ && (receives_ || sends_) && transport::threads_may_call_mpi()) try {
      thread_ = std::make_unique<transport::ProgressThread>();
    } catch (const Error& error) {
      log::warning("rank {}: messages move only in calls, as with 'progress: call': {}", of_.roles.rank, error.what());
    }
  drive();
}

void Sender::note_thread() const {
  if (of_.settings.progress != config::Progress::thread || !of_.roles.speaks_for_clients()) return;
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

void Sender::send(VariablePuts& puts, std::int64_t turn) {
  for (transport::SendChannel& channel : puts.channels) channel.send(turn);
  has_sent_ = true;
}

template <typename Send>
bool Sender::send_if_free(VariablePuts& puts, const Send& send) {
  const std::int64_t turn = puts.messages.turn;
  if (!std::ranges::all_of(puts.channels, [&](transport::SendChannel& channel) { return channel.is_free(turn); }))
    return false;
  for (transport::SendChannel& channel : puts.channels) send(channel, turn);
  ++puts.messages.turn;
  has_sent_ = true;
  drive_now();
  return true;
}

bool Sender::send_fixed(VariablePuts& puts, std::int64_t settled_files) {
  FixedMessages& of = puts.messages;
  const auto send_values = [](transport::SendChannel& channel, std::int64_t turn) { channel.send_first_buffer(turn); };
  const auto send_nothing = [](transport::SendChannel& channel, std::int64_t turn) { channel.send_nothing(turn); };
  if (of.values_wait) {
    if (!send_if_free(puts, send_values)) return false;
    of.values_wait = false;
    of.has_values = true;
  }
  for (; of.settled_files < settled_files; ++of.settled_files)
    if (!send_if_free(puts, send_nothing)) return false;
  return true;
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
  const auto is_idle = [](transport::Messenger* messages) { return messages->is_idle(); };
  return (!of_.roles.has_peers() || std::ranges::all_of(of_.messages, is_idle)) && of_.commands.is_idle();
}

void Sender::wait_if_asked() {
  if (of_.settings.send == config::Send::fast || !is_under_way()) return;
  const Timer timer(of_.counters.wait_send_s);
  wait(health::WaitLoop::message_interval_s);
}

void Sender::wait(double longest_interval_s) {
  while (!has_sent_all())
    health::unless_lost([&] {
      of_.waits.until([&] { return has_sent_all(); }, {staging::WaitCause::send, -1, -1, -1},
                      [&] { return unsent_pieces(); }, longest_interval_s);
    });
  has_sent_ = false;
}

std::pair<const catalog::CollectionIdentity*, int> Sender::first_unsent() {
  for (Puts* puts : puts_) {
    if (of_.groups.is_given_up(puts->identity.number)) continue;
    for (VariablePuts& of : puts->variables)
      for (transport::SendChannel& channel : of.channels)
        if (!channel.is_idle()) return {&puts->identity, channel.peer()};
  }
  return {nullptr, -1};
}

std::string Sender::unsent_pieces() {
  const auto [collection, peer] = first_unsent();
  return collection == nullptr
             ? ""
             : fmt::format("Rank {} has not taken all pieces of collection '{}'.\n", peer, collection->name);
}

}  // namespace thalweg::put
