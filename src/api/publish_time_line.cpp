#include "api/publish_time_line.hpp"

#include <cmath>

#include "api/replace_json.hpp"
#include "api/time_line_of_rank.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "profile/clocks.hpp"
#include "profile/time_line.hpp"
#include "transport/collective.hpp"

namespace thalweg::api {
namespace {

constexpr std::int64_t most_spans_of_file = std::int64_t{1} << 20;

std::int64_t nanoseconds(double seconds) {
  return std::llround(seconds * 1e9);
}

// What clocks are apart is as uncertain as the shortest meeting was long, so there are some.
std::vector<profile::Meeting> meetings(const roles::Circle& circle) {
  std::vector<profile::Meeting> met(10);
  for (profile::Meeting& meeting : met) {
    meeting.came_ns = nanoseconds(now_s());
    transport::barrier(circle);
    meeting.left_ns = nanoseconds(now_s());
  }
  return met;
}

std::vector<profile::Meeting> meetings_of_first(const roles::Circle& circle, const std::vector<profile::Meeting>& own) {
  std::vector<std::int64_t> values;
  for (const profile::Meeting& meeting : own) {
    values.push_back(meeting.came_ns);
    values.push_back(meeting.left_ns);
  }
  transport::broadcast_values(circle, 0, values);
  std::vector<profile::Meeting> met;
  for (std::size_t k = 0; k < values.size(); k += 2) met.push_back({values[k], values[k + 1]});
  return met;
}

// Of this rank's clock to that of the first one.
profile::ClockOffset aligned(const roles::Circle& circle) {
  const std::vector<profile::Meeting> own = meetings(circle);
  const profile::ClockBounds found = profile::bounds(number_of_clock(), own, meetings_of_first(circle, own));
  const auto rank = static_cast<std::size_t>(circle.rank());
  std::vector<std::int64_t> values(3 * static_cast<std::size_t>(circle.size()), 0);
  values[3 * rank] = found.clock;
  values[3 * rank + 1] = found.least_ns;
  values[3 * rank + 2] = found.most_ns;
  transport::sum(circle, values);
  std::vector<profile::ClockBounds> all;
  for (std::size_t k = 0; k < values.size(); k += 3) all.push_back({values[k], values[k + 1], values[k + 2]});
  return profile::offset_of(rank, all);
}

// No more than a reader of the file can bear: each thread gets its share.
void limit_spans(const roles::Circle& circle, std::vector<profile::LineOfThread>& threads) {
  std::int64_t own = 0;
  for (const profile::LineOfThread& thread : threads) own += std::ssize(thread.line.spans());
  const double all = static_cast<double>(transport::sum(circle, own));
  if (all <= static_cast<double>(most_spans_of_file)) return;
  const double share = static_cast<double>(most_spans_of_file) / all;
  for (profile::LineOfThread& thread : threads)
    thread.line.reduce_to(static_cast<std::size_t>(static_cast<double>(thread.line.spans().size()) * share));
}

// The file's time begins with the first session.
double first_start_s(const roles::Circle& circle, double own_s) {
  std::vector<std::int64_t> values{-nanoseconds(own_s)};
  transport::maximum(circle, values);
  return -1e-9 * static_cast<double>(values.front());
}

}  // namespace

void publish_time_line(session::Session& session) {
  const session::Core& core = session.core();
  const roles::Circle circle = session.circle_at_end();
  if (circle.is_none() || !core.measured.time_line) return;
  profile::RankOfLine rank = line_of_rank(session);
  std::vector<profile::LineOfThread> threads = core.measured.time_line->since(rank.start_s);
  const profile::ClockOffset clock = aligned(circle);
  rank.offset_s = clock.seconds - first_start_s(circle, rank.start_s + clock.seconds);
  rank.offset_error_s = clock.error_s;
  limit_spans(circle, threads);
  const std::vector<std::string> parts = transport::gather_texts(circle, profile::part_of_file(rank, threads));
  if (parts.empty()) return;
  try {
    replace_json(core.settings.time_line, profile::file_of(parts, THALWEG_VERSION), "time line");
  } catch (const Error& error) {
    log::warning("cannot write the time line: {}", error.what());
  }
}

}  // namespace thalweg::api
