// Of which collection and records the spans of a thread are.
#pragma once

#include <cstdint>
#include <string_view>

namespace thalweg {

struct Subject {
  const char* collection = nullptr;  // a kept_word(); null: of none, or of several
  std::int64_t first_record = -1;    // counted over all files of the collection, from 0; -1: of none
  std::int64_t last_record = -1;
};

// Of what two spans are that become one.
Subject joined(const Subject& a, const Subject& b);

// The same text for as long as the process lives, at one place: a time line outlives the sessions that it is of.
const char* kept_word(std::string_view text);

inline thread_local constinit Subject subject_of_thread{};

// What this thread does until the end of the scope is of these.
class Concerns {
 public:
  explicit Concerns(const Subject& subject) : before_(subject_of_thread) { subject_of_thread = subject; }
  Concerns(const char* collection, std::int64_t record) : Concerns(Subject{collection, record, record}) {}
  ~Concerns() { subject_of_thread = before_; }
  Concerns(const Concerns&) = delete;
  Concerns& operator=(const Concerns&) = delete;

 private:
  Subject before_;
};

}  // namespace thalweg
