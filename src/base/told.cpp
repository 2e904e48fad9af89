#include "base/told.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>

namespace thalweg::told {
namespace {

std::atomic<Language> language{Language::c};

}  // namespace

bool is_fortran() {
  return language.load(std::memory_order_relaxed) == Language::fortran;
}

void set_language(Language of) {
  language.store(of, std::memory_order_relaxed);
}

std::int64_t number(std::int64_t from_zero) {
  return is_fortran() ? from_zero + 1 : from_zero;
}

std::string_view first() {
  return is_fortran() ? "1" : "0";
}

std::string_view order() {
  return is_fortran() ? "fastest first" : "slowest first";
}

std::int64_t dimension(int d, int rank) {
  return is_fortran() ? rank - d : d;
}

std::string extents(const Index& slowest_first) {
  Index listed = slowest_first;
  for (int d = 0; d < listed.rank(); ++d) listed[d] = slowest_first[is_fortran() ? listed.rank() - 1 - d : d];
  return to_string(listed);
}

std::string starts(const Index& slowest_first) {
  Index numbers = slowest_first;
  for (int d = 0; d < numbers.rank(); ++d) numbers[d] = number(numbers[d]);
  return extents(numbers);
}

std::string box(const Box& slowest_first) {
  std::string text = "[";
  for (int place = 0; place < slowest_first.rank(); ++place) {
    const int d = is_fortran() ? slowest_first.rank() - 1 - place : place;
    // One past the last index, counted from 0, is the last one, counted from 1.
    text += fmt::format("{}{}:{}", place == 0 ? "" : ", ", number(slowest_first.start[d]), slowest_first.stop(d));
  }
  return text + "]";
}

std::string_view sections() {
  return is_fortran() ? "from 1, to their last index, fastest dimension first"
                      : "from 0, to behind their last index, slowest dimension first";
}

std::string names(std::vector<std::string> slowest_first) {
  if (is_fortran()) std::ranges::reverse(slowest_first);
  return fmt::format("{}", fmt::join(slowest_first, ","));
}

}  // namespace thalweg::told
