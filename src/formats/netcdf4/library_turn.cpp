#include "formats/netcdf4/library_turn.hpp"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "base/running_time.hpp"
#include "formats/patience.hpp"

namespace thalweg::formats::netcdf4 {
namespace {

// Never destroyed: when the process ends, a thread that was left to its storage may still have the turn.
struct Turns {
  std::mutex mutex;
  std::condition_variable changed;
  std::set<std::uint64_t> waiting;  // numbers of turns
  std::uint64_t next = 0;
  std::uint64_t number = 0;  // of the turn that is held
  std::thread::id holder;
  int depth = 0;
  double since_s = 0.0;
  std::string what;

  void take(const std::string& of, std::uint64_t own) {
    waiting.erase(own);
    number = own;
    holder = std::this_thread::get_id();
    depth = 1;
    since_s = now_s();
    what = of;
  }
};

Turns& turns() {
  static Turns& the_ones = *new Turns;
  return the_ones;
}

std::string waits_for(const Turns& all, const std::string& what) {
  const std::string& who = Patience::of_thread().who;
  return fmt::format(
      "{}cannot {} yet: HDF5 has one thread at a time, and another one has been at it for {:.1f} s, to {}",
      who.empty() ? "" : who + ": ", what, now_s() - all.since_s, all.what);
}

// Whether it is this thread's turn before one turn of another thread has lasted beyond the deadline.
bool wait(Turns& all, std::unique_lock<std::mutex>& lock, const std::string& what, std::uint64_t own) {
  constexpr double look_s = 0.05, say_s = 10.0;
  const double deadline_s = Patience::deadline_s();
  // A turn that has lasted so long already will not end soon: calls that follow each other do not wait for it anew.
  const double overdue_s = 0.1 * deadline_s;
  const auto is_own = [&] { return all.depth == 0 && *all.waiting.begin() == own; };
  std::uint64_t waited_for = all.number;
  RunningTime waited(now_s());
  bool has_said = false;
  while (!is_own()) {
    const bool is_overdue = now_s() - all.since_s > deadline_s && waited.seconds() > overdue_s;
    if (all.depth > 0 && (is_overdue || waited.seconds() > deadline_s)) return false;
    if (waited.seconds() > say_s && !std::exchange(has_said, true)) log::warning("{}", waits_for(all, what));
    all.changed.wait_for(lock, std::chrono::duration<double>(look_s), is_own);
    waited.look(now_s(), look_s, deadline_s);
    if (std::exchange(waited_for, all.number) != all.number) waited = RunningTime(now_s());
  }
  return true;
}

}  // namespace

LibraryTurn::LibraryTurn(const std::string& what, Late late) {
  Turns& all = turns();
  std::unique_lock lock(all.mutex);
  if (all.depth > 0 && all.holder == std::this_thread::get_id()) {
    ++all.depth;
    is_held_ = true;
    return;
  }
  const std::uint64_t own = ++all.next;
  all.waiting.insert(own);
  is_held_ = wait(all, lock, what, own);
  if (is_held_) {
    all.take(what, own);
    return;
  }
  all.waiting.erase(own);
  const std::string text = fmt::format(
      "{} (deadline: {:g} s), and is not waited for any longer; look at the file system, or raise "
      "'deadline' if it is only slow",
      waits_for(all, what), Patience::deadline_s());
  if (late == Late::throws) throw Error::of_storage(text);
  log::warning("{}", text);
}

LibraryTurn::~LibraryTurn() {
  if (!is_held_) return;
  Turns& all = turns();
  const std::lock_guard lock(all.mutex);
  if (--all.depth == 0) all.changed.notify_all();
}

}  // namespace thalweg::formats::netcdf4
