// Rules of collections that choose fields.
#include <fmt/format.h>

#include <algorithm>

#include "config/draft.hpp"
#include "config/parse_value.hpp"

namespace thalweg::config {
namespace {

bool has_instants(const FieldSettings& fields) {
  return std::ranges::any_of(fields.chosen, [&](const ChosenField& of) {
    return of.operation.value_or(fields.operation) == Operation::instant;
  });
}

}  // namespace

void check_fields(Draft& draft, const CollectionSettings& collection) {
  const FieldSettings& fields = collection.fields;
  const auto refuse = [&](const char* key, const std::string& why) {
    if (usable(draft, key_of(collection, key)))
      draft.faults.add(where_of(draft, collection, key), fmt::format("{}: {}", key, why));
  };
  if (!collection.has_statistics()) return;
  if (collection.is_on_demand())
    refuse("every", "operations are over intervals of time, and 'on-demand' says none; set every: 6 h, or another one");
  if (collection.initial_record)
    refuse("initial-record", "nothing was gathered at the start of the run; leave it out, or set operation: instant");
  if (collection.append == Append::go_on)
    refuse("append",
           "what was gathered before the end of a run is not kept, so that files with operations over "
           "intervals cannot go on; set append: new, or fail");
  if (has_instants(fields))
    refuse("fields",
           "some are instants and some are gathered over intervals, whose times are not the same; put the "
           "instants into a collection of their own");
}

}  // namespace thalweg::config
