// What this rank puts of a collection, and how far it has come.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/element_bits.hpp"
#include "base/error.hpp"
#include "block/node_blocks.hpp"
#include "block/transfers.hpp"
#include "catalog/collection_identity.hpp"
#include "config/settings.hpp"
#include "put/field_view.hpp"
#include "transport/channel.hpp"

namespace thalweg::put {

// As it was declared.
struct PutVariable {
  std::string name;
  Type type = Type::float64;
  Element fill{};
  bool has_record = false;
  bool is_held = true;  // by clients: else it only says how others are rounded, and is not put
  bool is_decomposed = false;
  config::WhenNotPut when_not_put = config::WhenNotPut::fill;
  FieldRules rules;
  std::string where;  // "rank 3, collection 'history', variable 'temp'": for messages, made once and not at each put
};

// Errors: ARGUMENT for a box that there is not; STATE for one that was put for this moment; SHAPE for a field that
// cannot be the box, by its type or its shape. field.type: as it is stored.
void require_box(const PutVariable& of, int box, std::size_t boxes);
[[noreturn]] void refuse_second_put(const PutVariable& of, std::int64_t moment);
FieldView checked_view(const PutVariable& of, const Field& field, const Box& box);

struct VariablePuts {
  PutVariable of;
  std::vector<block::BoxPuts> boxes;
  std::vector<transport::SendChannel> channels;
  std::vector<std::int64_t> next_put;  // a box: the moment that it may be put for next
  std::size_t boxes_in_message = 0;    // put so far for the current moment
  std::int64_t missing = 0;            // boxes that were filled because the model did not put them
  std::int64_t out_of_range = 0;       // values that became infinite, because the file's type has none so large
};

struct Puts {
  // Both outlive this.
  Puts(const catalog::CollectionIdentity& its_identity, const block::NodeBlocks& its_blocks)
      : identity(its_identity), blocks(its_blocks) {}

  const catalog::CollectionIdentity& identity;
  const block::NodeBlocks& blocks;
  std::vector<VariablePuts> variables;
  int own_coordinate = -1;       // Thalweg's own, of the records; -1: the model puts it, or there is none
  std::optional<Error> not_put;  // the model is to be told of it, now that the record is complete

  // -1: there is none of this name.
  int find(std::string_view name) const {
    const auto found = numbers.find(name);
    return found == numbers.end() ? -1 : found->second;
  }
  // Whether this rank has cells of the variable, or it has no decomposition.
  bool holds(int variable) const {
    const VariablePuts& puts = variables[static_cast<std::size_t>(variable)];
    return !puts.boxes.empty() || !puts.of.is_decomposed;
  }

  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };
  std::unordered_map<std::string, int, Hash, std::equal_to<>> numbers;
};

}  // namespace thalweg::put
