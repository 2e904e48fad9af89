// The collective call that a process is in, in memory that others read: who reads it while the next call begins may get
// some of each, and no more depends on it than a report.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace thalweg::staging {

class CallName {
 public:
  // "CALL" or "CALL of 'SUBJECT'"; "": none. What is too long is cut.
  void set(std::string_view call, std::string_view subject = {}) {
    Letters letters{};
    std::size_t length = 0;
    const auto add = [&](std::string_view text) {
      length += text.copy(letters.data() + length, letters.size() - 1 - length);
    };
    add(call);
    if (!subject.empty()) {
      add(" of '");
      add(subject);
      add("'");
    }
    for (std::size_t w = 0; w <= length / sizeof(std::uint64_t); ++w) {
      std::uint64_t word = 0;
      std::memcpy(&word, letters.data() + w * sizeof word, sizeof word);
      words_[w].store(word, std::memory_order_relaxed);
    }
  }

  std::string text() const {
    Letters letters{};
    for (std::size_t w = 0; w < word_count; ++w) {
      const std::uint64_t word = words_[w].load(std::memory_order_relaxed);
      std::memcpy(letters.data() + w * sizeof word, &word, sizeof word);
    }
    letters.back() = '\0';
    return letters.data();
  }

 private:
  static constexpr std::size_t word_count = 24;
  using Letters = std::array<char, word_count * sizeof(std::uint64_t)>;
  std::array<std::atomic<std::uint64_t>, word_count> words_{};
};

}  // namespace thalweg::staging
