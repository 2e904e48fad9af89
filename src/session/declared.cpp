#include "session/declared.hpp"

#include "base/error.hpp"

namespace thalweg::session {

std::string Declared::title_of(int collection, int variable) const {
  if (collection < 0 || collection >= static_cast<int>(ready.size())) return "a collection";
  const Collection& of = *ready[static_cast<std::size_t>(collection)];
  if (variable < 0) return fmt::format("collection '{}'", of.name);
  return fmt::format("collection '{}', variable '{}'", of.name, of.variable(variable).name);
}

}  // namespace thalweg::session
