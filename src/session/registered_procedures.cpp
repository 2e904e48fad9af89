#include "session/registered_procedures.hpp"

#include <map>
#include <mutex>

namespace thalweg::session {
namespace {

struct Registry {
  std::mutex mutex;
  std::map<std::string, block::Callback> by_collection;
};

Registry& registry() {
  static Registry of_process;
  return of_process;
}

}  // namespace

void register_procedure(const std::string& collection, const block::Callback& procedure) {
  const std::lock_guard lock(registry().mutex);
  registry().by_collection[collection] = procedure;
}

std::optional<block::Callback> registered_procedure(const std::string& collection) {
  const std::lock_guard lock(registry().mutex);
  const auto found = registry().by_collection.find(collection);
  return found == registry().by_collection.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace thalweg::session
