#include "compat/registry.hpp"

#include "base/error.hpp"
#include "compat/pfio/row.hpp"

namespace thalweg::compat {
namespace {

const std::vector<const Row*>& rows() {
  static const std::vector<const Row*> all = {&pfio::row};
  return all;
}

}  // namespace

const Row& row_of(config::Dialect dialect) {
  for (const Row* row : rows())
    if (&row->description == &*dialect) return *row;
  fail(THALWEG_ERROR_INTERNAL, "the library '{}' has no row", dialect->name);
}

}  // namespace thalweg::compat

namespace thalweg::config {

const std::vector<Dialect>& dialects() {
  static const std::vector<Dialect> all = [] {
    std::vector<Dialect> described;
    for (const compat::Row* row : compat::rows()) described.emplace_back(row->description);
    return described;
  }();
  return all;
}

}  // namespace thalweg::config
