// Rules of collections that choose fields.
#include <algorithm>
#include <initializer_list>

#include "config/draft.hpp"

namespace thalweg::config {
namespace {

// What `defaults` say is of the collections that it is for, and others do without.
void refuse_said(Draft& draft, const CollectionSettings& collection, std::initializer_list<const char*> keys,
                 const std::string& why) {
  for (const char* key : keys)
    if (draft.where.contains(key_of(collection, key)) && !is_by_default(draft, collection, key))
      refuse_in(draft, collection, key, why);
}

void check_intervals(Draft& draft, const CollectionSettings& collection) {
  if (collection.initial_record)
    refuse_in(draft, collection, "initial-record",
              "nothing was gathered at the start of the run; leave it out, or set operation: instant");
  if (collection.append == Append::go_on && collection.new_file.steps != 0)
    refuse_in(draft, collection, "new-file",
              "with 'append: continue' files end at dates, and steps are counted anew in each run; say how long they "
              "are, as in new-file: 1 d");
  const auto is_instant = [](const ChosenField& of) { return of.own_operation() == Operation::instant; };
  if (std::ranges::any_of(collection.fields.chosen, is_instant))
    refuse_in(draft, collection, "fields",
              "some are instants and some are gathered over intervals, whose times are not the same; put the "
              "instants into a collection of their own");
}

}  // namespace

void check_fields(Draft& draft, const CollectionSettings& collection) {
  if (draft.faulty.contains(key_of(collection, "fields"))) return;
  if (collection.fields.chosen.empty())
    return refuse_said(draft, collection,
                       {"operation", "missing", "valid", "partial", "file-date", "anchor", "optional"},
                       "it is of the fields that a collection chooses, and this one has no 'fields'");
  if (collection.is_on_demand())
    refuse_in(draft, collection, "every",
              "records of fields are closed by Thalweg, and 'on-demand' says nothing of when; set every: 6 h, or "
              "another one");
  if (collection.has_statistics()) return check_intervals(draft, collection);
  refuse_said(draft, collection, {"missing", "valid", "partial", "file-date"},
              "it is of operations over intervals, and there are instants alone");
}

}  // namespace thalweg::config
