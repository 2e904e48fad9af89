// What comes to this rank of a collection by message.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "block/node_blocks.hpp"
#include "block/transfers.hpp"
#include "catalog/collection_identity.hpp"
#include "transport/channel.hpp"

namespace thalweg::receive {

struct Inbox {
  int variable = 0;
  bool has_record = false;
  transport::ReceiveChannel channel;
  std::vector<block::ReceivedPiece> pieces;
  bool is_full = false;  // something is in that is not taken yet
  // ---- of a fixed variable
  std::int64_t settled_files = 1;     // so many leading ones have all of its values, as far as they come here
  std::vector<std::uint64_t> sums{};  // a piece: of what its block has; none: nothing came yet
};

struct Inboxes {
  // Where a moment lies in its file, as far as this rank has come; nothing: it has not come to it.
  using IndexInFile = std::function<std::optional<std::int64_t>(std::int64_t moment)>;
  // All of it outlives this.
  Inboxes(const catalog::CollectionIdentity& its_identity, const block::NodeBlocks& its_blocks, IndexInFile where)
      : identity(its_identity), blocks(its_blocks), index_in_file(std::move(where)) {}

  const catalog::CollectionIdentity& identity;
  const block::NodeBlocks& blocks;
  IndexInFile index_in_file;
  bool is_open = false;  // from the end of definitions on
  std::vector<Inbox> all;

  // The moment whose messages have not all come, before `moment`; that one, if they have.
  std::int64_t oldest_expected(std::int64_t moment) const;
  // For so many leading files all values of fixed variables have come.
  std::int64_t settled_files() const;
};

}  // namespace thalweg::receive
