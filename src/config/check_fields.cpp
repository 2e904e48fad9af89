// Rules of collections that choose fields.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "config/draft.hpp"
#include "config/parse_value.hpp"

namespace thalweg::config {
namespace {

class Rules {
 public:
  Rules(Draft& draft, const CollectionSettings& collection) : draft_(draft), collection_(collection) {}

  bool says(const char* key) const { return draft_.where.contains(key_of(collection_, key)); }

  void refuse(const char* key, const std::string& why) {
    if (usable(draft_, key_of(collection_, key)))
      draft_.faults.add(where_of(draft_, collection_, key), fmt::format("{}: {}", key, why));
  }

  void refuse_said(std::initializer_list<const char*> keys, const std::string& why) {
    for (const char* key : keys)
      if (says(key)) refuse(key, why);
  }

 private:
  Draft& draft_;
  const CollectionSettings& collection_;
};

void check_intervals(Rules& rules, const CollectionSettings& collection) {
  if (collection.initial_record)
    rules.refuse("initial-record",
                 "nothing was gathered at the start of the run; leave it out, or set operation: instant");
  if (collection.append == Append::go_on)
    rules.refuse("append",
                 "what was gathered before the end of a run is not kept, so that files with operations over intervals "
                 "cannot go on; set append: new, or fail");
  const auto is_instant = [](const ChosenField& of) { return of.operation == Operation::instant; };
  if (std::ranges::any_of(collection.fields.chosen, is_instant))
    rules.refuse("fields",
                 "some are instants and some are gathered over intervals, whose times are not the same; put the "
                 "instants into a collection of their own");
}

}  // namespace

void check_fields(Draft& draft, const CollectionSettings& collection) {
  Rules rules(draft, collection);
  if (collection.fields.chosen.empty())
    return rules.refuse_said({"operation", "missing", "valid", "partial", "file-date", "anchor", "optional"},
                             "it is of the fields that a collection chooses, and this one has no 'fields'");
  if (collection.is_on_demand())
    rules.refuse("every",
                 "records of fields are closed by Thalweg, and 'on-demand' says nothing of when; set every: 6 h, or "
                 "another one");
  if (collection.has_statistics()) return check_intervals(rules, collection);
  rules.refuse_said({"missing", "valid", "partial", "file-date"},
                    "it is of operations over intervals, and there are instants alone");
}

}  // namespace thalweg::config
