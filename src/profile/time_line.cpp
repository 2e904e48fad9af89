#include "profile/time_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string_view>

#include "base/thread.hpp"

namespace thalweg::profile {
namespace {

// Of the one that is recorded: threads find by its number that theirs is over.
std::mutex lines_mutex;
std::weak_ptr<TimeLine> shared_line;
TimeLine* recorded_line = nullptr;
std::atomic<std::uint64_t> line_number{0};

constexpr double us_of_s = 1e6;

std::string dumped(const nlohmann::json& json) {
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string name_of(const LineOfThread& thread, bool is_server) {
  if (thread.purpose.empty()) return is_server ? "server" : "model";
  return "thread " + thread.purpose;
}

std::int64_t nanoseconds(double seconds) {
  return std::llround(seconds * 1e9);
}

// Of neighbours, and where the start was moved, what was counted; and of which collection and records it is.
void append_arguments(std::string& text, const LineSpan& span, std::int64_t length_ns) {
  std::string_view before = R"(,"args":{)";
  const auto add = [&](std::string_view name, const auto& value) {
    fmt::format_to(std::back_inserter(text), R"({}"{}":{})", before, name, value);
    before = ",";
  };
  const std::int64_t counted_ns = nanoseconds(span.counted_s);
  if (span.spans > 1 || std::abs(counted_ns - length_ns) > 1) {
    add("spans", span.spans);
    add("counted_us", fmt::format("{:.3f}", 1e-3 * static_cast<double>(counted_ns)));
  }
  const Subject& of = span.subject;
  if (of.collection != nullptr) add("collection", dumped(of.collection));
  if (of.first_record >= 0) add("record", of.first_record);
  if (of.last_record > of.first_record) add("last_record", of.last_record);
  if (before == ",") text += '}';
}

// Ends are rounded and not lengths: then a span that lies in another one still does.
void append_event(std::string& text, const LineSpan& span, const RankOfLine& rank, std::size_t thread) {
  const std::int64_t start_ns = nanoseconds(span.start_s + rank.offset_s);
  const std::int64_t length_ns = std::max<std::int64_t>(nanoseconds(span.end_s + rank.offset_s) - start_ns, 0);
  fmt::format_to(std::back_inserter(text), R"({{"ph":"X","pid":{},"tid":{},"name":"{}","ts":{:.3f},"dur":{:.3f})",
                 rank.rank, thread, span.name, 1e-3 * static_cast<double>(start_ns),
                 1e-3 * static_cast<double>(length_ns));
  append_arguments(text, span, length_ns);
  text += "},\n";
}

void append_name(std::string& text, const char* what, const std::string& name, int rank, std::size_t thread) {
  text += dumped({{"ph", "M"}, {"pid", rank}, {"tid", thread}, {"name", what}, {"args", {{"name", name}}}}) + ",\n";
}

}  // namespace

// What a thread knows of the time line that it tells its spans.
struct TimeLine::Here {
  std::uint64_t number = 0;
  std::shared_ptr<Recorded> own;
};

TimeLine::Here& TimeLine::here() {
  static thread_local Here thread;
  return thread;
}

TimeLine::TimeLine(std::size_t spans_of_thread) : spans_of_thread_(spans_of_thread) {}

std::shared_ptr<TimeLine> TimeLine::begin(std::size_t spans_of_thread) {
  const std::lock_guard lock(lines_mutex);
  std::shared_ptr<TimeLine> line = shared_line.lock();
  if (line) return line;
  line = std::make_shared<TimeLine>(spans_of_thread);
  shared_line = line;
  recorded_line = line.get();
  line_number.fetch_add(1, std::memory_order_release);
  span_follower = &TimeLine::record;
  return line;
}

// A thread that tells a span at this moment still has its own, which is empty then.
TimeLine::~TimeLine() {
  const std::lock_guard lock(lines_mutex);
  if (recorded_line == this) {
    span_follower = nullptr;
    recorded_line = nullptr;
    line_number.fetch_add(1, std::memory_order_release);
  }
  for (const std::shared_ptr<Recorded>& thread : threads_) {
    const std::lock_guard lock_of_thread(thread->mutex);
    thread->line = ThreadLine(0);
  }
}

void TimeLine::join(Here& thread) noexcept {
  thread.own.reset();
  try {
    const std::lock_guard lock(lines_mutex);
    thread.number = line_number.load(std::memory_order_relaxed);
    if (recorded_line == nullptr) return;
    auto own = std::make_shared<Recorded>(recorded_line->spans_of_thread_);
    if (thread_purpose != nullptr) own->purpose = thread_purpose;
    recorded_line->threads_.push_back(own);
    thread.own = std::move(own);
  } catch (...) {  // without memory the thread has no line
    thread.own.reset();
  }
}

void TimeLine::record(const Span& span) noexcept {
  Here& thread = here();
  if (thread.number != line_number.load(std::memory_order_acquire)) join(thread);
  if (!thread.own) return;
  const std::lock_guard lock(thread.own->mutex);
  thread.own->line.add(span);
}

std::vector<LineOfThread> TimeLine::since(double start_s) const {
  const std::lock_guard lock(lines_mutex);
  std::vector<LineOfThread> lines;
  for (const std::shared_ptr<Recorded>& thread : threads_) {
    const std::lock_guard lock_of_thread(thread->mutex);
    lines.push_back({thread->purpose, thread->line});
    lines.back().line.forget_before(start_s);
    if (lines.back().line.spans().empty() && lines.back().line.left_out().empty()) lines.pop_back();
  }
  return lines;
}

std::string part_of_file(const RankOfLine& rank, const std::vector<LineOfThread>& threads) {
  nlohmann::json about = {{"rank", rank.rank},
                          {"node", rank.node},
                          {"host", rank.host},
                          {"role", rank.is_server ? "server" : "client"},
                          {"start_us", (rank.start_s + rank.offset_s) * us_of_s},
                          {"end_us", (rank.end_s + rank.offset_s) * us_of_s},
                          {"offset_us", rank.offset_s * us_of_s},
                          {"offset_error_us", rank.offset_error_s * us_of_s},
                          {"threads", nlohmann::json::array()}};
  std::string events;
  append_name(events, "process_name",
              fmt::format("rank {}, {}, node {}", rank.rank, about["role"].get<std::string>(), rank.node), rank.rank,
              0);
  for (std::size_t k = 0; k < threads.size(); ++k) {
    const ThreadLine& line = threads[k].line;
    const std::string name = name_of(threads[k], rank.is_server);
    nlohmann::json left_out = nlohmann::json::object();
    for (const LeftOut& of : line.left_out()) left_out[of.name] = {{"spans", of.spans}, {"us", of.seconds * us_of_s}};
    about["threads"].push_back({{"thread", k},
                                {"name", name},
                                {"spans", line.spans().size()},
                                {"grain_us", line.grain_s() * us_of_s},
                                {"left_out", std::move(left_out)}});
    append_name(events, "thread_name", name, rank.rank, k);
    for (const LineSpan& span : nested(line.spans())) append_event(events, span, rank, k);
  }
  return dumped(about) + "\n" + events;
}

std::string file_of(const std::vector<std::string>& parts, const std::string& version) {
  std::string ranks, events;
  for (const std::string_view part : parts) {
    const std::size_t head = part.find('\n') + 1;
    ranks += part.substr(0, head - 1);
    ranks += ",\n";
    events += part.substr(head);
  }
  for (std::string* list : {&ranks, &events})
    if (!list->empty()) list->resize(list->size() - 2);  // the last comma
  return fmt::format(
      "{{\"thalweg_time_line\":1,\"version\":{},\"displayTimeUnit\":\"ms\",\"ranks\":[\n{}\n],\n"
      "\"traceEvents\":[\n{}\n]}}\n",
      dumped(version), ranks, events);
}

}  // namespace thalweg::profile
