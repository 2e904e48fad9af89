#include "files/file_plan.hpp"

namespace thalweg::files {

catalog::Definition definition_of(const Series& series, const FilePlan& plan) {
  catalog::Definition definition = plan.definition;
  catalog::take_attributes(definition, series.declaration.definition());
  return definition;
}

}  // namespace thalweg::files
