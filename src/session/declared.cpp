#include "session/declared.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace thalweg::session {

void Declared::give_up(Collection& collection) {
  const auto place = std::ranges::find(collections, &collection, [](Collection& of) { return &of; });
  collection.has_failed = true;
  collection.early.take();
  failed.splice(failed.end(), collections, place);
}

bool Declared::await_initial() const {
  const auto awaits = [](const Collection& of) { return of.schedule.clock().awaits_initial(); };
  return std::ranges::any_of(collections, awaits) || std::ranges::any_of(sketched, awaits);
}

std::string Declared::title_of(int collection, int variable) const {
  if (collection < 0 || collection >= static_cast<int>(ready.size())) return "a collection";
  const Collection& of = *ready[static_cast<std::size_t>(collection)];
  if (variable < 0) return fmt::format("collection '{}'", of.name);
  return fmt::format("collection '{}', variable '{}'", of.name, of.variable(variable).name);
}

}  // namespace thalweg::session
