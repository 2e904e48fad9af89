#include "profile/thread_line.hpp"

#include <algorithm>
#include <new>
#include <string_view>

namespace thalweg::profile {

void ThreadLine::add(const Span& span) noexcept {
  const LineSpan next{span.name, span.start_s, span.end_s, span.end_s - span.start_s, 1, span.subject};
  if (spans_.size() >= most_) coarsen();
  if (grain_s_ > 0.0) {
    if (!spans_.empty() && is_joined(spans_.back(), next)) return;
    if (next.length_s() < grain_s_) return leave_out(next);
  }
  try {
    spans_.push_back(next);
  } catch (const std::bad_alloc&) {
    leave_out(next);
  }
}

bool ThreadLine::is_joined(LineSpan& last, const LineSpan& next) const {
  if (last.name != next.name || next.start_s < last.end_s || next.start_s - last.end_s > grain_s_) return false;
  last.end_s = next.end_s;
  last.counted_s += next.counted_s;
  last.spans += next.spans;
  last.subject = joined(last.subject, next.subject);
  return true;
}

void ThreadLine::coarsen() {
  constexpr double least_grain_s = 1e-6;
  const std::size_t most = most_ / 2;
  while (spans_.size() > most) {
    std::vector<LineSpan>& all = spans_;
    std::size_t kept = 0;
    grain_s_ = std::max(2.0 * grain_s_, least_grain_s);
    for (std::size_t k = 0; k < all.size(); ++k)
      if (kept == 0 || !is_joined(all[kept - 1], all[k])) all[kept++] = all[k];
    all.resize(kept);
    std::erase_if(all, [&](const LineSpan& span) {
      const bool is_short = span.length_s() < grain_s_;
      if (is_short) leave_out(span);
      return is_short;
    });
  }
}

void ThreadLine::reduce_to(std::size_t most) {
  if (spans_.size() <= most) return;
  most_ = 2 * most;
  coarsen();
}

void ThreadLine::forget_before(double start_s) {
  std::erase_if(spans_, [&](const LineSpan& span) { return span.end_s < start_s; });
}

void ThreadLine::leave_out(const LineSpan& span) noexcept {
  for (LeftOut& of : left_out_) {
    const bool is_last = &of == &left_out_.back();
    if (of.name == nullptr) of.name = is_last ? "others" : span.name;
    if (!is_last && of.name != span.name) continue;
    of.spans += span.spans;
    of.seconds += span.counted_s;
    return;
  }
}

std::vector<LeftOut> ThreadLine::left_out() const {
  std::vector<LeftOut> all;
  for (const LeftOut& of : left_out_) {
    if (of.spans == 0) continue;
    // The same word of two sources may lie in two places.
    const auto same = std::ranges::find_if(
        all, [&](const LeftOut& other) { return std::string_view(other.name) == std::string_view(of.name); });
    if (same == all.end()) {
      all.push_back(of);
      continue;
    }
    same->spans += of.spans;
    same->seconds += of.seconds;
  }
  return all;
}

std::vector<LineSpan> nested(std::vector<LineSpan> spans) {
  std::ranges::sort(spans, [](const LineSpan& a, const LineSpan& b) {
    return a.start_s != b.start_s ? a.start_s < b.start_s : a.end_s > b.end_s;
  });
  std::vector<double> ends;  // of the spans around
  for (LineSpan& span : spans) {
    while (!ends.empty() && ends.back() <= span.start_s) ends.pop_back();
    while (!ends.empty() && ends.back() < span.end_s) {
      span.start_s = std::max(span.start_s, ends.back());
      ends.pop_back();
    }
    ends.push_back(span.end_s);
  }
  return spans;
}

}  // namespace thalweg::profile
