#include "staging/waiter.hpp"

#include <signal.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>
#include <utility>
#include <vector>

#include "base/clock.hpp"
#include "base/told.hpp"

namespace thalweg::staging {
namespace {

constexpr std::array cause_words = {"computing",
                                    "waiting for a free block",
                                    "waiting to send",
                                    "waiting for a commit",
                                    "waiting for the other ranks",
                                    "waiting for a server to take orders"};
constexpr std::array activity_words = {
    "absent", "idle", "writing", "committing", "syncing", "publishing", "held back by the rate limit"};

// Of the deadline, between two looks at whose fault the wait is.
constexpr double look_share = 0.125;

constexpr double check_interval_s = 1.0;  // between looks at whether peers live

// The failure's text has room for some nodes.
constexpr int most_nodes_shown = 12;

std::string activity_of(WriterActivity activity, double seconds) {
  return fmt::format("{} since {:.1f} s", activity_words[static_cast<std::size_t>(activity)], seconds);
}

std::string in_call(const CallName& call) {
  const std::string name = call.text();
  return name.empty() ? "" : " in " + name;
}

// A killed process stays a zombie until its parent looks; for us it is dead.
bool is_alive(std::int32_t pid) {
  if (kill(pid, 0) != 0 && errno == ESRCH) return false;
  std::ifstream stat(fmt::format("/proc/{}/stat", pid));
  std::string text;
  std::getline(stat, text);
  const auto name_end = text.rfind(')');
  return name_end == std::string::npos || name_end + 2 >= text.size() || text[name_end + 2] != 'Z';
}

}  // namespace

Waiter::Waiter(const ProcessStates& processes, FailureBoard& failures, int client, double deadline_s,
               std::function<std::string(int, int)> names)
    : processes_(processes), failures_(failures), client_(client), deadline_s_(deadline_s), names_(std::move(names)) {}

void Waiter::set_pump(std::function<void()> pump, double interval_s) {
  pump_ = std::move(pump);
  interval_s_ = interval_s;
}

double Waiter::wait(Word& word, const WaitFor& what, const std::function<bool()>& ready,
                    const std::function<std::string()>& blame, double longest_interval_s) {
  const double start_s = now_s();
  RunningTime waited(start_s);
  double sleep_s = 0.0;
  next_check_s_ = start_s + check_interval_s;
  Suspect suspect{{}, waited, start_s};
  ClientState& self = processes_.client(client_);
  self.collection = what.collection;
  self.variable = what.variable;
  self.record = what.record;
  self.since_s = self.seen_s = start_s;
  self.cause = what.cause;
  struct Done {
    ClientState& self;
    ~Done() { self.cause = WaitCause::nothing; }
  } done{self};
  const bool waits_for_writing =
      what.cause == WaitCause::commit || what.cause == WaitCause::peers || what.cause == WaitCause::orders;
  for (;;) {
    const std::uint32_t seen = word.load(std::memory_order_seq_cst);
    if (pump_) pump_();
    if (ready()) break;
    failures_.throw_failure();
    throw_if_lost(what);
    const double now = now_s();
    self.seen_s = now;
    waited.look(now, sleep_s, deadline_s_);
    if (waits_for_writing) waited.limit(now - processes_.last_progress_s());
    look_for(suspect, what, now, sleep_s);
    if (is_expired(suspect, waited.seconds())) expire(what, suspect.group.value_or(-1), now - start_s, blame());
    check_peers_sometimes(now);
    // A sleep counts whole, also where most of it was a suspension: so none is a large part of the deadline.
    sleep_s = std::min({interval_s_, longest_interval_s, std::max(0.001, 0.125 * deadline_s_),
                        std::max(0.001, deadline_s_ - waited.seconds())});
    futex_wait(word, seen, sleep_s);
  }
  return now_s() - start_s;
}

// The first look speaks for the time before.
void Waiter::look_for(Suspect& suspect, const WaitFor& what, double now, double slept_s) const {
  suspect.blamed.look(now, slept_s, deadline_s_);
  if (!rule_.group_to_blame || now - suspect.looked_s < look_share * deadline_s_) return;
  const int group = rule_.group_to_blame(what);
  if (suspect.group && *suspect.group != group) suspect.blamed.limit(0.0);
  suspect.group = group;
  suspect.looked_s = now;
}

bool Waiter::is_expired(const Suspect& suspect, double waited_s) const {
  if (!rule_.group_to_blame) return waited_s > deadline_s_;
  if (suspect.group.value_or(-1) < 0) return waited_s > rule_.patience * deadline_s_;
  return std::min(waited_s, suspect.blamed.seconds()) > deadline_s_;
}

void Waiter::look_in_meeting() {
  ClientState& self = processes_.client(client_);
  const double now = now_s();
  self.seen_s = now;
  if (self.cause == WaitCause::nothing) {
    self.collection = self.variable = -1;
    self.record = -1;
    self.since_s = now;
    self.cause = WaitCause::peers;
    next_check_s_ = now + check_interval_s;
  }
  failures_.throw_failure();
  check_peers_sometimes(now);
}

void Waiter::end_meeting() {
  processes_.client(client_).cause = WaitCause::nothing;
}

void Waiter::check_peers_sometimes(double now) {
  if (now < next_check_s_) return;
  check_peers();
  next_check_s_ = now + check_interval_s;
}

void Waiter::throw_if_lost(const WaitFor& what) const {
  if (!rule_.group_of || what.collection < 0) return;
  if (const int group = rule_.group_of(what.collection); failures_.has_group_failed(group))
    throw GroupLost(failures_.group_failure(group));
}

void Waiter::check_peers() {
  for (int c = 0; c < processes_.client_count(); ++c) {
    const ClientState& peer = processes_.client(c);
    if (peer.pid == 0 || is_alive(peer.pid)) continue;
    const std::string text = fmt::format(
        "rank {} (process {}) died; what was committed is in the '.partial' files, "
        "thalweg_recover makes proper files of them",
        peer.rank.load(), peer.pid.load());
    if (peer.group >= 0) {
      failures_.report_group(peer.group, THALWEG_ERROR_PEER, text);
      continue;
    }
    failures_.report(THALWEG_ERROR_PEER, text);
    failures_.throw_failure();
  }
}

void Waiter::expire(const WaitFor& what, int group, double waited_s, const std::string& blame) {
  const ClientState& self = processes_.client(client_);
  const std::string text =
      fmt::format("rank {} gave up{} after {:.1f} s (deadline: {:g} s): {}.\n{}{}", self.rank.load(),
                  in_call(processes_.call(client_)), waited_s, deadline_s_, describe(what), blame, who_waits());
  if (group >= 0) {
    failures_.report_group(group, THALWEG_ERROR_DEADLINE, text);
    throw GroupLost(failures_.group_failure(group));
  }
  failures_.report(THALWEG_ERROR_DEADLINE, text);
  failures_.throw_failure();
  throw Error(THALWEG_ERROR_DEADLINE, text);
}

std::string Waiter::describe(const WaitFor& what) const {
  std::string text = cause_words[static_cast<std::size_t>(what.cause)];
  if (what.collection >= 0) text += fmt::format(", {}", names_(what.collection, what.variable));
  if (what.record >= 0) text += fmt::format(", record {}", told::number(what.record));
  return text;
}

std::string Waiter::who_waits() {
  const double now = now_s();
  std::string text = fmt::format("Who waits for whom on the node of rank {}:", processes_.client(0).rank.load());
  for (int c = 0; c < processes_.client_count(); ++c) {
    const ClientState& peer = processes_.client(c);
    const WaitFor what{peer.cause, peer.collection, peer.variable, peer.record};
    const std::string call = peer.is_server ? "" : in_call(processes_.call(c));
    text += fmt::format("\n  rank {}:{}{} ", peer.rank.load(), call, call.empty() ? "" : ",");
    const double since_s = now - peer.since_s;
    if (peer.cause != WaitCause::nothing)
      text += fmt::format(
          "{}, since {:.1f} s{}", describe(what), since_s,
          peer.is_silent(now) ? fmt::format(", but was stopped {:.1f} s ago, or is in a call", now - peer.seen_s) : "");
    else if (!call.empty())
      text += "not waiting";
    else if (!peer.is_server)
      text += "computing (not in a call of Thalweg that waits)";
    else if (!peer.is_absent(now))
      text += "a server, waits for orders";
    else
      text += fmt::format("a server, has not looked for orders since {:.1f} s", since_s);
  }
  return text + writers_here(now) + other_nodes(now);
}

std::string Waiter::writers_here(double now) {
  std::vector<const ClientState*> writers;
  for (int c = 0; c < processes_.client_count(); ++c)
    if (processes_.client(c).activity != WriterActivity::none) writers.push_back(&processes_.client(c));
  std::string text;
  for (const ClientState* of : writers)
    text += fmt::format("\n  writer{}: {}", writers.size() > 1 ? fmt::format(" of rank {}", of->rank.load()) : "",
                        activity_of(of->activity, now - of->activity_since_s));
  return text;
}

std::string Waiter::ranks_of(const NodeState& node, double now) const {
  if (node.heard_s == 0.0) return "nothing was heard of it";
  if (node.is_silent(now, deadline_s_)) return fmt::format("nothing was heard of it for {:.1f} s", now - node.heard_s);
  std::string text = fmt::format("{:.1f} s ago ", now - node.heard_s);
  text += node.absent < 0 ? "none of its ranks was computing or stopped"
                          : fmt::format("rank {} was computing or stopped", node.absent.load());
  if (node.waiting >= 0) text += fmt::format(", rank {} waited{} for longest", node.waiting.load(), in_call(node.call));
  return text;
}

std::string Waiter::other_nodes(double now) {
  std::string text;
  int shown = 0;
  for (int n = 0; n < processes_.node_count() && shown < most_nodes_shown; ++n) {
    const NodeState& other = processes_.node(n);
    if (other.leader < 0) continue;
    ++shown;
    text += fmt::format("\n  node of rank {}: ", other.leader.load());
    text += ranks_of(other, now);
    if (other.writer >= 0)
      text += fmt::format(", writer of rank {}: {}", other.writer.load(),
                          activity_of(other.activity, now - other.activity_since_s));
  }
  return text;
}

}  // namespace thalweg::staging
