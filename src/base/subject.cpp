#include "base/subject.hpp"

#include <algorithm>
#include <mutex>
#include <set>
#include <string>

namespace thalweg {

Subject joined(const Subject& a, const Subject& b) {
  if (a.collection != b.collection) return {};
  if (a.first_record < 0 || b.first_record < 0) return {a.collection, -1, -1};
  return {a.collection, std::min(a.first_record, b.first_record), std::max(a.last_record, b.last_record)};
}

const char* kept_word(std::string_view text) {
  static std::mutex mutex;
  static auto& words = *new std::set<std::string, std::less<>>;  // for spans of threads that outlive main
  const std::lock_guard lock(mutex);
  const auto found = words.find(text);
  return (found != words.end() ? found : words.emplace(text).first)->c_str();
}

}  // namespace thalweg
