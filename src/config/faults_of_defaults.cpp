#include "config/faults_of_defaults.hpp"

#include <fmt/ranges.h>

#include <algorithm>

namespace thalweg::config {
namespace {

// A key as a collection says it to have what is usual: "'compression: none'".
std::string usual_words(const std::string& key) {
  const std::string parent = key.substr(0, key.find('.'));
  const Entry* entry = find_entry("collections.*.", parent);
  if (entry == nullptr || entry->is_map_of_names()) return fmt::format("'{}'", key);
  if (!entry->is_section()) return fmt::format("'{}: {}'", key, entry->default_text);
  const std::string below = key.substr(std::min(parent.size() + 1, key.size()));
  const Entry* own = find_entry("collections.*." + parent + ".", below);
  if (own == nullptr) return fmt::format("'{}'", key);
  return below == entry->word_sets ? fmt::format("'{}: {}'", parent, own->default_text)
                                   : fmt::format("'{}: {{{}: {}}}'", parent, below, own->default_text);
}

}  // namespace

void FaultsOfDefaults::sort(Diagnostics found, const std::string& collection) {
  for (Diagnostics::Fault& fault : found.take()) {
    const auto set = std::ranges::find_if(draft_.where, [&](const auto& of) {
      return of.first.starts_with(defaults_prefix) && of.second.label == fault.where.label;
    });
    if (set == draft_.where.end()) {
      draft_.faults.add(std::move(fault.where), std::move(fault.text));
      continue;
    }
    Shared& shared = all_[{fault.where.label, fault.text}];
    shared.where = fault.where;
    shared.key = set->first.substr(defaults_prefix.size());
    shared.collections.push_back(collection);
  }
}

void FaultsOfDefaults::tell() {
  for (const auto& [place_and_text, shared] : all_) {
    const bool is_one = shared.collections.size() == 1;
    draft_.faults.add(shared.where, fmt::format("{}; or say {} for {} '{}', which {} it from the "
                                                "defaults",
                                                place_and_text.second, usual_words(shared.key),
                                                is_one ? "the collection" : "the collections",
                                                fmt::join(shared.collections, "', '"), is_one ? "has" : "have"));
  }
}

}  // namespace thalweg::config
