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

#include "base/error.hpp"
#include "block/node_blocks.hpp"
#include "block/transfers.hpp"
#include "catalog/collection_identity.hpp"
#include "put/kept_field.hpp"
#include "transport/channel.hpp"

namespace thalweg::put {

// Of a fixed variable, what goes to other ranks: its values once and each time that they are put anew, and from the
// second file on that the values of a file are settled. All channels of the variable are at the same message.
struct FixedMessages {
  std::int64_t turn = 0;           // of the next message
  bool values_wait = false;        // all are in the first buffer, and not sent yet
  bool has_values = false;         // were sent once
  std::int64_t settled_files = 1;  // so many leading ones are said to be
};

struct VariablePuts {
  PutVariable of;
  std::vector<block::BoxPuts> boxes;
  std::vector<transport::SendChannel> channels;
  std::vector<std::int64_t> next_put;  // a box: the moment that it may be put for next; fixed: files begun before
  std::size_t boxes_in_message = 0;    // put so far for the current moment
  std::int64_t missing = 0;            // boxes that were filled because the model did not put them
  std::int64_t out_of_range = 0;       // values that became infinite, because the file's type has none so large
  // ---- of a fixed variable
  std::vector<bool> is_placed;                   // a box: it is in blocks and messages, as it was put first or later
  std::vector<std::vector<std::uint64_t>> sums;  // a box, a local piece: of what its block has
  FixedMessages messages;
};

// Values of a fixed variable for a file, and those behind it, that this rank has not begun when they are put.
struct RenewedValues : KeptField {
  int variable = 0;
  int box = 0;
  std::int64_t file = 0;
  bool is_in_blocks = false;    // of this node,
  bool is_in_messages = false;  // and in those to other ranks
};

// How far this rank has come with the fixed variables of its files.
struct FixedFiles {
  std::int64_t begun = 0;    // leading files
  std::int64_t settled = 0;  // of these, those for which all values are where they belong
  bool values_wait = false;  // of some variable, to be sent
  std::vector<RenewedValues> renewed;

  bool is_behind() const { return settled < begun; }
};

struct Puts {
  // Both outlive this.
  Puts(const catalog::CollectionIdentity& its_identity, const block::NodeBlocks& its_blocks)
      : identity(its_identity), blocks(its_blocks) {}

  const catalog::CollectionIdentity& identity;
  const block::NodeBlocks& blocks;
  std::vector<VariablePuts> variables;
  int own_coordinate = -1;  // Thalweg's own, of the records; -1: the model puts it, or there is none
  FixedFiles fixed;
  bool takes_turns = false;      // its files, with those of other groups of servers
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
