#include "api/kept_time_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <list>
#include <nlohmann/json.hpp>
#include <system_error>

#include "api/forked_child.hpp"
#include "api/keep_time_lines.hpp"
#include "api/replace_json.hpp"
#include "api/time_line_of_rank.hpp"
#include "base/clock.hpp"
#include "base/thread.hpp"

namespace thalweg::api {
namespace {

constexpr int most_kept = 256;
// A run that ends early has something, and one that lasts is not disturbed often.
constexpr double first_interval_s = 2.0;
constexpr double longest_interval_s = 60.0;

struct AllKept {
  std::mutex mutex;
  std::list<KeptTimeLine*> lines;
  double kept_at_s = -1e9;
};

AllKept& all_kept() {
  static AllKept& all = *new AllKept;  // threads that fail may outlive main
  return all;
}

}  // namespace

std::string path_of_kept(const std::string& time_line, int rank) {
  std::filesystem::path path = time_line;
  const std::string end = path.extension().string();
  return path.replace_extension().string() + fmt::format(".rank-{}{}", rank, end);
}

bool is_kept(int rank, bool writes) {
  return rank < most_kept || writes;
}

std::unique_ptr<KeptTimeLine> KeptTimeLine::begin(session::Session& session) {
  const session::Core& core = session.core();
  if (!core.measured.time_line || !is_kept(core.roles->rank, core.roles->self.writes)) return nullptr;
  return std::make_unique<KeptTimeLine>(session);
}

KeptTimeLine::KeptTimeLine(session::Session& session)
    : line_(session.core().measured.time_line),
      rank_(line_of_rank(session)),
      session_id_(session.core().settings.session_id),
      path_(path_of_kept(session.core().settings.time_line, rank_.rank)) {
  rank_.offset_s = -rank_.start_s;
  {
    const std::lock_guard lock(all_kept().mutex);
    all_kept().lines.push_back(this);
  }
  thread_ = start_thread("that keeps spans", [this] { keep_at_times(); });
}

// Without drop() before it, what was kept stays as it is: whoever ends the session has kept the last of it.
KeptTimeLine::~KeptTimeLine() {
  {
    const std::lock_guard lock(all_kept().mutex);
    all_kept().lines.remove(this);
  }
  {
    const std::lock_guard lock(ending_mutex_);
    ends_ = true;
  }
  ending_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void KeptTimeLine::keep_at_times() {
  double interval_s = first_interval_s;
  std::unique_lock lock(ending_mutex_);
  while (!ending_.wait_for(lock, std::chrono::duration<double>(interval_s), [this] { return ends_; })) {
    lock.unlock();
    keep();
    lock.lock();
    interval_s = std::min(2.0 * interval_s, longest_interval_s);
  }
}

// Its times begin with the session; the clock tells which of them can be compared.
std::string KeptTimeLine::text() const {
  profile::RankOfLine rank = rank_;
  rank.end_s = now_s();
  const std::string part = profile::part_of_file(rank, line_->since(rank.start_s));
  const std::size_t head = part.find('\n');
  nlohmann::json about = nlohmann::json::parse(part.substr(0, head));
  about["clock"] = fmt::format("{:016x}", static_cast<std::uint64_t>(number_of_clock()));
  about["session"] = session_id_;
  return profile::file_of({about.dump() + part.substr(head)}, THALWEG_VERSION);
}

void KeptTimeLine::keep() noexcept {
  try {
    const std::lock_guard lock(mutex_);
    if (!line_) return;
    replace_json(path_, text(), "time line");
    is_there_ = true;
  } catch (...) {
  }
}

void KeptTimeLine::drop() noexcept {
  const std::lock_guard lock(mutex_);
  line_.reset();
  std::error_code unknown;
  if (is_there_) std::filesystem::remove(path_, unknown);
}

void keep_time_lines() noexcept {
  constexpr double least_interval_s = 1.0;
  if (is_forked_child()) return;  // they are the parent's
  AllKept& all = all_kept();
  const std::lock_guard lock(all.mutex);
  if (all.lines.empty() || now_s() - all.kept_at_s < least_interval_s) return;
  all.kept_at_s = now_s();
  for (KeptTimeLine* line : all.lines) line->keep();
}

}  // namespace thalweg::api
