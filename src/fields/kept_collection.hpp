// What a checkpoint says of a collection that gathers: by what it is known whether a run can go on with it. Pure.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "config/settings.hpp"
#include "fields/choice.hpp"

namespace thalweg::fields {

// What is gathered of a field has its own variables in a checkpoint.
inline bool is_kept(const config::CollectionSettings& collection, const Chosen& chosen) {
  return config::is_statistic(chosen.operation) && is_enabled(collection, chosen);
}

// By which a checkpoint knows what is gathered for a variable; of: its place there.
inline std::string kept_name(const Chosen& chosen, std::size_t of) {
  const bool is_one = chosen.gathered.empty() && chosen.day_parts == 0;
  return is_one ? chosen.variable : fmt::format("{} [{}]", chosen.variable, of + 1);
}

struct KeptCollection {
  std::string name;
  std::vector<std::pair<std::string, std::string>> says{};       // keys and values: of its intervals and its files
  std::vector<std::pair<std::string, std::string>> variables{};  // and what each has

  friend bool operator==(const KeptCollection&, const KeptCollection&) = default;
};

// Of this run. dims_of: the dimensions of a field with their sizes, as "lat = 18, lon = 36".
KeptCollection kept_collection(const config::Settings& settings, const config::CollectionSettings& collection,
                               const Choice& choice, const std::vector<Field>& fields,
                               const std::function<std::string(const Field&)>& dims_of);

// As it stands in a checkpoint, and back. A line that cannot be read is left out.
std::string text_of(const std::vector<KeptCollection>& all);
std::vector<KeptCollection> kept_collections(std::string_view text);

// The first thing that is not the same, with both values; "": none.
std::string difference(const KeptCollection& kept, const KeptCollection& now);

}  // namespace thalweg::fields
